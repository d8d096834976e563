"""The rules of a memory directory, compiled for a hook that has milliseconds, and whose they are.

A rule binds at once when history knows its file as written by the user through memdir. One that a repository,
a team-mate, a tool or an editor brought only asks, until it is approved (`approvals.py`). Rules are compiled
from the files at every look; the cache in the state folder only spares reading a file again whose stat is the
same. Where a file cannot be read, that is told: there may be a rule in it.

A host waits for this module: it imports late and does without `typing`.
"""

import os

from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from memdir.memories.enforce import Rule
    from memdir.rules.approvals import RuleApprovals
    from memdir.rules.judge import Decision
    from memdir.rules.paths import ProtectedFiles

__all__ = ["FIELD", "Row", "RuleBook", "decide", "readable_rules", "rows_in_force"]

FIELD = "\x1f"
"""Parts the fields of a row."""

Row = tuple[str, ...]
"""file, signature, name, reason, expiry, whose it is if not the user's, rules, hash of the file."""


@value_class(frozen=True, slots=True)
class RuleBook:
    """The rules of one memory directory."""

    directory: str
    state: str
    config_home: str

    def rules(self, rows: "Iterable[Row]", today: str) -> "tuple[Rule, ...]":
        """Return the rules of compiled rows that hold on a day (2030-12-31)."""
        from memdir.memories.enforce import read_rule, rule_lines

        rows = rows_in_force(rows, today)
        approvals = self.approvals if any(row[5] for row in rows) else None
        found = list["Rule"]()
        for file, _, name, reason, _, whose, text, _ in rows:
            for line in rule_lines(text):
                bound = not whose or (approvals is not None and approvals.binds(line))
                found.append(read_rule(line, memory=name, reason=reason, bound=bound, file=file, whose=whose))
        return tuple(found)

    def cannot_concern(self, rows: "Iterable[Row]", command: str, today: str, cwd: str) -> bool:
        """Say whether a glance is enough: no rule is about a shell command, nor is it about a rule."""
        from memdir.rules.fast_check import cannot_concern

        rows = rows_in_force(rows, today)
        if not rows:
            return True
        places = (self.directory, self.state.rstrip("/"), os.path.join(self.config_home, "memdir"))
        if any(cwd == place or cwd.startswith(f"{place}/") for place in places):
            return False
        marks = ["memdir", *[os.path.basename(place) for place in (*places, *[row[0] for row in rows])]]
        return cannot_concern([one for row in rows for one in row[6].split(";")], command, marks)

    def protected_files(self, rules: "tuple[Rule, ...]") -> "ProtectedFiles | None":
        """Return what agents may not change by themselves while there are these rules; None without any."""
        from memdir.rules.paths import ProtectedFiles

        files, names = {rule.file for rule in rules}, {rule.memory for rule in rules}
        records = self.state.rstrip("/"), os.path.join(self.config_home, "memdir")
        where = self.directory, (*files,), (*names,), records
        return ProtectedFiles(*where, _real) if rules else None

    @property
    def approvals(self) -> "RuleApprovals":
        """Return what the user approved of the rules that others wrote."""
        from memdir.rules.approvals import RuleApprovals  # most directories have none of these

        return RuleApprovals(self.config_home, self.directory)


def rows_in_force(rows: "Iterable[Row]", today: str) -> "list[Row]":
    """Return the rows that hold on a day: only a day that can be read ends a rule."""
    found = list["Row"]()
    for row in rows:
        day = row[4][:10]
        is_day = len(day) == 10 and day[4] == day[7] == "-" and (day[:4] + day[5:7] + day[8:]).isdecimal()
        if not is_day or day >= today:
            found.append(row)
    return found


def decide(
    rules: "tuple[Rule, ...]",
    tool_name: str,
    tool_input: "Mapping[str, Any]",
    cwd: str,
    *,
    root: str,
    home: str,
    protected: "ProtectedFiles | None" = None,
) -> "Decision":
    """Return what the rules say about a call here and now: links are resolved, the branch is looked up.

    A call that changes what is protected is asked about, without a rule.
    """
    from memdir.rules.judge import Decision, highest, judge
    from memdir.text.program_names import SHELL_TOOLS, WRITING_TOOLS, tools_like

    if any(not rule.bound for rule in rules) and _is_our_own(tool_name, tool_input):
        rules = tuple([rule for rule in rules if rule.bound])
    paths = {key: one for key, one in tool_input.items() if key.endswith("path") and isinstance(one, str)}
    real = {key: _real(os.path.join(cwd, one)) for key, one in paths.items()}
    about_files = any(tool.lower() not in SHELL_TOOLS for rule in rules for tool in rule.tools)
    tops = _checkouts(root, cwd) if root and about_files else ()
    links = tuple(real.values()) if real != paths else ()
    tops = (*tops, *[_real(one) for one in (cwd, root) if one and links])
    decision = judge(
        rules,
        tool_name,
        tool_input,
        cwd,
        root=root,
        home=home,
        tops=tops,
        branch=_branch_in,
        protected=protected,
        real=links,
    )
    name = tool_name.lower()
    if decision.verdict == "deny" or not protected:
        return decision  # which nothing can raise
    if not WRITING_TOOLS.isdisjoint((name, *tools_like(name))):
        folders = [folder for record in protected.records for folder in (record, _real(record))]
        for path in (*[os.path.normpath(os.path.join(cwd, one)) for one in paths.values()], *real.values()):
            if any(path.startswith(f"{folder}/") for folder in folders):
                asked = Decision("ask", None, path.encode("utf-8", "replace").decode())
                decision = highest((decision, asked))
    return decision


def _is_our_own(tool_name: str, tool_input: "Mapping[str, Any]") -> bool:
    """Tell whether a call only asks memdir something: no rule that others planted may stand in its way.

    What would change a rule is asked about all the same.
    """
    if tool_name.startswith("mcp__") and tool_name.rpartition("__")[0].endswith("memdir"):
        return True
    command = tool_input.get("command") if tool_name == "Bash" else None
    words = command.split() if isinstance(command, str) and "\n" not in command.strip() else []
    plain = all(word.translate(_PLAIN).isalnum() for word in words)
    return words[:1] == ["memdir"] and plain


_PLAIN = str.maketrans("_./,:=@+-", "aaaaaaaaa")


def _checkouts(root: str, cwd: str) -> tuple[str, ...]:
    """Return where else the project is checked out, also by the names that lead to the working directory."""
    from memdir.rules.git import worktrees

    found = worktrees(root)
    real = {_real(one) for one in (root, *found)}
    above, linked = cwd, list[str]()
    while above != os.path.dirname(above) and _real(cwd) != cwd:
        if _real(above) in real:
            linked.append(above)
        above = os.path.dirname(above)
    return (*found, *real, *linked)


def _real(path: str) -> str:
    """Return a path without links; what no name can hold stands for what hosts write in its place."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        signs = path.replace("\0", "\ufffd").encode("utf-16-le", "surrogatepass")
        return os.fsdecode(os.path.realpath(signs.decode("utf-16-le", "replace").encode()))


def _branch_in(directory: str) -> str:
    from memdir.rules.git import branch_in  # few commands ask for it

    return branch_in(directory)


def readable_rules(text: str) -> "Iterator[str]":
    """Yield the rules of a header that can be read; one that cannot be must not take the others with it."""
    from memdir.errors import Rejected
    from memdir.memories.enforce import rule_lines, rules_in

    for written in rule_lines(text):
        line = " ".join(written.replace(FIELD, " ").split())
        try:
            rules_in(line)
        except Rejected:
            continue
        yield line
