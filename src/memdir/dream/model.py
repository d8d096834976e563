"""The draft of a dream by a model, with the worker's tools and an account of losses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from memdir.dream.daily_log import LogDay
from memdir.dream.inputs import DreamContext, DreamDraft, DreamInput, sources_of
from memdir.dream.ledger import FATES, LOST, Fate, LedgerEntry, build_ledger
from memdir.memories.index.pointer import manifest
from memdir.models.protocol import Cancel, Message, Model, Question, Tool, ToolCall
from memdir.text.escape import escape
from memdir.text.similarity import share_held, words
from memdir.text.templates import Templates
from memdir.text.value import replace
from memdir.workers.file_tools import failure, success
from memdir.workers.loop import FAILED, WorkerLimits, run_worker
from memdir.workers.overlay import Overlay
from memdir.workers.policy import CHANGING, Policy
from memdir.workers.shell import SHELL_SECONDS
from memdir.workers.tools import Toolbox

__all__ = ["model_draft"]


_TEXTS = Templates(__file__)
ACCOUNT = "account"
_MOST_SHOWN = 40
"""Statements that one answer lists: the next answer lists what the model has not accounted for."""


class DreamToolbox(Toolbox):
    """A toolbox that says after each change which statements are gone and unaccounted for."""

    def __init__(self, directory: str, inputs: DreamInput, context: DreamContext) -> None:
        """Bind the tools to an overlay over the directory."""
        super().__init__(Policy(directory, roots=context.transcripts), Overlay(directory))
        self.fates: dict[str, Fate] = {}
        self.shown: list[str] = []
        """What the model got to see."""
        self._texts, self._progress = inputs.texts, context.progress
        self._sources = sources_of(inputs.texts, inputs, context)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Return the tools that are offered to the model."""
        return (*super().tools, _account_tool())

    def answers(
        self, calls: Sequence[ToolCall], *, seconds: float = SHELL_SECONDS, cancel: Cancel | None = None
    ) -> tuple[Message, ...]:
        """Answer the calls of one turn in their order; accounts are taken after all changes."""
        for call in calls:
            self._progress(_call_line(call))
        others = [call for call in calls if call.name != ACCOUNT]
        answers = super().answers(others, seconds=seconds, cancel=cancel)
        self.shown += [message.text for message in answers]
        left = iter(answers)
        results = [self._account(call) if call.name == ACCOUNT else next(left) for call in calls]
        # Only now that all accounts are taken: a change does not report what is accounted for beside it.
        return tuple(
            replace(self._with_losses(call, result), call_id=call.id)
            for call, result in zip(calls, results, strict=True)
        )

    def lost_statements(self, file: str = "") -> list[LedgerEntry]:
        """Return the statements of a file, or of all, that stand nowhere any more and are unaccounted for."""
        edits = self.overlay.edits()
        before = {edit.file: edit.before for edit in edits if edit.before and file in ("", edit.file)}
        texts = {**self._texts, **{edit.file: edit.after for edit in edits}}
        after = {name: text for name, text in texts.items() if text is not None}
        return build_ledger(before, after, self.fates, self._sources).of(LOST)

    def _with_losses(self, call: ToolCall, result: Message) -> Message:
        if call.name not in CHANGING or result.failed:
            return result
        file = self.policy.file(str(call.arguments.get("path", "")))
        lost = self.lost_statements(file) if isinstance(file, str) else []
        if not lost:
            return result
        return replace(result, text=f"{result.text}\n\n{_lost_text(lost)}")

    def _account(self, call: ToolCall) -> Message:
        rows = call.arguments.get("claims") if isinstance(call.arguments, Mapping) else None
        if not isinstance(rows, list):
            return failure("account needs claims as a list of objects with id, fate, into and because.")
        if problems := [problem for row in rows if (problem := self._take(row))]:
            return failure("\n".join(problems[:_MOST_SHOWN]))
        return success(_lost_text(self.lost_statements()))

    def _take(self, row: object) -> str:
        """Note what became of one statement; return what is wrong with the row, if anything is."""
        if not isinstance(row, Mapping) or not isinstance(row.get("id"), str):
            return "Each entry is an object with id, fate, into and because."
        fate, into, because = (str(row.get(key) or "") for key in ("fate", "into", "because"))
        if fate not in FATES:
            return f"{row['id'][:80]}: fate is one of {', '.join(FATES)}."
        self.fates[row["id"]] = Fate(fate, into.removeprefix("./"), because[:500])
        return ""


