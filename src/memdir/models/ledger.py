"""The ledger of calls to models: what each used, their sums, the caps, and no call beyond them.

A call is held before it is made and settled after, each a line of its own in the file of the month, both
under the lock. Calls that are held count as if they used all they may, so that processes that ask side by
side cannot exceed a cap by more than one call together. A process that dies leaves its call held; when that
call's time is long over, only what it had sent still counts.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from memdir.config.location import Setup
from memdir.config.settings import Settings
from memdir.disk.files import make_folder, storage_errors
from memdir.disk.lock import DirectoryLock
from memdir.errors import CapReached, LockTimeout, ModelBusy, ModelRejected, StorageError
from memdir.models.protocol import Model, Question, QuestionDeadline, Reply, Usage
from memdir.resources import read_table, rows_of
from memdir.text.clip import tokens
from memdir.text.dates.calendar import utc_stamp
from memdir.text.value import value_class

__all__ = [
    "PER_CALL",
    "PRICES",
    "PRICES_DATE",
    "Caps",
    "Costs",
    "Hold",
    "Ledger",
    "MeteredModel",
    "ModelCall",
    "Price",
    "Sum",
    "TokensUsed",
    "caps_in",
    "costs_of",
    "input_estimate",
    "listed_price",
    "most_tokens",
    "price_of",
    "refusal",
]

PER_CALL = 250_000
"""Tokens of one call: more than any job of ours sends on purpose; it bounds what one mistake can cost."""

_JSON = 2
"""Factor by which an estimate may be too low: tool results and schemas have many punctuation marks."""


@value_class(frozen=True, slots=True)
class Caps:
    """The limits, in tokens; 0 means that no call is made at all."""

    per_conversation: int
    per_day: int
    per_call: int = PER_CALL


def caps_in(settings: Settings) -> Caps:
    """Return the caps that the settings ask for."""
    return Caps(settings.number("cost.perConversation"), settings.number("cost.perDay"))


@value_class(frozen=True, slots=True)
class TokensUsed:
    """Tokens used so far, including what open calls may still use."""

    conversation: int
    day: int


def input_estimate(question: Question) -> int:
    """Return about how many tokens a question sends."""
    prefix = question.prefix
    shapes: list[Any] = [
        [dict(call.arguments) for message in question.messages for call in message.calls],
        question.schema,
        [(tool.name, tool.description, tool.schema) for tool in question.tools],
        *((prefix.system, prefix.tools, prefix.messages) if prefix else ()),
    ]
    sent = [question.system, *(message.text for message in question.messages)]
    sent += [json.dumps(shape, ensure_ascii=False, default=str) for shape in shapes if shape]
    return sum(tokens(text) for text in sent)


def most_tokens(question: Question) -> int:
    """Return the most tokens of a call: twice the estimate of what it sends, and its longest answer."""
    return _JSON * input_estimate(question) + question.max_tokens


def refusal(question: Question, used: TokensUsed, caps: Caps, *, day: str) -> CapReached | None:
    """Return why a question may not be asked, or None when it may; `day` is the one being counted."""
    what, most = f"The {question.job} job" if question.job else "The call", most_tokens(question)
    if used.day >= caps.per_day:
        return CapReached(
            f"{_cap_reason(used.day, caps.per_day)} on {day}. {what} pauses until the next day begins (UTC); "
            "raise cost.perDay in your settings to go on."
        )
    if used.conversation >= caps.per_conversation:
        return CapReached(
            f"{_cap_reason(used.conversation, caps.per_conversation)} in this conversation. {what} pauses "
            "for the rest of it; raise cost.perConversation in your settings to go on."
        )
    if most > caps.per_call:
        return CapReached(
            f"{what} would take up to {most:,} tokens in one call, where {caps.per_call:,} are allowed. "
            "Nothing was asked; shorten what it is about."
        )
    return None


def _cap_reason(used: int, cap: int) -> str:
    return f"{used:,} of {cap:,} tokens are used up or under way"


_SLACK = 60.0
"""Seconds after the end of a question's time in which its call may still be settled."""


@value_class(frozen=True, slots=True)
class Hold:
    """A call that may be made now."""

    id: str
    job: str
    model: str
    session: str
    sent: int
    """Tokens that it sends, estimated."""


@value_class(frozen=True, slots=True)
class ModelCall:
    """A call that was made."""

    at: str
    job: str
    model: str
    session: str
    usage: Usage
    usd: float | None = None
    """Its price by the vendor's list; None where no list names the model."""
    failed: str = ""
    """The error that it ended in."""


