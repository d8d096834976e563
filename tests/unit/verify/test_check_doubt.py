"""A loose match proves nothing: nothing is called unchanged where nobody knows which thing is meant."""

import os
from pathlib import Path

import pytest
from bench.verify.doubt_histories import DOUBT_HISTORIES
from bench.verify.doubt_memories import DOUBT_CASES
from bench.verify.histories import NOW, SAVED, History, Step, built
from bench.verify.report import outcomes, table
from tests.unit.verify.verdict import GIT, claim_verdicts, memory_verdict, project

from memdir.memories.topic import topic_from
from memdir.verify.check import anchors, verify
from memdir.verify.claims.parser import claims_in
from memdir.verify.project import Project


def test_every_memory_on_namesakes_is_judged_as_a_person_would(tmp_path: Path) -> None:
    found = outcomes(DOUBT_HISTORIES, DOUBT_CASES, tmp_path)
    assert all(one.exact for one in found), "\n".join(table(found))


LONG = "def old_way(): pass\n" * 20


def test_a_bare_name_whose_file_was_deleted_is_not_unchanged_because_another_folder_has_one(
    tmp_path: Path,
) -> None:
    files = {"src/a/compat.py": LONG, "src/b/compat.py": "x = 1\n", "src/c/one.py": "y = 1\n"}
    where = project(tmp_path, files, Step("no", remove=("src/a/compat.py",)))
    assert claim_verdicts("Keep `compat.py` small.", where) == [
        ("cannot say: 2 files had that name, and now only 1", "")
    ]


def test_a_bare_name_is_gone_when_a_new_file_elsewhere_took_its_name(tmp_path: Path) -> None:
    where = project(
        tmp_path,
        {"src/a/compat.py": LONG, "src/b/one.py": "y = 1\n"},
        Step("no", remove=("src/a/compat.py",)),
        Step("another", write=(("src/b/compat.py", "import sys\n"),)),
    )
    assert claim_verdicts("Keep `compat.py` small.", where) == [("gone", "")]


def test_a_new_file_at_the_root_does_not_answer_for_the_one_that_went(tmp_path: Path) -> None:
    where = project(
        tmp_path,
        {"src/a/compat.py": LONG, "src/b/one.py": "y = 1\n"},
        Step("no", remove=("src/a/compat.py",), write=(("compat.py", "import sys\n"),)),
    )
    assert memory_verdict("Keep `compat.py` small.", where).verdict == "stale"


def test_a_bare_name_is_unchanged_while_every_file_of_that_name_stands(tmp_path: Path) -> None:
    where = project(tmp_path, {"src/a/compat.py": LONG, "src/b/compat.py": "x = 1\n", "one.py": "y = 1\n"})
    assert claim_verdicts("Keep `compat.py` and `one.py` small.", where) == [
        ("unchanged", "src/a/compat.py"),
        ("unchanged", ""),
    ]


def test_a_bare_name_follows_its_file_to_another_folder(tmp_path: Path) -> None:
    where = project(
        tmp_path, {"src/compat.py": LONG}, Step("move", move=(("src/compat.py", "lib/compat.py"),))
    )
    (one,) = memory_verdict("Keep `compat.py` small.", where).claims
    assert (one.now, one.stale) == ("lib/compat.py", False)


