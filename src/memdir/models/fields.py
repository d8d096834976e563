"""Fields of a server's answer, taken for what they should be."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from memdir.errors import ModelReplyError

__all__ = ["counted", "listed", "texts"]


def listed(content: Mapping[str, Any], name: str, who: str) -> list[Mapping[str, Any]]:
    """Return a list of objects; without one the answer is not a model's."""
    found = content.get(name)
    if not isinstance(found, list):
        raise ModelReplyError(
            f"{who} answered without {name!r}, so it is no answer of this kind of model. "
            "Check the address, and whether the model is named by the right vendor."
        )
    return [one for one in found if isinstance(one, dict)]


def texts(blocks: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what is said in blocks; thoughts and calls are not."""
    for block in blocks:
        if block.get("type") == "text" and isinstance(block.get("text"), str):
            yield block["text"]


def counted(usage: Any, name: str) -> int:
    """Return a count of tokens; 0 when none is given."""
    found = usage.get(name) if isinstance(usage, dict) else None
    return found if isinstance(found, int) and found > 0 else 0
