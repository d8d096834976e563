"""The last decisions of rules: what was stopped or asked about, when and in which conversation.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.disk.append_log import add_quick_line
from memdir.text.program_names import PATH_KEYS
from memdir.text.secrets.fast_search import may_hold_secret
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memdir.rules.judge import Decision

__all__ = ["PastDecision", "RuleDecisions"]

_LARGEST = 64_000
"""Bytes of each of the two files: several hundred decisions."""

_LONGEST = 200
"""Characters of a command or a path that are kept: enough to recognise it."""

_FILE, _FIELD = "decisions", "\x1f"


@value_class(frozen=True, slots=True)
class PastDecision:
    """One tool call that a rule stopped or asked about."""

    at: str
    """UTC, seconds, `Z`."""
    verdict: str
    """deny or ask."""
    memory: str
    """The name of the memory with the rule; empty where what memdir keeps was protected."""
    rule: str
    tool: str
    words: str
    """The beginning of the command, or the path, without words that may be a credential."""
    session: str


@value_class(frozen=True, slots=True)
class RuleDecisions:
    """The decisions in one state folder; calls that are allowed leave no trace."""

    state: str

    def add(
        self, decision: "Decision", tool: str, given: "Mapping[str, Any]", session: str, *, at: str
    ) -> None:
        """Write one down, made at a time in UTC; a failure to write it stops nobody."""
        rule = decision.rule
        named = (rule.memory, rule.text) if rule else ("", "")
        texts = [given.get(key) for key in ("command", *PATH_KEYS, "url")]
        text = next((one for one in texts if isinstance(one, str) and one), "")[:_LONGEST]
        if may_hold_secret(text):
            pairs = zip(text.split(), ["", *text.split()], strict=False)
            text = " ".join([_MASK if _is_doubtful(*pair) else pair[0] for pair in pairs])
        row = (at, decision.verdict, *named, tool, text, session)
        parts = [" ".join(part.replace(_FIELD, " ").split()) for part in row]
        add_quick_line(self.state, _FILE, _FIELD.join(parts), _LARGEST)

    def all(self) -> list[PastDecision]:
        """Return what is kept, newest first; a torn line is left out."""
        from memdir.conversation.logs import RotatingLog

        rows = [line.split(_FIELD) for line in RotatingLog(self.state, _FILE, _LARGEST).lines()]
        return [PastDecision(*row) for row in rows if len(row) == len(PastDecision.__match_args__)]


def _is_doubtful(word: str, before: str) -> bool:
    """Tell whether a word may be a credential: to know it, the search would take longer than the judge."""
    signs = word.startswith("-") and not word.startswith("--") and len(word) > 2
    named = before.startswith("-") or signs or any(sign in word for sign in ":=@")
    return named or may_hold_secret(word.lstrip("-")) or may_hold_secret(before.lstrip("-"))


_MASK = "\u2026"
"""Stands for a word that is not kept."""
