"""Which pointers stay in a full index, and which move into hubs that it points at.

Every memory has exactly one pointer, in the index or in one hub, so it is at most two hops from the loaded
text. A pointer moves only from the index into a hub, in batches, and stays there until its memory is
forgotten or saved again: most saves touch no hub, and hubs keep their bytes.

When hubs alone would fill three quarters of the index (at about 30,000 memories), the existing ones grow
longer than 200 lines instead: a longer list is read in two steps, but a third hop is not taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import count as count_from
from operator import attrgetter

from memdir.memories.index.pointer import Pointer, pointer_line, targets_in
from memdir.memories.index.text import (
    HUB_FOLDER,
    append_pointers,
    lines_with_targets,
    pointer_lines,
    pointers,
    prune,
    targets,
    without,
)
from memdir.text.clip import INDEX_CHARACTERS, INDEX_LINES, utf16_length
from memdir.text.numbers import count
from memdir.text.value import value_class

__all__ = [
    "HUB_POINTERS",
    "Arrangement",
    "Hub",
    "RankedPointer",
    "arrange",
    "fits",
    "hub_pointer",
    "is_generated",
    "new_hub",
    "parse_hub",
    "with_one_pointer",
]

HUB_POINTERS = 198
"""Pointers in a hub: with its sentence and a blank line that makes 200 lines, as long as an index may be."""

NO_KIND = "other"
"""What stands for the kind in the name of a hub for memories without one."""

_NAME = re.compile(rf"{re.escape(HUB_FOLDER)}(.+?)(?:-(\d+))?\.md")


@value_class(frozen=True, slots=True)
class Hub:
    """A hub as it was read, or as it is to be written; keep it between calls, for parsing is what costs."""

    file: str
    text: str
    files: frozenset[str]
    tidy: bool = True
    """Whether it points at each file once."""

    @property
    def kind(self) -> str:
        """The kind of what it lists, as its name tells."""
        match = _NAME.fullmatch(self.file)
        return match[1] if match else self.file


def is_generated(file: str, text: str) -> bool:
    """Tell whether a file among the hubs is one that we made, by its name and our sentence in it."""
    match = _NAME.fullmatch(file)
    return bool(match and match[2] and (_sentence(match[1]) in text or not text.strip()))


def has_words(hub: Hub) -> bool:
    """Tell whether a person wrote something into a hub beside its pointers."""
    return bool(prune(hub.text, lambda _: False, below=True).text.replace(_sentence(hub.kind), "").strip())


def parse_hub(file: str, text: str) -> Hub:
    """Return a hub from its text."""
    found = [target for target in targets(text, below=True) if target]
    files = frozenset(found)
    return Hub(file, text, files, tidy=len(files) == len(found))


def new_hub(kind: str, taken: Container[str]) -> Hub:
    """Return an empty hub for a kind, with the first number that is free."""
    names = (f"{HUB_FOLDER}{kind}-{number}.md" for number in count_from(1))
    file = next(name for name in names if name not in taken)
    return Hub(file, _sentence(kind) + "\n", frozenset())


def hub_pointer(hub: Hub) -> Pointer:
    """Return what the index says about this hub."""
    match = _NAME.fullmatch(hub.file)
    number = f" ({match[2]})" if match and match[2] else ""
    return Pointer(_title(hub.kind) + number, hub.file, count(len(hub.files), "memory"))


def _sentence(kind: str) -> str:
    return f"{_title(kind)}, listed here so that MEMORY.md stays short enough to be loaded whole."


def _title(kind: str) -> str:
    return "More memories without a kind" if kind == NO_KIND else f"More {kind} memories"


_FULL = 0.9
"""Share of a limit at which pointers move out: the rest is slack for what a person or a host adds by hand."""

_AFTER_MOVE = 0.75
"""Share of a limit that is left after a move, so that dozens of saves go by before the next one."""

_FEWEST_HUBS = 8
"""Hubs that may exist however little room there is: one for each kind, one for none, and a few more."""

_GROWTH = 100
"""Pointers by which hubs grow beyond their size, so that a batch goes into one of them and not into all."""

_HUB_LINE = 90
"""Characters reserved for the line that points at a hub; the longest has about 80."""


@value_class(frozen=True, slots=True)
class RankedPointer:
    """A memory's pointer, and what decides where it stands."""

    pointer: Pointer
    kind: str | None
    value: tuple[float, ...]
    """Compared as tuples, larger is more valuable: for example (pinned, saved or recalled at)."""


