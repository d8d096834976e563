"""The header reader is total: any text, mutation or bomb gets an answer in linear work, and edits hold."""

import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from types import FrameType

import pytest
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.tables import on_row

from memdir.memories.topic import Header, header_from, header_from_bytes, header_of
from memdir.text.frontmatter.edits import with_value
from memdir.text.frontmatter.header import (
    LONGEST_HEADER,
    MAX_PROBLEMS,
    _flat,
    _parse_yaml,
    header_text,
    parse,
    render_header,
    span,
)
from memdir.text.frontmatter.lines import entries, lines_between

NOW = datetime(2026, 11, 15, tzinfo=UTC)
ANY_TEXT = st.text(st.characters(exclude_categories=[]))
PIECES = st.sampled_from(
    [
        *(
            "---",
            "\n",
            "\r\n",
            "\r",
            "name",
            "type",
            "metadata",
            ":",
            ": ",
            " ",
            "  ",
            "\t",
            "'",
            '"',
            "\\",
            "#",
            " # ",
        ),
        *(
            "|",
            ">",
            "|-\n",
            ">2\n",
            "-",
            "- ",
            "[",
            "]",
            "{",
            "}",
            ",",
            "&a",
            "*a",
            "!!x",
            "<<: *a",
            "? ",
            "~",
            "%",
            "@",
        ),
        *(
            "x",
            "foo bar",
            "é",
            "\ufeff",
            "...",
            "\u2028",
            "\x85",
            "\0",
            "\ud800",
            "key: value\n",
            "  sub: v\n",
        ),
        *("metadata:\n", "---\n", "\nk: ", '"a\\"b"', "'it''s'", "\\x4", "\\u12", "Use bun: not npm"),
    ]
)
SOUP = st.lists(PIECES, max_size=30).map("".join)
TEXTS = (
    SOUP
    | SOUP.map(lambda soup: f"---\n{soup}")
    | SOUP.map(lambda soup: f"---\n{soup}\n---\nbody\n")
    | ANY_TEXT
)
REAL = (
    "---\nname: terse\ndescription: No summaries: ever\ntype: feedback\n---\n\nBody\n",
    '---\nname: "terse"\ndescription: "No \\"sums\\""\nmetadata:\n  type: "user"\n  title: "T"\n---\nB',
    "---\r\nname: x\r\ntags: [a, b]\r\ntext: >-\r\n  long\r\n  text\r\nmetadata: {type: user}\r\n---\r\nBody",
    "---\nname: 'x'\nlist:\n  - a\n  - b: c\nquote: \"one\n  two\"\nname: y\n---\nBody\n---\n",
)
KEYS = st.sampled_from(
    ["name", "type", "tags", "new", "odd key", "metadata", "metadata.type", "metadata.new", "metadata."]
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Return a real header with a few places cut out, doubled or filled with something else."""
    text = draw(st.sampled_from(REAL))
    for _ in range(draw(st.integers(1, 4))):
        start, stop = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
        filling = draw(PIECES | st.just("") | st.just(text[start:stop] * 2) | ANY_TEXT)
        text = text[:start] + filling + text[min(stop, start + draw(st.integers(0, 20))) :]
    return text


def calls_made(work: Callable[[], object]) -> int:
    """Return how many functions were called, built-in ones included: work that no clock disturbs."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@given(TEXTS | mutated())
def test_any_text_is_read(text: str) -> None:
    front = parse(text)
    assert 0 <= front.body <= len(text)
    assert len(front.problems) <= MAX_PROBLEMS
    for key, value in (*front.fields.items(), *front.metadata.items()):
        assert (type(key), type(value)) == (str, str)
    header = header_from("x.md", text, NOW)
    assert len(header.description.splitlines()) <= 1
    assert text.startswith(header_text(text))


@given(TEXTS | mutated())
def test_the_fast_reader_and_the_patient_one_agree(text: str) -> None:
    fast = _flat(text)
    assert fast is None or fast == _parse_yaml(text)


USUAL = (
    '---\nname: "{}"\ndescription: "x y"\ntype: "user"\nmetadata:\n  source: "a"\n---\n\nBody\n',
    '---\nname: "x"\ndescription: "{}"\ntype: "user"\n---\n\nBody\n',
    '---\nname: "x"\ndescription: "x y"\ntype: "{}"\n---\n\nBody\n',
    '---\nname: "x"\ndescription: "x y"\ntype: "user"\nmetadata:\n  source: "{}"\n  actor: "a"\n---\nBody\n',
    "---\nname: {}\ndescription: x y\ntype: user\n---\n\nBody\n",
    "---\nname: x\ndescription: {}\ntype: user\n---\n\nBody\n",
    "---\nname: x\ndescription: x y\ntype: {}\n---\n\nBody\n",
)
ODD = (
    "user", "note", "User", 'user"', '"user', "Größe", "😀", "a:b", "a: b", "a:", "#1", "x #", "x # y", "x#",
    "it's", "'x'", "[x]", "- x", "~", "|", "> x", "&a", "*a", "!x", "%x", "@x", "`x", '"', "\\", "\\n", " x",
    "a  b", "x ", "\t", "\u3000", "\xa0x", "a\x85b", "\u2028", "\x1f", "\0", "\x7f", "\ufffd", "", "x\n",
    "x\ny: z", "x\n  y", "\r", "x\n---", "x\nmetadata:", "x" * 5_000,
)  # fmt: skip
ODD_BYTES = (
    *(odd.encode() for odd in ODD),
    *(b"\xff", b"caf\xe9", b"\xe3\x80", b"\xf0\x9f\x98", b"\xed\xa0\x80"),
)


def test_first_bytes_say_what_their_text_says() -> None:
    headers = [usual.encode().split(b"{}") for usual in USUAL]
    wrong = read_differently([before + odd + after for odd in ODD_BYTES for before, after in headers])
    assert not wrong, str(wrong)


def test_metadata_that_a_header_shows_is_never_overlooked() -> None:
    keys = ("title", "pinned", "expires", "type", "titles", "xtitle", "source", "a-b")
    texts = [
        f'---\nname: x\ndescription: y\ntype: {kind}\nmetadata:\n{before}  {key}: "{value}"\n---\n'
        for before in ('  source: "a"\n' * times for times in (0, 1, 19, 20, 21, 24, 25))
        for value in ("true", "project")
        for key in keys
        for kind in ("user", "note")
    ]
    wrong = read_differently([text.encode() for text in texts])
    assert not wrong, str(wrong)


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """Return a usual header with a few bytes of it cut out or replaced."""
    data = draw(st.sampled_from(USUAL)).format("word").encode()
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, len(data)))
        filling = draw(st.binary(max_size=2) | PIECES.map(lambda text: text.encode("utf-8", "replace")))
        data = data[:place] + filling + data[place + draw(st.integers(0, 2)) :]
    return data


