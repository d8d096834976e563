"""Touching a file loads what was written for it: nested directories first, then rules, each once."""

import pytest
from tests.unit.instructions.folders import Folders

from memdir.instructions.discovery import discover, discover_touched
from memdir.instructions.loader import InstructionScope
from memdir.instructions.records import Cause, Layer


def names(folders: Folders, *paths: str, scope: InstructionScope | None = None) -> list[str]:
    """Return what touching these adds to the start of the conversation."""
    scope = scope or folders.scope()
    loaded = {one.path for one in discover(scope).loaded}
    return folders.names(discover_touched(scope, paths, loaded))


def rule(paths: str, text: str = "rule") -> str:
    return f"---\npaths: {paths}\n---\n{text}"


def test_nested_directories_load_from_the_top_then_their_rules_then_those_that_match(
    folders: Folders,
) -> None:
    expected = {
        "proj/a/CLAUDE.md": "1",
        "proj/a/.claude/CLAUDE.md": "2",
        "proj/a/CLAUDE.local.md": "3",
        "proj/a/b/CLAUDE.md": "4",
        "proj/a/.claude/rules/r.md": "5",
        "proj/a/b/.claude/rules/r.md": "6",
        "managed/.claude/rules/c.md": rule("'a/**'"),
        "home/.claude/rules/c.md": rule("'*.py'"),
        ".claude/rules/c.md": rule("proj/a/b/*"),
        "proj/.claude/rules/c.md": rule("a/b/*.py"),
        "proj/a/.claude/rules/c.md": rule("b/*.py"),
        "proj/a/b/.claude/rules/c.md": rule("/x.py"),
        "lib/.claude/rules/c.md": rule("'*'"),
    }
    folders.write(expected)
    scope = folders.scope(added=(f"{folders.root}/lib",))
    assert names(folders, "a/b/x.py", scope=scope) == list(expected)[:-1]
    assert names(folders, f"{folders.root}/lib/y", scope=scope) == ["lib/.claude/rules/c.md"]


def test_each_is_loaded_once_a_conversation(folders: Folders) -> None:
    folders.write(
        {"proj/a/CLAUDE.md": "a", "proj/b/CLAUDE.md": "b", "proj/.claude/rules/c.md": rule("'*.py'")}
    )
    assert names(folders, "a/x", "a/y.py", "b/z.py", "a/x.py") == [
        "proj/a/CLAUDE.md",
        "proj/.claude/rules/c.md",
        "proj/b/CLAUDE.md",
    ]
    loaded = {f"{folders.root}/proj/a/CLAUDE.md", f"{folders.root}/proj/.claude/rules/c.md"}
    assert folders.names(discover_touched(folders.scope(), ["a/x.py"], loaded)) == []


def test_the_reason_names_the_touched_file(folders: Folders) -> None:
    folders.write(
        {"proj/a/CLAUDE.md": "@more.md", "proj/a/more.md": "more", "proj/.claude/rules/c.md": rule("a")}
    )
    nested, imported, matched = discover_touched(folders.scope(), ["a/x.py"], ()).loaded
    whole = f"{folders.root}/proj/a/x.py"
    assert (nested.reason.cause, nested.reason.subject) == (Cause.NESTED, whole)
    assert (imported.reason.cause, imported.importer) == (Cause.IMPORT, nested.path)
    assert matched.reason.words == f"Its paths match {whole}."
    assert (matched.globs, nested.globs) == (("a",), ())


def test_what_a_conditional_rule_imports_is_as_conditional(folders: Folders) -> None:
    folders.write({"proj/.claude/rules/c.md": rule("'*.py'", "@../../doc.md"), "proj/doc.md": "doc"})
    assert names(folders, "x.md") == []
    found = discover_touched(folders.scope(), ["x.py"], ())
    assert folders.names(found) == ["proj/.claude/rules/c.md", "proj/doc.md"]
    assert [one.globs for one in found.loaded] == [("*.py",)] * 2