def _lost_text(lost: Sequence[LedgerEntry]) -> str:
    if not lost:
        return _TEXTS.fill_plain("accounted")
    rows = [(one.statement, one.because) for one in lost[:_MOST_SHOWN]]
    claims = "\n".join(f"- {one.id}: {one.text[:300]} ({because})" for one, because in rows)
    return _TEXTS.fill_plain("lost", claims=claims)


def _call_line(call: ToolCall) -> str:
    given: Mapping[str, Any] = call.arguments if isinstance(call.arguments, Mapping) else {}
    about = next((str(given[key]) for key in ("path", "text", "pattern", "command") if given.get(key)), "")
    return f"{call.name} {about[:80]}".rstrip()


@cache
def _account_tool() -> Tool:
    about, _, each = _TEXTS.fill_plain("account").rpartition("\n\n")
    about_each = dict(line.split(": ", 1) for line in each.split("\n"))
    fields: dict[str, Any] = {
        name: {"type": "string", "description": about_each[name]}
        for name in ("id", "fate", "into", "because")
    }
    fields["fate"]["enum"] = list(FATES)
    row = {"type": "object", "properties": fields, "required": ["id", "fate"], "additionalProperties": False}
    schema = {
        "type": "object",
        "properties": {"claims": {"type": "array", "items": row, "description": about_each["claims"]}},
        "required": ["claims"],
        "additionalProperties": False,
    }
    return Tool(ACCOUNT, about, schema)


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


def model_draft(model: Model, inputs: DreamInput, directory: str, context: DreamContext) -> DreamDraft:
    """Return the model's edits, and its account of the statements that they remove."""
    toolbox = DreamToolbox(directory, inputs, context)
    limits = WorkerLimits(MOST_TURNS, context.seconds)
    context.progress(f"asking {model.name}")
    question = _head(inputs, directory, context)
    timer, cancel = context.world.timer, context.cancel
    done = run_worker(model, question, toolbox, clock=timer, limits=limits, cancel=cancel)
    if done.ended == FAILED:
        return DreamDraft(failed=done.because)
    seen = _seen_lines(inputs.logs, [question.messages[0].text, *toolbox.shown])
    texts = [*inputs.texts.values(), *(edit.after or "" for edit in done.edits)]
    return DreamDraft(
        done.edits,
        toolbox.fates,
        reports=tuple(_unused_lines(seen, texts)),
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


def _unused_lines(seen: Mapping[str, str], texts: Sequence[str]) -> Iterator[str]:
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


def _head(inputs: DreamInput, directory: str, context: DreamContext) -> Question:
    headers = [topic.header for topic in inputs.topics[:_MOST_LISTED]]
    request = _TEXTS.fill_plain(
        "request",
        today=context.now.date().isoformat(),
        directory=escape(directory),
        manifest=manifest(headers) or _NONE,
        logs="\n".join(map(_log_lines, inputs.logs)) or _NONE,
        drifted="\n".join(f"- {escape(line)}" for line in context.drifted()) or _NONE,
        transcripts="\n".join(f"- {escape(path)}" for path in context.transcripts) or _NONE,
        instructions=escape(context.instructions()[:_MOST_INSTRUCTIONS]).strip() or _NONE,
    )
    return Question(
        (Message("user", request),),
        system=_TEXTS.fill_plain("system", max_deletes=context.max_deletes),
        max_tokens=_MOST_TOKENS,
        timeout=context.seconds,
        cached=True,
        job="dream",
    )


_NONE = "-"
