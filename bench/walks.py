"""How much code one answer walks through: distinct functions and files of memdir, counted by a profiler.

python -m bench.walks
"""

import json
import os
import subprocess
import sys
import tempfile

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
    """Print a line for each walk."""
    with tempfile.TemporaryDirectory() as folder:
        home, project = os.path.join(folder, "home"), os.path.join(folder, "project")
        os.makedirs(home)
        os.makedirs(project)
        subprocess.run(["git", "init", "-q", project], check=True)
        env = {**os.environ, "HOME": home, "CLAUDE_CONFIG_DIR": os.path.join(home, ".claude")}
        memdir = [sys.executable, "-m", "memdir"]
        settings = os.path.join(home, ".claude", "memdir", "settings.json")
        os.makedirs(os.path.dirname(settings))
        with open(settings, "w", encoding="utf-8") as file:
            file.write('{"recall": {"budgetMs": 60000}}')  # a profiler slows it, and all counts
        for text in _TEXTS:
            subprocess.run([*memdir, "remember", text], cwd=project, env=env, check=True, capture_output=True)
        rule = ["remember", "Never push to main.", "--enforce", "Bash: git push * main"]
        subprocess.run([*memdir, *rule], cwd=project, env=env, check=True, capture_output=True)
        call = {"tool_name": "Bash", "tool_input": {"command": "git push origin main"}}
        prompt = {"prompt": "When is the staging database reset?"}
        walks: dict[str, tuple[str, str, dict[str, object]]] = {
            "a prompt": (_HOOK, "UserPromptSubmit", {**prompt, "hook_event_name": "UserPromptSubmit"}),
            "a denied call": (_HOOK, "PreToolUse", {**call, "hook_event_name": "PreToolUse"}),
            "a denied call again, with the reply cache": (
                _HOOK,
                "PreToolUse",
                {**call, "hook_event_name": "PreToolUse"},
            ),
            "a save": (_SAVE, project, {}),
            "an ended turn": (_TURN, project, {}),
        }
        for name, (code, word, event) in walks.items():
            given = {"session_id": "s1", "cwd": project, "transcript_path": "", **event}
            words = [sys.executable, "-c", _COUNT + code, word]
            done = subprocess.run(
                words,
                cwd=project,
                env=env,
                input=json.dumps(given),
                capture_output=True,
                text=True,
                check=False,
            )
            silent = code is _HOOK and not done.stdout.strip()
            print(f"{name}: {done.stderr.strip().splitlines()[-1]}{' (no answer in time)' if silent else ''}")


if __name__ == "__main__":
    main()
