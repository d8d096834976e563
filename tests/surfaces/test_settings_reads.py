"""Settings are read once in a process, however many parts of memdir ask for them."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import sleep

import pytest
from tests.surfaces.test_hooks import Host

COUNT = """
import os, sys
leave = os._exit
opened = []
def note(event, about):
    if event == "open" and str(about[0]).endswith(("settings.json", "settings.local.json")):
        opened.append(str(about[0]))
def tell(code=0):
    with open(os.environ["OPENED"], "w") as file:
        file.write("\\n".join(opened))
    leave(code)
sys.addaudithook(note)
os._exit = tell
import atexit
atexit.register(tell)
"""
HOOK = "from memdir.hooks.entry import run; run()"
COMMAND = "from memdir.cli.main import main; main()"


def settings_files(host: Host) -> list[str]:
    user, project = host.home / ".claude", host.project / ".claude"
    paths = [user / "settings.json", project / "settings.json", project / "settings.local.json"]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.write_text('{"memdir": {"recall.lines": 100}}')
        os.utime(path, (1e9, 1e9))
    return sorted(map(str, [*paths, user / "memdir" / "settings.json"]))


def opened(host: Host, tmp_path: Path, start: str, words: Sequence[str], feed: object = None) -> list[str]:
    """Return the settings files that a command opens, each as often as it does."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT + start, *words],
        input=json.dumps(feed).encode(),
        env={**host.env, "OPENED": str(tmp_path / "opened")},
        cwd=host.project,
        capture_output=True,
        check=True,
    )
    assert b"Traceback" not in done.stderr, done.stderr
    return sorted((tmp_path / "opened").read_text().split())


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ("UserPromptSubmit", {"prompt": "how do deploys reach production?"}),
        ("PreToolUse", {"tool_name": "Bash", "tool_input": {"command": "git push origin main"}}),
    ],
)
def test_a_prompt_and_a_denied_call_read_each_file_once(
    host: Host, tmp_path: Path, event: str, said: dict[str, object]
) -> None:
    files = settings_files(host)
    call = {"cwd": str(host.project), "session_id": "s1", **said}
    assert opened(host, tmp_path, HOOK, [event], call) == files
    host.memory.remember("Deploys go through the blue pipeline.", kind="project", name="deploys")
    host.memory.remember("Never push.", name="no-push", enforce="Bash: git push *")
    sleep(0.025)  # rules that are younger are not cached
    assert opened(host, tmp_path, HOOK, [event], call) == files
    if event == "PreToolUse":
        assert opened(host, tmp_path, HOOK, [event], call) == [], "the reply cache answers"


def test_a_save_by_the_command_line_reads_each_file_once(host: Host, tmp_path: Path) -> None:
    files = settings_files(host)
    assert opened(host, tmp_path, COMMAND, ["remember", "Deploys go out on Tuesdays."]) == files
    assert [header.kind for header in host.memory.list()] == ["project"]
