"""Messages cut into sentences, each with its label and its word pieces: what the tagger learns from.

    python -m training.extract_data OUT [--messages FILE ...] [--prompts FILE ...]

reads the messages and the conversations of this project, and more files of messages where they are given,
and writes one JSON line a message. It needs memdir (for its sentences and word pieces), and no PyTorch.
"""

import argparse
import gzip
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from memdir.extract.heuristics.own_words import is_english, sentences
from training.package import tokenizer

__all__ = ["KINDS", "Row", "folded", "labelled", "read", "written"]

KINDS = ("none", "user", "feedback", "project", "reference")
LONGEST_RUN = 4
"""Sentences that one memory may take its words from."""
BELONGS, PERHAPS = 0.5, 0.3
"""Share of a neighbour's words in the expected memory from which it is a part of it, or may be one."""
MOST_PIECES = 200
SHORT = 80
"""Characters of a message that only says yes to what the assistant said."""

HERE = Path(__file__).parent
MESSAGES = HERE / "data" / "extract"
CONVERSATIONS = HERE.parent / "bench" / "extraction"
TRAINED, HELD_OUT = ("first", "second"), ("third", "fourth")
"""Files of conversations; the last two are for evaluation alone."""


@dataclass
class Row:
    """One message of a user with what should be kept of it."""

    id: str
    author: str
    text: str
    before: str
    date: str
    keep: list[dict[str, Any]]
    category: str
    english: bool = True
    held_out: bool = False
    prompt: bool = False
    """Whether it is a prompt of the recall data, for training alone."""
    sentences: list[str] = field(default_factory=list)
    labels: list[list[int]] = field(default_factory=list)
    """The kinds that are right for each sentence; empty where nobody can say."""
    follows: list[int] = field(default_factory=list)
    """Whether a sentence belongs to the memory of the one before: 1, 0, or -1 where that is no question."""
    pieces: list[list[int]] = field(default_factory=list)
    before_pieces: list[int] = field(default_factory=list)


def folded(text: str) -> str:
    """Return a text as it is compared: one kind of space and of apostrophe, no capitals."""
    return re.sub(r"\s+", " ", text).casefold().strip().replace("\u2019", "'")


