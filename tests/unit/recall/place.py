"""A memory directory whose ranking is written down in the test, and a recaller on it."""

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from memdir.config.world import World
from memdir.conversation.receipts import Receipt, Receipts
from memdir.conversation.state import Conversation
from memdir.memories.directory import MemoryDir
from memdir.memories.topic import Provenance, Topic
from memdir.models.build import NoModel
from memdir.models.protocol import Model
from memdir.recall.fusion import Ranked
from memdir.recall.limits import Limits
from memdir.recall.ranker import Ranking
from memdir.recall.recaller import Recaller
from memdir.recall.semantic.vectors import VectorStore

__all__ = ["NOW", "Place", "PlacedRecaller"]

NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
GOOD, LIKELY = 0.5, 0.4
"""What scores this much is shown in full, and as a line."""


class Place:
    """Memories a.md, b.md, … whose scores are given, best first."""

    def __init__(self, folder: Path, scores: Sequence[float] = (0.9, 0.8, 0.3)) -> None:
        self.directory, self.state = folder / "memory", folder / "state"
        self.directory.mkdir()
        self.scores = {f"{chr(97 + at)}.md": score for at, score in enumerate(scores)}
        for file in self.scores:
            self.write(file, f"Body of {file}.")
        self.asked: list[str] = []
        self.semantic: float | None = None
        """What every memory has of meaning."""

    def write(self, file: str, body: str) -> None:
        head = f'---\nname: "{file.removesuffix(".md")}"\ndescription: "About {file}"\ntype: "project"\n---\n'
        (self.directory / file).write_text(f"{head}\n{body}\n")

    def recaller(
        self,
        model: Model | None = None,
        *,
        session: str = "",
        limits: Limits | None = None,
        findings: Callable[[Topic, float], Sequence[str]] = lambda _, __: (),
        known: Provenance | None = None,
        no_model: str = "",
        off: str = "",
    ) -> "PlacedRecaller":
        limits = limits or Limits(budget=20.0, model_budget=20.0, certain=GOOD, likely=LIKELY)
        nobody = NoModel(no_model, wrong=bool(no_model))
        found = PlacedRecaller(
            [_Directory(MemoryDir(str(self.directory), str(self.state)))],
            Conversation(str(self.state), session),
            World({}, "/", "/", lambda: NOW, session),
            limits,
            model=model or nobody,
            off=off,
        )
        found.ranks, found.finds, found.wrote = self._ranking, findings, lambda _: known
        return found

    def _ranking(self, query: str) -> Ranking:
        self.asked.append(query)
        memories = MemoryDir(str(self.directory), str(self.state))
        ranked = [Ranked(one, self.scores.get(one.file, 0.0), 1.0, self.semantic) for one in memories.scan()]
        ranked.sort(key=lambda one: (-one.score, one.header.file))
        return Ranking(ranked, len(ranked), sum(one.semantic is None for one in ranked))

    def receipts(self) -> list[Receipt]:
        return Receipts(str(self.state)).all()


class PlacedRecaller(Recaller):
    """A recaller whose ranking, writers and findings are written down in the test."""

    ranks: Callable[[str], Ranking]
    finds: Callable[[Topic, float], Sequence[str]]
    wrote: Callable[[str], Provenance | None]

    def ranking(self, query: str, *_: object) -> Ranking:
        return self.ranks(query)

    def findings(self, topic: Topic, seconds: float) -> Sequence[str]:
        return self.finds(topic, seconds)

    def writer_of(self, file: str, _: os.stat_result) -> Provenance | None:
        return self.wrote(file)


class _Directory:
    """A directory without vectors."""

    def __init__(self, memories: MemoryDir) -> None:
        self.memories, self.vectors = memories, VectorStore(memories, "/nowhere")

    def writer_of(self, _: str) -> Provenance | None:
        return None
