"""A worker may look where the host may and change memories; whatever else it asks for is refused."""

import os
import socket
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.tables import on_row

from memdir.models.protocol import ToolCall
from memdir.workers.overlay import Overlay
from memdir.workers.policy import Policy
from memdir.workers.tools import Toolbox

SHELL_ALLOWED = [
    "ls",
    "ls -la",
    "ls -la .",
    "ls --",
    "ls -ltr --time-style=full-iso",
    "ls --sort=size team",
    "ls -1 feedback_a.md 'feedback_a.md'",
    "ls -R {project}",
    "ls {memory}/team",
    "cat feedback_a.md",
    "cat -n feedback_a.md",
    "cat {project}/src/main.py",
    'cat "feedback_a.md"',
    "cat 'with space.md'",
    "cat with\\ space.md",
    "cat -- feedback_a.md",
    "cat missing.md",
    "stat feedback_a.md",
    "stat -c '%y %n' feedback_a.md",
    "stat --format=%s feedback_a.md",
    "wc -l feedback_a.md MEMORY.md",
    "wc feedback_a.md",
    "head feedback_a.md",
    "head -20 feedback_a.md",
    "head -n 20 feedback_a.md",
    "head -n20 feedback_a.md",
    "head -c 100 feedback_a.md",
    "tail -5 feedback_a.md",
    "tail -n +3 feedback_a.md",
    "tail --lines=5 feedback_a.md",
    "grep deploy feedback_a.md",
    "grep -rin deploy .",
    "grep -rn deploy",
    "grep -rn 'a b' {memory} {project}",
    "grep -e one -e two feedback_a.md",
    "grep -rne one .",
    "grep -E 'a|b' feedback_a.md",
    'grep -r "price: \\$5" .',
    "grep -r '$HOME' .",
    "grep -r '`id`' .",
    "grep -rl --include='*.md' deploy .",
    "grep -r --exclude-dir=.git deploy {project}",
    "grep -A2 -B 2 -C3 deploy feedback_a.md",
    "grep -5 deploy feedback_a.md",
    "grep -r -- -exec .",
    "grep -m1 deploy feedback_a.md",
    "find",
    "find .",
    "find . -name '*.md'",
    "find . -name \\*.md -type f",
    "find {project} -maxdepth 2 -iname 'read*'",
    "find . -mtime -7 -size +1k",
    "find . \\( -name a -o -name b \\) -print",
    "find . '(' -name a ')'",
    "find . ! -name x.md",
    "find . -not -empty -newermt 2026-01-01",
    "find . -newer feedback_a.md",
    "find . -type f -printf '%p\\n'",
    "find . -path ./logs -prune -o -print",
    "cat feedback_a.md | head -5",
    "grep -rh deploy . | wc -l",
    "find . -name '*.md' | grep feed | head -3",
    "cat feedback_a.md | grep deploy -",
]

