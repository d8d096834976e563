"""How a memory is pointed at, and what it is worth in the index, as its header tells."""

import re

from memdir.core.hubs import Ranked
from memdir.core.pointer import Pointer
from memdir.core.secret_signs import without_secrets
from memdir.core.topic import Header

__all__ = ["pointer_of", "ranked"]


def pointer_of(header: Header) -> Pointer:
    """Return how a memory is pointed at where no person worded it otherwise."""
    title = header.title or _titled(header.name)
    return Pointer(without_secrets(title), header.file, without_secrets(header.description))


def ranked(file: str, header: Header | None) -> Ranked:
    """Return a memory with what decides where its pointer stands."""
    if header is None:  # it cannot be read now, so that all that is known of it is its file
        return Ranked(Pointer(_titled(file.removesuffix(".md")), file), None, (False, 0.0))
    return Ranked(pointer_of(header), header.kind, (header.pinned, header.saved_at.timestamp()))


def _titled(name: str) -> str:
    """Return a name as words; the dashes of a date stay."""
    words = re.sub(r"(?<!\d)-|-(?!\d)", " ", name).strip()
    return words[:1].upper() + words[1:]
