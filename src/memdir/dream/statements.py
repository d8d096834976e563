"""The statements of a memory, one by one, so that a rewrite cannot lose any unnoticed.

Two statements are the same when they have the same words in the same order under the same heading or lead-in;
layout, emphasis, ordinary punctuation and a capital at the start do not count. All else does: an article, a
negation, a number or a sign more or less makes another statement.
"""

import re
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from functools import lru_cache

from memdir.memories.topic import topic_from
from memdir.resources import read_table, rows_of
from memdir.text.dates.calendar import absolute_dates
from memdir.text.dates.relative_dates import with_absolute_dates
from memdir.text.frontmatter.header import parse
from memdir.text.similarity import share_held, words
from memdir.text.value import value_class

__all__ = [
    "EPOCH",
    "SAME",
    "MemoryStatement",
    "SentenceMarks",
    "Sources",
    "common_share",
    "exchanged_words",
    "lost_marks",
    "marks_of",
    "statements",
    "with_day",
    "wordings",
]


@value_class(frozen=True, slots=True)
class MemoryStatement:
    """One thing that a memory says."""

    id: str
    """The file and a number within it, as a model names it."""
    file: str
    text: str
    key: str
    """What equal statements share."""

    @property
    def marks(self) -> "SentenceMarks":
        """Return it as it is compared, with the heading and the lead-in that it stands under."""
        return marks_of(self.text, self.key.rpartition("\n")[0])


@lru_cache(maxsize=8_192)
def statements(file: str, text: str) -> tuple[MemoryStatement, ...]:
    """Return what a memory states: its description if the body does not say it, then the body in order."""
    topic = topic_from(file, text, EPOCH)
    found = [(said, key) for said, key in _body_statements(topic.body) if key]
    about, key = topic.header.description, _key(topic.header.description)
    if (
        key
        and all(key != one for _, one in found)
        and share_held(words(about), words(topic.body)) < _IN_THE_BODY
    ):
        found.insert(0, (about, key))
    return tuple(MemoryStatement(f"{file}#{number}", file, *one) for number, one in enumerate(found, 1))


EPOCH = datetime.fromtimestamp(0, UTC)
"""When a text was saved of which only what it says counts."""

_IN_THE_BODY = 0.8
"""Share of a description's words in the body from which it only repeats it."""
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+(.*)")
_ITEM = re.compile(r"[ \t>]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(.*)")
_END = re.compile(r"(?<=[.!?\u2026])[\"')\]*_]*\s+|(?<=[\u3002\uff01\uff1f])\s*")


def _body_statements(body: str) -> Iterator[tuple[str, str]]:
    """Yield each statement as it is written and its key, which holds what it stands under."""
    heading, lead = "", ""
    for kind, text in _pieces(body):
        if kind == "heading":
            heading, lead = _key(text), ""
            yield text, heading
            continue
        if kind == "text":
            lead = _key(text) if text.rstrip(" *_").endswith((":", "\uff1a")) else ""
        for part in [text] if kind == "code" else _END.split(text):
            if key := _key(part):
                above = [heading, lead if kind == "item" else ""]
                yield part.strip(), "\n".join([*filter(None, above), key])


def _pieces(body: str) -> Iterator[tuple[str, str]]:
    """Yield headings, points of lists, whole blocks of code, and paragraphs put together from their lines."""
    waiting: list[str] = []
    kind = "text"
    for line in [*body.split("\n"), ""]:
        fence = _FENCE.match(line) is not None
        if kind == "code":
            waiting.append(line)
            if fence:
                yield kind, "\n".join(waiting)
                waiting, kind = [], "text"
            continue
        heading, item = _HEADING.match(line), _ITEM.match(line)
        if waiting and (fence or heading or item or not line.strip()):
            yield kind, " ".join(waiting)
            waiting, kind = [], "text"
        if heading:
            yield "heading", heading[1]
        elif fence or item or line.strip():
            kind = "code" if fence else "item" if item else kind
            waiting.append(item[1] if item else line.strip())
    if waiting:
        yield kind, "\n".join(waiting)


