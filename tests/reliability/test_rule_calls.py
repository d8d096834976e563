"""A forbidden call is stopped whatever happens around the rules; a small sample of the figure."""

from pathlib import Path

import pytest

from tests.reliability.place import scratch
from tests.reliability.rule_calls import CASES, rule_problems


@pytest.mark.parametrize("what", CASES)
def test_no_forbidden_call_is_let_through(what: str) -> None:
    with scratch(anybody=True) as folder:
        assert rule_problems(what, Path(folder), 6) == []
