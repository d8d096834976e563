"""Which files a program reads, writes and edits, as far as its words tell: each with the tool that would."""

import re

from memdir.core.shell_invocation import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["READERS", "edits_in_place", "files_of"]

_PRINT = ("cat", "tac", "nl", "less", "more", "head", "tail", "bat", "view", "pr", "column")
_DUMP = ("xxd", "od", "hexdump", "hd", "strings", "base64", "base32", "iconv", "gpg", "openssl")
_CUT = ("sort", "uniq", "cut", "paste", "fold", "fmt", "rev", "expand", "split", "shuf", "comm")
_COMPARE = ("diff", "sdiff", "cmp")
_PACK = ("tar", "zip", "gzip", "zcat", "curl", "dd")
_SEARCH = ("grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "sed", "awk")
READERS = frozenset((*_PRINT, *_DUMP, *_CUT, *_COMPARE, *_PACK, *_SEARCH, "jq", "yq"))
"""Programs that show what is in a file, or pass it on."""

_COPIES = {
    **dict.fromkeys(("cp", "mv", "ln"), "-S"),
    **dict.fromkeys(("scp", "rsync"), "-e -i -o -F -P -f"),
    "install": "-m -o -g",
}
"""Programs that put files elsewhere, with options that take a word."""

_SCRIPTED = {
    **dict.fromkeys(("grep", "egrep", "fgrep", "zgrep"), "-A -B -C -m"),
    **dict.fromkeys(("rg", "ag", "ack"), "-A -B -C -m -g -t -T --glob --type"),
    "sed": "-l",
    "awk": "-F -v",
    **dict.fromkeys(("jq", "yq"), "--indent"),
}
"""Programs whose first word is no file but what to do or to look for, with options that take a word."""

_GIVES_SCRIPT = r"-[A-Za-z]*[ef]\Z|--(?:regexp|expression|file)\b"


def files_of(words: "Sequence[str]") -> list[tuple[str, str]]:
    """Return the files that a command names, each after Read, Write or Edit."""
    name = program(words[0])
    if name == "dd":
        kinds = {"if": "Read", "of": "Write"}
        parts = [word.partition("=") for word in words[1:]]
        return [(kinds[key], path) for key, _, path in parts if key in kinds]
    if name in _COPIES:
        return _copied(words)
    if name == "truncate":
        return [("Write", path) for path in _operands(words, "-s -r")]
    if name == "curl":
        return [("Read", word.partition("@")[2]) for word in words[1:] if "@" in word]
    if edits_in_place(words):
        return [("Edit", path) for path in _files(words, "")]
    return [("Read", path) for path in _files(words, _SCRIPTED.get(name))] if name in READERS else []


def edits_in_place(words: "Sequence[str]") -> bool:
    """Tell whether a command changes the files that it is given instead of printing them changed."""
    name = program(words[0])
    if name not in ("sed", "perl", "ruby", "awk"):
        return False
    return any(word == "inplace" or re.match(r"-[a-zA-Z]*i|--in-place", word) for word in words[1:])


def _files(words: "Sequence[str]", valued: str | None) -> list[str]:
    """Return the operands without the script that comes first, unless an option gives it."""
    if valued is None:
        return _operands(words, "", short=True)
    options = [word for word in words[1:] if re.match(_GIVES_SCRIPT, word)]
    scripts = [word for word in options if not word.endswith(("f", "file"))]
    return _operands(words, " ".join([valued, *scripts]))[0 if options else 1 :]


def _copied(words: "Sequence[str]") -> list[tuple[str, str]]:
    operands = _operands(words, _COPIES[program(words[0])])
    if not operands:
        return []
    *sources, target = operands
    for word, following in zip(words[1:], [*words[2:], ""], strict=False):
        if word == "-t" or word.startswith("--target-directory"):
            sources = [one for one in (*sources, target) if one != following]
            target = word.partition("=")[2] or following
    names = [source.rstrip("/").rpartition("/")[2] for source in sources]
    inside = [f"{target}/{name}" for name in names] if target.endswith(("/", ".")) else []
    return [*[("Read", one) for one in sources], *[("Write", one) for one in (target, *inside)]]


def _operands(words: "Sequence[str]", valued: str, *, short: bool = False) -> list[str]:
    """Return the words that are neither options nor their values, as which `short` ones may count too."""
    values, found, before, plain = valued.split(), list[str](), "", False
    for word in words[1:]:
        if word == "--":
            plain = True
        elif plain or not word.startswith("-") or word == "-":
            is_value = before in values or (short and (word.isdigit() or len(word) < 2))
            if plain or not (before and is_value):
                found.append(word)
            before = ""
            continue
        before = word
    return found
