"""The image is built and the hub of compose.yaml starts, where a Docker engine and the images below are."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = [pytest.mark.hub, pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[2]
ASK = """
import sys, urllib.request as http
token, node, verb, body = sys.argv[1:]
headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
asked = http.Request(f"http://{node}:8377/v1/spaces/team-a/memory/{verb}", body.encode(), headers)
print(http.urlopen(asked).read().decode())
"""


@pytest.fixture
def compose(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Give `docker compose` for a project of its own, without ports of this machine."""
    if because := _why_not():
        pytest.skip(f"not run: {because}")
    without = re.sub(r"\n +ports: .*", "", (ROOT / "compose.yaml").read_text())
    (file := tmp_path / "compose.yaml").write_text(without)
    words = ["docker", "compose", "--file", str(file), "--project-directory", str(ROOT)]

    def run(*more: str) -> str:
        env = {**os.environ, "POSTGRES_PASSWORD": "abc123", "COMPOSE_PROJECT_NAME": f"memdir-{os.getpid()}"}
        done = subprocess.run([*words, *more], env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    yield run
    run("down", "--volumes", "--rmi", "local")


def test_what_is_saved_on_one_node_is_read_on_the_other(compose: Callable[..., str]) -> None:
    compose("up", "--build", "--detach", "--wait")
    compose("exec", "-T", "node-1", "memdir", "hub", "space", "create", "team-a")
    token = compose("exec", "-T", "node-2", "memdir", "hub", "token", "create", "team-a", "laptop").strip()
    asked = ("exec", "-T", "node-1", "python", "-c", ASK, token)
    compose(*asked, "node-1", "remember", '{"text": "Deploys go out on Tuesdays.", "name": "deploy day"}')
    assert "Tuesdays" in compose(*asked, "node-2", "read", '{"name": "deploy day"}')


def _why_not() -> str | None:
    """Return why containers cannot be started here; nothing is downloaded for a test."""
    if not shutil.which("docker"):
        return "no Docker here"
    for words in (["compose", "version"], ["image", "inspect", "python:3.13-slim", "postgres:17"]):
        done = subprocess.run(["docker", *words], capture_output=True, text=True, check=False)
        if done.returncode:
            return f"docker {' '.join(words)}: {done.stderr.strip()}"
    return None
