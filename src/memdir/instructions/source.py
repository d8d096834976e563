"""What a file says once it is read: decoded, without header and comments, trimmed."""

import re

from memdir.text.markdown import without_comments
from memdir.text.value import value_class

__all__ = ["Source", "source"]


@value_class(frozen=True, slots=True)
class Source:
    """A file's text in three states."""

    raw: bytes
    header: str
    """The lines of its frontmatter with both fences, or empty."""
    body: str
    """What follows, comments included: here imports are looked for."""
    text: str
    """What a model is shown of it."""

    @property
    def changed(self) -> bool:
        """Tell whether the text is anything but the file's bytes."""
        return self.raw != self.text.encode("utf-8", "surrogatepass")


def source(raw: bytes) -> Source:
    """Return what a file with these bytes says; any bytes will do."""
    whole = raw.decode("utf-8", "replace").removeprefix("\ufeff")
    if "\r" in whole:
        whole = whole.replace("\r\n", "\n")
    header = _HEADER.match(whole) if whole.startswith("---") else None
    end = header.end() if header else 0
    body = whole[end:]
    text = without_comments(body) if "<!--" in body else body
    return Source(raw, whole[:end], body, text.strip(_BLANKS))


# Whatever stands between two fences on top is the header, as the host has it: also what is no YAML.
_HEADER = re.compile(r"---[^\S\n]*\n.*?---\s*", re.DOTALL)
_SPACES = "".join(map(chr, range(0x2000, 0x200B)))
_BLANKS = f"\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff{_SPACES}"
"""White space as JavaScript trims it: U+FEFF counts, U+0085 and U+001C to U+001F do not."""
