"""The list of headers that a selector chooses from: one line a memory, nothing of its body."""

from collections.abc import Iterable

from memdir.memories.topic import Header
from memdir.text.dates.calendar import utc_stamp
from memdir.text.escape import escaped
from memdir.text.secrets.fast_search import without_secrets

__all__ = ["manifest", "manifest_line"]

_LONGEST = 1_000
"""Characters of a description that are listed: a page in a header must not push the other memories out."""


def manifest(headers: Iterable[Header]) -> str:
    """Return the lines of these headers in their order."""
    return "\n".join([manifest_line(header) for header in headers])


def manifest_line(header: Header) -> str:
    """Return `- [type] file (timestamp): description`, without the parts that a header does not have."""
    kind = f"[{header.kind}] " if header.kind else ""
    description = escaped(without_secrets(" ".join(header.description.split()))[:_LONGEST])
    about = f": {description}" if description else ""
    return f"- {kind}{escaped(header.file)} ({utc_stamp(header.saved_at)}){about}"