def test_a_file_need_not_exist_and_its_path_may_be_written_in_many_ways(folders: Folders) -> None:
    folders.write({"proj/a/CLAUDE.md": "a", "proj/b/x": "x"})
    (folders.root / "link").symlink_to("proj")
    root = folders.root
    for path in (
        "a/new.py",
        "./a/new.py",
        "b/../a/new.py",
        "a/",
        f"{root}/proj/a/x",
        f"{root}/link/a/x",
        "a/no/such/x",
    ):
        assert names(folders, path) == ["proj/a/CLAUDE.md"], path
    assert names(folders, "a/x", scope=folders.scope(cwd=f"{root}/link")) == ["proj/a/CLAUDE.md"]


@pytest.mark.parametrize(
    "path", ["a", "x.py", "../a/x", "/", "", ".", "..", "a\0b/c", "\ud800/x", "~/a/x", "b" * 5_000]
)
def test_touching_nothing_below_a_directory_loads_nothing_of_it(folders: Folders, path: str) -> None:
    folders.write({"proj/a/CLAUDE.md": "a", "a/CLAUDE.md": "beside"})
    assert names(folders, path) == []


def test_the_working_directory_itself_is_not_nested(folders: Folders) -> None:
    scope = folders.scope()
    folders.write({"proj/CLAUDE.md": "written after the start"})
    assert folders.names(discover_touched(scope, ["x"], ())) == []


def test_a_user_rule_is_about_the_working_directory_and_a_project_rule_about_its_own(
    folders: Folders,
) -> None:
    folders.write({"home/.claude/rules/u.md": rule("/src/*"), "proj/sub/.claude/rules/s.md": rule("/src/*")})
    assert names(folders, "src/x") == ["home/.claude/rules/u.md"]
    assert names(folders, "sub/src/x") == ["proj/sub/.claude/rules/s.md"]
    assert names(folders, f"{folders.root}/src/x") == []


def test_a_linked_rule_is_anchored_where_the_link_stands(folders: Folders) -> None:
    folders.write({"proj/rules/shared.md": rule("/src/*")})
    folders.link("proj/sub/.claude/rules/l.md", "../../../rules/shared.md")
    assert names(folders, "src/x", "rules/src/x") == []
    assert names(folders, "sub/src/x") == ["proj/rules/shared.md"]


def test_a_link_to_outside_is_not_below_the_working_directory(folders: Folders) -> None:
    folders.write({"out/.claude/rules/r.md": "r", "out/CLAUDE.md": "c", "proj/in/CLAUDE.md": "i"})
    folders.link("proj/out", "$R/out")
    folders.link("proj/again", "$R/proj/in")
    assert names(folders, "out/x") == []
    assert names(folders, "again/x") == ["proj/in/CLAUDE.md"]


def test_excludes_hold_for_nested_files_too(folders: Folders) -> None:
    folders.write({"proj/a/CLAUDE.md": "a", "proj/.claude/rules/c.md": rule("'*'")})
    assert names(folders, "a/x", scope=folders.scope(excludes=("**/proj/**",))) == []


def test_nested_agents_md_never_loads(folders: Folders) -> None:
    folders.write(
        {"proj/a/AGENTS.md": "a", "proj/a/.claude/AGENTS.md": "a", "proj/a/.claude/rules/r.md": "r"}
    )
    assert names(folders, "a/b/x") == ["proj/a/.claude/rules/r.md"]


def test_nested_files_have_the_layers_of_their_names(folders: Folders) -> None:
    folders.write({"proj/a/CLAUDE.md": "a", "proj/a/CLAUDE.local.md": "l"})
    assert [one.layer for one in discover_touched(folders.scope(), ["a/x"], ()).loaded] == [
        Layer.PROJECT,
        Layer.LOCAL,
    ]


def test_rules_that_still_wait_are_told_and_those_that_matched_are_not(folders: Folders) -> None:
    folders.write({"proj/a/.claude/rules/y.md": rule("'*.py'"), "proj/a/.claude/rules/n.md": rule("'*.ts'")})
    assert folders.reasons(discover_touched(folders.scope(), ["a/x.py"], ())) == {
        "proj/a/.claude/rules/n.md": "WAITING"
    }


def test_a_rule_with_a_broken_glob_waits_for_ever(folders: Folders) -> None:
    folders.write({"proj/.claude/rules/c.md": rule("'[broken'")})
    assert names(folders, "[broken", "broken", "b") == []
