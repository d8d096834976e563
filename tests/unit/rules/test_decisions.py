"""What rules stopped is kept for a person to read, without what may be a credential."""

from pathlib import Path

import pytest

from memdir.memories.enforce import rules_in
from memdir.rules.decisions import RuleDecisions
from memdir.rules.judge import Decision

NOW = "2026-11-18T09:30:00Z"
RULE = rules_in("Bash: git push * main", memory="no-push")[0]


def words(state: Path, **given: object) -> str:
    log = RuleDecisions(str(state))
    log.add(Decision("deny", RULE), "Bash", given, "talk-1", at=NOW)
    return log.all()[0].words


def test_decisions_are_told_newest_first(tmp_path: Path) -> None:
    log = RuleDecisions(str(tmp_path))
    log.add(Decision("deny", RULE), "Bash", {"command": "git push origin main"}, "talk-1", at=NOW)
    log.add(Decision("ask", None, "x"), "Write", {"file_path": "a\nb.md"}, "", at=NOW)
    protected, denied = log.all()
    assert (protected.verdict, protected.memory, protected.words) == ("ask", "", "a b.md")
    assert (denied.verdict, denied.memory, denied.rule) == ("deny", "no-push", "Bash: git push * main")
    assert (denied.tool, denied.words, denied.session) == ("Bash", "git push origin main", "talk-1")
    assert denied.at == NOW


@pytest.mark.parametrize(
    "command",
    [
        "curl -u bob:hunter22 https://x.example",
        "mysql -phunter22 shop",
        "deploy --password hunter22 now",
        "TOKEN=hunter22 deploy",
        "curl -H 'Authorization: Bearer hunter22' x",
        "git push https://bob:hunter22@host.example/x main",
        "deploy --api-key=hunter22",
    ],
)
def test_a_word_that_may_be_a_credential_is_not_kept(tmp_path: Path, command: str) -> None:
    assert "hunter22" not in words(tmp_path, command=command)


def test_a_long_command_is_cut_and_other_inputs_are_told_by_their_path(tmp_path: Path) -> None:
    assert len(words(tmp_path, command="echo " * 500)) <= 200
    assert words(tmp_path, notebook_path="a.ipynb") == "a.ipynb"
    assert words(tmp_path, other=3) == ""


def test_a_torn_line_is_left_out(tmp_path: Path) -> None:
    assert words(tmp_path, command="make") == "make"
    with (tmp_path / "decisions").open("a") as file:
        file.write("torn\n")
    assert len(RuleDecisions(str(tmp_path)).all()) == 1


def test_a_large_log_is_set_aside_and_trouble_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "decisions").write_text("x" * 70_000)
    assert words(tmp_path, command="make") == "make"
    assert (tmp_path / "decisions.1").stat().st_size == 70_000
    assert (tmp_path / "decisions").stat().st_mode & 0o777 == 0o600
    RuleDecisions(str(tmp_path / "none")).add(Decision("deny", RULE), "Bash", {}, "", at=NOW)
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "decisions").symlink_to(tmp_path / "victim")
    RuleDecisions(str(tmp_path / "linked")).add(Decision("deny", RULE), "Bash", {}, "", at=NOW)
    assert not (tmp_path / "victim").exists()
