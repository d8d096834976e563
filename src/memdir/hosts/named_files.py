"""The files that a prompt or a shell command names."""

import os
import re
from collections.abc import Iterator

__all__ = ["named_files"]

_MOST_WORDS = 1_000
"""Words that are looked up on disk: a prompt waits for it, and nobody names more files."""

_WORD = re.compile(r""""([^"\n]+)"|'([^'\n]+)'|`([^`\n]+)`|((?:\\[ ]|[^\s"'`<>|;&(){}$,])+)""")
_BEHIND = re.compile(r"(?:#|:\d).*\Z|[.:!?]+\Z", re.DOTALL)
"""What may stand behind a path: a fragment, a line number, the end of a sentence."""


def named_files(text: str, cwd: str) -> list[str]:
    """Return the files that exist among the words of a text, `@` or not; relative ones count from `cwd`."""
    words = dict.fromkeys(word for match in _WORD.finditer(text) for word in _readings(match))
    found = [os.path.join(cwd, word) for word, _ in zip(words, range(_MOST_WORDS), strict=False)]
    return [path for path in dict.fromkeys(found) if "\0" not in path and os.path.isfile(path)]


def _readings(match: re.Match[str]) -> Iterator[str]:
    """Yield what a word may mean: itself, and without what stands behind a path."""
    word = next(filter(None, match.groups())).replace("\\ ", " ").removeprefix("@")
    yield word
    yield _BEHIND.sub("", word)
