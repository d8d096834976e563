"""All parts in one run: measured, printed as one table, and judged."""

import argparse
import json
import os
import time
from collections.abc import Callable, Sequence

from bench import (
    semantic,
    speed_header,
    speed_history,
    speed_hooks,
    speed_import,
    speed_instructions,
    speed_lexical,
    speed_list,
    speed_newest,
    speed_save,
    speed_view,
    sync,
)
from bench.figures import Row, as_json, table
from bench.ground import Ground, prepared
from bench.results import record

__all__ = ["main"]

_PARTS: dict[str, Callable[[Ground], list[Row]]] = {
    "list": speed_list.rows,
    "newest": speed_newest.rows,
    "header": speed_header.rows,
    "import": speed_import.rows,
    "save": speed_save.rows,
    "view": speed_view.rows,
    "instructions": speed_instructions.rows,
    "lexical": speed_lexical.rows,
    "semantic": semantic.rows,
    "hooks": speed_hooks.rows,
    "history": speed_history.rows,
    "sync": sync.rows,
}


def main(arguments: Sequence[str]) -> int:
    """Measure, print the table, and with --check fail when a limit is missed."""
    options = _options(arguments)
    if os.getloadavg()[0] > (os.cpu_count() or 1) / 2:
        print("Other programs keep this machine busy: expect ratios that differ from run to run.")
    with prepared(here=options.here, at=options.at) as ground:
        machine = ground.machine()
        rows = _measured(ground, options.part or list(_PARTS))
    limited = [row for row in rows if row.at_most is not None]
    print(f"\n{machine}\n\n{table([*limited, *(row for row in rows if row.at_most is None)])}")
    missed = [row.work for row in limited if not row.met]
    print(f"\n{len(limited) - len(missed)} of {len(limited)} limits met." + _named(missed))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"machine": machine, "rows": as_json(rows)}, file, indent=1)
    if options.record:
        figures = {row.work: row.ours if row.ratio is None else row.ratio for row in rows}
        record("speed", f"bench/run.py {' '.join(arguments)}", figures)
    return 1 if missed and options.check else 0


def _measured(ground: Ground, parts: Sequence[str]) -> list[Row]:
    rows: list[Row] = []
    for part in parts:
        begun = time.perf_counter()
        rows += _PARTS[part](ground)
        print(f"{part}: measured in {time.perf_counter() - begun:.0f} s", flush=True)
    return rows


def _named(missed: Sequence[str]) -> str:
    return f" Missed: {'; '.join(missed)}." if missed else ""


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description="Measure memdir beside its yardsticks.")
    parser.add_argument(
        "--part", action="append", choices=list(_PARTS), help="measure this part only; repeatable"
    )
    parser.add_argument("--json", metavar="FILE", help="write every figure to a file too")
    parser.add_argument("--record", action="store_true", help="keep the figures as bench/recorded/speed.json")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a limit is missed")
    parser.add_argument(
        "--here", action="store_true", help="use this interpreter instead of a clean environment"
    )
    parser.add_argument(
        "--at",
        metavar="FOLDER",
        default="/var/tmp",  # noqa: S108 - unlike /tmp never kept in memory; the folder in it is private
        help="where the data is made: a real disk, not one in memory",
    )
    return parser.parse_args(arguments)
