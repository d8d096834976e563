"""One command as it would be started, its files, and how paths and options are read.

A host waits for this module: it does without `typing`.
"""

from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

__all__ = [
    "DECODED",
    "DISGUISED",
    "TEMPORARY",
    "UNKNOWN",
    "FileAccess",
    "Invocation",
    "Quoted",
    "absolute_path",
    "assignment_in",
    "leading_options",
    "quote",
    "short_letters",
    "word_at",
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


def absolute_path(path: str, directory: str) -> str:
    """Return a path from where it is meant; one whose folder is not known is marked as below an unknown."""
    path = path.removeprefix("~+/")
    is_full = path.startswith(("/", "~/")) or path == "~"
    return path if is_full else f"{directory or '/' + UNKNOWN}/{path}"


def leading_options(
    words: "Sequence[str]", valued: "Container[str]"
) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the options in front, each with the next word if that is its value, and the other words."""
    options, left = list[tuple[str, str]](), [*words]
    while left and left[0].startswith("-"):
        used = 2 if left[0] in valued else 1
        options.append((left[0], word_at(left, 1) if used == 2 else ""))
        del left[:used]
    return options, left


def word_at(words: "Sequence[str]", at: int) -> str:
    """Return the word at a place; empty where there is none."""
    return words[at] if at < len(words) else ""


def short_letters(words: "Iterable[str]") -> str:
    """Return the letters of all options that begin with one dash: `rfv` for `-rf --all -v`."""
    return "".join([word[1:] for word in words if word.startswith("-") and not word.startswith("--")])


def quote(words: "Sequence[str]") -> str:
    """Return words as a shell text that reads back as them."""
    return " ".join(["'" + word.replace("'", "'\\''") + "'" for word in words])


def assignment_in(text: str) -> tuple[str, bool, str] | None:
    """Return the name, whether it is added to, and the value of a text that sets a variable."""
    name, sign, value = text.partition("=")
    added = name.endswith("+")
    name = name.removesuffix("+")
    return (name, added, value) if sign and name.isascii() and name.isidentifier() else None
