"""What a host is told about a tool call that the rules stop, or that they cannot be asked about.

A host waits for this module: it imports late and does without `typing`.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.rules.judge import Decision

__all__ = ["denial_text", "unknown_rules_text"]


def denial_text(decision: "Decision") -> str:
    """Return why a call is stopped: by a rule in its own words, or because it would change what is kept."""
    if decision.rule is None:
        from memdir.prompt.templates import filled

        return filled("write_kept", found=decision.because)
    because = decision.because
    if because.isascii() and because.isprintable() and not _SIGNS & {*because}:
        return because  # nothing in it to escape; what escapes takes longer to load than a rule to judge
    from memdir.text.escape import escape

    return escape(because)


def unknown_rules_text(why: str) -> str:
    """Return why the user has to say whether a call may be made: there may be a rule about it."""
    from memdir.prompt.templates import filled

    return filled("rules_unknown", why=why)


_SIGNS = frozenset("<[")
