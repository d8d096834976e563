"""A rule that an agent saves in its own shell: it is the agent's, whatever the command says."""

from collections.abc import Mapping, Sequence

from memdir.memories.topic import Draft, Provenance
from memdir.text.value import replace

__all__ = ["AGENTS_SHELL", "PLANTED", "as_agents"]

AGENTS_SHELL = "in its own shell"
"""The reason in history; `trust` tells it behind the name of the writer."""

PLANTED = (
    "An agent's shell saved this, so the rule only asks until you approve it in your own terminal: "
    "memdir rules approve NAME"
)

_SHELLS = ("CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI", "CURSOR_AGENT")
"""Variables that agents set for the commands they run."""


def as_agents(
    env: Mapping[str, str], drafts: Sequence[Draft], by: Provenance
) -> tuple[Sequence[Draft], Provenance] | None:
    """Return the drafts and their writer as they are when an agent's shell saves a rule; None otherwise."""
    ruled = any(draft.enforce.strip() for draft in drafts)
    if by.actor != "user" or not ruled or not any(env.get(name) for name in _SHELLS):
        return None
    by = replace(by, actor="host", source="assistant", reason=AGENTS_SHELL)
    return [replace(draft, source="assistant") for draft in drafts], by