def test_without_git_a_name_that_stands_elsewhere_needs_the_print_of_its_file(tmp_path: Path) -> None:
    for name, text in (("a", LONG), ("b", "x = 1\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "compat.py").write_text(text)
    marks = anchors(claims_in("Keep `compat.py` small."), "Keep `compat.py` small.", Project(tmp_path / "b"))
    os.rename(tmp_path / "b" / "compat.py", tmp_path / "compat.old")
    assert claim_verdicts("Keep `compat.py` small.", Project(tmp_path), marks)[0][0].startswith("cannot say")


def test_without_git_a_name_that_may_be_several_files_leaves_no_anchors(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "compat.py").write_text(LONG)
    assert anchors(claims_in("Keep `compat.py` small."), "Keep `compat.py` small.", Project(tmp_path)) == ""


def test_without_git_an_option_that_the_files_lost_is_known_by_its_print(tmp_path: Path) -> None:
    text, code = "Try `--dry-run` first.", tmp_path / "cli.py"
    code.write_text("parser.add_argument('--dry-run')\n")
    marks = anchors(claims_in(text), text, Project(tmp_path))
    assert claim_verdicts(text, Project(tmp_path), marks) == [("unchanged", "")]
    code.write_text("parser.add_argument('--check')\n")
    assert claim_verdicts(text, Project(tmp_path), marks) == [("gone", "")]


def test_what_was_not_there_when_the_memory_was_saved_has_not_gone_since(tmp_path: Path) -> None:
    root = built(
        History("one", {"src/a.py": LONG, "b.py": "x = 1\n"}, [Step("no", remove=("src/a.py",))]), tmp_path
    )
    late = topic_from("one.md", "Ask before `src/a.py` is written.", NOW)
    (one,) = verify(late, Project(root, GIT), NOW, 30.0).claims
    assert one.verdict == "cannot say: it was not there when this was saved"


MAKE = "build:\n\tcc x\n"


def test_a_target_of_a_deep_makefile_does_not_count_for_the_root(tmp_path: Path) -> None:
    where = project(tmp_path, {"Makefile": MAKE, "vendor/zlib/Makefile": "clean:\n\trm x\n"})
    assert claim_verdicts("Run `make clean` first.", where) == [
        ("cannot say: only vendor/zlib/Makefile defines it", "")
    ]


def test_a_target_of_a_makefile_that_git_does_not_track_yet_is_there(tmp_path: Path) -> None:
    where = project(tmp_path, {"a.c": LONG})
    Path(where.root, "Makefile").write_text(MAKE)
    assert claim_verdicts("Run `make build` first.", where) == [("unchanged", "")]


def test_a_target_that_the_root_lost_is_gone_whatever_a_deep_makefile_has(tmp_path: Path) -> None:
    where = project(
        tmp_path,
        {"Makefile": f"{MAKE}clean:\n\trm -rf out\n", "vendor/zlib/Makefile": "clean:\n\trm x\n"},
        Step("no", write=(("Makefile", MAKE),)),
    )
    assert claim_verdicts("Run `make clean` first.", where) == [("gone", "")]


def test_a_script_that_only_another_folder_had_is_gone_when_nobody_has_it_any_more(tmp_path: Path) -> None:
    root, nested = '{"scripts": {"build": "tsc"}}', '{"scripts": {"dev": "vite"}}'
    files = {"package.json": root, "packages/web/package.json": nested}
    where = project(tmp_path, files, Step("no", write=(("packages/web/package.json", root),)))
    assert claim_verdicts("Use `npm run dev`.", where) == [("gone", "")]


def test_a_script_of_a_nested_package_counts_where_the_memory_names_its_folder(tmp_path: Path) -> None:
    files = {
        "package.json": '{"scripts": {"build": "tsc"}}',
        "packages/web/package.json": '{"scripts": {"dev": "vite"}}',
    }
    where = project(tmp_path, files)
    assert claim_verdicts("Use `npm run dev`.", where) == [
        ("cannot say: only packages/web/package.json defines it", "")
    ]
    for text in (
        "`npm --prefix packages/web run dev`",
        "`npm run dev -w web`",
        "`cd packages/web && npm run dev`",
        "In web, use `npm run dev`.",
    ):
        commands = [one.verdict for one in memory_verdict(text, where).claims if one.claim.kind == "command"]
        assert commands == ["unchanged"], text


def test_targets_of_included_files_are_those_of_the_makefile(tmp_path: Path) -> None:
    where = project(
        tmp_path,
        {
            "Makefile": f"include mk/*.mk\n{MAKE}",
            "mk/clean.mk": "clean:\n\trm x\n",
            "old/x.mk": "wipe:\n\trm\n",
        },
    )
    assert [verdict for verdict, _ in claim_verdicts("`make clean`, `make wipe`", where)] == [
        "unchanged",
        "cannot say: only old/x.mk defines it",
    ]


def test_a_symbol_that_one_of_two_files_lost_is_not_unchanged(tmp_path: Path) -> None:
    where = project(
        tmp_path,
        {"a.py": "def load_all():\n    return 1\n", "b.py": "def load_all():\n    return 2\n"},
        Step("no", write=(("a.py", "x = 1\n"),)),
    )
    assert claim_verdicts("`load_all()` is slow.", where) == [
        ("cannot say: 2 files defined it and 1 of them still do", "")
    ]
    assert claim_verdicts("`load_all()` in `b.py` is slow.", where)[0][0] == "unchanged"


def test_what_was_deleted_and_told_so_is_not_stale_and_its_return_is(tmp_path: Path) -> None:
    files = {"src/compat.py": LONG, "Makefile": f"{MAKE}ship:\n\t./ship\n", "a.py": "def send_all(): pass\n"}
    gone = Step("no", remove=("src/compat.py",), write=(("Makefile", MAKE), ("a.py", "x = 1\n")))
    back = Step(
        "back",
        write=(
            ("src/compat.py", "import sys\n"),
            ("Makefile", files["Makefile"]),
            ("a.py", files["a.py"]),
        ),
    )
    texts = {
        "`src/compat.py` was deleted on purpose and should not come back.": "src/compat.py",
        "Wir haben `compat.py` absichtlich gelöscht.": "src/compat.py",
        "We removed `make ship` for good.": "Makefile",
        "Nous avons supprimé `send_all()`.": "a.py",
    }
    away = built(History("away", files, [gone]), tmp_path)
    again = built(History("again", files, [gone, Step("between"), back]), tmp_path)
    for text, place in texts.items():
        saved = topic_from("one.md", text, SAVED.replace(month=4, day=2, hour=18))
        assert verify(saved, Project(away, GIT), NOW, 30.0).verdict == "no claim", text
        (one,) = verify(saved, Project(again, GIT), NOW, 30.0).claims
        assert (one.verdict, one.now, one.stale) == ("there again", place, True), text


def test_a_deletion_that_is_told_before_it_is_committed_is_not_stale(tmp_path: Path) -> None:
    where = project(
        tmp_path, {"src/compat.py": LONG, "b.py": "x = 1\n"}, Step("no", remove=("src/compat.py",))
    )
    assert (
        memory_verdict("compat.py was deleted on purpose and should not come back.", where).verdict
        == "no claim"
    )


def test_what_is_told_as_removed_and_never_went_is_no_finding(tmp_path: Path) -> None:
    where = project(tmp_path, {"src/compat.py": LONG, "b.py": "x = 1\n"})
    assert memory_verdict("We removed `src/compat.py` from the wheel.", where).verdict == "no claim"


def test_the_print_of_an_absent_file_tells_that_it_is_back(tmp_path: Path) -> None:
    text = "We removed `src/compat.py`."
    where = project(tmp_path, {"b.py": "x = 1\n"})
    marks = anchors(claims_in(text), text, where)
    Path(where.root, "src").mkdir()
    Path(where.root, "src", "compat.py").write_text("x = 1\n")
    assert claim_verdicts(text, Project(where.root, GIT), marks) == [("there again", "src/compat.py")]


SCRIPT = "#!/bin/sh\nset -e\n"


@pytest.mark.parametrize("together", [True, False])
def test_no_hint_is_made_up(tmp_path: Path, *, together: bool) -> None:
    """Two scripts in one folder share first lines and letters; nothing says that one became the other."""
    new = ("ops/restore.sh", f"{SCRIPT}pg_restore --clean app.dump\n")
    files = {"ops/rotate.sh": f"{SCRIPT}find . -mtime +14\n", "ops/a.sh": SCRIPT}
    steps = (
        [Step("one", remove=("ops/rotate.sh",), write=(new,))]
        if together
        else [Step("new", write=(new,)), Step("no", remove=("ops/rotate.sh",))]
    )
    where = project(tmp_path, files, *steps)
    assert claim_verdicts("Rotate with `ops/rotate.sh`.", where) == [("gone", "")]


def test_no_hint_is_made_up_for_symbols_and_commands(tmp_path: Path) -> None:
    where = project(
        tmp_path,
        {"a.py": "def load_user(name):\n    pass\n", "package.json": '{"scripts": {"test": "jest"}}'},
        Step(
            "other things",
            write=(
                ("a.py", "def load_order(number, day):\n    pass\n"),
                ("package.json", '{"scripts": {"tests:list": "ls tests"}}'),
            ),
        ),
    )
    assert claim_verdicts("`load_user()` and `npm test`", where) == [("gone", ""), ("gone", "")]


@pytest.mark.parametrize("content", ["", "1\n", "x = 1\n"])
def test_a_few_equal_bytes_are_no_sign_of_a_new_name(tmp_path: Path, content: str) -> None:
    both = Step("moved?", remove=("pkg/x.py",), write=(("zzz/VERSION", content),))
    where = project(tmp_path, {"pkg/x.py": content, "README": "a project\n"}, both)
    assert claim_verdicts("Do not touch `pkg/x.py`.", where) == [("gone", "")]
