"""The tools of a worker that only look: at one file, for a text, for names; always within bounds."""

import os
from collections.abc import Iterator, Sequence
from itertools import islice

from memdir.config.safe_path import Refused
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.text.templates import Templates
from memdir.text.wildmatch import Malformed, encoded, wildmatch
from memdir.workers.answer import Answer, answered, failure
from memdir.workers.policy import Policy
from memdir.workers.workbench import Workbench

__all__ = ["Looks"]

_TEXTS = Templates(__file__)

_LARGEST = 4 << 20
"""Bytes of a file that is read whole; in a larger one the shell's grep finds a line without that."""

_MOST_LINES = 400
"""Lines of a file in one answer."""

_MOST_FILES = 20_000
"""Files passed by in one search: a project, but not a disk."""

_MOST_BYTES = 64 << 20
_MOST_FOUND = 200


class Looks:
    """Reading within what a policy allows, with what is pending on a workbench."""

    def __init__(self, policy: Policy, bench: Workbench) -> None:
        """Bind the tools to a policy and a workbench."""
        self._policy, self._bench = policy, bench
        self._memory = os.path.realpath(policy.memory)

    def read(self, path: str, first: int | None = None, lines: int | None = None) -> Answer:
        """Return the lines of one file with their numbers."""
        place = self._policy.place(path)
        if isinstance(place, Refused):
            return failure(f"{path!r} may not be looked at: {place.because}.")
        text = self._text(place)
        if isinstance(text, Unread):
            return failure(f"{path!r} cannot be read: {text.because}.")
        return _numbered(text, max(1, first or 1), max(1, min(lines or _MOST_LINES, _MOST_LINES)))

    def grep(self, text: str, path: str | None = None) -> Answer:
        """Return the lines that hold a text or one of its alternatives."""
        wanted = [word for word in text.casefold().split("|") if word.strip()]
        if not wanted:
            return failure("grep needs a text to look for.")
        place = self._policy.place(path) if path is not None else self._memory
        if isinstance(place, Refused):
            return failure(f"{path!r} may not be looked at: {place.because}.")
        found = list(islice(self._matches(place, wanted), _MOST_FOUND + 1))
        return answered("\n".join(found[:_MOST_FOUND]), cut=len(found) > _MOST_FOUND)

    def glob(self, pattern: str, path: str | None = None) -> Answer:
        """Return the names that fit a pattern, the newest first."""
        rule = wildmatch(pattern, fold=False)
        if isinstance(rule, Malformed):
            return failure(f"The pattern cannot match anything: {rule.because}.")
        place = self._policy.place(path) if path is not None else self._memory
        if isinstance(place, Refused):
            return failure(f"{path!r} may not be looked at: {place.because}.")
        fits = [file for file in self._files(place) if rule.fullmatch(encoded(os.path.relpath(file, place)))]
        fits.sort(key=_newest)
        return answered("\n".join(map(self._shown, fits[:_MOST_FOUND])), cut=len(fits) > _MOST_FOUND)

    def _text(self, place: str) -> str | Unread:
        """Return a file as it would be: from the workbench inside the memory directory, else from disk."""
        file = self._inside(place)
        if file and file in {wish.file for wish in self._bench.wishes()}:
            text = self._bench.text(file)
            return Unread("it is to be forgotten") if text is None else text
        data = regular_bytes(place, _LARGEST)
        return data if isinstance(data, Unread) else data.decode("utf-8", "replace")

    def _matches(self, place: str, wanted: Sequence[str]) -> Iterator[str]:
        room = _MOST_BYTES
        for file in self._files(place):
            text = self._text(file)
            if isinstance(text, Unread) or "\0" in text[:1024]:
                continue
            room -= len(text)
            if room < 0:
                return
            for number, line in enumerate(text.split("\n"), 1):
                lowered = line.casefold()
                if any(word in lowered for word in wanted):
                    yield f"{self._shown(file)}:{number}: {line[:300]}"

    def _files(self, place: str) -> list[str]:
        """Return the files at a place as they would be, in the order of their names."""
        pending = {os.path.join(self._memory, wish.file): wish.text for wish in self._bench.wishes()}
        found = set(islice(_regular_files(place), _MOST_FILES))
        found -= pending.keys()
        inside = os.path.join(place, "")
        found |= {
            file for file, text in pending.items() if text is not None and f"{file}/".startswith(inside)
        }
        return sorted(found)

    def _inside(self, place: str) -> str:
        inside = os.path.join(self._memory, "")
        return place.removeprefix(inside).replace(os.sep, "/") if place.startswith(inside) else ""

    def _shown(self, file: str) -> str:
        return self._inside(file) or file


def _regular_files(place: str) -> Iterator[str]:
    if os.path.isfile(place):
        yield place
    for folder, inner, names in os.walk(place):
        inner[:] = sorted(name for name in inner if name != ".git")
        for name in sorted(names):
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                yield path


def _newest(file: str) -> tuple[int, str]:
    """Sort by time, and what is not saved yet before everything else."""
    try:
        return -os.stat(file).st_mtime_ns, file
    except OSError:
        return -(1 << 63), file


def _numbered(text: str, first: int, count: int) -> Answer:
    lines = text.split("\n")
    shown = [f"{number}\t{line}" for number, line in enumerate(lines, 1)][first - 1 : first - 1 + count]
    last = first + len(shown) - 1
    if first > len(lines):
        return failure(f"The file has {len(lines)} lines, so there is none from {first} on.")
    answer = answered("\n".join(shown))
    if last >= len(lines):
        return answer
    more = _TEXTS.unescaped("answer_more", first=first, last=last, total=len(lines), next=last + 1)
    return Answer(f"{answer.text}\n\n{more}")
