"""One memory file as values: what is saved, what recall may see of it, what is not yet saved."""

import re
from datetime import UTC, date, datetime
from enum import StrEnum

from memdir.memories.names import TEAM_FOLDER
from memdir.text.frontmatter.header import (
    HEADER_LINES,
    LONGEST_HEADER,
    Frontmatter,
    body_start,
    header_text,
    parse,
)
from memdir.text.value import value_class

__all__ = [
    "ACTORS",
    "EPOCH",
    "MAX_DESCRIPTION",
    "SOURCES",
    "Draft",
    "Header",
    "Kind",
    "Provenance",
    "Topic",
    "age_in_words",
    "days_old",
    "freshness_note",
    "has_how",
    "has_why",
    "header_from",
    "header_from_bytes",
    "header_of",
    "kind_named",
    "one_line",
    "saved_time",
    "time_since",
    "topic_from",
]


EPOCH = datetime.fromtimestamp(0, UTC)
"""When a text was saved of which only what it says counts."""


class Kind(StrEnum):
    """What a memory is about; what fits none of these is not saved."""

    USER = "user"
    FEEDBACK = "feedback"
    PROJECT = "project"
    REFERENCE = "reference"


kind_named = {kind.value: kind for kind in Kind}.get
"""Return the kind with exactly this name, or None."""


@value_class(frozen=True, slots=True)
class Header:
    """What recall may see of a memory before choosing it."""

    file: str
    """Path below the memory directory, with forward slashes."""
    name: str
    description: str
    kind: Kind | None
    saved_at: datetime
    title: str = ""
    pinned: bool = False
    """A claim of the header; trusted only when history knows these bytes as ours."""
    expires: str = ""

    @property
    def address(self) -> str:
        """What a command calls it: its name, below the folder of the team where it is one of the team's."""
        return f"{TEAM_FOLDER}{self.name}" if self.file.startswith(TEAM_FOLDER) else self.name

    @property
    def last_day(self) -> date | None:
        """The last day on which it holds; None where `expires` names no day."""
        try:
            return date.fromisoformat(self.expires.strip()[:10])
        except ValueError:
            return None

    def is_over(self, today: date) -> bool:
        """Return whether the last day on which it holds has passed."""
        last = self.last_day if self.expires else None
        return last is not None and last < today


@value_class(frozen=True, slots=True)
class Topic:
    """One memory, read whole."""

    header: Header
    body: str
    """What follows the header, without the blank lines around it."""
    text: str
    """The file as it stands on disk, header included."""


ACTORS = ("user", "host", "extractor", "dream", "sync", "outside")
"""Who may write a change."""

SOURCES = ("user", "assistant", "team", "import", "tool")
"""Whose words a memory may hold, the most trusted first."""


@value_class(frozen=True, slots=True)
class Provenance:
    """Who wrote a change, whose words they are, and how it came about."""

    actor: str = "user"
    """user, host, extractor, dream, sync or outside."""
    source: str = "user"
    """Whose words: user, assistant, tool, import or team."""
    method: str = ""
    """model or offline, for what a worker wrote; empty otherwise."""
    session: str = ""
    reason: str = ""
    person: str = ""
    """Who of the team wrote it, as the remote says; empty where nothing does."""
    sent: str = ""
    """The day on which that person sent it."""


@value_class(frozen=True, slots=True)
class Draft:
    """A memory that is not yet saved."""

    body: str
    kind: Kind | str | None = None
    name: str = ""
    description: str = ""
    why: str = ""
    how: str = ""
    title: str = ""
    pinned: bool = False
    expires: str = ""
    supersedes: str = ""
    source: str = "user"
    saved_at: datetime | None = None
    """When it was first learned, if not now: imports and sync keep the time of the text they bring."""
    enforce: str = ""
    """Rules that hosts are held to, as `memories/enforce.py` reads them."""
    anchors: str = ""
    """What it names in the project as it is now, for `verify`; an update without them drops the old ones."""
    literal: bool = False
    """Whether the days it names get no dates: somebody wants that, or they have theirs already."""
    message: str = ""
    """Id of the message that holds these words, where it was found in a conversation."""
    inbox: bool = False
    """Whether a person has to confirm it first."""
    filled: frozenset[str] = frozenset()
    """Fields that memdir filled in, because nobody gave them."""
    hints: tuple[str, ...] = ()
    """What its writer is told when it is saved."""


MAX_DESCRIPTION = 150
"""Characters of a description: it is one line of a list, and a longer one crowds out its neighbours."""

LONGEST_VALUE = 1_000
"""Characters of a name, a title or a description that are shown: a foreign file may hold a page there."""


def header_from(file: str, text: str, saved_at: datetime = EPOCH) -> Header:
    """Return what the first lines of a file say about it; only 30 lines count."""
    text = text[:LONGEST_HEADER]
    if usual := re.match(_USUAL, text):
        name, bare_name, description, bare_description, kind, bare_kind = usual.groups()
        shown = (
            one_line(name or bare_name, LONGEST_VALUE) or _name_from(file),
            one_line(description or bare_description, LONGEST_VALUE),
        )
        return Header(file, *shown, kind_named(kind or bare_kind), saved_at)
    end = text.find("\n---\n", 3)
    if end < 0 or text.count("\n", 0, end) >= HEADER_LINES - 1 or "\r" in text:
        text = header_text(text)
    return header_of(file, parse(text), saved_at)


