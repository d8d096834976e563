"""Train the extraction tagger: once for each author who is left out, then on all data.

    python -m training.extract_train DATA OUT [--steps N] [--workers N] [--plan NAME ...]

DATA holds `tables.npz` (the encoder) and `rows.jsonl.gz` (from `training.extract_data`). OUT receives
`tags.npz` (what taggers say about messages of authors that they were not trained on), `<plan>.npz` (the
weights of the run on all data) and `figures.json`. A run that was stopped goes on where it was.
"""

import argparse
import gzip
import json
import math
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor

from training.extract_network import Tagger, Window, windows
from training.extract_score import measured
from training.pool import Job, all_done, written

__all__ = ["PLANS", "Plan", "tagged"]

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ALL = "all"
"""Stands for the author who is left out when nobody is."""
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95)
OTHER = {"f", "h", "t"}
"""Authors who write in other languages than English only."""


@dataclass(frozen=True)
class Plan:
    """How a tagger is trained."""

    rate: float = 9e-5
    epochs: int = 5
    batch: int = 64
    word_dropout: float = 0.05
    smoothing: float = 0.02
    own: float = 0.6
    """Weight of the project's own conversations."""
    prompts: float = 0.3
    """Weight of prompts of which nothing is to be kept."""
    follow: float = 0.3
    """Weight of the last output."""


PLANS = {"wide": Plan()}


def main() -> None:
    """Train every plan for every author, several at once."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=0, help="stop after so many small steps: for a trial")
    parser.add_argument("--workers", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=36_000, help="no run begins later; -1 for none")
    parser.add_argument("--plan", action="append", choices=sorted(PLANS))
    parser.add_argument("--author", action="append", help="leave out only these: for a trial")
    given = parser.parse_args()
    rows = _rows(given.data)
    names, runs = given.plan or list(PLANS), given.out / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    authors = given.author or sorted({row["author"] for row in rows})
    if given.seconds >= 0:
        all_done(_jobs(given, names, authors, runs), given.workers, given.seconds, _load, (given.data,))
    tags: dict[str, Any] = {}
    for path in sorted(runs.glob("tags-*.npz")):
        tags |= dict(np.load(path))
    np.savez_compressed(given.out / "tags.npz", **tags)
    for path in runs.glob("weights-*.npz"):
        path.replace(given.out / path.name.removeprefix("weights-"))
    figures = {name: _figures(rows, tags, name) for name in names}
    (given.out / "figures.json").write_text(json.dumps(figures, indent=1))


def _jobs(given: argparse.Namespace, names: Sequence[str], authors: Sequence[str], runs: Path) -> list[Job]:
    """Return a run for each author who is left out, and one that leaves out nobody."""
    return [
        Job(runs / f"tags-{name}-{author}.npz", _train, (name, author, given.steps))
        for name in names
        for author in [ALL, *authors]
    ]


_loaded: dict[str, Any] = {}


def _load(data: Path) -> None:
    torch.set_num_threads(1)
    with np.load(data / "tables.npz") as tables:
        _loaded.update(rows=_rows(data), tables={name: tables[name] for name in tables.files})


def _train(name: str, author: str, steps: int, out: Path, _: tuple[Path, ...]) -> None:
    """Train once and write what the tagger says about messages that it did not see."""
    plan = replace(PLANS[name], batch=2) if steps else PLANS[name]
    examples = _examples(_for_training(_loaded["rows"], author, plan))
    tagger = _one_run(examples, _loaded["tables"], plan, steps)
    tagger.encoder.round_weights()
    if author == ALL:
        tables = tagger.tables()
        written(out.with_name(f"weights-{name}.npz"), lambda path: np.savez(path, **tables))
    unseen = [
        row for row in _loaded["rows"] if not row["prompt"] and (row["held_out"] or row["author"] == author)
    ]
    tags = {f"{name}|{author}|{key}": value.astype("f2") for key, value in tagged(tagger, unseen).items()}
    written(out, lambda path: np.savez_compressed(path, **tags))


def _rows(data: Path) -> list[dict[str, Any]]:
    with gzip.open(data / "rows.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _for_training(rows: Sequence[dict[str, Any]], author: str, plan: Plan) -> list[dict[str, Any]]:
    """Return the rows of the other authors with their weights."""
    chosen = [row for row in rows if row["author"] != author and not row["held_out"]]
    for row in chosen:
        row["weight"] = plan.prompts if row["prompt"] else plan.own if row["author"] == "own" else 1.0
    return [row for row in chosen if row["weight"] > 0]


@dataclass(frozen=True)
class _Example:
    window: Window
    target: list[float]
    follows: int
    weight: float


def _examples(rows: Sequence[Mapping[str, Any]]) -> list[_Example]:
    """Return one example for each sentence with a label."""
    found = []
    for row in rows:
        around = windows(row["pieces"], row["before_pieces"])
        for window, label, follows in zip(around, row["labels"], row["follows"], strict=True):
            if label:
                target = [float(kind in label) / len(label) for kind in range(5)]
                found.append(_Example(window, target, follows, row["weight"]))
    return found


def _one_run(examples: list[_Example], tables: Mapping[str, Any], plan: Plan, steps: int) -> Tagger:
    """Train once and print how long it took and how far the loss fell."""
    torch.manual_seed(0)
    tagger = Tagger(tables).to(DEVICE)
    torch.manual_seed(0)
    chance = random.Random(0)
    optimizer = _optimizer(tagger, plan)
    rates = [group["lr"] for group in optimizer.param_groups]
    planned = plan.epochs * math.ceil(len(examples) / plan.batch)
    losses, left, began = [], [], time.time()
    tagger.train()
    for step in range(min(planned, steps or planned)):
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * min(1, (step + 1) / 40) * max(0.02, 1 - step / planned)
        if len(left) < plan.batch:
            left += chance.sample(examples, len(examples))
        batch, left = left[: plan.batch], left[plan.batch :]
        loss = _loss(tagger, batch, plan)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(tagger.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        losses.append(loss.detach())
    ends = (torch.stack(losses[:30]).mean(), torch.stack(losses[-30:]).mean())
    took = time.time() - began
    print(f"{len(examples)} examples, {len(losses)} steps, {took:.0f} s, {ends[0]:.3f} -> {ends[1]:.3f}")
    return tagger


def _optimizer(tagger: Tagger, plan: Plan) -> torch.optim.Optimizer:
    new = [tagger.roles, *tagger.head.parameters()]
    groups = [
        {"params": list(tagger.encoder.parameters()), "lr": plan.rate, "weight_decay": 0.01},
        {"params": new, "lr": 1e-3, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, fused=DEVICE == "cuda")


def _loss(tagger: Tagger, batch: Sequence[_Example], plan: Plan) -> Tensor:
    target = torch.tensor([one.target for one in batch], device=DEVICE)
    weight = torch.tensor([one.weight for one in batch], device=DEVICE)
    follows = torch.tensor([one.follows for one in batch], device=DEVICE)
    with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
        outputs = tagger([one.window for one in batch], plan.word_dropout)
    kinds = F.cross_entropy(outputs[:, :5], target, reduction="none", label_smoothing=plan.smoothing)
    known = (follows >= 0).float() * weight
    joins = F.binary_cross_entropy_with_logits(outputs[:, 5], follows.clamp(min=0).float(), reduction="none")
    return (kinds * weight).sum() / weight.sum() + plan.follow * (joins * known).sum() / len(batch)


@torch.no_grad()
def tagged(tagger: Tagger, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return for each row a line for each sentence: five shares, and whether it belongs to the one before."""
    tagger.eval()
    found = {}
    for row in rows:
        around = windows(row["pieces"], row["before_pieces"])
        if not around:
            found[row["id"]] = np.zeros((0, 6), "f4")
            continue
        outputs = tagger(around)
        shares = torch.cat([outputs[:, :5].softmax(1), outputs[:, 5:].sigmoid()], 1)
        found[row["id"]] = shares.cpu().numpy()
    return found


