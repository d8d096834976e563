"""Many processes share one directory: nothing acknowledged is lost, doubled, torn or silently overwritten."""

from tests.reliability.concurrent_writers import (
    counting_figure,
    crowd_figure,
    one_tick_figure,
    replaced_figure,
    updates_figure,
)


def test_eight_processes_save_and_two_readers_see_only_whole_files() -> None:
    assert crowd_figure(8, 20).problems == []


def test_every_version_of_a_topic_that_two_processes_update_is_in_history() -> None:
    assert updates_figure(20).problems == []


def test_a_file_that_an_editor_replaces_is_there_for_every_reader() -> None:
    assert replaced_figure(5_000).problems == []


def test_edits_of_two_processes_never_overwrite_each_other_unseen() -> None:
    assert counting_figure(20).problems == []


def test_saves_of_two_handles_within_one_tick_of_the_clock_see_each_other() -> None:
    assert one_tick_figure().problems == []
