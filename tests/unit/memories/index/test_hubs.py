"""Nothing falls off the end of a full index: each pointer is in it or in one hub, and hubs are left alone."""

import random
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.memories.index.hubs import (
    HUB_POINTERS,
    Arrangement,
    Hub,
    RankedPointer,
    arrange,
    is_generated,
    new_hub,
    parse_hub,
)
from memdir.memories.index.pointer import Pointer, pointer_line
from memdir.memories.index.text import pointers, targets, with_pointer
from memdir.text.clip import INDEX_CHARACTERS, INDEX_LINES, clip_index

KINDS = ("user", "feedback", "project", "reference", "")


def name(number: int) -> str:
    return f"memory-{number}.md"


def ranked(file: str) -> RankedPointer:
    """Rank by the number in the name: the higher, the later saved."""
    number = int(file.removeprefix("memory-").removesuffix(".md"))
    pointer = Pointer(f"Memory {number}", file, "why one would look at it " * (number % 4))
    return RankedPointer(pointer, KINDS[number % len(KINDS)], (0, number))


def names(numbers: Iterable[int]) -> set[str]:
    return set(map(name, numbers))


def as_read(arrangement: Arrangement) -> list[Hub]:
    return [parse_hub(file, hub.text) for file, hub in arrangement.hubs.items()]


def check(arrangement: Arrangement, files: set[str]) -> None:
    """Every promise that holds for any arrangement."""
    here = [file for file in targets(arrangement.index) if file]
    listed = [file for hub in arrangement.hubs.values() for file in targets(hub.text, below=True) if file]
    assert sorted([*here, *listed]) == sorted([*files, *arrangement.hubs]), "nothing lost, nothing twice"
    for hub in arrangement.hubs.values():
        assert hub == parse_hub(hub.file, hub.text), "a hub knows what its text says"
        assert hub.tidy
        assert hub.files, "an emptied hub vanishes"
    assert set(arrangement.changed) <= set(arrangement.hubs)
    assert not set(arrangement.gone) & set(arrangement.hubs)
    again = arrange(arrangement.index, files, ranked, as_read(arrangement))
    assert again.index == arrangement.index
    assert (again.changed, again.gone) == ({}, ())


def loaded(arrangement: Arrangement) -> set[str]:
    return set(filter(None, targets(clip_index(arrangement.index).content)))


def test_a_small_memory_needs_no_hub() -> None:
    files = names(range(170))
    arrangement = arrange("", files, ranked)
    check(arrangement, files)
    assert not arrangement.hubs
    assert targets(arrangement.index)[0] == name(169), "the most valuable comes first"


def test_the_least_valuable_move_into_lists_by_kind() -> None:
    files = names(range(500))
    arrangement = arrange("", files, ranked)
    check(arrangement, files)
    here = [file for file in targets(arrangement.index) if file in files]
    assert here == [name(number) for number in range(499, 499 - len(here), -1)]
    assert 100 < len(here) < 150
    assert set(arrangement.hubs) == {f"hubs/{kind or 'other'}-1.md" for kind in KINDS}
    held = len(arrangement.hubs["hubs/feedback-1.md"].files)
    line = f"- [More feedback memories (1)](hubs/feedback-1.md) — {held} memories"
    assert line in arrangement.index.splitlines()
    assert "- [More memories without a kind (1)](hubs/other-1.md)" in arrangement.index
    assert arrangement.changed == {file: hub.text for file, hub in arrangement.hubs.items()}


def test_a_hub_is_a_sentence_and_pointers_that_a_viewer_can_follow() -> None:
    arrangement = arrange("", names(range(5_000)), ranked)
    hub = arrangement.hubs["hubs/user-2.md"]
    first, blank, *lines = hub.text.splitlines()
    assert first.startswith("More user memories, ")
    assert blank == ""
    assert len(lines) == HUB_POINTERS == INDEX_LINES - 2
    assert all("](../memory-" in line for line in lines)
    assert hub.text.endswith("\n")


