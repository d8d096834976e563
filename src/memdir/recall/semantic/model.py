"""Whether the encoder can be used here, why not, and the encoder itself, loaded once a process.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memdir.recall.semantic.encoder import Encoder

__all__ = ["WEIGHTS_VARIABLE", "encoder_in", "model_path", "semantic_missing", "weights_folder"]

WEIGHTS_VARIABLE = "MEMDIR_WEIGHTS"
"""Names another folder of weights, for those who train their own."""

_PACKAGED = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "weights")


def weights_folder(env: "Mapping[str, str]") -> str:
    """Return where the weights lie: in the package, unless the environment names another folder."""
    return env.get(WEIGHTS_VARIABLE) or _PACKAGED


def model_path(folder: str) -> str:
    """Return where the file of the encoder lies, or would lie."""
    return os.path.join(folder, "recall.int8")


def semantic_missing(folder: str) -> str:
    """Say why recall goes by words alone and what to do about it; empty when nothing is missing."""
    from memdir.recall.semantic.arrays import arrays_missing

    if missing := arrays_missing():
        return missing
    path = model_path(folder)
    try:
        found = os.stat(path)
    except OSError:
        return f"There are no weights at {path}. Install memdir anew."
    if _usable(path, found.st_size, found.st_mtime_ns):
        return ""
    return f"The weights at {path} are damaged. Install memdir anew."


def encoder_in(folder: str) -> "Encoder | None":
    """Return the encoder, or None where something is missing; damage that only shows now is an error."""
    if semantic_missing(folder):
        return None
    return _loaded(model_path(folder))


@lru_cache(maxsize=1)
def _usable(path: str, _size: int, _changed: int) -> bool:
    """Look at a file once as long as its stat stays the same."""
    from memdir.recall.semantic.weights import as_long_as_written

    return as_long_as_written(path)


@lru_cache(maxsize=1)
def _loaded(path: str) -> "Encoder":
    from memdir.recall.semantic.encoder import Encoder
    from memdir.recall.semantic.weights import weights_at

    return Encoder(weights_at(path))
