"""Bytes of a memory that are not UTF-8, kept when someone edits it who was shown a sign in their place."""

import re
from collections import Counter
from collections.abc import Iterator

from memdir.errors import Rejected
from memdir.memories.history.history import encoded

__all__ = ["with_bytes_kept"]

_SIGN, _ODD = "\ufffd", re.compile("[\udc80-\udcff]")


def with_bytes_kept(file: str, text: str, previous: str) -> str:
    """Return a new text with the old bytes on each line that was left as it was shown.

    A line that was changed and still has the sign would lose them, and nobody would know: it is refused.
    """
    if _SIGN not in text or not _ODD.search(previous):
        return text
    before: dict[str, list[str]] = {}
    for line in previous.split("\n"):
        before.setdefault(encoded(line).decode("utf-8", "replace"), []).append(line)
    lines = text.split("\n")
    counts, meant = Counter(lines), dict[str, Iterator[str]]()
    for number, line in enumerate(lines):
        if _SIGN not in line:
            continue
        found = before.get(line, [])
        if len(set(found)) == 1:
            lines[number] = found[0]
        elif counts[line] == len(found):
            lines[number] = next(meant.setdefault(line, iter(found)))
        else:
            raise Rejected(
                f"{file} holds bytes that are not UTF-8, shown as {_SIGN}, and line {number + 1} would lose "
                "them. Write what they stand for in their place, or leave that line as it is."
            )
    return "\n".join(lines)
