"""How much code one answer walks through: distinct functions and files of memdir, counted by a profiler.

python -m bench.walks
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from time import sleep

__all__ = ["main"]

_COUNT = """
import os, sys, threading
seen, beside = set(), set()
def note(frame, event, _):
    code = frame.f_code
    is_function = code.co_flags & 1 and code.co_name[0] != "<"  # the body of a class is none
    if event == "call" and "/memdir/" in code.co_filename and is_function:
        walk = seen if threading.current_thread() is threading.main_thread() else beside
        walk.add((code.co_filename, code.co_qualname))
def watch():
    threading.setprofile(note)
    sys.setprofile(note)
def told():
    sys.setprofile(None)
    for start, walk, end in (("", seen, ""), (" (with its threads ", seen | beside, ")")):
        files = {file for file, _ in walk}
        print(f"{start}{len(walk)} functions in {len(files)} files{end}", end="", file=sys.stderr)
"""

_SETTLED = 0.1
"""Seconds after which what a rule says may be kept: until then its file may change and show the same time."""

_HOOK = """
import atexit
from memdir.hooks.entry import run
atexit.register(told)
leave = os._exit
os._exit = lambda code: (told(), leave(code))
sys.argv = ["memdir-hook", sys.argv[1]]
watch()
run()
"""

_SAVE = """
from memdir import Memory
memory = Memory.open(sys.argv[1])
watch()
memory.remember("Deploys of the shop go out on Tuesdays, because support is staffed then.")
told()
"""

_TURN = """
from memdir import Memory
memory = Memory.open(sys.argv[1])
messages = [{"role": "user", "content": "Always run make lint before you push, the reviewers insist."}]
watch()
memory.extract(messages=messages)
told()
"""

_TEXTS = [
    "The staging database is reset every night at two.",
    "The user wants short answers without summaries.",
    "Invoices are numbered by the warehouse, never by the shop.",
    "Dashboards for latency live at https://grafana.example.com/d/latency.",
]


def main() -> None:
    """Print a line for each walk, by words alone and with the vectors of meanings."""
    for how in ("by words", "with meanings"):
        with tempfile.TemporaryDirectory() as folder:
            home, project = os.path.join(folder, "home"), os.path.join(folder, "project")
            env = {**os.environ, "HOME": home, "CLAUDE_CONFIG_DIR": os.path.join(home, ".claude")}
            env |= {"MEMDIR_WEIGHTS": folder} if how == "by words" else {}
            _prepare(project, env)
            for name, (code, word, event) in _walks(project).items():
                print(f"{name}, {how}: {_walk(code, word, event, project, env)}", flush=True)


def _prepare(project: str, env: dict[str, str]) -> None:
    """Make a project with a few memories and a rule."""
    settings = os.path.join(env["CLAUDE_CONFIG_DIR"], "memdir", "settings.json")
    for folder in (project, os.path.dirname(settings)):
        os.makedirs(folder)
    with open(settings, "w", encoding="utf-8") as file:
        file.write('{"recall": {"budgetMs": 60000}}')  # a profiler slows it, and all counts
    memdir = [sys.executable, "-m", "memdir"]
    saves = [*[[text] for text in _TEXTS], ["Never push to main.", "--enforce", "Bash: git push * main"]]
    for command in (["git", "init", "-q"], *[[*memdir, "remember", *save] for save in saves]):
        subprocess.run(command, cwd=project, env=env, check=True, capture_output=True)
    sleep(_SETTLED)
    subprocess.run([*memdir, "rules"], cwd=project, env=env, check=True, capture_output=True)


def _walks(project: str) -> dict[str, tuple[str, str, Mapping[str, object]]]:
    """Return the program of each walk, its argument, and the event that it is given."""
    call = {"tool_name": "Bash", "tool_input": {"command": "git push origin main"}}
    denied = (_HOOK, "PreToolUse", call)
    return {
        "a prompt": (_HOOK, "UserPromptSubmit", {"prompt": "When is the staging database reset?"}),
        "a denied call": denied,
        "a denied call again, with the reply cache": denied,
        "a save": (_SAVE, project, {}),
        "an ended turn": (_TURN, project, {}),
    }


def _walk(code: str, word: str, event: Mapping[str, object], project: str, env: dict[str, str]) -> str:
    """Run one program under the profiler; return what it counted."""
    given = json.dumps(
        {"session_id": "s1", "cwd": project, "transcript_path": "", "hook_event_name": word, **event}
    )
    words = [sys.executable, "-c", _COUNT + code, word]
    done = subprocess.run(
        words, cwd=project, env=env, input=given, capture_output=True, text=True, check=False
    )
    silent = " (no answer in time)" if code is _HOOK and not done.stdout.strip() else ""
    return f"{done.stderr.strip().splitlines()[-1]}{silent}"


if __name__ == "__main__":
    main()