_OPENING, _CLOSING = (
    "\"'([{*_`\u201c\u2018\u00ab",
    (".,;:!\"')]}*_`\u201d\u2019\u00bb\u2026\u3002\uff0c\uff1b\uff1a\uff01\u3001"),
)


def _key(text: str) -> str:
    found = (word.lstrip(_OPENING).rstrip(_CLOSING) for word in unicodedata.normalize("NFC", text).split())
    plain = [word.lower() if word[:1].isupper() and word[1:] == word[1:].lower() else word for word in found]
    return " ".join(word for word in plain if word)


@value_class(frozen=True, slots=True)
class SentenceMarks:
    """The parts of a sentence that are compared."""

    marks: tuple[str, ...]
    """Words that a rewording must keep, in this order."""
    telling: tuple[str, ...]
    """Its telling words as stems, in their order, the marks among them."""
    context: tuple[str, ...]
    """The telling words of its heading and lead-in, then its own."""
    turns: tuple[tuple[str, int], ...]
    """The number of each negating word: one more or less reverses the meaning."""


def wordings(statement: MemoryStatement, text: str) -> list[SentenceMarks]:
    """Return a statement of a memory with this text as it is, and with its relative dates as dates."""
    metadata = parse(text).metadata
    try:
        day = date.fromisoformat((metadata.get("modified") or metadata.get("created", ""))[:10])
    except ValueError:  # nobody knows from which day they count
        return [statement.marks]
    return [statement.marks, *map(marks_of, with_day(statement.text, day)[1:])]


def with_day(line: str, day: date) -> list[str]:
    """Return a line that was written on a day, and once more with its relative dates as dates."""
    dated = with_absolute_dates(line, day)
    return [line] if dated == line else [line, dated]


@lru_cache(maxsize=8_192)
def marks_of(text: str, above: str = "") -> SentenceMarks:
    """Return a sentence as it is compared, and what it stands under."""
    own, before = list(_tokens(text)), list(_tokens(above))
    turns = Counter(token for token, _ in (*before, *own) if token in _TURNING)
    return SentenceMarks(
        tuple(token for token, is_mark in own if is_mark),
        tuple(token for token, _ in own),
        tuple(token for token, _ in (*before, *own)),
        tuple(sorted(turns.items())),
    )


def lost_marks(old: SentenceMarks, new: SentenceMarks) -> list[str]:
    """Return what the new sentence does not say, or not in its place; nothing when all marks are there."""
    lost, at = [], 0
    for mark in old.marks:
        try:
            at = new.context.index(mark, at) + 1
        except ValueError:
            lost.append(mark)
    turned = {word for word, _ in {*old.turns} ^ {*new.turns}}
    return list(dict.fromkeys([*lost, *sorted(turned)]))


def exchanged_words(old: SentenceMarks, new: SentenceMarks) -> list[str]:
    """Return the words of a sentence that gave way to others: it may be shortened or go on, but not both."""
    brought = [word for word in new.telling if word not in old.context and word not in _TURNS]
    return [word for word in old.telling if word not in new.context] if brought else []


def common_share(old: SentenceMarks, new: SentenceMarks) -> float:
    """Return which share of a sentence's telling words another has in the same order."""
    where: dict[str, list[int]] = defaultdict(list)
    for at, token in enumerate(new.context):
        where[token].append(at)
    ends: list[int] = []  # the last place of a common row of each length, as early as can be
    for token in old.telling:
        for at in reversed(where.get(token, ())):
            length = bisect_left(ends, at)
            ends[length : length + 1] = [at]
    return len(ends) / len(old.telling) if old.telling else 0.0


_TABLE = read_table(__file__, "small_words.txt")
_TURNS = rows_of(_TABLE["turns"])
"""Small words that decide the meaning of a sentence, by their class."""

_TURNING = frozenset({"not", "except", "forbidden", "optional", "off", "wrong", "dislikes"})
"""Those that may not be added either."""

