"""Instructions as the text a model reads: a preamble, then each file under a line that says whose it is."""

import re
from collections.abc import Collection, Iterable, Mapping

from memdir.instructions.instruction import Instruction, Layer
from memdir.text.escape import escape
from memdir.text.value import value_class

__all__ = ["RenderTexts", "render"]


@value_class(frozen=True, slots=True)
class RenderTexts:
    """The sentences around the files; they are data, and the caller has them."""

    preamble: str
    entry: str
    """Has the fields {path}, {layer} and {text}."""
    shared_entry: str
    """The same for team memory, in a tag."""
    layers: Mapping[Layer, str]
    """How each layer is described."""


def render(
    instructions: Iterable[Instruction], words: RenderTexts, *, layers: Collection[Layer] | None = None
) -> str:
    """Return the files, or those of some layers, as one text; of no file nothing is said at all."""
    entries = [_entry(one, words) for one in instructions if layers is None or one.layer in layers]
    return "\n\n".join([words.preamble.strip(), *entries]) if entries else ""


_FIELD = re.compile(r"\{(path|layer|text)\}")
_LEARNED = frozenset({Layer.MEMORY, Layer.TEAM})


def _entry(one: Instruction, words: RenderTexts) -> str:
    form = words.shared_entry if one.layer is Layer.TEAM else words.entry
    # What agents wrote is only ever text; what people wrote as instructions stands as it is.
    text = escape(one.text) if one.layer in _LEARNED else one.text
    values = {"path": _shown(one.path), "layer": words.layers[one.layer].strip(), "text": text}
    return _FIELD.sub(lambda field: values[field[1]], form.strip())


def _shown(path: str) -> str:
    """Return the path on one line: a folder's name may hold line ends and bytes that are no text."""
    return "".join([sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in path])
