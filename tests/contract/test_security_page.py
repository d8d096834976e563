"""Every test that the security model names as its evidence exists."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
TESTS = {
    name
    for path in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
}


def test_named_tests_exist() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert named
    assert named <= TESTS


def test_a_statement_in_a_table_names_its_test() -> None:
    tables = re.findall(r"^\| statement \| shown by \|\n\|---\|---\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert tables
    assert [row for table in tables for row in table.splitlines() if "`test_" not in row] == []
