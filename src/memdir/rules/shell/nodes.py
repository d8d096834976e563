"""What a shell text is made of: pipelines, groups, loops, functions, redirections."""

from memdir.rules.shell.words import Document, Part
from memdir.text.value import value_class

__all__ = ["Function", "Group", "Loop", "Node", "Pipeline", "Redirection", "Simple", "Word"]

Word = tuple[Part, ...]


@value_class(frozen=True, slots=True)
class Redirection:
    """Where a command reads from or writes to."""

    sign: str
    target: Word
    document: Document | None = None


@value_class(frozen=True, slots=True)
class Simple:
    """One command with its words; assignments in front of it are words that have a name."""

    words: tuple[Word, ...]
    redirections: tuple[Redirection, ...] = ()
    arrays: "tuple[tuple[str, tuple[Word, ...]], ...]" = ()


@value_class(frozen=True, slots=True)
class Pipeline:
    """Commands of which each reads what the one before it prints."""

    stages: "tuple[Node, ...]"


@value_class(frozen=True, slots=True)
class Group:
    """Commands between brackets or keywords; what a condition decides is not decided here: all may run."""

    body: "tuple[Pipeline, ...]"
    redirections: tuple[Redirection, ...] = ()
    inside: bool = False
    """Whether a shell of its own runs it, so that a change of directory ends with it."""
    perhaps: bool = False
    """Whether a condition decides which of these commands run, and how often."""


@value_class(frozen=True, slots=True)
class Loop:
    """Commands that run once for each word."""

    name: str
    words: tuple[Word, ...] | None
    body: Group


@value_class(frozen=True, slots=True)
class Function:
    """Commands that run when their name is called."""

    name: str
    body: "Node"


Node = Simple | Group | Loop | Function | Pipeline
