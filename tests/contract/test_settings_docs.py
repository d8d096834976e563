"""Every setting is documented with its default and with who may set it."""

import re
from pathlib import Path

import pytest

from memdir.config.keys import KEYS, Key, Who

ROWS = {
    row[0].strip("`"): row[1:]
    for line in (Path(__file__).parents[2] / "docs" / "settings.md").read_text().splitlines()
    if len(row := [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]) == 4
    and row[0].startswith("`")
}
PROJECT = {Who.OWNER: "owner", Who.PROJECT_OFF: "off"}


def test_settings_and_documentation_name_the_same_keys() -> None:
    assert set(ROWS) == set(KEYS)


@pytest.mark.parametrize("name", KEYS)
def test_a_key_is_documented_as_it_is(name: str) -> None:
    key, (default, project, what) = KEYS[name], ROWS[name]
    value = key.default
    shown = str(value).lower() if isinstance(value, bool) else str(value or "")
    assert default.strip("`") == shown
    assert project == PROJECT.get(key.who, "")
    assert what.endswith(f", {key.most} at the most") is (key.most < Key("", 0).most)
