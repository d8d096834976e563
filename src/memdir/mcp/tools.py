"""The tools that a host is offered: their schemas, and the check of what a model gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memdir.errors import MemdirError, Rejected
from memdir.prompt.templates import filled, loaded
from memdir.text.value import value_class

if TYPE_CHECKING:  # what answers a call is loaded when one comes
    from memdir.mcp.answers import Answers

__all__ = ["TOOLS", "McpTool"]

_LONGEST_TEXT, _LONGEST_LINE = 250_000, 2_000
"""Characters; of a text as many as `memories.draft` takes bytes, whose import would double the start."""
_MOST_LISTED, _LARGEST = 1_000, 2**53

_TEXT = {"type": "string", "maxLength": _LONGEST_TEXT}
_LINE = {"type": "string", "maxLength": _LONGEST_LINE}
_KIND = {"type": "string", "enum": ["user", "feedback", "project", "reference"]}
_COMMANDS = ["view", "create", "str_replace", "insert", "delete", "rename"]

_READS = {"readOnlyHint": True, "openWorldHint": False}
_SAVES = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False}
"""A save under a name that exists replaces what that memory said."""
_REMOVES = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": False}


@value_class(frozen=True, slots=True)
class McpTool:
    """One tool: how a host sees it, and what answers a call."""

    name: str
    title: str
    hints: Mapping[str, bool]
    required: tuple[str, ...]
    parameters: Mapping[str, Mapping[str, Any]]
    answer: str = ""
    """The method of `Answers`, where it has another name."""

    def description(self) -> dict[str, Any]:
        """Return the tool as the protocol lists it; its words are a paragraph, then a line a parameter."""
        about, _, lines = loaded(f"mcp_tool_{self.name}").partition("\n\n")
        words = dict([line.split(": ", 1) for line in lines.splitlines()])
        schemas = {name: {**schema, "description": words[name]} for name, schema in self.parameters.items()}
        schema = {"type": "object", "properties": schemas, "required": list(self.required)}
        named = {"name": self.name, "title": self.title, "description": about}
        annotations = {"title": self.title, **self.hints}
        return named | {"inputSchema": {**schema, "additionalProperties": False}, "annotations": annotations}

    def call(self, answers: Answers, given: Mapping[str, Any]) -> tuple[str, bool]:
        """Return what a call answers, and whether that is an error: a sentence that the model can act on."""
        try:
            return str(getattr(answers, self.answer or self.name)(**self._check(given))), False
        except (MemdirError, OSError) as error:
            return str(error), True

    def _check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments; null counts as not given, and unknown arguments are refused."""
        if unknown := sorted(given.keys() - self.parameters.keys()):
            takes = ", ".join(self.parameters)
            raise Rejected(
                filled("mcp_unknown_argument", tool=self.name, unknown=", ".join(unknown), known=takes)
            )
        present = {name: value for name, value in given.items() if value is not None}
        if missing := [name for name in self.required if name not in present]:
            raise Rejected(filled("mcp_missing_argument", tool=self.name, missing=", ".join(missing)))
        return {name: self._convert(name, value) for name, value in present.items()}

    def _convert(self, name: str, value: Any) -> Any:
        schema = self.parameters[name]
        if schema["type"] == "integer" and isinstance(value, str) and value.isascii() and value.isdigit():
            value = int(value)  # models write numbers as text now and then
        if not _fits(value, schema):
            about = {"tool": self.name, "name": name, "given": repr(value)[:80]}
            raise Rejected(filled("mcp_bad_argument", **about, wanted=_describe_schema(schema)))
        return value


def _fits(value: Any, schema: Mapping[str, Any]) -> bool:
    if schema["type"] == "string":
        return (
            isinstance(value, str)
            and len(value) <= schema.get("maxLength", _LONGEST_LINE)
            and value in schema.get("enum", (value,))
        )
    if schema["type"] == "array":
        return (
            isinstance(value, list)
            and schema["minItems"] <= len(value) <= schema["maxItems"]
            and all(_fits(item, schema["items"]) for item in value)
        )
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return is_number and schema["minimum"] <= value <= schema.get("maximum", _LARGEST)


def _describe_schema(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        *others, last = [repr(one) for one in schema["enum"]]
        return f"{', '.join(others)} or {last}"
    if schema["type"] == "string":
        return f"text of at most {schema['maxLength']:,} characters"
    if schema["type"] == "array":
        return "a list of two whole numbers"
    if "maximum" in schema:
        return f"a whole number from {schema['minimum']} to {schema['maximum']}"
    return f"a whole number of at least {schema['minimum']}"


def _number(low: int, high: int | None = None, default: int | None = None) -> dict[str, Any]:
    bounds = {"minimum": low, "maximum": high, "default": default}
    return {"type": "integer", **{name: bound for name, bound in bounds.items() if bound is not None}}


TOOLS = (
    McpTool("recall", "Recall", _READS, ("query",), {"query": _TEXT, "limit": _number(1, 5, 5)}),
    McpTool(
        "remember",
        "Remember",
        _SAVES,
        ("text",),
        {
            "text": _TEXT,
            "description": _LINE,
            "kind": _KIND,
            "name": _LINE,
            "why": _TEXT,
            "how": _TEXT,
            "supersedes": _LINE,
            "audience": {"type": "string", "enum": ["private", "team"]},
        },
    ),
    McpTool("forget", "Forget", _REMOVES, ("name",), {"name": _LINE, "reason": _LINE}),
    McpTool("read", "Read a memory", _READS, ("name",), {"name": _LINE}),
    McpTool(
        "list",
        "List memories",
        _READS,
        (),
        {"kind": _KIND, "limit": _number(1, _MOST_LISTED, 100)},
        "listing",
    ),
    McpTool(
        "memory",
        "Memory files",
        _REMOVES,
        ("command",),
        {
            "command": {"type": "string", "enum": _COMMANDS},
            "path": _LINE,
            "view_range": {"type": "array", "items": _number(-1), "minItems": 2, "maxItems": 2},
            "file_text": _TEXT,
            "old_str": _TEXT,
            "new_str": _TEXT,
            "insert_line": _number(0),
            "insert_text": _TEXT,
            "old_path": _LINE,
            "new_path": _LINE,
        },
    ),
)
