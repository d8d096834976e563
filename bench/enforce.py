"""Enforced memories: which forbidden and which innocent calls are stopped, and what judging them costs.

Usage: python bench/enforce.py [--record]
"""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from bench.results import record

from memdir.memories.enforce import Rule, rules_in
from memdir.rules.judge import judge

__all__ = ["main"]

_PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_FIXTURES = os.path.join(_PROJECT, "tests", "fixtures", "enforce")
_ROUNDS = 30
_COMMAND = 'cd app && git add -A && git commit -m "never git push origin main" && git push -u origin topic'
_PREPARE = f"import sys; sys.path.insert(0, {os.path.join(_PROJECT, 'src')!r})\n"
_JUDGE = (
    "import json; from memdir.memories.enforce import rules_in; from memdir.rules.judge import judge\n"
    "rules = rules_in('; '.join(f'Bash: git push * main{n}' for n in range(20)))\n"
    f"judge(rules, 'Bash', {{'command': {_COMMAND!r}}}, '/p', branch=lambda _: 'topic')"
)


def main() -> int:
    """Print the table; 1 when a forbidden call got through or an innocent one was stopped."""
    rules = [
        rule
        for row in _rows("rules")
        for rule in rules_in(row["rule"], memory=row["memory"], reason=row["reason"])
    ]
    counts = Counter[str]()
    for name in ("forbidden", "second_forbidden", "innocent", "second_innocent"):
        counts += _report(name, rules)
    counts += _forms()
    _judging(rules)
    _processes()
    if "--record" in sys.argv:
        names = ("forbidden", "forbidden stopped", "innocent", "innocent stopped")
        record("enforce", "bench/enforce.py --record", {name: counts[name] for name in names})
    return 1 if counts["innocent stopped"] or counts["forbidden stopped"] < counts["forbidden"] else 0


def _report(name: str, rules: list[Rule]) -> Counter[str]:
    """Print how one corpus was judged, class by class; return how many calls there are and were stopped."""
    rows = _rows(name)
    verdicts = [_verdict(row, rules) for row in rows]
    wanted = {"ask", "deny"} if "forbidden" in name else {"allow"}
    wrong = [row for row, verdict in zip(rows, verdicts, strict=True) if verdict not in wanted]
    stopped = sum(verdict != "allow" for verdict in verdicts)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(Counter(verdicts).items()))
    classes = len({row["class"] for row in rows})
    print(f"{name}: {stopped} of {len(rows)} calls in {classes} classes stopped ({counts})")
    for row in wrong:
        print(f"  WRONG [{row['class']}] {row['tool']} {row['input']}")
    sort = "forbidden" if "forbidden" in name else "innocent"
    return Counter({sort: len(rows), f"{sort} stopped": stopped})


def _forms() -> Counter[str]:
    """Print how calls in many forms were judged, each group by its own rule; return the counts of all."""
    counts = Counter[tuple[str, bool]]()
    for group in (*_rows("forms"), *_file_forms()):
        rules = rules_in(group["rule"])
        for kind in ("stopped", "allowed"):
            for one in group[kind]:
                row = {"tool": "Bash", "input": {"command": one}} if isinstance(one, str) else one
                is_stopped = _verdict(row, list(rules), root="/project") != "allow"
                counts[kind, is_stopped] += 1
                if is_stopped != (kind == "stopped"):
                    print(f"  WRONG [{group['rule']}] {row['tool']} {row['input']}")
    stopped, missed = counts["stopped", True], counts["stopped", False]
    falsely, allowed = counts["allowed", True], counts["allowed", False]
    others = f"{falsely} of {falsely + allowed} others"
    print(f"forms: {stopped} of {stopped + missed} forbidden calls stopped, {others}")
    innocent = {"innocent": falsely + allowed, "innocent stopped": falsely}
    return Counter({"forbidden": stopped + missed, "forbidden stopped": stopped, **innocent})


def _file_forms() -> list[dict[str, Any]]:
    with open(os.path.join(_FIXTURES, "file_forms.json"), encoding="utf-8") as file:
        given = json.load(file)
    return [
        {
            "rule": rule,
            **{kind: [one.replace("PATH", path) for one in given[kind]] for kind in ("stopped", "allowed")},
        }
        for rule, path in given["rules"]
    ]


def _verdict(row: dict[str, Any], rules: list[Rule], root: str = "") -> str:
    given = (rules, row["tool"], row["input"], "/project")
    return judge(*given, root=root, home="/home/user", branch=_branch).verdict


def _branch(directory: str) -> str:
    return "main" if directory.startswith("/on-main") else "topic"


def _judging(rules: list[Rule]) -> None:
    """Print what one call costs in a process that is already running."""
    rows = [row for name in ("forbidden", "innocent") for row in _rows(name)]
    begun = time.process_time()
    for row in rows:
        _verdict(row, rules)
    each = (time.process_time() - begun) / len(rows)
    print(f"one call against {len(rules)} rules: {each * 1e6:,.0f} µs")
    long = "cat > notes.md <<'EOF'\n" + "never git push origin main\n" * 40_000 + "EOF\n"
    begun = time.process_time()
    judge(rules, "Bash", {"command": long}, "/project")
    print(f"a here-document of {len(long) / 1e6:.1f} MB: {(time.process_time() - begun) * 1e3:,.0f} ms")


def _processes() -> None:
    """Print what a whole process costs, beside a bare one."""
    codes = {"bare": "pass", "import json": "import json", "judge against 20 rules": _PREPARE + _JUDGE}
    least = dict.fromkeys(codes, 1e9)
    for _ in range(_ROUNDS):
        for name, code in codes.items():
            least[name] = min(least[name], _processor_time(code))
    for name, seconds in least.items():
        print(f"process, {name}: {seconds * 1e3:.1f} ms, {seconds / least['bare']:.2f} of a bare one")


def _processor_time(code: str) -> float:
    process = subprocess.Popen([sys.executable, "-I", "-c", code])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{code!r} ended with {process.returncode}.")
    return usage.ru_utime + usage.ru_stime


def _rows(name: str) -> list[dict[str, Any]]:
    with open(os.path.join(_FIXTURES, f"{name}.json"), encoding="utf-8") as file:
        rows: list[dict[str, Any]] = json.load(file)
    return rows


if __name__ == "__main__":
    sys.exit(main())
