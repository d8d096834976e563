"""Where a run takes place: a folder on the real disk, compiled yardsticks, a clean virtual environment."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.process import Finished, Served, run_once
from bench.topics import Filled, filled

__all__ = ["Ground", "prepared"]

_BENCH = os.path.dirname(os.path.abspath(__file__))
_PROJECT = os.path.dirname(_BENCH)


@dataclass(frozen=True, slots=True)
class Ground:
    """Everything a measurement needs: place, interpreter, environment, compiled programs."""

    folder: str
    python: str
    """The interpreter in which memdir, and nothing but its dependencies, is installed."""
    env: dict[str, str]
    programs: str
    _filled: dict[int, Filled] = field(default_factory=dict)

    def memories(self, count: int) -> Filled:
        """Return a directory of that many memories without an index; made once, for reading only."""
        if count not in self._filled:
            self._filled[count] = filled(self.path(f"memories-{count}"), count)
        return self._filled[count]

    def path(self, *names: str) -> str:
        """Return a path inside the folder of this run."""
        return os.path.join(self.folder, *names)

    def program(self, name: str) -> str:
        """Return the path of one compiled yardstick."""
        return os.path.join(self.programs, name)

    def subject(self, directory: str, state: str, *before: str) -> Served:
        """Start a process with a handle on a directory; `before` may put another command in front."""
        script = os.path.join(_BENCH, "subject.py")
        return Served([*before, self.python, "-I", script, directory, state], self.env)

    def interpreter(self, code: str) -> Finished:
        """Run a line of Python in the clean environment."""
        return run_once([self.python, "-I", "-c", code], self.env)

    def machine(self) -> str:
        """Say what this was measured on, in the words that matter for the figures."""
        version = self.interpreter("import platform; print(platform.python_version())").output.strip()
        return f"{os.cpu_count()} cores, {_file_system(self.folder)}, Python {version}"


@contextmanager
def prepared(*, here: bool, at: str) -> Iterator[Ground]:
    """Set the ground up and take it away again."""
    folder = tempfile.mkdtemp(prefix="memdir-bench-", dir=at)
    try:
        programs, home = os.path.join(folder, "programs"), os.path.join(folder, "home")
        os.mkdir(programs)
        os.mkdir(home)
        for name in ("yardstick_read", "yardstick_save"):
            _compile(name, programs)
        python = sys.executable if here else _clean_environment(os.path.join(folder, "venv"))
        yield Ground(folder, python, _environment(home), programs)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _compile(name: str, programs: str) -> None:
    source = os.path.join(_BENCH, f"{name}.c")
    subprocess.run(["cc", "-O2", "-o", os.path.join(programs, name), source], check=True)


def _clean_environment(folder: str) -> str:
    """Make a virtual environment with only the built wheel and what it depends on."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = os.path.join(folder, "bin", "python")
    wheels = os.path.join(folder, "wheels")
    pip = [python, "-m", "pip", "-qq", "--disable-pip-version-check"]
    subprocess.run([*_build_command(pip), wheels, _PROJECT], check=True)
    (wheel,) = (os.path.join(wheels, name) for name in os.listdir(wheels) if name.endswith(".whl"))
    constraints = os.path.join(_PROJECT, "constraints.txt")
    subprocess.run([*pip, "install", "--constraint", constraints, wheel], check=True)
    return python


def _build_command(pip: list[str]) -> list[str]:
    """Prefer uv, which carries the build backend; pip would fetch it."""
    beside = os.path.join(os.path.dirname(sys.executable), "uv")
    uv = beside if os.path.exists(beside) else shutil.which("uv")
    return (
        [uv, "build", "--quiet", "--wheel", "--out-dir"]
        if uv
        else [*pip, "wheel", "--no-deps", "--wheel-dir"]
    )


def _environment(home: str) -> dict[str, str]:
    """Return nothing of the caller's environment but the way to git."""
    git = shutil.which("git")
    folders = [os.path.dirname(git)] if git else []
    return {
        "PATH": os.pathsep.join([*folders, *os.defpath.split(os.pathsep)]),
        "HOME": home,
        "LANG": "C.UTF-8",
    }


def _file_system(path: str) -> str:
    """Return the type of the file system that holds a path, where the system tells."""
    try:
        with open("/proc/self/mounts", encoding="utf-8") as mounts:
            rows = [line.split(" ")[1:3] for line in mounts]
    except OSError:
        return "file system unknown"
    inside = [(len(point), kind) for point, kind in rows if f"{path}/".startswith(f"{point.rstrip('/')}/")]
    return max(inside)[1] if inside else "file system unknown"
