"""The full figures, as `make reliability` prints them."""

import pytest

from tests.reliability.full import CASES
from tests.reliability.harness.figure import Effort


@pytest.mark.slow
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("case", CASES)
def test_every_promise_holds_in_full(case: str) -> None:
    figures = CASES[case](Effort.of(1, sample=False))
    assert {figure.what: figure.problems for figure in figures if figure.problems} == {}
