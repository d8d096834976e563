"""Every prompt as rendered: a change of a sentence shows as a diff of a golden file."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memdir.prompt.guide import Guide, Search, additions, mechanics, mechanics_and_index
from memdir.prompt.modes import COMBINED, DAILY_LOG, PRIVATE, Form
from memdir.prompt.templates import text
from memdir.text.clip import clip_index

FOLDER = Path(__file__).parents[2] / "golden" / "prompts"
HOME = "/home/dev/.claude/projects/-home-dev-gates"
GUIDE = Guide(
    directory=f"{HOME}/memory/",
    team_directory=f"{HOME}/memory/team/",
    index=clip_index("- [Lock file](feedback_lock-file.md) — one package at a time\n"),
    team_index=clip_index("- [Tariff import](project_tariff-import.md) — live by 2026-03-16\n"),
    transcripts=f"{HOME}/",
    extra=("Write memories in English.",),
)


def prompts() -> Iterator[tuple[str, str]]:
    """Yield each golden file's name and what it must hold."""
    for mode in (PRIVATE, COMBINED, DAILY_LOG):
        for form in Form:
            yield f"{mode.name}-{form}", text(mechanics(GUIDE, mode, form))
            yield f"{mode.name}-{form}-index", text(mechanics_and_index(GUIDE, mode, form))
            unindexed = replace(GUIDE, skip_index=True)
            yield f"{mode.name}-{form}-unindexed", text(mechanics(unindexed, mode, form))
    unindexed = replace(GUIDE, skip_index=True, team_directory=None)
    yield "private-host", text(additions(unindexed))
    yield "daily-log-host", text(additions(replace(GUIDE, daily_log=True)))
    other = replace(GUIDE, index=None, team_index=None, override_named=True, search_past=Search.GREP)
    for form in Form:
        yield f"other-{form}-empty-override-grep", text(mechanics_and_index(other, COMBINED, form))


PROMPTS = dict(prompts())


@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_is_what_the_golden_file_says(name: str, request: pytest.FixtureRequest) -> None:
    path = FOLDER / f"{name}.md"
    if request.config.getoption("--update-golden", default=False):
        path.write_text(PROMPTS[name] + "\n")
    assert PROMPTS[name] + "\n" == path.read_text()


def test_every_golden_file_belongs_to_a_prompt() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == set(PROMPTS)
