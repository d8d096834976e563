"""Calls add up by day, conversation, month, job and model, in tokens and in dollars."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memdir.config.location import resolve
from memdir.config.world import World
from memdir.models.ledger import Caps, Ledger, TokensUsed, costs_of, most_tokens
from memdir.models.protocol import Message, Question, Usage

NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
CAPS = Caps(per_conversation=400_000, per_day=2_000_000)


def test_calls_add_up(tmp_path: Path) -> None:
    ledger = Ledger(str(tmp_path / ".claude"))

    def called(job: str, model: str, session: str, usage: Usage, now: datetime, *, failed: str = "") -> None:
        hold = ledger.hold(Question((), job=job), model, session, CAPS, now)
        ledger.settle(hold, usage, now, failed=failed)

    haiku, local = "anthropic:claude-haiku-4-5", "openai:local@http://127.0.0.1:1"
    called("recall", haiku, "one", Usage(9000), NOW - timedelta(days=60))
    called("recall", local, "one", Usage(5000), NOW - timedelta(days=30))
    called("recall", local, "one", Usage(7, 1, 50), NOW - timedelta(days=3))
    called("extract", haiku, "one", Usage(100, 20), NOW)
    called("extract", haiku, "two", Usage(), NOW, failed="ModelBusy")
    costs = costs_of(resolve(World({}, str(tmp_path), str(tmp_path))), "one", NOW)
    assert (costs.today.calls, costs.today.failed, costs.today.tokens) == (2, 1, 120)
    assert costs.today.usd == pytest.approx(0.0002)
    assert (costs.conversation.calls, costs.conversation.tokens, costs.conversation.unpriced) == (3, 5178, 2)
    assert (costs.month.calls, costs.month.tokens, costs.month.cache_read) == (3, 178, 50)
    assert [(job, one.tokens) for job, one in costs.jobs.items()] == [("extract", 120), ("recall", 58)]
    assert [(model, one.calls) for model, one in costs.models.items()] == [(haiku, 2), (local, 1)]
    assert (costs.caps, costs.used, costs.day) == (CAPS, TokensUsed(5178, 120), "2026-11-15")
    assert costs.held == TokensUsed(0, 0)


def test_what_is_held_for_a_call_under_way_is_told_apart_until_its_time_is_over(tmp_path: Path) -> None:
    ledger, setup = (
        Ledger(str(tmp_path / ".claude")),
        resolve(World({}, str(tmp_path), str(tmp_path))),
    )
    asked = Question((Message("user", "hello"),), max_tokens=900, timeout=60)
    ledger.settle(ledger.hold(asked, "m", "one", CAPS, NOW), Usage(100), NOW)
    ledger.hold(asked, "m", "one", CAPS, NOW)
    most = most_tokens(asked)
    costs = costs_of(setup, "one", NOW)
    assert (costs.today.tokens, costs.held) == (100, TokensUsed(most, most))
    assert costs.used.day == costs.today.tokens + costs.held.day
    assert costs_of(setup, "two", NOW).held == TokensUsed(0, most)
    later = costs_of(setup, "one", NOW + timedelta(minutes=5))
    assert (later.held, later.today.failed) == (TokensUsed(0, 0), 1)