def read(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a JSON-lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def labelled(row: Row) -> None:
    """Fill in the sentences of a row, and which kinds are right for each."""
    row.sentences = [sentence.text for sentence in sentences(row.text)]
    said = [folded(sentence) for sentence in row.sentences]
    labels: list[list[int] | None] = [None] * len(said)
    memory: list[int] = [-1] * len(said)
    unknown: set[int] = set()
    for number, keep in enumerate(row.keep):
        kinds = [KINDS.index(kind) for kind in keep.get("kinds") or [keep["kind"]]]
        must = [folded(word) for word in keep["must"] or [keep["says"][:12]]]
        run = range(len(said)) if keep.get("answers") else _shortest_run(said, must)
        if run is None:
            unknown |= {at for at, one in enumerate(said) if any(word in one for word in must)}
            continue
        belongs, perhaps = _widened(said, run, folded(keep.get("says", "")))
        unknown |= perhaps
        for at in belongs:
            if labels[at] is None or at in run:
                labels[at], memory[at] = kinds, number
    row.labels = [label or ([] if at in unknown else [0]) for at, label in enumerate(labels)]
    row.follows = [-1] * len(said)
    for at in range(1, len(said)):
        if memory[at] >= 0 and memory[at - 1] >= 0:
            row.follows[at] = int(memory[at] == memory[at - 1])


def _shortest_run(said: Sequence[str], must: Sequence[str]) -> range | None:
    """Return the fewest neighbouring sentences that hold all the words."""
    for length in range(1, LONGEST_RUN + 1):
        for start in range(len(said) - length + 1):
            together = " ".join(said[start : start + length])
            if all(word in together for word in must):
                return range(start, start + length)
    return None


def _widened(said: Sequence[str], run: range, says: str) -> tuple[set[int], set[int]]:
    """Return the run with the neighbours that the memory speaks of too, and those that it may speak of."""
    belongs, perhaps, spoken = set(run), set(), _words(says)
    for step, start in ((-1, run.start - 1), (1, run.stop)):
        at = start
        while 0 <= at < len(said) and spoken:
            own = _words(said[at])
            share = len(own & spoken) / len(own) if len(own) > 1 else 0.0
            if share < BELONGS:
                perhaps |= {at} if share >= PERHAPS else set()
                break
            belongs.add(at)
            at += step
    return belongs, perhaps


def _words(text: str) -> set[str]:
    """Return the first letters of the words that carry meaning: enough to see that two texts share them."""
    return {word[:5] for word in re.findall(r"[\w.]{3,}", text) if not _COMMON.fullmatch(word)}


_COMMON = re.compile(
    r"the|and|for|not|you|your|are|was|were|has|have|had|this|that|these|those|with|from|but|can|could|should"
    r"|would|will|may|must|please|always|never|only|just|use|used|user|when|what|where|which|who|why|how|all"
    r"|any|our|out|its|it's|they|them|their|there|here|then|than|also|into|over|some|more|most|very|yes"
)


def messages(paths: Iterable[Path]) -> Iterator[Row]:
    """Yield the single messages of some files; the letters of an id name its author."""
    for path in paths:
        for one in read(path):
            author = re.match(r"[a-z]+", one["id"])
            yield Row(
                id=one["id"],
                author=author[0] if author else one["id"],
                text=one["text"],
                before=one.get("before", ""),
                date=one["date"],
                keep=one["keep"],
                category=one["category"],
            )


def conversations() -> Iterator[Row]:
    """Yield the messages of the project's own conversations whose labels are beyond doubt."""
    for name in (*TRAINED, *HELD_OUT):
        for talk in read(CONVERSATIONS / f"{name}.jsonl"):
            repeats = bool(talk.get("known")) and not talk.get("expected") and not talk.get("forget")
            if not talk.get("allowed") and not repeats:
                yield from _said(talk, held_out=name in HELD_OUT)


def _said(talk: dict[str, Any], *, held_out: bool) -> Iterator[Row]:
    """Yield the messages of one conversation; an expected memory belongs to the last one with its words."""
    said, rows = talk["messages"], []
    left = list(talk.get("expected", ()))
    users = [at for at, one in enumerate(said) if one["role"] == "user" and not one.get("recalled")]
    for at in reversed(users):
        text = said[at]["content"]
        mine = [one for one in left if all(folded(word) in folded(text) for word in one["words"])]
        left = [one for one in left if one not in mine]
        if not mine and at != users[-1] and talk["class"] in {"update", "not to be remembered"}:
            continue  # what it says is replaced or taken back later
        before = next((one["content"] for one in reversed(said[:at]) if one["role"] == "assistant"), "")
        keep = [
            {"kinds": one["kinds"], "kind": one["kinds"][0], "must": one["words"], "says": ""} for one in mine
        ]
        rows.append(
            Row(f"{talk['id']}.{at}", "own", text, before, talk["on"], keep, talk["class"], held_out=held_out)
        )
    if left and rows:
        left = _answered(rows[0], left)
    if not left:
        yield from reversed(rows)


def _answered(last: Row, left: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give a short last message the memory that it says yes to; return the memories that remain."""
    together = folded(f"{last.before} {last.text}")
    if (
        len(left) > 1
        or len(last.text) > SHORT
        or not all(folded(word) in together for word in left[0]["words"])
    ):
        return left
    kinds = left[0]["kinds"]
    last.keep.append(
        {"kinds": kinds, "kind": kinds[0], "must": left[0]["words"], "says": "", "answers": True}
    )
    return []


def prompts(paths: Iterable[Path]) -> Iterator[Row]:
    """Yield prompts written for recall: questions and tasks, of which nothing is to be kept.

    Long ones are left out, since people paste into them. The first digit of a group stands for its author.
    """
    for path in paths:
        for one in read(path):
            if one["category"] != "long":
                author = _AUTHORS.get(one["group"][:2], "n")
                yield Row(one["id"], author, one["text"], "", "2026-03-10", [], one["category"], prompt=True)


_AUTHORS = {"g1": "b", "g2": "c", "g3": "d", "g4": "e", "g5": "f"}


def written(rows: Iterable[Row], out: Path) -> int:
    """Write rows with labels and word pieces; return how many."""
    cut = tokenizer()
    count = 0
    with gzip.open(out, "wt", encoding="utf-8") as file:
        for row in rows:
            labelled(row)
            row.english = is_english(row.text)
            row.pieces = [cut.token_ids(one, MOST_PIECES)[1:-1] for one in row.sentences]
            row.before_pieces = cut.token_ids(row.before, MOST_PIECES)[1:-1]
            file.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")
            count += 1
    return count


def main() -> None:
    """Write all rows."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--messages", type=Path, nargs="*", default=[], help="more files of messages")
    parser.add_argument("--prompts", type=Path, nargs="*", default=[], help="prompts of the recall data")
    given = parser.parse_args()
    rows = [
        *messages([*sorted(MESSAGES.glob("*.jsonl")), *given.messages]),
        *conversations(),
        *prompts(given.prompts),
    ]
    print(written(rows, given.out), "messages")


if __name__ == "__main__":
    main()