@given(spoilt() | st.binary() | (TEXTS | mutated()).map(lambda text: text.encode("utf-8", "surrogatepass")))
@settings(max_examples=2 * settings().max_examples)
def test_the_first_bytes_of_any_file_say_what_their_text_says(data: bytes) -> None:
    assert read_differently([data]) == []


def read_differently(files: list[bytes]) -> list[tuple[bytes, Header, Header]]:
    """Return the files whose bytes say something else than their text, with what either says."""
    return [
        (data, found, expected)
        for data in files
        for expected in [on_row(read_key_by_key, "user_x.md", data.decode("utf-8", "replace"))]
        if (found := on_row(header_from_bytes, "user_x.md", data, NOW)) != expected
    ]


def read_key_by_key(file: str, text: str) -> Header:
    return header_of(file, parse(header_text(text[:LONGEST_HEADER])), NOW)


@pytest.mark.parametrize(
    "text",
    [
        '---\nname: "x"\ndescription: "a b: #c"\ntype: "user"\nmetadata:\n  source: "user"\n---\n',
        "---\nname: x-1\ndescription: It's (almost) plain, isn't it?\ntype: user\n---\n",
        '---\nname: "größe"\ndescription: Ein Satz über 😀\ntype: user\n---\n',
    ],
)
def test_the_usual_header_is_read_in_one_go(text: str) -> None:
    data = text.encode() + b"body\n" * 100
    for _ in range(3):  # patterns are compiled once, and so is what makes a header, for the third of them
        assert header_from_bytes("x.md", data, NOW) == read_key_by_key("x.md", text)
    patient = calls_made(lambda: read_key_by_key("x.md", text))
    assert calls_made(lambda: header_from_bytes("x.md", data, NOW)) < 0.75 * patient


