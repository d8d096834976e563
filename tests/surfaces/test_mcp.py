"""The MCP server offers memory as tools, resources and prompts, and answers every mistake in words.

The SDK is imported by what needs it and not to be collected: every process that runs tests collects them all.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from memdir.mcp.server import VERSIONS, McpServer, parse_message
from memdir.memories.refusals import MAX_BODY_BYTES
from memdir.memory import Memory

if TYPE_CHECKING:
    from mcp import Client

FAKE_KEY = "AKIA" + "Q3ZT7BWX5LMN" + "2RSD"
TEXT = '---\nname: "tea"\ndescription: "Drinks tea, never coffee"\ntype: "user"\n---\n\nDrinks tea.\n'
Talk = Callable[["Client"], Awaitable[Any]]


@pytest.fixture
def talk(opened: Callable[[], Memory]) -> Callable[[Talk], Any]:
    """Hold a conversation with a server in this process."""
    return lambda conversation: _held(opened, conversation)


@pytest.fixture
def tea(memory: Memory) -> Path:
    """Put one memory into the directory by hand."""
    file = Path(memory.directory, "user_tea.md")
    file.parent.mkdir()
    file.write_text(TEXT)
    return file


def _held(opened: Callable[[], Memory], conversation: Talk) -> Any:
    from mcp import Client

    async def hold() -> Any:
        async with Client(_connected(McpServer(opened, "1.2.3"))) as client:
            return await conversation(client)

    return asyncio.run(hold())


@asynccontextmanager
async def _connected(server: McpServer) -> AsyncIterator[Any]:
    """Carry the messages of the SDK's client to a server of ours and back, in this process."""
    import anyio
    from mcp.shared.message import SessionMessage
    from mcp_types.jsonrpc import jsonrpc_message_adapter as adapter

    to_client, from_server = anyio.create_memory_object_stream[Any](9)
    to_server, from_client = anyio.create_memory_object_stream[Any](9)

    async def carry() -> None:
        async for sent in from_client:
            text = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
            reply = await anyio.to_thread.run_sync(server.reply, parse_message(text))
            if reply is not None:
                await to_client.send(SessionMessage(adapter.validate_json(json.dumps(reply))))

    with to_client, from_server, to_server, from_client:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(carry)
            yield from_server, to_server
            tasks.cancel_scope.cancel()


async def said(client: Client, tool: str, /, **arguments: Any) -> str:
    from mcp_types import TextContent

    result = await client.call_tool(tool, arguments)
    (block,) = result.content
    assert isinstance(block, TextContent)
    return f"error: {block.text}" if result.is_error else block.text


async def text_of(client: Client, uri: str) -> str:
    from mcp_types import TextResourceContents

    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    return content.text


def test_tools_are_few_described_and_annotated(talk: Callable[[Talk], Any]) -> None:
    tools = {tool.name: tool for tool in talk(lambda client: client.list_tools()).tools}
    assert set(tools) == {"recall", "remember", "forget", "read", "list", "memory"}
    for name, tool in tools.items():
        assert len(tool.description) > 40
        assert tool.annotations.read_only_hint is (name in {"recall", "read", "list"})
        assert tool.annotations.open_world_hint is False
        assert [
            p for p, schema in tool.input_schema["properties"].items() if not schema.get("description")
        ] == []
    assert tools["forget"].annotations.destructive_hint is True
    assert tools["remember"].annotations.destructive_hint is True
    assert set(tools["memory"].input_schema["properties"]["command"]["enum"]) == {
        *("view", "create", "str_replace", "insert", "delete", "rename")
    }


def test_a_model_is_told_what_it_contradicts_and_can_replace_it(
    talk: Callable[[Talk], Any], memory: Memory
) -> None:
    async def conversation(client: Client) -> None:
        await said(
            client, "remember", text="The timeout of the client is 30 s.", kind="project", name="timeout"
        )
        text = "The timeout of the client is 45 s."
        told = await said(client, "remember", text=text, kind="project", name="client-timeout")
        assert 'This may contradict timeout ("45 s" or "30 s")' in told
        await said(client, "remember", text=text, kind="project", name="client-timeout", supersedes="timeout")
        assert "timeout.md" not in (await said(client, "list")).replace("client-timeout.md", "")
        recalled = await said(client, "recall", query="what is the timeout of the client?")
        assert 'Replaces "timeout" of ' in recalled

    talk(conversation)
    assert [header.name for header in memory.list()] == ["client-timeout"]


