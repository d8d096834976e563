"""A memory directory as the memory tool of Anthropic's Python SDK.

from anthropic import Anthropic
tool = MemdirMemoryTool(Memory.open())
Anthropic().beta.messages.tool_runner(model=…, max_tokens=1024, messages=[…], tools=[tool]).until_done()
"""

from __future__ import annotations

from typing import Any

from memdir.config.package import package_command
from memdir.errors import MemdirError, MissingExtra
from memdir.memory import Memory
from memdir.memory_tool.tool import MemoryTool

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError
except ModuleNotFoundError as error:
    raise MissingExtra(
        "The memory tool needs Anthropic's SDK, which is not installed. Install it with: "
        f"{package_command('anthropic>=2.8')}"
    ) from error

__all__ = ["MemdirMemoryTool"]


class MemdirMemoryTool(BetaAbstractMemoryTool):
    """Serves the model's memory commands from a `Memory`; what cannot be done is told to the model."""

    def __init__(self, memory: Memory, **options: Any) -> None:
        """Take a memory and the options of the SDK's own class, such as `cache_control`."""
        super().__init__(**options)
        self._tool = MemoryTool(memory)

    def call(self, input: object) -> str:  # noqa: A002 - the SDK's name for it
        """Do what the model asks for, whatever it put into its call."""
        try:
            return self._tool.call(input if isinstance(input, dict) else {})
        except (MemdirError, OSError) as error:
            raise ToolError(str(error)) from error

    def _run(self, command: Any) -> str:
        """Do one command of the SDK's types."""
        return self.call(command.to_dict())

    view = create = str_replace = insert = delete = rename = _run
