"""The networks' weights, each in one file: bytes for the large tables, a scale for each row or column.

Also whether they can be used here, and why not.

A host waits for this module: it imports late and does without `typing`.
"""

import mmap
import os
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from memdir.errors import StorageError
from memdir.recall.semantic.arrays import array_core, arrays_missing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Tables = Mapping[str, NDArray[Any]]
    """What a network needs, by name; its vocabulary is among it."""

__all__ = [
    "ENCODER",
    "PACKAGED",
    "WEIGHTS_VARIABLE",
    "checksum",
    "is_intact",
    "pack",
    "weights_at",
    "weights_folder",
    "weights_missing",
]

WEIGHTS_VARIABLE = "MEMDIR_WEIGHTS"
"""Names another folder of weights, for those who train their own."""
PACKAGED = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "weights")
ENCODER = "recall.int8"
"""The file of the encoder."""

_MARK = b"memdir weights 2\n"
_LONGEST_HEAD = 1_000_000
_ALIGNED = 64
"""Tables begin at such multiples, so that they are used where the file lies in memory."""


def weights_folder(env: "Mapping[str, str]") -> str:
    """Return where the weights lie: in the package, unless the environment names another folder."""
    return env.get(WEIGHTS_VARIABLE) or PACKAGED


def weights_missing(folder: str, names: "Sequence[str]" = (ENCODER,)) -> str:
    """Say what these networks lack here and what to do about it; empty when nothing is missing."""
    if missing := arrays_missing():
        return missing
    for name in names:
        path = os.path.join(folder, name)
        try:
            found = os.stat(path)
        except OSError:
            return f"There are no weights at {path}. Install memdir anew."
        if not _is_complete(path, found.st_size, found.st_mtime_ns):
            return f"The weights at {path} are damaged. Install memdir anew."
    return ""


@lru_cache(maxsize=4)
def _is_complete(path: str, size: int, _changed: int) -> bool:
    """Tell whether a file is of our kind and has all its bytes: its head is read once for one stat."""
    try:
        with open(path, "rb") as file:
            head = file.readline(len(_MARK)) + file.readline(_LONGEST_HEAD)
    except OSError:
        return False
    payload = re.search(rb'"bytes": (\d{1,15})', head)
    return head.startswith(_MARK) and payload is not None and size == len(head) + int(payload[1])


def weights_at(path: str) -> "Tables":
    """Map a weights file into memory; one that is not whole is an error that says what to do."""
    np = array_core()
    tables = {}
    try:
        with open(path, "rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        about, begin = _read_description(data)
        for name, kind, shape, place in about["tables"]:
            count = 1
            for size in shape:
                count *= size
            tables[name] = np.frombuffer(data, dtype=kind, count=count, offset=begin + place).reshape(shape)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StorageError(f"The model file {path} cannot be read ({error}). Install memdir anew.") from error
    return tables


def pack(tables: "Tables") -> bytes:
    """Return the bytes of a weights file."""
    import json

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
    """Tell whether every byte of a weights file is as it was written; reads it all."""
    try:
        with open(path, "rb") as file:
            about, begin = _read_description(data := file.read())
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return bool(checksum(data[begin:]) == about["sha256"])


def checksum(data: bytes) -> str:
    """Return the SHA-256 of some bytes in hexadecimal."""
    from hashlib import sha256

    return sha256(data).hexdigest()


def _read_description(data: "mmap.mmap | bytes") -> "tuple[dict[str, Any], int]":
    """Return the description at the head of a file, and where the payload begins."""
    import json

    if data[: len(_MARK)] != _MARK:
        raise ValueError("it is of another kind")
    begin = data.find(b"\n", len(_MARK)) + 1
    about = json.loads(data[len(_MARK) : begin])
    if len(data) - begin != about["bytes"]:
        raise ValueError("it is incomplete")
    return about, begin


def _round_up(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED
