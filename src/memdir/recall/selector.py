"""The choice of what a prompt is shown: by a model that answers in time, else by probability.

Of memories that contradict each other the newest is shown and says what it replaces. A private memory comes
before one of the team, whichever is newer.

A host waits for this module: it imports late and does without `typing`.
"""

from collections.abc import Container, Mapping, Sequence
from datetime import datetime

from memdir.conversation.receipts import receipt_query
from memdir.conversation.state import ALREADY_NAMED, ALREADY_SHOWN
from memdir.errors import ModelReplyError, ModelTimeout
from memdir.memories.names import is_team_file, replacements
from memdir.memories.topic import Header, Topic
from memdir.recall.fusion import EXPIRED, REPLACED, Ranked, by_probability
from memdir.recall.limits import Late, Limits, RecallTurn
from memdir.text.fast_escape import fast_escape
from memdir.text.frontmatter.header import parse
from memdir.text.templates import Prose, Templates
from memdir.text.value import field, replace, value_class
from memdir.text.word_starts import word_starts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.models.protocol import Cancel, Model, Question, Reply

__all__ = [
    "MOST_LINES",
    "Choice",
    "choose",
    "newer_ranked",
    "newer_topics",
    "parse_choice",
    "question",
    "select",
]

MOST_LINES = 3
"""Lines of likely memories in one turn: whoever reads them can open the files."""

_TEXTS = Templates(__file__)

_KEY = "selected_memories"
_SCHEMA = {
    "type": "object",
    "properties": {_KEY: {"type": "array", "items": {"type": "string"}}},
    "required": [_KEY],
    "additionalProperties": False,
}
_OUTPUT_TOKENS = 256
"""Room for five file names; whoever needs more is not choosing."""

_LONGEST_QUERY = 4_000
"""Characters of a prompt that are sent: a pasted log says no more about what is wanted than its beginning."""

_LONGEST_REPLY = 20_000
"""Characters of a reply that are read; 256 tokens are far fewer."""

_TOOLS = 20
"""Recently used tools that are named."""

_RESERVE = 0.1
"""Share of the time that is kept for choosing without the model and for showing what was chosen."""


_SHARED = 2
"""Words that two descriptions share before they are compared by the rules."""

_LEAST = 0.001
"""Probability from which an older memory is compared with newer ones: with less it is not shown anyway."""

_OLDER, _NEWER = 200, 20
"""How many ranked memories are searched for older ones, and how many for newer ones that contradict them."""


