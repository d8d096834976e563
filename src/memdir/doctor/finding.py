"""One thing that a check found, a check that fails as such a thing, and the report of all of them."""

from collections.abc import Callable, Iterable, Iterator

from memdir.text.value import value_class

__all__ = ["Finding", "Report", "isolated"]


@value_class(frozen=True, slots=True)
class Finding:
    """What is wrong, where, and what to do about it."""

    code: str
    message: str
    hint: str = ""
    file: str = ""
    severity: str = "problem"
    """problem: something does not work or is lost to recall; advice: it works and could be better."""
    fixable: bool = False
    fixed: bool = False


@value_class(frozen=True, slots=True)
class Report:
    """Everything that was found."""

    findings: tuple[Finding, ...]
    operations: tuple[str, ...] = ()
    """What was changed in words, newest first: each can be undone."""

    @property
    def ok(self) -> bool:
        """Tell whether no problem is left; advice does not count."""
        return not any(f.severity == "problem" and not f.fixed for f in self.findings)


def isolated(about: str, check: Callable[[], Iterable[Finding]], *, file: str = "") -> Iterator[Finding]:
    """Yield what a check finds; one that fails is a finding itself, and stops no other."""
    try:
        yield from check()
    except Exception as error:  # noqa: BLE001 - the doctor must not die of what it is to find
        place = f"{error.filename}: " if isinstance(error, OSError) and error.filename else ""
        said = (isinstance(error, OSError) and error.strerror) or f"{error} ({type(error).__name__})"
        message = f"The check of {about} did not come to an end: {place}{said.rstrip('.')}."
        yield Finding("check-failed", message, "All other checks were made.", file)
