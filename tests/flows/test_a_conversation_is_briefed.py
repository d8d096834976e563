"""A conversation is briefed: instructions in order, memory last, each file once, and a bill for it."""

import json
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.environment import WORDS_ALONE

from memdir import Memory
from memdir.conversation.logs import Loads
from memdir.errors import Rejected
from memdir.prompt.guide import Reader

Opened = Callable[..., Memory]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / ".claude" / "rules").mkdir(parents=True)
    (root / "web").mkdir()
    (root / "CLAUDE.md").write_text("Use the linter.\n@docs.md\n@../outside.md\n")
    (root / "docs.md").write_text("Documentation lives here.\n")
    (tmp_path / "outside.md").write_text("From outside.\n")
    (root / ".claude" / "rules" / "web.md").write_text('---\npaths: "web/**"\n---\nWeb rule.\n')
    (root / "web" / "CLAUDE.md").write_text("Nested.\n")
    return root


@pytest.fixture
def opened_in(tmp_path: Path, project: Path) -> Opened:
    env = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"], **WORDS_ALONE}

    def opened(
        session: str = "", added: Sequence[str] = (), *, bare: bool = False, at: Path = project, **extra: str
    ) -> Memory:
        return Memory.open(at, {**env, **extra}, session=session, added=added, bare=bare)

    return opened


def names(memory: Memory, *touched: str) -> list[str]:
    return [os.path.basename(one.path) for one in memory.instructions.load(list(touched))]


def test_the_index_comes_last(opened_in: Opened) -> None:
    memory = opened_in()
    memory.remember("Prefers tabs over spaces", kind="user", name="tabs")
    assert names(memory) == ["CLAUDE.md", "docs.md", "MEMORY.md"]


def test_a_caller_may_add_directories_whose_instructions_come_after_the_projects(opened_in: Opened) -> None:
    memory = opened_in(added=["web"])
    assert [one.text for one in memory.instructions.load()][-1] == "Nested."
    assert "Nested." in memory.context.build().first_user


def test_a_caller_may_ask_for_bare_mode(opened_in: Opened) -> None:
    assert opened_in().context.prompt()
    bare = opened_in(bare=True)
    assert (bare.verdict.rule, bare.context.prompt(), names(bare)) == ("bare", "", ["CLAUDE.md", "docs.md"])
    kept_on = opened_in(bare=True, MEMDIR_DISABLE="0")
    assert (kept_on.verdict.on, kept_on.context.prompt()) == (True, "")


def test_a_touched_file_adds_its_rules_once_a_conversation_across_processes(opened_in: Opened) -> None:
    assert names(opened_in("s1"), "web/page.ts") == ["CLAUDE.md", "web.md"]
    assert names(opened_in("s1"), "web/page.ts") == []
    assert names(opened_in("s2"), "web/page.ts") == ["CLAUDE.md", "web.md"]


def test_after_a_compaction_they_load_again(opened_in: Opened) -> None:
    memory = opened_in("s1")
    names(memory, "web/page.ts")
    memory.context.after_compaction()
    assert names(opened_in("s1"), "web/page.ts") == ["CLAUDE.md", "web.md"]


def test_a_conversation_reads_each_file_once(opened_in: Opened, project: Path) -> None:
    memory = opened_in()
    before = memory.instructions.load()
    (project / "CLAUDE.md").write_text("Changed.\n")
    assert memory.instructions.load() == before
    assert memory.instructions.discover().loaded[-1].text == "Changed.", "a look shows the disk"
    memory.context.after_compaction()
    assert [one.text for one in memory.instructions.load()] == ["Changed."]


def test_an_approval_has_the_files_read_again(opened_in: Opened, project: Path) -> None:
    memory, other = opened_in("s1"), opened_in("s1")
    assert names(memory) == ["CLAUDE.md", "docs.md"]
    assert names(other, "web/page.ts") == ["CLAUDE.md", "web.md"]
    (project / "docs.md").write_text("Changed.\n")
    opened_in().instructions.approve("../outside.md")
    assert names(memory) == ["CLAUDE.md", "docs.md", "outside.md"]
    assert memory.instructions.load()[1].text == "Changed."
    again = ["CLAUDE.md", "web.md"]
    assert names(opened_in("s2"), "web/page.ts") == again
    opened_in().instructions.withdraw("../outside.md")
    assert names(opened_in("s2"), "web/page.ts") == ["CLAUDE.md", "docs.md", *again]
    assert names(opened_in("s2"), "web/page.ts") == []


def test_a_changed_setting_has_the_files_read_again(opened_in: Opened, project: Path) -> None:
    memory = opened_in()
    assert names(memory) == ["CLAUDE.md", "docs.md"]
    (project / ".claude" / "settings.json").write_text('{"claudeMdExcludes": ["**/docs.md"]}')
    assert names(memory) == ["CLAUDE.md"]


