"""Only `disk` makes, changes and removes files and folders; only the top asks for time, place, environment.

Names are followed to where they are imported from: `from os import unlink as gone` is `os.unlink` too.
"""

import ast
import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from tests.contract.test_shape import FILES, SOURCE, shown, tree_of

_CHANGING = """
chflags chmod chown copy_file_range fchmod fchown ftruncate lchflags lchmod lchown link makedirs mkdir mkfifo
mknod posix_fallocate pwrite pwritev remove removedirs removexattr rename renames replace rmdir sendfile
setxattr symlink truncate unlink utime write writev
O_APPEND O_CREAT O_EXCL O_RDWR O_TMPFILE O_TRUNC O_WRONLY
"""
"""What of `os` makes, changes or removes files and folders."""

_METHODS = "chmod hardlink_to lchmod mkdir rmdir symlink_to touch unlink write_bytes write_text"
"""What paths of `pathlib` do to files; `rename` and `replace` are names of other methods too."""

_WRITERS = ("shutil", "tempfile", "dbm", "fileinput", "shelve", "sqlite3", "tarfile", "zipfile")
_HARMLESS = ("shutil.disk_usage", "shutil.get_terminal_size", "shutil.which", "tempfile.gettempdir")
"""Modules that are there to change files, and what of them only looks."""

_CLOCKS = """
datetime.date.today datetime.datetime.now datetime.datetime.today datetime.datetime.utcnow
memdir.config.world.utc_now time.ctime time.gmtime time.localtime time.strftime time.time time.time_ns
"""
_PLACES = """
.expanduser getpass.getuser os.chdir os.environ os.environb os.getcwd os.getcwdb os.getenv os.getlogin
os.path.expanduser os.path.expandvars os.putenv os.unsetenv pathlib.Path.cwd pathlib.Path.home
"""
"""What asks for the time of day, and what for the environment, the user or the working directory."""


@cache
def names_in(path: Path) -> list[str]:
    return list(names_of(tree_of(path)))


