"""Whatever text a host hands over, rules decide on it, and garbage beside a command hides nothing."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.memories.enforce import rules_in
from memdir.rules.judge import Decision
from memdir.rules.store import RuleStore

RULES = rules_in("Bash: git push * main; Edit|Write: *.env; Read: ~/.ssh/**", memory="it", file="it.md")
STORE = RuleStore("/home/user/.claude/projects/p/memory", "/home/user/.claude/state", "/home/user/.claude")
NO_TEXT = [
    "\ud800",
    "\udfff",
    "\ud83d",
    "\udcff",
    "\0",
    "\ufffd",
    "\ufeff",
    "\u2028",
    "\x1f",
    "\x7f",
    "\U0010ffff",
]
SHELL = " \n\t'\"\\$`(){}[]<>|&;#*?!~=-./a"
WORDS = (
    "git ",
    "push ",
    "main",
    "rm ",
    "find ",
    "-delete",
    "ln -s ",
    "make -f - ",
    "alias.p=",
    "sed ",
    "cd ",
)
GARBAGE = st.lists(st.sampled_from([*NO_TEXT, "a", "é", "/", ".."]), max_size=8).map("".join)
ANY_TEXT = st.lists(st.sampled_from([*NO_TEXT, *SHELL, *WORDS]), max_size=16).map("".join) | st.text()
"""Texts of signs that matter, and of all others; `st.text` alone never makes a surrogate."""


def said(tool: str, given: dict[str, object], cwd: str = "/project", root: str = "/project") -> Decision:
    found = STORE.decide(RULES, tool, given, cwd, root=root, home="/home/user")
    found.because.encode()  # a host reads it as UTF-8
    return found


VERDICTS = {"allow", "ask", "deny"}


@given(ANY_TEXT)
def test_any_text_can_be_a_command(text: str) -> None:
    assert said("Bash", {"command": text}).verdict in VERDICTS
    assert said("Bash", {"command": [text, "a"]}).verdict in VERDICTS


@given(ANY_TEXT, st.sampled_from(["Read", "Write", "Edit", "NotebookEdit", "WebFetch"]))
def test_any_text_can_be_a_path_or_a_place(text: str, tool: str) -> None:
    given: dict[str, object] = {"file_path": text, "notebook_path": text, "content": text, "url": text}
    assert said(tool, given).verdict in VERDICTS
    assert said(tool, {"file_path": "a"}, f"/{text}", f"/{text}").verdict in VERDICTS
    assert said("Bash", {"command": "git push; rm a"}, f"/{text}", f"/{text}").verdict in VERDICTS


@given(GARBAGE)
def test_a_forbidden_command_stays_forbidden_beside_garbage(garbage: str) -> None:
    for command in (
        f"echo x{garbage}; git push origin main",
        f"git push origin main; echo '{garbage}'",
        f"rm x{garbage} && git push origin main > y{garbage}",
        f"cd x{garbage}; cat < y{garbage}\ngit push origin main # {garbage}",
        f"git -C x{garbage} push origin main",
    ):
        assert said("Bash", {"command": command}).verdict == "deny", ascii(command)


@given(GARBAGE)
def test_a_forbidden_file_stays_forbidden_below_garbage(garbage: str) -> None:
    assert said("Write", {"file_path": f"x{garbage}/.env"}).verdict == "deny"
    assert said("Write", {"file_path": "x/.env", "content": garbage}).verdict == "deny"
    assert said("Write", {"file_path": f"/home/user/.claude/state/x{garbage}/x"}).verdict in ("ask", "allow")


@pytest.mark.parametrize("garbage", ["\ud800", "\0"])
def test_a_link_is_followed_whatever_is_written_behind_it(tmp_path: Path, garbage: str) -> None:
    (tmp_path / ".ssh").mkdir()
    (tmp_path / "open").symlink_to(".ssh")
    found = STORE.decide(
        RULES, "Read", {"file_path": f"open/x{garbage}"}, str(tmp_path), root="", home=str(tmp_path)
    )
    assert found.verdict == "deny"
