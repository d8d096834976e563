"""Ranking by words: one whole process over 200 memories, and a query in a running process at two sizes."""

import itertools
import os
import random
from statistics import median

from bench.figures import Row, interleaved
from bench.ground import Ground
from bench.process import Served

__all__ = ["rows"]

_SMALL, _LARGE = 200, 20_000
_PROCESSES, _QUERIES = 40, 15

_QUESTION = (
    "Before the mobile app is deployed: how was the nightly backup of the schema handled, and who owns it?"
)

_ONE_PROCESS = """
from memdir import Memory
for one in Memory.open({project!r}).recalls.rank({query!r})[:5]:
    print(one.header.file)
"""


def rows(ground: Ground) -> list[Row]:
    """Return the whole process, the query alone, and the query with a look at every file."""
    return [_one_process(ground), *_running(ground)]


def _one_process(ground: Ground) -> Row:
    """Weigh a process that opens a memory, ranks and prints, against one that does nothing."""
    project = ground.path("lexical-project")
    os.mkdir(project)
    asked = f"from memdir import Memory; print(Memory.open({project!r}).directory)"
    _fill(ground.interpreter(asked).output.strip(), _SMALL)
    code = _ONE_PROCESS.format(project=project, query=_QUESTION + " " + _query(random.Random(0)))
    if len(ground.interpreter(code).output.split()) != 5:  # the first run also leaves the caches on disk
        raise RuntimeError("The process did not rank five memories.")
    pair = interleaved(
        lambda: ground.interpreter(code).cpu, lambda: ground.interpreter("pass").cpu, _PROCESSES
    )
    # Processor time only ever grows through noise, so the least of many runs is the truest.
    note = "processor time, least of the samples"
    return Row("rank of 200, one process", min(pair.ours), "s", min(pair.yardstick), 5, note)


def _running(ground: Ground) -> list[Row]:
    """Time the same queries in two running processes, over 200 memories and over a hundred times as many."""
    small, large = (_filled(ground, count) for count in (_SMALL, _LARGE))
    with (
        ground.subject(small, ground.path("lexical-state-small")) as few,
        ground.subject(large, ground.path("lexical-state-large")) as many,
    ):
        found: list[Row] = []
        for verb, work, at_most in (
            ("fit", "words of a query against 20,000 (yardstick: 200)", 40.0),
            ("rank", "rank of 20,000, every file looked at (yardstick: 200)", None),
        ):
            texts = [_query(random.Random(number)) for number in range(_QUERIES)]
            for process in (few, many):
                process.ask(verb, query=texts[0])
            pairs = [(_seconds(many, verb, text), _seconds(few, verb, text)) for text in texts]
            ours, yardstick = (median(side) for side in zip(*pairs, strict=True))
            found.append(Row(work, ours, "s", yardstick, at_most))
    return found


def _seconds(process: Served, verb: str, query: str) -> float:
    return float(process.ask(verb, query=query)["seconds"])


def _filled(ground: Ground, count: int) -> str:
    directory = ground.path(f"lexical-{count}")
    _fill(directory, count)
    return directory


def _fill(directory: str, count: int) -> None:
    """Write memories whose words are as unevenly common as those of a language."""
    os.makedirs(directory, mode=0o700)
    for number in range(count):
        dice = random.Random(number)
        body = "\n".join(f"{_words(dice, 12).capitalize()}." for _ in range(dice.randint(3, 13)))
        head = f'name: "{_words(dice, 2)}-{number}"\ndescription: "{_words(dice, 10)}"\ntype: "project"\n'
        with open(os.path.join(directory, f"project_{number}.md"), "w", encoding="utf-8") as file:
            file.write(f"---\n{head}---\n\n{body}\n")


def _query(dice: random.Random) -> str:
    return _words(dice, 12)


def _words(dice: random.Random, count: int) -> str:
    return " ".join(dice.choices(_VOCABULARY, cum_weights=_SHARES, k=count))


def _vocabulary(size: int) -> list[str]:
    dice, words = random.Random(1), dict.fromkeys(("the", "deploy", "backup", "schema"))
    while len(words) < size:
        words["".join(dice.choice(_SYLLABLES) for _ in range(dice.randint(1, 4)))] = None
    return list(words)


_SYLLABLES = [
    f"{start}{end}" for start in "bdfgklmnprstvz" for end in ("a", "e", "i", "o", "u", "an", "er", "ol")
]
_VOCABULARY = _vocabulary(20_000)
_SHARES = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(_VOCABULARY))))
"""How often each word is used, summed up: the n-th most common one n times less than the first."""
