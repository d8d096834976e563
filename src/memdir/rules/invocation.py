"""One command as it would be started, and what an interpretation returns.

A host waits for this module: it does without `typing`.
"""

from memdir.text.program_names import NUMBERED, OTHER_NAMES
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "DECODED",
    "DISGUISED",
    "TEMPORARY",
    "UNKNOWN",
    "FileAccess",
    "Interpretation",
    "Invocation",
    "Quoted",
    "absolute_path",
    "assignment_in",
    "current_form",
    "directory_after",
    "program",
]

UNKNOWN = "\0"
"""Stands for text that only the running shell knows; no shell word can hold this character itself."""

TEMPORARY = "/tmp/"  # noqa: S108 - a text that paths are compared with
"""The folder for what is soon thrown away, in which no project lies."""

DISGUISED = "\0\x01\0"
"""Stands for text that is in the command, but turned into something else before it runs."""

DECODED = "part of it is decoded before it runs"
"""The doubt that a text in disguise leaves."""


class Quoted(str):
    """A word whose wildcards all stand in quotes: the shell leaves them as they are."""

    __slots__ = ()


@value_class(frozen=True, slots=True)
class Invocation:
    """One command as it would be started; the mark `UNKNOWN` stands for text that nobody knows yet."""

    words: tuple[str, ...]
    stdin: str
    """What it reads, as far as that is known."""
    directory: str
    """Where it runs; empty when that is not known."""


@value_class(frozen=True, slots=True)
class Interpretation:
    """What an interpretation leaves behind besides what the observer saw."""

    doubts: frozenset[str]
    """Why it may have missed something, each as the end of a sentence."""
    written: tuple[str, ...]
    """Paths that its redirections write to, as far as they are known."""
    read: tuple[str, ...] = ()
    """Paths that its redirections read from."""
    unread: tuple[str, ...] = ()
    """Texts that another program than a shell runs: they are not evaluated."""


@value_class(frozen=True, slots=True)
class FileAccess:
    """What a command does with a file, as Read or Write would, and what it puts there if that is known."""

    tool: str
    path: str
    text: str | None = None
    sure: bool = True
    deep: bool = False
    """Whether all that is below it is changed too, as when a folder is removed."""
    source: str = ""
    """The file whose text it gets."""


def program(word: str) -> str:
    """Return the usual name of a program, without folder and version; on some disks case does not count."""
    name = word.rpartition("/")[2].lower()
    if name.isalpha() or name in OTHER_NAMES:
        return OTHER_NAMES.get(name, name)
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    name = name[:1] + name[1:].partition("@")[0].partition(":")[0]  # as in npm@9 and terraform:1.5
    stem = name.rstrip("0123456789.-_")
    name = stem if len(stem) > 1 and stem != name and name not in NUMBERED else name
    return OTHER_NAMES.get(name, name)


_ENDINGS = (".exe", ".cmd", ".bat")


def current_form(words: "Sequence[str]") -> "Sequence[str]":
    """Return a command as it is written today, where a program became the sub-command of another one."""
    two = _NOW_TWO.get(program(words[0]))
    return [*two, *words[1:]] if two else words


_NOW_TWO = {f"{name}-compose": (name, "compose") for name in ("docker", "podman")}


def absolute_path(path: str, directory: str) -> str:
    """Return a path from where it is meant; one whose folder is not known is marked as below an unknown."""
    path = path.removeprefix("~+/")
    is_full = path.startswith(("/", "~/")) or path == "~"
    return path if is_full else f"{directory or '/' + UNKNOWN}/{path}"


def directory_after(words: "Sequence[str]", directory: str, home: str) -> str:
    """Return the directory after a `cd`; empty when its place is not known."""
    places = [word for word in words[1:] if not word.startswith("-")]
    place = places[0] if places else "~"
    if home and (place == "~" or place.startswith("~/")):
        place = home + place[1:]
    known = place.startswith("/") or directory
    here = "" if place.startswith("/") else f"{directory}/"
    return here + place if known and UNKNOWN not in place and place[:1] not in "~-" else ""


def assignment_in(text: str) -> tuple[str, bool, str] | None:
    """Return the name, whether it is added to, and the value of a text that sets a variable."""
    name, sign, value = text.partition("=")
    added = name.endswith("+")
    name = name.removesuffix("+")
    return (name, added, value) if sign and name.isascii() and name.isidentifier() else None
