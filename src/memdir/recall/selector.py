"""Who chooses: a model where there is one and it answers in time, else the embedded selector.

A host waits for this module: it imports late and does without `typing`.
"""

from collections.abc import Container, Mapping, Sequence

from memdir.conversation.receipts import receipt_query
from memdir.conversation.state import ALREADY_NAMED, ALREADY_SHOWN
from memdir.errors import Cancelled, ModelReplyError, ModelTimeout
from memdir.memories.names import is_team_file
from memdir.memories.topic import Header
from memdir.recall.rank import REPLACED, Ranked, by_probability
from memdir.recall.turn import CERTAIN, LIKELY, MOST_FILES, Limits, RecallTurn
from memdir.text.fast_escape import fast_escape
from memdir.text.templates import Prose, Templates
from memdir.text.value import replace, value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.models.protocol import Cancel, Model, Question, Reply

__all__ = ["MOST_LINES", "Choice", "choose", "parse_choice", "question", "select"]

MOST_LINES = 3
"""Lines of likely memories in one turn: whoever reads them can open the files."""


@value_class(frozen=True, slots=True)
class Choice:
    """The few that are worth showing, best first, why the others are not, and who chose."""

    certain: tuple[Ranked, ...]
    """Those to show in full."""
    likely: tuple[Ranked, ...]
    """Those to show as one line each."""
    cuts: Mapping[str, str]
    """Why not, by file."""
    by_model: bool = False


def select(
    ranked: "Sequence[Ranked]",
    *,
    limit: int = MOST_FILES,
    certain: float = CERTAIN,
    likely: float = LIKELY,
    shown: "Container[str]" = (),
    named: "Container[str]" = (),
) -> Choice:
    """Return what to show, the most probable first, and of all others why not.

    Memories that are `certain` are shown in full, those that are `likely` as one line each; both count
    towards the limit. What was `shown` before is left out, and what was `named` in a line gets no second one.
    A line needs vectors: words in common alone are too often chance.
    """
    cuts = {one.header.file: ALREADY_SHOWN for one in ranked if one.header.file in shown}
    fresh = [one for one in by_probability(ranked) if one.header.file not in cuts]
    fresh.sort(key=lambda one: is_team_file(one.header.file))  # what the user's own memory says comes first
    full = [one for one in fresh if one.score >= certain]
    maybe = [one for one in fresh if likely <= one.score < certain and one.semantic is not None]
    lines = [one for one in maybe if one.header.file not in named]
    room = min(MOST_LINES, max(0, limit - len(full)))
    kept = {one.header.file for one in full[:limit] + lines[:room]}
    for one in fresh:
        if one.header.file not in kept:
            cuts[one.header.file] = _because(one, limit, certain, likely, named)
    return Choice(tuple(full[:limit]), tuple(lines[:room]), cuts)


def _because(one: Ranked, limit: int, certain: float, likely: float, named: "Container[str]") -> str:
    why = f" ({'; '.join(one.notes)})" if one.notes else ""
    needed = certain if one.semantic is None else likely
    if one.score < needed:
        return f"it helps with a probability of {one.score:.2f}, {needed:.2f} is needed{why}"
    if one.score < certain and one.header.file in named:
        return ALREADY_NAMED
    what = f"{limit} are shown at once" if one.score >= certain else f"{MOST_LINES} lines are shown at once"
    return f"others are more probable, and only {what}"


_TEXTS = Templates(__file__)

_KEY = "selected_memories"
_OUTPUT_TOKENS = 256
"""Room for five file names; whoever needs more is not choosing."""

_LONGEST_QUERY = 4_000
"""Characters of a prompt that are sent: a pasted log says no more about what is wanted than its beginning."""

_LONGEST_REPLY = 20_000
"""Characters of a reply that are read; 256 tokens are far fewer."""

_TOOLS = 20
"""Recently used tools that are named."""


def question(
    query: str,
    headers: Sequence[Header],
    recent_tools: Sequence[str] = (),
    *,
    limit: int = MOST_FILES,
    timeout: float = 2.0,
    cancel: "Cancel | None" = None,
) -> "Question":
    """Return the one question: which of these memories help with the query."""
    from memdir.memories.index.pointer import manifest
    from memdir.models.protocol import Message, Question

    names = Prose(
        "\n".join([f"- {fast_escape(' '.join(tool.split()))[:100]}" for tool in recent_tools[:_TOOLS]])
    )
    tools = _TEXTS.fill_escaped("select_tools", tools=names) if names else Prose()
    request = _TEXTS.fill_escaped(
        "select_request", query=query[:_LONGEST_QUERY], tools=tools, notes=Prose(manifest(headers))
    )
    return Question(
        messages=(Message("user", request),),
        system=_TEXTS.fill_escaped("select", limit=str(limit)),
        schema=_SCHEMA,
        max_tokens=_OUTPUT_TOKENS,
        timeout=timeout,
        cancel=cancel,
        job="recall",
    )


def parse_choice(reply: "Reply", headers: Sequence[Header], limit: int = MOST_FILES) -> list[Header]:
    """Return the memories that the answer names: in its order, each once, at most so many, none invented.

    An answer that is none, or that names only what was not offered, is a `ModelReplyError`.
    """
    offered = {fast_escape(header.file): header for header in headers}
    offered |= {header.file: header for header in headers}
    names = _names(reply)
    found = dict.fromkeys(header.file for name in names if (header := offered.get(name)))
    if names and not found:
        raise ModelReplyError("The model named only memories that were not offered to it.")
    return [offered[file] for file in found][:limit]


