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
from memdir.recall.limits import Limits
from memdir.recall.ranked import Cut, Ranked, Selection
from memdir.recall.recaller import Recaller

__all__ = ["NOW", "Place"]

NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
GOOD = 0.5
"""The embedded selector of these tests shows what scores this much."""


class Place:
    """Memories a.md, b.md, … whose scores are given, best first."""

    def __init__(self, folder: Path, scores: Sequence[float] = (0.9, 0.8, 0.3)) -> None:
        self.directory, self.state = folder / "memory", folder / "state"
        self.directory.mkdir()
        self.scores = {f"{chr(97 + at)}.md": score for at, score in enumerate(scores)}
        for file in self.scores:
            self.write(file, f"Body of {file}.")
        self.asked: list[str] = []

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

        def rank(query: str, _: object = None) -> list[Ranked]:
            self.asked.append(query)
            ranked = [Ranked(one, self.scores.get(one.file, 0.0), lexical=1.0) for one in memories.scan()]
            return sorted(ranked, key=lambda one: (-one.score, one.header.file))

        return Recaller(
            memories,
            Conversation(str(self.state), session),
            session,
            rank,
            chosen_by_score,
            lambda _, __: known,
            findings,
            lambda: NOW,
            monotonic,
            limits or Limits(budget=20.0, model_budget=20.0),
            model,
            no_model,
            off,
        )

    def receipts(self) -> list[Receipt]:
        return Receipts(str(self.state)).all()


def chosen_by_score(_: str, ranked: list[Ranked], limit: int) -> Selection:
    good = [one for one in ranked if one.score >= GOOD]
    cuts = [Cut(one.header.file, f"its score is below {GOOD}") for one in ranked if one.score < GOOD]
    cuts += [Cut(one.header.file, "enough is shown") for one in good[limit:]]
    return Selection(tuple(good[:limit]), tuple(cuts))
