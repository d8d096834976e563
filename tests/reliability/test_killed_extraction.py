"""A worker may be killed while it extracts: memory is as before or completely after, and so is the cursor."""

import pytest

from tests.reliability.harness.figure import Effort
from tests.reliability.killed_extraction import extract_kill_figures


def test_a_kill_of_an_extraction_is_finished_by_the_next_one() -> None:
    figures = extract_kill_figures(Effort.of(1, sample=True))
    assert [figure.problems for figure in figures] == [[], []]


@pytest.mark.slow
def test_a_kill_before_any_step_of_an_extraction_is_finished_by_the_next_one() -> None:
    figures = extract_kill_figures(Effort.of(1, sample=False))
    assert [figure.problems for figure in figures] == [[], []]
