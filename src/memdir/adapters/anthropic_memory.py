"""A memory directory as the memory tool of Anthropic's Python SDK.

from anthropic import Anthropic
tool = MemdirMemoryTool(Memory.open())
Anthropic().beta.messages.tool_runner(model=…, max_tokens=1024, messages=[…], tools=[tool]).until_done()
"""

from typing import Any

from memdir.config.package import package_command
from memdir.errors import MemdirError, MissingExtra
from memdir.memory import Memory
from memdir.memory_tool.tool import MemoryTool

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError
    from anthropic.types import beta
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

    def view(self, command: beta.BetaMemoryTool20250818ViewCommand) -> str:
        """Show a file or list a folder."""
        return self.call(command.to_dict())

    def create(self, command: beta.BetaMemoryTool20250818CreateCommand) -> str:
        """Write a new file."""
        return self.call(command.to_dict())

    def str_replace(self, command: beta.BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace the one place where a passage stands."""
        return self.call(command.to_dict())

    def insert(self, command: beta.BetaMemoryTool20250818InsertCommand) -> str:
        """Put lines behind a line."""
        return self.call(command.to_dict())

    def delete(self, command: beta.BetaMemoryTool20250818DeleteCommand) -> str:
        """Delete a file, or the memories of a folder."""
        return self.call(command.to_dict())

    def rename(self, command: beta.BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file, or the memories of a folder."""
        return self.call(command.to_dict())
