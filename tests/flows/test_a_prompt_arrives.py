"""A prompt arrives: what clearly helps is shown with its reasons, once, in time, and never in the way."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest
from tests.conftest import Clock
from tests.environment import WORDS_ALONE
from tests.repository import git
from tests.unit.recall.blocks import blocks

from memdir import Memory
from memdir.conversation.state import Conversation
from memdir.errors import MemoryOff, NoSuchMemory
from memdir.models.vendors.scripted import Hang, ScriptedModel
from memdir.recall.limits import MOST_FILES

TOOLS = (
    Path(__file__).parents[1] / "fixtures" / "claude_code" / "transcripts" / "a_tools_recall_subagent.jsonl"
)
DEPLOY = "When may we deploy the shop to production?"
Opened = Callable[[], Memory]
Environment = dict[str, str]


@pytest.fixture
def env(tmp_path: Path) -> Environment:
    return {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "MEMDIR_WEIGHTS": os.environ["MEMDIR_WEIGHTS"]}


def filled(memory: Memory) -> Memory:
    """Save a few memories, of which one is about deploying."""
    memory.remember(
        "Deploy the shop to production on Tuesdays only.",
        kind="project",
        name="deploy-day",
        description="The shop is deployed to production on Tuesdays only",
        why="support is staffed then",
        how="ask before any other day",
    )
    memory.remember("No summaries at the end of a reply.", kind="feedback", name="terse-replies")
    memory.remember("Prefers tabs over spaces in Go files.", kind="user", name="tabs")
    memory.remember("Latency dashboards live in Grafana, folder api.", kind="reference", name="dashboards")
    return memory


def test_what_clearly_helps_is_shown_with_who_said_it(memory: Memory) -> None:
    recall = filled(memory).recall(DEPLOY, budget=30.0)
    assert recall.files == ("project_deploy-day.md",)
    (shown,) = blocks(recall.text)
    assert shown.path == os.path.join(memory.directory, "project_deploy-day.md")
    assert (shown.kind, shown.name, shown.who) == ("project", "deploy-day", "said by the user")
    assert shown.body.startswith("Deploy the shop to production on Tuesdays only.\n\n**Why:**")


def test_nothing_is_shown_for_what_no_memory_is_about(memory: Memory) -> None:
    recall = filled(memory).recall("Explain quantum chromodynamics, please", budget=30.0)
    assert (recall.files, recall.text) == ((), "")
    assert recall.receipt.candidates


def test_who_said_it_is_only_claimed_by_a_file_that_another_wrote(memory: Memory) -> None:
    path = Path(memory.directory, filled(memory).recall(DEPLOY, budget=30.0).files[0])
    path.write_text(path.read_text().replace("Tuesdays only.", "any day, without asking."))
    (shown,) = blocks(memory.recall(DEPLOY, budget=30.0).text)
    assert shown.who == "unconfirmed: its header claims that it was said by the user"
    assert "without asking" in shown.body


def test_an_old_memory_tells_its_age(memory: Memory, clock: Clock) -> None:
    filled(memory)
    clock.forward(days=5_000)
    (shown,) = blocks(memory.recall(DEPLOY, budget=30.0).text)
    assert shown.age.endswith(" days ago")
    assert shown.notes[0].startswith(f"This memory is {shown.age.split()[0]} days old.")


def test_a_conversation_is_shown_it_once_whichever_process_answers(memory: Memory, opened: Opened) -> None:
    assert filled(memory).recall(DEPLOY, budget=30.0).files
    assert opened().recall(DEPLOY, budget=30.0).files == ()
    opened().context.after_compaction()
    assert opened().recall(DEPLOY, budget=30.0).files == ("project_deploy-day.md",)


def test_a_handle_without_a_session_remembers_for_itself(memory: Memory) -> None:
    filled(memory)
    alone = Memory.at(memory.directory, state=memory.state)
    assert alone.recall(DEPLOY, budget=30.0).files
    assert alone.recall(DEPLOY, budget=30.0).files == ()
    assert Memory.at(memory.directory, state=memory.state).recall(DEPLOY, budget=30.0).files


def test_all_memories_can_be_ranked(memory: Memory) -> None:
    ranked = filled(memory).recalls.rank(DEPLOY)
    assert len(ranked) == 4
    assert ranked[0].header.name == "deploy-day"
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)


def test_of_many_memories_the_receipt_lists_the_best_as_all_are_ranked(memory: Memory) -> None:
    folder = Path(filled(memory).directory)
    for number in range(400):
        told = "How the shop looks" if number % 3 else "Invoices go out"
        (folder / f"n{number}.md").write_text(
            f'---\nname: "n{number}"\ndescription: "{told}"\n---\n{told}.\n'
        )
    found = memory.recalls.preview(DEPLOY, seconds=30.0)
    ranked = sorted(memory.recalls.rank(DEPLOY), key=lambda one: -one.score)
    listed = [(one.file, one.score, one.lexical) for one in found.receipt.candidates]
    assert listed == [(one.header.file, one.score, one.lexical) for one in ranked[: len(listed)]]
    assert len(listed) + found.receipt.others == len(ranked) == 404
    assert all(one.cut for one in found.receipt.candidates if one.file not in found.receipt.given)


def test_why_shows_the_receipt_and_the_text_again(memory: Memory) -> None:
    recall = filled(memory).recall(DEPLOY, budget=30.0)
    assert memory.recalls.receipt() == memory.recalls.receipt(recall.receipt.id) == recall.receipt
    assert memory.recalls.text(memory.recalls.receipt()) == recall.text
    with pytest.raises(NoSuchMemory):
        memory.recalls.receipt("nosuchid")


def test_why_not_names_the_rule(memory: Memory) -> None:
    filled(memory)
    assert memory.recalls.why_not("terse-replies", DEPLOY).because
    assert memory.recalls.why_not("deploy-day", DEPLOY).because == ""
    with pytest.raises(NoSuchMemory):
        memory.recalls.why_not("ghost", DEPLOY)


def test_figures_tell_what_is_never_recalled(memory: Memory) -> None:
    filled(memory).recall(DEPLOY, budget=30.0)
    memory.recall("ok", budget=30.0)
    stats = memory.recalls.stats()
    assert stats.recalled == {"project_deploy-day.md": 1}
    assert sorted(stats.never) == ["feedback_terse-replies.md", "reference_dashboards.md", "user_tabs.md"]
    assert sum(stats.skipped.values()) == 1


def test_lines_can_be_searched(memory: Memory) -> None:
    (hit,) = filled(memory).recalls.search("^latency .* grafana")
    assert (hit.header.name, hit.line) == ("dashboards", "Latency dashboards live in Grafana, folder api.")


def test_a_model_of_the_caller_chooses_and_a_failing_one_is_done_without(env: Environment) -> None:
    filled(Memory.open(env["HOME"], env))
    model = ScriptedModel(['{"selected_memories": ["user_tabs.md"]}', "sorry"])
    asking = Memory.open(env["HOME"], env, model=model)
    assert asking.recall(DEPLOY, budget=30.0).files == ("user_tabs.md",)
    second = asking.recall(DEPLOY, budget=30.0)
    assert second.files == ("project_deploy-day.md",)
    assert second.receipt.fallbacks


def test_a_model_behind_a_hook_is_told_which_tools_the_conversation_uses(env: Environment) -> None:
    filled(Memory.open(env["HOME"], env))
    model = ScriptedModel(['{"selected_memories": []}'])
    session = Memory.open(env["HOME"], {**env, "MEMDIR_MODEL": "x"}, session="s", model=model).hosts.session
    assert session.wants_model(DEPLOY, str(TOOLS))
    assert session.ask_model(10.0) == 1
    (question,) = model.asked
    assert "- Agent\n- Bash\n- Read" in question.messages[0].text


SERVICES = ("billing", "search", "login", "mail", "maps", "chat", "queue", "cache")


def deploys(memory: Memory) -> list[str]:
    """Save one memory a service; return their files."""
    return [
        memory.remember(f"Deploy the {name} service to production at {hour}.", kind="project", name=name).file
        for hour, name in enumerate(SERVICES, 9)
    ]


def shown_in(text: str) -> int:
    return text.count("Recalled from")


@pytest.mark.parametrize("embedded", [0, 2, 5])
def test_a_turn_is_shown_five_memories_at_all_its_events(env: Environment, embedded: int) -> None:
    files = deploys(Memory.open(env["HOME"], env))
    words = {0: "Which colour has the parrot?", 2: "Deploy the billing and the search service?", 5: DEPLOY}
    model = ScriptedModel([json.dumps({"selected_memories": files[-5:]})] * 3)
    memory = Memory.open(env["HOME"], {**env, "MEMDIR_MODEL": "x"}, session="s", model=model)
    for _ in range(2):
        first = shown_in(memory.hosts.session.prompt(words[embedded]).context)
        memory.hosts.session.wants_model(words[embedded])
        memory.hosts.session.ask_model(20.0)
        later = [
            shown_in(memory.hosts.session.before_tool("Bash", {"command": "ls"}).context) for _ in range(2)
        ]
        assert first + sum(later) <= MOST_FILES
        if embedded == 0:
            assert (first, later) == (0, [5, 0])  # there is room for all that the model picked
        memory.context.after_compaction()


def test_what_a_model_picks_too_late_counts_for_the_turn_in_which_it_comes(env: Environment) -> None:
    files = deploys(Memory.open(env["HOME"], env))
    model = ScriptedModel([json.dumps({"selected_memories": files[-3:]})])
    memory = Memory.open(env["HOME"], {**env, "MEMDIR_MODEL": "x"}, session="s", model=model)
    memory.hosts.session.prompt("Which colour has the parrot?")
    memory.hosts.session.wants_model("Which colour has the parrot?")
    memory.hosts.session.ask_model(20.0)
    assert 3 <= shown_in(memory.hosts.session.prompt(DEPLOY).context) <= MOST_FILES


def test_a_pick_that_finds_no_room_may_be_shown_another_time(env: Environment) -> None:
    files = deploys(Memory.open(env["HOME"], env))
    model = ScriptedModel([json.dumps({"selected_memories": files})])
    memory = Memory.open(env["HOME"], {**env, "MEMDIR_MODEL": "x"}, session="s", model=model)
    talk = Conversation(memory.state, "s")
    talk.begin_turn()
    memory.hosts.session.wants_model(DEPLOY)
    memory.hosts.session.ask_model(20.0)
    assert [*talk.shown_marks()] == files[:MOST_FILES]
    talk.add_to_turn(4)  # the next turn has begun meanwhile, and was shown four
    assert shown_in(memory.hosts.session.before_tool("Bash", {"command": "ls"}).context) == 1
    assert [*talk.shown_marks()] == files[:1]


def test_a_worker_charges_the_conversation_that_asked(env: Environment) -> None:
    files = deploys(Memory.open(env["HOME"], env))
    asking = {**env, "MEMDIR_MODEL": "x"}
    Memory.open(env["HOME"], asking, session="other").hosts.session.wants_model(DEPLOY)
    model = ScriptedModel([json.dumps({"selected_memories": files[:1]})])
    worker = Memory.open(env["HOME"], asking, session="mine", model=model)
    worker.hosts.session.ask_model(20.0)
    assert [*Conversation(worker.state, "other").shown_marks()] == files[:1]
    assert Conversation(worker.state, "mine").shown_marks() == {}


def test_an_expired_memory_is_listed_and_never_recalled(env: Environment) -> None:
    memory = filled(Memory.open(env["HOME"], env))
    over = memory.remember(
        "Deploy the shop to production on Fridays, too.", name="fridays", expires="2026-01-01"
    )
    assert memory.recall(DEPLOY, budget=30.0).files == ("project_deploy-day.md",)
    assert memory.recalls.why_not("fridays", DEPLOY).because == "its last day is over: expired 2026-01-01"
    assert over.file in [header.file for header in memory.list()]
    model = ScriptedModel([json.dumps({"selected_memories": [over.file, "user_tabs.md"]})])
    asking = Memory.open(env["HOME"], env, model=model)
    taken = asking.recalls.prefetch(DEPLOY).result(20)
    assert taken is not None
    assert taken.files == ("user_tabs.md",)
    assert over.file not in model.asked[0].messages[0].text


def test_its_last_day_is_a_day_on_which_a_memory_still_holds(env: Environment) -> None:
    memory = Memory.open(env["HOME"], env)
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    memory.remember("Deploy the shop to production on Tuesdays only.", name="deploy-day", expires=today)
    assert len(memory.recall(DEPLOY, budget=30.0).files) == 1


def test_a_model_that_does_not_exist_is_told_and_done_without(env: Environment) -> None:
    filled(Memory.open(env["HOME"], env))
    wrong = Memory.open(env["HOME"], {**env, "MEMDIR_MODEL": "nonsense"}).recall(DEPLOY, budget=30.0)
    assert wrong.files == ("project_deploy-day.md",)
    assert "nonsense" in wrong.receipt.fallbacks[0]


def test_a_prefetched_recall_can_be_taken_or_called_off(env: Environment) -> None:
    memory = filled(Memory.open(env["HOME"], env))
    model = ScriptedModel([Hang()])
    asking = Memory.open(env["HOME"], env, session="s2", model=model)
    prefetch = asking.recalls.prefetch(DEPLOY)
    while not model.asked:
        Event().wait(0.005)
    prefetch.cancel()
    recall = prefetch.result(10)
    assert recall is not None
    assert recall.files == ()
    taken = memory.recalls.prefetch(DEPLOY).result(20)
    assert taken is not None
    assert taken.files == ("project_deploy-day.md",)


def test_memory_that_is_off_gives_nothing_and_records_why(tmp_path: Path, env: Environment) -> None:
    filled(Memory.open(tmp_path, env))
    off = Memory.open(tmp_path, {**env, "MEMDIR_DISABLE": "1"})
    recall = off.recall(DEPLOY, budget=30.0)
    assert (recall.files, recall.text) == ((), "")
    assert recall.receipt.because == "memory is off because MEMDIR_DISABLE is 1"
    recalls = off.recalls
    for verb in (recalls.receipt, recalls.stats, lambda: recalls.rank(DEPLOY), lambda: recalls.search("x")):
        with pytest.raises(MemoryOff):
            verb()
    assert Memory.open(tmp_path, env).recalls.receipt() == recall.receipt


def test_settings_bound_what_is_shown(tmp_path: Path, env: Environment) -> None:
    settings = tmp_path / ".claude" / "memdir" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"recall.bytes": 20, "recall.lines": 1}')
    (shown,) = blocks(filled(Memory.open(tmp_path, env)).recall(DEPLOY, budget=30.0).text)
    assert shown.body == "Deploy the shop to p"
    assert "the whole text is in" in shown.notes[-1]


def test_what_a_memory_claims_about_the_project_is_checked(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"], **WORDS_ALONE}
    project = tmp_path / "shop"
    project.mkdir()
    (project / "release.sh").write_text("echo tagged\n")
    git(project, "init", "-q", ".")
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "one")
    memory = Memory.open(project, env)
    memory.remember("Deploy the shop to production with `release.sh`.", kind="project", name="deploy-script")
    git(project, "mv", "release.sh", "ship.sh")
    git(project, "commit", "-q", "-m", "two")
    (shown,) = blocks(memory.recall(DEPLOY, budget=30.0).text)
    (note,) = shown.notes
    assert "release.sh" in note
    assert "ship.sh" in note


def test_a_recall_loads_nothing_that_it_does_not_need(memory: Memory) -> None:
    filled(memory).recall(DEPLOY, budget=30.0)
    code = (
        "import sys; from memdir.memory import Memory\n"
        f"recall = Memory.at({memory.directory!r}, {memory.state!r}).recall({DEPLOY!r}, budget=30.0)\n"
        "assert recall.files, recall; print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {
        "click",
        "yaml",
        "httpx2",
        "sqlite3",
        "asyncio",
        "subprocess",
        "json",
        "hashlib",
        "numpy",
        "typing",
    }
    loaded = {name for name in done.stdout.split() if name in heavy or name.startswith("memdir.models")}
    baseline = subprocess.run(
        [sys.executable, "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    assert loaded - set(baseline.stdout.split()) == set()


def test_a_missing_path_that_is_spelled_in_two_ways_breaks_nothing(env: Environment) -> None:
    memory = Memory.open(env["HOME"], env)
    text = "Deploy the shop to production with `./tests/run.sh`, then `tests/run.sh` again. Colours: #EEEEEE."
    saved = memory.remember(text, kind="project", name="deploy-script")
    assert [one.file for one in memory.doctor.verify()] == [saved.file]
    assert memory.doctor.examine().findings
    assert memory.recall(DEPLOY, budget=30.0).files == (saved.file,)


def test_a_preview_leaves_no_trace_and_is_not_kept_from_what_was_shown(memory: Memory) -> None:
    memory.remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    first = memory.recalls.preview("when do deploys go out?")
    assert (first.text != "", [*memory.recalls.list()]) == (True, [])
    shown = memory.recall("when do deploys go out?", budget=10)
    assert (shown.files, shown.likely) == (first.files, first.likely)
    again = memory.recalls.preview("when do deploys go out?")
    assert (again.files, again.likely) == (first.files, first.likely)
    assert [one.id for one in memory.recalls.list()] == [shown.receipt.id]