def _figures(rows: Sequence[dict[str, Any]], tags: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return and print the figures of one plan, each message by a tagger that did not see its author."""
    real = [row for row in rows if f"{name}|{row['author']}|{row['id']}" in tags]
    unseen = {row["id"]: tags[f"{name}|{row['author']}|{row['id']}"] for row in real}
    kept = {row["id"]: tags[key] for row in real if (key := f"{name}|{ALL}|{row['id']}") in tags}
    groups = {
        "English": ([row for row in real if row["english"] and row["author"] not in {"own", *OTHER}], unseen),
        "other languages": ([row for row in real if not row["english"] and row["author"] != "own"], unseen),
        "conversations": ([row for row in real if row["author"] == "own"], unseen),
        "conversations kept out": ([row for row in real if row["id"] in kept], kept),
    }
    for author in sorted({row["author"] for row in real} - {"own"}):
        groups[f"author {author}"] = ([row for row in real if row["author"] == author], unseen)
    found: dict[str, Any] = {"plan": asdict(PLANS[name])}
    for group, (members, source) in groups.items():
        found[group] = {}
        for threshold in THRESHOLDS:
            figures = measured(members, source, threshold)
            found[group][str(threshold)] = asdict(figures)
            print(f"{name:8} {group:24} {threshold:.2f} {figures}", flush=True)
    return found


if __name__ == "__main__":
    main()
