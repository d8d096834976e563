"""What code does to the world: only `disk` makes, changes and removes files and folders.

Names are followed to where they are imported from: `from os import unlink as gone` is `os.unlink` too.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from tests.contract.test_shape import FILES, shown, tree_of

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


@cache
def names_in(path: Path) -> list[str]:
    return list(names_of(tree_of(path)))


def names_of(tree: ast.AST) -> Iterator[str]:
    """Yield each name with dots as it is used, in full as it is imported; a method of a value as `.name`."""
    nodes = list(ast.walk(tree))
    imported = dict[str, str]()
    for node in nodes:
        if isinstance(node, ast.Import):
            imported |= {one.asname: one.name for one in node.names if one.asname}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for one in node.names:
                imported[one.asname or one.name] = f"{node.module}.{one.name}"
                yield f"{node.module}.{one.name}"
    for node in nodes:
        first, rest = node, list[str]()
        while isinstance(first, ast.Attribute):
            rest.insert(0, first.attr)
            first = first.value
        if isinstance(first, ast.Name):
            yield ".".join([imported.get(first.id, first.id), *rest])
        if rest:
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
