"""Memories are private: whatever the umask, only the owner may look."""

from tests.reliability.odd_umask import mode_figures


def test_every_folder_is_0700_and_every_file_0600() -> None:
    assert {figure.what: figure.problems for figure in mode_figures() if figure.problems} == {}
