"""A memory as one line: its pointer in the index, and its line in the list that a selector reads."""

import re
from collections.abc import Iterable
from functools import lru_cache

from memdir.memories.index.hubs import RankedPointer
from memdir.memories.index.pointer import Pointer
from memdir.memories.names import slug
from memdir.memories.topic import Header
from memdir.text.dates.calendar import utc_stamp
from memdir.text.escape import escape
from memdir.text.secrets.fast_search import may_hold_secret, without_secrets

__all__ = [
    "manifest",
    "manifest_line",
    "plain_pointer",
    "pointer_of",
    "rank_pointer",
]

SHORT_TITLE = 60
"""Characters of a title that is taken from a description: the rest of the line is for the rest of it."""


def pointer_of(header: Header) -> Pointer:
    """Return how a memory is pointed at where no person worded it otherwise: nothing is said twice."""
    title, hook = _told(*_worded(header.title, header.name, header.description))
    return Pointer(title, header.file, hook)


def plain_pointer(header: Header) -> Pointer:
    """Return the pointer with the name as title and all of the description: others word it like this."""
    title, hook = _told(header.title or _titled(header.name), header.description)
    return Pointer(title, header.file, hook)


def rank_pointer(file: str, header: Header | None) -> RankedPointer:
    """Return a memory with what decides where its pointer stands."""
    if header is None:  # it cannot be read now, so that all that is known of it is its file
        return RankedPointer(Pointer(_titled(file.removesuffix(".md")), file), None, (False, 0.0))
    return RankedPointer(pointer_of(header), header.kind, (header.pinned, header.saved_at.timestamp()))


@lru_cache(maxsize=1 << 14)  # a running process shows the same index again and again
def _told(title: str, hook: str) -> tuple[str, str]:
    """Return both without credentials: the file may be somebody else's."""
    if not may_hold_secret(f"{title}\n{hook}"):
        return title, hook
    return without_secrets(title), without_secrets(hook)


@lru_cache(maxsize=1 << 14)
def _worded(title: str, name: str, description: str) -> tuple[str, str]:
    """Return title and hook; a title that only begins the description gives way to the whole of it."""
    if not description:
        return title or _titled(name), ""
    begins = title.endswith("…") and description.startswith(title[:-1])
    if title and not begins and title != description:
        return title, _without_start(description, title)
    if title or _repeats(name, description):
        return _parted(description)
    called = _cased(_titled(name), description)
    return called, "" if called.casefold() == description.casefold() else description


def _without_start(description: str, title: str) -> str:
    """Return what a description says beyond a title that somebody gave."""
    if description[: len(title)].casefold() != title.casefold() or description[len(title) :][:1].isalnum():
        return description
    return description[len(title) :].strip(" \t.,;:-\u2013—")


def _repeats(name: str, description: str) -> bool:
    """Tell whether a name is a hash, or has nothing but words of the description, in their order."""
    if re.fullmatch(r"(?=.*\d)[0-9a-f]{8}", name):
        return True
    words = re.sub(r"-\d{1,3}\Z", "", name.casefold()).split("-")  # the number tells namesakes apart
    said = iter(slug(description).split("-"))
    # One word is a title, and so are two before much text.
    titles = 1 if len(description) <= SHORT_TITLE else 2
    return len(words) > titles and all(word in said for word in words)


def _cased(title: str, description: str) -> str:
    """Return a title made from a name with its words written as the description writes them."""
    written = {word.casefold(): word for word in re.findall(r"\w+", description)}
    words = [written.get(word.casefold(), word) for word in title.split(" ")]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


def _parted(description: str) -> tuple[str, str]:
    """Return a description as a short title and the rest of it, parted between clauses if that can be."""
    if len(description) <= SHORT_TITLE:
        return description, ""
    start = description[: SHORT_TITLE + 1]
    ends = [match for match in re.finditer(_CLAUSE, start) if match.start() >= SHORT_TITLE // 3]
    if ends:
        return description[: ends[-1].start()], description[ends[-1].end() :]
    at = start.rfind(" ", SHORT_TITLE // 2) if " " in start[SHORT_TITLE // 2 :] else SHORT_TITLE // 2
    return f"{description[:at]}…", f"…{description[at:].lstrip()}"


_CLAUSE = (
    "[,;:.] | [\u2013—-] |[\u3002\uff0c\uff1b\uff1a\u3001]"
    "| (?=(?:because|since|so that|unless|until|weil|damit)\\b)"
)


def _titled(name: str) -> str:
    """Return a name as words; the dashes of a date stay."""
    words = re.sub(r"(?<!\d)-|-(?!\d)", " ", name).strip()
    return words[:1].upper() + words[1:]


_LONGEST = 1_000
"""Characters of a description that are listed: a page in a header must not push the other memories out."""


def manifest(headers: Iterable[Header]) -> str:
    """Return the lines of these headers in their order."""
    return "\n".join([manifest_line(header) for header in headers])


def manifest_line(header: Header) -> str:
    """Return `- [type] file (timestamp): description`, without the parts that a header does not have."""
    kind = f"[{header.kind}] " if header.kind else ""
    description = escape(without_secrets(" ".join(header.description.split()))[:_LONGEST])
    about = f": {description}" if description else ""
    return f"- {kind}{escape(header.file)} ({utc_stamp(header.saved_at)}){about}"
