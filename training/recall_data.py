"""Stores, prompts and labels as piece numbers, in one file that training reads without memdir.

Usage: python -m training.recall_data OUT.json.gz [FOLDER ...]
Folders hold `corpus*.jsonl` and `queries*.jsonl`. An author is the first letter and digit of a store's name.
"""

import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from training.package import passages, prompt_ids, tokenizer

__all__ = ["CODING", "KINDS", "author_of", "chat_stores", "coding_stores", "rows_in"]

CODING = Path(__file__).parent / "data" / "recall"
CHAT = Path(__file__).parent.parent / "bench" / "recall"
KINDS = ("user", "feedback", "project", "reference")

_HELD_PERSONS = {"Kenta_Tanaka", "Oliver_Smith"}
"""Stores of `realmem` that no training sees: they tell what is forgotten."""

_HELD_TASK = "pmb"
_HELD_TOOLS = 3
"""One tool of `metatool` in so many is not trained on."""

Row = dict[str, Any]


def rows_in(folder: Path, name: str) -> Iterator[Row]:
    """Yield the rows of every file of that name in a folder: corpus.jsonl, corpus-n01.jsonl, and so on."""
    for path in sorted(folder.glob(f"{name}*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                yield json.loads(line)


def author_of(group: str) -> str:
    """Return which stores are left out together: those of one author; of author n, half of the stores.

    Author n wrote most of what is in other languages: without any of it little could be said about them.
    """
    if group[0] == "n":
        return f"n-{'odd' if int(group[1:]) % 2 else 'even'}"
    return group[:2] if group[0] == "g" else group[0]


def coding_stores(folders: Sequence[Path]) -> list[Row]:
    """Return the stores with their memories, prompts and labels; labels are places in the store."""
    memories, prompts = defaultdict(list), defaultdict(list)
    for folder in folders:
        for row in rows_in(folder, "corpus"):
            memories[row["group"]].append(row)
        for row in rows_in(folder, "queries"):
            prompts[row["group"]].append(row)
    return [_store(group, memories[group], prompts[group]) for group in sorted(memories) if prompts[group]]


def chat_stores(folder: Path = CHAT) -> list[Row]:
    """Return public stores of chats, with which queries are held back."""
    found = []
    for task in ("realmem", "metatool", "pmb"):
        documents, queries = defaultdict(list), defaultdict(list)
        for row in rows_in(folder / task, "corpus"):
            documents[row["group"]].append(row)
        for row in rows_in(folder / task, "queries"):
            queries[row["group"]].append(row)
        found += [_chat(task, group, documents[group], queries[group]) for group in sorted(queries)]
    return found


def _store(group: str, memories: Sequence[Row], prompts: Sequence[Row]) -> Row:
    place = {row["id"]: number for number, row in enumerate(memories)}
    pieces = tokenizer().token_ids
    return {
        "group": group,
        "author": author_of(group),
        "memories": [
            {
                "id": row["id"],
                "kind": KINDS.index(row["kind"]),
                "passages": [pieces(text) for text in passages(row["name"], row["description"], row["body"])],
            }
            for row in memories
        ],
        "prompts": [
            {
                "id": row["id"],
                "category": row["category"],
                "pieces": prompt_ids(row["text"]),
                "gold": [place[one] for one in row["gold"]],
                "fine": [place[one] for one in row.get("fine", ())],
            }
            for row in prompts
        ],
    }


def _chat(task: str, group: str, documents: Sequence[Row], queries: Sequence[Row]) -> Row:
    place = {row["id"]: number for number, row in enumerate(documents)}
    pieces = tokenizer().token_ids
    return {
        "task": task,
        "group": group,
        "documents": [pieces(passages(row.get("title", ""), "", row["text"])[0])[:128] for row in documents],
        "queries": [
            {
                "pieces": prompt_ids(row["text"]),
                "gold": [place[one] for one in row["gold"]],
                "held": _held(task, group, row),
            }
            for row in queries
        ],
    }


def _held(task: str, group: str, query: Row) -> bool:
    if task == "metatool":
        return sum(map(ord, min(query["gold"]))) % _HELD_TOOLS == 0
    return task == _HELD_TASK or group in _HELD_PERSONS


def main(arguments: Sequence[str]) -> None:
    """Write the file and say what is in it."""
    out, *folders = arguments
    stores = coding_stores([Path(folder) for folder in folders] or [CODING])
    chat = chat_stores()
    with gzip.open(out, "wt", encoding="utf-8") as file:
        json.dump({"stores": stores, "chat": chat}, file, separators=(",", ":"))
    by_author: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for store in stores:
        counts = by_author[store["author"]]
        counts[0] += 1
        counts[1] += len(store["memories"])
        counts[2] += len(store["prompts"])
    for author, (groups, memories, prompts) in sorted(by_author.items()):
        print(f"author {author}: {groups} stores, {memories} memories, {prompts} prompts")
    print(
        f"chat: {sum(len(one['queries']) for one in chat)} queries, {out}: {Path(out).stat().st_size:,} bytes"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