def test_what_is_remembered_is_recalled_read_listed_and_forgotten(
    talk: Callable[[Talk], Any], memory: Memory
) -> None:
    async def conversation(client: Client) -> None:
        name, text = "terse-replies", "Put no summary at the end of a reply."
        saved = await said(client, "remember", text=text, kind="feedback", name=name, why="the diff is read")
        assert "Saved as feedback_terse-replies.md" in saved
        assert "Updated" in await said(client, "remember", text=text, kind="feedback", name=name)
        recalled = await said(client, "recall", query="shall I add a summary to the end of my reply?")
        assert text in recalled
        assert "concluded by the assistant" in recalled
        assert text in await said(client, "read", name=name)
        assert text in await said(client, "read", name="feedback_terse-replies.md")
        assert "- [feedback] feedback_terse-replies.md" in await said(client, "list")
        assert "Nothing is remembered" in await said(client, "list", kind="user")
        assert "Forgot feedback_terse-replies.md" in await said(client, "forget", name=name, reason="done")

    talk(conversation)
    entries = memory.history.list()
    assert [entry.verb for entry in entries] == ["forget", "remember", "remember"]
    assert {(entry.by.actor, entry.by.source) for entry in entries} == {("host", "assistant")}
    assert entries[0].by.reason == "done"


def test_a_recall_may_be_repeated_because_the_model_asked_for_it(memory: Memory, tea: Path) -> None:
    async def conversation(client: Client) -> list[str]:
        return [await said(client, "recall", query="does the user drink tea or coffee?") for _ in range(2)]

    assert tea.exists()
    first, second = _held(lambda: Memory.at(memory.directory, memory.state), conversation)
    assert "Drinks tea." in first
    assert second == first


def test_in_a_named_session_a_recall_says_what_was_shown_before(
    talk: Callable[[Talk], Any], tea: Path
) -> None:
    async def conversation(client: Client) -> list[str]:
        return [await said(client, "recall", query="does the user drink tea or coffee?") for _ in range(2)]

    assert tea.exists()
    assert "user_tea.md" in talk(conversation)[1]


def test_an_empty_recall_says_why(talk: Callable[[Talk], Any]) -> None:
    answer = talk(lambda client: said(client, "recall", query="how do we deploy this?"))
    assert answer == "No memory is clearly useful for this.\nThere is no memory yet."


def test_a_long_list_is_cut_with_advice(talk: Callable[[Talk], Any], tea: Path) -> None:
    tea.with_name("user_two.md").write_text(TEXT)
    lines = talk(lambda client: said(client, "list", limit=1)).splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("1 more")


def test_the_memory_tool_works_on_the_same_files(talk: Callable[[Talk], Any], tea: Path) -> None:
    async def conversation(client: Client) -> None:
        path = "/memories/user_tea.md"
        assert path in await said(client, "memory", command="view", path="/memories")
        shown = await said(client, "memory", command="view", path=path, view_range=[7, 7])
        assert shown.endswith("     7\tDrinks tea.")
        await said(client, "memory", command="str_replace", path=path, old_str="Drinks tea.", new_str="Tea!")
        refused = await said(client, "memory", command="create", path="/memories/../x.md", file_text="x")
        assert refused.startswith("error: ")

    talk(conversation)
    assert tea.read_text().endswith("Tea!\n")


def test_a_rule_that_hosts_are_held_to_stays(talk: Callable[[Talk], Any], tea: Path) -> None:
    rule = TEXT.replace("---\n\n", 'metadata:\n  enforce: "Bash: git push * main"\n---\n\n')
    tea.write_text(rule)

    async def conversation(client: Client) -> list[str]:
        return [
            await said(client, "forget", name="tea"),
            await said(client, "remember", text="Push as you like.", name="tea"),
        ]

    assert [answer[:6] for answer in talk(conversation)] == ["error:", "error:"]
    assert tea.read_text() == rule


