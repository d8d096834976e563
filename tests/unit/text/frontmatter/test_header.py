"""A header is read whatever its writer did, in both forms, and says what strict readers would refuse."""

import subprocess
import sys

import pytest
from tests.tables import on_row

from memdir.text.frontmatter.header import (
    HEADER_LINES,
    LONGEST_HEADER,
    Frontmatter,
    body_start,
    header_text,
    parse,
    render_header,
)


def value_of(written: str) -> str | None:
    return parse(f"---\nname: x\nkey: {written}\nlast: y\n---\n").fields.get("key")


def test_the_flat_form_is_read() -> None:
    text = '---\nname: terse\ndescription: "No summaries"\ntype: feedback\n---\n\nBody\n'
    front = parse(text)
    assert front.fields == {"name": "terse", "description": "No summaries", "type": "feedback"}
    assert (front.metadata, front.problems, text[front.body :]) == ({}, (), "\nBody\n")


def test_the_form_with_metadata_is_read() -> None:
    front = parse(
        "---\nname: x\nmetadata:\n  node_type: memory\n  type: user\n  modified: 2026-11-15T10:00:00Z\n---\n"
    )
    assert front.fields == {"name": "x"}
    assert front.metadata == {"node_type": "memory", "type": "user", "modified": "2026-11-15T10:00:00Z"}


YAML_VALUES = [
    ("plain words", "plain words"),
    ("  spaces around  ", "spaces around"),
    ("\ttab", "tab"),
    ("", ""),
    ("10:30", "10:30"),
    ("https://example.com/a#b", "https://example.com/a#b"),
    ("true", "true"),
    ("2026-01-01", "2026-01-01"),
    ("~", "~"),
    ("-x", "-x"),
    ("?x", "?x"),
    ("text # a comment", "text"),
    ("# only a comment", ""),
    ('"double"', "double"),
    ('"double" # comment', "double"),
    (r'"tab\tquote\"back\\slash\x41\u00e9\U0001F680\/"', 'tab\tquote"back\\slashAé🚀/'),
    ("'single'", "single"),
    ("'it''s'", "it's"),
    ("'no \\n escape'", "no \\n escape"),
    ("[a, b]", "a, b"),
    ('[a, "b, c", [d]]', "a, b, c, d"),
    ("{a: b, c: [d, e]}", "a: b, c: d, e"),
    ("[]", ""),
    (">", ""),
    ("|-", ""),
]


def test_what_yaml_allows_is_read_as_yaml() -> None:
    wrong = [
        (written, found) for written, wish in YAML_VALUES if (found := on_row(value_of, written)) != wish
    ]
    assert not wrong, str(wrong)


MODEL_VALUES = [
    ("Use bun: not npm", "Use bun: not npm"),
    ("ends with a colon:", "ends with a colon:"),
    ("@x", "@x"),
    ("`code` first", "`code` first"),
    ("%x", "%x"),
    ("*x", "*x"),
    ("*bold* text", "*bold* text"),
    ("&anchor value", "&anchor value"),
    ("!!python/object/apply:os.system ['true']", "!!python/object/apply:os.system ['true']"),
    ("!important", "!important"),
    ("[unclosed", "[unclosed"),
    ("[WIP] not a list", "[WIP] not a list"),
    ("{unclosed", "{unclosed"),
    ("- dash", "- dash"),
    ("> quoted text", "> quoted text"),
    ("| piped", "| piped"),
    ('"unclosed', '"unclosed'),
    ("'unclosed", "'unclosed"),
    ('"Use bun" not npm', '"Use bun" not npm'),
    ("'it's'", "'it's'"),
    (r'"C:\me\notes"', r"C:\me\notes"),
    (r'"C:\new \"x\" \d"', r'C:\new "x" \d'),
    ('"\\uZZZZ"', "\\uZZZZ"),
    ('"\\U00110000"', "\\U00110000"),
    ("see #42", "see"),
]


def test_what_models_write_all_the_same_is_read_and_noted() -> None:
    wrong = [
        (written, front.fields, front.problems)
        for written, wish in MODEL_VALUES
        for front in [on_row(parse, f"---\nname: x\nkey: {written}\nlast: y\n---\n")]
        if front.fields != {"name": "x", "key": wish, "last": "y"}
        or [problem[:7] for problem in front.problems] != ["line 3:"]
    ]
    assert not wrong, str(wrong)


