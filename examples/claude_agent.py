"""An agent of the Claude Agent SDK with memory: recalled at each prompt, extracted from each turn.

    pip install claude-agent-sdk
    python examples/claude_agent.py "How do we deploy?"

The memory is that of the project in the current directory.
"""

import asyncio
import sys
from importlib import import_module

from memdir import Memory
from memdir.adapters.claude_agent_sdk import options_with_memory

try:
    sdk = import_module("claude_agent_sdk")
except ImportError:
    raise SystemExit("This example needs the Claude Agent SDK: pip install claude-agent-sdk") from None


async def main(prompt: str) -> None:
    """Answer one prompt, then save what the turn taught."""
    memory = Memory.open()
    options = options_with_memory(sdk.ClaudeAgentOptions(max_turns=10), memory)
    async for message in sdk.query(prompt=prompt, options=options):
        for block in getattr(message, "content", None) or ():
            if text := getattr(block, "text", ""):
                print(text)
    for report in await asyncio.to_thread(memory.jobs.drain, 30):
        print(report.said, file=sys.stderr)


if __name__ == "__main__":
    asyncio.run(main(" ".join(sys.argv[1:]) or "What do you remember about this project?"))