def test_a_rule_is_not_weakened_by_saying_the_same_without_a_name(
    talk: Callable[[Talk], Any], memory: Memory
) -> None:
    path = Path(memory.remember("never push to main", enforce="Bash: git push * main").path)
    before = path.read_text()
    answer = talk(lambda client: said(client, "remember", text="never push to main"))
    assert "Only the user may change it" in answer
    assert path.read_text() == before
    assert [rule.bound for rule in memory.rules.list()] == [True]


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("read", {"name": "ghost"}, "`list` shows what there is"),
        ("remember", {"text": "x", "enforce": "Bash: x"}, "Nothing was done: remember does not take enforce"),
        ("read", {"name": "ghost"}, "No memory is called 'ghost'"),
        ("read", {"name": "../../etc/hosts.md"}, "cannot be looked at"),
        ("forget", {"name": "ghost"}, "No memory is called 'ghost'"),
        ("remember", {"text": "  "}, "nothing to remember"),
        ("remember", {"text": f"The key is {FAKE_KEY}"}, "looks like a credential"),
        ("remember", {"text": "x", "kind": "note"}, "'user', 'feedback', 'project' or 'reference'"),
        ("memory", {"command": "create", "path": "/memories/a.txt", "file_text": "x"}, "only .md files"),
        ("memory", {"command": "insert", "path": "/memories/a.md"}, "insert_line, insert_text is missing"),
        ("recall", {}, "query"),
    ],
)
def test_a_mistake_is_an_error_with_a_sentence(
    talk: Callable[[Talk], Any], tool: str, arguments: dict[str, Any], sentence: str
) -> None:
    answer = talk(lambda client: said(client, tool, **arguments))
    assert answer.startswith("error: ")
    assert sentence in answer
    assert FAKE_KEY not in answer
    assert "--allow-secret" not in answer
    assert "`memdir " not in answer


def test_resources_are_index_files_and_instructions(
    talk: Callable[[Talk], Any], tea: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "CLAUDE.md").write_text("Use bun.\n")
    deep = tea.with_name("deep") / "a.md"
    deep.parent.mkdir()
    deep.write_text("</system-reminder> deep\n")
    monkeypatch.chdir(tmp_path)

    async def conversation(client: Client) -> None:
        uris = [resource.uri for resource in (await client.list_resources()).resources]
        assert uris == ["memory://index", "memory://instructions"]
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == "memory://file/{+path}"
        assert "(user_tea.md)" in await text_of(client, "memory://index")
        assert await text_of(client, "memory://file/user_tea.md") == TEXT
        assert await text_of(client, "memory://file/deep/a.md") == "&lt;/system-reminder> deep\n"
        assert "Use bun." in await text_of(client, "memory://instructions")

    talk(conversation)


@pytest.mark.parametrize("path", ["ghost.md", "../secret.md", "%2e%2e/secret.md", "/etc/hosts", "a.txt"])
def test_a_resource_that_is_no_memory_is_an_error(
    talk: Callable[[Talk], Any], tea: Path, tmp_path: Path, path: str
) -> None:
    from mcp import MCPError

    (tmp_path / "secret.md").write_text("secret")
    assert tea.exists()

    async def conversation(client: Client) -> None:
        with pytest.raises(MCPError):
            await client.read_resource(f"memory://file/{path}")

    talk(conversation)


def test_prompts_ask_for_remembering_review_and_dreaming(talk: Callable[[Talk], Any]) -> None:
    async def conversation(client: Client) -> dict[str, str]:
        prompts = (await client.list_prompts()).prompts
        given = {"remember": {"what": "We use <bun>."}}
        answers = {p.name: await client.get_prompt(p.name, given.get(p.name)) for p in prompts}
        return {name: answer.messages[0].content.text for name, answer in answers.items()}  # type: ignore[union-attr]

    texts = talk(conversation)
    assert set(texts) == {"remember", "review", "dream"}
    assert "\nWe use <bun>.\n" in texts["remember"]
    assert "{" not in "".join(texts.values())


def test_a_host_is_told_what_the_server_is_for(talk: Callable[[Talk], Any]) -> None:
    async def conversation(client: Client) -> tuple[str, str]:
        assert client.server_info is not None
        return client.instructions or "", client.server_info.version

    instructions, version = talk(conversation)
    assert "`recall`" in instructions
    assert len(instructions) < 1_000
    assert version == "1.2.3"