LONG_VALUES = [
    (">\n  folded\n  text", "folded text\n"),
    (">-\n  folded\n  text", "folded text"),
    ("|\n  one\n  # two\n\n  three", "one\n# two\n\nthree\n"),
    ("|-\n  key: no key", "key: no key"),
    ("one\n  two\n  three", "one two three"),
    ('"one\n  two"', "one two"),
    ('"one\n\n  two: \\"x\\""', 'one\ntwo: "x"'),
    ('"one\ntwo: three"', "one two: three"),
    ("'one\n  it''s two'", "one it's two"),
    ("\n  - a\n  - b", "a, b"),
    ("\n- a\n- b", "a, b"),
    ("\n  - a\n  - b: c", "a, b: c"),
    ("\n  a: b\n  c:\n    d: e", "a: b, c: d: e"),
    ("[a,\n  b]", "a, b"),
    ("&anchor\n  - a", "a"),
    ("!!python/tuple\n  - a", "a"),
    ("\n  - *alias\n  - &anchor b", "*alias, b"),
    # From here on no YAML reader would follow.
    (">\n\tfolded\n\ttext", "folded text"),
    ("Use bun: not\n  npm", "Use bun: not npm"),
    ("@one\n  two", "@one two"),
    ("*one\n  two", "*one two"),
    ("\n\t- a\n\t- b", "a, b"),
]


def test_a_value_may_go_on_below() -> None:
    wrong = [
        (written, found) for written, wish in LONG_VALUES if (found := on_row(value_of, written)) != wish
    ]
    assert not wrong, str(wrong)


def test_keys_may_be_quoted_spaced_or_tight() -> None:
    front = parse("---\n\"a b\": 1\n'it''s': 2\nHow to apply: 3\nname : 4\ntype:user\n---\n")
    assert front.fields == {"a b": "1", "it's": "2", "How to apply": "3", "name": "4", "type": "user"}
    assert front.problems == ("line 6: no space after the colon",)


def test_the_last_of_two_equal_keys_counts_and_is_noted() -> None:
    front = parse("---\nname: a\ntype: user\nname: b\n---\n")
    assert front.fields == {"name": "b", "type": "user"}
    assert front.problems == ("line 4: duplicate key 'name'; the last counts",)


def test_comments_blank_lines_and_strays_do_not_disturb() -> None:
    front = parse("---\n# comment\n\nname: a\n  # inside\nstray words\n? odd\ntype: user\n---\n")
    assert front.fields == {"name": "a", "type": "user"}
    assert [problem[:7] for problem in front.problems] == ["line 6:", "line 7:"]


@pytest.mark.parametrize(
    "block",
    [
        "metadata:\n  type: user\n  x: y\n",
        "metadata: # ours\n\n  # comment\n  type: user\n  x: y\n",
        "metadata:\n# comment\n      type: user\n      x: y\n",
        "metadata: {type: user, x: y}\n",
        "metadata:\n  {type: user,\n   x: y}\n",
        "metadata: &m\n  type: user\n  x: y\n",
        "metadata:\n\ttype: user\n\tx: y\n",
        "metadata: old\nmetadata:\n  type: user\n  x: y\n",
    ],
)
def test_metadata_is_read_in_every_shape(block: str) -> None:
    front = parse(f"---\n{block}name: a\n---\n")
    assert (front.metadata, front.fields) == ({"type": "user", "x": "y"}, {"name": "a"})


def test_what_is_nested_deeper_is_one_line() -> None:
    front = parse(
        "---\nmetadata:\n  anchors:\n    - src/a.py\n    - src/b.py\n  deep:\n    a:\n      b: c\n---\n"
    )
    assert front.metadata == {"anchors": "src/a.py, src/b.py", "deep": "a: b: c"}


def test_metadata_that_is_no_mapping_is_a_field() -> None:
    assert parse("---\nmetadata: words\n---\n") == Frontmatter({"metadata": "words"}, {}, 24)
    assert parse("---\nmetadata:\n  - a\n---\n").fields == {"metadata": "a"}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_a_byte_order_mark_do_not_matter(end: str, mark: str) -> None:
    text = mark + end.join(
        ["---", "name: a", "metadata:", "  type: user", "long: >", "  b", "  c", "---  ", "body"]
    )
    front = parse(text)
    assert front.fields == {"name": "a", "long": "b c\n"}
    assert front.metadata == {"type": "user"}
    assert text[front.body :] == "body"