def test_saves_go_into_the_index_and_rarely_touch_a_hub() -> None:
    files = names(range(1_000))
    now = arrange("", files, ranked)
    written = []
    for number in range(1_000, 1_100):
        files.add(name(number))
        index = with_pointer(now.index, ranked(name(number)).pointer)
        now = arrange(index, files, ranked, now.hubs.values())
        assert name(number) in targets(now.index)
        written.append(len(now.changed))
    check(now, files)
    assert sum(map(bool, written)) <= 5
    assert max(written) <= 10


def test_a_memory_saved_again_leaves_its_hub() -> None:
    files = names(range(1_000))
    before = arrange("", files, ranked)
    assert name(3) not in targets(before.index)
    index = with_pointer(before.index, ranked(name(3)).pointer)
    after = arrange(index, files, ranked, before.hubs.values())
    check(after, files)
    assert name(3) in targets(after.index)
    assert len(after.changed) == 1
    assert f"{len(before.hubs['hubs/reference-1.md'].files) - 1} memories" in after.index


def test_a_forgotten_memory_leaves_its_hub_and_an_empty_hub_vanishes() -> None:
    files = names(range(400))
    before = arrange("", files, ranked)
    hub = before.hubs["hubs/other-1.md"]
    one = arrange(before.index, files - {min(hub.files)}, ranked, before.hubs.values())
    assert (list(one.changed), one.gone) == ([hub.file], ())
    assert min(hub.files) not in one.changed[hub.file]
    left = files - hub.files
    after = arrange(before.index, left, ranked, before.hubs.values())
    check(after, left)
    assert after.gone == (hub.file,)
    assert hub.file not in after.index
    assert not after.changed, "the others keep their bytes"


def test_hubs_stay_when_there_is_room_again() -> None:
    files = names(range(400))
    before = arrange("", files, ranked)
    left = files - {file for file in targets(before.index) if file in files}
    after = arrange(before.index, left, ranked, before.hubs.values())
    check(after, left)
    assert after.hubs == before.hubs


def test_a_deleted_index_is_rebuilt_beside_its_hubs() -> None:
    files = names(range(5_000))
    before = arrange("", files, ranked)
    after = arrange("", files, ranked, before.hubs.values())
    check(after, files)
    assert clip_index(after.index).cut == 0
    assert before.hubs.keys() <= after.hubs.keys()


def test_a_person_keeps_words_and_order() -> None:
    files = names(range(300))
    own = "* **[My own](memory-299.md)**: words of mine"
    moved = "* [Also mine](memory-0.md): but old"
    text = f"# Mine\n\n{moved}\n{own}\n\nMore words.\n"
    arrangement = arrange(text, files, ranked)
    check(arrangement, files)
    assert arrangement.index.startswith(f"# Mine\n\n{own}\n")
    assert arrangement.index.endswith("\n\nMore words.\n")
    assert "- [Also mine](../memory-0.md) — but old" in arrangement.hubs["hubs/user-1.md"].text


def test_a_persons_words_for_a_hub_stay_and_ours_are_kept_current() -> None:
    files = names(range(400))
    before = arrange("", files, ranked)
    ours = next(line for line in before.index.splitlines() if "hubs/user-1" in line)
    index = before.index.replace(ours, "- [Old things](hubs/user-1.md): rarely needed")
    gone = {min(before.hubs["hubs/user-1.md"].files), min(before.hubs["hubs/feedback-1.md"].files)}
    after = arrange(index, files - gone, ranked, before.hubs.values())
    check(after, files - gone)
    assert "- [Old things](hubs/user-1.md): rarely needed" in after.index
    assert f"{len(after.hubs['hubs/feedback-1.md'].files)} memories" in after.index


