"""What a file says once it is read: decoded, without header and comments, trimmed."""

from memdir.core.frontmatter import NEVER_CLOSED, parse
from memdir.core.markdown import without_comments
from memdir.core.value import value_class

__all__ = ["Source", "source"]

NO_ENTRY = "neither a key nor part of a value"
"""How the reader of headers reports a line that has no place in one."""


@value_class(frozen=True, slots=True)
class Source:
    """A file's text in three states."""

    raw: bytes
    header: str
    """The lines of its frontmatter with both fences, or empty."""
    body: str
    """What follows, comments included: here imports are looked for. Empty for what is not Markdown."""
    text: str
    """What a model is shown of it."""

    @property
    def changed(self) -> bool:
        """Tell whether the text is anything but the file's bytes."""
        return self.raw != self.text.encode("utf-8", "surrogatepass")


def source(raw: bytes, *, markdown: bool = True) -> Source:
    """Return what a file with these bytes says; any bytes will do. Only Markdown has parts to strip."""
    whole = raw.decode("utf-8", "replace").removeprefix("\ufeff")
    if "\r" in whole:
        whole = whole.replace("\r\n", "\n")
    if "\0" in whole:  # no text holds it, and Markdown's own rule is to replace it
        whole = whole.replace("\0", "\ufffd")
    if not markdown:
        return Source(raw, "", "", whole.strip())
    end = _header_end(whole) if whole.startswith("---") else 0
    body = whole[end:]
    text = without_comments(body) if "<!--" in body else body
    return Source(raw, whole[:end], body, text.strip())


def _header_end(text: str) -> int:
    """Return where the body begins; what stands between two rules and is no header is prose, and stays."""
    header = parse(text)
    if NEVER_CLOSED in header.problems:
        return 0  # a rule on top of the text: no line of it may be lost
    strays = sum(problem.endswith(NO_ENTRY) for problem in header.problems)
    keys = len(header.fields) + len(header.metadata)
    empty = not text[: header.body].strip("- \t\n")
    return header.body if empty or keys > strays else 0
