"""The text of an instruction file or an index as it is loaded: decoded, without header and comments."""

from __future__ import annotations

import re

from memdir.instructions.records import Cause, Instruction, Layer, Reason
from memdir.text.clip import clip_index
from memdir.text.markdown import without_comments
from memdir.text.value import value_class

__all__ = ["InstructionSource", "changed_bytes", "index_instruction", "parse_source"]


@value_class(frozen=True, slots=True)
class InstructionSource:
    """A file's text in three states."""

    raw: bytes
    header: str
    """The lines of its frontmatter with both fences, or empty."""
    body: str
    """What follows, comments included: here imports are looked for."""
    text: str
    """What a model is shown of it."""


def changed_bytes(raw: bytes, text: str) -> bytes | None:
    """Return the bytes of a file where a text of it is anything but them."""
    return None if raw == text.encode("utf-8", "surrogatepass") else raw


def parse_source(raw: bytes) -> InstructionSource:
    """Return what a file with these bytes says; any bytes will do."""
    whole = raw.decode("utf-8", "replace").removeprefix("\ufeff")
    if "\r" in whole:
        whole = whole.replace("\r\n", "\n")
    header = _HEADER.match(whole) if whole.startswith("---") else None
    end = header.end() if header else 0
    body = whole[end:]
    text = without_comments(body) if "<!--" in body else body
    return InstructionSource(raw, whole[:end], body, text.strip(_BLANKS))


# Whatever stands between two fences on top is the header, as the host has it: also what is no YAML.
_HEADER = re.compile(r"---[^\S\n]*\n.*?---\s*", re.DOTALL)
_SPACES = "".join(map(chr, range(0x2000, 0x200B)))
_BLANKS = f"\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff{_SPACES}"
"""White space as JavaScript trims it: U+FEFF counts, U+0085 and U+001C to U+001F do not."""


def index_instruction(path: str, text: str, layer: Layer = Layer.MEMORY) -> Instruction | None:
    """Return an index as it is loaded: stripped, cut to its limits, without imports; None if it is empty."""
    shown = clip_index(parse_source(text.encode("utf-8", "replace")).text).content
    raw = changed_bytes(text.encode("utf-8", "surrogatepass"), shown)
    return Instruction(path, layer, shown, Reason(Cause.START), raw=raw) if shown else None
