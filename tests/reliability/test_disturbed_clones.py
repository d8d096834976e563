"""Clones sync with one remote, are killed and meet failures: no acknowledged word is lost, and all agree."""

import pytest

from tests.conformance.remotes import KINDS
from tests.reliability.disturbed_clones import clone_figure


@pytest.mark.parametrize("kind", KINDS)
def test_no_acknowledged_edit_is_lost_between_three_clones(kind: str) -> None:
    assert clone_figure(kind, 1, clones=3, edits=10).problems == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_remote_that_is_rewound_loses_nothing_that_a_clone_has(kind: str) -> None:
    assert clone_figure(kind, 6, clones=2, edits=10, rewinds=True).problems == []
