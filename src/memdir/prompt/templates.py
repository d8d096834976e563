"""Named pieces of a prompt, each a text of ours from `text/` with its fields filled in."""

from collections.abc import Iterable

from memdir.text.escape import escaped
from memdir.text.templates import Prose, Templates
from memdir.text.value import value_class

__all__ = ["Section", "fields_of", "filled", "listed", "loaded", "text"]

_TEXTS = Templates(__file__)
filled, loaded, fields_of = _TEXTS.filled, _TEXTS.loaded, _TEXTS.fields_of


@value_class(frozen=True, slots=True)
class Section:
    """One piece of a prompt under the name it is known and tested by."""

    name: str
    text: str


def listed(texts: Iterable[str]) -> Prose:
    """Return texts from outside as a list; indented as they are, they cannot look like a section of ours."""
    return Prose("\n".join(["- " + escaped(text).strip().replace("\n", "\n  ") for text in texts]))


def text(sections: Iterable[Section]) -> str:
    """Return the sections as one text, a blank line between two."""
    return "\n\n".join([section.text for section in sections])
