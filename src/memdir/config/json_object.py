"""Read a file that should hold one JSON object, and say what is wrong with it instead of failing.

A host waits for this module: it imports late.
"""

from collections.abc import Mapping

from memdir.disk.regular_file import Unread, regular_bytes
from memdir.text.value import field, value_class

__all__ = ["JsonObject", "json_object", "quote_names"]


@value_class(frozen=True, slots=True)
class JsonObject:
    """The object, empty when there is none, and what was wrong: sentences that say where and what to do."""

    content: Mapping[str, object] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def json_object(path: str) -> JsonObject:
    """Return the object a file holds; a missing or blank file is an empty one without a warning."""
    data = regular_bytes(path, _LARGEST)
    if isinstance(data, Unread):
        return JsonObject() if data.missing else _ignored(path, data.because, "Make it a readable JSON file")
    twice: list[str] = []
    try:
        content = _parsed(data, twice)
    except (ValueError, RecursionError) as error:
        return _ignored(path, _fault(error, data), "Correct it; the other files still count")
    if not isinstance(content, dict):
        return _ignored(path, "line 1, column 1: it holds no JSON object", "Put everything into { }")
    doubled = (
        f"{name} stands twice in {path}; the last one counts. Remove one." for name in quote_names(twice)
    )
    return JsonObject(content, tuple(doubled))


def quote_names(names: list[str]) -> list[str]:
    """Quote the first few names from a file so that each stays one short line whatever it holds."""
    if not names:
        return []
    import json

    return [json.dumps(name if len(name) <= _SHOWN else name[:_SHOWN] + "…") for name in names[:_NAMED]]


def _ignored(path: str, because: str, mend: str) -> JsonObject:
    return JsonObject(warnings=(f"{path} is ignored: {because}. {mend}.",))


def _parsed(data: bytes, twice: list[str]) -> object:
    """Return what the bytes say, and note the names that stand twice in one object."""
    import json

    def merged(pairs: list[tuple[str, object]]) -> dict[str, object]:
        content: dict[str, object] = {}
        for name, value in pairs:
            if name in content:
                twice.append(name)
            content[name] = value
        return content

    text = data.decode("utf-8-sig")
    return json.loads(text, object_pairs_hook=merged) if text.strip() else {}


def _fault(error: ValueError | RecursionError, data: bytes) -> str:
    import json

    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}: {error.msg[:1].lower()}{error.msg[1:]}"
    if isinstance(error, UnicodeDecodeError):
        before = data[: error.start]
        column = error.start - before.rfind(b"\n")
        return f"line {before.count(10) + 1}, column {column}: it is not UTF-8"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    # The one ValueError left: Python does not convert numbers of thousands of digits.
    return "it holds a number that is too long to be read"


_LARGEST = 1_000_000
"""Bytes of a settings file; real ones are a few kilobytes, and every start reads them all."""
_NAMED = 5
"""Wrong names reported per file; one is enough to look, hundreds would bury the other warnings."""
_SHOWN = 60
"""Characters of a wrong name in a warning."""
