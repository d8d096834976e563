"""A metered model writes down every call, and a runaway never exceeds a cap by more than one call."""

import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pytest
from tests.steps import interrupted

from memdir.errors import Cancelled, CapReached, ModelBusy, ModelReplyError, ModelTimeout
from memdir.models.ledger import Caps, Ledger, MeteredModel, ModelCall, most_tokens
from memdir.models.protocol import Cancel, Message, Question, Reply, Usage
from memdir.models.vendors.scripted import Hang, ScriptedModel, Step

NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
ASK = Question((Message("user", "x" * 40),), max_tokens=100, timeout=5, job="extract")
ONE_CALL = 110
"""What each call of a runaway really uses: the ten tokens that it sends, and all it may answer."""

SPENDING = Reply("x", usage=Usage(10, 100))


def clock() -> datetime:
    return NOW


@pytest.fixture
def metered(tmp_path: Path) -> Callable[..., MeteredModel]:
    def made(*steps: Step, caps: Caps | None = None, session: str = "one") -> MeteredModel:
        default = None if steps else SPENDING
        model = ScriptedModel(steps, name="anthropic:claude-haiku-4-5", default=default)
        return MeteredModel(model, Ledger(str(tmp_path)), caps or Caps(100_000, 100_000), session, clock)

    return made


def run_away(model: MeteredModel) -> None:
    while True:
        model.ask(ASK)


def calls(tmp_path: Path) -> list[ModelCall]:
    return Ledger(str(tmp_path)).calls(NOW)


def test_an_answer_is_passed_on_and_what_it_used_written_down(
    metered: Callable[..., MeteredModel], tmp_path: Path
) -> None:
    reply = Reply("yes", usage=Usage(3, 4, 5, 6))
    model = metered(reply)
    assert model.ask(ASK) == reply
    assert model.name == "anthropic:claude-haiku-4-5"
    (call,) = calls(tmp_path)
    assert (call.usage, call.job, call.session) == (reply.usage, "extract", "one")


def test_an_answer_without_a_count_is_estimated(metered: Callable[..., MeteredModel], tmp_path: Path) -> None:
    metered("y" * 80).ask(ASK)
    (call,) = calls(tmp_path)
    assert call.usage == Usage(10, 20)
    assert '"estimated": true' in next(tmp_path.rglob("*.jsonl")).read_text()


@pytest.mark.parametrize(
    ("step", "error", "used"),
    [
        (ModelBusy("busy"), ModelBusy, 0),
        (ModelReplyError("odd"), ModelReplyError, 110),
        (Hang(), ModelTimeout, 110),
        (interrupted, KeyboardInterrupt, 110),
    ],
)
def test_a_call_that_fails_is_written_down_as_what_it_may_have_used(
    metered: Callable[..., MeteredModel], tmp_path: Path, step: Step, error: type[BaseException], used: int
) -> None:
    with pytest.raises(error):
        metered(step).ask(Question(ASK.messages, max_tokens=100, timeout=0.01))
    (call,) = calls(tmp_path)
    assert (call.failed, call.usage.total) == (error.__name__, used)


def test_a_question_called_off_beforehand_is_no_call(
    metered: Callable[..., MeteredModel], tmp_path: Path
) -> None:
    cancel = Cancel()
    cancel.set()
    with pytest.raises(Cancelled):
        metered().ask(Question(ASK.messages, cancel=cancel))
    assert calls(tmp_path) == []


def test_calls_without_a_session_are_a_conversation_of_their_own(
    metered: Callable[..., MeteredModel],
) -> None:
    caps = Caps(per_conversation=200, per_day=100_000)
    first = metered(caps=caps, session="")
    first.ask(ASK)
    first.ask(ASK)
    with pytest.raises(CapReached):
        first.ask(ASK)
    metered(caps=caps, session="").ask(ASK)


@pytest.mark.parametrize("caps", [Caps(2000, 100_000), Caps(100_000, 2000)], ids=["conversation", "day"])
def test_a_runaway_stops_at_a_cap_and_asks_nobody_any_more(
    metered: Callable[..., MeteredModel], tmp_path: Path, caps: Caps
) -> None:
    model = metered(caps=caps)
    with pytest.raises(CapReached):
        run_away(model)
    used = sum(call.usage.total for call in calls(tmp_path))
    assert 2000 <= used < 2000 + ONE_CALL
    for _ in range(3):
        with pytest.raises(CapReached):
            model.ask(ASK)
    assert sum(call.usage.total for call in calls(tmp_path)) == used


def test_threads_that_run_away_side_by_side_stop_at_the_same_cap(
    metered: Callable[..., MeteredModel], tmp_path: Path
) -> None:
    def stopped() -> None:
        with pytest.raises(CapReached):
            run_away(metered(caps=Caps(2000, 2000)))

    threads = [Thread(target=stopped) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(call.usage.total for call in calls(tmp_path)) < 2000 + ONE_CALL


RUN_AWAY = """
import sys
from datetime import UTC, datetime
from memdir.errors import CapReached
from memdir.models.ledger import Caps
from memdir.models.protocol import Message, Question, Reply, Usage
from memdir.models.vendors.scripted import ScriptedModel
from memdir.models.ledger import Ledger
from memdir.models.ledger import MeteredModel

now = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
model = ScriptedModel(name="m", default=Reply("x", usage=Usage(10, 100)))
metered = MeteredModel(model, Ledger(sys.argv[1]), Caps(4000, 4000), sys.argv[2], lambda: now)
question = Question((Message("user", "x" * 40),), max_tokens=100, timeout=5)
print("ready", flush=True)
sys.stdin.readline()
try:
    while True:
        metered.ask(question)
except CapReached as error:
    print(error)
"""


def test_four_processes_that_run_away_at_once_stop_at_the_same_cap(tmp_path: Path) -> None:
    command = [sys.executable, "-c", RUN_AWAY, str(tmp_path)]
    runs = [
        subprocess.Popen([*command, f"s{number}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for number in range(4)
    ]
    assert [run.stdout.readline() for run in runs if run.stdout] == ["ready\n"] * 4
    for run in runs:
        assert run.stdin
        run.stdin.write("\n")
        run.stdin.flush()
    said = [run.communicate(timeout=30)[0] for run in runs]
    assert all("tokens are used up" in one and "raise cost.perDay" in one for one in said)
    used = sum(call.usage.total for call in calls(tmp_path))
    # Calls under way are held at their most, so the last ones may be refused although they would have fitted.
    assert 4000 - 4 * most_tokens(ASK) < used < 4000 + ONE_CALL
