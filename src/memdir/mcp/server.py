"""The server's side of the Model Context Protocol: one JSON-RPC message in, one out.

The transports (`stdio`, `http`) carry messages; this module knows what they mean. We speak the protocol
ourselves: importing its SDK took a second of every start. Tests talk to it through the SDK's own client.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from memdir.errors import MemdirError
from memdir.mcp.tools import TOOLS
from memdir.prompt.templates import filled, loaded
from memdir.text.templates import Prose

if TYPE_CHECKING:
    from memdir.mcp.answers import Answers
    from memdir.memory import Memory

__all__ = ["VERSIONS", "McpServer", "ProtocolError", "failure", "parse_message"]

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""The protocol versions that are spoken, newest first; what we use of them is the same in all."""

_PARSE_ERROR, _INVALID_REQUEST, _NO_METHOD = -32700, -32600, -32601
_INVALID_PARAMS, _INTERNAL = -32602, -32603

_FILE = re.compile(r"memory://file/(.+)", re.DOTALL)
_MARKDOWN = "text/markdown"


class ProtocolError(Exception):
    """A message that cannot be answered as it is."""

    def __init__(self, code: int, message: str) -> None:
        """Keep the protocol's code and our sentence."""
        super().__init__(message)
        self.code = code


_PROMPTS = {
    "remember": ("Save what the user says, or what the conversation taught.", "what"),
    "review": ("Go through the memories with the user and correct them.", "about"),
    "dream": ("Consolidate the memories: merge, date, correct, remove.", ""),
}
"""Each prompt with its description and the name of its argument, if it takes one."""


def parse_message(data: bytes | str) -> dict[str, Any]:
    """Return the message in some text; a ProtocolError when it is none."""
    try:
        message = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(_PARSE_ERROR, f"This is not JSON: {error}") from error
    if not isinstance(message, dict):
        raise ProtocolError(_INVALID_REQUEST, "Send one JSON object a message.")
    return message


class McpServer:
    """Answers messages; the memory is opened anew by every call, and nothing is opened before one comes."""

    def __init__(self, opened: "Callable[[], Memory]", version: str = "") -> None:
        """Remember how to open the memory."""
        self._opened, self._version = opened, version
        self._methods: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
            "initialize": self._initialize,
            "ping": lambda _: {},
            "tools/list": lambda _: {"tools": [tool.description() for tool in TOOLS]},
            "tools/call": self._call,
            "resources/list": lambda _: {"resources": [_resource("index"), _resource("instructions")]},
            "resources/templates/list": lambda _: {"resourceTemplates": [_resource("file")]},
            "resources/read": self._read,
            "prompts/list": lambda _: {"prompts": [_prompt_shape(name) for name in _PROMPTS]},
            "prompts/get": self._prompt,
        }

    def reply(self, message: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the answer to a message; None for notifications and answers, which get none."""
        if "id" not in message or "method" not in message:
            return None
        try:
            return _envelope(message["id"], result=self._result(message))
        except ProtocolError as error:
            return failure(message["id"], error)

    def _result(self, message: Mapping[str, Any]) -> dict[str, Any]:
        method, params = message["method"], message.get("params") or {}
        if message["id"] is None or not isinstance(message["id"], str | int):
            raise ProtocolError(_INVALID_REQUEST, "The id of a request is a text or a whole number.")
        if not isinstance(method, str) or method not in self._methods:
            raise ProtocolError(_NO_METHOD, f"There is no method {method!r} here.")
        if not isinstance(params, dict):
            raise ProtocolError(_INVALID_PARAMS, "Send params as an object.")
        try:
            return self._methods[method](params)
        except ProtocolError:
            raise
        except Exception as error:
            raise ProtocolError(_INTERNAL, f"{error} ({type(error).__name__})") from error

    @cached_property
    def _answers(self) -> "Answers":
        from memdir.mcp.answers import Answers

        return Answers(self._opened)

    def _initialize(self, params: Mapping[str, Any]) -> dict[str, Any]:
        asked = params.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
            "serverInfo": {"name": "memdir", "version": self._version},
            "instructions": loaded("mcp_instructions"),
        }

    def _call(self, params: Mapping[str, Any]) -> dict[str, Any]:
        name, given = params.get("name"), params.get("arguments") or {}
        tool = next((tool for tool in TOOLS if tool.name == name), None)
        if tool is None:
            known = ", ".join(tool.name for tool in TOOLS)
            raise ProtocolError(_INVALID_PARAMS, filled("mcp_no_such_tool", name=repr(name), known=known))
        if not isinstance(given, dict):
            raise ProtocolError(_INVALID_PARAMS, "Send the arguments of a tool as an object.")
        text, failed = tool.call(self._answers, given)
        return {"content": [{"type": "text", "text": text}], "isError": failed}

    def _read(self, params: Mapping[str, Any]) -> dict[str, Any]:
        uri = params.get("uri")
        file = _FILE.fullmatch(uri) if isinstance(uri, str) else None
        try:
            if file:
                text = self._answers.file(unquote(file[1]))
            elif uri == "memory://index":
                text = self._answers.index()
            elif uri == "memory://instructions":
                text = self._answers.instructions()
            else:
                raise ProtocolError(_INVALID_PARAMS, f"There is no resource {uri!r}.")
        except (MemdirError, OSError) as error:
            raise ProtocolError(_INVALID_PARAMS, str(error)) from error
        return {"contents": [{"uri": uri, "mimeType": _MARKDOWN, "text": text}]}

    def _prompt(self, params: Mapping[str, Any]) -> dict[str, Any]:
        name, given = params.get("name"), params.get("arguments") or {}
        if not isinstance(name, str) or name not in _PROMPTS:
            raise ProtocolError(_INVALID_PARAMS, f"There is no prompt {name!r}.")
        if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
            raise ProtocolError(_INVALID_PARAMS, "Send the arguments of a prompt as an object of texts.")
        description, argument = _PROMPTS[name]
        fields = {argument: Prose(given.get(argument, ""))} if argument else {}
        content = {"type": "text", "text": filled(f"mcp_prompt_{name}", **fields)}
        return {"description": description, "messages": [{"role": "user", "content": content}]}


def failure(number: object, error: ProtocolError) -> dict[str, Any]:
    """Return the answer that says what was wrong with a message."""
    return _envelope(number, error={"code": error.code, "message": str(error)})


def _envelope(number: object, **content: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, **content}


def _resource(name: str) -> dict[str, str]:
    words = loaded(f"mcp_resource_{name}")
    where = {"uriTemplate": "memory://file/{+path}"} if name == "file" else {"uri": f"memory://{name}"}
    return {**where, "name": name, "description": words, "mimeType": _MARKDOWN}


def _prompt_shape(name: str) -> dict[str, Any]:
    description, argument = _PROMPTS[name]
    arguments = [{"name": argument, "required": False}] if argument else []
    return {"name": name, "description": description, "arguments": arguments}
