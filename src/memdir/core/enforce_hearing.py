"""Rules about commands, heard while a command is rehearsed: how well each fits, and which words it found."""

import re

from memdir.core.enforce_git import Git
from memdir.core.enforce_programs import starts_programs
from memdir.core.enforce_words import NO, PERHAPS, fit, names_in, pattern_of
from memdir.core.shell import DECODED, Invocation, rehearse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memdir.core.enforce import Rule

__all__ = ["Hearing"]


class Hearing:
    """What was found about each rule that fits: how well it does, and the words or the doubt."""

    def __init__(self, rules: "Sequence[Rule]", branch: "Callable[[str], str] | None") -> None:
        """Take the rules, and who can tell which branch is checked out in a directory."""
        self.found: dict[Rule, tuple[int, str]] = {}
        self._cases = [(rule, pattern_of(rule.pattern)) for rule in rules]
        self._git = Git(branch)

    def hear(self, command: str, cwd: str) -> tuple[str, ...]:
        """Rehearse a command, fill in what was found, and return the paths that the command writes to."""
        outcome = rehearse(command, cwd, self._witness)
        for rule, pattern in self._cases:
            for doubt in sorted(outcome.doubts):
                if doubt == DECODED or names_in(pattern, command):
                    self._note(rule, PERHAPS, doubt)
        return outcome.written

    def _witness(self, invocation: Invocation) -> str | None:
        words, stdin = invocation.words, invocation.stdin
        form = self._git.form(words, invocation.directory)
        code = starts_programs(words, stdin)
        for rule, pattern in self._cases:
            fits = fit(pattern, form or words, stdin)
            if fits == NO and code and names_in(pattern, code):
                fits = PERHAPS
            if fits != NO:
                self._note(rule, fits, _shown(words))
        return self._git.printed(form, invocation.directory) if form else None

    def _note(self, rule: "Rule", fits: int, words: str) -> None:
        if rule not in self.found or fits < self.found[rule][0]:
            self.found[rule] = (fits, words)


def _shown(words: "Sequence[str]") -> str:
    text = re.sub("\0+", "…", " ".join(words))
    return text if len(text) <= 120 else f"{text[:119]}…"
