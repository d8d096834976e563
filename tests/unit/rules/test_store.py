"""Compiled rules are those of the files as they are now; they bind when the user wrote or approved them."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from tests.contents import compiled_rules

from memdir.errors import NoSuchMemory
from memdir.memories.enforce import Rule
from memdir.memory import Memory
from memdir.rules.store import RuleStore

TODAY = "2030-06-01"
OUTSIDE = '---\nname: deploys\ndescription: d\nmetadata:\n  enforce: "Bash: make deploy; nonsense"\n---\nx\n'


@pytest.fixture
def store(memory: Memory, tmp_path: Path) -> RuleStore:
    return RuleStore(memory.directory, memory.state, str(tmp_path / "home"))


def rules_of(store: RuleStore, memory: Memory) -> tuple[Rule, ...]:
    known = compiled_rules(memory)
    assert known.unknown == ""
    return store.rules(known.rows, TODAY)


def compiled(store: RuleStore, memory: Memory) -> dict[str, bool]:
    return {rule.text: rule.bound for rule in rules_of(store, memory)}


def test_a_rule_that_the_user_saves_binds_at_once(memory: Memory, store: RuleStore) -> None:
    memory.remember("Never push to main", name="no-push", enforce="Bash: git push * main\nask Bash: rm -rf *")
    (push, ask) = rules_of(store, memory)
    assert push == Rule(
        "deny",
        ("Bash",),
        "git push * main",
        "Bash: git push * main",
        "no-push",
        "Never push to main",
        file="feedback_no-push.md",
    )
    assert (ask.verb, ask.bound) == ("ask", True)


@pytest.mark.parametrize("source", ["tool", "team", "import", "assistant"])
def test_a_rule_in_somebody_elses_words_asks(memory: Memory, store: RuleStore, source: str) -> None:
    memory.remember("x", name="x", enforce="Bash: x", source=source)
    assert compiled(store, memory) == {"Bash: x": False}


def test_a_rule_that_a_worker_or_an_editor_wrote_asks(memory: Memory, store: RuleStore) -> None:
    memory.remember("x", name="x", enforce="Bash: x", actor="extractor")
    Path(memory.directory, "deploys.md").write_text(OUTSIDE)
    assert compiled(store, memory) == {"Bash: x": False, "Bash: make deploy": False}


def test_a_rule_that_was_changed_outside_no_longer_binds(memory: Memory, store: RuleStore) -> None:
    saved = memory.remember("x", name="x", enforce="Bash: x")
    assert compiled(store, memory) == {"Bash: x": True}
    path = Path(saved.path)
    path.write_text(path.read_text().replace("Bash: x", "Bash: y"))
    assert compiled(store, memory) == {"Bash: y": False}


def test_an_approval_is_for_exactly_these_words(memory: Memory, store: RuleStore) -> None:
    path = Path(memory.directory, "deploys.md")
    path.parent.mkdir(parents=True)
    path.write_text(OUTSIDE)
    store.approve(rules_of(store, memory), "deploys")
    assert compiled(store, memory) == {"Bash: make deploy": True}
    path.write_text(OUTSIDE.replace("deploy;", "deploys;"))
    assert compiled(store, memory) == {"Bash: make deploys": False}


def test_only_what_waits_for_approval_can_be_approved(memory: Memory, store: RuleStore) -> None:
    memory.remember("x", name="x", enforce="Bash: x")
    for name in ("x", "nobody"):
        with pytest.raises(NoSuchMemory, match="waits for approval"):
            store.approve(rules_of(store, memory), name)


def test_a_rule_ends_with_its_memory_and_with_its_day(memory: Memory, store: RuleStore) -> None:
    memory.remember("x", name="x", enforce="Bash: x", expires="2030-05-31")
    memory.remember("y", name="y", enforce="Bash: y", expires=TODAY)
    assert compiled(store, memory) == {"Bash: y": True}
    memory.forget("y")
    assert compiled(store, memory) == {}


def settle(memory: Memory) -> None:
    """Wait until no file can change once more and show the same time."""
    newest = max(os.stat(path).st_ctime_ns for path in Path(memory.directory).glob("*.md"))
    while time.time_ns() - newest < 30_000_000:
        time.sleep(0.005)


def test_no_file_is_read_again_while_nothing_changed(memory: Memory, store: RuleStore) -> None:
    memory.remember("x", name="x", enforce="Bash: x")
    settle(memory)
    assert compiled(store, memory) == {"Bash: x": True}
    cache = Path(memory.state, "rules")
    _, _, body = cache.read_bytes().partition(b"\n")
    other = body.replace(b"Bash: x", b"Bash: z")
    cache.write_bytes(b"memdir rules 5 %08x\n" % crc32(other) + other)
    assert compiled(store, memory) == {"Bash: z": True}


def rewrite(path: Path, text: str) -> None:
    """Write into an existing file in place: neither its folder nor the index shows it."""
    with path.open("r+") as file:
        file.write(text)
        file.truncate()


@pytest.mark.parametrize("below", ["", "deep"])
def test_a_rule_that_is_written_into_an_existing_file_is_seen(
    memory: Memory, store: RuleStore, below: str
) -> None:
    path = Path(memory.directory, below, "deploys.md")
    path.parent.mkdir(parents=True)
    path.write_text("Deploys.\n")
    assert compiled(store, memory) == {}
    rewrite(path, OUTSIDE)
    assert compiled(store, memory) == {"Bash: make deploy": False}


def test_a_rule_that_comes_into_a_known_folder_is_seen(memory: Memory, store: RuleStore) -> None:
    path = Path(memory.directory, "deep", "deploys.md")
    path.parent.mkdir(parents=True)
    path.with_name("a.md").write_text("a\n")
    assert compiled(store, memory) == {}
    path.write_text(OUTSIDE)
    assert compiled(store, memory) == {"Bash: make deploy": False}


def test_a_file_whose_name_is_no_text_does_not_hide_the_rules(memory: Memory, store: RuleStore) -> None:
    memory.remember("x", name="x", enforce="Bash: x")
    Path(os.fsdecode(os.path.join(os.fsencode(memory.directory), b"\xff.md"))).write_text("y")
    assert compiled(store, memory) == {"Bash: x": True}


def test_writes_into_our_own_records_are_asked_about(
    tmp_path: Path, memory: Memory, store: RuleStore
) -> None:
    memory.remember("x", name="x", enforce="Bash: x")
    rules = rules_of(store, memory)
    (tmp_path / "link").symlink_to(memory.state)
    for path, verdict in (
        (f"{memory.state}/rules", "ask"),
        (str(tmp_path / "home" / "memdir" / "approvals"), "ask"),
        (str(tmp_path / "link" / "rules"), "ask"),
        (str(tmp_path / "elsewhere"), "allow"),
    ):
        given = {"file_path": path}
        said = store.decide(rules, "Write", given, str(tmp_path), root="", home="/")
        assert (said.verdict, said.rule) == (verdict, None), path
        served = ("mcp__filesystem__write_file", {"path": path})
        said = store.decide(rules, *served, str(tmp_path), root="", home="/")
        assert (said.verdict, said.rule) == (verdict, None), path
        looked = store.decide(rules, "Read", given, str(tmp_path), root="", home="/")
        assert looked.verdict == "allow"


def test_a_glance_does_not_pass_what_may_change_a_rule(memory: Memory, store: RuleStore) -> None:
    saved = memory.remember("x", name="x", enforce="Bash: zzz")
    rows = compiled_rules(memory).rows
    for command in ("memdir forget x", f"wipe {saved.path}", "rm -r a", "git checkout a", "cd /a && mv b c"):
        assert not store.cannot_concern(rows, command, TODAY, "/project")
    assert not store.cannot_concern(rows, "wipe a", TODAY, memory.directory)
    assert store.cannot_concern(rows, "make test && git status", TODAY, "/project")


def damaged(data: bytes) -> Iterator[bytes]:
    """Yield a cache that was cut off anywhere, garbled, or put together from its lines."""
    yield from (b"", b"\xff\xfe", b"\n\n\n", data.replace(b"Bash: x", b"nonsense"), data + b"\x1f")
    yield from (data[:length] for length in range(0, len(data), 7))
    lines = data.split(b"\n")
    yield from (b"\n".join(lines[:count]) for count in range(len(lines)))
    yield b"\n".join(reversed(lines))


def test_a_damaged_cache_is_not_believed(memory: Memory, store: RuleStore) -> None:
    memory.remember("x", name="x", enforce="Bash: x")
    memory.remember("y", name="y")
    settle(memory)
    assert compiled(store, memory) == {"Bash: x": True}
    cache = Path(memory.state, "rules")
    for data in [*damaged(cache.read_bytes())]:
        cache.write_bytes(data)
        assert compiled(store, memory) == {"Bash: x": True}, data


def test_links_are_followed_before_a_file_is_judged(tmp_path: Path, memory: Memory, store: RuleStore) -> None:
    memory.remember("x", enforce="Write: secrets/**")
    (tmp_path / "secrets").mkdir()
    (tmp_path / "open").symlink_to("secrets")
    rules = rules_of(store, memory)
    here: dict[str, Any] = {"root": "", "home": str(tmp_path)}
    assert store.decide(rules, "Write", {"file_path": "open/a"}, str(tmp_path), **here).verdict == "deny"
    assert store.decide(rules, "Write", {"file_path": "other/a"}, str(tmp_path), **here).verdict == "allow"
    assert store.decide(rules, "Write", {"file_path": "\0"}, str(tmp_path), **here).verdict == "allow"
    assert store.decide(rules, "Write", {"file_path": "open/\ud800"}, str(tmp_path), **here).verdict == "deny"


def test_a_push_is_judged_by_the_branch_of_the_repository(
    tmp_path: Path, memory: Memory, store: RuleStore
) -> None:
    memory.remember("x", enforce="Bash: git push * main")
    rules = rules_of(store, memory)
    for name, verdict in (("main", "deny"), ("topic", "allow")):
        folder = str(tmp_path / name)
        subprocess.run(["git", "init", "-q", "-b", name, folder], check=True)
        decision = store.decide(rules, "Bash", {"command": "git push"}, folder, root="", home="/")
        assert decision.verdict == verdict


@pytest.mark.parametrize(
    "command",
    [
        "cd build && git push -u origin topic 2>&1 | tail -5",
        'git commit -m "never push main" > log && git push origin topic',
        'B=topic; for r in a b; do git push "$r" ${B}; done',
        "rm -f build/*.o",
        "cp a.cfg b.cfg && make -j4 test 2>&1 | tail -5 && sed -n 's/the/a/p' log && tar czf a.tgz b",
    ],
)
def test_judging_an_everyday_command_loads_no_expressions(memory: Memory, command: str) -> None:
    memory.remember("x", name="x", enforce="Bash: git push * main; Bash: 'rm' -rf *")
    rows = compiled_rules(memory).rows
    code = (
        "import sys; from memdir.rules.store import RuleStore\n"
        f"store = RuleStore({memory.directory!r}, {memory.state!r}, '/')\n"
        f"rules = store.rules({rows!r}, '2030-01-01'); call = {{'command': {command!r}}}\n"
        "said = store.decide(rules, 'Bash', call, '/p', root='', home='/h')\n"
        "print(said.verdict, *{'re', 'enum', 'collections', 'memdir.errors'} & set(sys.modules))"
    )
    assert printed_alone(code) == ["allow"]


def printed_alone(code: str) -> list[str]:
    """Return the words that code prints in an interpreter which has loaded nothing else."""
    command = [
        sys.executable,
        "-I",
        "-S",
        "-c",
        f"import sys; sys.path[:0] = {[p for p in sys.path if p]!r}\n{code}",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ})
    return done.stdout.split()


def test_a_rule_behind_a_long_header_goes_on_binding(memory: Memory, store: RuleStore) -> None:
    memory.remember("x", name="x", enforce="Bash: x")
    path = Path(memory.directory, "feedback_x.md")
    path.write_text(path.read_text().replace('description: "x"', f'description: "{"long " * 5_000}"'))
    assert list(compiled(store, memory)) == ["Bash: x"]
