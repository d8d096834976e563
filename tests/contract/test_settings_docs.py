"""Every setting is documented with its default and with who may set it."""

import re
from pathlib import Path

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


def test_a_key_is_documented_as_it_is() -> None:
    wrong = []
    for name, key in KEYS.items():
        default, project, what = ROWS.get(name, ("(no row)",) * 3)
        value = key.default
        shown = str(value).lower() if isinstance(value, bool) else str(value or "")
        bounded = key.most < Key("", 0).most
        found = (default.strip("`"), project, what.endswith(f", {key.most} at the most"))
        wish = (shown, PROJECT.get(key.who, ""), bounded)
        if found != wish:
            wrong.append(f"{name}: {found} instead of {wish}")
    assert not wrong, "\n".join(wrong)
