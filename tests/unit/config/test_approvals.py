"""What was approved holds until it is taken back, for one place and exactly that."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memdir.config.approvals import Approvals
from memdir.errors import StorageError


@pytest.fixture
def approvals(tmp_path: Path) -> Approvals:
    return Approvals(str(tmp_path))


def test_an_approval_is_taken_back_for_one_place_and_one_thing(approvals: Approvals, tmp_path: Path) -> None:
    for place, thing in (("/a", "x"), ("/a", "y"), ("/b", "x")):
        approvals.approve(place, thing)
    assert approvals.withdraw("/a", ["x", "z"]) == {"x"}
    assert [*approvals.of("/a"), *approvals.of("/b")] == ["y", "x"]
    approvals.withdraw("/a", ["y"])
    approvals.withdraw("/b", ["x"])
    assert (tmp_path / "memdir" / "approvals.json").read_text() == "{}\n"


def test_taking_back_what_there_is_not_writes_nothing(approvals: Approvals, tmp_path: Path) -> None:
    assert approvals.withdraw("/a", ["x"]) == frozenset()
    assert not list(tmp_path.iterdir())


def test_a_path_in_no_encoding_can_be_approved_and_withdrawn(approvals: Approvals) -> None:
    for path in ("/x/\udcff.md", "/x/für.md"):
        approvals.approve("/a", path)
        assert path in approvals.of("/a")
        assert approvals.withdraw("/a", [path]) == {path}


DAMAGE = ["", "{", "[]", '{"/a": 5}', '{"/a": ["x"']


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_approves_nothing(approvals: Approvals, tmp_path: Path, damage: str) -> None:
    approvals.approve("/a", "x")
    assert approvals.of("/a") == {"x"}
    (tmp_path / "memdir" / "approvals.json").write_text(damage)
    assert approvals.of("/a") == approvals.withdraw("/a", ["x"]) == frozenset()
    assert (tmp_path / "memdir" / "approvals.json").read_text() == damage


def test_nothing_is_lost_when_several_write_at_the_same_time(approvals: Approvals) -> None:
    def write(name: str) -> None:
        for number in range(6):
            approvals.approve("/a", f"{name}{number}")
            approvals.withdraw("/a", [f"{name}{number}"] if number % 2 else [])

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(write, "abc"))
    assert approvals.of("/a") == {f"{name}{number}" for name in "abc" for number in (0, 2, 4)}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_never_written_over(approvals: Approvals, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "memdir" / "approvals.json"
    path.parent.mkdir()
    path.write_text(damage)
    with pytest.raises(StorageError, match=r"approvals\.json is damaged.* nothing was changed\. Mend"):
        approvals.approve("/b", "y")
    assert path.read_text() == damage
