"""All training of the recall judge: cross-validation by author and the judge on all data, side by side.

Usage: python -m training.recall_jobs DATA.json.gz BASE.npz OUT [--steps N] [--workers N] [--seconds N]
Each run of training leaves its weights in OUT/runs; those of several seeds are averaged. Writes
OUT/signals.npz (every prompt and memory, judged by networks that did not see its author) and OUT/judge.npz
(the tables of the judge that saw all). A run that was stopped goes on where it was.
"""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.pool import Job, all_done, written
from training.recall_model import Judge
from training.recall_train import DEVICE, Data, Options, chat_recall, scored, trained

__all__ = ["main"]

_FIRST_SEED = 7
_EVERYBODY = "all"
_MEASURED = (_EVERYBODY, "g1")
"""Whose judges are measured on chats."""

_NAME = "keep"
"""The name of what is trained, in the names of files and of signals."""

_loaded: dict[str, Any] = {}


def main() -> None:
    """Do all jobs, then put what they wrote into the two files."""
    options = _options()
    runs = options.out / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    if options.seconds >= 0:
        jobs = _jobs(options, runs)
        all_done(jobs, options.workers, options.seconds, _load, (options.data, options.base, options.also))
    written_so_far = sorted(runs.glob("signals-*.npz"))
    for name, ends in (("also", True), ("signals", False)):
        some = [np.load(path) for path in written_so_far if path.stem.endswith(_EVERYBODY) is ends]
        np.savez_compressed(
            options.out / f"{name}.npz", **{key: one[key] for one in some for key in one.files}
        )
    for path in runs.glob("judge-*.npz"):
        path.replace(options.out / path.name)


def _jobs(options: argparse.Namespace, runs: Path) -> list[Job]:
    """Return the averages of each author, and the runs, the first seeds first."""
    found, ends = [], []
    plan = replace(Options(), **({"steps": options.steps} if options.steps else {}))
    for author in [_EVERYBODY, *Data(options.data).authors][: options.authors]:
        count = options.final_seeds if author == _EVERYBODY else options.seeds
        paths = tuple(runs / f"run-{_NAME}-{author}-{seed}.pt" for seed in range(count))
        found += [(seed, Job(path, _train, (plan, author, seed))) for seed, path in enumerate(paths)]
        ends.append(Job(runs / f"signals-{_NAME}-{author}.npz", _average, (author,), paths))
    found.sort(key=lambda one: one[0])
    return ends + [job for _, job in found]


def _load(data: str, base: str, also: str) -> None:
    torch.set_num_threads(1)
    _loaded["also"] = Data(also).stores if also else []
    with np.load(base) as tables:
        _loaded.update(data=Data(data), tables={name: tables[name] for name in tables.files})


def _train(plan: Options, author: str, seed: int, out: Path, _: tuple[Path, ...]) -> None:
    """Train once and write the weights."""
    judge = trained(_loaded["data"], _loaded["tables"], plan, author, _FIRST_SEED + seed)
    state = {key: value.half().cpu() for key, value in judge.state_dict().items()}
    written(out, lambda path: torch.save(state, path))


def _average(author: str, out: Path, paths: tuple[Path, ...]) -> None:
    """Write what the mean of the weights of some runs gives: signals of the author, or the judge's tables."""
    states = [torch.load(path, map_location=DEVICE) for path in paths if path.exists()]
    judge = _mean(states)
    if author in _MEASURED:
        print(f"without {author}, {len(states)} runs:", _chats(judge), flush=True)
    found = _signals(author, judge)
    if author == _EVERYBODY:
        tables = judge.tables()
        written(out.with_name(f"judge-{_NAME}.npz"), lambda path: np.savez_compressed(path, **tables))
    written(out, lambda path: np.savez_compressed(path, **found))


def _mean(states: list[Mapping[str, Any]]) -> Judge:
    """Return a judge with the mean of some weights, rounded as they are shipped."""
    judge = Judge(_loaded["tables"], 0.0).to(DEVICE)
    judge.load_state_dict({key: sum(one[key].float() for one in states) / len(states) for key in states[0]})
    judge.encoder.round_weights()
    return judge


def _chats(judge: Judge) -> dict[str, float]:
    """Return how well chats that were held back are ordered."""
    found: dict[str, list[float]] = {}
    for chat in _loaded["data"].chats:
        if chat.held:
            found.setdefault(chat.task, []).append(chat_recall(judge, chat))
    return {key: round(float(np.mean(one)), 4) for key, one in found.items()}


def _signals(author: str, judge: Judge) -> dict[str, Any]:
    stores = [store for store in (*_loaded["data"].stores, *_loaded["also"]) if store.author == author]
    return {
        f"{_NAME}|{store.group}|{key}": value
        for store in stores
        for key, value in scored(judge, store).items()
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train the recall judge.")
    parser.add_argument("data")
    parser.add_argument("base")
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=0, help="instead of what the plans say")
    parser.add_argument("--seeds", type=int, default=3, help="runs whose weights are averaged")
    parser.add_argument("--final-seeds", type=int, default=5, help="the same for the judge that sees all")
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=36_000, help="no run begins later; -1 for none")
    parser.add_argument("--also", default="", help="stores that the judge which sees all is asked about")
    parser.add_argument("--authors", type=int, default=None, help="only the first so many: for a trial")
    return parser.parse_args()


if __name__ == "__main__":
    main()
