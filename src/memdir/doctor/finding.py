"""The findings of checks and their report; none shows a credential, and a check that fails is a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memdir.resources import read_table, rows_of
from memdir.text.secrets.search import find_secrets, mask_secrets
from memdir.text.value import replace, value_class

__all__ = [
    "CODES",
    "DoctorReport",
    "Finding",
    "FindingCode",
    "credential_findings",
    "finding",
    "findings_of",
    "shown_finding",
]


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
class FindingCode:
    """How bad a sort of finding is, what it means, and which command comes next."""

    severity: str
    meaning: str
    next: str


CODES = {
    code: FindingCode(*about.split(" | "))
    for code, about in rows_of(read_table(__file__, "codes.txt")["codes"]).items()
}
"""Every sort of finding."""


def finding(code: str, message: str, hint: str = "", file: str = "", *, fixable: bool = False) -> Finding:
    """Return a finding that is as bad as its sort."""
    return Finding(code, message, hint, file, CODES[code].severity, fixable)


@value_class(frozen=True, slots=True)
class DoctorReport:
    """Everything that was found."""

    findings: tuple[Finding, ...]
    operations: tuple[str, ...] = ()
    """Ids of the repairs, newest first; each can be undone."""

    @property
    def ok(self) -> bool:
        """Tell whether no problem is left; advice does not count."""
        return not any(f.severity == "problem" and not f.fixed for f in self.findings)


def findings_of(about: str, check: Iterable[Finding], *, file: str = "") -> Iterator[Finding]:
    """Yield what a check finds; one that fails is a finding itself, and stops no other."""
    try:
        yield from check
    except Exception as error:  # noqa: BLE001 - the doctor must not fail on what it is to find
        place = f"{error.filename}: " if isinstance(error, OSError) and error.filename else ""
        said = (isinstance(error, OSError) and error.strerror) or f"{error} ({type(error).__name__})"
        message = f"The check of {about} did not come to an end: {place}{said.rstrip('.')}."
        yield finding("check-failed", message, "All other checks were made.", file)


def credential_findings(file: str, text: str, remove: str) -> Iterator[Finding]:
    """Report each sort of credential in a file, never the value."""
    for rule in sorted({found.rule for found in find_secrets(text)}):
        message = f"{file} holds what looks like a credential ({rule})."
        yield finding("secret", message, f"{remove}, and change the credential.", file)


def shown_finding(found: Finding) -> Finding:
    """Return a finding that may be shown, whatever it quotes, and that names the next command."""
    hint = found.hint if "`memdir " in found.hint else f"{found.hint} {CODES[found.code].next}"
    message, hint, file = map(mask_secrets, (found.message, hint.strip(), found.file))
    return replace(found, message=message, hint=hint, file=file)