def header_of(file: str, front: Frontmatter, saved_at: datetime = EPOCH) -> Header:
    """Return what recall may see of a parsed header."""
    fields, metadata = front.fields, front.metadata
    return Header(
        file,
        one_line(fields.get("name", ""), LONGEST_VALUE) or _name_from(file),
        one_line(fields.get("description", ""), LONGEST_VALUE),
        kind_named(fields.get("type", "")) or kind_named(metadata.get("type", "")),
        saved_at,
        one_line(metadata.get("title", ""), LONGEST_VALUE),
        metadata.get("pinned", "").lower() == "true",
        one_line(metadata.get("expires", ""), LONGEST_VALUE),
    )


def header_from_bytes(file: str, data: bytes, saved_at: datetime) -> Header:
    """Return the same for the first bytes of a file; what follows the header is not even decoded."""
    end = data.find(_CLOSED, 3) if data.startswith(_OPENED) else -1
    text = (data if end < 0 else data[: end + len(_CLOSED)]).decode("utf-8", "replace")
    return header_from(file, text, saved_at)


def topic_from(file: str, text: str, saved_at: datetime = EPOCH) -> Topic:
    """Return a memory read whole."""
    return Topic(header_from(file, text, saved_at), text[body_start(text) :].strip("\r\n"), text)


def saved_time(saved_ns: int) -> datetime:
    """Return a file's time of saving; times outside the calendar are moved to its ends."""
    try:
        return datetime.fromtimestamp(saved_ns / 1e9, UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.max.replace(tzinfo=UTC) if saved_ns > 0 else datetime.min.replace(tzinfo=UTC)


def has_why(body: str) -> bool:
    """Say whether the body has a line that gives the reason."""
    return re.search(_WHY, body) is not None


def has_how(body: str) -> bool:
    """Say whether the body has a line on how to apply it."""
    return re.search(_HOW, body) is not None


_WHY = r"(?mi)^[ \t>*+-]*+why\b[^\n:*]{0,40}(?::|\*\*)"
_HOW = r"(?mi)^[ \t>*+-]*+how to apply\b[^\n:*]{0,40}(?::|\*\*)"


_OPENED, _CLOSED = b"---\n", b"\n---\n"
"""The bytes around nearly every header."""

_WORDS = r'[^\x00-\x20"\\\x7f]++(?: [^\x00-\x20"\\\x7f]++)*+'
"""Matches a quoted value without escapes, with one space between words."""

_BARE = r'[A-Za-z0-9][^\x00-\x20"#:\x7f]*+(?: [^\x00-\x20"#:\x7f]++)*+'
"""Matches a value without quotes; it excludes characters, as a range of all others takes 9 ms to compile."""

_USUAL = (  # compiled for the first file that is read: most processes have a catalog
    rf'---\nname: (?:"({_WORDS})"|({_BARE}))\ndescription: (?:"({_WORDS})"|({_BARE}))\n'
    r'type: (?:"([a-z]++)"|([a-z]++))\n(?:metadata:\n(?:  (?!title:|pinned:|expires:'
    r'|type:)[a-z]++: "[^"\\\x00-\x1f\x7f]*+"\n){0,20}+)?+---\n'
)
"""A header as we and most others write it: one match costs a quarter of reading keys one by one.

Metadata that a `Header` shows, and lines beyond those that count, are left to `header_of`."""


def one_line(text: str, most: int = 1 << 30) -> str:
    """Return a value on one line, without control characters and half characters, which escapes may hold."""
    if not text.isprintable():
        text = re.sub(_CONTROLS, " ", text)
    if not text.isascii() and re.search(_HALVES, text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


_CONTROLS = "[\x00-\x1f\x7f-\x9f]"
_HALVES = "[\ud800-\udfff]"


def _name_from(file: str) -> str:
    stem = file.rpartition("/")[2].removesuffix(".md")
    kind, _, rest = stem.partition("_")
    return rest if rest and kind_named(kind) else stem


def days_old(saved_at: datetime, now: datetime) -> int:
    """Return the whole days between the two moments; a time in the future counts as now."""
    return max(0, (now - saved_at).days)


def age_in_words(days: int) -> str:
    """Return today, yesterday or "N days ago": a number of days is acted on, a date is not."""
    if days <= 0:
        return "today"
    return "yesterday" if days == 1 else f"{days} days ago"


def time_since(at: datetime, now: datetime) -> str:
    """Return how long ago something was: minutes and hours within a day, then whole days."""
    minutes = int((now - at).total_seconds() // 60)
    if minutes < 1:
        return "just now"
    if minutes < 24 * 60:
        count, unit = (minutes, "minute") if minutes < 60 else (minutes // 60, "hour")
        return f"{count} {unit}{'s' * (count > 1)} ago"
    return age_in_words(days_old(at, now))


def freshness_note(days: int) -> str:
    """Return what to say beside a memory of that age; nothing for today and yesterday."""
    if days <= 1:
        return ""
    return (
        f"This memory is {days} days old. It records what was observed then; line numbers and "
        "facts about code may have moved since, so look at the present state before relying on them."
    )
