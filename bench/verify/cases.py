"""Stale claims of others: memories with a project before and after a change, judged as a user's would be.

Usage: python -m bench.verify.cases CASES.jsonl [--faults] [--record NAME]
A line is one case: `memory`, the files `before` and `after` (path to text), whether the memory is `stale`
then, and, where it is about branches, `branches_before` and `branches_after`.
"""

import argparse
import json
import os
import shutil
import subprocess
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.results import record

from memdir import Memory

__all__ = ["main"]

_NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
_SAVED = _NOW - timedelta(days=9)


def is_called_stale(case: dict[str, Any], folder: Path) -> bool:
    """Save the memory in the project as it was, change the project, and return what is said of the memory."""
    project, home = folder / "project", folder / "home"
    home.mkdir(parents=True)
    env = {"HOME": str(home), "PATH": os.environ["PATH"]}
    project.mkdir()
    _git(project, "init", "-q", "-b", "main", day=_SAVED)
    _commit(project, case["before"], _SAVED)
    _set_branches(project, case.get("branches_before", ()))
    then = Memory.open(project, env, clock=lambda: _SAVED)
    then.remember(case["memory"], kind="project", name="case", saved_at=_SAVED)
    _commit(project, case["after"], _NOW - timedelta(days=2))
    _set_branches(project, case.get("branches_after", ()))
    (judged,) = Memory.open(project, env, clock=lambda: _NOW).doctor.verify()
    return judged.verdict == "stale"


def _commit(project: Path, files: dict[str, str], day: datetime) -> None:
    for entry in project.iterdir():
        if entry.name != ".git":
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    _git(project, "add", "-A", day=day)
    _git(project, "commit", "-qm", "Work", "--allow-empty", day=day)


def _set_branches(project: Path, wanted: list[str]) -> None:
    """Make the branches of a project those that are named; the one checked out stays or is renamed."""
    if not wanted:
        return
    words = ["git", "-C", str(project), "branch", "--format=%(refname:short)"]
    known = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    current = [*words[:3], "branch", "--show-current"]
    here = subprocess.run(current, capture_output=True, text=True, check=True).stdout.strip()
    if here not in wanted:
        _git(project, "branch", "-m", next(name for name in wanted if name not in known), day=_NOW)
        known = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    for name in set(wanted) - set(known):
        _git(project, "branch", name, day=_NOW)
    for name in set(known) - set(wanted):
        _git(project, "branch", "-D", name, day=_NOW)


def _git(project: Path, *words: str, day: datetime) -> None:
    stamps = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), day.isoformat())
    who = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"]
    command = ["git", "-C", str(project), *who, *words]
    subprocess.run(command, env={**os.environ, **stamps}, capture_output=True, check=True)


def main() -> None:
    """Print precision and recall of "stale", and with --faults each case that was judged wrongly."""
    parser = argparse.ArgumentParser(description="Measure what is said of stale memories.")
    parser.add_argument("cases", type=Path)
    parser.add_argument("--faults", action="store_true", help="show each case that was judged wrongly")
    parser.add_argument("--record", metavar="NAME", help="keep the figures as bench/recorded/NAME.json")
    given = parser.parse_args()
    cases = [json.loads(line) for line in given.cases.read_text("utf-8").splitlines() if line.strip()]
    with tempfile.TemporaryDirectory() as folder:
        said = [is_called_stale(case, Path(folder, str(number))) for number, case in enumerate(cases)]
    hits = sum(one and case["stale"] for one, case in zip(said, cases, strict=True))
    figures = {
        "cases": len(cases),
        "precision": hits / max(sum(said), 1),
        "recall": hits / max(sum(case["stale"] for case in cases), 1),
    }
    print(figures)
    if given.faults:
        wrong = [case for one, case in zip(said, cases, strict=True) if one != case["stale"]]
        for case in wrong:
            print("missed" if case["stale"] else "false ", case["id"], repr(case["memory"]))
    if given.record:
        record(given.record, f"python -m bench.verify.cases {given.cases.name}", figures)


if __name__ == "__main__":
    main()
