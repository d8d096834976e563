"""The weights of the networks, each network in one file, and the numpy that computes with them.

Large tables are int8 with a scale for each row or column. `training` writes the files.

Only this module imports numpy: on one thread, and with an error that says how to install it. A hook process
runs one query and ends. Four fifths of the import of numpy are Python modules that no query uses, so such a
process loads numpy's compiled module alone (`load_core_only`), which has the functions of numpy. A method
that is written in Python imports the rest by itself: slower, with the same result. Where the compiled module
cannot be loaded alone, numpy is imported.

A host waits for this module: it imports late.
"""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import ModuleType

from memdir.errors import MissingExtra, StorageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

    from numpy.typing import NDArray

    Tables = Mapping[str, NDArray[Any]]
    """What a network needs, by name; its vocabulary is among it."""

__all__ = [
    "ENCODER",
    "PACKAGED",
    "WEIGHTS_VARIABLE",
    "WIDTH",
    "full_numpy",
    "load_core_only",
    "numpy_core",
    "numpy_missing",
    "weights_at",
    "weights_folder",
    "weights_missing",
]

WEIGHTS_VARIABLE = "MEMDIR_WEIGHTS"
"""Names another folder of weights, for those who train their own."""
PACKAGED = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "weights")
ENCODER = "recall.int8"
"""The file of the encoder."""

WIDTH = 384
"""Numbers of a vector."""

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
    import mmap  # other events of a host do not wait for it

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


_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""A query is too small to share: on a busy machine a second thread once took fifty times as long."""

_CORE = "numpy._core._multiarray_umath"
_core_only = False


def numpy_missing() -> str:
    """Say what to do when numpy is not there; empty when it is."""
    if "numpy" in sys.modules or _CORE in sys.modules or _folder():
        return ""
    from memdir.config.package import package_command

    return f"numpy is not installed. Install it with: {package_command('numpy')}"


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
