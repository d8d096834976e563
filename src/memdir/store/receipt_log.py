"""How receipts are written: one line of JSON each, credentials masked, without waiting for the disk."""

import os
from _json import encode_basestring_ascii

from memdir.core.suppress import suppress
from memdir.store.files import folder_made
from memdir.store.lines import appended

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

__all__ = ["LARGEST", "NEWER", "OLDER", "is_telling", "unspoken", "write_receipt"]

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
        _turn_over(state)


def _turn_over(state: str) -> None:
    """Set the file aside when it has grown large; it takes the place of the one set aside before."""
    path = os.path.join(state, NEWER)
    if os.stat(path).st_size > LARGEST:
        from memdir.store.lock import locked

        with locked(state, os.path.join(state, "receipts.lock")):
            if os.stat(path).st_size > LARGEST:
                os.replace(path, os.path.join(state, OLDER))


def unspoken(query: str) -> str:
    """Return the beginning of a query as a receipt keeps it: credentials masked, on one line."""
    if is_telling(query):
        from memdir.core.secrets import masked  # its rules take longer to load than a plain recall may

        query = masked(query[:20_000])
    return " ".join(query.split())[:_LONGEST_QUERY]


def is_telling(query: str) -> bool:
    """Say whether a rule might find a credential in it; in most prompts none can, and none need be loaded."""
    lowered = query.lower()
    return (
        not query.isascii()
        or any(word in lowered for word in _TELLING)
        or any(len(word) >= _LONG for word in query.split())
    )


_TELLING = (
    *("pass", "pw", "kennwort", "senha", "secret", "token", "credential", "auth", "key", "basic", "bearer"),
    *("machine", "://", "-u", "--", "\\"),
)
"""Without any of these, and without a long word, no rule finds a credential: a test asks the rules."""

_LONG = 20


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
