"""Every reliability figure on one line each: `python -m tests.reliability.full`, or a seeded sample of them.

    python -m tests.reliability.full                     everything, some thirty minutes on two cores
    python -m tests.reliability.full --sample --seed 7   a sample that the seed decides, a few minutes
    python -m tests.reliability.full --only kills        the cases whose name holds that word
    python -m tests.reliability.full --list              the names of the cases

It ends with 1 when a promise did not hold. Cases that need strace, root or git say so where they cannot run.
"""

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from tests.reliability.broken_rules import rule_figures
from tests.reliability.concurrent_hooks import hook_figure
from tests.reliability.concurrent_writers import (
    counting_figure,
    crowd_figure,
    one_tick_figure,
    replaced_figure,
    updates_figure,
)
from tests.reliability.damaged_history import damage_figures
from tests.reliability.disturbed_clones import clone_figures
from tests.reliability.failing_calls import injection_figures
from tests.reliability.failing_disk import real_refusal_figures
from tests.reliability.harness.figure import Effort, Figure
from tests.reliability.hostile_directory import hostile_tree_figures
from tests.reliability.hostile_headers import header_figure
from tests.reliability.hostile_names import directory_figures, name_figures
from tests.reliability.hostile_texts import text_figure
from tests.reliability.killed_extraction import extract_kill_figures
from tests.reliability.killed_git import git_kill_figures, orphan_figures, replay_figure
from tests.reliability.killed_steps import step_kill_figures
from tests.reliability.killed_writer import SCRIPTS, kill_figures
from tests.reliability.mixed_operations import machine_figure
from tests.reliability.odd_umask import mode_figures
from tests.reliability.power_cuts import power_figures
from tests.reliability.swapped_links import swap_figure

__all__ = ["CASES", "main"]


def _crowds(effort: Effort) -> Iterator[Figure]:
    yield crowd_figure(8, effort.size(1_000, 100))
    yield crowd_figure(32, effort.size(250, 10))
    yield updates_figure(effort.size(400, 60))
    yield counting_figure(effort.size(300, 50))
    yield replaced_figure(effort.size(200_000, 20_000))
    yield one_tick_figure()


Case = Callable[[Effort], Iterable[Figure]]

CASES: dict[str, Case] = {
    "crowd": _crowds,
    "clones": clone_figures,
    "kills": kill_figures,
    "step-kills": lambda _: step_kill_figures([script.name for script in SCRIPTS]),
    "extract-kills": extract_kill_figures,
    "hooks": lambda effort: [hook_figure(effort)],
    "rules": rule_figures,
    "git-kills": lambda effort: [*git_kill_figures(effort), *orphan_figures(), replay_figure()],
    "damage": damage_figures,
    "power": lambda effort: power_figures(effort, luck=effort.size(4, 2)),
    "injections": injection_figures,
    "refusals": lambda _: real_refusal_figures(),
    "hostile-tree": hostile_tree_figures,
    "hostile-names": lambda _: [*name_figures(), *directory_figures()],
    "swaps": lambda effort: [swap_figure(effort.size(20, 4))],
    "machine": lambda effort: [machine_figure(effort.seed, effort.size(150, 15))],
    "headers": lambda effort: [header_figure(effort.seed, effort.size(200_000, 20_000))],
    "texts": lambda effort: [text_figure(effort)],
    "modes": lambda _: mode_figures(),
}


def main(arguments: Sequence[str]) -> int:
    """Run the cases that were asked for and print their figures."""
    asked = _asked(arguments)
    # Vectors are a cache that comes back by itself: the promises are about what does not.
    os.environ["MEMDIR_WEIGHTS"] = os.path.join(os.path.dirname(__file__), "no-weights")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that no child outlives us
    if asked.list:
        print("\n".join(CASES))
        return 0
    failed = 0
    for name, case in CASES.items():
        if asked.only in name:
            failed += _printed(name, case, Effort.of(asked.seed, sample=asked.sample))
    print(f"{failed} figures failed" if failed else "every promise held")
    return 1 if failed else 0


def _asked(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="reliability", description="Print every reliability figure.")
    parser.add_argument("--sample", action="store_true", help="run a sample that the seed decides")
    parser.add_argument("--seed", type=int, default=1, help="what the random choices follow from")
    parser.add_argument("--only", default="", help="run the cases whose name holds this word")
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    return parser.parse_args(arguments)


def _printed(name: str, case: Case, effort: Effort) -> int:
    """Run one case and print its figures as soon as they are known; return how many failed."""
    began, failed = time.monotonic(), 0
    try:
        for figure in case(effort):
            print(figure, flush=True)
            failed += bool(figure.problems)
    except Exception as error:  # noqa: BLE001 - one broken case must not hide the others
        print(Figure(name, "", [f"the case itself broke: {type(error).__name__}: {error}"]), flush=True)
        failed += 1
    print(f"    ({name}: {time.monotonic() - began:.0f} s)", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
