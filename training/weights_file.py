"""Write weights files as `memdir.recall.semantic.weights` reads them, and check them byte by byte."""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from memdir.recall.semantic.weights import full_numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memdir.recall.semantic.weights import Tables

__all__ = ["checksum", "is_intact", "pack", "vocabulary_tables"]

_MARK = b"memdir weights 2\n"
_ALIGNED = 64
"""Tables begin at such multiples, so that they are used where the file lies in memory."""


def pack(tables: "Tables") -> bytes:
    """Return the bytes of a weights file."""
    parts, rows, place = [], [], 0
    for name, table in tables.items():
        data = table.tobytes()
        rows.append([name, table.dtype.str, list(table.shape), place])
        parts.append(data.ljust(_round_up(len(data)), b"\0"))
        place += len(parts[-1])
    payload = b"".join(parts)
    about = {"sha256": checksum(payload), "bytes": len(payload), "tables": rows}
    head = _MARK + json.dumps(about).encode()
    return head.ljust(_round_up(len(head) + 1) - 1) + b"\n" + payload


def is_intact(path: str) -> bool:
    """Return whether every byte of a weights file is as it was written; reads it all."""
    try:
        with open(path, "rb") as file:
            mark, about, payload = file.readline(), json.loads(file.readline()), file.read()
    except (OSError, ValueError):
        return False
    return mark == _MARK and bool(checksum(payload) == about["sha256"])


def checksum(data: bytes) -> str:
    """Return the SHA-256 of some bytes in hexadecimal."""
    return sha256(data).hexdigest()


def vocabulary_tables(tokens: Sequence[str]) -> "dict[str, NDArray[Any]]":
    """Return the tables of a vocabulary whose tokens are given by number."""
    np = full_numpy()
    rows = sorted((token.encode(), number) for number, token in enumerate(tokens))
    return {
        "vocabulary text": np.frombuffer(b"".join(token for token, _ in rows), "u1"),
        "vocabulary ends": np.cumsum([0, *(len(token) for token, _ in rows)]).astype("<u4"),
        "vocabulary numbers": np.array([number for _, number in rows], "<u2"),
    }


def _round_up(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED
