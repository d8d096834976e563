"""Memory text made inert for a prompt; plain text, as most is, needs no escaping and does not load it."""

__all__ = ["inert", "is_plain"]


def inert(text: str) -> str:
    """Return the text as `escaped` does."""
    if is_plain(text):
        return text
    from memdir.text.escape import escaped  # its rules take longer to load than a recall to render

    return escaped(text)


def is_plain(text: str) -> bool:
    """Say whether a text is ASCII that holds no sign of a tag and begins no line as another might."""
    if not text.isascii() or "<" in text or "[" in text:
        return False
    return all(map(_is_plain_line, text.split("\n")))


_NAMES = ("human", "assistant", "user", "system", "contents", "recalled")


def _is_plain_line(line: str) -> bool:
    if not line.replace("\t", " ").isprintable():
        return False
    return ":" not in line or not line.lstrip("# \t").lower().startswith(_NAMES)
