"""A process that answers one query loads numpy's compiled module alone, and computes the same."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.unit.recall.small_model import encoder, weights
from training.weights_file import pack

from memdir.recall.semantic.vectors import MaxSim, VectorSpace, pack_vectors, unpack_vectors

TEXTS = ("the cat sat on the mat .", "deploys go out on tuesday .", "unwanted , unwanted")
QUERY = "the cat sat unwanted"

ASK = """
import json, sys
from pathlib import Path
from memdir.recall.semantic import weights
from memdir.recall.semantic.encoder import Encoder
from memdir.recall.semantic.vectors import MaxSim, VectorSpace, unpack_vectors
from memdir.recall.semantic.weights import weights_at

folder = Path(sys.argv[1])
weights.load_core_only()
{before}
kept = [[(folder / f"{{number}}.{{kind}}").read_bytes() for kind in ("row", "tokens")] for number in range(3)]
space = VectorSpace([unpack_vectors(row, lambda tokens=tokens: tokens) for row, tokens in kept])
query = Encoder(weights_at(str(folder / "weights"))).encode([{query!r}])[0]
near = MaxSim(space, query)
answer = [near.cosines, near.tokens([0, 1, 2]), near.similarities([0, 1, 2]), query.mean.tolist()]
loaded = [name for name in sys.modules if name.partition(".")[0] == "numpy"]
{after}
print(json.dumps([answer, loaded]))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("vectors")
    (made / "weights").write_bytes(pack(weights()))
    for number, text in enumerate(TEXTS):
        row, tokens = pack_vectors(encoder().encode([text]))
        (made / f"{number}.row").write_bytes(row)
        (made / f"{number}.tokens").write_bytes(tokens)
    return made


def asked(folder: Path, before: str = "", after: str = "") -> "tuple[list[Any], set[str]]":
    code = ASK.format(before=before, after=after, query=QUERY)
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    answer, loaded = json.loads(done.stdout)
    return answer, set(loaded)


def expected() -> list[Any]:
    kept = [pack_vectors(encoder().encode([text])) for text in TEXTS]
    space = VectorSpace([unpack_vectors(row, lambda tokens=tokens: tokens) for row, tokens in kept])  # type: ignore[misc]
    query = encoder().encode([QUERY])[0]
    near = MaxSim(space, query)
    return [near.cosines, near.tokens([0, 1, 2]), near.similarities([0, 1, 2]), query.mean.tolist()]


def same(answer: list[Any], wanted: list[Any]) -> bool:
    return [*flat(answer)] == pytest.approx([*flat(wanted)], abs=1e-5)


def flat(value: Any) -> list[float]:
    return [value] if isinstance(value, float) else [number for one in value for number in flat(one)]


def test_a_query_needs_the_compiled_module_only(folder: Path) -> None:
    answer, loaded = asked(folder)
    assert same(answer, expected())
    assert "numpy._core._multiarray_umath" in loaded
    assert not loaded & {"numpy", "numpy._core", "numpy.lib", "numpy._core._methods"}


def test_the_rest_of_numpy_can_be_imported_after_it(folder: Path) -> None:
    after = """
np = weights.full_numpy()
table = query.tokens
assert isinstance(table, np.ndarray) and np.stack([table, table]).mean() == np.mean(table)
assert np.exceptions.AxisError and np.dtypes and np.linalg.norm(query.mean) > 0.99
assert weights.numpy_core().exp is np.exp
"""
    assert same(asked(folder, after=after)[0], expected())


def test_a_method_that_is_written_in_python_brings_the_rest(folder: Path) -> None:
    before = "assert weights.numpy_core().array([1.0, 2.0]).sum() == 3"
    answer, loaded = asked(folder, before=before)
    assert same(answer, expected())
    assert "numpy.lib" in loaded


def test_where_it_cannot_be_loaded_alone_numpy_is_imported(folder: Path) -> None:
    answer, loaded = asked(folder, before="weights._CORE = 'numpy._core.of_another_name'")
    assert same(answer, expected())
    assert "numpy.lib" in loaded


def test_a_process_that_did_not_ask_for_it_imports_numpy(folder: Path) -> None:
    answer, loaded = asked(folder, before="weights._core_only = False")
    assert same(answer, expected())
    assert {"numpy", "numpy.lib"} <= loaded


SLOW_IMPORT = """
import sys, threading
from memdir.recall.semantic.weights import full_numpy, numpy_core

begun, asked = threading.Event(), threading.Event()

class Pause:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy._core":  # numpy is known by now, and its functions are not there yet
            begun.set()
            asked.wait(10)

sys.meta_path.insert(0, Pause())
first = threading.Thread(target=full_numpy)
first.start()
begun.wait(10)
threading.Timer(0.3, asked.set).start()
print(len({core}().frombuffer(b"1234", dtype="u1")))
first.join()
"""


@pytest.mark.parametrize("core", ["full_numpy", "numpy_core"])
def test_who_asks_while_another_thread_imports_numpy_waits_for_all_of_it(core: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SLOW_IMPORT.format(core=core)], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("4\n", "")
