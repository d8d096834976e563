"""A memory that contradicts another says so, can take its place, and is shown alone."""

import pytest
from tests.conftest import Clock

from memdir import Memory
from memdir.errors import NoSuchMemory, Rejected

TUESDAYS, WEDNESDAYS = (
    "We deploy the shop on Tuesdays.",
    "We deploy the shop on Wednesdays, no longer on Tuesdays.",
)
QUESTION = "when do we deploy the shop this week?"


@pytest.fixture
def both(memory: Memory, clock: Clock) -> Memory:
    """Make a directory with two memories of which the newer contradicts the older."""
    memory.remember(TUESDAYS, kind="project", name="deploy-day", saved_at=clock.now.replace(year=2025))
    memory.remember("The shop sells tea and cups.", kind="project", name="goods")
    memory.remember(WEDNESDAYS, kind="project", name="deploys-midweek")
    return memory


def test_a_memory_says_what_it_may_contradict_and_how_to_replace_that(memory: Memory) -> None:
    memory.remember(TUESDAYS, kind="project", name="deploy-day")
    memory.remember("The shop sells tea and cups.", kind="project")
    saved = memory.remember(WEDNESDAYS, kind="project")
    (told,) = memory.doctor.contradictions(saved.name)
    assert told == (
        'This may contradict deploy-day ("Tuesdays" is taken back). Save it with --supersedes deploy-day '
        '(supersedes="deploy-day") to replace that one.'
    )


def test_a_memory_that_contradicts_nothing_says_nothing(memory: Memory) -> None:
    memory.remember("The timeout of the API is 30 s.", kind="project")
    saved = memory.remember("The timeout of the database is 45 s.", kind="project")
    assert memory.doctor.contradictions(saved.file) == []


def test_a_memory_takes_the_place_of_another_in_one_step_that_is_undone(memory: Memory, clock: Clock) -> None:
    memory.remember(TUESDAYS, kind="project", name="deploy-day", saved_at=clock.now.replace(year=2025))
    day = f"{clock.now.replace(year=2025):%Y-%m-%d}"
    saved = memory.remember(WEDNESDAYS, kind="project", name="deploys", supersedes="deploy-day")
    assert memory.doctor.contradictions(saved.name) == []
    assert [header.name for header in memory.list()] == ["deploys"]
    assert f'supersedes: "deploy-day ({day})"' in memory.read("deploys").text
    assert "deploy-day" not in memory.context.index().content
    assert memory.doctor.status().trash == 1
    assert f'Replaces "deploy-day" of {day}.' in memory.recall(QUESTION).text
    memory.undo()
    assert [header.name for header in memory.list()] == ["deploy-day"]


def test_who_follows_the_hint_saves_the_same_text_again(memory: Memory) -> None:
    memory.remember(TUESDAYS, kind="project", name="deploy-day")
    first = memory.remember(WEDNESDAYS, kind="project")
    again = memory.remember(WEDNESDAYS, kind="project", supersedes="deploy-day")
    assert (again.file, len(memory.list())) == (first.file, 1)


def test_only_what_exists_and_is_another_can_be_replaced(memory: Memory) -> None:
    memory.remember(TUESDAYS, kind="project", name="deploy-day")
    with pytest.raises(NoSuchMemory, match="no memory 'ghost' to replace"):
        memory.remember(WEDNESDAYS, supersedes="ghost")
    with pytest.raises(Rejected, match="cannot replace itself"):
        memory.remember(WEDNESDAYS, name="deploy-day", supersedes="deploy-day")
    assert memory.read("deploy-day").body == TUESDAYS


def test_no_agent_replaces_a_memory_that_holds_a_rule(memory: Memory) -> None:
    memory.remember("Never push to main.", name="no-push", enforce="Bash: git push * main")
    with pytest.raises(Rejected):
        memory.remember("Push to main.", supersedes="no-push", actor="host", source="assistant")
    assert [header.name for header in memory.list()] == ["no-push"]


def test_recall_shows_the_newer_of_two_that_contradict_and_names_the_older(both: Memory) -> None:
    found = both.recall(QUESTION)
    assert "project_deploys-midweek.md" in found.files
    assert "project_deploy-day.md" not in found.files
    assert 'Newer than "deploy-day" of 2025-' in found.text
    cut = next(one.cut for one in found.receipt.candidates if one.file == "project_deploy-day.md")
    assert cut == "a newer memory says otherwise: project_deploys-midweek.md"
    assert both.recalls.text(found.receipt) == found.text


def test_who_asks_why_the_older_is_not_shown_is_told_of_the_newer(both: Memory) -> None:
    answer = both.recalls.why_not("deploy-day", QUESTION)
    assert answer.because == "a newer memory says otherwise: project_deploys-midweek.md"


def test_the_newer_is_shown_although_only_the_older_fits_the_prompt(memory: Memory, clock: Clock) -> None:
    memory.remember(
        "Linting of the shop is done with eslint. Run eslint in the shop, and eslint --fix before a commit.",
        kind="project",
        name="eslint",
        description="Linting of the shop is done with eslint",
        saved_at=clock.now.replace(year=2025),
    )
    memory.remember("Linting of the shop is done with biome.", kind="project", name="biome")
    for number in range(12):
        memory.remember(f"Shelf {number} holds cups and pots.", kind="project", name=f"shelf-{number}")
    found = memory.recall("how do I run eslint with --fix before the commit in eslint?")
    assert found.files == ("project_biome.md",)
    assert 'Newer than "eslint" of 2025-' in found.text
    assert memory.recall("how do I run eslint with --fix in eslint?").files == ()


def test_a_memory_that_another_says_it_replaces_is_not_shown_although_it_is_there(both: Memory) -> None:
    newer = both.read("deploys-midweek")
    both.edit(newer, newer.text.replace("metadata:\n", 'metadata:\n  supersedes: "deploy-day"\n', 1))
    found = both.recall(QUESTION)
    assert "project_deploy-day.md" not in found.files
    assert 'Replaces "deploy-day".' in found.text
