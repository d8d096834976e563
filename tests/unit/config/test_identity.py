"""A path's slug and the name of its state folder are the same on every machine and in every tool."""

import ctypes
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.config.identity import slug, state_name, transcript_folder

# ------------------------------------------------------------------ slugs


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/home/ada/my-app", "-home-ada-my-app"),
        ("/home/ada/My App_2.0", "-home-ada-My-App-2-0"),
        ("C:\\Users\\Ada", "C--Users-Ada"),
        ("/x/é", "-x--"),
        ("/x/e\u0301", "-x-e-"),
        ("/x/😀", "-x---"),
        ("/x/١２", "-x---"),
        ("", ""),
    ],
)
def test_every_unit_but_ascii_letters_and_digits_becomes_a_dash(path: str, expected: str) -> None:
    assert slug(path) == expected


@pytest.mark.parametrize(
    ("path", "start", "suffix"),
    [  # suffixes as a JavaScript engine computes them
        ("/" + "a" * 199, "-" + "a" * 199, ""),
        ("/" + "a" * 200, "-" + "a" * 199, "-b6ymvl"),
        ("/" + "a" * 300, "-" + "a" * 199, "-vtkmfl"),
        ("/" + "z" * 201, "-" + "z" * 199, "-3rrx79"),
        ("/home/ada/" + "проект/" * 40, "-home-ada-" + "-" * 190, "-v1pavi"),
        ("/x/" + "😀" * 98, "-x-" + "-" * 196, ""),
        ("/x/" + "😀" * 99, "-x-" + "-" * 197, "-46zpld"),
        ("/" + "x" * 198 + "😀", "-" + "x" * 198 + "-", "-czg48e"),
        ("/data/" + "é" * 250, "-data-" + "-" * 194, "-ur60oa"),
    ],
)
def test_past_200_units_a_hash_of_the_whole_path_follows(path: str, start: str, suffix: str) -> None:
    assert slug(path) == start + suffix


def test_the_most_negative_hash_has_an_absolute_value_too() -> None:
    path = _path_with_hash(-(2**31), start="/" + "a" * 250)
    assert _hash32(path) == -(2**31)
    assert slug(path).endswith("-zik0zk")


def test_a_hash_of_zero_is_a_zero() -> None:
    path = _path_with_hash(0, start="/" + "a" * 250)
    assert slug(path) == "-" + "a" * 199 + "-0"


@given(st.text(max_size=260))
def test_a_slug_is_short_plain_and_depends_on_the_path_alone(path: str) -> None:
    name = slug(path)
    assert re.fullmatch(r"[A-Za-z0-9-]{0,200}(-[0-9a-z]{1,6})?", name)
    assert name == slug(path)
    assert len(path) > 200 or len(name) == len(path.encode("utf-16-le")) // 2 or len(name) > 200


def test_a_path_that_is_not_utf8_has_a_slug(tmp_path: Path) -> None:
    assert slug(os.fsdecode(b"/x/\xff\xfe")) == "-x---"
    assert slug("/" + "a" * 200 + "\udcff") == "-" + "a" * 199 + "-85rsc0"
    assert state_name(os.fsdecode(os.fsencode(tmp_path) + b"/\xff")).count("-") > 1


def _hash32(path: str) -> int:
    data = path.encode("utf-16-le", "surrogatepass")
    value = 0
    for place in range(0, len(data), 2):
        value = ctypes.c_int32(31 * value + int.from_bytes(data[place : place + 2], "little")).value
    return value


def _path_with_hash(wanted: int, start: str) -> str:
    """Add seven characters that bring the hash to the wanted value."""
    powers = [31**power for power in range(6, -1, -1)]
    left = (wanted - _hash32(start) * 31**7 - sum(256 * power for power in powers)) % 2**32
    tail = ""
    for power in powers:
        digit, left = divmod(left, power)
        tail += chr(256 + digit)
    return start + tail


# ------------------------------------------------------------------ the state folder's name


def test_the_name_of_the_state_folder_is_slug_and_hash(tmp_path: Path) -> None:
    name = state_name(str(tmp_path))
    assert re.fullmatch(re.escape(slug(os.path.realpath(tmp_path))) + r"-[0-9a-f]{8}", name)


def test_directories_with_one_slug_have_different_state(tmp_path: Path) -> None:
    assert slug(f"{tmp_path}/a/b") == slug(f"{tmp_path}/a-b")
    assert state_name(f"{tmp_path}/a/b") != state_name(f"{tmp_path}/a-b")


def test_a_link_a_trailing_slash_and_dots_lead_to_the_same_state(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    names = {
        state_name(f"{tmp_path}/{path}") for path in ("real", "real/", "link", "link/", "real/../real/.")
    }
    assert len(names) == 1


def test_the_name_of_the_state_folder_is_always_a_possible_file_name() -> None:
    assert max(len(os.fsencode(state_name("/" + char * 4000))) for char in "a😀é\udcff") <= 255


def test_conversations_lie_under_the_slug_of_their_directory(tmp_path: Path) -> None:
    (tmp_path / "p.q").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "p.q")
    folder = transcript_folder("/home/u/.claude", str(tmp_path / "link"))
    assert folder.startswith("/home/u/.claude/projects/-")
    assert folder.endswith("-p-q")
