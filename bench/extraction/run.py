"""Measures offline extraction on conversations with known answers, by class."""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from memdir.conversation.messages import Spoken
from memdir.extract.heuristics.extraction import Judge, extract
from memdir.extract.result import Extracted
from memdir.extract.tagger import shipped_tagger
from memdir.memories.topic import Draft, Header, Kind, Topic

HERE = Path(__file__).parent
HELD_OUT = ("third", "fourth")
"""The files that the tagger was not trained on."""
COUNTS = ("conversations", "expected", "found", "saved", "right", "kind", "dates", "dated")


@dataclass
class Figures:
    """What was counted, by class of conversation, and what went wrong in words."""

    by_class: dict[str, Counter[str]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    from_tools: int = 0
    secrets: int = 0

    def total(self) -> Counter[str]:
        """Return the sums over all classes."""
        return sum(self.by_class.values(), Counter[str]())


def conversations(half: str) -> list[dict[str, Any]]:
    """Return the conversations of one half."""
    lines = (HERE / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def spoken(conversation: dict[str, Any]) -> list[Spoken]:
    """Return the messages as values, all said at ten o'clock of the conversation's day."""
    at = datetime.fromisoformat(f"{conversation['on']}T10:00:00+00:00")
    return [
        Spoken(str(number), said["role"], said["content"], at, recalled=said.get("recalled", False))
        for number, said in enumerate(conversation["messages"], 1)
    ]


def known(conversation: dict[str, Any]) -> list[Topic]:
    """Return the memories that exist before the conversation."""
    return [
        topic(Kind(one["kind"]), one["name"], one["description"], one["body"])
        for one in conversation.get("known", ())
    ]


def found_in(conversation: dict[str, Any], memories: Sequence[Topic] | None = None) -> Extracted:
    """Extract a conversation with the shipped tagger, over its own memories or these."""
    on, before = date.fromisoformat(conversation["on"]), known(conversation) if memories is None else memories
    return extract(spoken(conversation), before, on, judge=Judge(shipped_tagger()))


def topic(kind: Kind, name: str, description: str, body: str) -> Topic:
    """Return a memory as it would be read from disk."""
    header = Header(f"{kind}_{name}.md", name, description, kind, datetime(2026, 1, 1, tzinfo=UTC))
    return Topic(header, body, body)


def measured(half: str) -> Figures:
    """Return the figures of one half."""
    figures = Figures()
    for conversation in conversations(half):
        found = found_in(conversation)
        count(figures, conversation, found)
    return figures


def count(figures: Figures, conversation: dict[str, Any], found: Extracted) -> None:
    """Add one conversation: what was saved is right when it has all the words of an expected memory."""
    counts = figures.by_class.setdefault(conversation["class"], Counter())
    saved = [draft for draft in found.drafts if not draft.inbox]
    figures.from_tools += sum(draft.source == "tool" for draft in saved)
    figures.from_tools += len(saved) if conversation["class"] == "instruction in tool output" else 0
    # Every draft of a conversation about a secret counts: the detector is not its own judge.
    figures.secrets += len(found.drafts) if conversation["class"] == "secret" else 0
    counts["conversations"] += 1
    left = list(saved)
    for one in conversation.get("expected", ()):
        counts["expected"] += 1
        hit = next((draft for draft in left if says(draft, one)), None)
        if hit is None:
            figures.faults.append(f"{conversation['id']} missed {one}")
            continue
        left.remove(hit)
        count_hit(figures, counts, conversation["id"], one, hit)
    extra = [draft for draft in left if not any(says(draft, one) for one in conversation.get("allowed", ()))]
    counts["saved"] += len(extra)
    figures.faults += [f"{conversation['id']} saved {draft.kind}: {draft.body!r}" for draft in extra]
    count_forgotten(figures, counts, conversation, found.forget)


def says(draft: Draft, one: dict[str, Any]) -> bool:
    """Whether a draft has the words of an expected memory, and its name where that is given."""
    text = f"{draft.name} {draft.description} {draft.body}".casefold()
    return all(word.casefold() in text for word in one["words"]) and one.get("name", draft.name) == draft.name


def count_hit(figures: Figures, counts: Counter[str], which: str, one: dict[str, Any], draft: Draft) -> None:
    """Add one expected memory that was found."""
    counts.update(found=1, saved=1, right=1)
    counts["kind"] += draft.kind in one["kinds"]
    if draft.kind not in one["kinds"]:
        figures.faults.append(f"{which} kind {draft.kind} instead of {one['kinds']}: {draft.body!r}")
    if "date" in one:
        counts["dated"] += 1
        counts["dates"] += one["date"] in draft.body
        if one["date"] not in draft.body:
            figures.faults.append(f"{which} date {one['date']} is not in {draft.body!r}")


def count_forgotten(
    figures: Figures, counts: Counter[str], conversation: dict[str, Any], forgot: Sequence[str]
) -> None:
    """Add requests to forget: a name is found like a memory, and its kind cannot be wrong."""
    asked = conversation.get("forget", ())
    hits = len(set(asked) & set(forgot))
    counts.update(expected=len(asked), saved=len(forgot), found=hits, right=hits, kind=hits)
    if set(asked) != set(forgot):
        figures.faults.append(f"{conversation['id']} forgot {list(forgot)} instead of {asked}")


def ratio(part: int, whole: int) -> str:
    """Return a share with two digits, or a dash."""
    return f"{part / whole:.2f}" if whole else "  - "


def line(name: str, counts: Counter[str]) -> str:
    """Return one line of the table."""
    return (
        f"{name:28} {counts['conversations']:5} {counts['expected']:5} {counts['saved']:5}"
        f" {ratio(counts['right'], counts['saved']):>9} {ratio(counts['found'], counts['expected']):>6}"
        f" {ratio(counts['kind'], counts['found']):>10} {ratio(counts['dates'], counts['dated']):>10}"
    )


def main() -> None:
    """Print the table of each half that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--half", action="append", help="first, second, third or fourth; the last two when not given"
    )
    parser.add_argument("--faults", action="store_true", help="show every miss and every wrong save")
    options = parser.parse_args()
    for half in options.half or HELD_OUT:
        figures = measured(half)
        print(f"{half:28} convs  exp. saved precision recall right kind right date")
        for name, counts in figures.by_class.items():
            print(line(name, counts))
        print(line("total", figures.total()))
        print(f"saved from tool output: {figures.from_tools}, secrets: {figures.secrets}\n")
        if options.faults:
            print("\n".join(figures.faults))


if __name__ == "__main__":
    main()
