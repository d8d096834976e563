"""A rule with `paths:` waits for its files, in whatever form people write them."""

import pytest
from tests.unit.instructions.folders import Folders

from memdir.instructions.discovery import discover
from memdir.instructions.records import LeftOut, Obstacle


def test_a_conditional_rule_waits_with_its_globs(folders: Folders) -> None:
    folders.write(
        {"proj/.claude/rules/c.md": "---\npaths: src/*.{ts,js}, lib\n---\n@doc.md", "proj/doc.md": "doc"}
    )
    found = discover(folders.scope())
    assert folders.names(found) == []
    assert found.left_out == (
        LeftOut(f"{folders.root}/proj/.claude/rules/c.md", Obstacle.WAITING, globs=("src/*.{ts,js}", "lib")),
    )


@pytest.mark.parametrize(
    "header",
    [
        "paths:",
        "paths: ''",
        "paths: []",
        'paths: "**"',
        "paths:\n  - '**'",
        "paths: null",
        "paths: ~",
        "paths: true",
        "paths: 42",
        "paths: {a: b}",
        "paths: {src,lib}",
        "paths: [1, 2.5, false]",
        "paths:\n  - a: b",
        "paths: /**",
        "paths: '**/**'",
        "globs: '*.go'",
        "path: src",
        "metadata:\n  paths: src",
    ],
)
def test_a_rule_without_real_paths_is_unconditional(folders: Folders, header: str) -> None:
    folders.write({"proj/.claude/rules/r.md": f"---\n{header}\n---\nrule"})
    assert folders.names(discover(folders.scope())) == ["proj/.claude/rules/r.md"]


@pytest.mark.parametrize(
    ("header", "globs"),
    [
        ("paths: src/**/*.ts", ("src/**/*.ts",)),
        ("paths: **/*.ts", ("**/*.ts",)),
        ("paths: *.ts, *.js", ("*.ts", "*.js")),
        ("paths: [a, 'b c', d/**]", ("a", "b c", "d/**")),
        ('paths:\n  - a\n  - "b/*.{x,y}"', ("a", "b/*.{x,y}")),
        ("paths:\n- **/*.ts\n- '!x'", ("**/*.ts", "!x")),
        ("paths: {src,lib}/**", ("{src,lib}/**",)),
        ("paths: [*.ts, **/*.md]", ("*.ts", "**/*.md")),
        ("paths:\n  - *.ts\n  - 'a.md'\nother: *b", ("*.ts", "a.md")),
        ("paths: [true, a]", ("a",)),
        ("paths:\n  - a,b\n  - c, d", ("a,b", "c", "d")),
        ("paths: [unclosed", ("[unclosed",)),
        ("description: x\npaths: 'a'\nother: y", ("a",)),
    ],
)
def test_paths_are_read_in_any_form_people_write_them(
    folders: Folders, header: str, globs: tuple[str, ...]
) -> None:
    folders.write({"proj/.claude/rules/r.md": f"---\n{header}\n---\nrule"})
    (left,) = discover(folders.scope()).left_out
    assert left.globs == globs
