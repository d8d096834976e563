"""One thing that a check found, and the report of all of them."""

from memdir.core.value import value_class

__all__ = ["Finding", "Report"]


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
