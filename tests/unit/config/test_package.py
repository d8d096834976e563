"""The command that adds a package is one that works for the way in which this copy was installed."""

import os
import shlex
import sys
import tomllib
from pathlib import Path

import pytest

from memdir.config.package import EXTRAS, OwnPackage, _keeper, _requirement, extra_command, package_command

CLONE = "/home/me/my tools/memdir"


@pytest.mark.parametrize(
    ("own", "command"),
    [
        (OwnPackage(python="/v/bin/python"), "/v/bin/python -m pip install 'memdir[x]'"),
        (OwnPackage(CLONE, editable=True), f"python3 -m pip install --editable '{CLONE}[x]'"),
        (OwnPackage(CLONE, keeper="uv", python="/v/p"), f"uv pip install --python /v/p '{CLONE}[x]'"),
        (OwnPackage(keeper="uv tool", extras=("semantic",)), "uv tool install 'memdir[semantic,x]'"),
        (OwnPackage(CLONE, keeper="pipx"), f"pipx install --force '{CLONE}[x]'"),
        (
            OwnPackage("memdir @ git+https://host/x"),
            "python3 -m pip install 'memdir[x] @ git+https://host/x'",
        ),
    ],
)
def test_each_way_has_its_command(own: OwnPackage, command: str) -> None:
    assert own.adding_extra("x") == command


@pytest.mark.parametrize(
    ("keeper", "command"),
    [
        ("pip", "python3 -m pip install 'anthropic>=2.8'"),
        ("pipx", "pipx inject memdir 'anthropic>=2.8'"),
        ("uv tool", "uv tool install --with 'anthropic>=2.8' memdir"),
    ],
)
def test_another_package_goes_into_the_same_environment(keeper: str, command: str) -> None:
    assert OwnPackage(keeper=keeper).adding_package("anthropic>=2.8") == command


@pytest.mark.parametrize(
    ("record", "requirement"),
    [
        ({}, "memdir"),
        ({"url": "file:///a%20b/memdir", "dir_info": {}}, "/a b/memdir"),
        ({"url": "https://host/x", "vcs_info": {"vcs": "git"}}, "memdir @ git+https://host/x"),
        ({"url": "file:///w/memdir-1.whl", "archive_info": {}}, "memdir @ file:///w/memdir-1.whl"),
    ],
)
def test_the_source_is_what_the_installer_wrote_down(record: dict[str, object], requirement: str) -> None:
    assert _requirement(record) == requirement


def test_the_keeper_is_told_by_what_it_leaves_in_the_environment(tmp_path: "os.PathLike[str]") -> None:
    for file, keeper in (("pipx_metadata.json", "pipx"), ("uv-receipt.toml", "uv tool")):
        with open(os.path.join(tmp_path, file), "w", encoding="ascii"):
            assert _keeper(os.fspath(tmp_path)) == keeper


def test_this_very_copy_is_not_taken_from_an_index() -> None:
    words = shlex.split(extra_command("x"))
    assert os.path.isdir(words[-1].removesuffix("[x]"))
    assert sys.executable in words
    assert shlex.split(package_command("x"))[-1] == "x"


def test_only_extras_that_there_are_can_be_asked_for() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
    assert set(EXTRAS) == set(project["optional-dependencies"]) - {"dev"}