@value_class(frozen=True, slots=True)
class Choice:
    """The few that are worth showing, best first, why the others are not, and who chose."""

    certain: tuple[Ranked, ...]
    """Those to show in full."""
    likely: tuple[Ranked, ...]
    """Those to show as one line each."""
    cuts: Mapping[str, str]
    """Why the others are not shown, by file."""
    by_model: bool = False
    older: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What is said of memories that were left out for one of these, by its file."""


def choose(
    turn: RecallTurn, ranked: list[Ranked], shown: Container[str], named: Container[str]
) -> tuple[list[Ranked], Choice]:
    """Return all memories, those that a newer one contradicts behind the others, and what to show of them.

    What was `shown` before, or is replaced or expired, is left out. What was `named` in a line before may be
    shown in full, but gets no second line.
    """
    # A model may choose even what is hardly probable.
    everything, out, older = newer_ranked(ranked, 0.0 if turn.model else turn.limits.likely)
    for one in everything:
        if because := _outdated_reason(one):
            out[one.header.file] = because
        elif one.header.file in shown:
            out.setdefault(one.header.file, ALREADY_SHOWN)
    fresh = [one for one in everything if one.header.file not in out]
    choice = _by_model(turn.model, turn, fresh) if turn.model is not None and fresh else None
    if choice is None:
        choice = select(fresh, turn.limits, named)
    return everything, replace(choice, cuts={**choice.cuts, **out}, older=older)


def _outdated_reason(one: Ranked) -> str:
    """Return why a memory holds no longer: another replaces it, or its last day is over; else nothing."""
    for note in one.notes:
        if note.startswith(EXPIRED):
            return f"its last day is over: {note}"
        if note.startswith(REPLACED):
            return note
    return ""


_DEFAULTS = Limits()


def select(
    ranked: "Sequence[Ranked]",
    limits: Limits = _DEFAULTS,
    named: "Container[str]" = (),
) -> Choice:
    """Return what to show by probability, the most probable first, and of all others why not.

    Memories that are `certain` are shown in full, those that are `likely` as one line each; both count
    towards the limit. What was `named` in a line before gets no second one. A line needs vectors: words in
    common alone are too often chance.
    """
    limit, certain, likely = limits.files, limits.certain, limits.likely
    ranked = by_probability(ranked)
    ranked.sort(key=lambda one: is_team_file(one.header.file))  # what the user's own memory says comes first
    full = [one for one in ranked if one.score >= certain]
    maybe = [one for one in ranked if likely <= one.score < certain and one.semantic is not None]
    lines = [one for one in maybe if one.header.file not in named]
    room = min(MOST_LINES, max(0, limit - len(full)))
    kept = {one.header.file for one in full[:limit] + lines[:room]}
    cuts = {one.header.file: _cut_reason(one, limits, named) for one in ranked if one.header.file not in kept}
    return Choice(tuple(full[:limit]), tuple(lines[:room]), cuts)


def _cut_reason(one: Ranked, limits: Limits, named: "Container[str]") -> str:
    """Return why a memory is not shown."""
    why = f" ({'; '.join(one.notes)})" if one.notes else ""
    needed = limits.certain if one.semantic is None else limits.likely
    if one.score < needed:
        return f"it helps with a probability of {one.score:.2f}, {needed:.2f} is needed{why}"
    if one.score >= limits.certain:
        return f"others are more probable, and only {limits.files} are shown at once"
    if one.header.file in named:
        return ALREADY_NAMED
    return f"others are more probable, and only {MOST_LINES} lines are shown at once"


def _by_model(model: "Model", turn: RecallTurn, fresh: list[Ranked]) -> Choice | None:
    """Let the model choose; None, with the reason noted, when it cannot."""
    from memdir.models.protocol import Cancel

    offered, cancel = fresh[: turn.limits.candidates], Cancel()
    seconds = turn.seconds_left() * (1 - _RESERVE)
    if seconds <= 0:
        turn.fallbacks.append(f"{model.name} was not asked: no time was left")
        return None
    if len(offered) == len(fresh):  # else the best: cut by age, most of a large memory would be hidden
        offered = sorted(fresh, key=lambda one: one.header.file)
        offered.sort(key=lambda one: one.header.saved_at, reverse=True)
    headers = [one.header for one in offered]
    asked = question(turn.query, headers, turn.tools, limit=turn.limits.files, timeout=seconds, cancel=cancel)
    try:
        reply = turn.run(lambda: model.ask(asked), seconds)  # one that ignores its time is left behind
        files = [header.file for header in parse_choice(reply, headers, turn.limits.files)]
    except Exception as error:  # noqa: BLE001 - whatever a model does, the prompt goes on without it
        turn.check()
        late = ModelTimeout(f"No answer within {seconds:.1f} s.")
        error = late if isinstance(error, Late) else error
        turn.fallbacks.append(
            f"{model.name} did not choose: {receipt_query(f'{type(error).__name__}: {error}')}"
        )
        return None
    finally:
        cancel.set()
    turn.model_tokens = reply.usage.total
    by_file = {one.header.file: one for one in fresh}
    cuts = dict.fromkeys(by_file, f"it was not among the {len(offered)} headers that {model.name} saw")
    cuts |= {one.header.file: f"{model.name} did not choose it" for one in offered}
    cuts = {file: because for file, because in cuts.items() if file not in files}
    return Choice(tuple([by_file[file] for file in files]), (), cuts, by_model=True)


def question(
    query: str,
    headers: Sequence[Header],
    recent_tools: Sequence[str] = (),
    *,
    limit: int = _DEFAULTS.files,
    timeout: float = _DEFAULTS.model_budget,
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


def parse_choice(reply: "Reply", headers: Sequence[Header], limit: int = _DEFAULTS.files) -> list[Header]:
    """Return the memories that the answer names: in its order, each once, at most so many, none invented.

    An answer that is none, or that names only what was not offered, is a `ModelReplyError`.
    """
    if reply.stop == "refusal":
        raise ModelReplyError("The model refused to choose memories.")
    import json

    text = reply.text[: _LONGEST_REPLY + 1].strip().lstrip("\ufeff")
    # Models without structured output like to add a Markdown fence, and some a remark behind it.
    plain = text.partition("\n")[2].rpartition("```")[0] if text.startswith("```") else text
    try:
        names = json.loads(plain, object_pairs_hook=_pairs)[_KEY] if len(text) <= _LONGEST_REPLY else None
        if not isinstance(names, list):
            raise TypeError("no list")  # noqa: TRY301 - one answer to every way of being unusable
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        message = f"The model answered {text[:80]!r} instead of JSON with a {_KEY!r} list."
        raise ModelReplyError(message) from error
    offered = {fast_escape(header.file): header for header in headers}
    offered |= {header.file: header for header in headers}
    found = dict.fromkeys(offered[name].file for name in names if isinstance(name, str) and name in offered)
    if names and not found:
        raise ModelReplyError("The model named only memories that were not offered to it.")
    return [offered[file] for file in found][:limit]


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def newer_ranked(
    ranked: list[Ranked], enough: float
) -> tuple[list[Ranked], dict[str, str], dict[str, tuple[str, ...]]]:
    """Put what a newer memory contradicts behind the others, where one of both helps with `enough`.

    Return the memories, why the older ones are left out, and what the newer ones say of them, by file. The
    newer gets the probability of both: judged as rivals, each of them made the other less probable.
    """
    current = [one for one in ranked[:_OLDER] if not _outdated_reason(one)]
    scores = {one.header.file: one.score for one in current}
    cuts, lines = dict[str, str](), dict[str, tuple[str, ...]]()
    for old in sorted([one.header for one in current if one.score >= _LEAST or not enough], key=_precedence):
        for new in [one.header for one in current[:_NEWER]]:
            both, texts = scores[new.file] + scores[old.file], (old.description, new.description)
            if both >= enough and _contradicts(new, old, texts, _SHARED):
                scores[new.file] = min(1.0, both)
                cuts[old.file] = _newer_reason(old, new)
                lines[new.file] = (*lines.get(new.file, ()), _newer_than(old))
                break
    if cuts:
        ranked = [replace(one, score=scores.get(one.header.file, one.score)) for one in ranked]
        ranked.sort(key=lambda one: one.header.file in cuts)
    return ranked, cuts, lines


def newer_topics(topics: Sequence[Topic]) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return which of the chosen are not shown beside a newer one and why, and what each says it replaces."""
    cuts: dict[str, str] = {}
    lines = {topic.header.file: _replaced_lines(topic) for topic in topics}
    by_age = sorted(topics, key=lambda topic: _precedence(topic.header))
    for at, old in enumerate(by_age):
        for new in by_age[at + 1 :]:
            texts = [f"{one.header.description}\n{one.body}" for one in (old, new)]
            if _contradicts(new.header, old.header, texts, 1):
                cuts[old.header.file] = _newer_reason(old.header, new.header)
                lines[new.header.file] += (_newer_than(old.header),)
                break
    return cuts, lines


