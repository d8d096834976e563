"""What ranking wants to know of memories besides their words: how new, of which occasion, how long valid."""

from datetime import date, timedelta

from memdir.memories.names import replacements
from memdir.memories.topic import Header
from memdir.text.frontmatter.header import parse
from memdir.text.suppress import suppress

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["ages", "last_day", "names_replaced", "occasions"]

_TOGETHER = timedelta(hours=3)
"""Two memories that were saved no further apart belong to one occasion."""


def ages(headers: "Sequence[Header]") -> "Iterator[float]":
    """Yield for each, newest first, the share of all that are newer."""
    place, last = 0, None
    for number, header in enumerate(headers):
        if header.saved_at != last:
            place, last = number, header.saved_at
        yield place / len(headers)


def occasions(headers: "Sequence[Header]") -> list[int | None]:
    """Return the number of each one's occasion; one that holds most of the store tells nothing apart."""
    numbers, last = list[int](), None
    for header in headers:
        apart = last is not None and last - header.saved_at > _TOGETHER
        numbers.append((numbers[-1] if numbers else 0) + apart)
        last = header.saved_at
    counts = dict[int, int]()
    for number in numbers:
        counts[number] = counts.get(number, 0) + 1
    return [number if 2 * counts[number] <= len(numbers) else None for number in numbers]


def last_day(header: Header) -> date | None:
    """Return the day after which a memory no longer holds, if it names one."""
    if header.expires:
        with suppress(ValueError):
            return date.fromisoformat(header.expires.strip()[:10])
    return None


def names_replaced(head: bytes) -> list[str]:
    """Return the names of the memories that a file says it replaces, from the beginning of the file."""
    if b"supersedes" not in head:
        return []
    old = parse(head.decode("utf-8", "replace")).metadata.get("supersedes", "")
    return [name for name, _ in replacements(old)]
