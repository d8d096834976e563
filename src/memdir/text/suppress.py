"""`contextlib.suppress` without its imports.

A process that answers one prompt lives for milliseconds, and loading contextlib takes more than one.

A host waits for this module: it does without `typing`.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["suppress"]


class suppress:  # noqa: N801 - the name of what it stands in for
    """Pass over these errors in the block."""

    __slots__ = ("_errors",)

    def __init__(self, *errors: type[BaseException]) -> None:
        """Take the kinds of errors that end the block but nothing else."""
        self._errors = errors

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> bool:
        return kind is not None and issubclass(kind, self._errors)
