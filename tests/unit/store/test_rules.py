"""Compiled rules are those of the files as they are now; they bind when the user wrote or approved them."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memdir.core.enforce import Rule
from memdir.errors import NoSuchMemory
from memdir.memory import Memory
from memdir.store.rules import RuleBook, decided

TODAY = "2030-06-01"
OUTSIDE = '---\nname: deploys\ndescription: d\nmetadata:\n  enforce: "Bash: make deploy; nonsense"\n---\nx\n'


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory.at(tmp_path / "memory", tmp_path / "state")


@pytest.fixture
def book(memory: Memory, tmp_path: Path) -> RuleBook:
    return RuleBook(memory.directory, memory.state, str(tmp_path / "home"))


def compiled(book: RuleBook, memory: Memory) -> dict[str, bool]:
    return {rule.text: rule.bound for rule in book.compiled(memory._writer, TODAY)}


def test_a_rule_that_the_user_saves_binds_at_once(memory: Memory, book: RuleBook) -> None:
    memory.remember("Never push to main", name="no-push", enforce="Bash: git push * main\nask Bash: rm -rf *")
    (push, ask) = book.compiled(memory._writer, TODAY)
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
def test_a_rule_in_somebody_elses_words_asks(memory: Memory, book: RuleBook, source: str) -> None:
    memory.remember("x", name="x", enforce="Bash: x", source=source)
    assert compiled(book, memory) == {"Bash: x": False}


def test_a_rule_that_a_worker_or_an_editor_wrote_asks(memory: Memory, book: RuleBook) -> None:
    memory.remember("x", name="x", enforce="Bash: x", actor="extractor")
    Path(memory.directory, "deploys.md").write_text(OUTSIDE)
    assert compiled(book, memory) == {"Bash: x": False, "Bash: make deploy": False}


def test_a_rule_that_was_changed_outside_no_longer_binds(memory: Memory, book: RuleBook) -> None:
    saved = memory.remember("x", name="x", enforce="Bash: x")
    assert compiled(book, memory) == {"Bash: x": True}
    path = Path(saved.path)
    path.write_text(path.read_text().replace("Bash: x", "Bash: y"))
    assert compiled(book, memory) == {"Bash: y": False}


def test_an_approval_is_for_exactly_these_words(memory: Memory, book: RuleBook) -> None:
    path = Path(memory.directory, "deploys.md")
    path.parent.mkdir(parents=True)
    path.write_text(OUTSIDE)
    book.approve(book.compiled(memory._writer, TODAY), "deploys")
    assert compiled(book, memory) == {"Bash: make deploy": True}
    path.write_text(OUTSIDE.replace("deploy;", "deploys;"))
    assert compiled(book, memory) == {"Bash: make deploys": False}


def test_only_what_waits_for_approval_can_be_approved(memory: Memory, book: RuleBook) -> None:
    memory.remember("x", name="x", enforce="Bash: x")
    for name in ("x", "nobody"):
        with pytest.raises(NoSuchMemory, match="waits for approval"):
            book.approve(book.compiled(memory._writer, TODAY), name)


def test_a_rule_ends_with_its_memory_and_with_its_day(memory: Memory, book: RuleBook) -> None:
    memory.remember("x", name="x", enforce="Bash: x", expires="2030-05-31")
    memory.remember("y", name="y", enforce="Bash: y", expires=TODAY)
    assert compiled(book, memory) == {"Bash: y": True}
    memory.forget("y")
    assert compiled(book, memory) == {}


def test_nothing_is_compiled_while_nothing_changed(memory: Memory, book: RuleBook) -> None:
    memory.remember("x", name="x")
    assert book.rules(TODAY) is None
    assert book.compiled(memory._writer, TODAY) == ()
    assert book.rules(TODAY) == ()
    memory.remember("y", name="y")
    assert book.rules(TODAY) is None


def rewrite(path: Path, text: str) -> None:
    """Write into an existing file in place: neither its folder nor the index shows it."""
    with path.open("r+") as file:
        file.write(text)
        file.truncate()


@pytest.mark.parametrize("below", ["", "deep"])
def test_a_rule_that_is_written_into_an_existing_file_is_seen(
    memory: Memory, book: RuleBook, below: str
) -> None:
    path = Path(memory.directory, below, "deploys.md")
    path.parent.mkdir(parents=True)
    path.write_text("Deploys.\n")
    assert compiled(book, memory) == {}
    rewrite(path, OUTSIDE)
    assert compiled(book, memory) == {"Bash: make deploy": False}


def test_a_rule_that_comes_into_a_known_folder_is_seen(memory: Memory, book: RuleBook) -> None:
    path = Path(memory.directory, "deep", "deploys.md")
    path.parent.mkdir(parents=True)
    path.with_name("a.md").write_text("a\n")
    assert compiled(book, memory) == {}
    path.write_text(OUTSIDE)
    assert compiled(book, memory) == {"Bash: make deploy": False}


def test_a_file_whose_name_is_no_text_does_not_hide_the_rules(memory: Memory, book: RuleBook) -> None:
    memory.remember("x", name="x", enforce="Bash: x")
    Path(os.fsdecode(os.path.join(os.fsencode(memory.directory), b"\xff.md"))).write_text("y")
    assert compiled(book, memory) == {"Bash: x": True}


def test_writes_into_our_own_records_are_asked_about(tmp_path: Path, memory: Memory, book: RuleBook) -> None:
    memory.remember("x", name="x", enforce="Bash: x")
    rules = book.compiled(memory._writer, TODAY)
    (tmp_path / "link").symlink_to(memory.state)
    for path, verdict in (
        (f"{memory.state}/rules", "ask"),
        (str(tmp_path / "home" / "memdir" / "approvals"), "ask"),
        (str(tmp_path / "link" / "rules"), "ask"),
        (str(tmp_path / "elsewhere"), "allow"),
    ):
        given = {"file_path": path}
        said = decided(rules, "Write", given, str(tmp_path), root="", home="/", kept=book.kept(rules))
        assert (said.verdict, said.rule) == (verdict, None), path
        looked = decided(rules, "Read", given, str(tmp_path), root="", home="/", kept=book.kept(rules))
        assert looked.verdict == "allow"
    assert book.kept(()) is None


def test_a_glance_does_not_pass_what_may_change_a_rule(memory: Memory, book: RuleBook) -> None:
    saved = memory.remember("x", name="x", enforce="Bash: zzz")
    book.compile(memory._writer)
    for command in ("memdir forget x", f"wipe {saved.path}", "rm -r a", "git checkout a", "cd /a && mv b c"):
        assert not book.cannot_concern(command, TODAY, "/project")
    assert not book.cannot_concern("wipe a", TODAY, memory.directory)
    assert book.cannot_concern("make test && git status", TODAY, "/project")


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe", b"memdir rules 1\x1f", b"\n\n\n"])
def test_a_damaged_cache_is_made_again(memory: Memory, book: RuleBook, damage: bytes) -> None:
    memory.remember("x", name="x", enforce="Bash: x")
    book.compile(memory._writer)
    cache = Path(memory.state, "rules")
    first = cache.read_bytes().partition(b"\n")[0]
    for data in (damage, first + b"\n" + damage):
        cache.write_bytes(data)
        Path(memory.state, "rules.seen").write_bytes(damage)
        book.compile(memory._writer)
        assert compiled(book, memory) == {"Bash: x": True}


def test_a_garbled_rule_in_the_cache_is_read_again(memory: Memory, book: RuleBook) -> None:
    memory.remember("x", name="x", enforce="Bash: x")
    book.compile(memory._writer)
    cache = Path(memory.state, "rules")
    cache.write_bytes(cache.read_bytes().replace(b"Bash: x", b"nonsense"))
    assert book.rules(TODAY) is None
    assert compiled(book, memory) == {"Bash: x": True}


def test_links_are_followed_before_a_file_is_judged(tmp_path: Path, memory: Memory, book: RuleBook) -> None:
    memory.remember("x", enforce="Write: secrets/**")
    (tmp_path / "secrets").mkdir()
    (tmp_path / "open").symlink_to("secrets")
    rules = book.compiled(memory._writer, TODAY)
    here: dict[str, Any] = {"root": "", "home": str(tmp_path)}
    assert decided(rules, "Write", {"file_path": "open/a"}, str(tmp_path), **here).verdict == "deny"
    assert decided(rules, "Write", {"file_path": "other/a"}, str(tmp_path), **here).verdict == "allow"
    assert decided(rules, "Write", {"file_path": "\0"}, str(tmp_path), **here).verdict == "allow"
    assert decided(rules, "Write", {"file_path": "open/\ud800"}, str(tmp_path), **here).verdict == "deny"


def test_a_push_is_judged_by_the_branch_of_the_repository(
    tmp_path: Path, memory: Memory, book: RuleBook
) -> None:
    memory.remember("x", enforce="Bash: git push * main")
    rules = book.compiled(memory._writer, TODAY)
    for name, verdict in (("main", "deny"), ("topic", "allow")):
        folder = str(tmp_path / name)
        subprocess.run(["git", "init", "-q", "-b", name, folder], check=True)
        decision = decided(rules, "Bash", {"command": "git push"}, folder, root="", home="/")
        assert decision.verdict == verdict


def test_saying_that_there_are_no_rules_loads_next_to_nothing(memory: Memory, book: RuleBook) -> None:
    memory.remember("x", name="x")
    book.compile(memory._writer)
    code = (
        "import sys; from memdir.store.rules import RuleBook; before = set(sys.modules)\n"
        f"assert RuleBook({memory.directory!r}, {memory.state!r}, '/').rules('2030-01-01') == ()\n"
        "print(len(set(sys.modules) - before), 're' in sys.modules, 'json' in sys.modules)"
    )
    assert printed_alone(code) == ["0", "False", "False"]


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
def test_judging_an_everyday_command_loads_no_expressions(
    memory: Memory, book: RuleBook, command: str
) -> None:
    memory.remember("x", name="x", enforce="Bash: git push * main; Bash: 'rm' -rf *")
    book.compile(memory._writer)
    code = (
        "import sys; from memdir.store.rules import RuleBook, decided\n"
        f"book = RuleBook({memory.directory!r}, {memory.state!r}, '/')\n"
        f"rules = book.rules('2030-01-01'); call = {{'command': {command!r}}}\n"
        "said = decided(rules, 'Bash', call, '/p', root='', home='/h', kept=book.kept(rules))\n"
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


def test_a_rule_behind_a_long_header_goes_on_binding(memory: Memory, book: RuleBook) -> None:
    memory.remember("x", name="x", enforce="Bash: x")
    path = Path(memory.directory, "feedback_x.md")
    path.write_text(path.read_text().replace('description: "x"', f'description: "{"long " * 5_000}"'))
    assert list(compiled(book, memory)) == ["Bash: x"]