SHELL_REFUSED = [
    "",
    "   ",
    "|",
    "ls |",
    "| ls",
    "ls | | wc",
    "rm feedback_a.md",
    "mv feedback_a.md b.md",
    "cp feedback_a.md b.md",
    "touch x.md",
    "tee x.md",
    "sed -i s/a/b/ feedback_a.md",
    "awk '{{print}}' feedback_a.md",
    "sort -o x.md feedback_a.md",
    "xargs rm",
    "find . | xargs rm",
    "cat feedback_a.md | tee b.md",
    "cat feedback_a.md | sh",
    "bash -c ls",
    "sh",
    "python3 -c 1",
    "git log",
    "curl http://127.0.0.1/",
    "env ls",
    "command ls",
    "sudo ls",
    "nohup ls",
    "time ls",
    "exec ls",
    "eval ls",
    "/bin/ls",
    "./ls",
    "../ls",
    "LS",
    "FOO=1 ls",
    "PATH=. ls",
    "GREP_OPTIONS=-f grep x .",
    "ls > out",
    "ls >> out",
    "ls 2>&1",
    "ls 2>/dev/null",
    "cat < feedback_a.md",
    "cat << EOF",
    "cat <(ls)",
    "ls; rm x",
    "ls && rm x",
    "ls || rm x",
    "ls & rm x",
    "ls &",
    "ls |& cat",
    "ls\nrm x",
    "ls\rrm x",
    "ls\x00rm",
    "ls\x1b[2J",
    "ls $(rm x)",
    "ls `rm x`",
    'ls "$(rm x)"',
    'ls "`rm x`"',
    "ls $HOME",
    "ls ${{HOME}}",
    'ls "$HOME"',
    "ls $'a'",
    "(ls)",
    "{{ ls; }}",
    "ls {{a,b}}",
    "ls *.md",
    "ls feedback_?.md",
    "ls [a-z].md",
    "ls ~",
    "cat ~/.ssh/id_rsa",
    "# ls",
    "ls 'open",
    'ls "open',
    "ls open\\",
    "cat /etc/passwd",
    "cat {outside}/secret.txt",
    "cat ../outside/secret.txt",
    "cat feedback_a.md ../outside/secret.txt",
    "cat team/../../outside/secret.txt",
    "cat link.md",
    "cat linked/secret.txt",
    "cat pipe",
    "cat socket",
    "cat -- ../outside/secret.txt",
    "cat -",
    "cat /dev/zero",
    "cat /dev/stdin",
    "cat /proc/self/environ",
    "ls /",
    "ls ..",
    "ls {outside}",
    "ls linked",
    "ls -L linked",
    "head -n 5 /etc/passwd",
    "wc --files0-from=list",
    "wc --files0-from list",
    "stat -f .",
    "stat -L link.md",
    "tail -f feedback_a.md",
    "tail -F feedback_a.md",
    "tail -5f feedback_a.md",
    "tail --follow feedback_a.md",
    "tail --follow=name feedback_a.md",
    "tail --pid=1 feedback_a.md",
    "tail --retry feedback_a.md",
    "grep",
    "grep -r",
    "grep -e",
    "grep x /etc/passwd",
    "grep x {outside}",
    "grep -r x /",
    "grep -r x ..",
    "grep -R x .",
    "grep -rR x .",
    "grep --dereference-recursive x .",
    "grep --deref x .",
    "grep -f /etc/passwd .",
    "grep -f patterns feedback_a.md",
    "grep -rf patterns .",
    "grep --file=patterns .",
    "grep --exclude-from=/etc/passwd x .",
    "grep -D read x pipe",
    "grep --devices=read x .",
    "grep --include x /etc/passwd",
    "grep x -e y /etc/passwd",
    "grep --regexp=x /etc/passwd",
    "find /",
    "find .. -name x",
    "find {outside}",
    "find . {outside} -name x",
    "find -L . -name x",
    "find -H linked",
    "find . -follow",
    "find . -delete",
    "find . -name x -delete",
    "find . -exec rm {{}} \\;",
    "find . -exec rm '{{}}' ';'",
    "find . -execdir rm '{{}}' +",
    "find . -ok rm '{{}}' ';'",
    "find . -okdir rm '{{}}' ';'",
    "find . -fprint out",
    "find . -fprint0 out",
    "find . -fprintf out %p",
    "find . -fls out",
    "find . -files0-from list",
    "find -files0-from list",
    "find . -newer /etc/passwd",
    "find . -samefile /etc/passwd",
    "find . -name",
    "find . -unknown",
    "find . -name x /etc",
    "ls --hyperlink=always --unknown",
    "ls -Z",
    "ls | cat | cat | cat | cat",
    "ls " + "a" * 5_000,
]

CHANGES_ALLOWED = [
    "feedback_a.md",
    "new.md",
    "sub/deep/new.md",
    "./new.md",
    "{memory}/new.md",
    "{alias}/new.md",
    "日本.md",
]

CHANGES_REFUSED = [
    "",
    ".",
    "MEMORY.md",
    "memory.md",
    "./MEMORY.md",
    "sub/MEMORY.md",
    "{memory}/MEMORY.md",
    "МEMORY.md",
    "hubs/user-1.md",
    "logs/2026/11/2026-11-15.md",
    "sessions/s.md",
    "team/a.md",
    "TEAM/a.md",
    "new.txt",
    "new",
    "new.md/",
    "new.MD",
    "new.md.sh",
    ".hidden.md",
    ".git/x.md",
    ".consolidate-lock",
    "../outside/x.md",
    "../memory/x.md",
    "sub/../x.md",
    "sub/../../outside/x.md",
    "..\\outside\\x.md",
    "%2e%2e/x.md",
    "..%2fx.md",
    "a\0.md",
    "a\n.md",
    "a\u200b.md",
    "a\u2215b.md",
    "a\ud800.md",
    "{outside}/x.md",
    "/etc/x.md",
    "~/x.md",
    "linked/x.md",
    "link.md",
    "dangling.md",
    "loop.md",
    "con.md",
    "a:b.md",
    "x" * 300 + ".md",
    "sub/" * 400 + "x.md",
]

