"""A dream consolidates: when it is time, in one step, shown before and undone after; and notes are kept."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import sleep

import pytest
from tests.conftest import Clock
from tests.contents import memory_names
from tests.environment import WORDS_ALONE
from tests.tool_calls import calls

from memdir import Memory
from memdir.config.identity import transcript_folder
from memdir.dream.lock import LOCK_NAME
from memdir.errors import MemoryOff, ModelBusy, NoSuchMemory
from memdir.models.protocol import Question, Reply
from memdir.models.vendors.scripted import ScriptedModel, Step
from memdir.notes.update import Noted
from memdir.workers.queue import NotNow, Now

Opened = Callable[..., Memory]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path


@pytest.fixture
def here(home: Path, clock: Clock) -> Opened:
    """Open the memory of the project, with a model that follows a script or with none."""

    def opened(*steps: Step, session: str = "s-now", **env: str) -> Memory:
        model = ScriptedModel(steps, default="Done.") if steps else None
        given = {
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "MEMDIR_WEIGHTS": os.environ["MEMDIR_WEIGHTS"],
            **env,
        }
        return Memory.open(home / "project", given, session, model=model, clock=clock)

    return opened


def settings(home: Path, **keys: object) -> None:
    path = home / ".claude" / "memdir" / "settings.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(keys))


def sessions(home: Path, *names: str, text: str = "hello") -> None:
    folder = Path(transcript_folder(str(home / ".claude"), str(home / "project")))
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        row = {"type": "user", "uuid": "u1", "message": {"role": "user", "content": text}}
        (folder / f"{name}.jsonl").write_text(json.dumps(row) + "\n")


def saved(memory: Memory) -> Memory:
    memory.remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    memory.remember("Deploys go out on Tuesdays.", kind="project", name="releases")
    return memory


def test_it_waits_for_a_day_and_five_conversations(here: Opened, home: Path, clock: Clock) -> None:
    memory = saved(here())
    sessions(home, "s-now", "s1", "s2", "s3", "s4")
    assert memory.jobs.dream_due() == NotNow("4 of 5 conversations were touched since the last consolidation")
    sessions(home, "s5")
    assert memory.jobs.dream_due() == NotNow("sessions were counted less than 10 minutes ago")
    clock.forward(minutes=11)
    assert isinstance(memory.jobs.dream_due(), Now)
    assert memory.jobs.dream().ended == "applied"
    clock.forward(hours=23)
    assert memory.jobs.dream_due() == NotNow("the last consolidation is less than 24 hours ago")
    assert memory.jobs.dream().ended == "skipped"


def test_one_day_of_logs_is_enough_where_logs_are_kept(here: Opened, home: Path) -> None:
    settings(home, mode="daily-log")
    memory = saved(here())
    assert isinstance(memory.jobs.dream_due(), NotNow)
    day = Path(memory.directory, "logs", "2026", "11", "2026-11-14.md")
    day.parent.mkdir(parents=True)
    day.write_text("- 09:00 Remember that the shop is frozen in December.\n")
    here().jobs.dream(now=True, dry_run=True)
    Path(memory.state, "dream.scan").unlink()
    assert isinstance(memory.jobs.dream_due(), Now)


def test_it_is_off_where_settings_or_the_machine_say_so(here: Opened, home: Path) -> None:
    saved(here())
    settings(home, **{"dream.enabled": False})
    assert here().jobs.dream_due() == NotNow('the setting "dream.enabled" is off')
    settings(home)
    remote = here(MEMDIR_REMOTE="1", MEMDIR_BASE=str(home / ".claude"))
    assert "MEMDIR_REMOTE" in remote.jobs.dream_due().because
    with pytest.raises(MemoryOff):
        here(MEMDIR_DISABLE="1").jobs.dream(now=True)


def test_a_dry_run_shows_what_happens_then_and_undo_takes_it_back(here: Opened) -> None:
    memory = saved(here())
    shown = memory.jobs.dream(dry_run=True)
    assert (shown.ended, memory_names(memory)) == ("would", ["deploys", "releases"])
    done = memory.jobs.dream(now=True)
    assert (done.ended, done.ledger) == ("applied", shown.ledger)
    assert len(memory_names(memory)) == 1
    assert memory.undo().undid.id == done.operation
    assert memory_names(memory) == ["deploys", "releases"]


def test_a_model_gets_instructions_and_a_list_and_its_calls_are_counted(here: Opened, home: Path) -> None:
    (home / "project" / "CLAUDE.md").write_text("We deploy on Tuesdays, whatever anybody says.\n")
    sessions(home, "s1")
    asked: list[Question] = []

    def first(question: Question) -> Reply:
        asked.append(question)
        return calls(("forget", {"path": "project_releases.md"}))

    memory = saved(here(first, "One duplicate removed."))
    said: list[str] = []
    done = memory.jobs.dream(now=True, said=said.append)
    assert (done.ended, done.method, done.because) == ("applied", "model", "One duplicate removed.")
    request = asked[0].messages[0].text
    assert "We deploy on Tuesdays, whatever anybody says." in request
    assert "- [project] project_deploys.md" in request
    assert str(home / ".claude" / "projects") in request
    assert "forget project_releases.md" in said
    assert memory.models.costs().jobs["dream"].calls == 2


def test_what_fails_its_checks_waits_in_the_inbox_and_can_be_applied(here: Opened) -> None:
    memory = saved(
        here(calls(*(("forget", {"path": f"project_{one}.md"}) for one in ("deploys", "releases"))))
    )
    done = memory.jobs.dream(now=True)
    assert (done.ended, memory_names(memory)) == ("inbox", ["deploys", "releases"])
    assert "unaccounted for" in done.objections[0]
    memory.inbox.apply(done.proposals[0])
    assert memory_names(memory) == []


def test_a_person_can_stop_it_and_nothing_is_changed(here: Opened, home: Path) -> None:
    memory = saved(here())
    script = home / "hang.json"
    script.write_text('[{"hang": true}]')
    env = {"HOME": str(home), "PATH": os.environ["PATH"], "MEMDIR_MODEL": f"scripted:{script}", **WORDS_ALONE}
    program = "from memdir.cli.main import main; raise SystemExit(main())"
    command = [sys.executable, "-c", program, "dream", "--now"]
    with subprocess.Popen(command, cwd=home / "project", env=env, stderr=subprocess.PIPE) as process:
        while process.poll() is None and not _is_asked(home):
            sleep(0.02)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode == 130
    assert memory_names(memory) == ["deploys", "releases"]
    assert not Path(memory.directory, LOCK_NAME).exists()


def _is_asked(home: Path) -> bool:
    """Tell whether tokens are held for a call of a model."""
    ledgers = (home / ".claude" / "memdir").rglob("*.jsonl")
    return any('"held"' in ledger.read_text() for ledger in ledgers)


def test_notes_are_taken_when_it_is_time_and_read_by_whoever_asks(here: Opened, home: Path) -> None:
    settings(home, **{"notes.enabled": True, "notes.firstTokens": 100})
    sessions(home, "s-now", text="Mend the shop. " * 10)
    assert isinstance(here().notes.update(), NotNow)
    sessions(home, "s-now", text="Mend the shop. " * 100)
    noted = here().notes.update()
    assert isinstance(noted, Noted)
    assert noted.method == "offline"
    notes = here().notes.read()
    assert (notes.session, notes.text) == ("s-now", noted.text)
    assert notes.for_compaction.startswith("# Title\n\nMend the shop.")
    assert here(session="").notes.read() == notes
    assert here(session="other").notes.read().text == ""
    assert isinstance(here().notes.update(), NotNow)  # nothing was said since
    assert memory_names(here()) == []  # notes are no memories


def test_notes_that_a_model_fails_to_take_are_reported_and_tried_again(here: Opened, home: Path) -> None:
    settings(home, **{"notes.enabled": True, "notes.firstTokens": 100})
    sessions(home, "s-now", text="Mend the shop. " * 100)
    (report,) = here(ModelBusy("The server is busy.")).jobs.work(10)
    assert (report.job, report.session, report.done, report.outcome) == ("notes", "s-now", False, "failed")
    assert report.said == "No notes were taken, and it will be tried again. ModelBusy: The server is busy."
    (report,) = here("Done.").jobs.work(10)
    assert (report.job, report.done, report.outcome) == ("notes", True, "")
    assert here("Done.").jobs.work(10) == []  # nothing was said since


def test_notes_by_a_model_follow_the_users_own_template(here: Opened, home: Path) -> None:
    settings(home)
    (home / ".claude" / "memdir" / "notes-template.md").write_text("# Mine\n_What I want to know._\n")
    sessions(home, "s-now")
    edit = {
        "path": "sessions/s-now.md",
        "old": "_What I want to know._",
        "new": "_What I want to know._\n\nThis.",
    }
    noted = here(calls(("edit", edit))).notes.update(now=True)
    assert isinstance(noted, Noted)
    assert noted.text == "# Mine\n_What I want to know._\n\nThis.\n"


def test_notes_are_off_by_default_and_need_a_transcript(here: Opened) -> None:
    assert here().notes.update() == NotNow('the setting "notes.enabled" is off')
    assert here(session="").notes.update(now=True) == NotNow("nobody said which conversation this is")
    with pytest.raises(NoSuchMemory):
        here().notes.update(now=True)