@given(SOUP | mutated().map(lambda text: text.replace("\r", "").removeprefix("---\n").partition("\n---")[0]))
@settings(max_examples=2 * settings().max_examples)
@example("k: ''#")
def test_what_yaml_accepts_is_read_as_yaml_reads_it(header: str) -> None:
    assume(not re.search(r"[\r\x85\u2028\u2029\ufeff&*!?]|^---|^\.\.\.", header, re.MULTILINE))
    # A quote over several lines ends with its line: else an open one would swallow the keys below it.
    assume(not re.search(r"""^[^:\n]*["'][ \t]*#""", header, re.MULTILINE))
    try:
        expected = yaml.load(f"{header}\n", Loader=yaml.BaseLoader)  # noqa: S506 - constructs text only
    except (yaml.YAMLError, ValueError):
        return
    assume(isinstance(expected, dict))
    fields = parse(f"---\n{header}\n---\n").fields
    for key, value in expected.items():
        if isinstance(value, str) and key != "metadata":
            assert fields[key] == value


@given(TEXTS | mutated(), KEYS, st.text() | SOUP.map(lambda soup: soup.replace("\ud800", "")))
def test_a_value_that_was_set_is_read_back(text: str, key: str, value: str) -> None:
    edited = with_value(text, key, value)
    front = parse(edited)
    assert (front.metadata.get(key[9:]) if key.startswith("metadata.") else front.fields.get(key)) == value
    assert edited.endswith(text[parse(text).body :])


@given(TEXTS | mutated(), KEYS)
def test_a_value_that_was_removed_is_gone(text: str, key: str) -> None:
    front = parse(with_value(text, key, None))
    assert key[9:] not in front.metadata if key.startswith("metadata.") else key not in front.fields


@given(TEXTS | mutated(), KEYS, st.text())
def test_only_lines_of_the_key_itself_change(text: str, key: str, value: str) -> None:
    where = span(text)
    assume(where is not None)
    assert where
    assume(text[where.stop - 1] in "\r\n")  # a last line without an end must be given one
    before = lines_between(text, where.first, where.stop)
    edited = with_value(text, key, value)
    assume(edited != text)
    edited_where = span(edited)
    assert edited_where
    after = lines_between(edited, edited_where.first, edited_where.stop)
    start = common(before, after)
    stop = len(before) - common(before[start:][::-1], after[start:][::-1])
    owner = "metadata" if key.startswith("metadata.") else key
    own = [entry for entry in entries(before)[0] if entry.key == owner]
    assert start == stop or any(entry.first <= start and stop <= entry.stop for entry in own)
    assert edited.startswith(text[: where.first])
    assert edited[edited_where.body :] == text[where.body :]


def common(one: list[str], other: list[str]) -> int:
    return next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


PAIRS = st.dictionaries(
    st.text(max_size=8).filter(lambda key: key != "metadata"), st.text(max_size=20), max_size=5
)


@given(PAIRS, PAIRS)
def test_what_is_rendered_is_read_back(fields: dict[str, str], metadata: dict[str, str]) -> None:
    text = render_header(fields, metadata) + "body"
    front = parse(text)
    assert (front.fields, front.metadata, front.problems) == (fields, metadata, ())
    assert text[front.body :] == "body"
    assert (yaml.safe_load(text.partition("\n")[2].rpartition("---\n")[0]) or {}) == {
        **fields,
        **({"metadata": metadata} if metadata else {}),
    }


