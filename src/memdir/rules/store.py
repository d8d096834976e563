"""The rules of a memory directory, compiled for a hook that has milliseconds, and whose they are.

A rule binds at once when history knows its file as written by the user through memdir. One that a repository,
a team-mate, a tool or an editor brought only asks, until the user approves exactly its words. Rules are
compiled from the files at every look (`compiler.py`); a file that cannot be read may hold a rule.

A host waits for this module: it imports late and does without `typing`.
"""

import os

from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from memdir.memories.enforce import Rule
    from memdir.rules.judge import Decision

__all__ = ["FIELD", "Row", "RuleStore", "rows_in_force"]

FIELD = "\x1f"
"""Parts the fields of a row."""

Row = tuple[str, ...]
"""file, signature, name, reason, expiry, whose it is if not the user's, rules, hash of the file."""


@value_class(frozen=True, slots=True)
class RuleStore:
    """The rules of one memory directory."""

    directory: str
    state: str
    config_home: str

    def rules(self, rows: "Iterable[Row]", today: str) -> "tuple[Rule, ...]":
        """Return the rules of compiled rows that hold on a day (2030-12-31)."""
        from memdir.memories.enforce import read_rule, rule_lines

        rows, found = rows_in_force(rows, today), list["Rule"]()
        approved = self.approved_words() if any(row[5] for row in rows) else frozenset()
        for file, _, name, reason, _, whose, text, _ in rows:
            for line in rule_lines(text):
                bound = not whose or line in approved
                found.append(read_rule(line, memory=name, reason=reason, bound=bound, file=file, whose=whose))
        return tuple(found)

    def cannot_concern(self, rows: "Iterable[Row]", command: str, today: str, cwd: str) -> bool:
        """Tell by a quick look whether no rule can be about a shell command, nor the command about a rule."""
        from memdir.rules.fast_check import cannot_concern

        rows = rows_in_force(rows, today)
        if not rows:
            return True
        places = (self.directory, self.state.rstrip("/"), os.path.join(self.config_home, "memdir"))
        if any(cwd == place or cwd.startswith(f"{place}/") for place in places):
            return False
        marks = ["memdir", *[os.path.basename(place) for place in (*places, *[row[0] for row in rows])]]
        return cannot_concern([one for row in rows for one in row[6].split(";")], command, marks)

    def decide(
        self,
        rules: "tuple[Rule, ...]",
        tool_name: str,
        tool_input: "Mapping[str, Any]",
        cwd: str,
        *,
        root: str,
        home: str,
    ) -> "Decision":
        """Return what the rules say about a call here and now: links are resolved, the branch is looked up.

        A call that may change the rules themselves is asked about, without a rule.
        """
        from memdir.rules.judge import judge
        from memdir.rules.paths import ProtectedFiles
        from memdir.text.program_names import SHELL_TOOLS

        files, names = tuple({rule.file for rule in rules}), tuple({rule.memory for rule in rules})
        records = (self.state.rstrip("/"), os.path.join(self.config_home, "memdir"))
        protected = ProtectedFiles(self.directory, files, names, records, _real) if rules else None
        if any(not rule.bound for rule in rules) and _is_our_own(tool_name, tool_input):
            rules = tuple([rule for rule in rules if rule.bound])
        paths = [one for key, one in tool_input.items() if key.endswith("path") and isinstance(one, str)]
        real = [_real(os.path.join(cwd, one)) for one in paths]
        about_files = any(tool.lower() not in SHELL_TOOLS for rule in rules for tool in rule.tools)
        tops = _checkouts(root, cwd) if root and about_files else ()
        links = tuple(real) if real != paths else ()
        tops = (*tops, *[_real(one) for one in (cwd, root) if one and links])
        return judge(
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

    def approved_words(self) -> frozenset[str]:
        """Return the rules of others that the user approved; what cannot be looked up is not approved."""
        from memdir.config.approvals import Approvals  # most directories have none of these

        try:
            return Approvals(self.config_home).of(self.directory)
        except OSError:
            return frozenset()

    def approve(self, rules: "Sequence[Rule]", memory: str) -> "tuple[Rule, ...]":
        """Let the rules of a memory bind that somebody else wrote, each in exactly these words."""
        from memdir.config.approvals import Approvals
        from memdir.errors import NoSuchMemory

        waiting = tuple([rule for rule in rules if rule.memory == memory and not rule.bound])
        if not waiting:
            raise NoSuchMemory(
                f"No rule of {memory!r} waits for approval. `memdir rules` lists those that do."
            )
        for rule in waiting:
            Approvals(self.config_home).approve(self.directory, rule.text)
        return waiting

    def withdraw(self, rules: "Sequence[Rule]", memory: str) -> "tuple[Rule, ...]":
        """Take the approval of one memory's rules back, and so of every rule there in the same words."""
        from memdir.config.approvals import Approvals
        from memdir.errors import NoSuchMemory

        approved = self.approved_words()
        found = tuple([rule for rule in rules if rule.memory == memory and rule.text in approved])
        if not found:
            raise NoSuchMemory(f"No rule of {memory!r} is approved. `memdir rules` shows those that are.")
        Approvals(self.config_home).withdraw(self.directory, [rule.text for rule in found])
        return found


def rows_in_force(rows: "Iterable[Row]", today: str) -> "list[Row]":
    """Return the rows that hold on a day: only a day that can be read ends a rule."""
    found = list["Row"]()
    for row in rows:
        day = row[4][:10]
        is_day = len(day) == 10 and day[4] == day[7] == "-" and (day[:4] + day[5:7] + day[8:]).isdecimal()
        if not is_day or day >= today:
            found.append(row)
    return found


def _is_our_own(tool_name: str, tool_input: "Mapping[str, Any]") -> bool:
    """Tell whether a call only asks memdir something: no rule that others planted may stand in its way.

    What would change a rule is asked about all the same.
    """
    if tool_name.startswith("mcp__") and tool_name.rpartition("__")[0].endswith("memdir"):
        return True
    command = tool_input.get("command") if tool_name == "Bash" else None
    words = command.split() if isinstance(command, str) and "\n" not in command.strip() else []
    return words[:1] == ["memdir"] and all(word.translate(_PLAIN).isalnum() for word in words)


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
    """Return a path without links; signs that no name can hold become what hosts write in their place."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        signs = path.replace("\0", "\ufffd").encode("utf-16-le", "surrogatepass")
        return os.fsdecode(os.path.realpath(signs.decode("utf-16-le", "replace").encode()))


def _branch_in(directory: str) -> str:
    from memdir.rules.git import branch_in  # few commands ask for it

    return branch_in(directory)
