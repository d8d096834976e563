"""Memories over real git histories: what misleads is called stale, and nearly nothing else is."""

import os
import subprocess
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from bench.verify.dev_histories import DEV_HISTORIES
from bench.verify.dev_memories import DEV_CASES
from bench.verify.histories import NOW, SAVED, Case, History, Step, built
from bench.verify.report import outcomes, precision_and_recall, table
from bench.verify.unseen_histories import UNSEEN_HISTORIES
from bench.verify.unseen_memories import UNSEEN_CASES
from tests.unit.verify.verdict import GIT, memory_verdict, project

from memdir.memories.topic import topic_from
from memdir.verify import check
from memdir.verify.check import anchors, stale_memories, verify_all
from memdir.verify.claims.mentions import Claim
from memdir.verify.claims.parser import claims_in
from memdir.verify.project import Project
from memdir.verify.verdicts import MemoryVerdict, finding_lines

CLASSES = (
    "plain rename",
    "rename with edits",
    "case-only rename",
    "moved directory",
    "deleted",
    "deleted and recreated",
    "moved symbol",
    "renamed symbol",
    "symbol in a comment only",
    "path inside a URL",
    "ignored build output",
    "changed script",
    "past date",
    "future date",
    "untouched",
    "moved line",
)


PARTS = {"dev": (DEV_HISTORIES, DEV_CASES), "unseen": (UNSEEN_HISTORIES, UNSEEN_CASES)}


def verdicts(checked: MemoryVerdict) -> list[tuple[str, str, str]]:
    return [(one.claim.text, one.verdict, one.now) for one in checked.claims]


def test_there_are_a_hundred_memories_and_every_class_has_some() -> None:
    cases: Sequence[Case] = (*DEV_CASES, *UNSEEN_CASES)
    assert len(cases) >= 100
    for part in (DEV_CASES, UNSEEN_CASES):
        assert {case.sort for case in part} == set(CLASSES)


@pytest.mark.parametrize("part", PARTS)
def test_stale_is_said_rightly_in_nineteen_of_twenty_and_no_class_is_given_up(
    part: str, tmp_path: Path
) -> None:
    found = outcomes(*PARTS[part], tmp_path)
    precision, recall = precision_and_recall(found)
    assert precision >= 0.95, "\n".join(table(found))
    assert recall >= 0.95, "\n".join(table(found))
    for sort in CLASSES:
        own = [one for one in found if one.case.sort == sort]
        assert sum(one.right for one in own) >= 0.75 * len(own), "\n".join(table(own))


def test_what_became_of_a_path_is_told(tmp_path: Path) -> None:
    where = project(
        tmp_path,
        {
            "src/a.py": "A = 1\n" * 30,
            "lib/x/one.py": "X = 1\n" * 9,
            "lib/x/two.py": "Y = 2\n" * 9,
            "Read.md": "x\n",
        },
        Step("once", move=(("src/a.py", "src/b.py"),)),
        Step("twice", move=(("src/b.py", "app/c.py"),)),
        Step("folder", move=(("lib/x", "lib/y/z"),)),
        Step("case", move=(("Read.md", "read.md"),)),
    )
    assert verdicts(memory_verdict("`src/a.py`, `lib/x/`, `lib/x/two.py` and `Read.md`.", where)) == [
        ("src/a.py", "gone", "app/c.py"),
        ("lib/x/", "gone", "lib/y/z"),
        ("lib/x/two.py", "gone", "lib/y/z/two.py"),
        ("Read.md", "gone", "read.md"),
    ]


def test_what_is_removed_and_not_committed_is_gone(tmp_path: Path) -> None:
    where = project(tmp_path, {"src/a.py": "def f_one(): pass\n", "src/b.py": "x = 1\n", "old/b.py": ""})
    os.unlink(Path(where.root, "src", "b.py"))
    Path(where.root, "src", "a.py").write_text("def f_two(): pass\n")
    assert verdicts(memory_verdict("`src/b.py` and `f_one()`", where)) == [
        ("src/b.py", "gone", ""),  # old/b.py was there before: it is another file
        ("f_one()", "gone", "f_two"),
    ]


def test_what_is_moved_or_removed_in_the_index_is_gone_too(tmp_path: Path) -> None:
    texts = {
        f"{name}.py": f"{name} = 1\n" * 9 for name in ("src/a", "src/settled", "lib/x/one", "lib/x/two", "c")
    }
    where = project(tmp_path, texts)
    for command in (
        ("mv", "src/a.py", "src/new.py"),
        ("mv", "lib/x", "lib/y"),
        ("rm", "-q", "src/settled.py"),
        ("mv", "c.py", "src/c.py"),
    ):
        subprocess.run([GIT or "git", *command], cwd=where.root, check=True)
    assert verdicts(
        memory_verdict("`src/a.py`, `src/settled.py`, `lib/x/`, `x/two.py`, `c.py` and `src/never.py`", where)
    ) == [
        ("src/a.py", "gone", "src/new.py"),
        ("src/settled.py", "gone", ""),
        ("lib/x/", "gone", "lib/y"),
        ("x/two.py", "gone", "lib/y/two.py"),
        ("c.py", "gone", "src/c.py"),
        ("src/never.py", "cannot say: git never knew it", ""),
    ]