BOMBS = {
    "billion laughs": "---\na: &a [x, x, x, x, x, x, x, x, x]\n"
    + "".join(
        f"{chr(c)}: &{chr(c)} [{', '.join([f'*{chr(c - 1)}'] * 9)}]\n" for c in range(ord("b"), ord("j"))
    )
    + "---\n",
    "laughs in a list": "---\nk:\n  - &a [x, x]\n"
    + "".join(f"  - &{chr(c)} [{', '.join([f'*{chr(c - 1)}'] * 9)}]\n" for c in range(ord("b"), ord("j")))
    + "---\n",
    "merge keys": "---\nbase: &b\n  x: y\nk:\n  <<: *b\n  <<: *b\n---\n",
    "self reference": "---\nk: &k\n  - *k\n---\n",
    "python tags": "---\nk: !!python/object/apply:os.system ['echo']\nl:\n  - !!python/name:os ''\n---\n",
    "deep brackets": f"---\nk: {'[' * 100_000}\n---\n",
    "deep closed brackets": f"---\nk: {'[' * 3_000}{']' * 3_000}\n---\n",
    "deep blocks": "---\nk:\n" + "".join(f"{' ' * depth}- \n" for depth in range(1, 800)) + "---\n",
    "deep dashes": f"---\nk:\n  {'- ' * 4_000}\n---\n",
    "deep metadata": "---\n" + "".join(f"{' ' * depth}metadata:\n" for depth in range(1_000)) + "---\n",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_yaml_bomb_stays_small(name: str) -> None:
    text = BOMBS[name]
    front = parse(text)
    held = sum(len(key) + len(value) for key, value in (*front.fields.items(), *front.metadata.items()))
    assert held <= 2 * len(text)


def test_a_tag_is_text() -> None:
    assert parse(BOMBS["python tags"]).fields["k"] == "!!python/object/apply:os.system ['echo']"


# Each is repeated: quadratic work on a million characters would run into the suite's time limit.
SHAPES = {
    "flat": ("---\n", "a: b\n", "---\n"),
    "never closed": ("---\n", "a: b\n", ""),
    "open brackets": ("---\n", "a: [\n", "---\n"),
    "open quotes": ("---\n", 'a: "x\n', "---\n"),
    "open single quotes": ("---\n", "a: 'x\n", "---\n"),
    "both quotes": ("---\n", "a: 'x\nb: \"y\n", "---\n"),
    "one open quote": ('---\na: "x\n', "b: c\n", "---\n"),
    "escapes": ('---\na: "', "\\x41", '"\n---\n'),
    "backslashes": ('---\na: "', "\\", "\n---\n"),
    "comments": ("---\na: b\n", "#\n", "---\n"),
    "comments between": ("---\n", "a:\n#\n#\n#\n", "---\n"),
    "blank lines": ("---\na: b\n", "\n", "---\n"),
    "strays": ("---\n", "stray\n", "---\n"),
    "continued": ("---\na: b\n", "  c\n", "---\n"),
    "items": ("---\na:\n", "- b\n", "---\n"),
    "blocks": ("---\n", "metadata:\n  a: b\n", "---\n"),
    "spaces": ("---\na", " ", "b\n---\n"),
    "hashes": ("---\na: ", " #", "\n---\n"),
    "colons": ("---\n", ":", "\n---\n"),
    "almost fences": ("---\n", "---          x\n", ""),
    "dashes": ("---\n", "-", ""),
    "carriage returns": ("---\r", "a: b\r", "---\r"),
}


def shaped(name: str, times: int) -> str:
    before, middle, after = SHAPES[name]
    return before + middle * times + after


@pytest.mark.parametrize("name", SHAPES)
def test_twice_the_text_is_at_most_twice_the_calls(name: str) -> None:
    one, two = (shaped(name, times) for times in (1_000, 2_000))
    for work in (parse, lambda text: with_value(text, "metadata.new", "v")):
        work(one)  # patterns are compiled and modules loaded once
        assert calls_made(lambda: work(two)) <= 2.1 * calls_made(lambda: work(one)) + 50  # noqa: B023


@pytest.mark.parametrize("name", SHAPES)
def test_a_long_header_costs_no_more_than_its_first_lines(name: str) -> None:
    long = shaped(name, 20_000)
    if len(header_text(long)) < 1_000:
        header_from("x.md", long, NOW)
        assert calls_made(lambda: header_from("x.md", long, NOW)) < 3_000


@pytest.mark.parametrize("name", SHAPES)
def test_a_large_text_is_read_before_the_time_limit(name: str) -> None:
    text = shaped(name, 300_000 // len(SHAPES[name][1]))
    assert parse(text).body <= len(text)
