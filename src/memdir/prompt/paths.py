"""A path as a prompt shows it: on one line and inert, whatever its folders are called."""

import shlex

from memdir.text.escape import escaped
from memdir.text.templates import Prose

__all__ = ["code_span", "shell_word"]


def code_span(path: str) -> Prose:
    r"""Return the path in backticks; one that could be more than text in double quotes with \u escapes."""
    shown = path if _is_plain(path) else '"' + "".join(map(_as_number, path)) + '"'
    return Prose(f"`{shown}`")


def shell_word(path: str) -> Prose:
    """Return the path as one word of a shell command that means exactly this path."""
    if _is_plain(path):
        return Prose(shlex.quote(path))
    return Prose("$'" + "".join([_as_byte(byte) for byte in _bytes(path)]) + "'")


_LETTERS = frozenset("/._-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")


def _is_plain(path: str) -> bool:
    return path.isprintable() and path == path.strip() != "" and "`" not in path and escaped(path) == path


def _as_number(character: str) -> str:
    if character in _LETTERS or character == " ":
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _as_byte(byte: int) -> str:
    return chr(byte) if chr(byte) in _LETTERS else f"\\x{byte:02x}"


def _bytes(path: str) -> bytes:
    try:
        return path.encode("utf-8", "surrogateescape")  # bytes that were no text come back as they were
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogatepass")
