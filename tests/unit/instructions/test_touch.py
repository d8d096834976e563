"""Touching a file loads what was written for it: nested directories first, then rules, each once."""

import pytest
from tests.unit.instructions.stage import Stage

from memdir.instructions.discovery import discover, discover_touched
from memdir.instructions.instruction import Cause, Layer
from memdir.instructions.loader import InstructionScope


def names(stage: Stage, *paths: str, scope: InstructionScope | None = None) -> list[str]:
    """Return what touching these adds to the start of the conversation."""
    scope = scope or stage.scope()
    loaded = {one.path for one in discover(scope).loaded}
    return stage.names(discover_touched(scope, paths, loaded))


def rule(paths: str, text: str = "rule") -> str:
    return f"---\npaths: {paths}\n---\n{text}"


def test_nested_directories_load_from_the_top_then_their_rules_then_those_that_match(stage: Stage) -> None:
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
    stage.write(expected)
    scope = stage.scope(added=(f"{stage.root}/lib",))
    assert names(stage, "a/b/x.py", scope=scope) == list(expected)[:-1]
    assert names(stage, f"{stage.root}/lib/y", scope=scope) == ["lib/.claude/rules/c.md"]


def test_each_is_loaded_once_a_conversation(stage: Stage) -> None:
    stage.write({"proj/a/CLAUDE.md": "a", "proj/b/CLAUDE.md": "b", "proj/.claude/rules/c.md": rule("'*.py'")})
    assert names(stage, "a/x", "a/y.py", "b/z.py", "a/x.py") == [
        "proj/a/CLAUDE.md",
        "proj/.claude/rules/c.md",
        "proj/b/CLAUDE.md",
    ]
    loaded = {f"{stage.root}/proj/a/CLAUDE.md", f"{stage.root}/proj/.claude/rules/c.md"}
    assert stage.names(discover_touched(stage.scope(), ["a/x.py"], loaded)) == []


def test_the_reason_names_the_touched_file(stage: Stage) -> None:
    stage.write(
        {"proj/a/CLAUDE.md": "@more.md", "proj/a/more.md": "more", "proj/.claude/rules/c.md": rule("a")}
    )
    nested, imported, matched = discover_touched(stage.scope(), ["a/x.py"], ()).loaded
    whole = f"{stage.root}/proj/a/x.py"
    assert (nested.reason.cause, nested.reason.subject) == (Cause.NESTED, whole)
    assert (imported.reason.cause, imported.importer) == (Cause.IMPORT, nested.path)
    assert matched.reason.words == f"Its paths match {whole}."
    assert (matched.globs, nested.globs) == (("a",), ())


def test_what_a_conditional_rule_imports_is_as_conditional(stage: Stage) -> None:
    stage.write({"proj/.claude/rules/c.md": rule("'*.py'", "@../../doc.md"), "proj/doc.md": "doc"})
    assert names(stage, "x.md") == []
    found = discover_touched(stage.scope(), ["x.py"], ())
    assert stage.names(found) == ["proj/.claude/rules/c.md", "proj/doc.md"]
    assert [one.globs for one in found.loaded] == [("*.py",)] * 2


def test_a_file_need_not_exist_and_its_path_may_be_written_in_many_ways(stage: Stage) -> None:
    stage.write({"proj/a/CLAUDE.md": "a", "proj/b/x": "x"})
    (stage.root / "link").symlink_to("proj")
    root = stage.root
    for path in (
        "a/new.py",
        "./a/new.py",
        "b/../a/new.py",
        "a/",
        f"{root}/proj/a/x",
        f"{root}/link/a/x",
        "a/no/such/x",
    ):
        assert names(stage, path) == ["proj/a/CLAUDE.md"], path
    assert names(stage, "a/x", scope=stage.scope(cwd=f"{root}/link")) == ["proj/a/CLAUDE.md"]


@pytest.mark.parametrize(
    "path", ["a", "x.py", "../a/x", "/", "", ".", "..", "a\0b/c", "\ud800/x", "~/a/x", "b" * 5_000]
)
def test_touching_nothing_below_a_directory_loads_nothing_of_it(stage: Stage, path: str) -> None:
    stage.write({"proj/a/CLAUDE.md": "a", "a/CLAUDE.md": "beside"})
    assert names(stage, path) == []


def test_the_working_directory_itself_is_not_nested(stage: Stage) -> None:
    scope = stage.scope()
    stage.write({"proj/CLAUDE.md": "written after the start"})
    assert stage.names(discover_touched(scope, ["x"], ())) == []


def test_a_user_rule_is_about_the_working_directory_and_a_project_rule_about_its_own(stage: Stage) -> None:
    stage.write({"home/.claude/rules/u.md": rule("/src/*"), "proj/sub/.claude/rules/s.md": rule("/src/*")})
    assert names(stage, "src/x") == ["home/.claude/rules/u.md"]
    assert names(stage, "sub/src/x") == ["proj/sub/.claude/rules/s.md"]
    assert names(stage, f"{stage.root}/src/x") == []


def test_a_linked_rule_is_anchored_where_the_link_stands(stage: Stage) -> None:
    stage.write({"proj/rules/shared.md": rule("/src/*")})
    stage.link("proj/sub/.claude/rules/l.md", "../../../rules/shared.md")
    assert names(stage, "src/x", "rules/src/x") == []
    assert names(stage, "sub/src/x") == ["proj/rules/shared.md"]


def test_a_link_to_outside_is_not_below_the_working_directory(stage: Stage) -> None:
    stage.write({"out/.claude/rules/r.md": "r", "out/CLAUDE.md": "c", "proj/in/CLAUDE.md": "i"})
    stage.link("proj/out", "$R/out")
    stage.link("proj/again", "$R/proj/in")
    assert names(stage, "out/x") == []
    assert names(stage, "again/x") == ["proj/in/CLAUDE.md"]


def test_excludes_hold_for_nested_files_too(stage: Stage) -> None:
    stage.write({"proj/a/CLAUDE.md": "a", "proj/.claude/rules/c.md": rule("'*'")})
    assert names(stage, "a/x", scope=stage.scope(excludes=("**/proj/**",))) == []


def test_nested_agents_md_never_loads(stage: Stage) -> None:
    stage.write({"proj/a/AGENTS.md": "a", "proj/a/.claude/AGENTS.md": "a", "proj/a/.claude/rules/r.md": "r"})
    assert names(stage, "a/b/x") == ["proj/a/.claude/rules/r.md"]


def test_nested_files_have_the_layers_of_their_names(stage: Stage) -> None:
    stage.write({"proj/a/CLAUDE.md": "a", "proj/a/CLAUDE.local.md": "l"})
    assert [one.layer for one in discover_touched(stage.scope(), ["a/x"], ()).loaded] == [
        Layer.PROJECT,
        Layer.LOCAL,
    ]


def test_rules_that_still_wait_are_told_and_those_that_matched_are_not(stage: Stage) -> None:
    stage.write({"proj/a/.claude/rules/y.md": rule("'*.py'"), "proj/a/.claude/rules/n.md": rule("'*.ts'")})
    assert stage.left(discover_touched(stage.scope(), ["a/x.py"], ())) == {
        "proj/a/.claude/rules/n.md": "WAITING"
    }


def test_a_rule_with_a_broken_glob_waits_for_ever(stage: Stage) -> None:
    stage.write({"proj/.claude/rules/c.md": rule("'[broken'")})
    assert names(stage, "[broken", "broken", "b") == []
