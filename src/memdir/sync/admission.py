"""Which texts a sync may send and take: no credentials, nothing but text, nothing that a judge refuses."""

from collections.abc import Callable, Mapping

from memdir.sync.local import LocalScanner
from memdir.sync.remote import folded_name
from memdir.text.secrets.fast_search import may_hold_secret
from memdir.text.secrets.search import find_secrets

__all__ = ["Admission", "Judge", "text_problem"]

Judge = Callable[[str, str], str | None]
"""Says why a text must not be shared under its file name; None when it may."""


class Admission:
    """The check of every text in both directions."""

    def __init__(self, judge: Judge, scanner: LocalScanner) -> None:
        """Take what else may refuse a text: of a team, what team memory must not hold."""
        self._judge, self._scanner = judge, scanner

    def problem(self, file: str, text: str) -> str | None:
        """Return why a text is neither sent nor taken; None when it may be."""
        return text_problem(file, text) or self._judge(file, text)

    def obstacle(self, file: str, text: str, twins: Mapping[str, str]) -> str | None:
        """Return why a text cannot be taken; `twins` are our files by their folded names."""
        twin = twins.get(folded_name(file), file)
        taken = None if twin == file else f"{twin} has this name but for the case or the form of letters"
        return self.problem(file, text) or taken or self._scanner.obstacle(file)


def text_problem(file: str, text: str) -> str | None:
    """Return why no remote takes a text, and none is taken from it; None when it may be."""
    if found := [*find_secrets(text), *(find_secrets(file) if may_hold_secret(file) else ())]:
        return f"it holds what looks like a credential ({', '.join(sorted({one.rule for one in found}))})"
    return "it is not text" if "\0" in text else None
