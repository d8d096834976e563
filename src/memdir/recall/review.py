"""Recalls looked at afterwards: why a file was left out, what many add up to, and what a person judged.

What a person said which memories a prompt should be given lies in the state folder, a line of JSON each, and
never leaves the machine. `memdir eval recall` scores it, so that people can measure recall on their own work.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import ceil

from memdir.conversation.receipts import Receipt
from memdir.disk.files import make_folder
from memdir.progress import count_progress
from memdir.recall.rank import Ranked, by_probability
from memdir.recall.recaller import Recaller
from memdir.recall.turn import RecallTurn
from memdir.text.secrets.fast_search import without_secrets
from memdir.text.value import value_class

__all__ = [
    "EXAMPLES",
    "Example",
    "ExampleScore",
    "Stats",
    "WhyNot",
    "add_example",
    "read_examples",
    "score_examples",
    "stats_of",
    "why_not",
]


@value_class(frozen=True, slots=True)
class WhyNot:
    """Which rule keeps a memory from being recalled for a query."""

    file: str
    query: str
    because: str
    """Empty when it would be recalled."""
    rank: int = 0
    """Its place among all memories, 1 the best; 0 when none were ranked."""
    of: int = 0
    ranked: Ranked | None = None
    best: Ranked | None = None


def why_not(recaller: Recaller, file: str, query: str) -> WhyNot:
    """Return which rule keeps this file out; nothing is shown, charged or written down."""
    refusal = recaller.refusal(query, recaller.limits.files)
    if refusal:
        return WhyNot(file, query, refusal)
    limits = recaller.limits
    ranked = recaller.rank(query)
    turn = RecallTurn(query, limits.files, seconds=limits.model_budget, timer=recaller.timer)
    current, choice = recaller.choice(turn, ranked, *recaller.surfacer.already_shown())
    ranked, cuts = by_probability(current.all), choice.cuts
    files = [one.header.file for one in ranked]
    if file not in files:
        return WhyNot(file, query, "it is not among the memories that can be read", 0, len(ranked))
    place = files.index(file)
    is_chosen = file in {one.header.file for one in (*choice.certain, *choice.likely)}
    because = "" if is_chosen else cuts.get(file, "it was not chosen")
    return WhyNot(file, query, because, place + 1, len(ranked), ranked[place], ranked[0])


@value_class(frozen=True, slots=True)
class Stats:
    """What the receipts that are kept say together."""

    recalls: int
    """Those that looked for memories, whether they found any or not."""
    empty: int
    skipped: dict[str, int]
    """Prompts that were not looked at, by reason."""
    methods: dict[str, int]
    fallbacks: int
    tokens: int
    model_tokens: int
    recalled: dict[str, int]
    """How often each memory was shown, in full or as a line; most often first."""
    never: tuple[str, ...]
    """Memories that were never shown."""
    milliseconds: dict[str, float]
    """Time of a recall at the 50th, 90th and 99th percentile, and the longest."""
    since: str = ""


def stats_of(receipts: Sequence[Receipt], files: Sequence[str]) -> Stats:
    """Add receipts up, newest first, over the memories there are now."""
    done = [receipt for receipt in receipts if not receipt.because]
    counts = Counter(file for receipt in done for file in receipt.given)
    times = sorted(receipt.milliseconds for receipt in done)
    shares = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("longest", 1.0)] if times else []
    return Stats(
        recalls=len(done),
        empty=sum(not receipt.given for receipt in done),
        skipped=dict(Counter(receipt.because for receipt in receipts if receipt.because).most_common()),
        methods=dict(Counter(receipt.method for receipt in done).most_common()),
        fallbacks=sum(bool(receipt.fallbacks) for receipt in receipts),
        tokens=sum(receipt.tokens for receipt in done),
        model_tokens=sum(receipt.model_tokens for receipt in done),
        recalled=dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))),
        never=tuple([file for file in files if file not in counts]),
        milliseconds={name: times[max(0, ceil(share * len(times)) - 1)] for name, share in shares}
        if times
        else {},
        since=receipts[-1].at if receipts else "",
    )


EXAMPLES = "examples"
"""The file in the state folder."""

_LONGEST_PROMPT = 20_000
"""Characters of a prompt that are kept: more than any that a person types."""


@value_class(frozen=True, slots=True)
class Example:
    """What a person said about one prompt."""

    prompt: str
    wanted: tuple[str, ...] = ()
    """Files that should be shown."""
    unwanted: tuple[str, ...] = ()
    """Files that should not."""


def add_example(state: str, example: Example) -> None:
    """Write one down, with credentials masked."""
    prompt = without_secrets(example.prompt[:_LONGEST_PROMPT])
    row = {"prompt": prompt, "wanted": list(example.wanted), "unwanted": list(example.unwanted)}
    with make_folder(state) as folder:
        folder.append(EXAMPLES, f"{json.dumps(row)}\n".encode())


def read_examples(state: str) -> list[Example]:
    """Return what was said about each prompt; what was said last about a file counts.

    A line that cannot be read is left out.
    """
    said: dict[str, dict[str, bool]] = {}
    with suppress(OSError), open(os.path.join(state, EXAMPLES), "rb") as file:
        for line in file:
            with suppress(ValueError, KeyError, TypeError):
                row = json.loads(line)
                files = dict.fromkeys(row["wanted"], True) | dict.fromkeys(row["unwanted"], False)
                said.setdefault(str(row["prompt"]), {}).update(
                    {str(name): wanted for name, wanted in files.items()}
                )
    return [
        Example(
            prompt,
            tuple([file for file, wanted in files.items() if wanted]),
            tuple([file for file, wanted in files.items() if not wanted]),
        )
        for prompt, files in said.items()
    ]


@value_class(frozen=True, slots=True)
class ExampleScore:
    """How today's recall does on the examples."""

    examples: int
    wanted: int
    found: int
    """Of the wanted, those that are shown."""
    unwanted: int
    wrong: int
    """Of the unwanted, those that are shown."""
    missed: tuple[tuple[str, str], ...]
    """Prompts and files that should be shown and are not."""
    noise: tuple[tuple[str, str], ...]
    """Prompts and files that are shown and should not be."""


def score_examples(examples: Sequence[Example], is_shown: Callable[[str, str], bool]) -> ExampleScore:
    """Score them with what says whether a file is shown for a prompt today."""
    missed, noise = list[tuple[str, str]](), list[tuple[str, str]]()
    for example in count_progress(examples):
        missed += [(example.prompt, file) for file in example.wanted if not is_shown(file, example.prompt)]
        noise += [(example.prompt, file) for file in example.unwanted if is_shown(file, example.prompt)]
    wanted = sum(len(example.wanted) for example in examples)
    unwanted = sum(len(example.unwanted) for example in examples)
    found = wanted - len(missed)
    return ExampleScore(len(examples), wanted, found, unwanted, len(noise), tuple(missed), tuple(noise))
