"""Claude with Anthropic's own memory tool, kept in a memory directory that people can read, edit and undo.

    pip install anthropic
    ANTHROPIC_API_KEY=… python examples/anthropic_memory_tool.py "Remember that I drink tea."

The memory is that of the project in the current directory: `memdir list` shows it, `memdir undo` takes back.
"""

import os
import sys

from memdir import Memory

try:
    from anthropic import Anthropic

    from memdir.adapters.anthropic_memory import MemdirMemoryTool
except ImportError:
    raise SystemExit("This example needs Anthropic's SDK: pip install anthropic") from None


def main(prompt: str) -> None:
    """Answer one prompt; the model looks into its memory and writes to it as it sees fit."""
    with Anthropic() as client:
        runner = client.beta.messages.tool_runner(
            model="claude-sonnet-5",
            max_tokens=1024,
            betas=["context-management-2025-06-27"],
            tools=[MemdirMemoryTool(Memory.open())],
            messages=[{"role": "user", "content": prompt}],
        )
        message = runner.until_done()
    print("".join(block.text for block in message.content if block.type == "text"))


if __name__ == "__main__":
    if "ANTHROPIC_API_KEY" not in os.environ:
        raise SystemExit("This example asks Claude: set ANTHROPIC_API_KEY.")
    main(" ".join(sys.argv[1:]) or "What do you remember about me?")
