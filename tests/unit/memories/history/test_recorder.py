"""What a person should know about the history is told, whatever stands in the file."""

from pathlib import Path

from memdir.memories.history.recorder import Recorder


def test_notices_with_a_foreign_byte_are_told(tmp_path: Path) -> None:
    (tmp_path / "notices").write_bytes(b"begun anew\n\xff\n")
    assert Recorder(str(tmp_path), str(tmp_path), None).notices()[0] == "begun anew"