def _contradicts(new: Header, old: Header, texts: Sequence[str], shared: int) -> bool:
    """Return whether a memory wins over an older one whose text it contradicts.

    The descriptions have to share so many words: few prompts need the rules, which take long to load.
    """
    if _precedence(new) <= _precedence(old):
        return False
    if len(word_starts(new.description) & word_starts(old.description)) < shared:
        return False
    from memdir.memories.contradiction.judge import may_contradict

    return bool(may_contradict(*texts, sure=True))


def _precedence(header: Header) -> tuple[bool, datetime]:
    """Return what decides between two that contradict each other: the user's own, then the newer one."""
    return not is_team_file(header.file), header.saved_at


def _newer_reason(old: Header, new: Header) -> str:
    which = "a newer" if is_team_file(new.file) == is_team_file(old.file) else "a private"
    return f"{which} memory says otherwise: {new.file}"


def _newer_than(old: Header) -> str:
    return _TEXTS.fill_escaped("contradicts_of", name=old.name, day=f"{old.saved_at:%Y-%m-%d}")


def _replaced_lines(topic: Topic) -> tuple[str, ...]:
    """Return a line for each memory that this one says it replaces."""
    if "supersedes" not in topic.text:
        return ()
    named = replacements(parse(topic.text).metadata.get("supersedes", ""))
    return tuple(
        [
            _TEXTS.fill_escaped("replaces_of", name=name, day=day)
            if day
            else _TEXTS.fill_escaped("replaces", name=name)
            for name, day in named
        ]
    )
