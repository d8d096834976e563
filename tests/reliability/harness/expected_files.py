"""What a directory must hold after each step of a worker: the dict that every disk is compared with."""

from collections.abc import Mapping, Sequence

from tests.reliability.harness.worker_process import Step

__all__ = ["Ledger", "allowed", "states"]

Ledger = Mapping[str, str]
"""Each memory's name with the mark of its text."""


def states(steps: Sequence[Step], start: Ledger | None = None) -> list[Ledger]:
    """Return what the directory holds before the first step and after each one."""
    ledgers: list[Ledger] = [dict(start or {})]
    taken: list[Ledger] = []
    for step in steps:
        before = ledgers[-1]
        if step[0] == "undo":
            ledgers.append(taken.pop())
        else:
            taken.append(before)
            ledgers.append(_after(before, step))
    return ledgers


def allowed(ledgers: Sequence[Ledger], acknowledged: int, *, in_flight: bool) -> dict[str, set[str]]:
    """Return for each name the marks it may have, with an empty one for "not there"."""
    now = ledgers[acknowledged]
    later = ledgers[acknowledged + 1] if in_flight and acknowledged + 1 < len(ledgers) else now
    return {name: {now.get(name, ""), later.get(name, "")} for name in {*now, *later}}


def _after(before: Ledger, step: Step) -> Ledger:
    verb, *arguments = step
    names = [str(argument) for argument in arguments]
    after = dict(before)
    if verb == "save":
        after[names[0]] = f"{names[0]}/{names[1]}"
    elif verb == "many":
        after |= {name: f"{name}/1" for name in names}
    elif verb == "forget":
        del after[names[0]]
    elif verb == "rename":
        after[names[1]] = after.pop(names[0])
    return after