LOOKS_ALLOWED = [
    ".",
    "feedback_a.md",
    "MEMORY.md",
    "team",
    "{project}",
    "{project}/src/main.py",
    "{alias}",
]
LOOKS_REFUSED = [
    "",
    "..",
    "../outside",
    "{outside}/secret.txt",
    "{project}/../outside",
    "link.md",
    "linked",
    "linked/secret.txt",
    "loop.md",
    "pipe",
    "socket",
    "/",
    "/etc/passwd",
    "/proc/self/mem",
    "/dev/null",
    "a\0b",
    "\ud800",
    "x" * 100_000,
]


MORE: dict[str, dict[str, str]] = {
    "write": {"text": "x"},
    "edit": {"old": "a", "new": "b"},
    "forget": {},
    "read": {},
    "grep": {"text": "x"},
    "glob": {"pattern": "*"},
}
"""What each tool takes besides its path."""

MISFITS: list[tuple[str, Any]] = [
    ("read", {}),
    ("read", {"path": 7}),
    ("read", {"path": None}),
    ("read", {"path": ["a.md"]}),
    ("read", {"path": "a.md", "first": "1"}),
    ("read", {"path": "a.md", "lines": True}),
    ("read", {"path": "a.md", "lines": 1.5}),
    ("read", {"path": "a.md", "follow": True}),
    ("write", {"path": "a.md"}),
    ("write", {"path": "a.md", "text": None}),
    ("write", {"path": "a.md", "text": {"a": 1}}),
    ("edit", {"path": "a.md", "old": "x"}),
    ("shell", {"command": ["ls"]}),
    ("shell", {"command": "ls", "cwd": "/"}),
    ("forget", ["a.md"]),
    ("forget", None),
    ("forget", "a.md"),
]

Calls = Iterable[tuple[str, Any]]


class Place:
    """A memory directory and a project that may be read, beside a folder that may not."""

    def __init__(self, root: Path) -> None:
        self.names = {name: str(root / name) for name in ("memory", "project", "outside", "alias")}
        self.policy = Policy(self.names["memory"], (self.names["project"],))

    def judged(self, tool: str, arguments: Any) -> tuple[str, str]:
        """Return "allowed" or "refused" with the reason; what is neither by a name of its own."""
        verdict = on_row(self.policy.judge, ToolCall("1", tool, arguments))
        if verdict is None:
            return "allowed", ""
        return "refused" if verdict.because else "reason amiss", verdict.because

    def wrong(self, calls: Calls, wish: str) -> str:
        """Return the calls that are not judged as wished, a line each, with what was found."""
        found = [(*self.judged(tool, arguments), tool, arguments) for tool, arguments in calls]
        return "\n".join(f"{row!r:.400}" for row in found if row[0] != wish)

    def path(self, text: str) -> str:
        return text.format(**self.names)

    def paths(self, texts: list[str], *tools: str) -> Calls:
        return [(tool, {"path": self.path(text), **MORE[tool]}) for text in texts for tool in tools]

    def commands(self, texts: list[str]) -> Calls:
        return [("shell", {"command": self.path(text)}) for text in texts]


@pytest.fixture(scope="module")
def place(outside_dev: Callable[[], Path]) -> Iterator[Place]:
    root = outside_dev()
    for folder in ("memory/team", "project/src", "outside"):
        (root / folder).mkdir(parents=True)
    memory = root / "memory"
    for file in ("memory/feedback_a.md", "memory/MEMORY.md", "project/src/main.py", "outside/secret.txt"):
        (root / file).write_text("SECRET\n" if "secret" in file else "a text about deploy\n")
    (root / "alias").symlink_to(memory)
    (memory / "link.md").symlink_to(root / "outside" / "secret.txt")
    (memory / "linked").symlink_to(root / "outside")
    (memory / "dangling.md").symlink_to(memory / "nothing")
    (memory / "loop.md").symlink_to(memory / "loop.md")
    os.mkfifo(memory / "pipe")
    here = Path.cwd()
    os.chdir(memory)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        os.chdir(here)
        yield Place(root)


def test_a_command_that_only_looks_is_allowed(place: Place) -> None:
    assert not (wrong := place.wrong(place.commands(SHELL_ALLOWED), "allowed")), wrong


