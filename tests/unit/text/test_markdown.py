"""Every line of a Markdown text is told apart as CommonMark does: prose, code, HTML or a comment."""

import random
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.growth import grows_with_the_text
from tests.tables import on_row

from memdir.text.markdown import Block, blocks, prose_spans, without_comments


def shown(text: str) -> str:
    """Return one letter for each line: text, fence, indented, html, comment, or a dot for a blank one."""
    letters = ["."] * len(text.split("\n"))
    for block in blocks(text):
        letters[block.start : block.end] = block.kind[0] * (block.end - block.start)
    return "".join(letters)


def prose(text: str) -> list[str]:
    return [text[start:end] for start, end in prose_spans(text)]


LINES = [
    ("", "."),
    ("words\nmore", "tt"),
    ("words\n\nmore\n", "t.t."),
    ("# Head\nwords", "tt"),
    ("Head\n====\nwords", "ttt"),
    ("```\ncode\n```\nwords", "ffft"),
    ("~~~ py\n```\n~~~\nwords", "ffft"),
    ("````\n```\n`````\nwords", "ffft"),
    ("```\ncode\n\nmore", "ffff"),
    ("``` a`b\nwords", "tt"),
    ("~~~ a`b~\ncode", "ff"),
    ("``\nwords", "tt"),
    ("words\n```\ncode\n```", "tfff"),
    ("    ```\n    code", "ii"),
    ("   ```\ncode\n   ```\nwords", "ffft"),
    ("```\n    ```\ncode", "fff"),
    ("    code\n\n    more\n\nwords", "iii.t"),
    ("words\n    not code", "tt"),
    ("# Head\n    code", "ti"),
    ("Head\n---\n    code", "tti"),
    ("\tcode", "i"),
    ("  \tcode", "i"),
    ("- item\n\n  words\n\n      code", "t.t.i"),
    ("- item\n\n      code\n      code", "t.ii"),
    ("- item\n      words", "tt"),
    ("-     code", "i"),
    ("1.  item\n\n        code", "t.i"),
    ("- ```\n  code\n  ```\n  words", "ffft"),
    ("- ```\n  code\nwords", "fft"),
    ("- ```\n  code\n\n  code\n  ```", "fffff"),
    ("- item\n  ```\n  code\n  ```\n- item", "tffft"),
    ("> ```\n> code\n> ```\n> words", "ffft"),
    ("> ```\nwords", "ft"),
    ("> - ```\n>   code\n>   ```\n> words", "ffft"),
    (">     code\n> words", "it"),
    ("> words\n    lazy", "tt"),
    ("> words\nlazy\n> more", "ttt"),
    ("-\n  words", ".t"),
    ("-\n\n  words", "..t"),
    ("words\n-\nmore", "ttt"),
    ("words\n2. no list\n\n       code?", "tt.i"),
    ("words\n1. a list\n\n       code", "tt.i"),
    ("* * *\n    code", "ti"),
    ("<div>\nwords\n\nwords", "hh.t"),
    ("words\n<div>\nwords", "thh"),
    ("<b>\nwords\n\nwords", "hh.t"),
    ("words\n<b>\nwords", "ttt"),
    ("<b>words</b>", "t"),
    ("<pre>\n\ncode\n</pre> tail\nwords", "hhhht"),
    ("<script>x</script>\nwords", "ht"),
    ("<?php\n\n?>\nwords", "hhht"),
    ("<!DOCTYPE html>\nwords", "ht"),
    ("<![CDATA[\n\n]]>\nwords", "hhht"),
    ("<https://example.com>", "t"),
    ("<a-b c='d' e=\"f\" g=h i/>\nwords", "hh"),
    ("<!-- one -->\nwords", "ct"),
    ("<!-- one\n\ntwo --> tail\nwords", "ccct"),
    ("words\n<!-- one -->\nwords", "tct"),
    ("words <!-- one -->", "t"),
    ("    <!-- code -->", "i"),
    ("```\n<!-- code -->\n```", "fff"),
    ("> <!-- one\n> two -->\n> words", "cct"),
    ("> <!-- one\nwords", "ct"),
    ("- <!-- one\n  two -->\n  words", "cct"),
    ("<!-->\nwords", "ct"),
    ("<div>\n<!-- in html -->\n</div>", "hhh"),
    ("words\r\n```\r\ncode\r\n```\r\nwords", "tffft"),
]


def test_lines_are_what_commonmark_says() -> None:
    wrong = [(text, found) for text, wish in LINES if (found := on_row(shown, text)) != wish]
    assert not wrong, str(wrong)


def test_blocks_tell_paragraphs_apart_and_whether_they_end() -> None:
    assert blocks("a\nb\n\n- c\n- d\n# e\n```\nf") == [
        Block("text", 0, 2),
        Block("text", 3, 4, contained=True),
        Block("text", 4, 5, contained=True),
        Block("text", 5, 6),
        Block("fence", 6, 8, closed=False),
    ]
    assert blocks("<!-- a\nb") == [Block("comment", 0, 2, closed=False)]
    assert blocks("<div>\nb\n\n") == [Block("html", 0, 2)]


