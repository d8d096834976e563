"""An index in step changed by one line reads as if every pointer had been compared with every file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.memories.index.hubs import Hub, RankedPointer, arrange, parse_hub, with_one_pointer
from memdir.memories.index.pointer import Pointer
from memdir.memories.index.text import with_pointer

WORDS = st.text(st.sampled_from("ab `~<!->—é[](\\/.\n\0\ufeff"), max_size=30)
PROSE = st.sampled_from(
    [
        "",
        "# Ours\n\n",
        "Read this first.\n",
        "---\na: b\n",
        "- a list of their own\n",
        "```\nx\n```\n",
        "<!-- x -->\n",
    ]
)
AFTER = st.sampled_from(
    ["", "\n", "  below the last one\n", "A closing word.\n", "- see [it](https://a.example)\n"]
)


def pointer(number: int, words: str = "why one would look") -> Pointer:
    return Pointer(f"Memory {number}", f"user_memory-{number}.md", words)


def index_of(count: int, before: str = "", after: str = "") -> tuple[str, dict[str, Pointer], list[Hub]]:
    """Return an index that is in step, its pointers and its hubs."""
    known = {one.file: one for one in map(pointer, range(count))}
    text, hubs = before, list[Hub]()
    for more in (after, ""):
        plan = arrange(text, known.keys(), lambda file: ranked(known[file]), hubs)
        text, hubs = plan.index + more, [parse_hub(file, hub.text) for file, hub in plan.hubs.items()]
    return text, known, hubs


def ranked(one: Pointer) -> RankedPointer:
    number = int(one.file.removeprefix("user_memory-").removesuffix(".md"))
    return RankedPointer(one, "user", (number,))


def compared(text: str, known: dict[str, Pointer], hubs: list[Hub], new: Pointer) -> tuple[str, bool]:
    """Return the index by way of all pointers, and whether a hub changed."""
    previous = known.get(new.file)
    asked = with_pointer(text, new, previous=previous) if previous else text
    now = {**known, new.file: new}
    plan = arrange(asked, now.keys(), lambda file: ranked(now[file]), hubs)
    return plan.index, bool(plan.changed or plan.gone)


@given(st.sampled_from([0, 1, 5, 178, 179, 180, 181, 400]), PROSE, AFTER, st.data())
def test_the_short_way_and_the_long_one_agree(
    count: int, before: str, after: str, data: st.DataObject
) -> None:
    text, known, hubs = index_of(count, before, after)
    new = pointer(data.draw(st.integers(0, count)), data.draw(WORDS))
    short = with_one_pointer(text, new, known.get(new.file))
    assert short is None or (short, False) == compared(text, known, hubs, new)


@pytest.mark.parametrize("count", [1, 150, 400])
def test_one_more_memory_needs_no_comparison(count: int) -> None:
    text, known, hubs = index_of(count, "# Ours\n\n")
    short = with_one_pointer(text, pointer(count), None)
    assert (short, False) == compared(text, known, hubs, pointer(count))


@pytest.mark.parametrize("words", ["", "other words", "a `word` in code", "why one would look"])
def test_other_words_for_a_memory_need_no_comparison(words: str) -> None:
    text, known, hubs = index_of(400, "# Ours\n\n")
    new = pointer(399, words)
    assert (with_one_pointer(text, new, known[new.file]), False) == compared(text, known, hubs, new)


@pytest.mark.parametrize("before", ["```\nx\n```\n", "~~~\nx\n~~~\n", "<!-- x -->\n", "windows\r\n"])
def test_what_may_hide_a_line_takes_the_long_way(before: str) -> None:
    text, known, _ = index_of(5, before)
    assert with_one_pointer(text, pointer(5), None) is None
    assert with_one_pointer(text, pointer(4, "new"), known[pointer(4).file]) is None


def test_so_does_a_line_that_a_person_worded_or_that_is_in_a_hub() -> None:
    text, known, _ = index_of(400)
    assert with_one_pointer(text, pointer(0, "new"), known[pointer(0).file]) is None, "in a hub"
    worded = text.replace("[Memory 399]", "[Mine]")
    assert with_one_pointer(worded, pointer(399, "new"), known[pointer(399).file]) is None


def test_so_does_an_index_without_room_or_without_pointers() -> None:
    text, _, _ = index_of(180)
    assert with_one_pointer(text, pointer(180), None) is None
    assert with_one_pointer("", pointer(0), None) is None
    assert with_one_pointer("Only words.\n", pointer(0), None) is None
    assert with_one_pointer(index_of(3)[0] + "A closing word.\n", pointer(3), None) is None
