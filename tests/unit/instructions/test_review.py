"""A person is told of rules that mean nothing, and of files that are too long."""

from pathlib import Path

import pytest
from tests.unit.instructions.folders import Folders

from memdir.instructions.discovery import discover
from memdir.instructions.records import Cause, Instruction, Layer, PathRule, Reason
from memdir.instructions.review import glob_remarks, size_remarks, unmatched_rules
from memdir.text.globs import Globs


def rule(root: Path, *globs: str, layer: Layer = Layer.PROJECT, at: str = "") -> PathRule:
    return PathRule(f"{root}/{globs}", layer, str(root / at), Globs(globs))


def test_rules_that_match_nothing_in_the_tree_are_found(tmp_path: Path) -> None:
    Folders(tmp_path).write({"src/a.py": "", "sub/x.md": "", ".git/y.rs": "", "node_modules/z.rs": ""})
    rules = [
        rule(tmp_path, "*.py"),
        rule(tmp_path, "*.rs"),
        rule(tmp_path, "/src/*"),
        rule(tmp_path, "/src/*", at="sub"),
    ]
    rules += [rule(tmp_path, "*.go", layer=Layer.USER), rule(tmp_path), rule(tmp_path, "**")]
    first, second = unmatched_rules(rules)
    assert (first.globs.patterns, second.globs.patterns) == (("*.rs",), ("/src/*",))
    assert second.anchor == str(tmp_path / "sub")


def test_the_walk_is_bounded_and_then_accuses_nobody(tmp_path: Path) -> None:
    Folders(tmp_path).write({f"{number}/x": "" for number in range(30)})
    accused = rule(tmp_path, "*.py")
    assert unmatched_rules([accused], limit=40) == []
    assert unmatched_rules([accused], limit=60) == []
    assert unmatched_rules([accused], limit=61) == [accused]


def test_only_a_rule_that_no_file_matches_is_named(tmp_path: Path) -> None:
    Folders(tmp_path).write({f"{number}.py": "" for number in range(30)})
    python, unknown = rule(tmp_path, "*.py"), rule(tmp_path, "*.rs")
    assert unmatched_rules([python], limit=31) == []
    assert unmatched_rules([python, unknown], limit=31) == [unknown]


def test_rules_for_any_file_are_not_looked_up_and_a_folder_that_is_gone_has_no_files(tmp_path: Path) -> None:
    Folders(tmp_path).write({"a": ""})
    assert unmatched_rules([rule(tmp_path)]) == []
    gone = rule(tmp_path / "gone", "*")
    assert unmatched_rules([gone]) == [gone]


def test_discovery_hands_over_every_rule_it_read(tmp_path: Path) -> None:
    folders = Folders(tmp_path.resolve())
    folders.write({"proj/.claude/rules/a.md": "a", "proj/.claude/rules/b.md": "---\npaths: '[x'\n---\nb"})
    folders.write(
        {
            "proj/.claude/rules/c.md": "---\nglobs: '*.go'\n---\nc",
            "proj/.claude/rules/d.md": "---\nglobs: a\npaths: b\n---\nd",
        }
    )
    rules = discover(folders.scope()).rules
    assert [(Path(one.path).name, one.misnamed) for one in rules] == [
        ("a.md", False),
        ("b.md", False),
        ("c.md", True),
        ("d.md", False),
    ]
    remarks = list(glob_remarks(rules))
    assert [(one.code, Path(one.path).name) for one in remarks] == [("glob", "b.md"), ("globs-key", "c.md")]
    assert "never closed" in remarks[0].message


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("x" * 40_000, []),
        ("x" * 40_001, ["large-file"]),
        ("x\n" * 199 + "x", []),
        ("x\n" * 200 + "x", ["long-file"]),
        ("x" * 300 + ("\n" + "x" * 300) * 200, ["large-file", "long-file"]),
    ],
)
def test_files_over_the_recommended_size_are_named(text: str, codes: list[str]) -> None:
    one = Instruction("/p/CLAUDE.md", Layer.PROJECT, text, Reason(Cause.START))
    assert [remark.code for remark in size_remarks([one])] == codes
