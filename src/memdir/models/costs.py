"""Sums of the ledger's calls: today, this conversation, this month, by job and by model."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime

from memdir.config.location import Setup
from memdir.models.build import caps_in
from memdir.models.ledger import Caps, Ledger, ModelCall, TokensUsed
from memdir.models.protocol import Usage
from memdir.text.value import value_class

__all__ = ["Costs", "Sum", "costs_of"]


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
        return self.input + self.output + self.cache_read + self.cache_write


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