def test_a_caller_may_choose_layers(opened_in: Opened, project: Path) -> None:
    (project / "CLAUDE.local.md").write_text("Mine.\n")
    memory = opened_in()
    memory.remember("Prefers tabs over spaces", kind="user", name="tabs")
    chosen = [os.path.basename(one.path) for one in memory.instructions.load(layers=["local", "memory"])]
    assert chosen == ["CLAUDE.local.md", "MEMORY.md"]
    assert [one.layer for one in memory.instructions.discover(layers=["project"]).loaded] == [
        "project",
        "project",
    ]
    assert [one.text for one in memory.instructions.load(["web/page.ts"], layers=["local"])] == []
    everything = memory.instructions.load()
    text = memory.instructions.render(everything, layers=["local"])
    assert "Mine." in text
    assert "Use the linter." not in text
    assert "Use the linter." in memory.instructions.render(everything)
    assert memory.instructions.render(everything, layers=["team"]) == ""


def test_an_agent_is_told_when_to_compact_by_its_settings(opened_in: Opened, project: Path) -> None:
    model = {"window": 200_000, "output": 32_000}
    assert not opened_in().context.compaction(154_999, **model).compact
    assert opened_in().context.compaction(155_000, **model).compact
    assert "3 times in a row" in opened_in().context.compaction(155_000, **model, failures=3).because
    (project / ".claude" / "settings.json").write_text('{"memdir": {"compact.reserveTokens": 50000}}')
    assert opened_in().context.compaction(118_000, **model).compact


def test_an_import_from_outside_waits_for_an_approval_kept_outside_the_project(
    opened_in: Opened, project: Path
) -> None:
    memory = opened_in()
    assert "outside.md" not in names(memory)
    assert [left.path for left in memory.instructions.discover().left_out if "outside" in left.path]
    memory.instructions.approve("../outside.md")
    assert names(opened_in()) == ["CLAUDE.md", "docs.md", "outside.md"]
    assert not list(project.rglob("approvals*"))


def test_an_approval_that_is_taken_back_no_longer_loads_the_file(opened_in: Opened) -> None:
    real = opened_in().instructions.approve("../outside.md")
    assert opened_in().instructions.withdraw("../outside.md") == real
    assert names(opened_in()) == ["CLAUDE.md", "docs.md"]
    with pytest.raises(Rejected, match="Nothing is"):
        opened_in().instructions.withdraw("../outside.md")


@pytest.mark.parametrize("link", [False, True])
def test_the_approval_of_a_file_that_is_gone_or_a_link_today_can_be_taken_back(
    opened_in: Opened, project: Path, link: bool
) -> None:
    outside = project.parent / "outside.md"
    real = opened_in().instructions.approve("../outside.md")
    outside.unlink()
    if link:
        outside.symlink_to(project / "docs.md")
    assert opened_in().instructions.withdraw(real) == real


def test_a_path_is_meant_from_where_the_working_directory_really_is(opened_in: Opened, project: Path) -> None:
    link = project.parent / "deep" / "link"
    link.parent.mkdir()
    link.symlink_to(project)
    memory = opened_in(at=link)
    assert memory.instructions.approve("../outside.md") == str(project.parent / "outside.md")
    assert memory.instructions.withdraw("../outside.md") == str(project.parent / "outside.md")


def test_an_approval_is_taken_back_by_the_path_that_it_was_given_for(opened_in: Opened) -> None:
    real = opened_in().instructions.approve("../outside.md")
    with pytest.raises(Rejected, match=f"Approved are: {real}"):
        opened_in().instructions.withdraw("..")
    assert "outside.md" in names(opened_in())


def test_memory_that_is_off_leaves_the_instructions_and_says_nothing_of_memory(opened_in: Opened) -> None:
    opened_in().remember("Prefers tabs over spaces", kind="user", name="tabs")
    off = opened_in(MEMDIR_DISABLE="1")
    assert names(off) == ["CLAUDE.md", "docs.md"]
    assert off.context.prompt() == ""
    assert "memory" not in {part.slot for part in off.context.build().parts}


def test_every_prompt_that_is_loaded_leaves_a_line_and_so_does_memory_that_is_off(
    opened_in: Opened,
) -> None:
    memory = opened_in()
    memory.remember("Prefers tabs over spaces", kind="user", name="tabs")
    loads = Loads(memory.doctor.status().state)
    memory.context.bill()
    assert loads.all() == []
    memory.context.prompt(with_index=True)
    memory.context.build()
    opened_in(MEMDIR_DISABLE="1").context.prompt()
    opened_in(MEMDIR_BARE="1", MEMDIR_DISABLE="0").context.prompt()
    bare, off, *told = loads.all()
    assert [(one.kind, one.lines, one.limit, one.rule) for one in told] == [("private", 1, "", "")] * 2
    assert told[0].characters > len("tabs")
    assert (off.kind, off.rule) == ("off", "variable")
    assert (bare.kind, bare.rule) == ("off", "bare")


def test_the_directory_is_there_once_a_conversation_is_told_so(opened_in: Opened) -> None:
    begins: list[Callable[[Memory], object]] = [
        lambda memory: memory.context.prompt(),
        lambda memory: memory.context.build(),
    ]
    for begin in begins:
        memory = opened_in()
        assert not Path(memory.directory).exists()
        memory.context.prompt(preview=True)
        memory.context.bill()
        assert not Path(memory.directory).exists()
        assert Loads(memory.doctor.status().state).all() == []
        begin(memory)
        assert Path(memory.directory).is_dir()
        Path(memory.directory).rmdir()
        shutil.rmtree(memory.doctor.status().state)
    opened_in(MEMDIR_DISABLE="1").context.prompt()
    assert not Path(memory.directory).exists()


