"""A recall from what a card and a sheet know: nothing is found out again, and little is loaded."""

import os
from time import monotonic, time

from memdir.recall.at_once import AtOnce
from memdir.recall.limits import Limits
from memdir.recall.sheet import Sheet
from memdir.store.files import Folder
from memdir.store.known_writers import KnownWriters

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

__all__ = ["recalled"]


def recalled(
    facts: "Sequence[str]", project: str, digest: str, call: "Mapping[str, Any]", env: "Mapping[str, str]"
) -> str:
    """Return what a host reads at a prompt; empty when no memory is clearly useful."""
    directory, state, _, _, numbers = facts
    limits = Limits(*[float(word) if "." in word else int(word) for word in numbers.split()])  # type: ignore[arg-type]
    by_words = not os.path.exists(os.path.join(state, "vectors"))
    key = f"{digest} {directory} {limits.lines} {limits.bytes}" if by_words and digest[0] != "~" else ""
    sheet = Sheet.opened(state, key) if key else None
    text = None
    if sheet is not None:
        with Folder.opened(directory) as folder:
            at_once = AtOnce(
                sheet,
                state,
                call["session_id"],
                limits,
                time(),
                monotonic,
                folder.read,
                KnownWriters(state).recorded,
            )
            text = at_once.recall(call["prompt"])
    if text is None:
        from memdir.surfaces.hooks.thorough import recalled as thoroughly

        text = thoroughly(facts, limits, call, env, project=project, sheet=sheet, key=key)
    return _as_json(text) if text else ""


def _as_json(text: str) -> str:
    """Return what `hosts.claude_code` writes for a prompt, without the package that writes any JSON."""
    from _json import encode_basestring_ascii

    shown = encode_basestring_ascii(text)
    return (
        '{"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": ' + shown + "}}\n"
    )
