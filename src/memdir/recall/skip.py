"""Prompts for which nothing is recalled: empty, typed by no person, or too short to tell what is wanted.

A host waits for this module: it imports late.
"""

__all__ = ["skip_reason"]

_WORDS = 2
"""Words a prompt needs: "ok", "yes" and "continue" fit every memory and none."""

_CHARACTERS = 4
"""Characters it needs where a script puts no spaces between words."""


def skip_reason(query: str, limit: int = 1) -> str:
    """Return why nothing is recalled for this prompt, of at most so many; empty when something may be."""
    text = query.strip()
    if not text:
        return "the prompt is empty"
    if text.startswith(_PSEUDO):
        return "the prompt comes from the host, not from a person"
    if text[0] == "/" and _matches(_COMMAND, text):
        return "the prompt is a command"
    needed = f"{_WORDS} words"
    short = sum(any(map(str.isalnum, word)) for word in text[:2_000].split()) < _WORDS
    if not text.isascii() and _matches(_UNSPACED, text):
        needed = f"{_CHARACTERS} characters"
        short = len(text.split()) < _WORDS and sum(map(str.isalnum, text[:200])) < _CHARACTERS
    if short:
        return f"the prompt has fewer than {needed}"
    return "" if limit > 0 else "no memory may be shown in a turn"


def _matches(pattern: str, text: str) -> bool:
    """Search; most prompts need no pattern, and loading `re` would take longer than the rest."""
    import re

    return re.search(pattern, text) is not None


_PSEUDO = (
    "<task-notification",
    "<command-name",
    "<command-message",
    "<command-args",
    "<local-command-",
    "<bash-input",
    "<bash-stdout",
    "<bash-stderr",
    "<system-reminder",
    "<user-prompt-submit-hook",
)
# A folder at the top of the file system is not a command: "/tmp is full" is a sentence.
_COMMAND = (
    r"\A/(?!(?:bin|boot|dev|etc|home|lib|mnt|opt|proc|root|run|srv|sys|tmp|usr|var)\b)"
    r"[a-zA-Z][\w:.-]*(?:\s|\Z)"
)
# Thai, Lao, Burmese, Khmer, Japanese, Chinese; and Korean, which is often typed without its spaces.
_UNSPACED = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)
