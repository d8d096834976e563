"""The messages of an extraction as a model reads them: numbered, bounded, unable to pose as each other."""

import re
from collections.abc import Mapping, Sequence

from memdir.conversation.messages import Spoken
from memdir.text.escape import escape
from memdir.text.value import value_class

__all__ = ["Excerpt", "excerpt_of"]

_LONGEST = {"user": 8_000, "assistant": 2_000, "tool": 600}
"""Characters shown of a message: what a person typed counts, a result only shows what it is about."""

_MOST = 60_000
"""Characters shown in all, the newest messages first: some fifteen thousand tokens."""


@value_class(frozen=True, slots=True)
class Excerpt:
    """What is shown, and which message each number means."""

    text: str
    numbered: Mapping[str, Spoken]

    def messages_named(self, names: str) -> tuple[Spoken, ...]:
        """Return the messages that are named, such as `m3` or `m3, m4`, as far as they exist."""
        return tuple(self.numbered[name] for name in _NAME.findall(names) if name in self.numbered)


def excerpt_of(messages: Sequence[Spoken]) -> Excerpt:
    """Return the messages as a model is shown them; what came from memory is left out."""
    shown, numbered, room = list[str](), dict[str, Spoken](), _MOST
    for number, one in reversed(list(enumerate(messages, 1))):
        if one.recalled or not one.text.strip():
            continue
        lines = _lines(f"m{number}", one)
        room -= len(lines)
        if room < 0 and shown:
            break
        shown.append(lines)
        numbered[f"m{number}"] = one
    return Excerpt("\n\n".join(reversed(shown)), numbered)


_NAME = re.compile(r"\bm\d+\b")


def _lines(name: str, one: Spoken) -> str:
    """Return a message below its heading, indented: nothing in it can look like the heading of another."""
    half = _LONGEST[one.role] // 2
    text = one.text if len(one.text) <= 2 * half else f"{one.text[:half]}\n[…]\n{one.text[-half:]}"
    when = f", {one.at:%A %Y-%m-%d}" if one.at else ""
    body = "\n".join(f"    {line}" for line in escape(text).split("\n"))
    return f"{name} ({one.role}{when}):\n{body}"
