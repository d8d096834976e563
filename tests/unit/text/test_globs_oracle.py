"""What globs match is what git ignores by them, with `core.ignorecase` and after brace expansion."""

import itertools
import os
import random
import subprocess
from pathlib import Path

import bracex
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.text.globs import Globs

PARTS = [
    "a",
    "b",
    "A",
    "x.ts",
    "*",
    "**",
    "***",
    "?",
    "[ab]",
    "[!a]",
    "[A-C]",
    "[^b-]",
    "[]a]",
    "[[:upper:]]",
    "[\\]]",
]
PARTS += [
    "[A]",
    "[[:x",
    "[a/b]",
    "[",
    ".",
    "-",
    " ",
    "ü",
    "é",
    "\\a",
    "\\A",
    "\\*",
    "\\#",
    "\\!",
    "{a,b}",
    "{x,b/}a",
]
NAMES = [
    "a",
    "b",
    "A",
    "ab",
    "aB",
    "x.ts",
    "X.TS",
    "aa",
    "b-",
    "a.b",
    "ü",
    "é",
    "*",
    "[",
    "]",
    "a a",
    "#",
    "!a",
    "1",
]


@st.composite
def _glob(draw: st.DrawFn) -> str:
    piece = st.lists(st.sampled_from(PARTS), min_size=1, max_size=4).map("".join)
    body = "/".join(draw(st.lists(piece, min_size=1, max_size=3)))
    before, after = draw(st.sampled_from(["", "", "!", "/", "!/"])), draw(st.sampled_from(["", "", "/"]))
    return (before + body + after).strip()


PATHS = ["/".join(parts) for depth in (1, 2) for parts in itertools.product(NAMES, repeat=depth)]
PATHS += ["/".join(random.Random(seed).choices(NAMES, k=3 + seed % 2)) for seed in range(400)]
ALONE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": os.devnull}
"""No .gitignore of the person who runs this may have a say."""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", str(path)], check=True)
    subprocess.run(["git", "-C", str(path), "config", "core.ignorecase", "true"], check=True)
    return path


@settings(max_examples=settings().max_examples * 3 // 5)
@given(globs=st.lists(_glob(), min_size=1, max_size=4))
def test_git_agrees(repository: Path, globs: list[str]) -> None:
    lines = [line for glob in globs for line in bracex.expand(glob, keep_escapes=True)]
    (repository / ".gitignore").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    ours = Globs(tuple(globs))
    assert [path for path in PATHS if ours.matches(path)] == _ignored(repository)


def _ignored(repository: Path) -> list[str]:
    """Return which of the paths git ignores; each is answered with source, line, glob and path."""
    told = subprocess.run(
        ["git", "-C", str(repository), "check-ignore", "--no-index", "--stdin", "-z", "-v", "-n"],
        input="\0".join([*PATHS, ""]).encode(),
        capture_output=True,
        check=False,  # it ends with 1 when nothing is ignored
        env=os.environ | ALONE,
    )
    fields = told.stdout.decode().split("\0")
    assert fields[3::4] == PATHS
    return [path for glob, path in zip(fields[2::4], PATHS, strict=True) if glob and glob[0] != "!"]
