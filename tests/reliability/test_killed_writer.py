"""A process may be killed at any moment: what was acknowledged stays, and nobody has to tidy up."""

import pytest

from tests.reliability.harness.figure import Effort, needs_strace
from tests.reliability.killed_git import git_kill_figures, orphan_figures, replay_figure
from tests.reliability.killed_steps import step_kill_figures
from tests.reliability.killed_sync import receive_kill_figure
from tests.reliability.killed_writer import SCRIPTS, kill_figures

strace = pytest.mark.skipif(bool(needs_strace()), reason="needs strace")


@pytest.mark.parametrize("script", ["save", "update", "forget", "undo of an update"])
def test_a_kill_before_any_step_of_the_write_primitive_loses_nothing(script: str) -> None:
    (figure,) = step_kill_figures([script])
    assert figure.problems == []


@pytest.mark.parametrize("kind", ["git", "folder"])
def test_a_kill_while_memories_are_received_loses_and_tears_nothing(kind: str) -> None:
    assert receive_kill_figure(kind).problems == []


@strace
def test_a_kill_at_a_system_call_loses_nothing() -> None:
    (figure,) = kill_figures(Effort.of(3, sample=True), SCRIPTS[3:4])
    assert figure.problems == []


@strace
def test_a_kill_of_git_costs_neither_the_save_nor_its_history() -> None:
    assert [figure.problems for figure in git_kill_figures(Effort.of(3, sample=True), count=2)] == [[], []]


def test_git_that_outlives_its_parent_records_nothing_twice() -> None:
    (figure,) = orphan_figures()
    assert figure.problems == []


def test_a_journal_that_history_has_already_is_not_recorded_again() -> None:
    assert replay_figure().problems == []
