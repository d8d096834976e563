"""A memory as one line: its pointer in the index (title, file, hook), and its line in a selector's list."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from memdir.memories.names import slug
from memdir.memories.topic import Header
from memdir.text.clip import shorten_at_word
from memdir.text.dates.calendar import utc_stamp
from memdir.text.escape import escape
from memdir.text.invisible_characters import HIDDEN, UNSEEN, visible
from memdir.text.secrets.fast_search import may_hold_secret, without_secrets

__all__ = [
    "LINE_CHARACTERS",
    "Pointer",
    "manifest",
    "plain_pointer",
    "pointer_line",
    "pointer_of",
    "pointers_in",
    "retarget",
    "targets_in",
    "title_of",
]

LINE_CHARACTERS = 150
"""Length of a pointer line: it only names what the memory is about."""

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
    return _tidy_line(pointer, "../" if below else "")


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


def _tidy_line(pointer: Pointer, up: str) -> str:
    """Return the line for words that are too long, or that would break out of it."""
    file = up + _UNSAFE.sub(_as_hex, pointer.file)
    title = _one_line(pointer.title) or _one_line(pointer.file.rpartition("/")[2].removesuffix(".md"))
    room = LINE_CHARACTERS - len("- []()") - len(file) - len(_BRACKETS.findall(title))
    title = _BRACKETS.sub(r"\\\g<0>", shorten_at_word(title, max(room, _SHORTEST)))
    line, hook = f"- [{title}]({file})", _one_line(pointer.hook)
    room = LINE_CHARACTERS - len(line) - len(_DASH)
    return f"{line}{_DASH}{shorten_at_word(hook, room)}" if hook and room >= _SHORTEST else line


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


SHORT_TITLE = 60
"""Characters of a title that is taken from a description: the rest of the line is for the rest of it."""


def pointer_of(header: Header) -> Pointer:
    """Return the pointer to a memory that no person worded otherwise; it says nothing twice."""
    title, hook = _title_and_hook(header.title, header.name, header.description)
    return _masked_pointer(title, header.file, hook)


def plain_pointer(header: Header) -> Pointer:
    """Return the pointer with the name as title and all of the description: others word it like this."""
    return _masked_pointer(header.title or title_of(header.name), header.file, header.description)


@lru_cache(maxsize=1 << 14)  # a running process shows the same index again and again
def _masked_pointer(title: str, file: str, hook: str) -> Pointer:
    """Return a pointer without credentials: the file may be somebody else's."""
    if may_hold_secret(f"{title}\n{hook}"):
        title, hook = without_secrets(title), without_secrets(hook)
    return Pointer(title, file, hook)


@lru_cache(maxsize=1 << 14)
def _title_and_hook(title: str, name: str, description: str) -> tuple[str, str]:
    """Return title and hook; a title that is only the begin of the description is replaced by all of it."""
    if not description:
        return title or title_of(name), ""
    begins = title.endswith("…") and description.startswith(title[:-1])
    if title and not begins and title != description:
        start, rest = description[: len(title)], description[len(title) :]
        is_repeated = start.casefold() == title.casefold() and not rest[:1].isalnum()
        return title, rest.strip(" \t.,;:-\u2013—") if is_repeated else description
    if title or _repeats(name, description):
        return _split_description(description)
    # The words of a name as the description writes them.
    written = {word.casefold(): word for word in re.findall(r"\w+", description)}
    first, *others = [written.get(word.casefold(), word) for word in title_of(name).split(" ")]
    called = " ".join([first[:1].upper() + first[1:], *others])
    return called, "" if called.casefold() == description.casefold() else description


def _repeats(name: str, description: str) -> bool:
    """Tell whether a name is a hash, or has nothing but words of the description, in their order."""
    if re.fullmatch(r"(?=.*\d)[0-9a-f]{8}", name):
        return True
    words = re.sub(r"-\d{1,3}\Z", "", name.casefold()).split("-")  # the number tells namesakes apart
    said = iter(slug(description).split("-"))
    # One word is a title, and so are two before much text.
    titles = 1 if len(description) <= SHORT_TITLE else 2
    return len(words) > titles and all(word in said for word in words)


def _split_description(description: str) -> tuple[str, str]:
    """Return a description as a short title and the rest of it, parted between clauses if that can be."""
    if len(description) <= SHORT_TITLE:
        return description, ""
    start = description[: SHORT_TITLE + 1]
    ends = [match for match in re.finditer(_CLAUSE, start) if match.start() >= SHORT_TITLE // 3]
    if ends:
        return description[: ends[-1].start()], description[ends[-1].end() :]
    at = start.rfind(" ", SHORT_TITLE // 2) if " " in start[SHORT_TITLE // 2 :] else SHORT_TITLE // 2
    return f"{description[:at]}…", f"…{description[at:].lstrip()}"


_CLAUSE = (
    "[,;:.] | [\u2013—-] |[\u3002\uff0c\uff1b\uff1a\u3001]"
    "| (?=(?:because|since|so that|unless|until|weil|damit)\\b)"
)


def title_of(name: str) -> str:
    """Return a name as words; the dashes of a date stay."""
    words = re.sub(r"(?<!\d)-|-(?!\d)", " ", name).strip()
    return words[:1].upper() + words[1:]


_LONGEST = 1_000
"""Characters of a description that are listed: a page in a header must not push the other memories out."""


def manifest(headers: Iterable[Header]) -> str:
    """Return a line `- [type] file (timestamp): description` for each header; what one lacks is left out."""
    lines = []
    for header in headers:
        kind = f"[{header.kind}] " if header.kind else ""
        description = escape(without_secrets(" ".join(header.description.split()))[:_LONGEST])
        about = f": {description}" if description else ""
        lines.append(f"- {kind}{escape(header.file)} ({utc_stamp(header.saved_at)}){about}")
    return "\n".join(lines)
