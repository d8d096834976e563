"""Prompt sections: a text from `text/` with its fields filled, and paths as a prompt shows them."""

import shlex
from collections.abc import Iterable

from memdir.text.escape import escape
from memdir.text.templates import Prose, Templates
from memdir.text.value import value_class
from memdir.text.wildmatch import path_bytes

__all__ = ["PromptSection", "bullet_list", "code_span", "fields_of", "filled", "loaded", "shell_word", "text"]

_TEXTS = Templates(__file__)
filled, loaded, fields_of = _TEXTS.fill_escaped, _TEXTS.template_text, _TEXTS.fields_of


@value_class(frozen=True, slots=True)
class PromptSection:
    """One piece of a prompt under the name it is known and tested by."""

    name: str
    text: str


def bullet_list(texts: Iterable[str]) -> Prose:
    """Return texts from outside as a list; indented as they are, they cannot look like a section of ours."""
    return Prose("\n".join(["- " + escape(text).strip().replace("\n", "\n  ") for text in texts]))


def text(sections: Iterable[PromptSection]) -> str:
    """Return the sections as one text, a blank line between two."""
    return "\n\n".join([section.text for section in sections])


def code_span(path: str) -> Prose:
    r"""Return the path in backticks; one that could be more than text in double quotes with \u escapes."""
    shown = path if _is_plain(path) else '"' + "".join(map(_as_number, path)) + '"'
    return Prose(f"`{shown}`")


def shell_word(path: str) -> Prose:
    """Return the path as one word of a shell command that means exactly this path."""
    if _is_plain(path):
        return Prose(shlex.quote(path))
    return Prose("$'" + "".join([_as_byte(byte) for byte in path_bytes(path)]) + "'")


_LETTERS = frozenset("/._-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")


def _is_plain(path: str) -> bool:
    return path.isprintable() and path == path.strip() != "" and "`" not in path and escape(path) == path


def _as_number(character: str) -> str:
    if character in _LETTERS or character == " ":
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _as_byte(byte: int) -> str:
    return chr(byte) if chr(byte) in _LETTERS else f"\\x{byte:02x}"
