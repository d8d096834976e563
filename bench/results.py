"""Figures that benchmarks measured, each in a file with its date, machine and commit; pages quote the files.

Usage: python -m bench.results      writes the tables of README.md, docs/scale.md and docs/figures.md anew
"""

import json
import os
import platform
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

__all__ = ["PAGES", "load", "page", "record", "scale", "table"]

ROOT = Path(__file__).parent.parent
_FOLDER = ROOT / "bench" / "recorded"
_BEGIN, _END = "<!-- figures: written by `python -m bench.results` -->", "<!-- end of figures -->"
_MARKED = re.compile(f"{re.escape(_BEGIN)}.*?{re.escape(_END)}", re.DOTALL)

_CARDS = ROOT / "training" / "cards"
_SHARE = re.compile(r"(\w+) (\d\.\d+)")
_TEMPLATE = ROOT / "bench" / "readme_figures.md"
"""The table of README with fields in the place of figures: {name of a result[key][key]:format}."""

_SCALE = ROOT / "bench" / "scale_figures.md"
"""The figures of docs/scale.md with fields in their place, and sums of them."""

_HEAD = """# Figures

Every figure that was measured and kept, as the benchmark commands wrote it. What each means, and the weak
sides, is said in the folder of its command.
"""


def record(name: str, command: str, figures: Mapping[str, Any]) -> None:
    """Keep what was measured just now."""
    row = {
        "measured": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        "commit": _commit(),
        "command": command,
        "figures": dict(figures),
    }
    _FOLDER.mkdir(exist_ok=True)
    (_FOLDER / f"{name}.json").write_text(json.dumps(row, indent=1) + "\n", encoding="utf-8")


def load() -> dict[str, dict[str, Any]]:
    """Return every result by its name."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(_FOLDER.glob("*.json"))}


def cards() -> dict[str, dict[str, dict[str, float]]]:
    """Return the figures of cross-validation that training wrote on its cards, by group of data."""
    recall = json.loads((_CARDS / "recall.json").read_text("utf-8"))["variants"]["meaning"]["figures"]
    extract = json.loads((_CARDS / "extract.json").read_text("utf-8"))["figures"]
    return {
        "recall-crossed": recall,
        "extract-crossed": {
            group: {name: float(value) for name, value in _SHARE.findall(told.partition(";")[0])}
            for group, told in extract.items()
        },
    }


def table(results: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the table of README; a row whose figures were not measured says so."""
    figures = {name: row["figures"] for name, row in results.items()} | cards()
    lines = _TEMPLATE.read_text("utf-8").splitlines()
    return "\n".join((_BEGIN, *(_filled(line, figures) for line in lines), _END))


def scale(results: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the figures of docs/scale.md and what follows from them."""
    figures = {name: row["figures"] for name, row in results.items()}
    figures |= {"scale": _carried(figures["hub"])} if "hub" in figures else {}
    lines = _SCALE.read_text("utf-8").splitlines()
    return "\n".join((_BEGIN, *(_filled(line, figures) for line in lines), _END))


def _carried(hub: Mapping[str, Any]) -> dict[str, float]:
    """Return what one node and one PostgreSQL carry, by the figures of the hub: sums for the page."""

    def rate(work: str) -> float:
        return float(1e3 / hub[work]["ours, ms"])

    recalls, saves = rate("recall over 200 memories, against in process"), rate("save, 8 clients at once")
    agents = recalls / 2 * 3_600 / 60
    wanted, yearly = agents * 6 / 3_600, 12_000 * hub["bytes on disk for a version of a memory"]
    nodes = max(1, saves / 2 // wanted)
    return {
        "recalls": recalls,
        "agents": agents,
        "saves": saves,
        "lists": rate("list, 8 clients at once"),
        "saves wanted": wanted,
        "share": wanted / saves + wanted / rate("list, 8 clients at once"),
        "nodes": nodes,
        "all agents": nodes * agents,
        "connections": nodes * 10,
        "megabytes": yearly / 1e6,
        "gigabytes": yearly * agents / 1e9,
        "batches": rate("save, 1 spaces of 10"),
    }


def page(results: Mapping[str, Mapping[str, Any]]) -> str:
    """Return docs/figures.md: every figure with its date, machine, commit and command."""
    parts = [_HEAD]
    for name, row in results.items():
        lines = [f"| {key} | {_shown(value)} |" for key, value in _flat(row["figures"])]
        how = f"`{row['command']}`, {row['measured']}, commit {row['commit']}, {row['machine']}."
        parts.append("\n".join((f"## {name}\n\n{how}\n", "| figure | value |", "|---|---:|", *lines, "")))
    return "\n".join(parts)


PAGES: dict[Path, Callable[[str, Mapping[str, Mapping[str, Any]]], str]] = {
    ROOT / "README.md": lambda text, results: _MARKED.sub(lambda _: table(results), text),
    ROOT / "docs" / "scale.md": lambda text, results: _MARKED.sub(lambda _: scale(results), text),
    ROOT / "docs" / "figures.md": lambda _, results: page(results),
}
"""How each page is made of its present text and the results."""


def _filled(line: str, figures: Mapping[str, Any]) -> str:
    try:
        return line.format(**figures)
    except KeyError as error:
        missing = f"not measured: {error.args[0]}"
        return f"| {line.split('|')[1].strip()} | {missing} | |" if line.startswith("|") else f"({missing})"


def _flat(figures: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, float]]:
    for key, value in figures.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}, ")
        else:
            yield f"{before}{key}", value


def _shown(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"


def _commit() -> str:
    words = ["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def main() -> None:
    """Write every page anew."""
    results = load()
    for path, made in PAGES.items():
        path.write_text(made(path.read_text("utf-8") if path.exists() else "", results), encoding="utf-8")


if __name__ == "__main__":
    main()