def test_a_directory_that_cannot_be_made_is_logged_and_stops_nothing(opened_in: Opened) -> None:
    memory = opened_in()
    blocked = Path(memory.directory).parent
    blocked.parent.mkdir(parents=True, exist_ok=True)
    blocked.write_text("a file where the folder should be")
    assert memory.context.prompt()
    assert memory.context.build().system
    lines = [one.message for one in memory.doctor.examine().findings if one.code == "hook"]
    assert lines
    assert f"{memory.directory} could not be made" in lines[0]


def test_what_the_instructions_say_is_saved_with_a_hint_refused_and_not_extracted(
    opened_in: Opened, tmp_path: Path
) -> None:
    said = "We deploy on Tuesdays only, because support is fully staffed then."
    (tmp_path / "shop" / "CLAUDE.md").write_text(f"# Rules\n\n- {said}\n- Use the linter.\n")
    memory = opened_in(session="s1")
    talk = tmp_path / "talk.jsonl"
    told = f"Remember that {said.lower()} And remember that I am a data scientist."
    talk.write_text(json.dumps({"role": "user", "content": told}) + "\n")
    found = memory.extract(talk)
    assert [saved.header.name for saved in found.saved] == ["data-scientist"]
    assert "the instructions say this already" in dict(found.skipped).values()
    assert any("instruction files" in hint for hint in memory.remember(said, name="deploys").warnings)
    assert any("instruction files" in hint for hint in memory.remember(said, name="deploys").warnings)
    with pytest.raises(Rejected, match="instruction files"):
        memory.remember(said, strict=True)
    assert not memory.remember(f"{said} Nobody told sales.", strict=True).warnings
    assert not memory.remember("We deploy on Wednesdays only.", strict=True).warnings


def test_guidelines_of_the_caller_follow_those_of_the_variable(opened_in: Opened) -> None:
    memory = opened_in(MEMDIR_EXTRA_GUIDELINES="Write in English.")
    said = memory.context.prompt(reader=Reader(guidelines=("Keep it short.",)))
    assert "- Write in English.\n- Keep it short." in said
    assert "- Keep it short." in memory.context.build(reader=Reader(guidelines=("Keep it short.",))).system


def test_the_form_fits_the_reader_unless_the_caller_or_a_setting_chooses(opened_in: Opened) -> None:
    memory, strong = opened_in(), Reader(explained=True)
    full, compact = memory.context.prompt(form="full"), memory.context.prompt(form="compact")
    assert memory.context.prompt() == full
    assert memory.context.prompt(reader=strong) == compact
    assert memory.context.prompt(reader=strong, form="full") == full
    slots = [part.text for part in memory.context.build(reader=strong).parts if part.slot == "mechanics"]
    assert "\n\n".join(slots) == compact


def test_the_limit_that_an_index_passes_is_written_down(opened_in: Opened) -> None:
    memory = opened_in()
    path = (
        Path(memory.remember("Prefers tabs over spaces", kind="user", name="tabs").path).parent / "MEMORY.md"
    )
    with path.open("a") as index:
        index.writelines(f"line {number} of my own\n" for number in range(230))
    memory.context.prompt()
    assert [(one.limit, one.lines > 200) for one in Loads(memory.doctor.status().state).all()] == [
        ("lines", True)
    ]


def test_a_prompt_is_told_where_no_line_can_be_written(opened_in: Opened) -> None:
    memory = opened_in()
    Path(memory.doctor.status().state, "loads").mkdir(parents=True)
    assert memory.context.prompt()


def test_the_context_is_the_sum_of_its_parts(opened_in: Opened) -> None:
    memory = opened_in()
    memory.remember("Prefers tabs over spaces", kind="user", name="tabs")
    context = memory.context.build()
    assert context.tokens == sum(part.tokens for part in context.parts)
    assert context.system == memory.context.prompt()
    assert "Use the linter." in context.first_user
    assert context.first_user.index("Use the linter.") < context.first_user.index("user_tabs.md")
    assert opened_in().context.build() == context


def test_the_doctor_sees_what_is_wrong_with_the_instructions(opened_in: Opened, project: Path) -> None:
    sentence = "Every change needs a test that fails without it and passes with it."
    (project / "CLAUDE.md").write_text(f"{sentence}\n@gone.md\n@../outside.md\n")
    (project / "CLAUDE.local.md").write_text(f"{sentence}\n" + "line\n" * 250)
    (project / ".claude" / "rules" / "none.md").write_text('---\npaths: "nothing/**"\n---\nNever.\n')
    memory = opened_in()
    memory.remember(sentence, kind="feedback", name="tests")
    codes = {finding.code for finding in memory.doctor.examine().findings}
    assert {"import-missing", "import-external", "said-twice", "long-file", "rule-unmatched"} <= codes
