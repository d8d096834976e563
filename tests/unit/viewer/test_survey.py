"""What the pages know is kept while nothing changes, and made anew once something does."""

from collections.abc import Callable

from memdir.memory import Memory
from memdir.viewer.survey import Survey


def test_the_answer_to_a_prompt_is_kept_until_a_memory_changes(opened: Callable[[], Memory]) -> None:
    opened().remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    survey = Survey(opened)
    first = survey.preview("when do deploys go out?")
    assert survey.preview("when do deploys go out?") is first
    opened().remember("Deploys need a second pair of eyes.", kind="project", name="eyes")
    files = {one.file for one in survey.preview("when do deploys go out?").receipt.candidates}
    assert files == {"project_deploys.md", "project_eyes.md"}


def test_of_many_prompts_the_oldest_are_forgotten(opened: Callable[[], Memory]) -> None:
    opened().remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    survey = Survey(opened)
    first = survey.preview("when do deploys go out?")
    for number in range(20):
        survey.preview(f"when do deploys go out, number {number}?")
    assert survey.preview("when do deploys go out?") is not first
    assert len(survey._previews) <= 16