def test_a_move_that_is_staged_goes_on_from_one_that_is_committed(tmp_path: Path) -> None:
    where = project(tmp_path, {"a.py": "A = 1\n" * 9}, Step("once", move=(("a.py", "b.py"),)))
    subprocess.run([GIT or "git", "mv", "b.py", "d.py"], cwd=where.root, check=True)
    assert verdicts(memory_verdict("`a.py`", where)) == [("a.py", "gone", "d.py")]


def test_commits_since_then_are_counted(tmp_path: Path) -> None:
    where = project(
        tmp_path,
        {"a.py": "x = 1\n", "b.py": "y = 1\n"},
        Step("1", edit=(("a.py", "1", "2"),)),
        Step("2", edit=(("a.py", "2", "3"),)),
    )
    assert verdicts(memory_verdict("`a.py` and `b.py`", where)) == [
        ("a.py", "changed since (2 commits)", ""),
        ("b.py", "unchanged", ""),
    ]


def test_a_moved_line_is_found_again(tmp_path: Path) -> None:
    text = "import os\n\n\ndef f():\n    return os.sep\n"
    where = project(tmp_path, {"a.py": text}, Step("above", write=(("a.py", f"# one\n# two\n{text}"),)))
    (found,) = memory_verdict("see a.py:5", where).claims
    assert (found.verdict, found.now, found.stale) == ("changed since (1 commit)", "a.py:7", True)


def test_a_renamed_symbol_and_script_are_told_by_their_new_names(tmp_path: Path) -> None:
    where = project(
        tmp_path,
        {"a.py": "def load_all(): pass\n", "package.json": '{"scripts": {"e2e": "playwright test"}}'},
        Step("new", edit=(("a.py", "load_all", "read_all"), ("package.json", "e2e", "test:browser"))),
    )
    assert [one.now for one in memory_verdict("`load_all()` and `npm run e2e`", where).claims] == [
        "read_all",
        "test:browser",
    ]


def test_anchors_tell_what_git_cannot(tmp_path: Path) -> None:
    """Nothing is committed between saving and changing: only the prints of the working tree know."""
    where = project(tmp_path, {"Makefile": "go:\n\told tool\n"})
    root = Path(where.root)
    (root / "new.py").write_text("def fresh():\n    return 1\n")
    text = "`new.py`, see new.py:2, `fresh()`, `make go`, `plan/later.py`"
    marks = anchors(claims_in(text), text, where)
    again = Project(root, GIT)
    before = memory_verdict(text, again, marks=marks)
    assert {one.verdict for one in before.claims if one.decided} == {"unchanged"}
    (root / "new.py").write_text("# moved\ndef fresh():\n    return 1\n")
    (root / "Makefile").write_text("go:\n\tother thing\n")
    after = {one.claim.text: one for one in memory_verdict(text, again, marks=marks).claims}
    assert after["new.py:2"].now == "new.py:3"
    assert after["make go"].stale
    assert after["plan/later.py"].verdict == "cannot say: it was not there when this was saved"


def test_anchors_name_the_commit_and_outlive_the_clock(tmp_path: Path) -> None:
    files = {"src/a.py": "def f_one():\n    return 1\n"}
    early = project(tmp_path / "early", files)
    marks = anchors(claims_in("`f_one` in src/a.py:2"), "`f_one` in src/a.py:2", early)
    late = project(tmp_path / "late", files, Step("gone", write=(("src/a.py", "x = 1\n"),)))
    assert memory_verdict("`f_one` in src/a.py:2", late, marks=marks, at=NOW).verdict == "stale"


def test_a_text_without_claims_has_no_anchors(tmp_path: Path) -> None:
    assert (
        anchors(claims_in("The user likes tea."), "The user likes tea.", project(tmp_path, {"a.py": ""}))
        == ""
    )


def test_a_memory_older_than_the_history_is_held_against_its_beginning(tmp_path: Path) -> None:
    where = project(
        tmp_path, {"a.py": "x = 1\ny = 2\n"}, Step("above", write=(("a.py", "\nx = 1\ny = 2\n"),))
    )
    assert (
        memory_verdict("a.py:2 sets y", where, at=datetime.fromisoformat("2020-01-01T00:00:00+00:00")).verdict
        == "stale"
    )


