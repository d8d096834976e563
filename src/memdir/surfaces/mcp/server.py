"""The server as the protocol sees it: tools, resources and prompts, each with its description."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp.server.mcpserver.prompts import Prompt
from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations

from memdir.errors import MemdirError, NoSuchMemory
from memdir.memory import Memory
from memdir.prompt.sections import Prose, filled, loaded
from memdir.surfaces.mcp.answers import Answers

__all__ = ["NAME", "server_for"]

NAME = "memdir"

_P = ParamSpec("_P")

_LOOKS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_ADDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_REMOVES = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)


def server_for(opened: Callable[[], Memory], version: str = "") -> MCPServer:
    """Return a server whose every call opens the memory anew; nothing is read before one comes."""
    answers = Answers(opened)
    server: MCPServer = MCPServer(
        NAME,
        instructions=loaded("mcp_instructions"),
        version=version,
        tools=_tools(answers),
        log_level="ERROR",  # what a tool could not do is told to the model; a host's log need not repeat it
    )
    _add_resources(server, answers)
    _add_prompts(server)
    return server


class _Tool(Tool):
    """A tool that refuses what it does not know: an argument that is dropped would seem to be heeded."""

    async def run(
        self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False
    ) -> Any:
        known = self.parameters["properties"].keys()
        if unknown := sorted(arguments.keys() - known):
            listed, takes = ", ".join(unknown), ", ".join(known)
            raise ToolError(filled("mcp_unknown_argument", tool=self.name, unknown=listed, known=takes))
        return await super().run(arguments, context, convert_result)


def _tools(answers: Answers) -> list[Tool]:
    return [
        _tool("recall", "Recall", answers.recall, _LOOKS),
        _tool("remember", "Remember", answers.remember, _ADDS),
        _tool("forget", "Forget", answers.forget, _REMOVES),
        _tool("read", "Read a memory", answers.read, _LOOKS),
        _tool("list", "List memories", answers.listing, _LOOKS),
        _tool("memory", "Memory files", answers.memory, _REMOVES),
    ]


def _tool(name: str, title: str, answer: Callable[..., str], annotations: ToolAnnotations) -> Tool:
    """Return a tool with the words of its text: a paragraph about it, then a line for each parameter."""
    about, _, parameters = loaded(f"mcp_tool_{name}").partition("\n\n")
    tool = _Tool.from_function(
        _told(answer, ToolError, ToolError),
        name=name,
        title=title,
        description=about,
        annotations=annotations,
        structured_output=False,
    )
    for line in parameters.splitlines():
        parameter, _, words = line.partition(": ")
        tool.parameters["properties"][parameter]["description"] = words
    return tool


def _add_resources(server: MCPServer, answers: Answers) -> None:
    for uri, name, answer in (
        ("memory://index", "index", answers.index),
        ("memory://file/{+path}", "file", answers.file),
        ("memory://instructions", "instructions", answers.instructions),
    ):
        describe = server.resource(
            uri, name=name, description=loaded(f"mcp_resource_{name}"), mime_type="text/markdown"
        )
        describe(_told(answer, ResourceError, ResourceNotFoundError))


def _add_prompts(server: MCPServer) -> None:
    def remember(what: str = "") -> str:
        """Save what the user says, or what the conversation taught."""
        return filled("mcp_prompt_remember", what=Prose(what))

    def review(about: str = "") -> str:
        """Go through the memories with the user and correct them."""
        return filled("mcp_prompt_review", about=Prose(about))

    def dream() -> str:
        """Consolidate the memories: merge, date, correct, remove."""
        return filled("mcp_prompt_dream")

    for prompt in (remember, review, dream):
        server.add_prompt(Prompt.from_function(prompt))


def _told(answer: Callable[_P, str], failed: type[Exception], missing: type[Exception]) -> Callable[_P, str]:
    """Return the same function, whose errors of ours reach the model as the sentence they are."""

    @wraps(answer)
    def told(*arguments: _P.args, **keywords: _P.kwargs) -> str:
        try:
            return answer(*arguments, **keywords)
        except NoSuchMemory as error:
            raise missing(str(error)) from error
        except (MemdirError, OSError) as error:
            raise failed(str(error)) from error

    return told
