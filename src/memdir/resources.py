"""The files that ship with the package: texts, and tables of words and patterns, so that code holds no data.

In a table `[name]` begins a section, `#` a remark, and an indented line goes on with the row before it.
"""

__all__ = [
    "alternatives_of",
    "fill",
    "patterns_of",
    "read_resource",
    "read_table",
    "resource_path",
    "rows_of",
]


def resource_path(module: str, name: str) -> str:
    """Return where a file lies that ships with a module, given its `__file__`."""
    return f"{module.replace(chr(92), '/').rpartition('/')[0]}/{name}"


def read_resource(module: str, name: str) -> str:
    """Return the text of a file that ships with a module."""
    with open(resource_path(module, name), encoding="utf-8") as file:
        return file.read()


def read_table(module: str, name: str) -> dict[str, list[str]]:
    """Return the rows of each section of a table that ships with a module."""
    sections, rows = dict[str, list[str]](), list[str]()
    for line in read_resource(module, name).split("\n"):
        if line[:1] == "[":
            rows = sections.setdefault(line.strip("[]"), [])
        elif line[:1] == " ":
            rows[-1] += f" {line.strip()}"
        elif line and line[0] != "#":
            rows.append(line)
    return sections


def rows_of(rows: list[str]) -> dict[str, str]:
    """Return the rows `name, other: value` as a table of values by name."""
    pairs = [row.partition(": ") for row in rows]
    return {name.strip(): value for names, _, value in pairs for name in names.split(",")}


def patterns_of(*sections: list[str]) -> dict[str, str]:
    """Return the patterns of rows by their names; each may hold those before it, as `<name>`."""
    found = dict[str, str]()
    for rows in sections:
        for name, pattern in rows_of(rows).items():
            found[name] = fill(pattern, found)
    return found


def alternatives_of(table: dict[str, list[str]]) -> dict[str, str]:
    """Return a pattern for each section: its rows are alternatives, and `<name>` is a section before."""
    found = dict[str, str]()
    for name, rows in table.items():
        found[name] = fill("|".join(rows), found)
    return found


def fill(pattern: str, parts: dict[str, str]) -> str:
    """Return a pattern with each part in the place of its name in angle brackets."""
    for name, part in parts.items():
        pattern = pattern.replace(f"<{name}>", part)
    return pattern