@value_class(frozen=True, slots=True)
class Arrangement:
    """Index and hubs as they should be. To lose nothing write `changed`, then `index`, then remove `gone`."""

    index: str
    hubs: dict[str, Hub]
    """All that should exist, by file."""
    changed: dict[str, str]
    """The texts of those that are new or different."""
    gone: tuple[str, ...]


def arrange(
    index: str,
    files: AbstractSet[str],
    ranked: Callable[[str], RankedPointer],
    hubs: Iterable[Hub] = (),
    others: AbstractSet[str] = frozenset(),
    *,
    weighed: Callable[[RankedPointer], RankedPointer] = lambda rank: rank,
) -> Arrangement:
    """Return where the pointers to these files belong, given the index and the hubs as they are.

    `ranked` is asked only about files without a pointer and, when the index is full, about those in it; only
    then `weighed` may change what they are worth. Give what was just saved a line in the index first
    (`with_pointer`): a file in both places leaves its hub. `others` are files among the hubs that are not
    ours: neither they nor lines that lead to them are touched.
    """
    known = {hub.file: hub for hub in sorted(hubs, key=lambda hub: hub.file)}
    rest = prune(index, lambda file: file in files or file in known or file in others)
    here = [file for file in rest.present if file not in known and file not in others]
    kept = _prune_hubs(known, files, frozenset(here))
    missing = list[RankedPointer]()
    if len(files) != len(here) + sum([len(hub.files) for hub in kept.values()]):
        placed = frozenset(here).union(*[hub.files for hub in kept.values()])
        missing = sorted([ranked(file) for file in files - placed], key=_RANK, reverse=True)
    start = _with_hub_lines(rest.text, kept, others) if kept or HUB_FOLDER in rest.text else rest.text
    text = append_pointers(start, [rank.pointer for rank in missing[: INDEX_LINES + 1]])
    if not fits(text, _FULL):
        there = [weighed(ranked(file)) for file in here]
        text, kept = _move_into_hubs(start, there, list(map(weighed, missing)), kept, others)
    return Arrangement(
        index=text,
        hubs=kept,
        changed={file: hub.text for file, hub in kept.items() if hub is not known.get(file)},
        gone=tuple([file for file in known if file not in kept]),
    )


_RANK = attrgetter("value", "pointer.file")
_COUNTED = re.compile(r"\d+ memor(?:y|ies)\s*\Z")


def fits(text: str, share: float = 1) -> bool:
    """Tell whether a text stays within this share of the limits of an index."""
    whole = text.strip()
    return whole.count("\n") < INDEX_LINES * share and utf16_length(whole) <= INDEX_CHARACTERS * share


def _prune_hubs(known: Mapping[str, Hub], files: AbstractSet[str], here: frozenset[str]) -> dict[str, Hub]:
    """Return the hubs without what is forgotten, listed twice or in the index."""
    listed = frozenset[str]().union(*[hub.files for hub in known.values()])
    out = (listed - files) | (listed & here)
    twice = sum([len(hub.files) for hub in known.values()]) != len(listed)
    seen = set[str]()
    kept: dict[str, Hub] = {}
    for file, hub in known.items():
        left = hub.files - seen if twice else hub.files
        left = left if left.isdisjoint(out) else left - out
        if left or has_words(hub):
            same = hub.tidy and len(left) == len(hub.files)
            kept[file] = hub if same else Hub(file, prune(hub.text, left.__contains__, below=True).text, left)
        if twice:
            seen |= left
    return kept


