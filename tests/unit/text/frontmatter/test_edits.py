"""Changing one key of a header leaves the bytes of every other line alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.text.frontmatter.edits import with_value
from memdir.text.frontmatter.header import parse

MESSY = (
    "---\r\n# who\r\nname:   'x'   # comment\r\n\r\ndescription: >\n  long\n  text\nodd: Use bun: not npm\n"
    "tags:\n- a\n- b\nmetadata:\n  # ours\n  type: user\n  anchors:\n    - a.py\n\n  title: T\n# end\nz: 1\n"
    "---\nbody\r\n---\n"
)
KEYS = (
    "name",
    "description",
    "odd",
    "tags",
    "z",
    "new",
    "metadata.type",
    "metadata.anchors",
    "metadata.title",
    "metadata.new",
)


def read(text: str, key: str) -> str | None:
    front = parse(text)
    return front.metadata.get(key[9:]) if key.startswith("metadata.") else front.fields.get(key)


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("name", "name:   'x'   # comment\r\n", 'name: "v"\r\n'),
        ("description", "description: >\n  long\n  text\n", 'description: "v"\n'),
        ("odd", "odd: Use bun: not npm\n", 'odd: "v"\n'),
        ("tags", "tags:\n- a\n- b\n", 'tags: "v"\n'),
        ("metadata.type", "  type: user\n", '  type: "v"\n'),
        ("metadata.anchors", "  anchors:\n    - a.py\n", '  anchors: "v"\n'),
        ("metadata.title", "  title: T\n", '  title: "v"\n'),
        ("metadata.new", "  title: T\n", '  title: T\n  new: "v"\r\n'),
        ("new", "z: 1\n", 'z: 1\nnew: "v"\r\n'),
    ],
)
def test_setting_a_key_changes_its_own_lines_only(key: str, old: str, new: str) -> None:
    assert MESSY.count(old) == 1
    assert with_value(MESSY, key, "v") == MESSY.replace(old, new)


@pytest.mark.parametrize(
    ("key", "gone"),
    [
        ("name", "name:   'x'   # comment\r\n"),
        ("description", "description: >\n  long\n  text\n"),
        ("metadata.anchors", "  anchors:\n    - a.py\n"),
        ("metadata.title", "  title: T\n"),
    ],
)
def test_removing_a_key_removes_its_own_lines_only(key: str, gone: str) -> None:
    assert with_value(MESSY, key, None) == MESSY.replace(gone, "")


@pytest.mark.parametrize("text", [MESSY, "", "body", "---\nname: x\nbody\n"])
def test_removing_what_is_not_there_changes_nothing(text: str) -> None:
    assert with_value(text, "absent", None) == text
    assert with_value(text, "metadata.absent", None) == text


@given(st.sampled_from(KEYS), st.text())
def test_all_other_lines_survive(key: str, value: str) -> None:
    before, after = (text.splitlines(keepends=True) for text in (MESSY, with_value(MESSY, key, value)))
    same_start = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(before))
    same_end = next(
        (i for i, (a, b) in enumerate(zip(before[::-1], after[::-1], strict=False)) if a != b), len(before)
    )
    assert len(after) - same_start - same_end <= 1
    own = before[same_start : len(before) - same_end]
    assert not own or own[0].strip().startswith(key.removeprefix("metadata."))
    assert read(with_value(MESSY, key, value), key) == value


@given(st.sampled_from(KEYS), st.sampled_from(KEYS), st.text())
def test_all_other_keys_keep_their_values(key: str, other: str, value: str) -> None:
    if key != other:
        assert read(with_value(MESSY, key, value), other) == read(MESSY, other)
        assert read(with_value(MESSY, key, None), other) == read(MESSY, other)


@pytest.mark.parametrize(
    ("text", "key", "expected"),
    [
        ("", "name", '---\nname: "v"\n---\n'),
        ("body\n", "name", '---\nname: "v"\n---\nbody\n'),
        ("body\r\nmore", "metadata.x", '---\r\nmetadata:\r\n  x: "v"\r\n---\r\nbody\r\nmore'),
        ("\ufeffbody", "name", '\ufeff---\nname: "v"\n---\nbody'),
        ("---\n\nA rule, then prose\n", "name", '---\nname: "v"\n---\n---\n\nA rule, then prose\n'),
        ("---\n---\nbody", "name", '---\nname: "v"\n---\nbody'),
    ],
)
def test_a_text_without_a_header_gets_one(text: str, key: str, expected: str) -> None:
    assert with_value(text, key, "v") == expected


def test_a_header_that_is_never_closed_is_closed() -> None:
    assert with_value("---\nname: x\nProse.\n", "type", "v") == '---\nname: x\ntype: "v"\n---\nProse.\n'
    assert with_value("---\nname: x", "type", "v") == '---\nname: x\ntype: "v"\n---\n'


def test_a_key_given_twice_is_set_where_it_counts_and_removed_everywhere() -> None:
    text = "---\nname: a\nz: 1\nname: b\n---\n"
    assert with_value(text, "name", "v") == '---\nname: a\nz: 1\nname: "v"\n---\n'
    assert with_value(text, "name", None) == "---\nz: 1\n---\n"


def test_metadata_in_braces_is_spread_over_lines_in_its_own_words() -> None:
    text = "---\nmetadata: {type: user, tags: [a, b], 'n': 3, t: true, x: *y}\nname: x\n---\n"
    rest = "  tags: [a, b]\n  'n': 3\n  t: true\n  x: *y\n"
    expected = f'---\nmetadata:\n  type: user\n{rest}  new: "v"\nname: x\n---\n'
    assert with_value(text, "metadata.new", "v") == expected
    assert with_value(text, "metadata.type", None) == f"---\nmetadata:\n{rest}name: x\n---\n"
    below = "---\nmetadata:\n  # c\n  {a: {b: 1}, d: [2,\n  3]}\n---\n"
    expected = '---\nmetadata:\n  a: {b: 1}\n  d: [2,\n    3]\n  new: "v"\n---\n'
    assert with_value(below, "metadata.new", "v") == expected


@pytest.mark.parametrize(
    "value", [" imported from notion", "\n- a\n- b", " |\n  two\n  lines", " {[a]: b}", " &x {a: b}"]
)
def test_metadata_that_is_no_mapping_makes_way_and_is_kept(value: str) -> None:
    text = f"---\nmetadata:{value}\nname: x\n---\n"
    expected = f'---\nmetadata_was:{value}\nmetadata:\n  a: "v"\nname: x\n---\n'
    assert with_value(text, "metadata.a", "v") == expected
    assert with_value(text, "metadata.a", None) == text


def test_an_empty_metadata_block_takes_its_first_key() -> None:
    assert (
        with_value("---\nmetadata:\nname: x\n---\n", "metadata.a", "v")
        == '---\nmetadata:\n  a: "v"\nname: x\n---\n'
    )


def test_the_indentation_of_the_block_is_kept() -> None:
    text = "---\nmetadata:\n      type: user\n---\n"
    assert with_value(text, "metadata.new", "v") == '---\nmetadata:\n      type: user\n      new: "v"\n---\n'


def test_an_open_quote_above_cannot_swallow_the_new_line() -> None:
    for opened in ('"never closed', "'never closed"):
        for value in ("", " # x", "x' # y", "'", '"'):
            text = with_value(f"---\ndescription: {opened}\n---\n", "name", value)
            assert parse(text).fields == {"description": opened, "name": value}


LABELS = st.lists(st.sampled_from(["name", "type", "a-b", "metadata", "on"]), max_size=4)
PLAIN_VALUES = st.text(st.sampled_from("ab: #'{-\t\x85é"), max_size=8)


@given(
    LABELS,
    st.none() | LABELS,
    st.sampled_from(
        ["name", "a-b", "on", "metadata", "metadata.name", "metadata.on", "metadata.metadata", "new"]
    ),
    st.none() | st.text(max_size=5),
    st.data(),
)
def test_a_plain_header_reads_as_one_whose_entries_were_told_apart(
    top: list[str], below: list[str] | None, key: str, value: str | None, data: st.DataObject
) -> None:
    lines = [f'{label}: "{data.draw(PLAIN_VALUES)}"\n' for label in top]
    if below is not None:
        lines += ["metadata:\n", *[f'  {label}: "{data.draw(PLAIN_VALUES)}"\n' for label in below]]
    text = f"---\n{''.join(lines)}---\n\nname: body\n---\n"
    comment = "# a line that makes a header no longer plain\n"
    slow = with_value(text.replace("---\n", f"---\n{comment}", 1), key, value)
    assert with_value(text, key, value) == slow.replace(comment, "", 1)
