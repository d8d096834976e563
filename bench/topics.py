"""Made-up memories in the shape of real ones: a header, a rule or fact, five to fifteen lines."""

import os
import random
from dataclasses import dataclass
from hashlib import sha256

__all__ = ["NEWEST", "Filled", "draft", "filled"]

_KINDS = ("user", "feedback", "project", "reference")
_SUBJECTS = (
    "release", "cache", "linter", "schema", "queue", "login", "report", "invoice", "search", "backup",
    "parser", "worker", "budget", "review", "deploy", "metric", "import", "export", "session", "upload",
)  # fmt: skip
_TRAITS = (
    "nightly", "slow", "shared", "flaky", "signed", "partial", "remote", "local", "manual", "strict",
    "weekly", "public", "frozen", "verbose", "pinned", "legal", "draft", "spare", "main", "mobile",
)  # fmt: skip
_SENTENCES = (
    "The {trait} {subject} is owned by the platform group and changes only after a written request.",
    "Run the {trait} {subject} before the {other} one, or the second fails without saying why.",
    "A {subject} that takes longer than ten minutes is stopped and begun again by hand.",
    "Nobody wants a summary of the {subject} at the end of an answer; the difference is enough.",
    "- keep the {trait} {subject} out of the {other} folder",
    "- ask before the {subject} is switched to another provider",
    "The dashboard of the {trait} {subject} shows yesterday's figures until nine in the morning.",
    "See `tools/{subject}.py`; the {other} part was moved there when the {trait} rule was dropped.",
    "Größere {subject}-Läufe gehören auf die {trait} Maschine, nicht auf die eigene.",
    "It once cost two days to find out that the {other} {subject} reads its own settings.",
)

_METADATA = """metadata:
  source: "user"
  actor: "user"
  created: "2025-03-04T05:06:07Z"
  modified: "2025-03-04T05:06:07Z"
"""

_FIRST_SAVED_NS = 1_700_000_000 * 10**9
_STEP_NS = 61 * 10**9
"""A minute and a second between two memories: every time differs, so newest-first has one right answer."""

NEWEST = 200
"""Headers that a selector sees at most, and so the size of the short list."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A directory full of memories, with what proves that a list of them is complete and in order."""

    directory: str
    count: int
    digest: str
    """Of all file names, newest first, one a line."""
    newest: str
    """Likewise of the newest 200."""


def draft(number: int) -> dict[str, str]:
    """Return the arguments of `Memory.remember` for one memory."""
    dice = random.Random(number)
    kind, trait, subject = dice.choice(_KINDS), dice.choice(_TRAITS), dice.choice(_SUBJECTS)
    lines = [_sentence(dice) for _ in range(dice.randint(3, 13))]
    return {
        "body": "\n".join(lines),
        "kind": kind,
        "name": f"{trait}-{subject}-{number}",
        "description": f"How the {trait} {subject} is handled, and what the {dice.choice(_SUBJECTS)} needs",
        "why": f"The {subject} was lost once and nobody noticed for a week.",
        "how": f"Whenever the {trait} {subject} is touched or planned.",
    }


def filled(directory: str, count: int) -> Filled:
    """Write many memories as plain files, without memdir, and say which are newest."""
    os.makedirs(directory, mode=0o700)
    files = []
    for number in range(count):
        fields = draft(number)
        file = f"{fields['kind']}_{fields['name']}.md"
        path = os.path.join(directory, file)
        with open(path, "w", encoding="utf-8", opener=_private) as topic:
            topic.write(_text(fields, number))
        saved_ns = _FIRST_SAVED_NS + number * _STEP_NS
        os.utime(path, ns=(saved_ns, saved_ns))
        files.append(file)
    files.reverse()
    return Filled(directory, count, _digest(files), _digest(files[:NEWEST]))


def _digest(files: list[str]) -> str:
    return sha256("".join(f"{file}\n" for file in files).encode()).hexdigest()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _sentence(dice: random.Random) -> str:
    trait, subject, other = dice.choice(_TRAITS), dice.choice(_SUBJECTS), dice.choice(_SUBJECTS)
    return dice.choice(_SENTENCES).format(trait=trait, subject=subject, other=other)


def _text(fields: dict[str, str], number: int) -> str:
    """Return a file as memdir writes it; every fourth as other tools do, without our additions."""
    header = "".join(
        f'{key}: "{value}"\n'
        for key, value in (
            ("name", fields["name"]),
            ("description", fields["description"]),
            ("type", fields["kind"]),
        )
    )
    body = f"{fields['body']}\n\n**Why:** {fields['why']}\n**How to apply:** {fields['how']}\n"
    return f"---\n{header}{_METADATA if number % 4 else ''}---\n\n{body}"