def test_hubs_that_disagree_are_united() -> None:
    files = names(range(6))
    line = pointer_line(ranked(name(1)).pointer, below=True)
    other = pointer_line(ranked(name(2)).pointer, below=True)
    ours = new_hub("user", ()).text
    hubs = [
        parse_hub("hubs/user-1.md", f"{ours}\n{line}\n{line}\n- [Gone](../gone.md)\n"),
        parse_hub("hubs/user-2.md", f"{ours}\n{line}\n{other}\n"),
        parse_hub("hubs/user-3.md", f"{ours}\n{line}\n"),
    ]
    arrangement = arrange("- [Two](memory-2.md)\n", files, ranked, hubs)
    check(arrangement, files)
    assert arrangement.hubs.keys() == {"hubs/user-1.md"}
    assert arrangement.gone == ("hubs/user-2.md", "hubs/user-3.md")
    assert arrangement.hubs["hubs/user-1.md"].text == f"{ours}\n{line}\n"


def test_an_emptied_hub_with_a_persons_words_stays() -> None:
    files = names(range(400))
    before = arrange("", files, ranked)
    hub = before.hubs["hubs/other-1.md"]
    worded = parse_hub(hub.file, f"# Mine\n{hub.text}  and a note\n")
    hubs = [worded if one.file == hub.file else one for one in as_read(before)]
    left = files - hub.files
    after = arrange(before.index, left, ranked, hubs)
    assert after.gone == ()
    assert after.hubs[hub.file].text == f"# Mine\n{new_hub('other', ()).text}\n  and a note\n"
    assert f"({hub.file}) — 0 memories" in after.index
    again = arrange(after.index, left, ranked, as_read(after))
    assert (again.index, again.changed, again.gone) == (after.index, {}, ())


def test_a_file_that_is_not_ours_keeps_its_name_and_the_lines_that_lead_to_it() -> None:
    files = names(range(400))
    own = "- [My list](hubs/user-1.md): by hand"
    arrangement = arrange(f"# Mine\n{own}\n", files, ranked, others={"hubs/user-1.md"})
    assert own in arrangement.index.split("\n")
    assert "hubs/user-1.md" not in arrangement.hubs
    assert "hubs/user-2.md" in arrangement.hubs


@pytest.mark.parametrize(
    ("file", "text", "ours"),
    [
        ("hubs/user-1.md", new_hub("user", ()).text, True),
        ("hubs/user-1.md", "# Above it\r\n" + new_hub("user", ()).text, True),
        ("hubs/user-1.md", " \n", True),
        ("hubs/user-1.md", "- [A](../memory-1.md)\n", False),
        ("hubs/user-1.md", new_hub("project", ()).text, False),
        ("hubs/user.md", new_hub("user", ()).text, False),
        ("hubs/mine.md", "", False),
    ],
)
def test_a_hub_is_ours_by_its_name_and_our_sentence(file: str, text: str, ours: bool) -> None:
    assert is_generated(file, text) is ours


@pytest.mark.parametrize("size", [30_000, 70_000])
def test_hubs_grow_longer_when_there_are_too_many_of_them(size: int) -> None:
    files = names(range(size))
    arrangement = arrange("", files, ranked)
    check(arrangement, files)
    assert len(arrangement.hubs) <= INDEX_LINES * 0.75
    assert max(len(hub.files) for hub in arrangement.hubs.values()) > HUB_POINTERS
    assert loaded(arrangement) >= arrangement.hubs.keys()
    newest = name(size)
    index = with_pointer(arrangement.index, ranked(newest).pointer)
    after = arrange(index, files | {newest}, ranked, arrangement.hubs.values())
    assert newest in targets(after.index)


@pytest.mark.parametrize("prose", ["Words of mine.\n" * 230, f"{'words ' * 40}\n" * 120, "x" * 26_000])
def test_prose_that_is_too_long_stays_and_hides_no_memory(prose: str) -> None:
    files = names(range(400))
    arrangement = arrange(prose, files, ranked)
    check(arrangement, files)
    assert prose.rstrip("\n") in arrangement.index
    assert loaded(arrangement) == set(arrangement.hubs)