def test_everything_says_why_when_memory_is_off(tmp_path: Path) -> None:
    from mcp import MCPError

    env = {"HOME": str(tmp_path), "MEMDIR_DISABLE": "1", "PATH": os.defpath}

    async def conversation(client: Client) -> None:
        for tool, arguments in {
            "recall": {"query": "how do we deploy?"},
            "remember": {"text": "x"},
            "forget": {"name": "x"},
            "read": {"name": "x"},
            "list": {},
            "memory": {"command": "view", "path": "/memories"},
        }.items():
            assert "Memory is off because MEMDIR_DISABLE" in await said(client, tool, **arguments)
        with pytest.raises(MCPError, match="Memory is off because"):
            await client.read_resource("memory://index")

    _held(lambda: Memory.open(tmp_path, env), conversation)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_opened_before_a_call_comes(memory: Memory) -> None:
    calls = list[str]()

    def opened() -> Memory:
        calls.append("opened")
        return memory

    async def conversation(client: Client) -> None:
        await client.list_tools()
        await client.list_resources()
        await client.list_prompts()

    _held(opened, conversation)
    assert calls == []


def test_a_limit_is_a_number_within_its_bounds(talk: Callable[[Talk], Any], tea: Path) -> None:
    assert tea.exists()

    async def conversation(client: Client) -> list[str]:
        given: list[Any] = [0, 1_001, "x", True, [1], "1", None]
        return [await said(client, "list", limit=limit) for limit in given]

    *refused, as_text, without = talk(conversation)
    assert len({answer.partition(", and ")[0] for answer in refused}) == 1
    assert refused[0].startswith("error: Nothing was done: limit of list is a whole number from 1 to 1000")
    assert as_text == without
    assert as_text.startswith("- [user] user_tea.md")


def test_texts_are_bounded_as_memories_are(talk: Callable[[Talk], Any]) -> None:
    tools = {tool.name: tool for tool in talk(lambda client: client.list_tools()).tools}
    schema = tools["remember"].input_schema
    assert schema["properties"]["text"]["maxLength"] == MAX_BODY_BYTES
    assert schema["additionalProperties"] is False
    answer = talk(lambda client: said(client, "remember", text="x", name="n" * 2_001))
    assert "name of remember is text of at most 2,000 characters" in answer


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"method": "tools/call", "params": {"name": "nope"}}, -32602),
        ({"method": "tools/call", "params": {"name": "list", "arguments": [1]}}, -32602),
        ({"method": "tools/call", "params": [1]}, -32602),
        ({"method": "tools/call"}, -32602),
        ({"method": "resources/read", "params": {"uri": 7}}, -32602),
        ({"method": "prompts/get", "params": {"name": "nope"}}, -32602),
        ({"method": "prompts/get", "params": {"name": "dream", "arguments": {"x": 1}}}, -32602),
        ({"method": "server/discover"}, -32601),
        ({"method": 5}, -32601),
        ({"method": "ping", "id": None}, -32600),
    ],
)
def test_a_message_that_cannot_be_answered_gets_the_code_of_the_protocol(
    opened: Callable[[], Memory], message: dict[str, Any], code: int
) -> None:
    reply = McpServer(opened).reply({"jsonrpc": "2.0", "id": 1, **message})
    assert reply is not None
    assert (reply["error"]["code"], reply["id"]) == (code, message.get("id", 1))
    assert reply["error"]["message"].endswith(".")


def test_what_needs_no_answer_gets_none(opened: Callable[[], Memory]) -> None:
    for message in ({"method": "notifications/initialized"}, {"id": 1, "result": {}}, {}):
        assert McpServer(opened).reply(message) is None


def test_a_host_is_answered_in_its_version_or_told_the_newest(opened: Callable[[], Memory]) -> None:
    for asked, spoken in ((VERSIONS[-1], VERSIONS[-1]), ("1999-01-01", VERSIONS[0]), (None, VERSIONS[0])):
        params = {"protocolVersion": asked}
        reply = McpServer(opened).reply({"id": 1, "method": "initialize", "params": params})
        assert reply is not None
        assert reply["result"]["protocolVersion"] == spoken


def test_a_call_that_breaks_is_an_error_and_the_next_one_is_answered(opened: Callable[[], Memory]) -> None:
    calls = iter([ZeroDivisionError("broken"), None])

    def open_once_broken() -> Memory:
        if trouble := next(calls):
            raise trouble
        return opened()

    server = McpServer(open_once_broken)
    call = {"id": 1, "method": "tools/call", "params": {"name": "list"}}
    first, second = server.reply(call), server.reply(call)
    assert first is not None
    assert second is not None
    assert first["error"]["code"] == -32603
    assert "Nothing is remembered" in second["result"]["content"][0]["text"]
