"""Tables beside the code: sections, rows that go on, names that share a row, and parts of patterns."""

from pathlib import Path

import pytest

import memdir
from memdir.resources import fill, patterns_of, read_table, rows_of

TABLES = sorted(Path(memdir.__file__).parent.rglob("*.txt"))

TEXT = """# a remark
[first]
one, two: a
  b
# another
three: c

[second]
x
"""


def test_a_table_has_sections_of_rows_that_may_go_on(tmp_path: Path) -> None:
    (tmp_path / "table.txt").write_text(TEXT)
    found = read_table(str(tmp_path / "module.py"), "table.txt")
    assert found == {"first": ["one, two: a b", "three: c"], "second": ["x"]}
    assert rows_of(found["first"]) == {"one": "a b", "two": "a b", "three": "c"}


def test_a_pattern_holds_those_before_it() -> None:
    assert patterns_of(["a: x|y", "b: (?:<a>)z"], ["c: <b>+<d>"]) == {
        "a": "x|y",
        "b": "(?:x|y)z",
        "c": "(?:x|y)z+<d>",
    }
    assert fill("<a><a>", {"a": "1"}) == "11"


@pytest.mark.parametrize("table", [path for path in TABLES if "[" in path.read_text()], ids=lambda p: p.name)
def test_no_row_of_a_table_of_ours_is_lost(table: Path) -> None:
    sections = read_table(str(table), table.name)
    rows = [line for line in table.read_text().splitlines() if line and line[0] not in "# ["]
    assert sum(map(len, sections.values())) == len(rows)
    found = patterns_of(*sections.values())
    assert not [name for name in found if any(f"<{name}>" in pattern for pattern in found.values())]
