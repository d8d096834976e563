"""All training of one round: cross-validation by author, some variants, and the judge on all data.

Usage: python -m training.recall_jobs DATA.json.gz BASE.npz OUT [--steps N] [--workers N] [--seconds N]
Writes OUT/signals.npz (every prompt and memory, judged by a network that did not see its author) and
OUT/judge.npz (the tables of the judge that saw all).
"""

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

import numpy as np
import torch

from training.recall_model import Judge
from training.recall_train import DEVICE, Data, Options, chat_recall, scored, trained

__all__ = ["VARIANTS", "main"]

VARIANTS = {
    "base": (Options(), 1),
    "keep": (Options(keep=10.0), 1),
    "foreign": (Options(foreign=0.25), 1),
    "long": (Options(steps=1_200), 1),
}
"""Options by name, and of how many seeds the weights are averaged."""

_COMPARED = 4
"""Authors that further variants leave out in turn: enough to compare."""

_loaded: dict[str, Any] = {}


def main() -> None:
    """Run all jobs side by side; those of the first variant come first."""
    options = _options()
    begun = time.time()
    signals: dict[str, Any] = {}
    jobs = _jobs(options)
    with ProcessPoolExecutor(
        options.workers, get_context("spawn"), _load, (options.data, options.base)
    ) as pool:
        waiting = {pool.submit(_job, job, options.steps, begun + options.seconds): job for job in jobs}
        for done in as_completed(waiting):
            variant, without, seeds = waiting[done]
            found = done.result()
            what = "done" if found else "left out"
            print(
                f"{time.time() - begun:5.0f} s: {variant} without {without or '-'} x{seeds} {what}",
                flush=True,
            )
            if without:
                signals |= {f"{variant}|{key}": value for key, value in found.items()}
                np.savez_compressed(os.path.join(options.out, "signals.npz"), **signals)
            elif found:
                np.savez_compressed(os.path.join(options.out, f"judge-{variant}.npz"), **found)


def _jobs(options: argparse.Namespace) -> list[tuple[str, str, int]]:
    """Return (variant, author left out, seeds); the judge on all data leaves out nobody."""
    authors = Data(options.data).authors[: options.authors]
    names = options.variants.split(",") if options.variants else list(VARIANTS)
    jobs = [(names[0], without, VARIANTS[names[0]][1]) for without in ["", *authors]]
    some = authors[:_COMPARED]
    return jobs + [(name, without, VARIANTS[name][1]) for name in names[1:] for without in some]


def _load(data: str, base: str) -> None:
    torch.set_num_threads(1)
    with np.load(base) as tables:
        _loaded.update(data=Data(data), tables={name: tables[name] for name in tables.files})


def _job(job: tuple[str, str, int], steps: int, until: float) -> dict[str, Any]:
    """Train with some seeds, average the weights, return signals of the author left out, or the tables."""
    if time.time() > until:
        return {}
    variant, without, seeds = job
    data, tables = _loaded["data"], _loaded["tables"]
    chosen = VARIANTS[variant][0]
    chosen = replace(chosen, steps=steps) if steps else chosen
    states = [trained(data, tables, chosen, without, 7 + seed).state_dict() for seed in range(seeds)]
    judge = _averaged(tables, states)
    chats: dict[str, list[float]] = {}
    for chat in data.chats if not without or without == "g1" else ():
        if chat.held:
            chats.setdefault(chat.task, []).append(chat_recall(judge, chat))
    if chats:
        print(
            f"{variant} without {without or '-'}: chat R@5",
            {k: round(float(np.mean(v)), 4) for k, v in chats.items()},
            flush=True,
        )
    if not without:
        return judge.tables()
    found = {}
    single = _averaged(tables, states[:1]) if seeds > 1 else judge
    for store in data.stores:
        if store.author == without:
            found |= {f"{store.group}|{name}": value for name, value in scored(judge, store).items()}
            if single is not judge:
                found |= {
                    f"{store.group}|single {name}": value for name, value in scored(single, store).items()
                }
    return found


def _averaged(tables: Any, states: list[dict[str, Any]]) -> Judge:
    """Return a judge with the mean of some weights, rounded as they are shipped."""
    judge = Judge(tables, 0.0).to(DEVICE)
    judge.load_state_dict({name: sum(one[name] for one in states) / len(states) for name in states[0]})
    judge.encoder.round_weights()
    return judge


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train the recall judge.")
    parser.add_argument("data")
    parser.add_argument("base")
    parser.add_argument("out")
    parser.add_argument("--steps", type=int, default=0, help="instead of what the variants say")
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--seconds", type=int, default=270, help="after so long no further job begins")
    parser.add_argument("--variants", default="")
    parser.add_argument("--authors", type=int, default=None, help="leave out only so many in turn")
    return parser.parse_args()


if __name__ == "__main__":
    main()