def test_what_is_allowed_changes_nothing_shows_nothing_from_outside_and_ends(place: Place) -> None:
    root = Path(place.names["memory"]).parent

    def tree() -> list[tuple[str, int]]:
        return sorted((str(path), path.lstat().st_mtime_ns) for path in root.rglob("*"))

    before = tree()
    toolbox = Toolbox(place.policy, Overlay(place.policy.memory))
    calls = [ToolCall(line, "shell", {"command": place.path(line)}) for line in SHELL_ALLOWED]
    some = [calls[at : at + 16] for at in range(0, len(calls), 16)]
    answers = [answer for one in some for answer in on_row(toolbox.answers, one)]
    assert tree() == before
    assert not [answer for answer in answers if "SECRET" in answer.text or "ended after" in answer.text]
    assert sum(not answer.failed for answer in answers) > len(answers) / 2


def test_any_other_command_is_refused(place: Place) -> None:
    assert not (wrong := place.wrong(place.commands(SHELL_REFUSED), "refused")), wrong


def test_a_memory_may_be_changed(place: Place) -> None:
    assert not (wrong := place.wrong(place.paths(CHANGES_ALLOWED, "write", "edit", "forget"), "allowed")), (
        wrong
    )


def test_nothing_else_may_be_changed(place: Place) -> None:
    assert not (wrong := place.wrong(place.paths(CHANGES_REFUSED, "write", "edit", "forget"), "refused")), (
        wrong
    )


def test_what_the_host_may_read_may_be_looked_at(place: Place) -> None:
    calls = [*place.paths(LOOKS_ALLOWED, "grep"), ("glob", {"pattern": "**/*.md"})]
    assert not (wrong := place.wrong(calls, "allowed")), wrong


def test_nothing_else_may_be_looked_at(place: Place) -> None:
    assert not (wrong := place.wrong(place.paths(LOOKS_REFUSED, "read", "grep", "glob"), "refused")), wrong


def test_a_pattern_stays_below_its_folder(place: Place) -> None:
    calls = [("glob", {"pattern": pattern}) for pattern in ("/etc/*", "../*", "a/../../*", "~/*")]
    assert not (wrong := place.wrong(calls, "refused")), wrong


@pytest.mark.parametrize("name", ["", "Bash", "exec", "write ", "Write", "web_fetch", "__class__", "judged"])
def test_there_are_no_other_tools(place: Place, name: str) -> None:
    verdict = place.policy.judge(ToolCall("1", name, {}))
    assert verdict is not None
    assert "read, grep, glob, shell, write, edit, forget" in verdict.because


def test_arguments_that_do_not_fit_are_refused(place: Place) -> None:
    assert not (wrong := place.wrong(MISFITS, "refused")), wrong
    said = [(tool, arguments, place.judged(tool, arguments)[1]) for tool, arguments in MISFITS]
    unnamed = [row for row in said if row[0] not in row[2]]
    assert not unnamed, "\n".join(map(str, unnamed))


def test_a_job_may_open_a_folder_but_never_the_hubs_or_an_index(place: Place) -> None:
    opened = Policy(place.policy.memory, folders=frozenset({"logs", "hubs", "team"}))
    for path, allowed in [("logs/2026/a.md", True), ("team/a.md", True), ("sessions/a.md", False)]:
        assert (opened.judge(ToolCall("1", "write", {"path": path, "text": "x"})) is None) is allowed
    for path in ("hubs/user-1.md", "team/MEMORY.md", "logs/../MEMORY.md", "logs/.x.md", "logs"):
        assert opened.judge(ToolCall("1", "write", {"path": path, "text": "x"})) is not None


def test_a_job_may_have_one_file_and_one_tool(place: Place) -> None:
    notes = Policy(
        place.policy.memory,
        tools=frozenset({"edit"}),
        folders=frozenset({"sessions"}),
        only="sessions/s1.md",
    )
    arguments = {"path": "sessions/s1.md", "old": "a", "new": "b"}
    assert notes.judge(ToolCall("1", "edit", arguments)) is None
    assert notes.judge(ToolCall("1", "edit", {**arguments, "path": "sessions/s2.md"})) is not None
    assert notes.judge(ToolCall("1", "read", {"path": "sessions/s1.md"})) is not None


def test_a_directory_that_does_not_exist_yet_can_be_written_to(tmp_path: Path) -> None:
    policy = Policy(str(tmp_path / "new" / "memory"))
    assert policy.judge(ToolCall("1", "write", {"path": "a.md", "text": "x"})) is None
    assert policy.judge(ToolCall("1", "write", {"path": "../a.md", "text": "x"})) is not None


def test_the_table_is_large_enough_to_mean_something() -> None:
    rows = [SHELL_ALLOWED, SHELL_REFUSED, CHANGES_ALLOWED, CHANGES_REFUSED, LOOKS_ALLOWED, LOOKS_REFUSED]
    assert sum(map(len, rows)) >= 250
