"""Recalls that a person judged: which memories a prompt should be given, and which it should not.

The examples lie in the state folder, a line of JSON each, and never leave the machine. `memdir eval recall`
scores them, so that people can measure recall on their own work.
"""

import json
import os
from collections.abc import Callable, Sequence

from memdir.disk.files import make_folder
from memdir.progress import count_progress
from memdir.text.secrets.fast_search import without_secrets
from memdir.text.value import value_class

__all__ = ["EXAMPLES", "Example", "ExampleScore", "add_example", "read_examples", "score_examples"]

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
    """Return what was said about each prompt; what was said last about a file counts."""
    said: dict[str, dict[str, bool]] = {}
    for prompt, files in _rows(os.path.join(state, EXAMPLES)):
        said.setdefault(prompt, {}).update(files)
    return [
        Example(
            prompt,
            tuple([file for file, wanted in files.items() if wanted]),
            tuple([file for file, wanted in files.items() if not wanted]),
        )
        for prompt, files in said.items()
    ]


def _rows(path: str) -> list[tuple[str, dict[str, bool]]]:
    """Return prompts with the verdict on each file; a line that cannot be read is left out."""
    rows = list[tuple[str, dict[str, bool]]]()
    try:
        with open(path, "rb") as file:
            lines = file.read().splitlines()
    except OSError:
        return rows
    for line in lines:
        try:
            row = json.loads(line)
            files = dict.fromkeys(row["wanted"], True) | dict.fromkeys(row["unwanted"], False)
            rows.append((str(row["prompt"]), {str(name): wanted for name, wanted in files.items()}))
        except (ValueError, KeyError, TypeError):
            continue
    return rows


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
