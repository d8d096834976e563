"""Measures what the installed memdir extracts from single messages without a model: saved, inbox, missed.

    python -m bench.coding.extract MESSAGES.jsonl [--faults N] [--record NAME]

A line is one message: what the assistant said `before`, the `text` of the user, its `date`, and what to keep:
`kind`, words that it `must` hold, and a `resolved_date`. Only messages that the tagger was not trained on say
anything about it: those in `training/data` are refused. The figures for these come from cross-validation.
"""

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.results import record

from memdir import Memory

TRAINED = Path(__file__).parents[2] / "training" / "data" / "extract"
DATE = re.compile(r"20\d\d-\d\d-\d\d")


def messages(path: Path) -> list[dict[str, Any]]:
    """Return the messages of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def extracted(row: dict[str, Any], home: Path) -> Sequence[Any]:
    """Return the drafts of one message, in a directory of its own."""
    at = f"{row['date']}T10:00:00+00:00"
    said = [("assistant", row.get("before", "")), ("user", row["text"])]
    talk = [{"role": role, "content": text, "timestamp": at} for role, text in said if text]
    memory = Memory.at(home / row["id"], state=home / f"state-{row['id']}")
    drafts: Sequence[Any] = memory.extract(messages=talk, dry_run=True).drafts
    return drafts


def count(row: dict[str, Any], drafts: Sequence[Any], faults: list[str]) -> Counter[str]:
    """Count the drafts of one message: right is one that holds all the words of an expected memory."""
    found = Counter(wanted=len(row["keep"]), empty=not row["keep"])
    left = list(row["keep"])
    for draft in sorted(drafts, key=lambda one: one.inbox):
        place = "inbox" if draft.inbox else "saved"
        found[place] += 1
        match = next((keep for keep in left if holds(draft, keep)), None)
        if match is None:
            faults.append(f"{row['id']} {place} {draft.kind}: {draft.body!r}")
            continue
        left.remove(match)
        found[f"{place} right"] += 1
        if not draft.inbox:
            found["kind"] += str(draft.kind) == match["kind"]
            count_date(row, draft, match, found)
    found["noisy"] = not row["keep"] and any(not draft.inbox for draft in drafts)
    faults += [f"{row['id']} missed {keep['kind']}: {keep['says']!r}" for keep in left]
    return found


def count_date(row: dict[str, Any], draft: Any, match: dict[str, Any], found: Counter[str]) -> None:
    """Count whether a day was resolved rightly, or a date made up."""
    if match.get("resolved_date"):
        found["dated"] += 1
        found["dates"] += match["resolved_date"] in f"{draft.description} {draft.body}"
    else:
        found["invented"] += bool(DATE.search(draft.body)) and not DATE.search(row["text"])


def holds(draft: Any, keep: dict[str, Any]) -> bool:
    """Whether a draft has the words of an expected memory."""
    text = folded(f"{draft.description} {draft.body}")
    return all(folded(word) in text for word in keep.get("must") or [keep["says"][:12]])


def folded(text: str) -> str:
    """Return a text as it is compared."""
    return " ".join(text.split()).casefold().replace("\u2019", "'")


def share(part: int, whole: int) -> str:
    """Return a share with three digits, or a dash."""
    return f"{part / whole:.3f}" if whole else "-"


def figures(found: Counter[str]) -> dict[str, float]:
    """Return the counts of some messages as shares."""
    right = found["saved right"]
    shares = {
        "precision": (right, found["saved"]),
        "recall": (right, found["wanted"]),
        "kind": (found["kind"], right),
        "recall with inbox": (right + found["inbox right"], found["wanted"]),
        "inbox precision": (found["inbox right"], found["inbox"]),
        "noisy": (found["noisy"], found["empty"]),
    }
    return {name: part / whole if whole else 0.0 for name, (part, whole) in shares.items()}


def report(title: str, found: Counter[str]) -> str:
    """Return the figures of some messages."""
    right = found["saved right"]
    return (
        f"{title:20} saved: precision {share(right, found['saved'])} recall {share(right, found['wanted'])}"
        f" kind {share(found['kind'], right)} dates {found['dates']}/{found['dated']}"
        f" invented {found['invented']}; saved or inbox: recall"
        f" {share(right + found['inbox right'], found['wanted'])}, inbox precision"
        f" {share(found['inbox right'], found['inbox'])}; of {found['empty']} messages with nothing to keep"
        f" {share(found['noisy'], found['empty'])} save something"
    )


def main() -> None:
    """Print the figures of a file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--faults", type=int, default=0, help="show so many misses and wrong drafts")
    parser.add_argument("--record", metavar="NAME", help="keep the figures as bench/recorded/NAME.json")
    given = parser.parse_args()
    rows = messages(given.data)
    trained = {row["text"] for path in TRAINED.glob("*.jsonl") for row in messages(path)}
    if seen := sum(row["text"] in trained for row in rows):
        parser.error(f"{seen} of these messages were trained on.")
    total: Counter[str] = Counter()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as home:
        for row in rows:
            total += count(row, extracted(row, Path(home)), faults)
    print(report(given.data.stem, total))
    print("\n".join(faults[: given.faults]))
    if given.record:
        command = f"python -m bench.coding.extract {given.data.name}"
        record(given.record, command, {"messages": len(rows), **figures(total)})


if __name__ == "__main__":
    main()
