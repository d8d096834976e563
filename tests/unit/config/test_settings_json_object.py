"""A file that should hold one JSON object never fails to be read: what is wrong is said, with its place."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.config.settings import json_object


def _read(folder: Path, data: bytes) -> tuple[Mapping[str, object], Sequence[str]]:
    (folder / "settings.json").write_bytes(data)
    content, warnings = json_object(str(folder / "settings.json"))
    return content, [*warnings]


def test_an_object_is_read(tmp_path: Path) -> None:
    assert _read(tmp_path, b'{"a": {"b": [1]}}') == ({"a": {"b": [1]}}, [])


@pytest.mark.parametrize("data", [b"", b" \n\t", b"\xef\xbb\xbf", b"{}"])
def test_a_blank_file_is_an_empty_object(tmp_path: Path, data: bytes) -> None:
    assert _read(tmp_path, data) == ({}, [])


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    assert _read(tmp_path, b'\xef\xbb\xbf{"a": 1}') == ({"a": 1}, [])


def test_a_missing_file_is_nothing_to_report(tmp_path: Path) -> None:
    assert json_object(str(tmp_path / "settings.json")) == ({}, ())


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b'{\n  "a": 1,\n  b: 2\n}', "line 3, column 3: expecting property name"),
        (b'{"a": 1} // mine', "line 1, column 10: extra data"),
        (b'{"a": ', "line 1, column 7: expecting value"),
        (b'{\n"a": "\xff"}', "line 2, column 7: it is not UTF-8"),
        ('{"a": 1}'.encode("utf-16"), "line 1, column 1: it is not UTF-8"),
        (b"[1, 2]", "line 1, column 1: it holds no JSON object"),
        (b"null", "it holds no JSON object"),
        (b'"text"', "it holds no JSON object"),
        (b'{"a": ' + b"[" * 400_000, "it is nested too deeply"),
        (b'{"a": ' + b"9" * 9000 + b"}", "a number that is too long"),
        (b'{"a": "' + b"x" * 1_000_000 + b'"}', "it is larger than 1,000,000 bytes"),
    ],
)
def test_a_broken_file_is_one_warning_with_its_path_and_place(
    tmp_path: Path, data: bytes, complaint: str
) -> None:
    content, warnings = _read(tmp_path, data)
    assert content == {}
    assert len(warnings) == 1
    assert warnings[0].startswith(f"{tmp_path}/settings.json is ignored: ")
    assert complaint in warnings[0]


def test_a_pipe_or_a_folder_in_its_place_is_a_warning_and_no_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        content, warnings = json_object(str(tmp_path / name))
        assert content == {}
        assert "it is not a regular file" in warnings[0]


def test_of_a_name_that_stands_twice_the_last_counts_and_it_is_named(tmp_path: Path) -> None:
    content, warnings = _read(tmp_path, b'{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}')
    assert content == {"a": 3, "b": {"c": 2}}
    assert [warning.split()[0] for warning in warnings] == ['"c"', '"a"']


def test_a_flood_of_doubled_names_stays_a_few_warnings(tmp_path: Path) -> None:
    pairs = ",".join(f'"k{number}":1,"k{number}":2' for number in range(30_000))
    assert len(_read(tmp_path, f"{{{pairs}}}".encode())[1]) == 5


def test_a_name_in_a_warning_is_one_short_line(tmp_path: Path) -> None:
    name = json.dumps("a\nb\x1b[2J" + "x" * 500)
    _, (warning,) = _read(tmp_path, f"{{{name}: 1, {name}: 2}}".encode())
    assert warning.startswith('"a\\nb\\u001b[2J')
    assert len(warning.partition(" stands twice ")[0]) < 90


@given(data=st.binary(max_size=60) | st.text(alphabet='{}[]",:1ae\\n ', max_size=40).map(str.encode))
def test_no_bytes_make_it_raise(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    assert isinstance(_read(tmp_path_factory.getbasetemp(), data)[0], dict)
