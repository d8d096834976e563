"""Whatever people, hosts and other tools do in whatever order, the directory is what a dict would be."""

from hypothesis import HealthCheck, settings

from tests.reliability.hostile_headers import header_figure
from tests.reliability.mixed_operations import MemoryMachine

TestMemory = MemoryMachine.TestCase
TestMemory.settings = settings(
    max_examples=12, stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck)
)


def test_the_header_reader_answers_whatever_it_is_given() -> None:
    assert header_figure(7, 5_000).problems == []
