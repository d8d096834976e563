"""Whatever stands in a field of a host's event, its hook answers or refuses in words, and never breaks."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.environment import WORDS_ALONE

from memdir import Memory
from memdir.hooks.full_answer import answer
from memdir.hooks.reply_cache import parse
from memdir.hosts.protocol import ClaudeCode, Generic, Host

RECORDED: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "claude_code" / "hook_inputs.json").read_text()
)
EVENTS = ("PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "PostCompact")
"""Those that are answered in this process alone."""

TOOLS: Mapping[str, dict[str, Any]] = {
    "Write": {"file_path": "$M/user_x.md", "content": "x"},
    "Edit": {"file_path": "$M/user_x.md", "old_string": "x", "new_string": "y", "replace_all": False},
    "MultiEdit": {"file_path": "$M/user_x.md", "edits": [{"old_string": "x", "new_string": "y"}]},
    "NotebookEdit": {"notebook_path": "$M/x.ipynb", "new_source": "x", "cell_id": "1"},
    "Read": {"file_path": "$M/user_x.md", "offset": 1},
    "Bash": {"command": "git push origin main", "description": "x", "timeout": 5},
    "Grep": {"pattern": "x", "path": "$R/proj"},
    "WebFetch": {"url": "https://example.com", "prompt": "x"},
}


def calls() -> Iterator[dict[str, Any]]:
    """Yield what was recorded, and the calls of every tool that is looked at more closely."""
    for name, said in RECORDED.items():
        if name.partition(":")[0] in EVENTS:
            yield said
    for event in ("PreToolUse", "PostToolUse"):
        for tool, tool_input in TOOLS.items():
            yield {**RECORDED[event], "tool_name": tool, "tool_input": tool_input}


def places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every field, and to every field of a field."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*path, key)
        yield from places(one, (*path, key))


def replaced(value: Any, path: tuple[Any, ...], new: object) -> Any:
    if not path:
        return new
    key, *rest = path
    items = list(value) if isinstance(value, list) else dict(value)
    items[key] = replaced(value[key], tuple(rest), new)
    return items


Case = tuple[dict[str, Any], tuple[Any, ...]]
CASES: list[Case] = [(said, path) for said in calls() for path in places(said)]
READ = ("tool_input", "tool_name", "prompt", "source", "session_id", "cwd")
CLOSER: list[Case] = [(said, path) for said, path in CASES if path[0] in READ]
MULTI_EDIT = {**RECORDED["PreToolUse"], "tool_name": "MultiEdit", "tool_input": TOOLS["MultiEdit"]}
GENERIC = {
    "session_id": "session",
    "transcript_path": "transcript",
    "tool_name": "tool",
    "tool_input": "input",
}
TEXTS = st.text(st.characters(exclude_categories=[]), max_size=12) | st.sampled_from(
    [
        "",
        "\0",
        "\ud800",
        "../..",
        "/",
        "~",
        "$M",
        "$M/\0.md",
        "$M/\ud800.md",
        "$M/MEMORY.md",
        "$M/" + "x" * 300,
    ]
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
ANYTHING = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return a folder with a home and a project, and where its memories lie."""
    root = tmp_path_factory.mktemp("odd")
    (root / "home").mkdir()
    (root / "proj").mkdir()
    memory = Memory.open(root / "proj", {"HOME": str(root / "home"), "PATH": "", **WORDS_ALONE})
    memory.remember("Never push to main.", name="no-push", enforce="Bash: git push *; Write: *.lock")
    memory.remember("Deploys go through the blue pipeline.", kind="project", name="deploys")
    return root, str(memory.directory).rstrip("/")


@pytest.mark.parametrize("host", [ClaudeCode(), Generic()], ids=lambda host: host.name)
@settings(max_examples=settings().max_examples * 3 // 5)
@given(case=st.sampled_from(CLOSER) | st.sampled_from(CASES), value=ANYTHING)
@example(case=(MULTI_EDIT, ("tool_input", "edits")), value=5)
@example(case=(MULTI_EDIT, ("tool_input", "file_path")), value="\ud800")
def test_an_odd_field_breaks_no_hook(place: tuple[Path, str], host: Host, case: Case, value: object) -> None:
    root, directory = place
    said, path = case
    odd = replaced(said, path, value)
    sent = odd if host.name == "claude-code" else {GENERIC.get(key, key): one for key, one in odd.items()}
    text = json.dumps(sent).replace("$R", str(root)).replace("$M", directory)
    env = {"HOME": str(root / "home"), "PATH": "", **WORDS_ALONE}
    try:
        call = host.call(said["hook_event_name"], parse(text.encode()), env)
        told = host.render_answer(call, answer(call, env))
    except (LookupError, TypeError, ValueError):
        assert path in {("cwd",), ("session_id",)}  # the only fields without which there is nothing to do
    else:
        assert not told or json.loads(told)