PIECES = (
    *(
        "```",
        "~~~",
        "````",
        "```py",
        "~~~~ x",
        "~~~ ~ x",
        "``` `x",
        "- ```",
        "> ```",
        "1. ```",
        "  ```",
        "    ```",
    ),
    *(
        "<!--",
        "-->",
        "<!-- a -->",
        "<!-- a --> b",
        "> <!--",
        "> -->",
        "- <!-- c",
        "  c -->",
        "text",
        "more text",
    ),
    *(
        "- item",
        "* item",
        "+",
        "-",
        "1. one",
        "2. two",
        "10) ten",
        "1.",
        "  - sub",
        "-\tfoo",
        "-     five",
        "   -   a",
    ),
    *(
        "> quote",
        ">",
        "> > q",
        "- > x",
        "> - y",
        "    code",
        "  two",
        "   three",
        "\tab",
        " \t x",
        "",
        "",
        "",
    ),
    *(
        "# head",
        "#no",
        "---",
        "***",
        "===",
        "- - -",
        "`code`",
        "<div>",
        "</div>",
        "<b>",
        "<b>x",
        "<pre>",
        "</pre>",
    ),
    *("<?php", "?>", "<!X", "<![CDATA[", "]]>", "<script", "<a href='x'>", "</b >"),
)
documents = st.lists(
    st.builds(str.__add__, st.sampled_from(["", "", "  ", "    ", "> ", "- "]), st.sampled_from(PIECES)),
    max_size=9,
).map("\n".join)


def by_another_parser(text: str) -> list[tuple[str, int, int]]:
    markdown_it = pytest.importorskip("markdown_it")
    kinds = {"fence": "fence", "code_block": "indented", "html_block": "html"}
    kinds |= dict.fromkeys(("paragraph_open", "heading_open", "hr"), "text")
    try:
        tokens = markdown_it.MarkdownIt("commonmark").parse(text)
    except IndexError:
        assume(False)  # that parser's own mistake
    return [(kinds[token.type], *token.map) for token in tokens if token.type in kinds]


