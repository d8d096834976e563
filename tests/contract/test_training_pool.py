"""A run of training that was stopped goes on where it was."""

from pathlib import Path

import pytest
from training.pool import Job, all_done, written


def prepared() -> None:
    """Stand for what a process loads once."""


def noted(text: str, out: Path, made_of: tuple[Path, ...]) -> None:
    found = text + "".join(path.read_text(encoding="utf-8") for path in made_of if path.exists())
    written(out, lambda path: path.write_text(found, encoding="utf-8"))


def failed(text: str, _out: Path, _made_of: tuple[Path, ...]) -> None:
    raise ValueError(text)


def test_what_is_there_is_not_done_again_and_an_average_waits_for_its_runs(tmp_path: Path) -> None:
    first, second, mean = (tmp_path / name for name in ("first", "second", "mean"))
    first.write_text("old ", encoding="utf-8")
    jobs = [
        Job(mean, noted, ("mean of ",), (first, second)),
        Job(first, noted, ("new ",)),
        Job(second, noted, ("new ",)),
    ]
    all_done(jobs, 1, 60.0, prepared, ())
    assert mean.read_text(encoding="utf-8") == "mean of old new "


def test_a_run_that_fails_stops_no_other_and_leaves_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, good = tmp_path / "bad", tmp_path / "good"
    all_done([Job(bad, failed, ("out of memory",)), Job(good, noted, ("fine",))], 1, 60.0, prepared, ())
    assert [path.name for path in tmp_path.iterdir()] == ["good"]
    assert "bad out of memory" in capsys.readouterr().out


def test_when_time_is_up_only_what_is_there_is_put_together(tmp_path: Path) -> None:
    there, missing, mean = (tmp_path / name for name in ("there", "missing", "mean"))
    there.write_text("one", encoding="utf-8")
    jobs = [Job(missing, noted, ("two",)), Job(mean, noted, ("mean of ",), (there, missing))]
    all_done(jobs, 1, -1.0, prepared, ())
    assert mean.read_text(encoding="utf-8") == "mean of one"
    assert not missing.exists()


def test_when_time_is_up_an_average_still_waits_for_a_run_that_is_under_way(tmp_path: Path) -> None:
    there, running = tmp_path / "there", tmp_path / "running"
    there.write_text("one", encoding="utf-8")
    mean = Job(tmp_path / "mean", noted, ("mean of ",), (there, running))
    assert mean.begins(late=True)
    assert not mean.begins(late=True, awaited={running})