class Ledger:
    """The calls of one user, in `<config home>/memdir/ledger/`, one file a month."""

    def __init__(self, config_home: str) -> None:
        """Remember where it lies; nothing is read yet."""
        self._folder = os.path.join(config_home, "memdir", "ledger")

    def hold(self, question: Question, model: str, session: str, caps: Caps, now: datetime) -> Hold:
        """Reserve what a question may use, or raise `CapReached`."""
        hold = Hold(os.urandom(8).hex(), question.job, model, session, input_estimate(question))
        until = utc_stamp(now + timedelta(seconds=question.timeout + _SLACK))
        with self._lock("The call was not made"):
            used = self.tokens_used(session, now)
            if why := refusal(question, used, caps, day=utc_stamp(now)[:_DAY]):
                raise why
            self._append(now, hold, {"until": until, "held": most_tokens(question), "sent": hold.sent})
        return hold

    def settle(
        self, hold: Hold, usage: Usage, now: datetime, *, failed: str = "", estimated: bool = False
    ) -> None:
        """Write down what a call used, in place of what was held for it."""
        line: dict[str, Any] = {"usage": [usage.input, usage.output, usage.cache_read, usage.cache_write]}
        if (price := price_of(hold.model, usage)) is not None:
            line["usd"] = round(price, 9)
        line |= {"failed": failed} if failed else {}
        line |= {"estimated": True} if estimated else {}
        with self._lock("What the call used was not recorded"):
            self._append(now, hold, line)

    def tokens_used(self, session: str, now: datetime) -> TokensUsed:
        """Return how many tokens the conversation and the day have used, calls under way included."""
        stamp, needle = utc_stamp(now), json.dumps(session).encode()
        conversation, day, today = 0, 0, stamp[:_DAY]
        for line in _standing(self._lines(now, today.encode(), needle)):
            under_way = "usage" not in line and not _is_over(line, stamp)
            count = _number(line.get("held")) if under_way else _usage(line).total
            conversation += count if line.get("session") == session else 0
            is_today = under_way or str(line.get("at", ""))[:_DAY] == today  # one may end after midnight
            day += count if is_today else 0
        return TokensUsed(conversation, day)

    def calls(self, now: datetime) -> list[ModelCall]:
        """Return the calls of this month and the last, oldest first; those under way are not among them."""
        lines, stamp = _standing(self._lines(now, b"")), utc_stamp(now)
        return [_call(line) for line in lines if "usage" in line or _is_over(line, stamp)]

    def _lines(self, now: datetime, *needles: bytes) -> Iterator[dict[str, Any]]:
        """Yield the lines of this month and the last that hold one of the needles; torn ones are skipped."""
        first = now.astimezone(UTC).replace(day=1)
        for month in (first - timedelta(days=1), first):
            with suppress(FileNotFoundError), open(os.path.join(self._folder, _month(month)), "rb") as file:
                for line in file:
                    if any(needle in line for needle in needles):
                        with suppress(ValueError):
                            found = json.loads(line)
                            if isinstance(found, dict):
                                yield found

    def _append(self, now: datetime, hold: Hold, more: dict[str, Any]) -> None:
        call = {"session": hold.session, "model": hold.model, "job": hold.job}
        line = {"id": hold.id, "at": utc_stamp(now), **call, **more}
        with make_folder(self._folder) as folder:
            folder.append(_month(now), json.dumps(line).encode() + b"\n")

    @contextmanager
    def _lock(self, otherwise: str) -> Iterator[None]:
        with storage_errors(otherwise):
            make_folder(self._folder).close()
            with DirectoryLock(self._folder, os.path.join(self._folder, "lock")):
                yield


class MeteredModel:
    """A model whose every call is in the ledger; it refuses to be asked when a cap is used up."""

    def __init__(
        self, model: Model, ledger: Ledger, caps: Caps, session: str, clock: Callable[[], datetime]
    ) -> None:
        """Count the calls of one conversation; without an id, those made through this object are one."""
        self._model, self._ledger, self._caps, self._clock = model, ledger, caps, clock
        self._session = session or f"unnamed-{os.urandom(4).hex()}"

    @property
    def name(self) -> str:
        """Return how settings and the ledger call it."""
        return self._model.name

    def ask(self, question: Question) -> Reply:
        """Return the answer; `CapReached` before asking when a cap is used up."""
        QuestionDeadline(question, self.name).check()
        hold = self._ledger.hold(question, self.name, self._session, self._caps, self._clock())
        try:
            reply = self._model.ask(question)
        except (ModelRejected, ModelBusy) as error:  # what is turned away costs nothing
            self._settle(hold, Usage(), failed=type(error).__name__)
            raise
        except BaseException as error:  # it was asked, and nobody knows how much of an answer was made
            guess = Usage(hold.sent, question.max_tokens)
            self._settle(hold, guess, failed=type(error).__name__, estimated=True)
            raise
        counted = reply.usage.total > 0
        guess = Usage(hold.sent, tokens(reply.text))
        self._settle(hold, reply.usage if counted else guess, estimated=not counted)
        return reply

    def _settle(self, hold: Hold, usage: Usage, *, failed: str = "", estimated: bool = False) -> None:
        # The answer is there and paid for: it is not given up for its record, and the call stays held.
        with suppress(StorageError, LockTimeout):
            self._ledger.settle(hold, usage, self._clock(), failed=failed, estimated=estimated)


