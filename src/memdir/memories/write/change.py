"""The wished content of one file."""

from memdir.text.value import value_class

__all__ = ["Write"]


@value_class(frozen=True, slots=True)
class Write:
    """The wished content of one file; None removes it."""

    file: str
    text: str | None
    saved_ns: int | None = None
    """The time of the text, where it is older than its writing."""

    @property
    def data(self) -> bytes:
        """Return the text as bytes, half surrogates from damaged files included."""
        return (self.text or "").encode("utf-8", "surrogateescape")
