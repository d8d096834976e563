"""A disk may say no: a save that failed says so, what was there stays, and afterwards everything works."""

import pytest

from tests.reliability.failing_calls import injection_figures
from tests.reliability.failing_disk import real_refusal_figures
from tests.reliability.harness.figure import Effort, needs_strace
from tests.reliability.killed_writer import SCRIPTS


@pytest.mark.skipif(bool(needs_strace()), reason="needs strace")
@pytest.mark.parametrize("script", SCRIPTS[2:4], ids=lambda script: script.name)
def test_no_injected_error_makes_a_false_success(script: object) -> None:
    chosen = [each for each in SCRIPTS if each is script]
    (figure,) = injection_figures(Effort.of(11, sample=True), chosen, count=4)
    assert figure.problems == []


def test_real_limits_and_permissions_refuse_cleanly_and_reading_goes_on() -> None:
    assert {figure.what: figure.problems for figure in real_refusal_figures() if figure.problems} == {}