@settings(deadline=None)  # the other parser is slow to load
@given(documents)
def test_another_parser_agrees(text: str) -> None:
    lines = text.split("\n")
    deep = re.search(r"^[ >]*    ", text.expandtabs(4), re.MULTILINE)
    # There a deeply indented line does not continue a paragraph in a quote or list; in CommonMark it does.
    assume(not (deep and re.search(r"^\s*(?:[-+*>]|\d+[.)])", text, re.MULTILINE)))

    # HTML that is indented below a paragraph belongs to it here, as the host has it, and not in CommonMark.
    assume(not re.search(r"^[ \t]+<", text, re.MULTILINE))

    def without_blank_ends(found: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
        result = []
        for kind, start, last in found:
            end = min(last, len(lines))
            while end > start + 1 and not lines[end - 1].strip(" \t>"):
                end -= 1
            result.append((kind, start, end))
        return sorted(result)

    ours = [(block.kind.replace("comment", "html"), block.start, block.end) for block in blocks(text)]
    assert without_blank_ends(ours) == without_blank_ends(by_another_parser(text))


@given(st.one_of(documents, st.text()))
def test_blocks_follow_each_other_and_cover_what_is_not_blank(text: str) -> None:
    lines = text.split("\n")
    covered = [number for block in blocks(text) for number in range(block.start, block.end)]
    assert covered == sorted(set(covered))
    uncovered = set(range(len(lines))) - set(covered)
    assert all(not re.search(r"[^\s>*+.)0-9-]", lines[number]) for number in uncovered)


CODE_IN_LINES: list[tuple[str, list[str]]] = [
    ("a `b` c", ["a ", " c"]),
    ("``a`b`` c", [" c"]),
    ("`a\nb`", []),
    ("`a\n\nb`", ["`a\n", "b`"]),
    ("- `a\n- b`", ["- `a\n", "- b`"]),
    ("> `a\n> b`", ["> "]),
    ("\\`a`", ["\\`a`"]),
    ("\\``a`", ["\\`"]),
    ("`a\\`b`", ["b`"]),
    ("``a` b", ["``a` b"]),
    ("`a <!-- b` c -->", [" c -->"]),
    ("<!-- x `a --> b` `c`", [" b", "c`"]),
    ("x <!-- `a --> b` `c`", ["x ", " b", "c`"]),
    ("```\n`a`\n```\n`b`", []),
    ("    `a`", []),
    ("# `a`\n`b`", ["# ", "\n"]),
]


def test_code_in_a_line_is_no_prose() -> None:
    wrong = [(text, found) for text, wish in CODE_IN_LINES if (found := on_row(prose, text)) != wish]
    assert not wrong, str(wrong)


def test_prose_is_what_is_left() -> None:
    text = (
        "See @a.md and `@b.md`.\n\n```\n@c.md\n```\n> - @d.md <!-- @e.md -->\n\n    @f.md\n\n<div>\n@g.md\n"
    )
    assert prose(text) == ["See @a.md and ", ".\n", "> - @d.md ", "\n"]
    assert prose("<!-- @a.md -->\n") == ["\n"]
    assert prose("<!-- @a.md\n--> @b.md\n") == [" @b.md\n"]
    assert prose("a <!-- open") == ["a <!-- open"]


@given(st.one_of(documents, st.text(alphabet="`a<!->\\\n \t>~*", max_size=60)))
def test_spans_stand_in_order_inside_text_and_do_not_overlap(text: str) -> None:
    spans = prose_spans(text)
    ends = [0, *(end for _, end in spans)]
    assert all(end <= start < after for end, (start, after) in zip(ends, spans, strict=False))
    assert ends[-1] <= len(text)


COMMENTED = [
    ("a\n<!-- c -->\nb", "a\nb"),
    ("a\n\n<!-- c -->\n\nb", "a\n\nb"),
    ("<!-- c\n\nd -->\n\nb\n", "b\n"),
    ("a\n<!-- c -->\n\nb", "a\nb"),
    ("a\n<!-- c -->\n \nb", "a\n \nb"),
    ("a\n\n<!-- c -->\n", "a\n"),
    ("<!-- c --> tail\nb", " tail\nb"),
    ("<!-- c --> <!-- d --> tail", "  tail"),
    ("<!-- c --> tail <!-- open", " tail <!-- open"),
    ("<!-- c --> tail <!-- d -->\nb", " tail \nb"),
    ("> <!-- c -->\n> b", "> <!-- c -->\n> b"),
    ("- <!-- c\n  d -->\n  b", "- <!-- c\n  d -->\n  b"),
    ("a\n  <!-- c -->\nb", "a\n  <!-- c -->\nb"),
    ("a\n\n  <!-- c -->\nb", "a\n\nb"),
    ("# a\n  <!-- c -->\nb", "# a\nb"),
    ("<!-->\nb", "<!-->\nb"),
    ("a <!-- inline --> b", "a <!-- inline --> b"),
    ("`<!-- c -->`", "`<!-- c -->`"),
    ("```\n<!-- c -->\n```", "```\n<!-- c -->\n```"),
    ("    <!-- c -->", "    <!-- c -->"),
    ("<div>\n<!-- c -->\n</div>", "<div>\n<!-- c -->\n</div>"),
    ("<!-- never closed\n\nb", "<!-- never closed\n\nb"),
    ("a\r\n<!-- c -->\r\nb\r\n", "a\r\nb\r\n"),
    ("<!-- c -->", ""),
    ("", ""),
]


def test_comments_that_begin_a_line_are_stripped() -> None:
    wrong = [(text, found) for text, wish in COMMENTED if (found := on_row(without_comments, text)) != wish]
    assert not wrong, str(wrong)


@given(documents)
def test_stripping_comments_touches_nothing_else(text: str) -> None:
    comments = [block for block in blocks(text) if block.kind == "comment" and block.closed]
    inside = {number for block in comments for number in range(block.start, block.end)}
    left = iter(without_comments(text).split("\n"))
    outside = [line for number, line in enumerate(text.split("\n")) if number not in inside and line.strip()]
    assert all(line in left for line in outside), "every other line is there, in order"
    if "<!--" not in text:
        assert without_comments(text) == text


HOSTILE = {
    "quotes": ("{}", ">"),
    "quoted lines": ("{}", ">" * 60 + " a\n"),
    "items in items": ("{}\n{}", "* + "),
    "open fences": ("{}", "".join("`" * number + "\n" for number in range(3, 93))),
    "open ticks": ("{}", "".join("`" * number + " " for number in range(60))),
    "open comments": ("a {}", "<!-- "),
    "comments on a line": ("<!-- -->{}", "<!-- "),
    "a tag": ("<a{}\n", " b"),
    "a tag of blanks": ("<a{}\n", " "),
    "stars": ("{}x", "* "),
    "one line": ("{}", "word "),
}
"""What is written around a unit that comes again and again, then as many empty lines, and the unit."""


@pytest.mark.parametrize(("frame", "unit"), HOSTILE.values(), ids=HOSTILE.keys())
def test_the_work_on_hostile_text_grows_with_it_alone(frame: str, unit: str) -> None:
    def spans_and_rest(text: str) -> None:
        whole = frame.format(text, "\n" * (len(text) // len(unit)))
        assert all(0 <= start <= end <= len(whole) for start, end in prose_spans(whole))
        assert len(without_comments(whole)) <= len(whole)

    assert grows_with_the_text(spans_and_rest, unit, max(16_000, 8 * len(unit)))


def test_deep_nesting_is_read_as_text() -> None:
    assert shown("> " * 65 + "    code") == "t"
    assert shown("> " * 64 + "    code") == "i"


def test_a_long_document_is_read_in_one_pass() -> None:
    chance = random.Random(7)
    page = "".join(f"{chance.choice(PIECES)}\n" for _ in range(600))
    assert grows_with_the_text(blocks, page, 8 * len(page))
