"""Rules that somebody else wrote: each only asks, until the user approves exactly its words here."""

from collections.abc import Sequence

from memdir.config.approvals import Approvals
from memdir.errors import NoSuchMemory
from memdir.memories.enforce import Rule

__all__ = ["RuleApprovals"]


class RuleApprovals:
    """What the user approved of the rules of one memory directory."""

    def __init__(self, config_home: str, directory: str) -> None:
        """Read what was approved; what cannot be looked up is not approved, and asks."""
        self._approvals, self._directory = Approvals(config_home), directory
        try:
            self._words = self._approvals.of(directory)
        except OSError:
            self._words = frozenset()

    def binds(self, line: str) -> bool:
        """Tell whether a rule of somebody else binds: exactly its words were approved."""
        return line in self._words

    def filter_approved(self, rules: Sequence[Rule]) -> tuple[Rule, ...]:
        """Return those of the rules whose words were approved, also of the user's own."""
        return tuple([rule for rule in rules if self.binds(rule.text)])

    def approve(self, rules: Sequence[Rule], memory: str) -> tuple[Rule, ...]:
        """Let the rules of a memory bind that somebody else wrote, each in exactly these words."""
        waiting = tuple([rule for rule in rules if rule.memory == memory and not rule.bound])
        if not waiting:
            raise NoSuchMemory(
                f"No rule of {memory!r} waits for approval. `memdir rules` lists those that do."
            )
        for rule in waiting:
            self._approvals.approve(self._directory, rule.text)
        return waiting

    def withdraw(self, rules: Sequence[Rule], memory: str) -> tuple[Rule, ...]:
        """Take the approval of one memory's rules back, and so of every rule there in the same words."""
        found = tuple([rule for rule in self.filter_approved(rules) if rule.memory == memory])
        if not found:
            raise NoSuchMemory(f"No rule of {memory!r} is approved. `memdir rules` shows those that are.")
        self._approvals.withdraw(self._directory, [rule.text for rule in found])
        return found
