"""Importing memdir costs next to nothing: heavy modules are loaded by the verbs that need them."""

import subprocess
import sys

import memdir

HEAVY = {"click", "yaml", "asyncio", "httpx2", "sqlite3", "dataclasses"}


def loaded_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    baseline = loaded_by("pass")
    assert not (loaded_by("import memdir") - baseline) & HEAVY


def test_listing_needs_neither_yaml_nor_git_nor_the_command_line() -> None:
    loaded = loaded_by("from memdir import Memory; import tempfile; Memory.at(tempfile.mkdtemp()).list()")
    assert not loaded & {"click", "yaml", "asyncio", "httpx2", "sqlite3"}


def test_every_public_name_can_be_imported() -> None:
    for name in memdir.__all__:
        assert getattr(memdir, name) is not None
