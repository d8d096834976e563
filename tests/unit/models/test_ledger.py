"""The ledger knows what was used, by whom and when; caps hold across processes, crashes and midnight."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memdir.errors import CapReached, StorageError
from memdir.models.ledger import Caps, Hold, Ledger, MeteredModel, TokensUsed
from memdir.models.protocol import Message, Question, Usage
from memdir.models.vendors.scripted import ScriptedModel

NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
ASK = Question((Message("user", "x" * 40),), max_tokens=100, timeout=10, job="extract")
MOST = 2 * 10 + 100
CAPS = Caps(per_conversation=1000, per_day=2000)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(str(tmp_path))


def file_of(tmp_path: Path, month: str = "2026-11") -> Path:
    return tmp_path / "memdir" / "ledger" / f"{month}.jsonl"


def held(ledger: Ledger, session: str = "one", now: datetime = NOW, caps: Caps = CAPS) -> Hold:
    return ledger.hold(ASK, "anthropic:claude-haiku-4-5", session, caps, now)


def called(ledger: Ledger, tokens: int, session: str = "one", now: datetime = NOW) -> None:
    ledger.settle(held(ledger, session, now), Usage(output=tokens), now)


def test_a_call_is_recorded_with_job_model_session_tokens_and_price(ledger: Ledger) -> None:
    ledger.settle(held(ledger), Usage(1000, 200, 30, 4), NOW)
    (call,) = ledger.calls(NOW)
    assert (call.job, call.model, call.session) == ("extract", "anthropic:claude-haiku-4-5", "one")
    assert (call.at, call.usage, call.failed) == ("2026-11-15T09:30:00Z", Usage(1000, 200, 30, 4), "")
    assert call.usd == pytest.approx(0.001 + 0.001 + 0.000003 + 0.000005)


def test_a_call_under_way_counts_as_all_that_it_may_use(ledger: Ledger) -> None:
    hold = held(ledger)
    assert ledger.tokens_used("one", NOW) == TokensUsed(MOST, MOST)
    assert ledger.calls(NOW) == []
    ledger.settle(hold, Usage(5, 6), NOW)
    assert ledger.tokens_used("one", NOW) == TokensUsed(11, 11)


def test_conversations_share_a_day_and_nothing_else(ledger: Ledger) -> None:
    called(ledger, 30, "one")
    called(ledger, 50, "two")
    assert ledger.tokens_used("one", NOW) == TokensUsed(30, 80)


def test_a_conversation_goes_on_over_midnight_and_the_end_of_a_month(ledger: Ledger) -> None:
    last, first = datetime(2026, 11, 30, 23, 59, 55, tzinfo=UTC), datetime(2026, 12, 1, 0, 0, 5, tzinfo=UTC)
    called(ledger, 30, now=last)
    hold = held(ledger, now=last)
    assert ledger.tokens_used("one", first) == TokensUsed(30 + MOST, MOST)  # it may still be used today
    ledger.settle(hold, Usage(7), first)
    assert ledger.tokens_used("one", first) == TokensUsed(37, 7)


def test_the_call_of_a_process_that_died_counts_what_it_had_sent(ledger: Ledger) -> None:
    held(ledger)
    later = NOW + timedelta(minutes=5)
    assert ledger.tokens_used("one", later) == TokensUsed(10, 10)
    (call,) = ledger.calls(later)
    assert (call.failed, call.usage) == ("never ended", Usage(10))


def test_a_day_that_is_used_up_begins_anew_at_midnight(ledger: Ledger) -> None:
    called(ledger, 2000, "other")
    with pytest.raises(CapReached, match=r"2,000 of 2,000 .* on 2026-11-15\. The extract job pauses"):
        held(ledger)
    midnight = datetime(2026, 11, 16, tzinfo=UTC)
    with pytest.raises(CapReached):
        held(ledger, now=midnight - timedelta(seconds=1))
    held(ledger, now=midnight)
    assert ledger.tokens_used("one", midnight) == TokensUsed(MOST, MOST)


def test_a_conversation_that_is_used_up_stays_so(ledger: Ledger) -> None:
    called(ledger, 1000)
    with pytest.raises(CapReached, match=r"1,000 of 1,000 .* in this conversation"):
        held(ledger, now=NOW + timedelta(days=1))
    held(ledger, "another")


def test_a_refused_call_leaves_no_trace(ledger: Ledger, tmp_path: Path) -> None:
    called(ledger, 1000)
    before = file_of(tmp_path).read_bytes()
    with pytest.raises(CapReached):
        held(ledger)
    assert file_of(tmp_path).read_bytes() == before


def test_torn_and_foreign_lines_cost_nothing_but_themselves(ledger: Ledger, tmp_path: Path) -> None:
    called(ledger, 30)
    odd = [
        b"[]",
        b'{"id": 3, "at": "2026-11-15", "usage": "x"}',
        b'{"usage": [1, "x", -5, null, 9, 9], "at":',
    ]
    with file_of(tmp_path).open("ab") as file:
        file.write(b"\n".join(odd))  # the last line is torn
    called(ledger, 50)
    assert ledger.tokens_used("one", NOW) == TokensUsed(80, 80)
    assert [call.usage.total for call in ledger.calls(NOW)] == [30, 0, 50]


def test_a_session_may_be_called_anything(ledger: Ledger) -> None:
    strange = 'a "quoted"\n\\ü\ud800 one'
    called(ledger, 30, strange)
    assert ledger.tokens_used(strange, NOW).conversation == 30


def test_files_are_private_and_one_a_month(ledger: Ledger, tmp_path: Path) -> None:
    called(ledger, 1)
    called(ledger, 1, now=NOW + timedelta(days=30))
    files = sorted(file_of(tmp_path).parent.iterdir())
    assert [file.name for file in files] == ["2026-11.jsonl", "2026-12.jsonl"]
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert all(json.loads(line) for file in files for line in file.read_text().splitlines())


def test_a_disk_that_refuses_keeps_the_call_from_being_made(tmp_path: Path) -> None:
    (tmp_path / "memdir").write_text("in the way")
    model = ScriptedModel(["yes"])
    metered = MeteredModel(model, Ledger(str(tmp_path)), CAPS, "one", lambda: NOW)
    with pytest.raises(StorageError, match="The call was not made"):
        metered.ask(ASK)
    assert model.asked == []