def names_of(tree: ast.AST) -> Iterator[str]:
    """Yield each name with dots as it is used, in full as it is imported; a method of a value as `.name`."""
    nodes = list(ast.walk(tree))
    imported = dict[str, str]()
    for node in nodes:
        if isinstance(node, ast.Import):
            imported |= {one.asname or one.name: one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for one in node.names:
                imported[one.asname or one.name] = f"{node.module}.{one.name}"
                yield f"{node.module}.{one.name}"
    for node in nodes:
        first, rest = node, list[str]()
        while isinstance(first, ast.Attribute):
            rest.insert(0, first.attr)
            first = first.value
        whole = ".".join([imported.get(first.id, first.id), *rest]) if isinstance(first, ast.Name) else ""
        yield whole
        if rest and not whole.startswith("os."):
            yield f".{rest[-1]}"


def open_modes(tree: ast.AST) -> Iterator[str]:
    """Yield the modes in which files are opened: "?" for one that is only known when it runs."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        called = ast.unparse(call.func)
        by_path = called in {"open", "io.open", "os.fdopen"}
        if called == "os.open" or not (by_path or called.endswith(".open")):
            continue
        given = call.args[1:2] if by_path else call.args[:1]
        for mode in (*given, *[one.value for one in call.keywords if one.arg == "mode"]):
            said = str(mode.value) if isinstance(mode, ast.Constant) else "?"
            if by_path or re.fullmatch("[rwaxbt+]{1,4}", said):
                yield said


def file_changes(tree: ast.AST, names: Sequence[str]) -> Iterator[str]:
    """Yield what in a module makes, changes or removes files or folders."""
    for name in names:
        module, _, what = name.rpartition(".")
        by_os = module in {"os", "posix", "nt"} and what in _CHANGING.split()
        by_module = module in _WRITERS and name not in _HARMLESS
        if by_os or by_module or (not module and name[:1] == "." and what in _METHODS.split()):
            yield name
    yield from (f"opens with mode {mode!r}" for mode in open_modes(tree) if not set(mode) <= set("rbt"))


_MAY_CHANGE = {
    "cli/demo.py": ("os.utime", "a memory of a story that began days ago is as old as its file"),
    "hooks/full_answer.py": ("os.O_RDWR", "the null device is opened for a child"),
}
"""What else changes files, with the reason."""


def test_only_disk_makes_changes_and_removes_files_and_folders() -> None:
    for path in FILES:
        if shown(path).startswith("disk/"):
            continue
        allowed, _ = _MAY_CHANGE.get(shown(path), ("", ""))
        found = {*file_changes(tree_of(path), names_in(path))}
        assert found - {allowed} == set(), f"{path}: `disk` does this"


@pytest.mark.parametrize(
    "line",
    [
        *[f"os.{name}" for name in _CHANGING.split()],
        "import os as o; o.unlink(p)",
        "from os import unlink",
        "from os import remove as gone",
        "import posix; posix.mkdir(p)",
        "shutil.rmtree(p)",
        "shutil.move(p, q)",
        "from shutil import copytree",
        "from tempfile import mkdtemp",
        "tempfile.NamedTemporaryFile()",
        "sqlite3.connect(p)",
        *[f"Path(p).{name}()" for name in _METHODS.split()],
        "open(p, 'w')",
        "open(p, mode='ab')",
        "open(p, mode)",
        "os.fdopen(fd, 'r+')",
        "io.open(p, 'x')",
        "Path(p).open('w')",
        "Path(p).open(mode='a')",
    ],
)
def test_each_way_to_change_a_file_is_seen(line: str) -> None:
    tree = ast.parse(f"import os, shutil, tempfile, sqlite3, io\nfrom pathlib import Path\n{line}")
    assert [*file_changes(tree, [*names_of(tree)])] != []


@pytest.mark.parametrize(
    "line",
    [
        "text.replace('a', 'b')",
        "names.remove('a')",
        "folder.rename('a', 'b')",
        "folder.remove('a')",
        "replace(value, name='a')",
        "sys.stdout.write('a')",
        "path.link",
        "shutil.which('git')",
        "tempfile.gettempdir()",
        "open(p)",
        "open(p, 'rb')",
        "os.open(p, os.O_RDONLY)",
        "os.fdopen(os.open(p, flags), 'rb')",
        "Path(p).open('rb')",
        "Memory.open('project')",
        "memory.open(place)",
        "os.path.join(p, 'a')",
    ],
)
def test_what_only_looks_like_it_is_no_change(line: str) -> None:
    tree = ast.parse(f"import os, shutil, sys, tempfile\nfrom pathlib import Path\n{line}")
    assert [*file_changes(tree, [*names_of(tree)])] == []


def questions(names: Sequence[str]) -> set[str]:
    """Return what asks the world: the time of day, the environment, the user, the working directory."""
    asking = f"{_CLOCKS} {_PLACES}".split()
    return {one for one in asking for name in names if name == one or name.startswith(f"{one}.")}


def contracts() -> dict[str, dict[str, list[str]]]:
    """Return the contracts of imports by the first word of their names."""
    settings = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    return {one["name"].split()[0]: one for one in settings["tool"]["importlinter"]["contracts"]}


def files_of(*modules: str) -> list[Path]:
    """Return the files of modules and of all that is below them."""
    stems = [SOURCE.parent.joinpath(*module.split(".")) for module in modules]
    return [path for path in FILES if {path.with_suffix(""), *path.parents} & {*stems}]


_MAY_ASK = {
    "config/world.py": ("datetime.datetime.now", "it is where the clock comes from"),
    "hook_paths.py": (
        "os.path.expanduser",
        "a hook needs it before there is a world, where HOME is not set",
    ),
    "recall/semantic/weights.py": ("os.environ", "numpy reads there how many threads it may start"),
    "rules/compiler.py": (
        "time.time_ns",
        "it is compared with times of files, which the system gives",
    ),
}
"""What else below `Memory` asks the world, with the reason."""


def test_nothing_below_memory_asks_for_the_time_the_environment_or_the_place() -> None:
    layers = contracts()["Arrows"]["layers"]
    below = [f"memdir.{one}" for layer in layers[layers.index("memory") + 1 :] for one in layer.split(" | ")]
    found = {}
    for path in files_of(*below):
        if asked := questions(names_in(path)):
            found[shown(path)] = asked
    assert found == {file: {asked} for file, (asked, _) in _MAY_ASK.items()}


def test_text_and_decisions_open_no_file_and_know_no_clock() -> None:
    pure = files_of(*contracts()["Text"]["source_modules"])
    assert {SOURCE / "text" / "value.py", SOURCE / "sync" / "merge.py"} <= {*pure}
    for path in pure:
        assert (shown(path), questions(names_in(path))) == (shown(path), set())
        assert "open" not in names_in(path), f"{path} reads a file; resources.py reads what ships with us"


@pytest.mark.parametrize(
    "line",
    [
        "datetime.now(UTC)",
        "clock = datetime.now",
        "date.today()",
        "import datetime; datetime.datetime.utcnow()",
        "import time; time.time()",
        "from time import time_ns",
        "os.environ['HOME']",
        "os.environ.get('HOME')",
        "from os import environ",
        "os.getenv('HOME')",
        "os.getcwd()",
        "Path.cwd()",
        "Path.home()",
        "Path('~').expanduser()",
        "os.path.expanduser('~')",
        "from memdir.config.world import utc_now",
    ],
)
def test_each_way_to_ask_is_seen(line: str) -> None:
    tree = ast.parse(f"import os\nfrom datetime import date, datetime\nfrom pathlib import Path\n{line}")
    assert questions([*names_of(tree)]) != set()
    allowed = ast.parse("import time; time.monotonic(); world.clock(); env['HOME']")
    assert questions([*names_of(allowed)]) == set()
