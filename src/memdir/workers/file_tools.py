"""The tools of a worker for files: read, grep and glob; write, edit and forget in an overlay only.

Every result is a message to the model: a text of bounded length, or why there is none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import islice

from memdir.config.safe_path import Refused, path_below
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.errors import Rejected
from memdir.memories.names import file_name_problem, is_topic_file
from memdir.memories.refusals import text_problem
from memdir.memories.topic import Kind, header_from
from memdir.models.protocol import Message
from memdir.text.secrets.search import secret_names
from memdir.text.templates import Templates
from memdir.text.wildmatch import Malformed, path_bytes, wildmatch
from memdir.workers.overlay import Overlay
from memdir.workers.policy import Policy

__all__ = ["MAX_RESULT", "FileTools", "failure", "success"]

_TEXTS = Templates(__file__)

MAX_RESULT = 20_000
"""Characters of one result: some five thousand tokens, and a turn may ask for several."""

_MAX_FILE = 4 << 20
"""Bytes of a file that is read whole; in a larger one the shell's grep finds a line without that."""

_MAX_LINES = 400
"""Lines of a file in one result."""

_MAX_FILES = 20_000
"""Files that one search visits: a project, but not a disk."""

_MAX_SEARCHED = 64 << 20
_MAX_FOUND = 200


def success(text: str, *, cut: bool = False) -> Message:
    """Return a result, cut to its limit; an empty one says so, and half characters are replaced."""
    plain = text.encode("utf-8", "replace").decode()
    if not plain.strip():
        return Message("tool", _TEXTS.fill_plain("answer_nothing"))
    if cut or len(plain) > MAX_RESULT:
        return Message("tool", f"{plain[:MAX_RESULT]}\n\n{_TEXTS.fill_plain('answer_cut')}")
    return Message("tool", plain)


def failure(because: str) -> Message:
    """Return why there is no result, as a sentence that says what to do."""
    return Message("tool", because[:MAX_RESULT].encode("utf-8", "replace").decode(), failed=True)


