"""A recall put together from what a card knows: settings and places need not be found out again."""

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from time import monotonic

from memdir.recall.answer import Recaller
from memdir.recall.gates import chosen
from memdir.recall.limits import Limits
from memdir.recall.meaning import Meaning
from memdir.recall.ranking import Ranking
from memdir.recall.tree import Tree
from memdir.store.conversation import Conversation
from memdir.store.known_writers import KnownWriters
from memdir.store.memory_dir import MemoryDir

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from typing import Any

    from memdir.core.topic import Provenance

__all__ = ["recalled"]


def recalled(facts: Sequence[str], call: "Mapping[str, Any]", env: Mapping[str, str]) -> str:
    """Return what a host reads at a prompt; empty when no memory is clearly useful."""
    directory, state, config_home, root, limits = facts
    memories = MemoryDir(directory.rstrip("/"), state, root=root)
    tree = Tree(call["cwd"], env.get("HOME") or os.path.expanduser("~"), env)
    recaller = Recaller(
        memories=memories,
        conversation=Conversation(state, call["session_id"]),
        session=call["session_id"],
        rank=Ranking(memories, _now, Meaning(memories, config_home).toward).ranked,
        choose=chosen,
        writer_of=KnownWriters(state, lambda file: _writer_of(memories, file, env)).of,
        findings=lambda topic, seconds: tree.findings(topic, _now(), seconds),
        clock=_now,
        timer=monotonic,
        limits=Limits(*[float(word) if "." in word else int(word) for word in limits.split()]),  # type: ignore[arg-type]
    )
    text = recaller.recall(call["prompt"]).text
    return _as_json(text) if text else ""


def _now() -> datetime:
    return datetime.now(UTC)


def _writer_of(memories: MemoryDir, file: str, env: Mapping[str, str]) -> "Provenance | None":
    from memdir.store.git import git_path
    from memdir.store.trust import known_writer
    from memdir.store.writer import Writer

    return known_writer(Writer(memories, git_path(env.get("PATH", os.defpath))), file)


def _as_json(text: str) -> str:
    """Return what `hosts.claude_code` writes for a prompt, without the package that writes any JSON."""
    from _json import encode_basestring_ascii

    shown = encode_basestring_ascii(text)
    return (
        '{"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": ' + shown + "}}\n"
    )
