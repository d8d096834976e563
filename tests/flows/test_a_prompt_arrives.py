"""A prompt arrives: what clearly helps is shown with its reasons, once, in time, and never in the way."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from tests.conftest import Clock
from tests.unit.recall.rendered import blocks

from memdir import Memory
from memdir.errors import MemoryOff, NoSuchMemory
from memdir.llm.scripted import Hang, ScriptedModel

TOOLS = (
    Path(__file__).parents[1] / "fixtures" / "claude_code" / "transcripts" / "a_tools_recall_subagent.jsonl"
)
DEPLOY = "When may we deploy the shop to production?"
Opened = Callable[[], Memory]
Environment = dict[str, str]


@pytest.fixture
def env(tmp_path: Path) -> Environment:
    return {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}


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


def git(project: Path, *words: str) -> None:
    who = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.com")
    subprocess.run(["git", *who, *words], cwd=project, check=True)


def test_what_clearly_helps_is_shown_with_who_said_it(memory: Memory) -> None:
    recall = filled(memory).recall(DEPLOY, budget=30.0)
    assert recall.files == ("project_deploy-day.md",)
    (shown,) = blocks(recall.text)
    assert shown.path == os.path.join(memory.directory, "project_deploy-day.md")
    assert (shown.kind, shown.name, shown.who) == ("project", "deploy-day", "said by the user")
    assert shown.body.startswith("Deploy the shop to production on Tuesdays only.\n\n**Why:**")


def test_nothing_is_shown_for_what_no_memory_is_about(memory: Memory) -> None:
    recall = filled(memory).recall("Explain quantum chromodynamics, please")
    assert (recall.files, recall.text) == ((), "")
    assert recall.receipt.candidates


def test_who_said_it_is_only_claimed_by_a_file_that_another_wrote(memory: Memory) -> None:
    path = Path(memory.directory, filled(memory).recall(DEPLOY).files[0])
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
    assert filled(memory).recall(DEPLOY).files
    assert opened().recall(DEPLOY).files == ()
    opened().after_compaction()
    assert opened().recall(DEPLOY).files == ("project_deploy-day.md",)


def test_a_handle_without_a_session_remembers_for_itself(memory: Memory) -> None:
    filled(memory)
    alone = Memory.at(memory.directory, state=memory.state)
    assert alone.recall(DEPLOY).files
    assert alone.recall(DEPLOY).files == ()
    assert Memory.at(memory.directory, state=memory.state).recall(DEPLOY).files


def test_all_memories_can_be_ranked(memory: Memory) -> None:
    ranked = filled(memory).rank(DEPLOY)
    assert len(ranked) == 4
    assert ranked[0].header.name == "deploy-day"
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)


def test_why_shows_the_receipt_and_the_text_again(memory: Memory) -> None:
    recall = filled(memory).recall(DEPLOY)
    assert memory.why() == memory.why(recall.receipt.id) == recall.receipt
    assert memory.recalled_text(memory.why()) == recall.text
    with pytest.raises(NoSuchMemory):
        memory.why("nosuchid")


def test_why_not_names_the_rule(memory: Memory) -> None:
    filled(memory)
    assert memory.why_not("terse-replies", DEPLOY).because
    assert memory.why_not("deploy-day", DEPLOY).because == ""
    with pytest.raises(NoSuchMemory):
        memory.why_not("ghost", DEPLOY)


def test_figures_tell_what_is_never_recalled(memory: Memory) -> None:
    filled(memory).recall(DEPLOY)
    memory.recall("ok")
    stats = memory.recall_stats()
    assert stats.recalled == {"project_deploy-day.md": 1}
    assert sorted(stats.never) == ["feedback_terse-replies.md", "reference_dashboards.md", "user_tabs.md"]
    assert sum(stats.skipped.values()) == 1


def test_lines_can_be_searched(memory: Memory) -> None:
    (hit,) = filled(memory).search("^latency .* grafana")
    assert (hit.header.name, hit.line) == ("dashboards", "Latency dashboards live in Grafana, folder api.")


def test_a_model_of_the_caller_chooses_and_a_failing_one_is_done_without(env: Environment) -> None:
    filled(Memory.open(env["HOME"], env))
    model = ScriptedModel(['{"selected_memories": ["user_tabs.md"]}', "sorry"])
    asking = Memory.open(env["HOME"], env, model=model)
    assert asking.recall(DEPLOY).files == ("user_tabs.md",)
    second = asking.recall(DEPLOY)
    assert second.files == ("project_deploy-day.md",)
    assert second.receipt.fallbacks


def test_a_model_behind_a_hook_is_told_which_tools_the_conversation_uses(env: Environment) -> None:
    filled(Memory.open(env["HOME"], env))
    model = ScriptedModel(['{"selected_memories": []}'])
    attendant = Memory.open(env["HOME"], {**env, "MEMDIR_MODEL": "x"}, session="s", model=model).attendant
    assert attendant.wants_model(DEPLOY, str(TOOLS))
    assert attendant.ask_model(10.0) == 1
    (question,) = model.asked
    assert "- Agent\n- Bash\n- Read" in question.messages[0].text


def test_a_model_that_does_not_exist_is_told_and_done_without(env: Environment) -> None:
    filled(Memory.open(env["HOME"], env))
    wrong = Memory.open(env["HOME"], {**env, "MEMDIR_MODEL": "nonsense"}).recall(DEPLOY)
    assert wrong.files == ("project_deploy-day.md",)
    assert "nonsense" in wrong.receipt.fallbacks[0]


def test_a_prefetched_recall_can_be_taken_or_called_off(env: Environment) -> None:
    memory = filled(Memory.open(env["HOME"], env))
    model = ScriptedModel([Hang()])
    asking = Memory.open(env["HOME"], env, session="s2", model=model)
    prefetch = asking.prefetch(DEPLOY)
    while not model.asked:
        Event().wait(0.005)
    prefetch.cancel()
    recall = prefetch.result(10)
    assert recall is not None
    assert recall.files == ()
    taken = memory.prefetch(DEPLOY).result(20)
    assert taken is not None
    assert taken.files == ("project_deploy-day.md",)


def test_memory_that_is_off_gives_nothing_and_records_why(tmp_path: Path, env: Environment) -> None:
    filled(Memory.open(tmp_path, env))
    off = Memory.open(tmp_path, {**env, "MEMDIR_DISABLE": "1"})
    recall = off.recall(DEPLOY)
    assert (recall.files, recall.text) == ((), "")
    assert recall.receipt.because == "memory is off because MEMDIR_DISABLE is 1"
    for verb in (off.why, off.recall_stats, lambda: off.rank(DEPLOY), lambda: off.search("x")):
        with pytest.raises(MemoryOff):
            verb()
    assert Memory.open(tmp_path, env).why() == recall.receipt


def test_settings_bound_what_is_shown(tmp_path: Path, env: Environment) -> None:
    settings = tmp_path / ".claude" / "memdir" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"recall.bytes": 20, "recall.lines": 1}')
    (shown,) = blocks(filled(Memory.open(tmp_path, env)).recall(DEPLOY, budget=30.0).text)
    assert shown.body == "Deploy the shop to p"
    assert "the whole text is in" in shown.notes[-1]


def test_what_a_memory_claims_about_the_project_is_checked(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"]}
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
    filled(memory).recall(DEPLOY)
    code = (
        "import sys; from memdir.memory import Memory\n"
        f"recall = Memory.at({memory.directory!r}, {memory.state!r}).recall({DEPLOY!r})\n"
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
    loaded = {name for name in done.stdout.split() if name in heavy or name.startswith("memdir.llm")}
    baseline = subprocess.run(
        [sys.executable, "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    assert loaded - set(baseline.stdout.split()) == set()
