"""When a turn ends, what is worth it is saved later by one worker: once, completely, or not at all."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread, active_count

import pytest
from tests.flows.talks import TUESDAYS, bodies, memo, memory_in, replies, scripted, transcript, write

from memdir.conversation.cursors import Cursors
from memdir.errors import (
    Cancelled,
    CapReached,
    Conflict,
    MemdirError,
    ModelBusy,
    ModelError,
    ModelRejected,
    ModelReplyError,
    ModelTimeout,
    Rejected,
)
from memdir.extract.gate import Requested, Skip
from memdir.memory import Memory
from memdir.models.protocol import Cancel, Question, Reply, ToolCall
from memdir.models.vendors.scripted import Hang, ScriptedModel, Step
from memdir.workers.queue import RequestQueue

DEPLOYS = write("project_deploys.md", memo("project", "deploys", "Deploys are on Tuesdays only."))


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    return transcript(tmp_path / "talk.jsonl", ("user", TUESDAYS), ("assistant", "Noted."))


def waiting(memory: Memory) -> int:
    return len(RequestQueue(memory.state, "extract").waiting_requests())


def test_asking_writes_no_memory_and_working_does(tmp_path: Path, talk: Path) -> None:
    memory = memory_in(tmp_path)
    assert memory.jobs.turn_ended(talk) == Requested(str(talk))
    assert memory.list() == []
    (report,) = memory.jobs.work(10)
    assert report.done
    assert report.said.startswith("Memory saved: project_")
    assert "Tuesdays" in memory.read(memory.list()[0].file).body
    assert waiting(memory) == 0


def test_a_worker_reads_the_transcript_once(tmp_path: Path, talk: Path) -> None:
    memory, path, opened = memory_in(tmp_path), str(talk), list[str]()
    memory.jobs.turn_ended(talk)
    sys.addaudithook(
        lambda event, given: opened.append(path) if (event, given[:1]) == ("open", (path,)) else None
    )
    assert memory.jobs.work(10)[0].done
    assert opened == [path]


def test_what_was_saved_says_where_it_comes_from_and_is_undone_in_one_step(tmp_path: Path) -> None:
    talk = transcript(
        tmp_path / "talk.jsonl", ("user", TUESDAYS), ("user", "I am a data scientist by training.")
    )
    memory = memory_in(tmp_path, session="abc")
    result = memory.extract(talk)
    assert len(result.saved) == 2
    (entry,) = memory.history.list()
    assert (entry.by.actor, entry.by.source, entry.by.method, entry.by.session) == (
        "extractor",
        "user",
        "offline",
        "abc",
    )
    assert entry.by.reason == "said in messages 1, 2 of conversation abc"
    assert 'session: "abc"' in memory.read(result.saved[0].file).text
    memory.undo()
    assert memory.list() == []


def test_the_history_names_message_and_conversation_of_a_host_by_their_beginnings(tmp_path: Path) -> None:
    said, talk = "7c0ffee1-0000-4000-8000-000000000001", "1a2b3c4d-0000-4000-8000-00000000000a"
    memory = memory_in(tmp_path, session=talk)
    memory.extract(messages=[{"role": "user", "content": TUESDAYS, "id": said}])
    (entry,) = memory.history.list()
    assert entry.by.reason == "said in message 7c0ffee1 of conversation 1a2b3c4d"


STAMPED = {"role": "user", "content": TUESDAYS, "timestamp": "2026-11-12T10:00:00Z"}
PIPED = {"role": "user", "content": TUESDAYS}


@pytest.mark.parametrize("said", [STAMPED, PIPED], ids=["with a time", "without"])
def test_what_was_undone_is_not_saved_again_from_the_same_conversation(
    tmp_path: Path, said: dict[str, str]
) -> None:
    memory = memory_in(tmp_path, session="")
    assert memory.extract(messages=[said]).saved
    memory.undo()
    assert memory.extract(messages=[said]).saved == ()
    grown = [said, {"role": "assistant", "content": "Noted."}, {"role": "user", "content": "Thanks a lot."}]
    assert memory.extract(messages=grown).saved == ()
    assert memory.list() == []


@pytest.mark.parametrize("taken_back", [Memory.undo, lambda memory: memory.forget(memory.list()[0].name)])
def test_what_was_taken_back_is_not_saved_again_from_a_copy_of_the_conversation(
    tmp_path: Path, talk: Path, taken_back: Callable[[Memory], object]
) -> None:
    """A host that resumes a conversation copies it into a new transcript."""
    memory = memory_in(tmp_path)
    memory.extract(talk)
    taken_back(memory)
    copy = tmp_path / "resumed.jsonl"
    copy.write_text(talk.read_text())
    result = memory.extract(copy)
    assert result.saved == ()
    assert [because for _, because in result.skipped] == ["it was saved once and taken back"]


@pytest.mark.parametrize("said", [STAMPED, PIPED], ids=["with a time", "without"])
def test_what_was_piped_in_and_taken_back_is_not_saved_from_a_file_either(
    tmp_path: Path, said: dict[str, str]
) -> None:
    memory = memory_in(tmp_path, session="")
    assert memory.extract(messages=[said]).saved
    memory.undo()
    file = tmp_path / "talk.jsonl"
    file.write_text(json.dumps(said) + "\n")
    assert memory.extract(file).saved == ()
    assert memory.list() == []


def test_who_asks_again_after_taking_back_is_heard(tmp_path: Path, talk: Path) -> None:
    memory = memory_in(tmp_path)
    memory.extract(talk)
    memory.undo()
    again = {**STAMPED, "timestamp": "2026-11-16T10:00:00Z"}
    assert memory.extract(messages=[again]).saved
    memory.undo()
    memory.undo(memory.history.list()[0].id)  # the undo itself is taken back
    assert len(memory.list()) == 1


@pytest.mark.parametrize("steps", [None, replies(DEPLOYS)], ids=["offline", "model"])
def test_the_same_conversation_twice_adds_nothing(
    tmp_path: Path, talk: Path, steps: list[Step] | None
) -> None:
    def opened() -> Memory:
        return memory_in(tmp_path, model=ScriptedModel(steps) if steps else None)

    opened().extract(talk)
    saved = bodies(opened())
    again = opened().extract(talk)
    assert (again.saved, again.because) == ((), "nobody said anything new")
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(talk.read_bytes())
    assert opened().extract(copy).saved == ()
    assert bodies(opened()) == saved
    assert len(saved) == 1


def test_many_conversations_that_repeat_what_was_recalled_add_nothing(tmp_path: Path) -> None:
    memory = memory_in(tmp_path)
    texts = {
        "feedback": "Never summarize at the end of a reply, because the diff is read anyway.",
        "project": "Releases are cut from the stable branch by the platform team.",
        "user": "The user is a data scientist on the ranking team.",
    }
    for kind, text in texts.items():
        memory.remember(text, kind=kind)
    before = bodies(memory)
    for number in range(12):
        text = list(texts.values())[number % 3]
        path = transcript(
            tmp_path / f"{number}.jsonl",
            (
                "user",
                f"<system-reminder>\nA memory of yours:\n\n{text}\n</system-reminder>\nWhat do you know?",
            ),
            ("assistant", f"As I remember it: {text}"),
            ("user", f"Right. {text}"),
        )
        memory.extract(path)
    assert bodies(memory) == before
    assert memory.inbox.list() == []


def test_a_model_that_saves_what_was_recalled_adds_nothing(tmp_path: Path) -> None:
    text = "Releases are cut from the stable branch by the platform team."
    memory_in(tmp_path).remember(text, kind="project", name="releases")
    for number in range(10):
        path = transcript(tmp_path / f"{number}.jsonl", ("user", f"Right. {text}"), ("assistant", text))
        parrot = write(
            f"project_new-{number}.md", memo("project", f"new-{number}", text), f"m{number % 2 + 1}"
        )
        memory_in(tmp_path, model=scripted(parrot)).extract(path)
    assert bodies(memory_in(tmp_path)) == {"project_releases.md": text}
    assert memory_in(tmp_path).inbox.list() == []


def test_a_turn_that_ends_while_a_worker_is_busy_is_looked_at_by_that_worker(
    tmp_path: Path, talk: Path
) -> None:
    memory = memory_in(tmp_path)

    def meanwhile(_: Question) -> str:
        transcript(talk, ("user", "I am a data scientist."))
        memory.jobs.turn_ended(talk)
        memory.jobs.turn_ended(talk)
        return "Nothing."

    model = ScriptedModel([meanwhile, "Nothing."])
    memory.jobs.turn_ended(talk)
    reports = memory_in(tmp_path, model=model).jobs.work(10)
    assert len(reports) == len(model.asked) == 2
    assert "data scientist" in model.asked[1].messages[0].text
    assert "Tuesdays" not in model.asked[1].messages[0].text
    assert waiting(memory) == 0


def test_ending_a_turn_does_not_wait_for_a_worker_that_hangs(tmp_path: Path, talk: Path) -> None:
    asked, cancel = Event(), Cancel()

    def hangs(question: Question) -> str:
        asked.set()
        assert question.cancel is not None
        question.cancel.wait(30)
        raise Cancelled("called off")

    memory_in(tmp_path).jobs.turn_ended(talk)
    worker = Thread(target=memory_in(tmp_path, model=ScriptedModel([hangs])).jobs.work, args=(30, cancel))
    worker.start()
    assert asked.wait(10)
    other = memory_in(tmp_path)
    assert isinstance(other.jobs.turn_ended(talk), Requested)
    assert other.jobs.work(5) == []
    assert worker.is_alive()
    cancel.set()
    worker.join(10)
    assert not worker.is_alive()
    assert waiting(other) == 1


@pytest.mark.parametrize(
    "step",
    [
        ModelTimeout("No answer within 30 s."),
        ModelBusy("429: try again in 20 s."),
        ModelBusy("The server answered 503."),
        ModelRejected("401: the key is wrong."),
        ModelReplyError("It answered HTML."),
        CapReached("The cap of today is used up."),
        Reply("I cannot help with that.", stop="refusal"),
        Reply("x" * 1_100_000),
        Reply("", (ToolCall("1", "write", {"path": "a.md", "text": "x" * 1_100_000, "message": "m1"}),)),
    ],
    ids=lambda step: type(step).__name__,
)
def test_a_model_that_fails_changes_nothing_and_is_asked_again(
    tmp_path: Path, talk: Path, step: Step
) -> None:
    memory = memory_in(tmp_path, model=ScriptedModel([step]))
    memory.jobs.turn_ended(talk)
    (report,) = memory.jobs.work(10)
    assert not report.done
    assert memory.list() == []
    assert Cursors(memory.state).of(str(talk)) is None
    assert waiting(memory) == 1
    memory_in(tmp_path, model=scripted(DEPLOYS)).jobs.work(10)
    assert list(bodies(memory)) == ["project_deploys.md"]


@pytest.mark.parametrize(
    "calls",
    [
        (ToolCall("1", "format_disk", {}),),
        (ToolCall("1", "write", {"path": 7, "text": None}),),
        (ToolCall("1", "write", {}), ToolCall("2", "edit", {"message": "m1"})),
        (write("project_a.md", "no header at all"),),
        (write("project_a.md", memo("opinion", "a", "Deploys are on Tuesdays.")),),
    ],
)
def test_garbage_is_refused_and_counts_as_looked_at(
    tmp_path: Path, talk: Path, calls: tuple[ToolCall, ...]
) -> None:
    memory = memory_in(tmp_path, model=scripted(*calls))
    memory.jobs.turn_ended(talk)
    (report,) = memory.jobs.work(10)
    assert (report.done, report.said) == (True, "Nothing was worth saving")
    assert memory.list() == []


def test_a_run_is_bounded_by_the_seconds_it_is_given(tmp_path: Path, talk: Path) -> None:
    threads = active_count()
    memory = memory_in(tmp_path, model=ScriptedModel([Hang()]))
    memory.jobs.turn_ended(talk)
    (report,) = memory.jobs.work(0.1)
    assert not report.done
    assert "ModelTimeout" in report.said
    assert active_count() == threads


def test_a_run_that_is_called_off_changes_nothing(tmp_path: Path, talk: Path) -> None:
    cancel = Cancel()

    def called_off(_: Question) -> Reply:
        cancel.set()
        return Reply("", (DEPLOYS,), stop="tools")

    memory = memory_in(tmp_path, model=ScriptedModel([called_off, "Done."]))
    memory.jobs.turn_ended(talk)
    (report,) = memory.jobs.work(10, cancel)
    assert (report.done, memory.list(), waiting(memory)) == (False, [], 1)


def test_after_one_failure_the_model_is_not_asked_for_the_other_conversations(tmp_path: Path) -> None:
    model = ScriptedModel(default=ModelBusy("429"))
    memory = memory_in(tmp_path, model=model)
    for number in range(5):
        memory.jobs.turn_ended(transcript(tmp_path / f"{number}.jsonl", ("user", TUESDAYS)))
    (report,) = memory.jobs.work(10)
    assert (report.outcome, len(model.asked), waiting(memory)) == ("failed", 1, 5)
    model = ScriptedModel(default="Nothing.")
    assert len(memory_in(tmp_path, model=model).jobs.work(10)) == len(model.asked) == 5


def test_a_memory_that_somebody_changes_meanwhile_is_not_overwritten(tmp_path: Path, talk: Path) -> None:
    memory = memory_in(tmp_path)
    memory.remember("Deploys are on Mondays.", kind="project", name="deploys")

    def meanwhile(_: Question) -> Reply:
        memory_in(tmp_path).remember("Deploys are on Fridays.", kind="project", name="deploys")
        return Reply("", (DEPLOYS,), stop="tools")

    with pytest.raises(Conflict):
        memory_in(tmp_path, model=ScriptedModel([meanwhile, "Done."])).extract(talk)
    assert bodies(memory) == {"project_deploys.md": "Deploys are on Fridays."}
    assert Cursors(memory.state).of(str(talk)) is None
    assert memory_in(tmp_path, model=scripted(DEPLOYS)).extract(talk).saved[0].created is False


def test_with_a_throttle_turns_wait_until_there_are_enough_or_the_conversation_ends(tmp_path: Path) -> None:
    memory = memory_in(tmp_path, settings={"extract.everyTurns": 2})
    talk = transcript(tmp_path / "talk.jsonl", ("user", TUESDAYS))
    early = memory.jobs.turn_ended(talk)
    assert isinstance(early, Skip)
    assert [report.done for report in memory.jobs.work(10)] == [False]
    assert memory.list() == []
    (report,) = memory.jobs.drain(10)
    assert report.done
    transcript(talk, ("user", "I am a data scientist."), ("user", "I prefer tabs."))
    assert isinstance(memory.jobs.turn_ended(talk), Requested)


def test_what_the_host_saved_itself_is_not_extracted_and_counts_as_read(tmp_path: Path) -> None:
    talk = transcript(tmp_path / "talk.jsonl", ("user", TUESDAYS))
    use = {
        "type": "tool_use",
        "id": "c1",
        "name": "Write",
        "input": {"file_path": str(tmp_path / "memory" / "deploys.md"), "content": "x"},
    }
    with talk.open("a") as file:
        file.write(json.dumps({"role": "assistant", "content": [use]}) + "\n")
    memory = memory_in(tmp_path)
    assert "the host itself" in memory.extract(talk).because
    assert memory.extract(talk).because == "nobody said anything new"


@pytest.mark.parametrize("spelled", ["{}", "~/memory", "$HOME/memory"])
def test_a_shell_write_of_the_host_counts_as_its_own(tmp_path: Path, spelled: str) -> None:
    talk = transcript(tmp_path / "talk.jsonl", ("user", TUESDAYS))
    place = spelled.replace("{}", str(tmp_path / "memory"))
    command = f"cat > {place}/deploys.md <<'EOF'\nWe deploy on Tuesdays.\nEOF"
    use = {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": command}}
    with talk.open("a") as file:
        file.write(json.dumps({"role": "assistant", "content": [use]}) + "\n")
    memory = memory_in(tmp_path)
    assert "the host itself" in memory.extract(talk).because
    assert memory.extract(talk).because == "nobody said anything new"
    assert memory.list() == []


def test_at_its_end_a_conversation_is_drained_within_the_seconds_of_the_setting(
    tmp_path: Path, talk: Path
) -> None:
    seconds: list[float] = []

    def timed(question: Question) -> Reply:
        seconds.append(question.timeout)
        return Reply("", (DEPLOYS,), stop="tools")

    model = ScriptedModel([timed, "Done.", timed, "Done."])
    for given, most in ((7, 7), (0, 0)):
        memory = memory_in(tmp_path, model=model, settings={"extract.drainSeconds": given})
        transcript(talk, ("user", f"Remember that {given} people are on call."))
        memory.jobs.turn_ended(talk)
        memory.jobs.work(100, ended=True)
        assert waiting(memory) == (0 if given else 1)
        assert all(0 < one <= most for one in seconds)
        seconds.clear()
    memory.jobs.work(100)
    assert waiting(memory) == 0
    assert max(seconds) > 7


def test_memory_that_is_off_is_not_asked_to_extract(tmp_path: Path, talk: Path) -> None:
    env = {"HOME": str(tmp_path), "MEMDIR_DISABLE": "1"}
    memory = Memory.open(tmp_path, env=env)
    assert isinstance(memory.jobs.turn_ended(talk), Skip)
    assert (memory.jobs.work(1), memory.jobs.drain(1)) == ([], [])
    with pytest.raises(MemdirError):
        memory.extract(talk)


def test_a_transcript_that_is_gone_waits_no_longer(tmp_path: Path, talk: Path) -> None:
    memory = memory_in(tmp_path)
    memory.jobs.turn_ended(talk)
    talk.unlink()
    (report,) = memory.jobs.work(10)
    assert report.done
    assert waiting(memory) == 0


def test_a_host_that_names_no_transcript_leaves_no_request(tmp_path: Path) -> None:
    memory = memory_in(tmp_path)
    assert "names no file" in str(memory.jobs.turn_ended(""))
    assert waiting(memory) == 0


def test_what_is_no_file_is_reported_once_and_waits_no_longer(tmp_path: Path) -> None:
    memory, pipe = memory_in(tmp_path), tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    memory.jobs.turn_ended(pipe)
    (report,) = memory.jobs.work(10)
    assert (report.done, report.outcome, waiting(memory)) == (True, "failed", 0)
    assert "not a regular file" in report.said


@pytest.mark.parametrize(
    "data",
    [
        b'{\n  "name": "x",\n  "type": "module"\n}\n',
        b'{"name": "x"}',
        b"\x7fELF\x00\xff",
        b"[1]\n",
        b"hello\n",
    ],
)
@pytest.mark.parametrize("dry_run", [True, False])
def test_a_file_that_is_no_transcript_is_refused(tmp_path: Path, data: bytes, dry_run: bool) -> None:
    other = tmp_path / "other"
    other.write_bytes(data)
    for _ in range(2):
        with pytest.raises(Rejected, match="is no transcript"):
            memory_in(tmp_path).extract(other, dry_run=dry_run)


@pytest.mark.parametrize("text", ["", "\n", '{"type": "summary", "summary": "x"}\n', '{"role": "user"}\n'])
def test_a_transcript_in_which_nobody_spoke_yet_is_none_the_less_one(tmp_path: Path, text: str) -> None:
    (tmp_path / "talk.jsonl").write_text(text)
    assert memory_in(tmp_path).extract(tmp_path / "talk.jsonl").because == "nobody said anything new"


def test_a_cap_that_is_used_up_reaches_the_caller_as_such(tmp_path: Path, talk: Path) -> None:
    memory = memory_in(tmp_path, model=scripted(DEPLOYS), settings={"cost": {"perDay": 0}})
    with pytest.raises(CapReached, match="pauses until the next day"):
        memory.extract(talk)
    memory.jobs.turn_ended(talk)
    (report,) = memory.jobs.work(10)
    assert (report.done, report.outcome, waiting(memory)) == (False, "failed", 1)


def test_another_text_under_the_same_path_is_read_from_its_start(tmp_path: Path, talk: Path) -> None:
    memory = memory_in(tmp_path)
    memory.extract(talk)
    talk.unlink()
    other = "Remember that the design documents are in the wiki under Platform/Designs."
    transcript(talk, ("user", other), *[("assistant", "Noted.")] * 5)  # longer than what was read
    (saved,) = memory.extract(talk).saved
    assert "Platform/Designs" in memory.read(saved.file).body


def test_a_dry_run_leaves_no_trace(tmp_path: Path, talk: Path) -> None:
    memory = memory_in(tmp_path)
    assert memory.extract(talk, dry_run=True).drafts
    assert not (tmp_path / "memory").exists()
    assert not (tmp_path / "state").exists()


def test_the_inbox_applies_exactly_what_it_shows_and_can_be_undone(tmp_path: Path) -> None:
    memory = _with_proposal(tmp_path)
    (proposal,) = memory.inbox.list()
    applied, operation = memory.inbox.apply(proposal.id[:8])
    assert (tmp_path / "memory" / "reference_staging.md").read_bytes() == (
        applied.edits[0].after or ""
    ).encode()
    assert memory.inbox.list() == []
    memory.undo(operation)
    assert memory.list() == []


def test_a_rejected_proposal_is_gone_and_nothing_was_written(tmp_path: Path) -> None:
    memory = _with_proposal(tmp_path)
    memory.inbox.reject(memory.inbox.list()[0].id)
    assert (memory.inbox.list(), memory.list()) == ([], [])


def test_a_proposal_about_a_file_that_changed_since_says_what_to_do(tmp_path: Path) -> None:
    memory = _with_proposal(tmp_path)
    memory.remember("Staging is elsewhere.", kind="reference", name="staging")
    with pytest.raises(Conflict) as conflict:
        memory.inbox.apply(memory.inbox.list()[0].id)
    assert "reject" in "".join(conflict.value.__notes__)
    assert len(memory.inbox.list()) == 1


def test_the_same_proposal_does_not_wait_twice(tmp_path: Path) -> None:
    memory = _with_proposal(tmp_path)
    (tmp_path / "other.jsonl").write_bytes((tmp_path / "staging.jsonl").read_bytes())
    result = _proposing(tmp_path).extract(tmp_path / "other.jsonl")
    assert len(memory.inbox.list()) == 1
    assert "inbox already" in result.skipped[0][1]


def test_past_conversations_are_searched_unless_a_setting_forbids_it(tmp_path: Path) -> None:
    folder = tmp_path / ".claude" / "projects" / str(tmp_path.resolve()).replace("/", "-").replace("_", "-")
    folder.mkdir(parents=True)
    transcript(folder / "one.jsonl", ("user", "The staging cluster was moved."))
    (hit,) = memory_in(tmp_path).recalls.search_transcripts("STAGING moved").hits
    assert (hit.role, hit.session) == ("user", "one")
    with pytest.raises(Rejected, match="searchPastContext"):
        memory_in(tmp_path, settings={"searchPastContext": False}).recalls.search_transcripts("staging")


def test_the_newest_conversation_is_taken_when_none_is_named(tmp_path: Path) -> None:
    folder = tmp_path / ".claude" / "projects" / str(tmp_path.resolve()).replace("/", "-").replace("_", "-")
    with pytest.raises(MemdirError, match="no transcript"):
        memory_in(tmp_path).extract()
    folder.mkdir(parents=True)
    transcript(folder / "one.jsonl", ("user", TUESDAYS))
    assert memory_in(tmp_path).extract().saved


def test_a_model_that_cannot_be_used_is_an_error_and_not_a_reason_to_guess(
    tmp_path: Path, talk: Path
) -> None:
    memory = memory_in(tmp_path, settings={"model": "gpt"})
    with pytest.raises(ModelError, match="names no model"):
        memory.extract(talk)
    assert memory.list() == []


def test_a_model_is_looked_for_when_it_is_asked_and_not_before(tmp_path: Path, talk: Path) -> None:
    script = tmp_path / "script.json"
    memory = memory_in(tmp_path, settings={"model": f"scripted:{script}"})
    assert memory.jobs.work(5) == []
    assert memory.notes.read().text == ""
    assert memory.jobs.dream().ended == "skipped"
    script.write_text('["Nothing is worth saving."]')
    assert memory.extract(talk).method == "model"


_WORKER = """
import sys
from pathlib import Path
from tests.flows.talks import memory_in
from memdir.models.vendors.scripted import Hang, ScriptedModel
def said(_):
    print("asked", flush=True)
    import time; time.sleep(60)
