"""A memory directory whose ranking is written down in the test, and a recaller on it."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from memdir.conversation.receipts import Receipt, Receipts
from memdir.conversation.state import Conversation
from memdir.memories.directory import MemoryDir
from memdir.memories.topic import Provenance, Topic
from memdir.models.protocol import Model
from memdir.recall.rank import Best, Ranked
from memdir.recall.recaller import Recaller
from memdir.recall.turn import Limits

__all__ = ["NOW", "Place"]

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
    ) -> Recaller:
        memories = MemoryDir(str(self.directory), str(self.state))

        def best(query: str, *_: object) -> Best:
            self.asked.append(query)
            ranked = [
                Ranked(one, self.scores.get(one.file, 0.0), 1.0, self.semantic) for one in memories.scan()
            ]
            ranked.sort(key=lambda one: (-one.score, one.header.file))
            return Best(ranked, len(ranked), sum(one.semantic is None for one in ranked))

        return Recaller(
            memories,
            Conversation(str(self.state), session),
            session,
            best,
            lambda _, __: known,
            findings,
            lambda: NOW,
            monotonic,
            limits or Limits(budget=20.0, model_budget=20.0, certain=GOOD, likely=LIKELY),
            model,
            no_model,
            off,
        )

    def receipts(self) -> list[Receipt]:
        return Receipts(str(self.state)).all()