class FileTools:
    """File tools within what a policy allows; changes are collected in an overlay, nothing is written.

    A path that the policy refuses is `Rejected`.
    """

    def __init__(self, policy: Policy, overlay: Overlay) -> None:
        """Bind the tools to a policy and an overlay."""
        self._policy, self._overlay = policy, overlay
        self._memory = os.path.realpath(policy.memory)

    def read(self, path: str, first: int | None = None, lines: int | None = None) -> Message:
        """Return the lines of one file with their numbers."""
        text = self._text(self._place(path))
        if isinstance(text, Unread):
            return failure(f"{path!r} cannot be read: {text.because}.")
        return _number_lines(text, max(1, first or 1), max(1, min(lines or _MAX_LINES, _MAX_LINES)))

    def grep(self, text: str, path: str | None = None) -> Message:
        """Return the lines that hold a text or one of its alternatives."""
        wanted = [word for word in text.casefold().split("|") if word.strip()]
        if not wanted:
            return failure("grep needs a text to look for.")
        found = list(islice(self._matches(self._place(path), wanted), _MAX_FOUND + 1))
        return success("\n".join(found[:_MAX_FOUND]), cut=len(found) > _MAX_FOUND)

    def glob(self, pattern: str, path: str | None = None) -> Message:
        """Return the names that fit a pattern, the newest first."""
        rule = wildmatch(pattern, fold=False)
        if isinstance(rule, Malformed):
            return failure(f"The pattern cannot match anything: {rule.because}.")
        place = self._place(path)
        fits = [
            file for file in self._files(place) if rule.fullmatch(path_bytes(os.path.relpath(file, place)))
        ]
        fits.sort(key=_newest)
        return success("\n".join(map(self._shown_path, fits[:_MAX_FOUND])), cut=len(fits) > _MAX_FOUND)

    def write(self, path: str, text: str) -> Message:
        """Put a text in place of a file, or in a new one."""
        file = self._file(path)
        others = (known for known in self._overlay.files() if known != file)
        twin = next((known for known in others if known.casefold() == file.casefold()), "")
        if twin:
            return failure(f"{twin} differs from {file} in the case of letters only. Write to {twin}.")
        if self._overlay.text(file) is None and (problem := file_name_problem(file)):
            return failure(f"{file} cannot be made: {problem}. Call it <type>_<short-name>.md.")
        return self._put(file, text)

    def edit(self, path: str, old: str, new: str) -> Message:
        """Replace one passage."""
        file = self._file(path)
        text = self._overlay.text(file)
        if text is None:
            return failure(f"There is no memory {file}. Look with glob, or write it.")
        times = text.count(old) if old else 0
        if times != 1:
            problem = "does not stand" if times == 0 else f"stands {times} times"
            return failure(
                f"The passage {problem} in {file}. Read it, and name a passage that stands there once."
            )
        return self._put(file, text.replace(old, new))

    def forget(self, path: str) -> Message:
        """Remove a memory."""
        file = self._file(path)
        if self._overlay.text(file) is None:
            return failure(f"There is no memory {file}. Look with glob.")
        self._overlay.put(file, None)
        return Message("tool", _TEXTS.fill_plain("answer_forgotten", file=file))

    def _place(self, path: str | None) -> str:
        """Return the real path that may be read; the memory directory when none is given."""
        place = self._policy.place(path) if path is not None else self._memory
        if isinstance(place, Refused):
            raise Rejected(f"{path!r} may not be looked at: {place.because}.")
        return place

    def _file(self, path: str) -> str:
        """Return the memory file that may be changed."""
        file = self._policy.file(path)
        if isinstance(file, Refused):
            raise Rejected(f"{path!r} may not be changed: {file.because}.")
        return file

    def _put(self, file: str, text: str) -> Message:
        if problem := _problem(file, text):
            return failure(f"{file} was not taken: {problem}")
        self._overlay.put(file, text)
        return Message("tool", _TEXTS.fill_plain("answer_written", file=file))

    def _text(self, place: str) -> str | Unread:
        """Return a file as it would be: from the overlay inside the memory directory, else from disk."""
        file = path_below(self._memory, place)
        if file and file in {edit.file for edit in self._overlay.edits()}:
            text = self._overlay.text(file)
            return Unread("it is to be forgotten") if text is None else text
        data = regular_bytes(place, _MAX_FILE)
        return data if isinstance(data, Unread) else data.decode("utf-8", "replace")

    def _matches(self, place: str, wanted: Sequence[str]) -> Iterator[str]:
        room = _MAX_SEARCHED
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
                    yield f"{self._shown_path(file)}:{number}: {line[:300]}"

    def _files(self, place: str) -> list[str]:
        """Return the files at a place as they would be, in the order of their names."""
        pending = {os.path.join(self._memory, edit.file): edit.after for edit in self._overlay.edits()}
        found = set(islice(_regular_files(place), _MAX_FILES))
        found -= pending.keys()
        found |= {
            file
            for file, text in pending.items()
            if text is not None and (file == place or path_below(place, file))
        }
        return sorted(found)

    def _shown_path(self, file: str) -> str:
        return path_below(self._memory, file) or file


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


def _number_lines(text: str, first: int, count: int) -> Message:
    lines = text.split("\n")
    shown = [f"{number}\t{line}" for number, line in enumerate(lines, 1)][first - 1 : first - 1 + count]
    last = first + len(shown) - 1
    if first > len(lines):
        return failure(f"The file has {len(lines)} lines, so there is none from {first} on.")
    result = success("\n".join(shown))
    if last >= len(lines):
        return result
    more = _TEXTS.fill_plain("answer_more", first=first, last=last, total=len(lines), next=last + 1)
    return Message("tool", f"{result.text}\n\n{more}")


def _problem(file: str, text: str) -> str:
    """Return why a text cannot be a memory, with what to do; empty when it can."""
    if problem := text_problem(text, odd_bytes=True):
        return f"it {problem}"
    if rules := secret_names(text):
        return f"it holds what looks like a credential ({rules}). Leave it out and say where it is kept."
    if not is_topic_file(file):
        return ""
    header = header_from(file, text)
    if header.kind is None:
        return f"its header has no type among {', '.join(Kind)}. Begin the text with a complete header."
    return "" if header.description else "its header has no description. Say in one line what it is about."
