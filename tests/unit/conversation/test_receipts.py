"""Receipts are cheap lines on this machine: complete, bounded, without credentials, and never in the way."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.conversation import receipts as module
from memdir.conversation.receipts import RecallCandidate, Receipt, Receipts, ShownMemory, receipt_query
from memdir.disk.lock import DirectoryLock
from memdir.errors import NoSuchMemory
from memdir.text.secrets.fast_search import may_hold_secret
from memdir.text.secrets.search import MIN_ISSUED, NAMED, find_secrets


def receipt(name: str = "0a1b2c3d", query: str = "how to deploy") -> Receipt:
    return Receipt(
        name,
        "2026-11-15T09:30:00Z",
        query,
        session='s"1\n\\',
        method="semantic",
        shown=(ShownMemory("a.md", "1-2", 3, "said by the user", ("gone: ü", "x")),),
        candidates=(
            RecallCandidate("a.md", 0.1 + 0.2, 1e-9, -0.25, ("pinned",)),
            RecallCandidate("b.md", 0.0, cut="\x00\u2028"),
        ),
        others=7,
        fallbacks=("the model was busy",),
        max_lines=200,
        max_bytes=4096,
        tokens=12,
        model_tokens=34,
        milliseconds=1.234,
    )


def test_what_was_added_comes_back_equal_newest_first(tmp_path: Path) -> None:
    kept = Receipts(str(tmp_path))
    kept.add(receipt("aaaa0000"))
    kept.add(receipt("bbbb0000", "second"))
    assert kept.all() == [receipt("bbbb0000", "second"), receipt("aaaa0000")]
    assert receipt().files == ("a.md",)


@given(st.text(), st.text(), st.floats(allow_nan=False, allow_infinity=False))
def test_any_text_and_number_survives(
    tmp_path_factory: pytest.TempPathFactory, a: str, b: str, n: float
) -> None:
    folder = tmp_path_factory.mktemp("state")
    one = Receipt("1", "", a, candidates=(RecallCandidate(b, n),), fallbacks=(a, b))
    Receipts(str(folder)).add(one)
    (found,) = Receipts(str(folder)).all()
    assert found == one


def test_half_a_character_does_no_harm(tmp_path: Path) -> None:
    Receipts(str(tmp_path)).add(receipt(query="\ud800"))
    assert len(Receipts(str(tmp_path)).all()) == 1


def test_each_line_is_json_for_other_tools(tmp_path: Path) -> None:
    Receipts(str(tmp_path)).add(receipt())
    (line,) = (tmp_path / "receipts").read_text().splitlines()
    assert json.loads(line)["query"] == "how to deploy"


def test_one_is_found_by_the_beginning_of_its_id_or_as_the_newest(tmp_path: Path) -> None:
    kept = Receipts(str(tmp_path))
    for name in ("aaaa0000", "aabb0000"):
        kept.add(receipt(name))
    assert kept.one("aaa").id == "aaaa0000"
    assert kept.one().id == "aabb0000"
    for wrong in ("aa", "ffff"):
        with pytest.raises(NoSuchMemory):
            kept.one(wrong)
    with pytest.raises(NoSuchMemory, match="Nothing was recalled"):
        Receipts(str(tmp_path / "elsewhere")).one()


def test_torn_and_foreign_lines_are_passed_over(tmp_path: Path) -> None:
    kept = Receipts(str(tmp_path))
    kept.add(receipt("aaaa0000"))
    with (tmp_path / "receipts").open("ab") as file:
        file.write(b'{"id": "x"}\n[]\nnull\n\xff\n{"id": "torn", "shown": [[1')
    kept.add(receipt("bbbb0000"))
    assert [one.id for one in kept.all()] == ["bbbb0000", "aaaa0000"]


def test_the_oldest_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 5_000)
    kept = Receipts(str(tmp_path))
    for number in range(100):
        kept.add(receipt(f"{number:08}"))
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 3 * 5_000
    found = kept.all()
    assert found[0].id == "00000099"
    assert 8 < len(found) < 40


def test_a_place_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    Receipts(str(tmp_path / "file")).add(receipt())
    assert Receipts(str(tmp_path / "file")).all() == []


def test_a_query_is_kept_on_one_line_and_cut() -> None:
    assert receipt_query(" how\n to \t deploy ") == "how to deploy"
    assert len(receipt_query("word " * 10_000)) == 500


@pytest.mark.parametrize(
    ("before", "secret", "after"),
    [
        ("", "ghp_" + "k7Qm2Vx9Tz4Rb8WcYh3Nf6LpJs5Dg1XeUa0K", ""),
        ("password: ", "hunter2correcthorse", ""),
        ("https://me:", "s3cretWord9", "@example.com/x"),
        ("curl -u me:", "s3cretWord9", " example.com"),
    ],
)
def test_credentials_in_a_query_are_masked(before: str, secret: str, after: str) -> None:
    kept = receipt_query(f"why does {before}{secret}{after} not work")
    assert secret not in kept
    assert "[secret:" in kept


def test_what_is_kept_as_it_is_would_pass_every_rule() -> None:
    """Plain queries skip the rules; each rule must need something that makes a query not plain."""
    assert MIN_ISSUED >= 20
    for rule in NAMED:
        for clue in rule.clues:
            assert may_hold_secret(clue) or "(?:key|token|secret|pass|auth)" in rule.shape, rule.name


_PIECES = [
    "my ",
    "is ",
    "= ",
    ": ",
    "the ",
    "Basic ",
    "-u a:bcdefg ",
    "key",
    "pw ",
    "x1y2z3",
    "API ",
    "://",
    "@h",
]


@given(st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=8)), max_size=12).map("".join))
def test_a_plain_query_holds_no_credential(text: str) -> None:
    if not may_hold_secret(text):
        assert find_secrets(text) == []


def test_a_folder_that_is_locked_does_not_hold_up_a_recall(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LARGEST", 10)
    kept = Receipts(str(tmp_path))
    with DirectoryLock(str(tmp_path), str(tmp_path / "history.lock")):
        kept.add(receipt("aaaa0000"))
        assert not (tmp_path / "receipts.1").exists()
    kept.add(receipt("bbbb0000"))
    assert (tmp_path / "receipts.1").exists()
    assert [one.id for one in kept.all()] == ["bbbb0000", "aaaa0000"]
