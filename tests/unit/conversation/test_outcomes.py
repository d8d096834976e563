"""What workers leave is told once, in lines of their own, and never grows without bound."""

import os
from pathlib import Path

from memdir.conversation.outcomes import Outcome, Outcomes

SAVED = Outcome("extract", wrote=True, said="Memory saved: a.md", operation="1a2b3c4d")
FAILED = Outcome("dream", wrote=False, said="No answer.")


def test_what_is_left_is_taken_once(tmp_path: Path) -> None:
    outcomes = Outcomes(str(tmp_path / "state"))
    assert outcomes.take() == ()
    outcomes.leave([SAVED])
    outcomes.leave([FAILED, SAVED])
    assert outcomes.take() == (SAVED, FAILED)
    assert outcomes.take() == ()
    assert os.listdir(tmp_path / "state") == []


def test_nothing_leaves_no_file(tmp_path: Path) -> None:
    Outcomes(str(tmp_path / "state")).leave([])
    assert not (tmp_path / "state").exists()


def test_a_line_end_makes_no_second_outcome_and_much_of_it_is_cut(tmp_path: Path) -> None:
    outcomes = Outcomes(str(tmp_path))
    outcomes.leave([Outcome("extract", wrote=False, said="one\n+dream two\n" + "x" * 9000)])
    (one,) = outcomes.take()
    assert (one.said[:13], len(one.said) < 1000) == ("one +dream tw", True)


def test_what_nobody_takes_stays_small(tmp_path: Path) -> None:
    outcomes = Outcomes(str(tmp_path))
    for number in range(200):
        outcomes.leave([Outcome("extract", wrote=False, said=f"{number} " + "x" * 500)])
    assert (tmp_path / "outcomes").stat().st_size < 20_000
    assert outcomes.take()[-1].said.startswith("199 ")
