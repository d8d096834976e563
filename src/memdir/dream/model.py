"""The draft of a dream by a model, with the worker's tools and an account of losses."""

from collections.abc import Iterator, Mapping, Sequence

from memdir.dream.daily_log import LogDay
from memdir.dream.material import DreamContext, DreamDraft, Material, sources_of
from memdir.dream.tools import DreamToolbox
from memdir.memories.description import manifest
from memdir.models.protocol import Message, Model, Question
from memdir.text.escape import escape
from memdir.text.likeness import share_held, words
from memdir.text.templates import Templates
from memdir.workers.loop import FAILED, WorkerLimits, run_worker
from memdir.workers.policy import Policy
from memdir.workers.workbench import Workbench

__all__ = ["MOST_TURNS", "model_draft"]

_TEXTS = Templates(__file__)

MOST_TURNS = 24
"""Turns of one dream: a run that needs more makes no progress."""

_MOST_LISTED = 400
"""Memories in the list that the model starts from; it finds older ones with grep and glob."""

_MOST_INSTRUCTIONS = 24_000
"""Characters of instructions: the beginning, which is the most general."""

_MOST_TOKENS = 8_192

_MOST_LINES = 40
"""Lines of one day that waited since an earlier dream: the model reads further ones in the log itself."""

_SAID = 0.5
"""Share of a line's telling words that a memory has which says it."""


def model_draft(model: Model, material: Material, directory: str, context: DreamContext) -> DreamDraft:
    """Return what the model edits to change, and how it accounts for what is gone."""
    bench = Workbench(directory)
    toolbox = DreamToolbox(
        Policy(directory, roots=context.transcripts),
        bench,
        context.progress,
        sources_of(material.texts, material, context),
    )
    limits = WorkerLimits(MOST_TURNS, context.seconds)
    context.progress(f"asking {model.name}")
    question = _head(material, directory, context)
    done = run_worker(model, question, toolbox, clock=context.timer, limits=limits, cancel=context.cancel)
    if done.ended == FAILED:
        return DreamDraft(failed=done.because)
    seen = _seen_lines(material.logs, [question.messages[0].text, *toolbox.shown])
    return DreamDraft(
        done.edits,
        tuple(toolbox.told.items()),
        reports=tuple(_unsaid(seen, [*material.texts.values(), *(edit.after or "" for edit in done.edits)])),
        summary=" ".join(done.text.split())[:500],
        dealt_with=frozenset(seen),
    )


def _seen_lines(logs: Sequence[LogDay], shown: Sequence[str]) -> dict[str, str]:
    """Return the lines of logs that the model was shown, by their file and number."""
    return {
        f"{log.file}:{number}": line
        for log in logs
        for number, line in log.lines
        if any(line in text or escape(line) in text for text in shown)
    }


def _unsaid(seen: Mapping[str, str], texts: Sequence[str]) -> Iterator[str]:
    """Say how many lines the model read and made nothing of."""
    bags = [words(text) for text in texts]
    left = [line for line in seen.values() if all(share_held(words(line), bag) < _SAID for bag in bags)]
    if left:
        yield f"{len(left)} of {len(seen)} logged lines were read, and no memory says them."


def _log_lines(log: LogDay) -> str:
    """Return a day as it is named to the model, with the lines that still wait when others are dealt with."""
    rest = log.lines if log.text != log.whole else []
    return "\n".join(
        [f"- {log.file}", *(f"  - {escape(line.removeprefix('- '))}" for _, line in rest[:_MOST_LINES])]
    )


def _head(material: Material, directory: str, context: DreamContext) -> Question:
    request = _TEXTS.unescaped(
        "request",
        today=context.now.date().isoformat(),
        directory=escape(directory),
        manifest=manifest(material.headers[:_MOST_LISTED]) or _NONE,
        logs="\n".join(map(_log_lines, material.logs)) or _NONE,
        drifted="\n".join(f"- {escape(line)}" for line in context.drifted()) or _NONE,
        transcripts="\n".join(f"- {escape(path)}" for path in context.transcripts) or _NONE,
        instructions=escape(context.instructions()[:_MOST_INSTRUCTIONS]).strip() or _NONE,
    )
    return Question(
        (Message("user", request),),
        system=_TEXTS.unescaped("system", max_deletes=context.max_deletes),
        max_tokens=_MOST_TOKENS,
        timeout=context.seconds,
        cached=True,
        job="dream",
    )


_NONE = "-"
