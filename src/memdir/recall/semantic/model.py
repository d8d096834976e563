"""Whether the encoder can be used here, why not, and the encoder itself, loaded once a process."""

import os
from functools import lru_cache

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from memdir.recall.semantic.encoder import Encoder

__all__ = ["FILE", "NOTICE_FILE", "encoder_in", "model_path", "models_folder", "semantic_missing"]

FILE = "all-MiniLM-L6-v2.int8"
NOTICE_FILE = f"{FILE}.NOTICE"


def models_folder(config_home: str) -> str:
    """Return where model files lie: one place for all projects of a user."""
    return os.path.join(config_home, "memdir", "models")


def model_path(config_home: str) -> str:
    """Return where the file of the encoder lies, or would lie."""
    return os.path.join(models_folder(config_home), FILE)


def semantic_missing(config_home: str) -> str:
    """Say why recall goes by words alone and what to do about it; empty when nothing is missing."""
    from memdir.recall.semantic.arrays import arrays_missing

    if missing := arrays_missing():
        return missing
    path = model_path(config_home)
    try:
        found = os.stat(path)
    except OSError:
        return "The model is not here yet. Build it with: memdir models fetch"
    if _usable(path, found.st_size, found.st_mtime_ns):
        return ""
    return f"The model file {path} is damaged. Build it anew with: memdir models fetch"


def encoder_in(config_home: str) -> "Encoder | None":
    """Return the encoder, or None where something is missing; damage that only shows now is an error."""
    if semantic_missing(config_home):
        return None
    return _loaded(model_path(config_home))


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
