"""A forbidden call is stopped whatever happens around the rules; a small sample of the figure."""

from pathlib import Path

import pytest

from tests.reliability.broken_rules import CASES, rule_problems
from tests.reliability.harness.sandbox import scratch


@pytest.mark.parametrize("what", CASES)
def test_no_forbidden_call_is_let_through(what: str) -> None:
    with scratch(anybody=True) as folder:
        assert rule_problems(what, Path(folder), 6) == []
