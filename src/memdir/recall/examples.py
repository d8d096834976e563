"""Recalls that a person judged: which memories a prompt should be given, and which it should not.

The examples lie in the state folder, a line of JSON each, and never leave the machine. `memdir eval recall`
scores them, so that people can measure recall on their own work.
"""

import json
import os

from memdir.disk.files import make_folder
from memdir.text.secrets.fast_search import without_secrets
from memdir.text.value import value_class

__all__ = ["EXAMPLES", "Example", "add_example", "read_examples"]

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
