"""The weights of the networks, each network in one file; whether they can be used here, and why not.

Large tables are int8 with a scale for each row or column. `training` writes the files.

A host waits for this module: it imports late and does without `typing`.
"""

import mmap
import os
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from memdir.errors import StorageError
from memdir.recall.semantic.numpy_core import numpy_core, numpy_missing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

    from numpy.typing import NDArray

    Tables = Mapping[str, NDArray[Any]]
    """What a network needs, by name; its vocabulary is among it."""

__all__ = ["ENCODER", "PACKAGED", "WEIGHTS_VARIABLE", "weights_at", "weights_folder", "weights_missing"]

WEIGHTS_VARIABLE = "MEMDIR_WEIGHTS"
"""Names another folder of weights, for those who train their own."""
PACKAGED = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "weights")
ENCODER = "recall.int8"
"""The file of the encoder."""

_MARK = b"memdir weights 2\n"
_LONGEST_HEAD = 1_000_000
_TABLE = rb'\["([^"]+)", "([^"]+)", \[([\d, ]+)\], (\d+)\]'
"""One row of the description, which is JSON: name, type, shape, and the place behind the description."""


def weights_folder(env: "Mapping[str, str]") -> str:
    """Return where the weights lie: in the package, unless the environment names another folder."""
    return env.get(WEIGHTS_VARIABLE) or PACKAGED


def weights_missing(folder: str, names: "Sequence[str]" = (ENCODER,)) -> str:
    """Say what these networks lack here and what to do about it; empty when nothing is missing."""
    if missing := numpy_missing():
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
    """Return whether a file is of our kind and has all its bytes: its head is read once for one stat."""
    try:
        with open(path, "rb") as file:
            return bool(_read_head(file, size))
    except (OSError, ValueError):
        return False


def weights_at(path: str) -> "Tables":
    """Map a weights file into memory; one that is not whole is an error that says what to do."""
    np, tables = numpy_core(), {}
    try:
        with open(path, "rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            head = _read_head(file, len(data))
        for name, kind, sizes, place in re.findall(_TABLE, head):
            shape, count = [*map(int, sizes.split(b","))], 1
            for size in shape:
                count *= size
            table = np.frombuffer(data, kind.decode(), count, len(head) + int(place))
            tables[name.decode()] = table.reshape(shape)
    except (OSError, ValueError, TypeError) as error:
        raise StorageError(f"The model file {path} cannot be read ({error}). Install memdir anew.") from error
    return tables


def _read_head(file: "IO[bytes]", size: int) -> bytes:
    """Return the description at the head of a file of this size; ValueError when it is not ours or whole."""
    head = file.readline(len(_MARK)) + file.readline(_LONGEST_HEAD)
    payload = re.search(rb'"bytes": (\d{1,15})', head)
    if not head.startswith(_MARK) or payload is None:
        raise ValueError("it is of another kind")
    if size != len(head) + int(payload[1]):
        raise ValueError("it is incomplete")
    return head
