"""One line of an index: a title, the file it leads to, and a hook that says when to follow it."""

import re
from typing import NamedTuple

from memdir.text.hidden import HIDDEN, UNSEEN, visible

__all__ = ["LINE_CHARACTERS", "Pointer", "pointer_line", "pointers_in", "retarget", "targets_in"]

LINE_CHARACTERS = 150
"""Length of a pointer line: it points, it does not hold."""

_SHORTEST = 12
"""Characters that a title keeps, and that a hook must have room for, however long the file's path is."""


class Pointer(NamedTuple):
    """Where a memory is, and why one would look; a tuple, because every prompt parses an index of them."""

    title: str
    file: str
    """Path below the memory directory, with forward slashes."""
    hook: str = ""


def pointer_line(pointer: Pointer, *, below: bool = False) -> str:
    """Return the line for the index, or, with `below`, for a list that lies one folder down."""
    title, file, hook = pointer
    line = f"- [{title}]({'../' if below else ''}{file}){_DASH if hook else ''}{hook}"
    tidy = len(line) <= LINE_CHARACTERS and line.isprintable() and "  " not in line and _TIDY.match(line)
    if not (title.isascii() and file.isascii() and hook.isascii()) and UNSEEN.search(line):
        tidy = None
    if tidy and tidy.end(1) == len("- [") + len(title) and "-->" not in line:
        return line  # nearly every line, and healing may render thousands
    return _tidied(pointer, "../" if below else "")


def pointers_in(text: str, *, below: bool = False) -> list[Pointer | None]:
    """Return for each line what it points at, however a person or a model wrote it."""
    pairs = zip((_OURS_BELOW if below else _OURS).findall(text), text.split("\n"), strict=True)
    return [
        Pointer(title, file, hook.strip()) if file else _pointer(line, below) if "](" in line else None
        for (title, file, hook), line in pairs
    ]


def targets_in(text: str, *, below: bool = False) -> list[str]:
    """Return for each line only the file it points at, or an empty string, which costs half as much."""
    files: list[str] = (_FILES_BELOW if below else _FILES).findall(text)
    if text.count("](") <= len(files) - files.count(""):
        return files
    pairs = zip(files, text.split("\n"), strict=True)
    return [file or (("](" in line and _target(line, below)) or "") for file, line in pairs]


def retarget(line: str, file: str) -> str:
    """Return a pointer line with its words as they are, pointing at another file."""
    match = _ANY.match(line)
    if not match:
        return line
    first, last = match.span("bare" if match["bare"] else "angled")
    return line[:first] + _UNSAFE.sub(_as_hex, file) + line[last:]


_DASH = " — "
_BRACKETS = re.compile(r"[\[\]\\]")
_UNSAFE = re.compile(rf"[\x00-,:-@\[-^`{{-\x9f\s\udc80-\udcff{HIDDEN}]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_HEX = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LINE = r"^(?:- \[{title}\]\({up}((?:[A-Za-z0-9_-]++[./])++(?<=\.)md)\)(?: — {hook}|$))?.*$"
_OURS, _OURS_BELOW, _FILES, _FILES_BELOW = (
    re.compile(_LINE.format(title=title, hook=hook, up=up), re.MULTILINE)
    for title, hook in ((r"([^\[\]\\\n]*+)", "(.*+)"), (r"[^\[\]\\\n]*+", ""))
    for up in ("", r"(?:\.\./)?")
)
_TIDY = re.compile(
    r"- \[((?! )[^\[\]\\]++)(?<! )\]\((?:\.\./)?(?:[\w-]++[./])++(?<=\.)md\)(?: — \S.*(?<! ))?\Z"
)
_ANY = re.compile(
    r"""[ \t]*+(?:[-*+]|\d{1,9}[.)])[ \t]++(?:\[[ xX]\][ \t]++)?(?P<strong>\*\*|__|[*_])?"""
    r"""\[(?P<title>[^\[\]\\]*+(?:(?:\\.|\[[^\[\]\\]*+\])[^\[\]\\]*+)*+)\]"""
    r"""\([ \t]*+(?:<(?P<angled>[^<>]*+)>|(?P<bare>[^()<>"]*+(?:\([^()<>"]*+\)[^()<>"]*+)*+))"""
    r"""(?:[ \t]*+"[^"]*+"[ \t]*+)?\)(?(strong)(?:\*\*|__|[*_])|)(?P<rest>.*)""",
    re.DOTALL,
)
_SEPARATOR = re.compile(r"\A\s*(?:[—\u2013:]|-{1,3})?\s*")


def _pointer(line: str, below: bool) -> Pointer | None:
    match = _ANY.match(line)
    file = _file(match["angled"] or match["bare"] or "", below) if match else ""
    if not match or not file:
        return None
    title = _ESCAPED.sub(r"\1", match["title"]).strip()
    return Pointer(title, file, _SEPARATOR.sub("", match["rest"]).strip())


def _target(line: str, below: bool) -> str:
    match = _ANY.match(line)
    return _file(match["angled"] or match["bare"] or "", below) if match else ""


def _tidied(pointer: Pointer, up: str) -> str:
    """Return the line for words that are too long, or that would break out of it."""
    file = up + _UNSAFE.sub(_as_hex, pointer.file)
    title = _one_line(pointer.title) or _one_line(pointer.file.rpartition("/")[2].removesuffix(".md"))
    room = LINE_CHARACTERS - len("- []()") - len(file) - len(_BRACKETS.findall(title))
    title = _BRACKETS.sub(r"\\\g<0>", _shortened(title, max(room, _SHORTEST)))
    line, hook = f"- [{title}]({file})", _one_line(pointer.hook)
    room = LINE_CHARACTERS - len(line) - len(_DASH)
    return f"{line}{_DASH}{_shortened(hook, room)}" if hook and room >= _SHORTEST else line


def _file(link: str, below: bool) -> str:
    """Return the path below the memory directory, or nothing if the link leads elsewhere."""
    path = link.strip().partition("#")[0]
    path = _ESCAPED.sub(r"\1", path) if "\\" in path else path
    if _SCHEME.match(path):
        return ""
    path = _HEX.sub(_from_hex, path) if "%" in path else path
    path = path.removeprefix("../") if below else path
    parts = path.split("/")
    if path.startswith("/") or ".." in parts or not path.lower().endswith(".md") or "\0" in path:
        return ""
    return "/".join([part for part in parts if part not in ("", ".")])


def _from_hex(match: re.Match[str]) -> str:
    return bytes.fromhex(match[0].replace("%", "")).decode("utf-8", "surrogateescape")


def _as_hex(match: re.Match[str]) -> str:
    byte = "\udc80" <= match[0] <= "\udcff"  # of a file's name that is no UTF-8
    return "".join(
        f"%{one:02X}" for one in match[0].encode("utf-8", "surrogateescape" if byte else "surrogatepass")
    )


def _one_line(text: str) -> str:
    """Return the words on one line, without hidden characters and without what could close a comment."""
    if not text.isascii() or not text.isprintable():
        # Hosts load the index as it is, whoever worded a header.
        text = visible(_CONTROL.sub(" ", text))
    return " ".join(text.split()).replace("-->", "→")


def _shortened(text: str, room: int) -> str:
    if len(text) <= room:
        return text
    space = text.rfind(" ", room // 2, room)
    return text[: space if space > 0 else room - 1].rstrip(" ,;:.-\u2013—") + "…"
