"""How a memory is pointed at, and what it is worth in the index, as its header tells."""

import re
from functools import lru_cache

from memdir.core.hubs import Ranked
from memdir.core.pointer import Pointer
from memdir.core.secret_signs import may_hold_secret, without_secrets
from memdir.core.topic import Header

__all__ = ["pointer_of", "ranked"]


def pointer_of(header: Header) -> Pointer:
    """Return how a memory is pointed at where no person worded it otherwise."""
    title, hook = _told(header.title or _titled(header.name), header.description)
    return Pointer(title, header.file, hook)


def ranked(file: str, header: Header | None) -> Ranked:
    """Return a memory with what decides where its pointer stands."""
    if header is None:  # it cannot be read now, so that all that is known of it is its file
        return Ranked(Pointer(_titled(file.removesuffix(".md")), file), None, (False, 0.0))
    return Ranked(pointer_of(header), header.kind, (header.pinned, header.saved_at.timestamp()))


@lru_cache(maxsize=1 << 14)  # a running process shows the same index again and again
def _told(title: str, hook: str) -> tuple[str, str]:
    """Return both without credentials: the file may be somebody else's."""
    if not may_hold_secret(f"{title}\n{hook}"):
        return title, hook
    return without_secrets(title), without_secrets(hook)


def _titled(name: str) -> str:
    """Return a name as words; the dashes of a date stay."""
    words = re.sub(r"(?<!\d)-|-(?!\d)", " ", name).strip()
    return words[:1].upper() + words[1:]
