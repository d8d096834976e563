"""What a command prints: text for people, JSON for programs, exact text for files, and progress."""

from __future__ import annotations

import io
import json
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from shutil import get_terminal_size
from threading import Event, Thread
from time import monotonic
from typing import Any, TextIO

import click

from memdir.errors import Rejected
from memdir.progress import ProgressWatch

__all__ = [
    "advise",
    "answer",
    "ask_secret",
    "columns",
    "confirm",
    "cut",
    "hint",
    "is_terminal",
    "moment",
    "nobody_answers",
    "one_line",
    "printable",
    "room",
    "say",
    "say_diff",
    "say_error",
    "say_exactly",
    "say_json",
    "short_path",
    "show_progress",
    "steady_streams",
    "style",
    "wants_json",
    "width",
    "wrap",
]

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Control characters but tab and line feed; marks that reorder a line; separators and tags nobody sees; half
surrogates, which no terminal can be sent. Joiners stay: scripts and emoji need them."""

_MORE = "..."
"""What a cut text ends in; ASCII, so that every terminal can show it."""


def printable(text: str) -> str:
    """Return a text of several lines with all characters spelled out that could control a terminal."""
    return _UNSAFE.sub(_escape_sequence, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """Return a text as one line, equally safe."""
    return printable(" ".join(text.split()))


def width(text: str) -> int:
    """Return how many columns a line takes: most East Asian characters and emoji take two."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def cut(text: str, room: int) -> str:
    """Return the beginning of a line that fits, marked where it was cut."""
    if width(text) <= room:
        return text
    used, kept, limit = 0, 0, max(room - len(_MORE), 0)
    for character in text:
        used += _columns(character)
        if used > limit:
            break
        kept += 1
    return text[:kept].rstrip() + _MORE[: max(room, 0)]


def wrap(text: str, room: int) -> list[str]:
    """Return a text in lines that fit, broken at blanks; a word that is too long, as a path, stays whole."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if width(longer) <= room or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _escape_sequence(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def moment(at: str | datetime | None) -> str:
    """Return day, time and zone of this machine's clock; a dash where there is no moment."""
    if not at:
        return "-"
    when = datetime.fromisoformat(at) if isinstance(at, str) else at
    return f"{when.astimezone():%Y-%m-%d %H:%M %Z}"


def short_path(path: str, here: str) -> str:
    """Return the shortest of a path's forms, safe to print: relative to a directory, from home, or whole."""
    forms = [os.path.relpath(path, os.path.realpath(here)), path]
    home = os.path.join(os.path.realpath(os.path.expanduser("~")), "")
    if path.startswith(home):
        forms.append(os.path.join("~", path[len(home) :]))
    return one_line(min(forms, key=len))


def wants_json() -> bool:
    """Tell whether the command that runs was given --json; then `say` and the like print nothing."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.params.get("as_json"))


def say(*lines: str, always: bool = False) -> None:
    """Print lines for a person, unless a program asked for JSON instead."""
    if always or not wants_json():
        _put(sys.stdout, "".join(f"{line}\n" for line in lines))


def say_error(message: str) -> None:
    """Print what went wrong, beside the output."""
    _put(sys.stderr, f"{style('error:', sys.stderr, fg='red')} {printable(message)}\n")


def hint(*messages: str) -> None:
    """Print what is worth knowing, a line each, beside the output."""
    for message in messages:
        _put(sys.stderr, f"{style('hint:', sys.stderr, fg='yellow')} {printable(message)}\n")


def advise(*sentences: str) -> None:
    """Print beside the output what a person could do next; a program that asked for JSON needs no advice."""
    if not wants_json():
        hint(*sentences)


def say_json(shape: Mapping[str, Any], *, always: bool = False) -> None:
    """Print one object where a program asked for it, in ASCII so that no terminal or pipe can spoil it."""
    if always or wants_json():
        _put(sys.stdout, f"{json.dumps(shape, indent=2)}\n")


def answer(shape: Mapping[str, Any], *lines: str) -> None:
    """Print one object where a program asked for it, or else lines for a person."""
    say_json(shape)
    say(*lines)


def say_exactly(text: str) -> None:
    """Print a text byte for byte; only a terminal gets it made safe."""
    if wants_json():
        return
    if sys.stdout is None or sys.stdout.isatty():
        _put(sys.stdout, printable(text))
        return
    with _writing_to(sys.stdout):
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()


def say_diff(diff: str) -> None:
    """Print a unified diff: exactly for a file or a pipe, with colours for a person."""
    if is_terminal(sys.stdout):
        say(*map(_diff_line, printable(diff).rstrip("\n").split("\n")))
    else:
        say_exactly(diff)


def style(text: str, stream: TextIO | None = None, **look: Any) -> str:
    """Return the text in a colour or weight, where the stream is a terminal that wants it."""
    coloured = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return click.style(text, **look) if coloured and is_terminal(stream or sys.stdout) else text


def columns(
    table: Iterable[Sequence[str]], *, bold: int | None = None, whole: bool = False, empty: str = ""
) -> list[str]:
    """Return rows in columns, one of them bold; no line is wider than the terminal.

    What does not fit beside the others stands below them. The last text of a row is cut; as a `whole` one it
    is wrapped below its row instead, and a path in it is never broken. Without rows it says `empty`.
    """
    limit, rows = room(), list(table)
    if not rows:
        return [empty] if empty else []
    *starts, last = zip(*rows, strict=True)
    widths = [max(map(width, column)) for column in starts]
    if limit == sys.maxsize:  # then nothing is cut, and one long name must not push all the others apart
        widths = [min(one, _WIDEST) for one in widths]
    spans = _spans(widths, limit, least=min(max(map(width, last)), _LEAST))
    return ["\n".join(_cells(row, widths, spans, limit, bold=bold, whole=whole)) for row in rows]


def room() -> int:
    """Return how many columns a line has; only a terminal has an end."""
    if not is_terminal(sys.stdout):
        return sys.maxsize
    return get_terminal_size().columns


def steady_streams() -> None:
    """Let a terminal that lacks a character show its number instead of stopping the command."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")