def test_a_save_and_a_commit_within_one_second_keep_their_order(tmp_path: Path) -> None:
    where = project(
        tmp_path, {"a.py": "x = 1\ny = 2\n"}, Step("above", write=(("a.py", "\nx = 1\ny = 2\n"),))
    )
    second = SAVED + timedelta(days=1)  # of the step
    (head,) = Path(where.root, ".git", "refs", "heads").iterdir()
    commit = head.read_text().strip()
    held = Path(where.root, ".git", "objects", commit[:2], commit[2:])
    os.utime(held, (0, second.timestamp() + 0.6))
    before, after = (second + timedelta(milliseconds=ms) for ms in (300, 900))
    assert memory_verdict("a.py:2 sets y", where, at=before).verdict == "stale"
    assert memory_verdict("a.py:3 sets y", where, at=after).verdict == "fresh"


def test_without_git_the_working_tree_alone_decides(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("def here(): pass\n")
    (tmp_path / "Makefile").write_text("test:\n\techo\n")
    where = Project(tmp_path, GIT)
    text = (
        "`src/a.py`, `src/gone.py`, `here()`, `never()`, `make test`, `make old`, client/server, src/a.py:99"
    )
    assert {one.claim.text: one.verdict.partition(":")[0] for one in memory_verdict(text, where).claims} == {
        "src/a.py:99": "gone",
        "src/gone.py": "gone",
        "here()": "unchanged",
        "never()": "cannot say",
        "make test": "unchanged",
        "make old": "gone",
    }


def test_a_library_is_not_ours_to_miss(tmp_path: Path) -> None:
    where = project(
        tmp_path, {"a.py": "import json\nx = json.dumps(1)\n"}, Step("no", write=(("a.py", "x = 1\n"),))
    )
    assert memory_verdict("Use `json.dumps()`.", where).verdict == "no claim"


def test_the_doctor_gets_those_that_mislead(tmp_path: Path) -> None:
    where = project(tmp_path, {"a/b.py": "", "c/d.py": ""}, Step("no", remove=("a/b.py",)))
    topics = [topic_from(f"{n}.md", text, SAVED) for n, text in enumerate(("`a/b.py`", "`c/d.py`", "tea"))]
    assert [one.file for one in stale_memories(topics, where, NOW, 30.0)] == ["0.md"]


def test_findings_are_single_lines_with_what_misleads_first(tmp_path: Path) -> None:
    files = {"a/b.py": "", "c/d.py": "def retry(): ...\n"}
    where = project(tmp_path, files, Step("no", move=(("c/d.py", "c/e.py"),)))
    checked = memory_verdict("Until 2026-05-01: `a/b.py`, `c/d.py`, `x/never.py`", where)
    assert finding_lines(checked) == [
        "c/d.py: gone (nearest now: c/e.py)",
        "2026-05-01: passed 198 days ago",
        "a/b.py: unchanged",
    ]


def test_a_day_to_come_is_said_to_come_and_not_to_be_unchanged(tmp_path: Path) -> None:
    where = project(tmp_path, {"a/b.py": ""})
    day = NOW.date() + timedelta(days=5)
    assert finding_lines(memory_verdict(f"The freeze starts on {day}.", where)) == [f"{day}: in 5 days"]


TWICE = "Run `./tests/run.sh` or tests/run.sh:3, also spelled `tests//run.sh`."


@pytest.mark.parametrize("git", [GIT, None])
def test_a_missing_path_may_be_spelled_in_several_ways(tmp_path: Path, git: str | None) -> None:
    files = {"tests/run.sh": "true\n", "src/a.py": "x = 1\n"}
    root = built(History("one", files, [Step("gone", remove=("tests/run.sh",))]), tmp_path)
    where = Project(root, git)
    assert {one.verdict for one in memory_verdict(TWICE, where).claims} == {"gone"}
    assert anchors(claims_in(TWICE), TWICE, where)


def test_a_memory_that_cannot_be_checked_costs_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(text: str) -> list[Claim]:
        if "poison" in text:
            raise KeyError("tests/run.sh")
        return claims_in(text)

    monkeypatch.setattr(check, "claims_in", broken)
    where = project(tmp_path, {"src/a.py": "x = 1\n"})
    topics = [topic_from(f"{name}.md", f"{name} `src/a.py`", SAVED) for name in ("poison", "good")]
    bad, good = verify_all(topics, where, NOW, 30.0)
    assert (bad.verdict, good.verdict) == ("no claim", "fresh")
    assert bad.claims[0].verdict == "cannot say: it could not be checked (KeyError: 'tests/run.sh')"
