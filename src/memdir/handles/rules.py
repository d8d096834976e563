"""`memory.rules`: the rules that agents are held to, and whose rules the user approved."""

from __future__ import annotations

from memdir.build import Parts, readable
from memdir.errors import StorageError
from memdir.memories.enforce import Rule
from memdir.memories.history.authorship import refuse_agents
from memdir.rules.decisions import PastDecision, RuleDecisions
from memdir.rules.store import RuleStore
from memdir.text.value import value_class

__all__ = ["RulesHandle"]


@value_class(frozen=True, slots=True)
class RulesHandle:
    """The rules of one memory directory, as they hold today."""

    _parts: Parts

    def list(self) -> tuple[Rule, ...]:
        """Return the rules that agents are held to here and today."""
        known = self._parts.usable.compiled_rules()
        if known.unknown:
            raise StorageError(0, f"Not all rules are known: {known.unknown}. Make it readable first.")
        return self._store.rules(known.rows, f"{self._parts.world.clock():%Y-%m-%d}")

    def decisions(self) -> tuple[PastDecision, ...]:
        """Return what rules stopped or asked about, newest first; the last few hundred are kept."""
        return tuple(RuleDecisions(self._parts.usable.state).all())

    def list_approved(self) -> tuple[Rule, ...]:
        """Return those of the rules whose exact words were approved here."""
        approved = self._store.approved_words()
        return tuple([rule for rule in self.list() if rule.text in approved])

    def approve(self, name: str) -> tuple[Rule, ...]:
        """Let the rules of a memory bind that somebody else wrote, in exactly these words."""
        refuse_agents(self._parts.usable.world.env, "let rules bind that others wrote")
        return self._as_they_are(self._store.approve(self._rules_beside(name), name))

    def withdraw(self, name: str) -> tuple[Rule, ...]:
        """Take that approval back: what somebody else wrote asks again."""
        refuse_agents(self._parts.usable.world.env, "take such an approval back")
        return self._as_they_are(self._store.withdraw(self._rules_beside(name), name))

    @property
    def _store(self) -> RuleStore:
        parts = self._parts
        return RuleStore(parts.directory, parts.state, parts.effective_setup.place.config_home)

    def _rules_beside(self, name: str) -> tuple[Rule, ...]:
        """Return all rules; raise where none is of that memory because there is no such memory."""
        rules = self.list()
        if all(rule.memory != name for rule in rules):
            parts, inside = readable(self._parts, name)
            parts.memories.file_of(inside)
        return rules

    def _as_they_are(self, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        named = {(rule.memory, rule.text) for rule in rules}
        return tuple([rule for rule in self.list() if (rule.memory, rule.text) in named])