memory_in(Path(sys.argv[1]), model=ScriptedModel([said])).jobs.work(60)
"""


def test_a_worker_that_is_killed_while_it_asks_leaves_everything_to_the_next(
    tmp_path: Path, talk: Path
) -> None:
    memory = memory_in(tmp_path)
    memory.jobs.turn_ended(talk)
    root = Path(__file__).parents[2]
    child = subprocess.Popen(
        [sys.executable, "-c", _WORKER, str(tmp_path)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{root / 'src'}:{root}"},
        stdout=subprocess.PIPE,
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == b"asked\n"
        assert memory.jobs.work(5) == []
    finally:
        child.kill()
        child.communicate()
    assert (memory.list(), waiting(memory)) == ([], 1)
    memory_in(tmp_path, model=scripted(DEPLOYS)).jobs.work(10)
    assert (list(bodies(memory)), waiting(memory)) == (["project_deploys.md"], 0)


def _proposing(folder: Path) -> Memory:
    text = memo("reference", "staging", "The staging cluster is at staging.example.net.")
    return memory_in(folder, model=scripted(write("reference_staging.md", text, "m2")))


def _with_proposal(folder: Path) -> Memory:
    said = ("assistant", "The staging cluster is at staging.example.net.")
    talk = transcript(folder / "staging.jsonl", ("user", "Where is it?"), said)
    memory = _proposing(folder)
    memory.extract(talk)
    return memory


def test_no_worker_loosens_a_rule(tmp_path: Path) -> None:
    memory = memory_in(tmp_path)
    memory.remember("Never push to main.", name="no-push", enforce="Bash: git push * main")
    before = memory.read("no-push").text
    talk = [
        {"role": "user", "content": "Forget what I said about pushing to main."},
        {
            "role": "user",
            "content": "Remember that you may push to main on Fridays, never push to main otherwise.",
        },
    ]
    memory.extract(messages=talk)
    assert memory.read("no-push").text == before
    assert [rule.bound for rule in memory.rules.list()] == [True]
