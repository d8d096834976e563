"""What a host writes into the memory directory is judged before, and pointed at after."""

from pathlib import Path

from tests.environment import WORDS_ALONE

from memdir import Memory


def test_a_memory_that_the_host_wrote_is_pointed_at_without_git(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    memory = Memory.open(tmp_path / "project", {"HOME": str(tmp_path), "PATH": "", **WORDS_ALONE})
    memory.remember("Deploys go through the blue pipeline.", name="deploys")
    written = Path(memory.directory, "user_tabs.md")
    written.write_text("---\nname: tabs\ndescription: Uses tabs\ntype: user\n---\n\nUses tabs.\n")
    assert not memory.hosts.session.after_tool("Write", {"file_path": str(written)})
    assert "user_tabs.md" in Path(memory.directory, "MEMORY.md").read_text()


def test_a_credential_is_denied_where_the_user_would_only_be_asked(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    memory = Memory.open(tmp_path / "project", {"HOME": str(tmp_path), "PATH": "", **WORDS_ALONE})
    memory.remember("Ask before notes.", name="ask", enforce="ask Write: **/user_*.md")
    given = {"file_path": str(Path(memory.directory, "user_x.md")), "content": "x"}
    assert memory.hosts.session.before_tool("Write", given).decision == "ask"
    said = memory.hosts.session.before_tool("Write", {**given, "content": "ghp_" + "n0tR3al" * 5 + "x"})
    assert said.decision == "deny"
    assert "github-token" in said.because
