"""`python bench/contradiction/run.py [corpus.jsonl]`: contradictions that are seen, and false alarms."""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from itertools import combinations
from pathlib import Path


def main(corpus: str = "") -> int:
    """Print what the judge sees of each table, and its alarms per 1,000 pairs of the stores of a corpus."""
    judge = import_module("memdir.memories.contradiction.judge").may_contradict
    tables = [import_module(f"bench.contradiction.{name}").TABLES for name in ("pairs", "varied", "stepwise")]
    for name, (contradicting, harmless) in (table for each in tables for table in each.items()):
        seen = sum(bool(judge(*pair)) for pair in contradicting)
        alarms = sum(bool(judge(*pair)) for pair in harmless)
        print(f"{name}: {seen}/{len(contradicting)} seen, {alarms}/{len(harmless)} false alarms")
    if corpus:
        pairs, found = alarms_in(Path(corpus), judge)
        print(f"{corpus}: {len(found)} alarms in {pairs} pairs, {1000 * len(found) / pairs:.2f} per 1,000")
        print(*(f"  {line}" for line in found), sep="\n")
    return 0


def alarms_in(corpus: Path, judge: Callable[[str, str], str]) -> tuple[int, list[str]]:
    """Return how many pairs there are within the groups of a corpus, and a line for each alarm."""
    stores = defaultdict(list)
    for line in corpus.read_text().splitlines():
        memory = json.loads(line)
        stores[memory["group"]].append((memory["id"], f"{memory['description']}\n{memory['body']}"))
    pairs, found = 0, []
    for store in stores.values():
        for (one, first), (two, second) in combinations(store, 2):
            pairs += 1
            if because := judge(first, second):
                found.append(f"{one} {two}: {because}")
    return pairs, found


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    sys.exit(main(*sys.argv[1:2]))
