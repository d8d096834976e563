"""The one place numpy is imported: on one thread, and with a sentence for those who do not have it."""

import os
import sys
from importlib.util import find_spec
from types import ModuleType

from memdir.errors import MissingExtra

__all__ = ["arrays", "arrays_missing"]

_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""A query is too small to share: on a busy machine a second thread once took fifty times as long."""


def arrays_missing() -> str:
    """Say what to do when numpy is not there; empty when it is."""
    if "numpy" in sys.modules or find_spec("numpy") is not None:
        return ""
    from memdir.config.package import extra_command

    return f"numpy is not installed. Install it with: {extra_command('semantic')}"


def arrays() -> ModuleType:
    """Return numpy; where nobody imported it before, its linear algebra gets one thread."""
    if "numpy" not in sys.modules:
        if missing := arrays_missing():
            raise MissingExtra(missing)
        _import_with_one_thread()
    return sys.modules["numpy"]


def _import_with_one_thread() -> None:
    """Import numpy while the variables its libraries read at load are set; leave none behind."""
    ours = [name for name in _ONE_THREAD if name not in os.environ]
    os.environ.update(dict.fromkeys(ours, "1"))
    try:
        import numpy  # noqa: F401, ICN001 - loaded for its entry in sys.modules
    finally:
        for name in ours:
            del os.environ[name]