@pytest.mark.parametrize("lines", [0, 100, 170, 193])
def test_prose_that_just_fits_pushes_no_hub_out(lines: int) -> None:
    files = names(range(400))
    arrangement = arrange("Words of mine.\n" * lines, files, ranked)
    check(arrangement, files)
    assert loaded(arrangement) >= set(arrangement.hubs)


def test_line_ends_of_a_long_text_stay() -> None:
    arrangement = arrange("Words of mine.\r\n" * 230, names(range(9)), ranked)
    assert arrangement.index.count("\n") == arrangement.index.count("\r\n")
    check(arrangement, names(range(9)))


def test_pinned_memories_stay_in_the_index() -> None:
    files = names(range(600))

    def pinned(file: str) -> RankedPointer:
        rank = ranked(file)
        return RankedPointer(rank.pointer, rank.kind, (float(file == name(5)), *rank.value))

    assert name(5) in targets(arrange("", files, pinned).index)


def test_ranks_are_asked_for_only_when_they_decide_something() -> None:
    files = names(range(2_000))
    before = arrange("", files, ranked)
    asked: list[str] = []

    def counted(file: str) -> RankedPointer:
        asked.append(file)
        return ranked(file)

    arrange(before.index, files, counted, before.hubs.values())
    assert asked == []
    arrange(before.index, files | {name(2_000)}, counted, before.hubs.values())
    assert asked == [name(2_000)]


lines = st.sampled_from(
    ["# Head", "", "Words.", "- [Gone](gone.md)", "- [Hub](hubs/x-1.md)", "w" * 900, "```"]
)


@settings(max_examples=settings().max_examples // 2)
@given(
    st.lists(st.tuples(lines, st.integers(1, 60)), max_size=6),
    st.lists(st.tuples(st.integers(0, 700), st.integers(0, 700), st.booleans()), min_size=1, max_size=5),
    st.randoms(use_true_random=False),
    st.sampled_from(["\n", "\r\n"]),
)
def test_whatever_comes_and_goes_nothing_is_lost_and_limits_are_kept(
    prose: list[tuple[str, int]], steps: list[tuple[int, int, bool]], chance: random.Random, end: str
) -> None:
    index = "".join(line + end for line, times in prose for _ in range(times))
    hubs: list[Hub] = []
    for first, size, damaged in steps:
        files = names(range(first, first + size))
        arrangement = arrange(index, files, ranked, hubs)
        check(arrangement, files)
        clipped = clip_index(arrangement.index)
        moveable = [file for file in targets(arrangement.index) if file in files]
        assert clipped.lines <= INDEX_LINES * 0.9 or not moveable
        assert clipped.characters <= INDEX_CHARACTERS * 0.9 or not moveable
        assert all(len(hub.text.splitlines()) <= INDEX_LINES for hub in arrangement.hubs.values())
        assert loaded(arrangement) >= set(arrangement.hubs)
        kept = [line for line in index.splitlines() if line.strip() and "](" not in line]
        left = arrangement.index.splitlines()
        assert [line for line in left if line.strip() and not line.startswith("- [")] == kept
        index, hubs = arrangement.index, as_read(arrangement)
        if damaged:
            rest = index.split("\n")
            index = "\n".join(rest[: chance.randint(0, len(rest))])
            hubs = chance.sample(hubs, chance.randint(0, len(hubs)))


def test_hubs_are_read_whichever_way_their_links_go() -> None:
    hub = parse_hub("hubs/user-1.md", "Words\n\n- [A](../a.md)\n- [B](b.md) — hook\n")
    assert hub.files == {"a.md", "b.md"}
    assert [pointer.hook for _, pointer in pointers(hub.text, below=True)] == ["", "hook"]
