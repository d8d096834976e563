"""An adapter gives an SDK our memory in the SDK's own form, and names the SDK where it is not installed.

The SDK is imported by the tests that need it: it takes longer than all other tests to collect.
"""

import asyncio
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from memdir.adapters.claude_agent_sdk import options_with_memory
from memdir.errors import MissingExtra, Rejected
from memdir.memory import Memory

needs_agent_sdk = pytest.mark.skipif(
    find_spec("claude_agent_sdk") is None, reason="the Claude Agent SDK (366 MB) is not installed here"
)


def test_the_memory_tool_of_anthropics_sdk_writes_memories(memory: Memory) -> None:
    from anthropic.types.beta import BetaMemoryTool20250818DeleteCommand

    from memdir.adapters.anthropic_memory import MemdirMemoryTool

    tool = MemdirMemoryTool(memory, cache_control={"type": "ephemeral"})
    assert tool.to_dict() == {
        "type": "memory_20250818",
        "name": "memory",
        "cache_control": {"type": "ephemeral"},
    }
    path = "/memories/a.md"
    calls: list[dict[str, Any]] = [
        {"command": "create", "path": path, "file_text": "one\n"},
        {"command": "insert", "path": path, "insert_line": 1, "insert_text": "two"},
        {"command": "str_replace", "path": path, "old_str": "one", "new_str": "1"},
        {"command": "rename", "old_path": path, "new_path": "/memories/b.md"},
    ]
    for given in calls:
        tool.call(given)
    assert "     1\t1\n     2\ttwo" in str(tool.call({"command": "view", "path": "/memories/b.md"}))
    assert "     2\ttwo" in str(
        tool.call({"command": "view", "path": "/memories/b.md", "view_range": [2, 2]})
    )
    assert [entry.by.actor for entry in memory.history.list()] == ["host"] * 4
    command = BetaMemoryTool20250818DeleteCommand(command="delete", path="/memories/b.md")
    assert "files: 1" in str(tool.execute(command))
    assert memory.list() == []


@pytest.mark.parametrize(
    "given",
    [
        {"command": "view", "path": "/memories/ghost.md"},
        {"command": "create", "path": "/memories/a.txt", "file_text": "x"},
        {"command": "create", "path": "/memories/a.md"},
        {"command": "delete", "path": "/memories"},
        {"command": "create", "path": ["a"], "file_text": {"x": 1}},
        {"command": "view", "path": "/memories", "view_range": "all"},
        {"command": "explode"},
        {},
        "view",
        None,
    ],
)
def test_what_the_model_got_wrong_is_told_to_it(memory: Memory, given: object) -> None:
    from anthropic.lib.tools import ToolError

    from memdir.adapters.anthropic_memory import MemdirMemoryTool

    with pytest.raises(ToolError) as error:
        MemdirMemoryTool(memory).call(given)
    assert str(error.value.content).endswith(".")


def test_without_the_sdk_its_package_is_named() -> None:
    code = "import sys; sys.modules['anthropic'] = None; import memdir.adapters.anthropic_memory"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MissingExtra" in done.stderr
    assert "pip install 'anthropic>=2.8'" in done.stderr


def test_without_the_agent_sdk_its_package_is_named(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "claude_agent_sdk", None)
    with pytest.raises(MissingExtra, match="pip install claude-agent-sdk"):
        options_with_memory(object(), memory)


def agent_options(**fields: Any) -> Any:
    from importlib import import_module

    return import_module("claude_agent_sdk").ClaudeAgentOptions(**fields)


@needs_agent_sdk
@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"type": "preset", "preset": "claude_code"}, "append"),
        ({"type": "preset", "preset": "claude_code", "append": "Be kind."}, "append"),
        ({"type": "custom", "prompt": "Be kind."}, "prompt"),
    ],
)
def test_memory_is_told_behind_the_system_prompt(memory: Memory, given: dict[str, str], key: str) -> None:
    changed = options_with_memory(agent_options(system_prompt=given), memory).system_prompt
    assert changed[key].startswith(given.get(key, "#"))
    assert memory.context.prompt(with_index=True) in changed[key]
    assert {**changed, key: None} == {**given, key: None}


@needs_agent_sdk
def test_a_system_prompt_of_text_grows_and_one_in_a_file_is_refused(memory: Memory) -> None:
    told = memory.context.prompt(with_index=True)
    assert options_with_memory(agent_options(), memory).system_prompt == told
    assert options_with_memory(agent_options(system_prompt="Hi."), memory).system_prompt == f"Hi.\n\n{told}"
    with pytest.raises(Rejected, match="in a file"):
        options_with_memory(agent_options(system_prompt={"type": "file", "path": "x"}), memory)


@needs_agent_sdk
def test_hooks_recall_and_ask_for_extraction_beside_the_callers_own(memory: Memory, tmp_path: Path) -> None:
    memory.remember("Deploys go out on Tuesdays only.", name="deploys", kind="project")
    transcript = tmp_path / "s.jsonl"
    transcript.write_text("")
    theirs = object()
    hooks = options_with_memory(agent_options(hooks={"Stop": [theirs]}), memory).hooks
    ((recall,), (kept, ours)) = hooks["UserPromptSubmit"], hooks["Stop"]
    assert kept is theirs

    async def events() -> list[Any]:
        prompt = {"prompt": "when can we deploy the release?"}
        return [
            await recall.hooks[0](prompt, None, {}),
            await recall.hooks[0]({"prompt": "hi"}, None, {}),
            await ours.hooks[0]({"transcript_path": str(transcript)}, None, {}),
        ]

    recalled, nothing, ended = asyncio.run(events())
    assert "Tuesdays" in recalled["hookSpecificOutput"]["additionalContext"]
    assert (nothing, ended) == ({}, {})
    assert [report.job for report in memory.jobs.work(5)] == ["extract"]