_LEAST = 20
"""Columns that a description gets beside the rest: with fewer it stands below."""

_WIDEST = 60
"""Columns to which a text is padded in a pipe; a longer text makes only its own line longer."""

_GAP, _INDENT = "  ", "    "
"""Blanks between two columns, and before columns that stand below."""


def _spans(widths: Sequence[int], limit: int, *, least: int) -> list[range]:
    """Return which columns share a line: as many as fit, the last one included."""
    spans, begin, used = [], 0, 0
    for at, needed in enumerate([*widths, least]):
        room_needed = needed + (len(_GAP) if at > begin else 0)
        if at > begin and used + room_needed > limit:
            spans.append(range(begin, at))
            begin, used, room_needed = at, len(_INDENT), needed
        used += room_needed
    return [*spans, range(begin, len(widths) + 1)]


def _cells(
    row: Sequence[str],
    widths: Sequence[int],
    spans: Sequence[range],
    limit: int,
    *,
    bold: int | None,
    whole: bool,
) -> Iterator[str]:
    for span in spans:
        indent = _INDENT if span.start else ""
        cells: list[str] = []
        left = limit - len(indent)
        for at in span:
            is_last = at == len(widths)
            if is_last and whole and width(row[at]) > left:
                if cells:
                    yield (indent + _GAP.join(cells)).rstrip()
                yield from (_INDENT + line for line in wrap(row[at], limit - len(_INDENT)))
                return
            text = cut(row[at], left)
            padded = text if at == span[-1] else text + " " * (min(widths[at], left) - width(text))
            cells.append(style(padded, bold=True) if at == bold else padded)
            left -= width(padded) + len(_GAP)
        if line := (indent + _GAP.join(cells)).rstrip():
            yield line


def _put(stream: TextIO | None, text: str) -> None:
    for sign in _signs:
        sign.end()
    if stream is not None:  # None when the caller closed it
        with _writing_to(stream):
            stream.write(text)
            stream.flush()  # so that output and hints keep their order


@contextmanager
def _writing_to(stream: TextIO) -> Iterator[None]:
    """When a stream cannot be written, say which, and send the rest nowhere: at exit it would fail again."""
    try:
        yield
    except OSError as error:
        error.filename = stream.name
        if stream is sys.stdout:
            sys.stdout = io.StringIO()
        raise


def is_terminal(stream: TextIO | None) -> bool:
    """Tell whether a person is at the other end of a stream, which is None when the caller closed it."""
    return stream is not None and stream.isatty()


def _diff_line(line: str) -> str:
    if line.startswith(("---", "+++")):
        return style(line, bold=True)
    colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
    return style(line, fg=colour) if colour else line


def confirm(question: str, *, default: bool = False) -> bool:
    """Ask a person; raise where the input is closed or at its end."""
    if sys.stdin is None:
        raise nobody_answers()
    try:
        return click.confirm(question, default=default, err=True)
    except click.Abort:
        if sys.stdin.isatty():
            raise
        click.echo(err=True)  # ends the line of the question
        raise nobody_answers() from None


def nobody_answers() -> Rejected:
    """Return the error of a question that nobody is there to answer."""
    return Rejected("This was not done: nobody is there to answer. Add --yes to agree.")


def ask_secret(question: str) -> str:
    """Ask a person for something that is not shown while it is typed; empty where nobody is there."""
    if not is_terminal(sys.stdin):
        return ""
    return str(click.prompt(question, default="", show_default=False, hide_input=True, err=True)).strip()


_DELAY, _INTERVAL = 1.0, 0.2
"""Seconds before progress is shown, because what is quicker needs none, and between two looks at it."""

_BAR = 20
"""Columns of a bar that shows how far something has come."""


class _Sign:
    """A line on a terminal that says what goes on, since when and how far it has come."""

    def __init__(self, doing: str) -> None:
        self.doing, self._began = doing, monotonic()
        self._done, self._total = 0, 0
        self._over = Event()
        self._thread = Thread(target=self._show, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Take the line away."""
        self._over.set()
        self._thread.join()

    def count(self, done: int, total: int) -> None:
        """Record how many things are done, and of how many."""
        self._done, self._total = done, total

    def _show(self) -> None:
        if self._over.wait(_DELAY):
            return
        while not self._over.wait(_INTERVAL):
            sys.stderr.write(f"\r{cut(self._line(), get_terminal_size().columns - 1)}\x1b[K")
            sys.stderr.flush()
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()

    def _line(self) -> str:
        done, total = self._done, self._total
        full = _BAR * done // total if total else 0
        far = f" [{'#' * full}{'.' * (_BAR - full)}] {done:,} of {total:,}" if total else ""
        return f"{self.doing}{far} ({monotonic() - self._began:.0f} s)"


_signs = list[_Sign]()
"""What is shown now; whatever is printed ends it."""


@contextmanager
def show_progress(doing: str) -> Iterator[Callable[[str], object]]:
    """Show on a terminal what is being done until something is printed; yield a function to change the words.

    Nothing is said where standard error is no terminal, and beside JSON.
    """
    if not doing or not is_terminal(sys.stderr) or wants_json():
        yield str
        return
    sign = _Sign(doing)
    _signs.append(sign)
    try:
        with ProgressWatch(sign.count):
            yield lambda words: setattr(sign, "doing", one_line(words))
    finally:
        sign.end()
        _signs.remove(sign)
