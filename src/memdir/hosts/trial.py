"""Starts what a host is told to start, as the host does it, and says why it does not run."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence

from memdir.hosts.claude_code_setup import BY_NAME, LAUNCHER, SERVER, hook_line
from memdir.hosts.presence import SERVES, HostEntry

__all__ = ["failure_of", "script_words"]

_SECONDS = 20.0
"""After which a start counts as failed: the most that a host waits for a hook is 10."""

_LONGEST_REASON = 300
"""Characters of what a program said when it failed."""

_HARD = "the first line of {} names an interpreter in a folder with a blank or a long path"

_LONGEST_FIRST_LINE = 127
"""Bytes of a script's first line that every kernel takes."""


def script_words(script: str) -> list[str]:
    """Return the words that start a Python script.

    The system cannot start one whose first line is long or names an interpreter with a blank in its path, as
    in a virtual environment in `My Projects`: then the interpreter is named outright.
    """
    try:
        with open(script, "rb") as file:
            line = file.readline(4096).rstrip()
    except OSError:
        return [script]
    interpreter = os.fsdecode(line.removeprefix(b"#!").strip())
    is_hard = len(line) > _LONGEST_FIRST_LINE or len(interpreter.split()) > 1
    named = line.startswith(b"#!") and is_hard and os.path.isfile(interpreter)
    return [interpreter, script] if named else [script]


def failure_of(entry: HostEntry, env: Mapping[str, str], cwd: str) -> str:
    """Start what an entry names as its host would; return why that fails, empty when it does not.

    A hook goes through the shell and is only asked for its version; a server finds its input at an end.
    What `memdir init` would not write so is not started.
    """
    words = entry.words
    if entry.part != SERVES:
        return _hook_failure(words, env, cwd) if words else ""
    is_ours = os.path.basename(words[0]) == SERVER and words[-1] == "mcp"
    return _failure(words, env, cwd) if is_ours else ""


def _hook_failure(words: Sequence[str], env: Mapping[str, str], cwd: str) -> str:
    """Return why a hook did not say its version; a shell cannot tell why a script was not started."""
    ask = "--version"
    line = hook_line(LAUNCHER, ask) if words == BY_NAME else f"{shlex.join(words)} {ask}"
    failure = _failure(["/bin/sh", "-c", line], env, cwd, said=f"{LAUNCHER} ")
    script = shutil.which(words[0], path=env.get("PATH", "")) or words[0]
    is_hard = failure and words == (LAUNCHER,) and len(script_words(script)) > 1
    return f"does not run ({_HARD.format(script)})" if is_hard else failure


def _failure(words: Sequence[str], env: Mapping[str, str], cwd: str, *, said: str = "") -> str:
    """Return why a program did not end well, or did not say what it should."""
    where = cwd if os.path.isdir(cwd) else None
    try:
        done = subprocess.run(
            words,
            input=b"",
            env=dict(env),
            cwd=where,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"does not run (no end within {_SECONDS:.0f} seconds)"
    except OSError as error:
        return f"does not run ({error.strerror or error})"
    if done.returncode == 0 and done.stdout.startswith(said.encode()):
        return ""
    lines = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
    told = (
        lines[-1].strip()[:_LONGEST_REASON] if lines else f"it ends with {done.returncode} and says nothing"
    )
    return f"does not run ({told})"
