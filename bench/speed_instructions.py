"""Discovering 66 instruction files, imports and rules included, against a loop that only reads them."""

import json
import os
from statistics import median

from bench.figures import Row, interleaved
from bench.ground import Ground
from bench.process import run_once

__all__ = ["rows"]

_FILES, _ROUNDS, _PROCESSES = 66, 200, 40


def rows(ground: Ground) -> list[Row]:
    """Return the figure of a running process; both sides are timed there, in turns."""
    root = ground.path("instructions")
    _build(root)
    subject = os.path.join(os.path.dirname(os.path.abspath(__file__)), "instructions_subject.py")
    run = run_once([ground.python, "-I", subject, root, str(_ROUNDS)], ground.env)
    answer = json.loads(run.output)
    if answer["files"] != _FILES:
        raise RuntimeError(f"{answer['files']} files were discovered where {_FILES} are right.")
    sides = answer["ours"], answer["yardstick"]
    work = f"discovery of {_FILES} instruction files"
    running = Row(work, median(sides[0]), "s", median(sides[1]), 12, note="in one process, in turns")
    return [running, _as_one_process(ground, os.path.join(root, "work", "proj"))]


def _as_one_process(ground: Ground, project: str) -> Row:
    """Return what the command costs against a bare start of the interpreter, in processor time."""
    program = os.path.join(os.path.dirname(ground.python), "memdir")
    command = [program, "--cwd", project, "instructions"]
    run_once(command, ground.env)  # once before, so that no side pays for reading its files from the disk
    pair = interleaved(
        lambda: run_once(command, ground.env).cpu, lambda: ground.interpreter("pass").cpu, _PROCESSES
    )
    note = "processor time, least of the samples"
    return Row("memdir instructions, one process", min(pair.ours), "s", min(pair.yardstick), 8, note=note)


def _build(root: str) -> None:
    """Make one file of every layer, 20 rules, and 40 imports at two levels."""
    tenfold = "".join([f"- Topic {number}: @docs/topic{number}.md\n" for number in range(10)])
    single = {
        "managed/CLAUDE.md": "",
        "home/.claude/CLAUDE.md": "",
        "work/CLAUDE.md": "",
        "work/proj/CLAUDE.md": tenfold,
        "work/proj/.claude/CLAUDE.md": "",
        "work/proj/CLAUDE.local.md": "",
    }
    rules = [f"home/.claude/rules/r{number}.md" for number in range(5)]
    rules += [f"work/proj/.claude/rules/area{number % 3}/r{number}.md" for number in range(15)]
    _write(root, single | dict.fromkeys(rules, ""))
    for number in range(10):
        inner = [f"detail{number}{letter}.md" for letter in "abc"]
        more = "".join([f"See @{name} for more.\n" for name in inner])
        _write(root, {f"work/proj/docs/topic{number}.md": more})
        _write(root, {f"work/proj/docs/{name}": "" for name in inner})


def _write(root: str, files: dict[str, str]) -> None:
    for name, imports in files.items():
        path = os.path.join(root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(_TEXT.format(name=name, imports=imports))


_TEXT = """# Instructions in {name}

Use the tools that the repository has: `make check` before a commit, `make test` before a push.
The reasons are in the documents below; read them when a rule surprises you.

{imports}
## Building

```sh
make build
make test ARGS="-k parser"
```

- Names say what a thing is, not how it is made.
- A function does one thing; a file has one subject.
- Errors tell the reader what happened and what to do next.
- Tests use real files in a temporary folder and no stand-ins.

## Reviewing

1. Read the description first, then the tests, then the code.
2. Ask for a smaller change when the first pass takes over half an hour.
3. Approve what is better than before, even when it is not yet perfect.

Questions go to the people who wrote the part in question; `git log` knows them.
Releases are cut on Tuesdays, from the main branch, after the nightly run was green.
"""
