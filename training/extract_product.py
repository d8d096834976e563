"""Score the whole of offline extraction, each message with the tags of a tagger that did not see its author.

    python -m training.extract_product DATA TAGS.npz PLAN [--show N]

What `training.extract_train` prints is the tagger alone; here the rules beside it count too: requests,
refusals, secrets, dates. It needs memdir, and no PyTorch.
"""

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from memdir.conversation.messages import Spoken
from memdir.extract.heuristics.extraction import Judge, extract
from memdir.extract.tagger import Tag
from memdir.memories.topic import Draft, Kind
from training.extract_score import calibrated, temperature

__all__ = ["counted", "figures", "unseen"]


class _Recorded:
    """Stands for a tagger: knows the tags of the sentences of one message."""

    def __init__(self, row: Mapping[str, Any], tags: Any) -> None:
        self._tags = dict(zip(row["sentences"], tags.tolist(), strict=True))

    def tags(self, said: Sequence[str], reply_to: str = "") -> list[Tag]:
        """Return what was recorded."""
        del reply_to
        found = [self._tags[one] for one in said]
        return [Tag(1 - one[0], dict(zip(Kind, one[1:5], strict=True)), one[5]) for one in found]


def counted(row: Mapping[str, Any], drafts: Sequence[Draft], faults: list[str]) -> Counter[str]:
    """Count what one message gave."""
    count = Counter(wanted=len(row["keep"]), empty=not row["keep"])
    left = list(row["keep"])
    for inbox in (False, True):
        part = [one for one in drafts if one.inbox is inbox]
        name = "inbox" if inbox else "saved"
        count[name] += len(part)
        for draft in part:
            match = next((keep for keep in left if _holds(draft, keep)), None)
            if match is None:
                faults.append(f"{row['id']} {name} {draft.kind}: {draft.body!r} <- {row['text'][:140]!r}")
                continue
            left.remove(match)
            count[f"{name} right"] += 1
            count[f"{name} kind"] += draft.kind in (match.get("kinds") or [match["kind"]])
            if not inbox and match.get("resolved_date"):
                count["dated"] += 1
                count["dates"] += match["resolved_date"] in draft.body
    count["noisy"] += not row["keep"] and any(not one.inbox for one in drafts)
    count["noisy inbox"] += not row["keep"] and any(one.inbox for one in drafts)
    faults += [f"{row['id']} missed {keep['must']} <- {row['text'][:140]!r}" for keep in left]
    return count


def _holds(draft: Draft, keep: Mapping[str, Any]) -> bool:
    text = _folded(f"{draft.description} {draft.body}")
    return bool(keep.get("answers")) or all(
        _folded(word) in text for word in keep["must"] or [keep["says"][:12]]
    )


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold().replace("\u2019", "'")


def figures(count: Counter[str]) -> str:
    """Return the shares in one line."""
    right, waiting = count["saved right"], count["inbox right"]
    wanted, empty = max(1, count["wanted"]), max(1, count["empty"])
    return (
        f"saved: precision {right / max(1, count['saved']):.3f} recall {right / wanted:.3f}"
        f" kind {count['saved kind'] / max(1, right):.3f} dates {count['dates']}/{count['dated']}"
        f" noisy {count['noisy'] / empty:.3f}; saved or inbox: recall {(right + waiting) / wanted:.3f};"
        f" inbox: precision {waiting / max(1, count['inbox']):.3f} noisy {count['noisy inbox'] / empty:.3f}"
        f" ({count['saved']} saved, {count['inbox']} in the inbox, {count['wanted']} wanted)"
    )


def _card(given: argparse.Namespace, groups: Mapping[str, Counter[str]]) -> dict[str, Any]:
    """Return what should be known of the weights: where they come from, and what they reach."""
    return {
        "weights": "extract.int8: the extraction tagger; its table of words is the one in recall.int8",
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "from": "all-MiniLM-L6-v2 (Apache-2.0), trained further with all of its layers, rounded to bytes",
        "data": "training/data/extract and bench/extraction (first, second), hand-written, Apache-2.0;"
        " prompts of training/data/recall as examples of which nothing is kept",
        "save": given.save,
        "inbox": given.inbox,
        "evaluation": "each message by a tagger that did not see its author, with the rules around it",
        "figures": {name: figures(count) for name, count in sorted(groups.items())},
        "weak": "languages other than English are kept for the inbox; confirmations that say nothing of their"
        " own",
    }


def unseen(data: Path, tags: Path, plan: str) -> list[tuple[dict[str, Any], Any]]:
    """Return the messages with calibrated tags of taggers that did not see their authors."""
    with gzip.open(data, "rt", encoding="utf-8") as file:
        rows = [row for line in file if not (row := json.loads(line))["prompt"]]
    found = np.load(tags)
    by_id = {row["id"]: found[f"{plan}|{row['author']}|{row['id']}"] for row in rows}
    others = [row for row in rows if row["author"] != "own"]
    divisor = temperature(others, by_id)
    return [(row, calibrated(by_id[row["id"]], divisor)) for row in rows]


def main() -> None:
    """Print the figures of each group of messages."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("tags", type=Path)
    parser.add_argument("plan")
    parser.add_argument("--save", type=float, default=0.93)
    parser.add_argument("--inbox", type=float, default=0.45)
    parser.add_argument("--card", type=Path, help="write the figures into this file")
    parser.add_argument("--show", type=int, default=0, help="show so many faults of each group")
    given = parser.parse_args()
    groups: dict[str, Counter[str]] = {}
    faults: dict[str, list[str]] = {}
    for row, tags in unseen(given.data, given.tags, given.plan):
        judge = Judge(_Recorded(row, tags), given.save, given.inbox)  # type: ignore[arg-type]
        at = datetime.fromisoformat(row["date"]).replace(hour=10, tzinfo=UTC)
        heard = [Spoken("1", "assistant", row["before"], at), Spoken("2", "user", row["text"], at)]
        found = extract(heard[not row["before"] :], (), at.date(), judge=judge)
        language = "English" if row["english"] else "other languages"
        group = "conversations" if row["author"] == "own" else language
        count = counted(row, found.drafts, faults.setdefault(group, []))
        for name in (group, f"author {row['author']}", *(["messages"] if group == language else [])):
            groups[name] = groups.get(name, Counter()) + count
    for name, count in sorted(groups.items()):
        print(f"{name:16} {figures(count)}")
    if given.card:
        given.card.write_text(json.dumps(_card(given, groups), indent=1, ensure_ascii=False) + "\n")
    for name, found in faults.items() if given.show else ():
        print("\n".join([f"-- {name}", *found[: given.show]]))


if __name__ == "__main__":
    main()
