"""The bill shows what a conversation will be told and what that costs, and tells the conversation nothing."""

from pathlib import Path

import pytest
from tests.environment import WORDS_ALONE

from memdir.memory import Memory

SENTENCE = "Run the tests before you say that something works."


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "home" / "project"
    (folder / ".claude" / "rules").mkdir(parents=True)
    (folder.parent / ".claude").mkdir()
    (folder.parent / ".claude" / "CLAUDE.md").write_text(f"- {SENTENCE}\n")
    (folder / "CLAUDE.md").write_text(f"Read @notes.md and @gone.md\n\n- {SENTENCE}\n")
    (folder / "notes.md").write_text("Money is counted in cents.\n")
    (folder / ".claude" / "rules" / "api.md").write_text("---\npaths: src/**\n---\nCheck input.\n")
    (folder / ".claude" / "rules" / "sql.md").write_text("Format `*.sql` files.\n")
    return folder


def opened(project: Path, session: str = "", **env: str) -> Memory:
    home = str(project.parent)
    return Memory.open(
        project, env={"HOME": home, "PATH": "/usr/bin:/bin", **WORDS_ALONE, **env}, session=session
    )


def test_it_lists_what_the_context_holds(project: Path) -> None:
    memory = opened(project)
    memory.remember("Prefers tabs.", kind="user", name="tabs")
    context, bill = memory.context.build(), memory.context.bill()
    assert [one.part for one in bill.told] == list(context.parts)
    assert bill.tokens == context.tokens


def test_files_carry_their_layer_and_their_importer(project: Path) -> None:
    files = [one.file for one in opened(project).context.bill().told if one.file]
    assert [(file.layer, Path(file.path).name, Path(file.importer).name) for file in files] == [
        ("user", "CLAUDE.md", ""),
        ("project", "CLAUDE.md", ""),
        ("project", "notes.md", "CLAUDE.md"),
        ("project", "sql.md", ""),
    ]


def test_rules_that_wait_are_priced_and_other_files_counted(project: Path) -> None:
    bill = opened(project).context.bill()
    size = (project / ".claude" / "rules" / "api.md").stat().st_size
    assert [(one.globs, one.tokens) for one in bill.later] == [(("src/**",), -(-size // 4))]
    assert bill.left_out == 1


def test_it_proposes_what_these_files_give_reason_for(project: Path) -> None:
    savings = {saving.code: saving for saving in opened(project).context.bill().savings}
    assert set(savings) == {"compact", "rule", "repeated"}
    assert savings["rule"].paths == (str(project / ".claude" / "rules" / "sql.md"),)
    assert len(savings["repeated"].paths) == 2
    assert savings["compact"].tokens > 1_000


def test_a_setting_that_chose_the_form_is_not_argued_with(project: Path) -> None:
    for choice in ("on", "off"):
        (project / ".claude" / "settings.json").write_text(f'{{"memdir": {{"compactPrompt": "{choice}"}}}}')
        assert "compact" not in {saving.code for saving in opened(project).context.bill().savings}


def test_looking_at_it_does_not_count_as_being_told(project: Path) -> None:
    state = project.parent / ".claude" / "memdir" / "state"
    opened(project, session="one").context.bill()
    assert list(state.glob("*/conversations/*.json")) == []
    opened(project, session="one").context.build()
    assert len(list(state.glob("*/conversations/*.json"))) == 1


def test_when_memory_is_off_instructions_are_still_billed(project: Path) -> None:
    bill = opened(project, MEMDIR_DISABLE="1").context.bill()
    assert {one.part.slot for one in bill.told} == {"instructions"}
    assert "compact" not in {saving.code for saving in bill.savings}