def _move_into_hubs(
    text: str,
    here: Sequence[RankedPointer],
    missing: Sequence[RankedPointer],
    hubs: Mapping[str, Hub],
    others: AbstractSet[str],
) -> tuple[str, dict[str, Hub]]:
    """Return index and hubs, with the least valuable pointers taken out of the index."""
    order = sorted([*here, *missing], key=_RANK, reverse=True)
    lines = pointer_lines(text)
    prose = "\n".join([line for line, file in lines_with_targets(text) if not file])
    most = max(_FEWEST_HUBS, int(INDEX_LINES * _AFTER_MOVE) - prose.count("\n"))
    going = order[_count_kept(prose, order, lines, hubs, most) :]
    out = {rank.pointer.file for rank in going}
    filled = _fill_hubs(hubs, _group_by_kind(text, going, lines), most, others)
    text = append_pointers(
        without(text, out), [rank.pointer for rank in missing if rank.pointer.file not in out]
    )
    text = _with_hub_lines(text, filled, others)
    return text if fits(text) else _hubs_on_top(text), filled


def _group_by_kind(
    text: str, going: Sequence[RankedPointer], lines: Mapping[str, str]
) -> dict[str, list[Pointer]]:
    """Return the pointers by kind, in the words of the line if a person worded it."""
    words = {pointer.file: pointer for _, pointer in pointers(text)}
    groups: dict[str, list[Pointer]] = {}
    for rank in going:
        file = rank.pointer.file
        ours = file not in words or lines[file].rstrip("\r") == pointer_line(rank.pointer)
        groups.setdefault(rank.kind or NO_KIND, []).append(rank.pointer if ours else words[file])
    return groups


def _count_kept(
    prose: str, order: Sequence[RankedPointer], lines: Mapping[str, str], hubs: Mapping[str, Hub], most: int
) -> int:
    """Return how many of the most valuable pointers the index keeps."""
    best = order[:INDEX_LINES]
    costs = [utf16_length(lines.get(rank.pointer.file) or pointer_line(rank.pointer)) + 1 for rank in best]
    cost = sum(costs)
    prose_lines, prose_characters = prose.count("\n") + 2, utf16_length(prose) + 2
    counts = _counts_by_kind(hubs)
    going = Counter([rank.kind or NO_KIND for rank in order[INDEX_LINES:]])
    for number in range(len(best), 0, -1):
        hub_lines = sum(_hub_numbers(counts, going, most).values())
        fixed = prose_characters + hub_lines * _HUB_LINE
        if number <= _room(prose_lines + hub_lines, INDEX_LINES) and cost <= _room(fixed, INDEX_CHARACTERS):
            return number
        going[best[number - 1].kind or NO_KIND] += 1
        cost -= costs[number - 1]
    return 0


def _room(fixed: int, limit: int) -> float:
    """Return how much room a move leaves for pointers beside lines that cannot move."""
    return max(limit * _AFTER_MOVE - fixed, (limit * _FULL - fixed) / 2)


def _counts_by_kind(hubs: Mapping[str, Hub]) -> dict[str, tuple[int, int]]:
    """Return for each kind how many hubs and how many pointers in them there are."""
    counts: dict[str, tuple[int, int]] = {}
    for hub in hubs.values():
        number, held = counts.get(hub.kind, (0, 0))
        counts[hub.kind] = number + 1, held + len(hub.files)
    return counts


