"""What a model is asked in order to choose memories, and what its answer means; the call lies in between."""

from collections.abc import Sequence

from memdir.errors import ModelReplyError
from memdir.memories.description import manifest
from memdir.memories.topic import Header
from memdir.recall.limits import MOST_FILES
from memdir.text.escape import escape
from memdir.text.templates import Prose, Templates

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from memdir.models.protocol import Cancel, Question, Reply

__all__ = ["chosen", "question"]

_TEXTS = Templates(__file__)

_KEY = "selected_memories"
_OUTPUT_TOKENS = 256
"""Room for five file names; whoever needs more is not choosing."""

_LONGEST_QUERY = 4_000
"""Characters of a prompt that are sent: a pasted log says no more about what is wanted than its beginning."""

_LONGEST_REPLY = 20_000
"""Characters of a reply that are read; 256 tokens are far fewer."""

_TOOLS = 20
"""Recently used tools that are named."""


def question(
    query: str,
    headers: Sequence[Header],
    recent_tools: Sequence[str] = (),
    *,
    limit: int = MOST_FILES,
    timeout: float = 2.0,
    cancel: "Cancel | None" = None,
) -> "Question":
    """Return the one question: which of these memories help with the query."""
    from memdir.models.protocol import Message, Question

    names = Prose("\n".join([f"- {escape(' '.join(tool.split()))[:100]}" for tool in recent_tools[:_TOOLS]]))
    tools = _TEXTS.filled("select_tools", tools=names) if names else Prose()
    request = _TEXTS.filled(
        "select_request", query=query[:_LONGEST_QUERY], tools=tools, notes=Prose(manifest(headers))
    )
    return Question(
        messages=(Message("user", request),),
        system=_TEXTS.filled("select", limit=str(limit)),
        schema=_SCHEMA,
        max_tokens=_OUTPUT_TOKENS,
        timeout=timeout,
        cancel=cancel,
        job="recall",
    )


def chosen(reply: "Reply", headers: Sequence[Header], limit: int = MOST_FILES) -> list[Header]:
    """Return the memories that the answer names: in its order, each once, at most so many, none invented.

    An answer that is none, or that names only what was not offered, is a `ModelReplyError`.
    """
    offered = {escape(header.file): header for header in headers}
    offered |= {header.file: header for header in headers}
    names = _names(reply)
    found = dict.fromkeys(header.file for name in names if (header := offered.get(name)))
    if names and not found:
        raise ModelReplyError("The model named only memories that were not offered to it.")
    return [offered[file] for file in found][:limit]


_SCHEMA = {
    "type": "object",
    "properties": {_KEY: {"type": "array", "items": {"type": "string"}}},
    "required": [_KEY],
    "additionalProperties": False,
}


def _names(reply: "Reply") -> list[str]:
    """Return the names in an answer, real or not; what is no name counts as one that nobody offered."""
    if reply.stop == "refusal":
        raise ModelReplyError("The model refused to choose memories.")
    import json

    text = reply.text[: _LONGEST_REPLY + 1].strip().lstrip("\ufeff")
    try:
        if len(text) > _LONGEST_REPLY:
            raise ValueError("too long")  # noqa: TRY301 - one answer to every way of being unusable
        names = json.loads(_unfenced(text), object_pairs_hook=_pairs)[_KEY]
        return [name if isinstance(name, str) else "" for name in _list(names)]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        message = f"The model answered {text[:80]!r} instead of JSON with a {_KEY!r} list."
        raise ModelReplyError(message) from error


def _unfenced(text: str) -> str:
    """Return what stands in a Markdown fence: models without structured output like to add one."""
    if not text.startswith("```"):
        return text
    return text.partition("\n")[2].rpartition("```")[0]


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _list(names: object) -> list[object]:
    if not isinstance(names, list):
        raise TypeError("not a list")
    return names
