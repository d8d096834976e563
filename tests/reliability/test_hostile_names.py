"""No name and no setting leads out of the memory directory, or into the index."""

from tests.reliability.harness.hostile_inputs import hostile_directories, hostile_names
from tests.reliability.hostile_names import directory_figures, name_figures
from tests.reliability.swapped_links import swap_figure


def test_there_are_more_than_three_hundred_names_and_a_hundred_directories() -> None:
    assert len(set(hostile_names())) > 300
    assert len(set(hostile_directories("/home/someone"))) > 80


def test_no_name_escapes_or_becomes_the_index() -> None:
    assert [figure.problems for figure in name_figures()] == [[], []]


def test_no_directory_is_accepted_that_must_not_be() -> None:
    assert [figure.problems for figure in directory_figures()] == [[]]


def test_a_link_swapped_in_during_a_save_is_never_followed() -> None:
    assert swap_figure(1.5).problems == []
