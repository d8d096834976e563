"""`make hub` says in a sentence why it cannot start, and fails then."""

import signal
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripts import hub

from tests.hub.postgres import PrivatePostgres, why_no_postgres

pytestmark = pytest.mark.hub


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a folder that another account may enter, as which the server runs where we are root."""
    if because := why_no_postgres():
        pytest.skip(because)
    before = signal.getsignal(signal.SIGTERM)
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        monkeypatch.setattr(hub, "FOLDER", Path(made) / "hub")
        yield Path(made) / "hub"
    signal.signal(signal.SIGTERM, before)


def test_a_port_that_is_taken_makes_it_fail(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(SystemExit) as ended:
        hub.main(str(taken.getsockname()[1]))
    assert ended.value.code not in (0, None)
    assert "cannot be used" in capfd.readouterr().err
    assert not (folder / "data" / "postmaster.pid").exists()


def test_a_second_one_in_the_same_folder_is_told_of_the_first(folder: Path) -> None:
    first = PrivatePostgres(folder=folder)
    try:
        with pytest.raises(SystemExit, match="Does another `make hub` run"):
            hub.main()
    finally:
        first.stop()