_SCHEMA = {
    "type": "object",
    "properties": {_KEY: {"type": "array", "items": {"type": "string"}}},
    "required": [_KEY],
    "additionalProperties": False,
}


def _names(reply: "Reply") -> list[str]:
    """Return the names in an answer, real or not; what is no name counts as one that nobody offered."""
    if reply.stop == "refusal":
        raise ModelReplyError("The model refused to choose memories.")
    import json

    text = reply.text[: _LONGEST_REPLY + 1].strip().lstrip("\ufeff")
    try:
        if len(text) > _LONGEST_REPLY:
            raise ValueError("too long")  # noqa: TRY301 - one answer to every way of being unusable
        names = json.loads(_remove_fence(text), object_pairs_hook=_pairs)[_KEY]
        return [name if isinstance(name, str) else "" for name in _list(names)]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        message = f"The model answered {text[:80]!r} instead of JSON with a {_KEY!r} list."
        raise ModelReplyError(message) from error


def _remove_fence(text: str) -> str:
    """Return what stands in a Markdown fence: models without structured output like to add one."""
    if not text.startswith("```"):
        return text
    return text.partition("\n")[2].rpartition("```")[0]


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _list(names: object) -> list[object]:
    if not isinstance(names, list):
        raise TypeError("not a list")
    return names


_RESERVE = 0.1
"""Share of the budget that is kept for choosing without the model and for showing what was chosen."""


def choose(
    turn: RecallTurn,
    ranked: list[Ranked],
    shown: Container[str],
    named: Container[str],
    *,
    limits: Limits,
    model: "Model | None",
) -> Choice:
    """Return what to show of these, best first, nothing of it shown before, replaced or expired.

    What was `named` in a line before may be shown in full, but gets no second line.
    """
    out = {one.header.file: note for one in ranked for note in one.notes if note.startswith(REPLACED)}
    over = [one.header for one in ranked if one.expired]
    out |= {header.file: f"its last day is over: expired {header.expires}" for header in over}
    ranked = [one for one in ranked if one.header.file not in out] if out else ranked
    fresh = [one for one in ranked if one.header.file not in shown]
    if model is not None and fresh and (by_model := _by_model(model, turn, fresh, limits.candidates)):
        before = {one.header.file: ALREADY_SHOWN for one in ranked if one.header.file in shown}
        return replace(by_model, cuts={**by_model.cuts, **before, **out})
    certain, likely = limits.certain, limits.likely
    found = select(ranked, limit=turn.limit, certain=certain, likely=likely, shown=shown, named=named)
    return replace(found, cuts={**found.cuts, **out})


def _by_model(model: "Model", turn: RecallTurn, fresh: list[Ranked], most: int) -> Choice | None:
    """Let the model choose; None, with the reason noted, when it cannot."""
    offered = _offer(fresh, most)
    seconds = turn.seconds_left() * (1 - _RESERVE)
    if seconds <= 0:
        turn.fallbacks.append(f"{model.name} was not asked: no time was left")
        return None
    headers = [one.header for one in offered]
    asked = question(turn.query, headers, turn.tools, limit=turn.limit, timeout=seconds, cancel=_cancel())
    try:
        reply = _answer(model, asked, turn)
        files = [header.file for header in parse_choice(reply, headers, turn.limit)]
    except Exception as error:
        if turn.called_off.is_set():
            raise Cancelled("The recall was called off.") from error
        turn.fallbacks.append(
            f"{model.name} did not choose: {receipt_query(f'{type(error).__name__}: {error}')}"
        )
        return None  # whatever a model does, the prompt goes on without it
    turn.model_tokens = reply.usage.total
    by_file = {one.header.file: one for one in fresh}
    cuts = dict.fromkeys(by_file, f"it was not among the {len(offered)} headers that {model.name} saw")
    cuts |= {one.header.file: f"{model.name} did not choose it" for one in offered}
    cuts = {file: because for file, because in cuts.items() if file not in files}
    return Choice(tuple([by_file[file] for file in files]), (), cuts, by_model=True)


def _offer(fresh: list[Ranked], most: int) -> list[Ranked]:
    """Return all, newest first; of too many the best: cut by age, most of a large memory would be hidden."""
    if len(fresh) > most:
        return fresh[:most]
    by_name = sorted(fresh, key=lambda one: one.header.file)
    return sorted(by_name, key=lambda one: one.header.saved_at, reverse=True)


def _answer(model: "Model", asked: "Question", turn: RecallTurn) -> "Reply":
    """Ask beside us, so that a model that ignores its time cannot keep the prompt."""
    from memdir.recall.turn import Late, run_within

    cancel = asked.cancel
    try:
        return run_within(asked.timeout, turn.timer, lambda: model.ask(asked), turn.called_off)
    except Late:
        raise ModelTimeout(f"No answer within {asked.timeout:.1f} s.") from None
    finally:
        if cancel is not None:
            cancel.set()


def _cancel() -> "Cancel":
    from memdir.models.protocol import Cancel

    return Cancel()
