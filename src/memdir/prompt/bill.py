"""The bill of a context: what each part costs, and what could be trimmed, the greatest saving first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from memdir.prompt.context import Context, Part
from memdir.text.clip import INDEX_CHARACTERS, INDEX_LINES, near_limits, shorten, tokens, utf16_length
from memdir.text.repeats import Repeat
from memdir.text.value import value_class

__all__ = [
    "WINDOW",
    "Bill",
    "BilledFile",
    "BilledPart",
    "Facts",
    "Saving",
    "Size",
    "WaitingRule",
    "bill_of",
]

WINDOW = 200_000
"""Tokens of a window where nobody says how large it is: what most models offer."""


@value_class(frozen=True, slots=True)
class BilledFile:
    """A file whose text is a part of the context."""

    path: str
    layer: str
    text: str
    importer: str = ""
    always: bool = False
    """Whether it is a rule that is loaded whatever is touched."""


@value_class(frozen=True, slots=True)
class WaitingRule:
    """A rule that costs nothing until a file is touched that it is for."""

    path: str
    globs: tuple[str, ...]
    tokens: int
    """Estimated by the size of the file, its header included."""


@value_class(frozen=True, slots=True)
class Size:
    """How long a file may be before it should be split."""

    lines: int
    characters: int


@value_class(frozen=True, slots=True)
class Facts:
    """What is known about the texts besides the texts."""

    recommended: Size
    files: tuple[BilledFile, ...] = ()
    later: tuple[WaitingRule, ...] = ()
    left_out: int = 0
    """Files that are not loaded for other reasons than that they wait."""
    compact: int | None = None
    """Tokens of the mechanics in their compact form; None when that is told already, or unwanted."""
    settings: str = ""
    """The file with the settings that could choose the compact form."""
    repeated: tuple[Repeat, ...] = ()


@value_class(frozen=True, slots=True)
class BilledPart:
    """One part of the context as the bill lists it."""

    part: Part
    file: BilledFile | None = None
    """The file it comes from, if it comes from one."""

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return self.part.text.count("\n") + 1


@value_class(frozen=True, slots=True)
class Saving:
    """One thing that could be trimmed."""

    code: str
    """compact, repeated, rule, size or index."""
    tokens: int
    """About how many fewer every conversation would take."""
    advice: str
    paths: tuple[str, ...] = ()
    """The files that it is about."""


@value_class(frozen=True, slots=True)
class Bill:
    """What a conversation is told at its start, what that costs, and what would cost less."""

    window: int
    told: tuple[BilledPart, ...]
    later: tuple[WaitingRule, ...]
    left_out: int
    savings: tuple[Saving, ...]

    @property
    def tokens(self) -> int:
        """The sum of all parts."""
        return sum(one.part.tokens for one in self.told)


def bill_of(context: Context, facts: Facts, window: int = WINDOW) -> Bill:
    """Return the bill of a context, given what is known about its texts."""
    files = {file.path: file for file in facts.files}
    told = tuple([BilledPart(part, files.get(part.name)) for part in context.parts])
    found = [*_compact(told, facts), *_repetition_savings(facts.repeated), *_by_file(told, facts)]
    savings = sorted(found, key=lambda saving: -saving.tokens)
    return Bill(window, told, facts.later, facts.left_out, tuple(savings))


_COMPACT = '"compactPrompt": "on" tells how memory works in its compact form'
_SAID_ONCE = "each says the same {count} sentences; once is enough"
_SAID_ONCE_ONE = 'each says "{sentence}"; once is enough'
_RULE = "always loaded, and names {named}; if it is for such files only, say so under `paths:`"
_SPLIT = "{lines:,} lines, {characters:,} characters; split it by subject into rules with `paths:`"
_INDEX = "{share:.0%} of what is loaded of an index; forget what no longer holds, shorten its lines"
"""How each proposal goes on after the names of its files."""

_NEAR = 0.8
"""Share of the index's limits that it should stay under; from there on writers are warned too."""

_NAMED = re.compile(r"`(?P<code>[^`\s]*)`|(?<![\w/.*])(?P<glob>\*{1,2}(?:/[\w.*/-]+|\.\w+))")
_WORDS = 60
"""Characters of a sentence that are quoted: enough to find it."""


def _compact(told: Sequence[BilledPart], facts: Facts) -> Iterator[Saving]:
    """Propose the compact form where it is shorter."""
    full = sum(one.part.tokens for one in told if one.part.slot == "mechanics")
    if facts.compact is not None and full > facts.compact:
        yield Saving("compact", full - facts.compact, _COMPACT, (facts.settings,))


def _repetition_savings(repeated: Iterable[Repeat]) -> Iterator[Saving]:
    """Propose to say things once; sentences that the same files share are one proposal."""
    by_files: dict[tuple[str, ...], list[str]] = {}
    for one in repeated:
        by_files.setdefault(one.places, []).append(one.sentence)
    for paths, sentences in by_files.items():
        saved = sum(map(tokens, sentences)) * (len(paths) - 1)
        advice = _SAID_ONCE.format(count=len(sentences))
        if len(sentences) == 1:
            advice = _SAID_ONCE_ONE.replace("{sentence}", shorten(sentences[0], _WORDS))
        yield Saving("repeated", saved, advice, paths)


def _by_file(told: Iterable[BilledPart], facts: Facts) -> Iterator[Saving]:
    """Propose what to do about single files; of what an organisation decides, nothing."""
    for one in told:
        file = one.file
        if file is None or file.layer == _MANAGED:
            continue
        if one.part.slot in _INDEXES:
            yield from _index(file, one.part)
        elif file.always and (named := _files_named(file.text)):
            yield Saving("rule", one.part.tokens, _RULE.replace("{named}", named), (file.path,))
        else:
            yield from _too_long(file, facts.recommended)


_MANAGED = "managed"
_INDEXES = frozenset({"index", "team_index"})


def _files_named(text: str) -> str:
    """Return the first glob or folder that a text names, as a sign that it is about certain files."""
    for found in _NAMED.finditer(text):
        name = found["code"] or found["glob"] or ""
        if "://" not in name and (_GLOB.search(name) or (len(name) > 1 and name.endswith("/"))):
            return name
    return ""


_GLOB = re.compile(r"\*\.\w|\*/|/\*")


def _too_long(file: BilledFile, recommended: Size) -> Iterator[Saving]:
    """Propose to split a file; what exceeds the recommended size need not be loaded always."""
    lines, characters = file.text.count("\n") + 1, len(file.text)
    over = max(1 - recommended.lines / lines, 1 - recommended.characters / max(characters, 1))
    if over > 0:
        advice = _SPLIT.format(lines=lines, characters=characters)
        yield Saving("size", max(round(tokens(file.text) * over), 1), advice, (file.path,))


def _index(file: BilledFile, part: Part) -> Iterator[Saving]:
    """Propose to tidy an index before lines of it are lost."""
    if near_limits(file.text) is not None:
        lines, characters = file.text.count("\n") + 1, utf16_length(file.text)
        share = max(lines / INDEX_LINES, characters / INDEX_CHARACTERS)
        saved = max(round(part.tokens * (1 - _NEAR / share)), 1)
        yield Saving("index", saved, _INDEX.format(share=min(share, 1)), (file.path,))
