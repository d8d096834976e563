"""The image is made from files that are there, and its containers are started with commands that exist."""

import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from memdir.cli.app import memdir
from memdir.hub.space_memory import MODEL_VARIABLES

ROOT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
NODES: dict[str, Any] = {name: one for name, one in COMPOSE["services"].items() if "build" in one}


def test_the_image_is_made_from_files_that_are_sent_to_the_engine() -> None:
    lines = re.findall(r"^COPY (?!--from)(.*) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    copied = [word for line in lines for word in line.split()]
    assert [name for name in copied if not (ROOT / name).exists()] == []
    sent = [line[1:] for line in (ROOT / ".dockerignore").read_text().split() if line.startswith("!")]
    assert sorted(sent) == sorted(copied)


def test_each_container_starts_a_command_that_exists() -> None:
    image = re.findall(r"^CMD \[(.*)\]$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    started = [shlex.split(image[0].replace(",", " ")), *(one["command"] for one in NODES.values())]
    for words in started:
        assert _parsed(words) == "serve"
        assert "--worker" in words or words[-2:] == ["--host", "0.0.0.0"]  # noqa: S104 - seen from outside
    assert len(started) == 4


@pytest.mark.parametrize("page", ["compose.yaml", "docs/how-to/hub.md"])
def test_commands_that_are_shown_for_a_container_exist(page: str) -> None:
    shown = re.findall(r"docker compose exec (\S+) memdir (.*)", (ROOT / page).read_text())
    assert {service for service, _ in shown} <= set(NODES)
    assert [_parsed(words.split()) for _, words in shown] == ["create", "create"]


def test_a_worker_is_given_what_models_need_and_nodes_are_not() -> None:
    given = {name: set(one["environment"]) for name, one in NODES.items()}
    assert given.pop("worker") == {"MEMDIR_DATABASE", *MODEL_VARIABLES}
    assert set().union(*given.values()) == {"MEMDIR_DATABASE"}


def _parsed(words: list[str]) -> str:
    """Return the name of the command; click refuses words that it does not know."""
    command: click.Command = memdir
    rest = list(words)
    while isinstance(command, click.Group):
        command = command.commands[rest.pop(0)]
    database = ["--database", "postgresql://memdir@postgres/memdir"]
    return command.make_context(command.name or "", [*rest, *database]).info_name or ""
