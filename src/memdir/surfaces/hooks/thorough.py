"""A recall put together from what a card knows, with a closer look at what it shows."""

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from time import monotonic

from memdir.recall.answer import Recaller
from memdir.recall.gates import chosen
from memdir.recall.limits import Limits
from memdir.recall.meaning import Meaning
from memdir.recall.tree import Tree
from memdir.store.conversation import Conversation
from memdir.store.known_writers import KnownWriters
from memdir.store.memory_dir import MemoryDir
from memdir.surfaces.hooks.guard import afterwards, digest, home_of

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from typing import Any

    from memdir.core.topic import Provenance
    from memdir.recall.ranked import Ranked
    from memdir.recall.sheet import Sheet

__all__ = ["recalled"]


def recalled(
    facts: Sequence[str],
    limits: Limits,
    call: "Mapping[str, Any]",
    env: Mapping[str, str],
    *,
    project: str,
    sheet: "Sheet | None",
    key: str,
) -> str:
    """Return what a conversation is shown; without a sheet, one is left under the key for the next prompt."""
    directory, state, config_home, root, _ = facts
    memories = MemoryDir(directory.rstrip("/"), state, root=root)
    meaning = Meaning(memories, config_home)
    tree = Tree(project, home_of(env), env)
    recaller = Recaller(
        memories=memories,
        conversation=Conversation(state, call["session_id"]),
        session=call["session_id"],
        rank=_ranked_by(sheet) if sheet else _ranked_in(memories, meaning),
        choose=chosen,
        writer_of=KnownWriters(state, lambda file: _writer_of(memories, file, env)).of,
        findings=lambda topic, seconds: tree.findings(topic, _now(), seconds),
        clock=_now,
        timer=monotonic,
        limits=limits,
        lacks=meaning.lacks,
    )
    text = recaller.recall(call["prompt"]).text
    if key and sheet is None and not meaning.ready:  # what a sheet answers does not say that vectors lack
        afterwards.append(lambda: _leave_sheet(memories, key, limits))
    return text


def _leave_sheet(memories: MemoryDir, key: str, limits: Limits) -> None:
    from memdir.recall.sheet_writing import write_sheet

    write_sheet(memories, key, limits, lambda: key.startswith(f"{digest(memories.path)} "))


def _ranked_by(sheet: "Sheet") -> "Callable[[str], list[Ranked]]":
    return lambda query: sheet.ranked(query, _now().date().isoformat())


def _ranked_in(memories: MemoryDir, meaning: Meaning) -> "Callable[[str], list[Ranked]]":
    from memdir.recall.ranking import Ranking

    return Ranking(memories, _now, meaning.toward).ranked


def _now() -> datetime:
    return datetime.now(UTC)


def _writer_of(memories: MemoryDir, file: str, env: Mapping[str, str]) -> "Provenance | None":
    from memdir.store.git import git_path
    from memdir.store.trust import known_writer
    from memdir.store.writer import Writer

    return known_writer(Writer(memories, git_path(env.get("PATH", os.defpath))), file)
