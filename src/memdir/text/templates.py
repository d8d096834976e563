"""Texts of ours that a model reads: files in a feature's `text/` folder, with their fields filled in.

A field is a name in braces. This is light enough for a hook's answer: no regular expressions are loaded.
"""

from memdir.resources import read_resource
from memdir.text.fast_escape import fast_escape

__all__ = ["Prose", "Templates"]


class Prose(str):
    """Words of our own, which may be structure; any other text is escaped when it fills a field."""

    __slots__ = ()


class Templates:
    """The texts of one feature by their names."""

    def __init__(self, module: str) -> None:
        """Take the `__file__` of a module of that feature."""
        self._module = module
        self._texts = dict[str, str]()

    def template_text(self, name: str) -> str:
        """Return the text of this name as it stands in its file, fields unfilled."""
        if name not in self._texts:
            self._texts[name] = read_resource(self._module, f"text/{name}.md").rstrip("\n")
        return self._texts[name]

    def fields_of(self, name: str) -> frozenset[str]:
        """Return the names of the fields in the text of this name."""
        return frozenset([field for field, _ in _pieces(self.template_text(name)) if field])

    def fill_escaped(self, name: str, /, **values: str) -> Prose:
        """Return the text with its fields filled; a value that is not `Prose` is escaped.

        Each field must be given, and nothing else. A line that holds only an empty field vanishes.
        """
        safe = {
            field: value if isinstance(value, Prose) else fast_escape(value)
            for field, value in values.items()
        }
        empty = [f"{{{field}}}" for field, value in safe.items() if not value]
        lines = [line for line in self.template_text(name).split("\n") if line not in empty]
        return Prose(self._merge(name, "\n".join(lines), safe).rstrip("\n"))

    def fill_plain(self, name: str, /, **values: object) -> str:
        """Return the text with its fields filled with values as they are; each field must be given."""
        return self._merge(
            name, self.template_text(name), {field: str(value) for field, value in values.items()}
        )

    def _merge(self, name: str, text: str, values: dict[str, str]) -> str:
        if values.keys() != self.fields_of(name):
            wanted, given = (", ".join(sorted(names)) or "none" for names in (self.fields_of(name), values))
            raise ValueError(f"The fields of {name}.md are {wanted}; given were {given}. Give its own.")
        # One pass, so that a brace inside a value is never taken for a field.
        return "".join([values[field] if field else words for field, words in _pieces(text)])


def _pieces(text: str) -> "list[tuple[str, str]]":
    """Return a text in pieces: a field by its name, or other words under no name."""
    first, *others = text.split("{")
    pieces = [("", first)]
    for other in others:
        field, closed, rest = other.partition("}")
        if closed and field.isascii() and field.isidentifier():
            pieces += ((field, ""), ("", rest))
        else:
            pieces.append(("", "{" + other))
    return pieces
