"""What lies outside the working directory is loaded when a person approved it, and not opened before."""

from pathlib import Path

import pytest
from tests.unit.instructions.stage import Stage

from memdir.instructions.discovery import discover
from memdir.instructions.instruction import Obstacle

EXTERNAL = {
    "out/a.md": "a @b.md",
    "out/b.md": "b",
    "proj/CLAUDE.md": "@../out/a.md",
    "home/.claude/CLAUDE.md": "@~/u.md",
    "home/u.md": "u",
}


def test_an_import_that_leaves_the_working_directory_waits_for_approval(stage: Stage) -> None:
    stage.write(EXTERNAL)
    found = discover(stage.scope())
    assert stage.names(found) == ["home/.claude/CLAUDE.md", "home/u.md", "proj/CLAUDE.md"]
    assert stage.left(found) == {"out/a.md": "EXTERNAL"}


def test_an_approval_is_for_one_real_path(stage: Stage) -> None:
    stage.write(EXTERNAL)
    stage.link("proj/link.md", "$R/out/a.md")
    stage.write({"proj/CLAUDE.local.md": "@link.md"})
    found = discover(stage.scope(approved=frozenset({f"{stage.root}/out/a.md"})))
    assert "out/a.md" in stage.names(found)
    assert stage.left(found) == {"out/b.md": "EXTERNAL"}


def test_externals_can_be_listed_with_their_text_and_are_marked(stage: Stage) -> None:
    stage.write(EXTERNAL)
    found = discover(stage.scope(with_externals=True))
    assert [(one.text, one.external) for one in found.loaded[-3:]] == [
        ("@../out/a.md", False),
        ("a @b.md", True),
        ("b", True),
    ]


@pytest.mark.parametrize("name", ["managed/CLAUDE.md", "proj/CLAUDE.local.md", "CLAUDE.md"])
def test_no_layer_but_the_users_imports_from_outside_freely(stage: Stage, name: str) -> None:
    stage.write({name: "@extra.md", str(Path(name).parent / "extra.md"): "x", "proj/extra.md": "x"})
    found = discover(stage.scope())
    inside = name.startswith("proj")
    assert (Obstacle.EXTERNAL in {left.because for left in found.left_out}) is not inside


def test_an_instruction_file_may_be_a_link_and_is_listed_under_its_real_path(stage: Stage) -> None:
    stage.write({"shared/main.md": "shared @beside.md", "shared/beside.md": "beside"})
    stage.link("proj/CLAUDE.md", "../shared/main.md")
    stage.link("proj/CLAUDE.local.md", "../shared/main.md")
    stage.link("proj/.claude/CLAUDE.md", "nowhere.md")
    found = discover(stage.scope())
    assert stage.names(found) == ["shared/main.md"]
    assert stage.left(found) == {"shared/beside.md": "EXTERNAL", "proj/.claude/nowhere.md": "MISSING"}


def test_a_rule_that_is_a_link_to_outside_waits_for_approval_but_the_users_does_not(stage: Stage) -> None:
    stage.write({"shared/r.md": "r", "proj/in.md": "in", "dotfiles/u.md": "u"})
    stage.link("proj/.claude/rules/a.md", "$R/shared/r.md")
    stage.link("proj/.claude/rules/b.md", "$R/proj/in.md")
    stage.link("home/.claude/rules/u.md", "$R/dotfiles/u.md")
    found = discover(stage.scope())
    assert stage.names(found) == ["dotfiles/u.md", "proj/in.md"]
    assert stage.left(found) == {"shared/r.md": "EXTERNAL"}
    approved = stage.scope(approved=frozenset({f"{stage.root}/shared/r.md"}))
    assert stage.names(discover(approved)) == ["dotfiles/u.md", "shared/r.md", "proj/in.md"]


@pytest.mark.parametrize("link", ["proj/.claude/rules/more", "proj/.claude/rules", "proj/.claude"])
def test_a_linked_folder_of_rules_is_not_even_listed_before_it_is_approved(stage: Stage, link: str) -> None:
    stage.write({"shared/rules/r.md": "r", "shared/r.md": "r"})
    stage.link(link, "$R/shared")
    found = discover(stage.scope())
    assert stage.names(found) == []
    (folder,) = stage.left(found)
    assert folder.startswith("shared")
    approved = stage.scope(approved=frozenset({f"{stage.root}/{folder}"}))
    assert stage.names(discover(approved))
    assert all(
        one.external for one in discover(stage.scope(with_externals=True)).loaded if "shared" in one.path
    )


def test_rules_above_the_working_directory_need_no_approval(stage: Stage) -> None:
    stage.write({".claude/rules/up.md": "up"})
    assert stage.names(discover(stage.scope())) == [".claude/rules/up.md"]


def test_links_in_circles_end(stage: Stage) -> None:
    stage.write({"proj/.claude/rules/a/r.md": "r"})
    stage.link("proj/.claude/rules/a/up", "..")
    stage.link("proj/.claude/rules/self.md", "self.md")
    stage.link("proj/CLAUDE.md", "CLAUDE.md")
    found = discover(stage.scope())
    assert stage.names(found) == ["proj/.claude/rules/a/r.md"]
    assert {left.because for left in found.left_out} == {Obstacle.UNREADABLE}