_CLASS = {word: name for name, listed in _TURNS.items() for word in listed.split()}
_NUMBER_WORDS = {
    word: number for number, listed in rows_of(_TABLE["numbers"]).items() for word in listed.split()
}
_DAY = re.compile(r"(mon|tues|wednes|thurs|fri|satur|sun)days?")
_PIECE = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\s\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
_UNSPACED_NOT = frozenset("不没沒无無未非别別勿否않못없")
_UNSPACED_NUMBER = frozenset("零一二三四五六七八九十百千万萬")
_SIGNED = re.compile(r"([~<>=!\u2264\u2265$\u20ac\u00a3+-]*)(\d(?:[\d.,:/-]*\d)?)(%|[^\W\d_]*)")
_CODE = re.compile(r"[_/\\=<>$@#{}()\[\]|&*+~^%\u2264\u2265\u2260]|\w[.:]\w|\A-+\w|\d|[a-z][A-Z]")
_AROUND = (
    ".,;:!?\"'()[]{}*_`\u201c\u201d\u2018\u2019\u00ab\u00bb\u2026\u3002\uff0c\uff1b\uff1a\uff01\uff1f\u3001"
)
_DASHES = re.compile(r"[-\u2010-\u2015|>]+|=+")


def _tokens(text: str) -> Iterator[tuple[str, bool]]:
    """Yield what counts of a text in its order, and whether it is a mark."""
    for number, part in enumerate(_with_plain_dates(text).split("`")):
        for piece in _PIECE.findall(part):
            bare = piece.strip(_AROUND)
            if bare and not _DASHES.fullmatch(bare):
                # Between backticks stands code, of which every word counts.
                yield from ((token, is_mark or number % 2 == 1) for token, is_mark in _token(bare))


def _token(bare: str) -> Iterator[tuple[str, bool]]:
    plain = bare.casefold().replace("\u2019", "'")
    number = _SIGNED.fullmatch(bare)
    if plain.endswith("n't") or bare in _UNSPACED_NOT:
        yield "not", True
    elif plain.replace("'", "") in _CLASS:
        yield _CLASS[plain.replace("'", "")], True
    elif number:
        yield from (
            (part, True) for part in (number[1], number[2].replace(",", ""), number[3].lower()) if part
        )
    elif plain in _NUMBER_WORDS or bare in _UNSPACED_NUMBER:
        yield _NUMBER_WORDS.get(plain, plain), True
    elif day := _DAY.fullmatch(plain):
        yield f"{day[1]}day", True
    elif _CODE.search(bare):
        yield bare, True
    else:
        # A capital may be that of a name; at the start of a sentence nobody knows, and what it is about
        # has to be said again anyway.
        yield from ((stem, bare[0].isupper()) for stem in sorted(words(bare)))


def _with_plain_dates(text: str) -> str:
    """Return the text with each full date in one form."""
    parts, end = [], 0
    for found in absolute_dates(text):
        parts += [text[end : found.span[0]], found.day.isoformat()]
        end = found.span[1]
    return "".join([*parts, text[end:]])


SAME = 0.75
"""The share of a sentence's telling words that a rewording must have, in order."""
_SOURCED, _NEAR = 0.5, 0.3
"""Shares of a new statement's telling words that one source, and one sentence of a source, must hold: less,
and somebody made it up."""


class Sources:
    """Everything that was known before a dream."""

    def __init__(self, texts: Mapping[str, str], lines: Iterable[str] = ()) -> None:
        """Take the memories as they were, and lines of logs and the like, which are newer."""
        given = [line for line in lines if line.strip()]
        self._bags = [words(text) for text in (*texts.values(), *given)]
        self._newer = [marks_of(line) for line in given]
        self._sentences = list[SentenceMarks]()
        for file, text in texts.items():
            for one in statements(file, text):
                self._sentences += wordings(one, text)
            self._sentences.append(marks_of(parse(text).fields.get("description", "")))
        self._sentences += self._newer

    def say(self, newer: SentenceMarks) -> bool:
        """Tell whether a line says this: what only the memories say took no place of anything in them."""
        return any(common_share(newer, line) >= SAME and not lost_marks(newer, line) for line in self._newer)

    def supports(self, text: str, new: SentenceMarks) -> bool:
        """Tell whether a new statement has its words from one source, and its marks from one sentence."""
        telling = words(text)
        if not telling:
            return True
        return any(share_held(telling, bag) >= _SOURCED for bag in self._bags) and any(
            common_share(new, source) >= _NEAR and not lost_marks(new, source) for source in self._sentences
        )
