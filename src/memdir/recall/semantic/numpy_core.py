"""The one place that imports numpy: on one thread, and with an error that says how to install it.

A hook process runs one query and ends. Four fifths of the import of numpy are Python modules that no query
uses, so such a process loads the compiled module of numpy alone (`load_core_only`), which has the functions
of numpy. A method that is written in Python imports the rest of numpy by itself: slower, with the same
result. Where the compiled module cannot be loaded alone, numpy is imported.

A host waits for this module: it imports late.
"""

import os
import sys
from types import ModuleType

from memdir.errors import MissingExtra

__all__ = ["full_numpy", "load_core_only", "numpy_core", "numpy_missing"]

_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""A query is too small to share: on a busy machine a second thread once took fifty times as long."""

_CORE = "numpy._core._multiarray_umath"
_core_only = False


def numpy_missing() -> str:
    """Say what to do when numpy is not there; empty when it is."""
    if "numpy" in sys.modules or _CORE in sys.modules or _folder():
        return ""
    from memdir.config.package import extra_command

    return f"numpy is not installed. Install it with: {extra_command('semantic')}"


def load_core_only() -> None:
    """Let this process load numpy's compiled module alone.

    Only for a process that answers one event: no other thread and no foreign code may import numpy meanwhile.
    """
    global _core_only  # noqa: PLW0603 - what a process may load is decided once, where it starts
    _core_only = True


def full_numpy() -> ModuleType:
    """Return numpy; where nobody imported it before, its linear algebra gets one thread."""
    if "numpy" not in sys.modules:
        if missing := numpy_missing():
            raise MissingExtra(missing)
        _import_on_one_thread("numpy")
        for name, module in [*sys.modules.items()]:  # loaded before their package: its attributes now
            package, _, own = name.rpartition(".")
            if name.startswith("numpy.") and package in sys.modules:
                vars(sys.modules[package]).setdefault(own, module)
    import numpy  # noqa: ICN001 - waits where another thread is still importing it

    return numpy


def numpy_core() -> ModuleType:
    """Return what a query needs of numpy: the functions that are written in C."""
    if _CORE not in sys.modules and _core_only and (folder := _folder()):
        _load_core(folder)
    return sys.modules[_CORE] if _core_only and _CORE in sys.modules else full_numpy()


def _folder() -> str:
    """Return the folder of numpy, empty where it is not installed; importlib.util takes longer to load."""
    for finder in sys.meta_path:
        if spec := finder.find_spec("numpy", None):
            return next(iter(spec.submodule_search_locations or ()), "")
    return ""


def _load_core(folder: str) -> None:
    """Load the compiled module while empty packages stand for the two above it."""
    above = {"numpy": folder, "numpy._core": os.path.join(folder, "_core")}
    for name, path in above.items():
        sys.modules[name] = package = ModuleType(name)
        package.__path__ = [path]
    try:
        _import_on_one_thread(_CORE)
    except Exception:  # noqa: BLE001 - a numpy of another shape: the whole of it is imported
        sys.modules.pop(_CORE, None)
    finally:
        for name in above:
            del sys.modules[name]


def _import_on_one_thread(name: str) -> None:
    """Import it while the variables that its libraries read at load are set; leave none behind."""
    ours = [variable for variable in _ONE_THREAD if variable not in os.environ]
    os.environ.update(dict.fromkeys(ours, "1"))
    try:
        __import__(name)
    finally:
        for variable in ours:
            os.environ.pop(variable, None)  # two threads may be here at once