@value_class(frozen=True, slots=True)
class Sum:
    """Calls added up."""

    calls: int = 0
    failed: int = 0
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    usd: float = 0.0
    unpriced: int = 0
    """Calls that used tokens and have no price in any list."""

    @property
    def tokens(self) -> int:
        """All tokens, wherever they came from; what the caps count."""
        return Usage(self.input, self.output, self.cache_read, self.cache_write).total


@value_class(frozen=True, slots=True)
class Costs:
    """What `memdir cost` shows."""

    day: str
    caps: Caps
    used: TokensUsed
    """What counts against the caps: with calls that are under way."""
    today: Sum
    conversation: Sum
    month: Sum
    jobs: Mapping[str, Sum]
    """This month's, the most tokens first."""
    models: Mapping[str, Sum]

    @property
    def held(self) -> TokensUsed:
        """Return what is set aside for calls under way, and for those killed a short while ago."""
        return TokensUsed(
            max(0, self.used.conversation - self.conversation.tokens),
            max(0, self.used.day - self.today.tokens),
        )


def costs_of(setup: Setup, session: str, now: datetime) -> Costs:
    """Add up the calls of this month and of one conversation."""
    ledger = Ledger(setup.place.config_home)
    day, calls = f"{now.astimezone(UTC):%Y-%m-%d}", ledger.calls(now)
    month = [call for call in calls if call.at[:7] == day[:7]]
    return Costs(
        day=day,
        caps=caps_in(setup.settings),
        used=ledger.tokens_used(session, now),
        today=_sum(call for call in month if call.at[:10] == day),
        conversation=_sum(call for call in calls if session and call.session == session),
        month=_sum(month),
        jobs=_sums(month, lambda call: call.job),
        models=_sums(month, lambda call: call.model),
    )


def _sums(calls: list[ModelCall], key: Callable[[ModelCall], str]) -> dict[str, Sum]:
    names = {key(call) for call in calls}
    sums = {name: _sum(call for call in calls if key(call) == name) for name in names}
    return dict(sorted(sums.items(), key=lambda item: (-item[1].tokens, item[0])))


def _sum(calls: Iterable[ModelCall]) -> Sum:
    calls = list(calls)
    used = [call.usage for call in calls]
    return Sum(
        calls=len(calls),
        failed=sum(bool(call.failed) for call in calls),
        **{name: sum(getattr(usage, name) for usage in used) for name in Usage.__match_args__},
        usd=sum(call.usd or 0.0 for call in calls),
        unpriced=sum(call.usd is None and call.usage.total > 0 for call in calls),
    )


_DAY = len("2026-11-15")


def _standing(lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return one line a call: the settled one where there is one, else the held one."""
    found: dict[str, dict[str, Any]] = {}
    for line in lines:
        known = found.setdefault(str(line.get("id")), line)
        if "usage" not in known:
            found[str(line.get("id"))] = line
    return list(found.values())


def _is_over(line: dict[str, Any], now: str) -> bool:
    return str(line.get("until", "")) < now


def _call(line: dict[str, Any]) -> ModelCall:
    at, job, model, session = [str(line.get(name, "")) for name in ("at", "job", "model", "session")]
    usd = float(line["usd"]) if isinstance(line.get("usd"), int | float) else None
    failed = str(line.get("failed", "")) if "usage" in line else "never ended"
    return ModelCall(at, job, model, session, _usage(line), usd, failed)


def _usage(line: dict[str, Any]) -> Usage:
    """Return what a call used; one that never ended counts as what it sent."""
    counts = line.get("usage", [line.get("sent")])
    return Usage(*(_number(count) for count in counts[:4])) if isinstance(counts, list) else Usage()


def _number(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _month(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m}.jsonl"


PRICES_DATE = "2026-11-15"
"""The day on which the lists were read; a later change makes the figures wrong, never the caps."""


@value_class(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input: float
    output: float
    cache_read: float
    cache_write: float


PRICES: Mapping[str, Price] = {
    name: Price(*map(float, dollars.split()))
    for name, dollars in rows_of(read_table(__file__, "prices.txt")["prices"]).items()
}
"""By the name that settings use; a model at another address has that in its name, and so no price."""

_LONG = {"anthropic:claude-haiku-5-5": (100_000, 5.0)}
"""Models whose price is a multiple of the listed one when more tokens than this are sent."""

_DATED = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$")


def price_of(model: str, usage: Usage) -> float | None:
    """Return what a call cost in dollars; None when no list names the model."""
    price = listed_price(model)
    if price is None:
        return None
    limit, factor = _LONG.get(_DATED.sub("", model), (0, 1.0))
    sent = usage.input + usage.cache_read + usage.cache_write
    cost = usage.input * price.input + usage.output * price.output
    cost += usage.cache_read * price.cache_read + usage.cache_write * price.cache_write
    return cost / 1_000_000 * (factor if limit and sent > limit else 1.0)


def listed_price(model: str) -> Price | None:
    """Return the price of a model, whichever date its name ends in; None when no list names it."""
    return PRICES.get(_DATED.sub("", model))
