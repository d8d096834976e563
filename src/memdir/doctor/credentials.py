"""Credentials: where they stand, and findings that show none."""

from collections.abc import Iterator, Sequence

from memdir.doctor.finding import Finding
from memdir.text.secrets.search import find_secrets, masked
from memdir.text.value import replace

__all__ = ["credential_findings", "without_credentials", "without_credentials_in"]


def credential_findings(file: str, text: str, remove: str) -> Iterator[Finding]:
    """Report each sort of credential in a file, never the value."""
    for rule in sorted({found.rule for found in find_secrets(text)}):
        message = f"{file} holds what looks like a credential ({rule})."
        yield Finding("secret", message, f"{remove}, and change the credential.", file)


def without_credentials(finding: Finding) -> Finding:
    """Return a finding that may be shown, whatever it quotes."""
    shown = [masked(text) for text in (finding.message, finding.hint, finding.file)]
    return replace(finding, message=shown[0], hint=shown[1], file=shown[2])


def without_credentials_in(lines: Sequence[str]) -> list[str]:
    """Return the lines of a difference so that they may be cut: half a credential is not recognised."""
    return [
        f"{sign} {line}"
        for sign in "-+"
        for line in masked("\n".join([one[2:] for one in lines if one[:1] == sign])).splitlines()
    ]
