"""What goes on behind a hook is told afterwards, keeps to its time, and keeps no secrets or litter."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from tests.flows.talks import TUESDAYS, transcript
from tests.surfaces.test_hooks import HOOK, SECRET, Host

from memdir.models.ledger import Caps, Ledger, most_tokens
from memdir.models.protocol import Message, Question
from memdir.workers.queue import RequestQueue

NOBODY = "openai:x@http://127.0.0.1:9/v1"


@pytest.fixture
def talk(host: Host) -> Path:
    return transcript(host.home / "talk.jsonl", ("user", TUESDAYS), ("assistant", "Noted."))


def work(host: Host, job: str, transcript_path: str = "") -> None:
    """Run a worker to its end, as a hook starts it."""
    words = [job, str(host.project), "s1", transcript_path]
    host.commands.run(["memdir.hooks.work", *words], host.env).check_returncode()


def told(host: Host) -> str:
    return str(host.call("SessionStart", source="startup").get("additionalContext", ""))


def logged(host: Host) -> str:
    log = host.home / ".claude" / "memdir" / "hooks.log"
    return log.read_text() if log.exists() else ""


def until(holds: Callable[[], Any], seconds: float = 30.0) -> Any:
    """Wait for something that a process in the background does soon."""
    end = monotonic() + seconds
    while not (found := holds()) and monotonic() < end:
        sleep(0.02)
    return found


def waiting(host: Host, job: str = "extract") -> list[dict[str, str]]:
    return [dict(request.details) for request in RequestQueue(host.memory.state, job).waiting_requests()]


def test_what_a_worker_saved_is_told_by_the_next_conversation_once(host: Host, talk: Path) -> None:
    host.memory.jobs.turn_ended(talk)
    work(host, "turn")
    said = told(host)
    assert "Memory saved: project_" in said
    assert told(host) == ""
    assert logged(host) == ""


@pytest.mark.parametrize("event", ["Stop", "SessionEnd"])
def test_what_was_said_is_extracted_although_the_host_no_longer_listens(
    host: Host, talk: Path, event: str
) -> None:
    said = {"cwd": str(host.project), "session_id": "s1", "transcript_path": str(talk)}
    given = host.home / "in.json"
    given.write_text(json.dumps(said))
    words = ["sh", "-c", f'"$0" {event} < "$1" >&-', HOOK, str(given)]
    subprocess.run(words, env=host.env, capture_output=True, timeout=60, check=True)
    assert until(lambda: os.path.exists(os.path.join(host.memory.state, "outcomes")))
    assert "Memory saved: project_" in told(host)


def test_a_model_that_cannot_be_reached_is_logged_and_told(host: Host, talk: Path) -> None:
    host.env["MEMDIR_MODEL"] = NOBODY
    host.call("Stop", transcript_path=str(talk))
    assert until(lambda: "worker extract: " in logged(host))
    assert until(lambda: os.path.exists(os.path.join(host.memory.state, "outcomes")))
    assert len(waiting(host)) == 1
    assert NOBODY in logged(host)
    assert any("worker extract" in found.message for found in host.memory.doctor.examine().findings)
    assert (
        f"could not be done: Nothing was extracted, and it will be tried again. ModelBusy: {NOBODY}"
        in told(host)
    )
    assert told(host) == ""


def test_a_cap_that_is_used_up_is_told(host: Host, talk: Path) -> None:
    host.env["MEMDIR_MODEL"] = NOBODY
    settings = host.home / ".claude" / "memdir" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"cost": {"perDay": 0}}')
    host.memory.jobs.turn_ended(talk)
    work(host, "turn")
    assert "The extract job pauses until the next day begins (UTC)" in told(host)


def test_a_turn_that_waits_for_more_turns_is_no_failure(host: Host, talk: Path) -> None:
    settings = host.home / ".claude" / "memdir" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"extract": {"everyTurns": 3}}')
    host.memory.jobs.turn_ended(talk)
    work(host, "turn")
    assert (len(waiting(host)), logged(host), told(host)) == (1, "", "")


def test_a_host_that_names_no_transcript_leaves_nothing_behind(host: Host) -> None:
    host.memory.remember("Be brief.", name="brief")
    assert host.call("Stop", transcript_path="") == {}
    assert host.call("SessionEnd", transcript_path="") == {}
    assert (waiting(host), logged(host)) == ([], "")


def test_notes_before_a_compaction_are_of_the_transcript_that_the_host_names(host: Host, talk: Path) -> None:
    host.memory.remember("Be brief.", name="brief")
    settings = host.home / ".claude" / "memdir" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"notes": {"enabled": true}}')
    host.call("PreCompact", transcript_path=str(talk), trigger="auto")
    assert until(lambda: list(Path(host.memory.directory, "sessions").rglob("*.md")) or logged(host))
    assert logged(host) == ""


@pytest.mark.parametrize("job", ["turn", "compact"])
def test_notes_that_could_not_be_taken_are_logged_and_told(host: Host, talk: Path, job: str) -> None:
    host.env["MEMDIR_MODEL"] = NOBODY
    settings = host.home / ".claude" / "memdir" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"notes": {"enabled": true, "firstTokens": 1}}')
    talk = talk.rename(talk.with_name("s1.jsonl"))
    host.memory.jobs.turn_ended(talk)
    work(host, job, str(talk))
    said = f"No notes were taken, and it will be tried again. ModelBusy: {NOBODY}"
    assert f"worker notes: {said}" in logged(host)
    assert f"In the background (notes) something could not be done: {said}" in told(host)
    assert told(host) == ""


def test_a_secret_in_a_prompt_does_not_wait_on_disk(host: Host) -> None:
    host.env["MEMDIR_MODEL"] = NOBODY
    memory = host.memory
    memory.remember("Deploys go through the blue pipeline.", kind="project", name="deploys")
    assert memory.hosts.session.wants_model(f"how do deploys use {SECRET} today?")
    (asked,) = waiting(host, "ask")
    assert SECRET not in json.dumps(asked)
    assert "how do deploys use" in asked["query"]


@pytest.mark.parametrize("at", ["", "garbage", "0", "1700000000"])
def test_nobody_is_asked_about_a_prompt_that_is_long_answered(host: Host, at: str) -> None:
    host.env["MEMDIR_MODEL"] = NOBODY
    host.memory.remember("Deploys go through the blue pipeline.", kind="project", name="deploys")
    RequestQueue(host.memory.state, "ask").ask("s1", {"query": "how do deploys work?", "at": at})
    work(host, "ask")
    assert waiting(host, "ask") == []
    assert host.memory.models.costs().today.calls == 0


def test_a_fresh_prompt_is_asked_about(host: Host) -> None:
    host.env["MEMDIR_MODEL"] = NOBODY
    host.memory.remember("Deploys go through the blue pipeline.", kind="project", name="deploys")
    assert host.memory.hosts.session.wants_model("how do deploys reach production?")
    work(host, "ask")
    assert waiting(host, "ask") == []
    assert host.memory.models.costs().today.calls == 1


ENDED = """
import os, signal, sys
from threading import Event
from memdir.hooks.work import end_within
cancel = Event()
most = float(sys.argv[1])
print(end_within(most, cancel), signal.getitimer(signal.ITIMER_REAL)[0] <= 0.96 * most, cancel.is_set())
os.kill(os.getpid(), signal.SIGALRM)
print(cancel.is_set(), signal.getitimer(signal.ITIMER_REAL)[0])
sys.stdout.flush()
os.kill(os.getpid(), signal.SIGALRM)
print("still here")
"""


@pytest.mark.parametrize(("most", "work_for"), [(120.0, 115.0), (10.0, 8.0), (1.0, 0.8)])
def test_the_time_to_stop_is_a_part_of_a_workers_time(most: float, work_for: float) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ENDED, str(most)], capture_output=True, text=True, timeout=60, check=False
    )
    first, second = done.stdout.splitlines()
    assert first == f"{work_for} True False"
    asked, left = second.split()
    assert (asked, float(left) <= most - work_for + 1e-6) == ("True", True)
    assert done.returncode < 0


def test_cards_of_places_that_nobody_works_in_are_dropped(host: Host) -> None:
    host.memory.remember("Be brief.", name="brief")
    host.tool("PreToolUse", "Bash", command="ls")
    (cache,) = host.caches()
    old, other = cache.with_name("0badcafe.cache"), cache.with_name("other.txt")
    with subprocess.Popen([sys.executable, "-c", ""]) as dead:
        dead.wait()
    left = cache.with_name(f".memdir-tmp-{dead.pid:x}-0a")
    for path in (old, other, left):
        path.write_text("x")
        os.utime(path, (path.stat().st_mtime - 31 * 86_400,) * 2)
    cache.unlink()
    host.tool("PreToolUse", "Bash", command="ls")
    assert [path.exists() for path in (cache, old, other, left)] == [True, False, True, False]


def test_held_tokens_are_shown_with_the_cost(host: Host) -> None:
    ledger = Ledger(str(host.home / ".claude"))
    asked = Question((Message("user", "hello"),), max_tokens=900)
    ledger.hold(asked, "m", "s1", Caps(10_000, 10_000), datetime.now(UTC))
    command = ["memdir", "--cwd", str(host.project), "cost"]
    shown = host.commands.run(command, host.env)
    assert f"Held for calls under way, and not left: {most_tokens(asked):,} tokens." in shown.stdout.decode()
    printed = host.commands.run([*command, "--json"], host.env)
    assert json.loads(printed.stdout)["held"] == {"conversation": None, "day": most_tokens(asked)}


def test_the_end_of_a_conversation_brings_the_index_up_to_date(host: Host) -> None:
    memory = host.memory
    memory.remember("Be brief.", name="brief")
    Path(memory.directory, "user_tabs.md").write_text("---\nname: tabs\ntype: user\n---\n\nUses tabs.\n")
    assert host.call("SessionEnd", reason="exit") == {}
    index = Path(memory.directory, "MEMORY.md")
    assert until(lambda: "user_tabs.md" in index.read_text())


def test_what_a_prompt_has_no_time_for_is_prepared_after_its_answer(host: Host) -> None:
    settings = host.home / ".claude" / "memdir" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"recall": {"budgetMs": 1}}')
    memory = host.memory
    directory = Path(memory.directory)
    directory.mkdir(parents=True)
    for number in range(400):
        head = f"---\nname: n{number}\ndescription: How deploys of {number} work\ntype: project\n---\n"
        (directory / f"n{number}.md").write_text(f"{head}Blue {number}.\n")
    host.call("UserPromptSubmit", prompt="how do deploys of 7 work?")
    receipt = memory.recalls.receipt()
    assert "no time was left" in "; ".join((receipt.because, *receipt.fallbacks))
    assert until(lambda: Path(memory.state, "terms").exists())
    assert until(lambda: not RequestQueue(memory.state, "prepare").is_busy())
    assert logged(host) == ""
    settings.unlink()
    host.call("UserPromptSubmit", prompt="how do deploys of 8 work?", session_id="s2")
    assert not any("headers alone" in text for text in memory.recalls.receipt().fallbacks)


def test_one_worker_prepares_at_a_time(host: Host) -> None:
    memory = host.memory
    memory.remember("Deploys go through the blue pipeline.", kind="project", name="deploys")
    with RequestQueue(memory.state, "prepare").hold_lock(5):
        work(host, "prepare")
    assert not Path(memory.state, "terms").exists()
    work(host, "prepare")
    assert Path(memory.state, "terms").exists()
