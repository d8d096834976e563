"""`escape` for text that mostly needs none: its rules are loaded only where a text may need them.

A host waits for this module: it imports late.
"""

__all__ = ["fast_escape", "is_plain"]


def fast_escape(text: str) -> str:
    """Return what `escape.escape` returns."""
    if is_plain(text):
        return text
    from memdir.text import escape  # its rules take longer to load than a recall to render

    return escape.escape(text)


def is_plain(text: str) -> bool:
    """Tell whether a text surely needs no escape: ASCII, no `<` or `[`, no line that names a speaker."""
    if not text.isascii() or "<" in text or "[" in text:
        return False
    return all(
        line.replace("\t", " ").isprintable()
        and (":" not in line or not line.lstrip("# \t").lower().startswith(_NAMES))
        for line in text.split("\n")
    )


_NAMES = ("human", "assistant", "user", "system", "contents", "recalled")
