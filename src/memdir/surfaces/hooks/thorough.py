"""A recall put together from what a card knows, with a closer look at what it shows."""

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


def recalled(
    facts: Sequence[str], limits: Limits, call: "Mapping[str, Any]", env: Mapping[str, str], key: str
) -> str:
    """Return what a conversation is shown; under a key, a sheet is left for the next prompt."""
    directory, state, config_home, root, _ = facts
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
        limits=limits,
    )
    text = recaller.recall(call["prompt"]).text
    if key:
        from memdir.recall.sheet_writing import write_sheet
        from memdir.surfaces.hooks.guard import digest

        write_sheet(memories, key, limits, lambda: key.startswith(f"{digest(directory)} "))
    return text


def _now() -> datetime:
    return datetime.now(UTC)


def _writer_of(memories: MemoryDir, file: str, env: Mapping[str, str]) -> "Provenance | None":
    from memdir.store.git import git_path
    from memdir.store.trust import known_writer
    from memdir.store.writer import Writer

    return known_writer(Writer(memories, git_path(env.get("PATH", os.defpath))), file)
