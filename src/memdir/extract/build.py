"""An extractor as the settings want it, for one memory directory and one conversation."""

from collections.abc import Callable

from memdir.config.enabled import Verdict
from memdir.config.location import Setup
from memdir.config.settings import Settings
from memdir.config.world import World
from memdir.extract.extractor import Extractor
from memdir.extract.gate import Rules
from memdir.extract.heuristics.certainty import Judge
from memdir.extract.tagger import shipped_tagger
from memdir.memories.writer import Writer
from memdir.models.build import NoModel
from memdir.models.protocol import Model
from memdir.recall.rank import Ranked
from memdir.workers.loop import WorkerLimits

__all__ = ["extractor"]


def extractor(
    writer: Writer,
    setup: Setup,
    verdict: Verdict,
    world: World,
    *,
    model: Callable[[], Model | NoModel],
    rank: Callable[[str], list[Ranked]],
) -> Extractor:
    """Return what extracts conversations into this directory."""
    settings = setup.settings
    limits = WorkerLimits(settings.number("extract.maxTurns"), float(settings.number("worker.maxSeconds")))
    return Extractor(
        writer=writer,
        model=model,
        rank=rank,
        clock=world.clock,
        timer=world.timer,
        verdict=verdict,
        judge=lambda: _judge(settings),
        rules=Rules.of(settings),
        limits=limits,
        drain_seconds=float(settings.number("extract.drainSeconds")),
        session=world.session,
        home=world.home,
        roots=(setup.place.root,) if setup.place.root else (),
    )


def _judge(settings: Settings) -> Judge:
    """Return the shipped tagger, where it can be loaded, with the thresholds of the settings."""
    save, inbox = (settings.number(f"extract.{name}Percent") / 100 for name in ("save", "inbox"))
    return Judge(shipped_tagger(), save, min(save, inbox))