def _hub_numbers(
    counts: Mapping[str, tuple[int, int]], going: Mapping[str, int], most: int
) -> dict[str, int]:
    """Return how many hubs each kind has when these are added, within the most that may exist."""
    wanted: dict[str, int] = {}
    for kind in counts.keys() | going.keys():
        number, held = counts.get(kind, (0, 0))
        wanted[kind] = max(number, -(-(held + going.get(kind, 0)) // HUB_POINTERS))
    total = sum(wanted.values())
    if total <= most:
        return wanted
    return {kind: max(counts.get(kind, (1, 0))[0], number * most // total) for kind, number in wanted.items()}


def _fill_hubs(
    hubs: Mapping[str, Hub], going: Mapping[str, Sequence[Pointer]], most: int, others: AbstractSet[str]
) -> dict[str, Hub]:
    """Return the hubs with these pointers added, in as few of them as possible."""
    numbers = _hub_numbers(_counts_by_kind(hubs), {kind: len(group) for kind, group in going.items()}, most)
    filled = dict(hubs)
    for kind, group in going.items():
        mine = {file: hub for file, hub in hubs.items() if hub.kind == kind}
        held = len(group) + sum([len(hub.files) for hub in mine.values()])
        beyond = max(0, held - numbers[kind] * HUB_POINTERS)
        size = HUB_POINTERS + -(-beyond // (numbers[kind] * _GROWTH)) * _GROWTH
        rest = list(group)
        while rest:
            hub = min(mine.values(), key=lambda hub: len(hub.files), default=None)
            if hub is None or len(hub.files) >= size:
                hub = new_hub(kind, filled.keys() | others)
            room = size - len(hub.files)
            batch, rest = rest[:room], rest[room:]
            text, files = append_pointers(hub.text, batch, below=True), {one.file for one in batch}
            mine[hub.file] = filled[hub.file] = Hub(hub.file, text, hub.files | files)
    return dict(sorted(filled.items()))


def _with_hub_lines(text: str, hubs: Mapping[str, Hub], others: AbstractSet[str]) -> str:
    """Return the index with one line for each hub that tells how much it holds."""
    gone = {file for file in targets(text) if file.startswith(HUB_FOLDER)} - hubs.keys() - others
    text = without(text, gone) if gone else text
    lines, files = text.split("\n"), targets(text)
    for number, file in enumerate(files):
        if file in hubs and _COUNTED.search(lines[number]):
            end = "\r" if lines[number].endswith("\r") else ""
            lines[number] = pointer_line(hub_pointer(hubs[file])) + end
    unlisted = [hub_pointer(hub) for file, hub in hubs.items() if file not in files]
    return append_pointers("\n".join(lines), unlisted)


def _hubs_on_top(text: str) -> str:
    """Return a text that is too long with its hubs first, where they are loaded whatever is cut off below."""
    pairs = lines_with_targets(text)
    top = [line.rstrip("\r") for line, file in pairs if file.startswith(HUB_FOLDER)]
    rest = "\n".join([line for line, file in pairs if not file.startswith(HUB_FOLDER)]).lstrip("\r\n")
    end = "\r\n" if rest.partition("\n")[0].endswith("\r") else "\n"
    return end.join([*top, "", rest]) if top else text


def with_one_pointer(text: str, pointer: Pointer, previous: Pointer | None) -> str | None:
    """Return an index that is in step with one more memory in it, or with one worded anew.

    The answer is what `with_pointer` and `arrange` make of it, without a look at the other pointers. None
    where those have to decide: the line is in a hub or a person's, something may hide it, or room is short.
    """
    if any(sign[0] in text and sign in text for sign in _HIDING):  # one letter is found much faster
        return None
    new = _with_new(text, pointer) if previous is None else _reword_line(text, pointer, previous)
    return new if new is not None and fits(new, _FULL) else None


_HIDING = ("\r", "```", "~~~", "<!--")
"""Signs that can hide a line or its end: without them each line is what it looks like."""


def _with_new(text: str, pointer: Pointer) -> str | None:
    """Return the text with a line after the last memory; None unless only hubs follow that one."""
    lines = text.split("\n")
    at = len(lines)
    while at and (not lines[at - 1] or targets_in(lines[at - 1])[0].startswith(HUB_FOLDER)):
        at -= 1
    if not at or not targets_in(lines[at - 1])[0]:
        return None
    return "\n".join([*lines[:at], pointer_line(pointer), *lines[at:]])


def _reword_line(text: str, pointer: Pointer, previous: Pointer) -> str | None:
    """Return the text with the line of a memory as it should be now; None unless it stands as we wrote it."""
    old, new = pointer_line(previous), pointer_line(pointer)
    before, found, after = f"\n{text}\n".partition(f"\n{old}\n")
    if not found or pointer.file != previous.file or targets_in(old) != [pointer.file]:
        return None
    return f"{before}\n{new}\n{after}"[1:-1]
