"""What lies outside the working directory is loaded when a person approved it, and not opened before."""

from pathlib import Path

import pytest
from tests.unit.instructions.folders import Folders

from memdir.instructions.discovery import discover
from memdir.instructions.records import Obstacle

EXTERNAL = {
    "out/a.md": "a @b.md",
    "out/b.md": "b",
    "proj/CLAUDE.md": "@../out/a.md",
    "home/.claude/CLAUDE.md": "@~/u.md",
    "home/u.md": "u",
}


def test_an_import_that_leaves_the_working_directory_waits_for_approval(folders: Folders) -> None:
    folders.write(EXTERNAL)
    found = discover(folders.scope())
    assert folders.names(found) == ["home/.claude/CLAUDE.md", "home/u.md", "proj/CLAUDE.md"]
    assert folders.reasons(found) == {"out/a.md": "EXTERNAL"}


def test_an_approval_is_for_one_real_path(folders: Folders) -> None:
    folders.write(EXTERNAL)
    folders.link("proj/link.md", "$R/out/a.md")
    folders.write({"proj/CLAUDE.local.md": "@link.md"})
    found = discover(folders.scope(approved=frozenset({f"{folders.root}/out/a.md"})))
    assert "out/a.md" in folders.names(found)
    assert folders.reasons(found) == {"out/b.md": "EXTERNAL"}


def test_externals_can_be_listed_with_their_text_and_are_marked(folders: Folders) -> None:
    folders.write(EXTERNAL)
    found = discover(folders.scope(with_externals=True))
    assert [(one.text, one.external) for one in found.loaded[-3:]] == [
        ("@../out/a.md", False),
        ("a @b.md", True),
        ("b", True),
    ]


@pytest.mark.parametrize("name", ["managed/CLAUDE.md", "proj/CLAUDE.local.md", "CLAUDE.md"])
def test_no_layer_but_the_users_imports_from_outside_freely(folders: Folders, name: str) -> None:
    folders.write({name: "@extra.md", str(Path(name).parent / "extra.md"): "x", "proj/extra.md": "x"})
    found = discover(folders.scope())
    inside = name.startswith("proj")
    assert (Obstacle.EXTERNAL in {left.because for left in found.left_out}) is not inside


def test_an_instruction_file_may_be_a_link_and_is_listed_under_its_real_path(folders: Folders) -> None:
    folders.write({"shared/main.md": "shared @beside.md", "shared/beside.md": "beside"})
    folders.link("proj/CLAUDE.md", "../shared/main.md")
    folders.link("proj/CLAUDE.local.md", "../shared/main.md")
    folders.link("proj/.claude/CLAUDE.md", "nowhere.md")
    found = discover(folders.scope())
    assert folders.names(found) == ["shared/main.md"]
    assert folders.reasons(found) == {"shared/beside.md": "EXTERNAL", "proj/.claude/nowhere.md": "MISSING"}


def test_a_rule_that_is_a_link_to_outside_waits_for_approval_but_the_users_does_not(folders: Folders) -> None:
    folders.write({"shared/r.md": "r", "proj/in.md": "in", "dotfiles/u.md": "u"})
    folders.link("proj/.claude/rules/a.md", "$R/shared/r.md")
    folders.link("proj/.claude/rules/b.md", "$R/proj/in.md")
    folders.link("home/.claude/rules/u.md", "$R/dotfiles/u.md")
    found = discover(folders.scope())
    assert folders.names(found) == ["dotfiles/u.md", "proj/in.md"]
    assert folders.reasons(found) == {"shared/r.md": "EXTERNAL"}
    approved = folders.scope(approved=frozenset({f"{folders.root}/shared/r.md"}))
    assert folders.names(discover(approved)) == ["dotfiles/u.md", "shared/r.md", "proj/in.md"]


@pytest.mark.parametrize("link", ["proj/.claude/rules/more", "proj/.claude/rules", "proj/.claude"])
def test_a_linked_folder_of_rules_is_not_even_listed_before_it_is_approved(
    folders: Folders, link: str
) -> None:
    folders.write({"shared/rules/r.md": "r", "shared/r.md": "r"})
    folders.link(link, "$R/shared")
    found = discover(folders.scope())
    assert folders.names(found) == []
    (folder,) = folders.reasons(found)
    assert folder.startswith("shared")
    approved = folders.scope(approved=frozenset({f"{folders.root}/{folder}"}))
    assert folders.names(discover(approved))
    assert all(
        one.external for one in discover(folders.scope(with_externals=True)).loaded if "shared" in one.path
    )


def test_rules_above_the_working_directory_need_no_approval(folders: Folders) -> None:
    folders.write({".claude/rules/up.md": "up"})
    assert folders.names(discover(folders.scope())) == [".claude/rules/up.md"]


def test_links_in_circles_end(folders: Folders) -> None:
    folders.write({"proj/.claude/rules/a/r.md": "r"})
    folders.link("proj/.claude/rules/a/up", "..")
    folders.link("proj/.claude/rules/self.md", "self.md")
    folders.link("proj/CLAUDE.md", "CLAUDE.md")
    found = discover(folders.scope())
    assert folders.names(found) == ["proj/.claude/rules/a/r.md"]
    assert {left.because for left in found.left_out} == {Obstacle.UNREADABLE}