@pytest.mark.parametrize(
    "text", ["", "body", "\nname: x\n", " ---\nname: x\n---\n", "----\nname: x\n---\n", "# Title\n\n---\n"]
)
def test_a_text_without_a_header_is_all_body(text: str) -> None:
    assert parse(text) == Frontmatter({}, {}, 0)


def test_the_byte_order_mark_is_not_body() -> None:
    assert parse("\ufeffbody") == Frontmatter({}, {}, 1)


def test_an_empty_header_has_nothing() -> None:
    assert parse("---\n---\nbody") == Frontmatter({}, {}, 8)
    assert parse("---\n---") == Frontmatter({}, {}, 7)


@pytest.mark.parametrize(
    "rest", ["", "\nBody: text\n", "# Heading\n", "Prose: with a colon, several words: yes\n", "- item\n"]
)
def test_a_header_that_is_never_closed_ends_with_its_last_line(rest: str) -> None:
    head = "---\nname: x\ndescription: a\n  b\nmetadata:\n  type: user\n"
    front = parse(head + rest.replace("Prose:", "Some prose:"))
    assert front.fields == {"name": "x", "description": "a b"}
    assert front.metadata == {"type": "user"}
    assert front.body == len(head)
    assert "never closed" in front.problems[0]


@pytest.mark.parametrize(
    "text", ["---", "---\n", "---\nSome prose.\n", "---\n\nname: x\n", "\ufeff---\n# Title\n"]
)
def test_a_rule_above_prose_is_no_header(text: str) -> None:
    front = parse(text)
    assert (front.fields, front.metadata) == ({}, {})
    assert text[front.body :] == text.removeprefix("\ufeff")
    assert "never closed" in front.problems[0]


def test_only_thirty_lines_count_for_a_header_but_the_whole_text_is_read_whole() -> None:
    keys = [f"k{number}: v\n" for number in range(40)]
    text = f"---\n{''.join(keys)}---\nbody\n"
    assert header_text(text) == "---\n" + "".join(keys[: HEADER_LINES - 1])
    assert list(parse(header_text(text)).fields) == [f"k{number}" for number in range(29)]
    assert len(parse(text).fields) == 40


@pytest.mark.parametrize("end", ["", "---\nbody\n"])
def test_a_header_as_long_as_a_book_is_read_in_part(end: str) -> None:
    text = "---\n" + "".join(f"k{number}: v\n" for number in range(100_000)) + end
    front = parse(text)
    assert len(front.fields) == 1_000
    assert front.body <= LONGEST_HEADER
    assert body_start(text) == front.body
    assert len(parse("---\nname: " + "x" * 1_000_000).fields["name"]) < LONGEST_HEADER


def test_a_long_list_above_a_body_does_not_move_the_body() -> None:
    text = "---\n" + "".join(f"k{number}: v\n" for number in range(3_000)) + "---\nbody\n"
    assert text[parse(text).body :] == "body\n"
    assert text[body_start(text) :] == "body\n"


@pytest.mark.parametrize(
    "text",
    ["", "body", "\ufeffbody", "---\nname: x\n", "---\r\na: b\r\n---\r\nc", "---\na: [b]\n--- \nc\n---\n"],
)
def test_the_body_begins_where_parsing_says(text: str) -> None:
    assert body_start(text) == parse(text).body


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_first_lines_are_counted_with_any_line_end(end: str) -> None:
    assert header_text(f"x{end}" * 40) == f"x{end}" * 30
    assert header_text(f"x{end}y") == f"x{end}y"
    assert header_text("") == ""


def test_a_rendered_header_quotes_every_value() -> None:
    header = render_header({"name": "a", "odd key": 'b"c'}, {"type": "user"})
    assert header == '---\nname: "a"\n"odd key": "b\\"c"\nmetadata:\n  type: "user"\n---\n'
    assert render_header({"name": "a"}, {}) == '---\nname: "a"\n---\n'
    assert render_header({}, {}) == "---\n---\n"


def test_the_yaml_engine_is_loaded_only_for_what_needs_it() -> None:
    flat = "---\nname: a\ndescription: Use bun: not npm\nmetadata:\n  type: user\n---\n"
    program = (
        "import sys; from memdir.text.frontmatter.header import parse\n"
        f"parse({flat!r}); assert 'yaml' not in sys.modules\n"
        "parse('---\\nname: [a, b]\\n---\\n'); assert 'yaml' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
