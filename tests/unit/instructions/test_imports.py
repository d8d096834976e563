"""An import is `@path` where a reader sees prose: not in code, not in HTML, not inside a word."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import grows_with_the_text
from tests.tables import on_row

from memdir.instructions.imports import imports_in, target

IMPORTS = [
    ("@a.md", ["a.md"]),
    ("See @a.md and @./b.md.", ["a.md", "./b.md."]),  # punctuation at the end belongs to the path
    ("@a.md!", ["a.md!"]),
    ("@a.md, next", ["a.md,"]),
    ("one\n@a.md\ntwo", ["a.md"]),
    ("a\t@b.md", ["b.md"]),
    ("@~/x.md @/y.md @../z.md", ["~/x.md", "/y.md", "../z.md"]),
    ("@docs/with\\ space.md end", ["docs/with\\ space.md"]),
    ("@docs/ünï.md @docs/日本.md", ["docs/ünï.md", "docs/日本.md"]),
    ("@NOEXT @a-b_c.d @.env.example", ["NOEXT", "a-b_c.d", ".env.example"]),
    ("@a.md @b.md @a.md", ["a.md", "b.md"]),
    ("- @a.md\n* @b.md\n1. @c.md", ["a.md", "b.md", "c.md"]),
    ("> @a.md\n>@b.md\n> > @c.md", ["a.md", "b.md", "c.md"]),
    ("## @a.md\n\n@b.md\n====", ["a.md", "b.md"]),
    ("| @a.md | @b.md |", ["a.md", "b.md"]),
    ("**@a.md**", ["a.md"]),
    ("*@a.md* _@b.md_ __@c.md__ ***@e.md***", ["a.md", "b.md", "c.md", "e.md"]),
    ("**_@a.md_**", ["a.md"]),
    ("**see @a.md and @b.md**", ["a.md", "b.md"]),
    ("**`code` and\n@a.md**", ["a.md"]),
    ("@pkg/__init__.py and @a_b.md", ["pkg/__init__.py", "a_b.md"]),
    ("[@a.md](x) and [see @b.md](y)", ["a.md", "b.md"]),
    ("`code`@a.md", ["a.md"]),
    ("**bold**@a.md and @b.md**bold**", ["a.md", "b.md"]),
    ("[l](u)@a.md ![i](u)@b.md x <b>@c.md</b>", ["a.md", "b.md", "c.md"]),
    ("\\\\@a.md", ["a.md"]),
    ("<!-- c --> @a.md", ["a.md"]),
    ("<!-- @no.md\n--> @a.md", ["a.md"]),
    ("text <!-- @no.md --> @a.md", ["a.md"]),
    ("```\n@no.md\n```\n@a.md", ["a.md"]),
    ("> ```\n> @no.md\n> ```\n>@a.md", ["a.md"]),
    ("a `` ` @no.md `` @b.md ` @c.md", ["b.md", "c.md"]),
    ("- item\n\n  @a.md\n\n      @no.md", ["a.md"]),
    ("line\n    @a.md", ["a.md"]),  # a paragraph goes on
]

NO_IMPORTS = [
    "",
    "no sign at all",
    "me@x.md",
    "a@b @",
    "(@x.md)",
    '"@x.md"',
    "[t](@x.md)",
    "[t]( @x.md )",
    '[t](url "see @x.md")',
    '@"q.md"',
    "@'q.md'",
    "@(x) @[x] @{x} @<x> @@x @#x @!x @:x",
    "\\@x.md",
    "#@x.md",
    "me**@x.md**",
    "**@x.md",
    "** @ x.md**",
    "`@x.md`",
    "``a ` @x.md``",
    "`two\nlines @x.md`",
    "```\n@x.md\n```",
    "~~~\n@x.md\n~~~",
    "```\n@x.md",
    "    @x.md",
    "\t@x.md",
    "text\n\n    @x.md",
    "-     @x.md",
    "<!-- @x.md -->",
    "<!--\n@x.md\n-->",
    "<!-- @x.md",
    "<div>@x.md</div>",
    "<div>\n@x.md\n</div>",
    "~~@x.md~~",
    "![@x.md](y)",
    "@ü.md @~x.md @\\ x.md",  # it begins like a path: with an ASCII letter, a digit, one of . _ - / or ~/
]


def wrong(rows: Iterable[tuple[str, list[str]]]) -> str:
    """Return the texts in which other imports are found, a line each, with those."""
    return "\n".join(
        f"{text!r}: {found}" for text, wish in rows if (found := on_row(imports_in, text)) != wish
    )


def test_these_are_imports() -> None:
    assert not (found := wrong(IMPORTS)), found


def test_these_are_not() -> None:
    assert not (found := wrong((text, []) for text in NO_IMPORTS)), found


def test_an_import_after_them_is_found_all_the_same() -> None:
    closed = [
        text
        for text in NO_IMPORTS
        if not text.startswith(("```\n@x.md", "<!-- @x.md")) or text.endswith(("```", "-->"))
    ]
    assert not (found := wrong((f"{text}\n\n@after.md", ["after.md"]) for text in closed)), found


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("b.md", "/p/docs/b.md"),
        ("./b.md", "/p/docs/./b.md"),
        ("../b.md", "/p/docs/../b.md"),
        ("~/b.md", "/home/ada/b.md"),
        ("~//etc/b.md", "/home/ada/etc/b.md"),
        ("~bob/b.md", "/p/docs/~bob/b.md"),
        ("/etc/b.md", "/etc/b.md"),
        ("b.md#part", "/p/docs/b.md"),
        ("with\\ space.md", "/p/docs/with space.md"),
    ],
)
def test_a_path_is_relative_to_the_file_that_imports_it(written: str, path: str) -> None:
    assert target(written, "/p/docs/a.md", "/home/ada") == path


@given(
    st.lists(
        st.sampled_from(
            [
                "@",
                "a",
                "a.md",
                " ",
                "\n",
                "\n\n",
                "`",
                "```\n",
                "*",
                "**",
                "_",
                "[",
                "](",
                ")",
                "<",
                "-->",
                "<!--",
                ">",
                "- ",
                "    ",
                "\\",
                "#",
                "~~",
            ]
        ),
        max_size=40,
    )
)
def test_any_text_has_imports_or_none_and_each_stands_in_it(parts: list[str]) -> None:
    text = "".join(parts)
    assert all(
        f"@{path}" in text and not any(sign.isspace() for sign in path.replace("\\ ", ""))
        for path in imports_in(text)
    )


@pytest.mark.parametrize(
    "text", ["**@x ", "@a", "[@a", "**@x\n", "`@a ", "_a @x", "@x_ ", "> ", "@a](", "*_@", "<!--@x "]
)
def test_work_grows_with_the_text_alone(text: str) -> None:
    assert grows_with_the_text(imports_in, text, 60_000)
