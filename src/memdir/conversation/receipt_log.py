"""How receipts are written: one line of JSON each, credentials masked, without waiting for the disk."""

from _json import encode_basestring_ascii

from memdir.disk.append_log import appended, turn_over
from memdir.disk.files import folder_made
from memdir.text.secrets.fast_search import without_secrets
from memdir.text.suppress import suppress

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

__all__ = ["LARGEST", "NEWER", "OLDER", "unspoken", "write_receipt"]

NEWER, OLDER = "receipts", "receipts.1"
LARGEST = 2_000_000
"""Bytes of each of the two files: some thousand recalls, enough to see what is never recalled."""

_LONGEST_QUERY = 500
"""Characters of a prompt that are kept: enough to recognise it."""


def write_receipt(state: str, fields: "Mapping[str, object]") -> None:
    """Add one receipt by the names of its fields; a recall does not fail because that fails."""
    line = f"{_json(fields)}\n".encode("utf-8", "replace")
    with suppress(OSError), folder_made(state) as folder:
        appended(folder, NEWER, line, durably=False)
        turn_over(folder, NEWER, LARGEST)


def unspoken(query: str) -> str:
    """Return the beginning of a query as a receipt keeps it: credentials masked, on one line."""
    return " ".join(without_secrets(query[:20_000]).split())[:_LONGEST_QUERY]


def _json(one: "Any") -> str:
    """Write JSON: the standard writer takes longer to load than a receipt to write."""
    match one:
        case str():
            return encode_basestring_ascii(one)
        case None:
            return "null"
        case int() | float():
            return repr(one)
        case tuple():
            return f"[{','.join([_json(each) for each in one])}]"
        case dict():
            return "{" + ",".join([f'"{key}":{_json(value)}' for key, value in one.items()]) + "}"
    return _json(tuple([getattr(one, name) for name in one.__match_args__]))
