"""With `--json` every command prints exactly one JSON object, whether it succeeds or fails."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from scripts.reference.commands import JSON

from memdir.cli.app import memdir, run

NO_DATABASE = ["--database", "postgresql://127.0.0.1:1/none"]

WORDS = {
    "remember": ["Prefers tabs."],
    "forget": ["second"],
    "recall": ["how do we deploy the shop"],
    "search": ["deploy"],
    "show": ["first"],
    "edit": ["first"],
    "rename": ["first", "renamed"],
    "why-not": ["first", "how do we deploy"],
    "restore": ["first"],
    "init": ["claude-code"],
    "import": ["."],
    "agent prompt": ["reviewer", "--scope", "local"],
    "agent snapshot create": ["reviewer"],
    "agent snapshot status": ["reviewer"],
    "agent snapshot apply": ["reviewer"],
    "export": ["out.memdir"],
    "inbox show": ["1a2b3c"],
    "inbox apply": ["1a2b3c"],
    "inbox reject": ["1a2b3c"],
    "rules approve": ["first"],
    "rules withdraw": ["first"],
    "instructions approve": ["../house.md"],
    "instructions withdraw": ["../house.md"],
    "eval recall": ["."],
    "sync init": ["../nowhere"],
    "hub space create": ["one", *NO_DATABASE],
    "hub space list": NO_DATABASE,
    "hub space delete": ["one", "--yes", *NO_DATABASE],
    "hub token create": ["one", "laptop", *NO_DATABASE],
    "hub token list": NO_DATABASE,
    "hub token revoke": ["one", *NO_DATABASE],
    "hub usage": NO_DATABASE,
    "hub audit": NO_DATABASE,
    "hub prune": NO_DATABASE,
    "team promote": ["first"],
    "team blame": ["first"],
}
"""What a command is given; those that are not named need nothing."""

FAIL = {"agent snapshot create", "agent snapshot apply"} | {
    name for name in WORDS if name.startswith(("inbox ", "rules ", "models ", "eval ", "hub "))
}
"""Those that are given something that is not there."""


def leaves(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield every command that has the option, with how it is typed."""
    for name, command in group.commands.items():
        if any("--json" in parameter.opts for parameter in command.params):
            yield f"{path}{name}", command
        if isinstance(command, click.Group):
            yield from leaves(command, f"{path}{name} ")


LEAVES = [name for name, _ in leaves(memdir)]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Make a home and a project with two memories and one recall; return where, and a copy of all of it."""
    root, copy = tmp_path_factory.mktemp("json"), tmp_path_factory.mktemp("copy") / "json"
    (root / "project").mkdir()
    (root / "house.md").write_text("House rules.\n")
    with pytest.MonkeyPatch.context() as patch:
        _stand_in(root, patch)
        for name in ("first", "second"):
            assert run(["remember", f"The shop deploys on Tuesdays, {name}.", "--name", name]) == 0
        run(["recall", "when do we deploy the shop"])
    shutil.copytree(root, copy)
    return root, copy


@pytest.fixture
def place(
    saved: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Path:
    """Stand in that project as it was at first."""
    root, copy = saved
    shutil.rmtree(root)
    shutil.copytree(copy, root)
    _stand_in(root, monkeypatch)
    capfd.readouterr()
    return root / "project"


def named(command: str) -> set[str]:
    """Return the keys that the reference names for a command, also by way of another."""
    others = re.findall(r"`([a-z -]+)` prints", JSON[command])
    return set(re.findall(r"`(\w+)`", JSON[command])).union(*map(named, others))


def _stand_in(root: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("HOME", str(root / "home"))
    patch.setenv("EDITOR", "true")
    patch.chdir(root / "project")


@pytest.mark.parametrize("name", LEAVES)
def test_a_command_prints_one_object(name: str, place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run([*name.split(), *WORDS.get(name, []), "--json"])
    shape = json.loads(capfd.readouterr().out)
    assert isinstance(shape, dict), f"{name} in {place} printed a {type(shape).__name__}"
    assert set(shape) - {"error"} <= named(name), "name these keys in scripts/reference/json.txt"
    assert name in FAIL or "error" not in shape or shape["error"]["kind"] not in {"usage", "error"}


def test_a_list_of_recalls_is_an_object_too(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["why", "--list", "--json"]) == 0, place
    (recall,) = json.loads(capfd.readouterr().out)["recalls"]
    assert (recall["query"], len(recall["id"])) == ("when do we deploy the shop", 8)


def test_every_command_but_those_that_agents_start_has_the_option() -> None:
    groups = {name for name, command in memdir.commands.items() if isinstance(command, click.Group)}
    assert set(memdir.commands) - groups - set(LEAVES) == {"hook", "mcp", "demo", "ui", "serve"}
