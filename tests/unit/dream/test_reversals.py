"""What somebody took back of a dream stays as it is, and only text held word for word goes unasked."""

from pathlib import Path

from tests.tool_calls import calls
from tests.unit.dream.dream_run import (
    NOW,
    USER,
    contents,
    dreamed,
    filled,
    memory,
    waiting,
    writer_at,
)

from memdir.dream.dreamer import Dreamed
from memdir.inbox.proposals import Proposals, apply_edits
from memdir.memories.change import Change
from memdir.memories.history.undo import restore_version, undo_operation, undoable

PAIR = {
    "project_deploys.md": memory("Deploys go out on Tuesdays.", name="deploys"),
    "project_releases.md": memory("Deploys go out on Tuesdays.", name="releases"),
}
NEARLY = {
    "project_one.md": memory("Deploy to staging before production.", name="one"),
    "project_two.md": memory("Deploy to the staging before the production.", name="two"),
}


def undo(folder: Path) -> None:
    writer = writer_at(folder)
    undo_operation(writer, undoable(writer.recorder.history.entries()), USER, NOW)


def offline(folder: Path, *, max_deletes: int = 10) -> Dreamed:
    return dreamed(folder, model=False, max_deletes=max_deletes)


def test_an_article_more_makes_it_a_question_for_a_person(tmp_path: Path) -> None:
    filled(tmp_path, NEARLY)
    assert offline(tmp_path).ended == "inbox"
    assert contents(tmp_path).keys() == NEARLY.keys()
    (because,) = waiting(tmp_path)
    assert because.endswith("say nearly the same.")


def test_case_space_and_punctuation_make_no_difference(tmp_path: Path) -> None:
    filled(
        tmp_path,
        {
            "project_one.md": memory("deploys go  out on Tuesdays", name="one"),
            "project_two.md": memory("Deploys go out, on Tuesdays!", name="two"),
        },
    )
    assert offline(tmp_path).ended == "applied"
    assert len(contents(tmp_path)) == 1


def test_a_removal_that_was_undone_is_not_made_again(tmp_path: Path) -> None:
    filled(tmp_path, PAIR)
    assert offline(tmp_path).ended == "applied"
    undo(tmp_path)
    again = offline(tmp_path)
    assert (again.ended, contents(tmp_path)) == ("nothing", PAIR)
    assert again.reports == ("Not done again, because it was taken back before: project_deploys.md.",)
    assert waiting(tmp_path) == []


def test_nor_one_whose_memory_was_restored(tmp_path: Path) -> None:
    writer = filled(tmp_path, PAIR)
    version = writer.version_now("project_deploys.md")
    assert version is not None
    offline(tmp_path)
    restore_version(writer_at(tmp_path), "project_deploys.md", version, USER, NOW)
    assert offline(tmp_path).ended == "nothing"
    assert contents(tmp_path) == PAIR


def test_once_the_memory_says_something_else_it_is_looked_at_again(tmp_path: Path) -> None:
    filled(tmp_path, PAIR)
    offline(tmp_path)
    undo(tmp_path)
    new = {file: text.replace("Tuesdays", "Fridays") for file, text in PAIR.items()}
    apply_edits(
        writer_at(tmp_path), [Change(file, PAIR[file], new[file]) for file in PAIR], USER, NOW, verb="edit"
    )
    assert offline(tmp_path).ended == "applied"


def test_what_was_undone_does_not_use_up_the_removals_of_a_dream(tmp_path: Path) -> None:
    filled(tmp_path, PAIR)
    offline(tmp_path)
    undo(tmp_path)
    more = {
        f"user_{name}.md": memory("Kim writes in Go and reviews in Rust.", name=name, kind="user")
        for name in ("longer", "name")
    }
    apply_edits(
        writer_at(tmp_path), [Change(file, None, text) for file, text in more.items()], USER, NOW, verb="edit"
    )
    assert offline(tmp_path, max_deletes=1).ended == "applied"
    assert contents(tmp_path).keys() > PAIR.keys()


def test_a_proposal_that_was_accepted_and_undone_is_not_made_again(tmp_path: Path) -> None:
    filled(tmp_path, NEARLY)
    (proposal,) = offline(tmp_path).proposals
    Proposals(writer_at(tmp_path), lambda: NOW).apply(proposal)
    undo(tmp_path)
    assert offline(tmp_path).proposals == ()
    assert contents(tmp_path) == NEARLY


def test_a_model_does_not_do_it_again_either(tmp_path: Path) -> None:
    filled(tmp_path, PAIR)
    step = calls(("forget", {"path": "project_deploys.md"}))
    assert dreamed(tmp_path, step).ended == "applied"
    undo(tmp_path)
    assert dreamed(tmp_path, step).ended == "nothing"
    assert contents(tmp_path) == PAIR
