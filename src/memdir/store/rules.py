"""The rules of a memory directory, compiled for a hook that has milliseconds, and whose they are.

A rule binds at once when history knows its file as written by the user through memdir. One that a repository,
a team-mate, a tool or an editor brought only asks, until the user approves exactly that text; approvals lie
in the user's own folder. The compiled form is a cache in the state folder: two stats tell that it still
holds, one more for each file with a rule and, in a directory that is not large, for each other memory.
"""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from memdir.core.enforce import Decision, Rule
    from memdir.core.enforce_paths import Kept
    from memdir.store.writer import Writer

__all__ = ["RuleBook", "decided"]

_RULES, _SEEN = "rules", "rules.seen"
"""The compiled rules, and which files held none when they were last looked at."""

_VERSION = "memdir rules 2"
_FIELD = "\x1f"

_TRIES = 3
"""How often the rules are compiled when somebody writes at the same moment."""

_Row = tuple[str, ...]
"""file, signature, name, reason, expiry, "1" when the user wrote the rules, rules."""
_FIELDS = 7

_CAREFUL = 500
"""Files without a rule that are looked at for one written in place; beyond that the index has to tell."""


class RuleBook:
    """The rules of one memory directory."""

    def __init__(self, directory: str, state: str, config_home: str, *, watched: bool = False) -> None:
        """Remember the places; nothing is read yet.

        Whoever has compared all files before, and asks about one call only, says `watched`.
        """
        self._directory, self._state, self._config_home = directory, state, config_home
        self._watched = watched
        self._glanced: list[_Row] | None = None

    def rules(self, today: str) -> "tuple[Rule, ...] | None":
        """Return the rules that hold on a day (2030-12-31), or None when they have to be compiled first."""
        rows, self._glanced = self._glanced or self._rows(today), None
        return self._read(rows) if rows else None if rows is None else ()

    def cannot_concern(self, command: str, today: str, cwd: str) -> bool:
        """Say whether a glance is enough: no rule is about a shell command, nor is it about a rule."""
        from memdir.core.enforce_glance import cannot_concern

        rows = self._rows(today)
        self._glanced = rows if self._watched else None
        if not rows:
            return rows is not None
        places = (self._directory, *self._records())
        if any(cwd == place or cwd.startswith(f"{place}/") for place in places):
            return False
        marks = ["memdir", *[os.path.basename(place) for place in (*places, *[row[0] for row in rows])]]
        return cannot_concern([one for row in rows for one in row[6].split(";")], command, marks)

    def kept(self, rules: "tuple[Rule, ...]") -> "Kept | None":
        """Return what agents may not change by themselves while there are these rules; None without any."""
        from memdir.core.enforce_paths import Kept

        files, names = {rule.file for rule in rules}, {rule.memory for rule in rules}
        records = self._records()
        return Kept(self._directory, (*files,), (*names,), records, _real) if rules else None

    def _records(self) -> tuple[str, ...]:
        return (self._state.rstrip("/"), os.path.join(self._config_home, "memdir"))

    def _rows(self, today: str) -> "list[_Row] | None":
        """Return the compiled rows that hold on a day; None when they have to be compiled first."""
        lines = self._cached(_RULES)
        if lines[:1] != [f"{_VERSION}{_FIELD}{self._stamp()}"]:
            return None
        rows = [tuple(line.split(_FIELD)) for line in lines[1:]]
        if any(len(row) != _FIELDS or self._signature(row[0]) != row[1] for row in rows):
            return None
        if not self._watched and not self._are_as_seen():
            return None
        return [row for row in rows if not row[4] or row[4] >= today]

    def _are_as_seen(self) -> bool:
        """Tell whether files without a rule, and the folders they are in, are as they were."""
        lines = self._cached(_SEEN)
        if len(lines) > _CAREFUL:
            return True
        pairs = [line.rpartition(_FIELD)[::2] for line in lines]
        # Of a file that is gone, its folder tells.
        return all(self._signature(file) in (then, "") for file, then in pairs)

    def compile(self, writer: "Writer") -> None:
        """Read the rules anew from files that changed, and ask history who wrote them."""
        from contextlib import suppress

        from memdir.store.files import folder_made

        stamp = self._stamp()
        rows, seen = list[_Row](), list[str]()
        folders = set[str]()
        for file, signature, row in self._looked_up(writer):
            if (below := os.path.dirname(file)) and below not in folders:
                folders.add(below)
                seen.append(f"{below}{_FIELD}{self._signature(below)}")
            if row is None:
                seen.append(f"{file}{_FIELD}{signature}")
            else:
                rows.append(row)
        lines = [f"{_VERSION}{_FIELD}{stamp}", *map(_FIELD.join, rows)]
        with suppress(OSError), folder_made(self._state) as folder:
            folder.replace_cache(_SEEN, "\n".join(seen).encode("utf-8", "replace"))
            folder.replace_cache(_RULES, "\n".join(lines).encode("utf-8", "replace"))

    def compiled(self, writer: "Writer", today: str) -> "tuple[Rule, ...]":
        """Return the rules that hold on a day, compiled first when that is needed."""
        rules = self.rules(today)
        for _ in range(_TRIES if rules is None else 0):
            self.compile(writer)
            rules = self.rules(today)
            if rules is not None:
                break
        return rules or ()

    def approve(self, rules: "tuple[Rule, ...]", memory: str) -> "tuple[Rule, ...]":
        """Let the rules of a memory bind that somebody else wrote, each in exactly these words, here."""
        from memdir.errors import NoSuchMemory
        from memdir.store.approvals import Approvals

        waiting = tuple([rule for rule in rules if rule.memory == memory and not rule.bound])
        if not waiting:
            raise NoSuchMemory(
                f"No rule of {memory!r} waits for approval. `memdir rules` lists those that do."
            )
        for rule in waiting:
            Approvals(self._config_home).approve(self._directory, rule.text)
        return waiting

    def _looked_up(self, writer: "Writer") -> "Iterator[tuple[str, str, _Row | None]]":
        """Yield every memory with its compiled form, None without a rule; only what changed is read."""
        from memdir.store.scan import Findings, topic_files

        stamp, *lines = self._cached(_RULES) or [""]
        rows = [tuple(line.split(_FIELD)) for line in lines if stamp.startswith(f"{_VERSION}{_FIELD}")]
        known = {
            row[0]: row for row in rows if len(row) == _FIELDS and "; ".join(_readable(row[6])) == row[6]
        }
        without = dict([line.rpartition(_FIELD)[::2] for line in self._cached(_SEEN)])
        with writer.memories.opened() as folder:
            for file, entry in topic_files(folder, Findings()) if folder else ():
                try:
                    signature = _signed(entry.stat(follow_symlinks=False))
                    if without.get(file) == signature:
                        yield file, signature, None
                    elif file in known and known[file][1] == signature:
                        yield file, signature, known[file]
                    else:
                        yield file, signature, self._row(writer, file, signature)
                except OSError:
                    continue  # gone meanwhile, or no plain file: looked at again next time

    def _read(self, rows: "list[_Row]") -> "tuple[Rule, ...] | None":
        """Return the rules of compiled rows; None when one of them is no longer what was written."""
        from memdir.core.enforce import rule_lines, rules_in

        approved = self._approved() if any(not row[5] for row in rows) else frozenset()
        found = list["Rule"]()
        for file, _, name, reason, _, own, text in rows:
            for line in rule_lines(text):
                bound = bool(own) or line in approved
                try:
                    read = rules_in(line, memory=name, reason=reason, bound=bound, file=file, checked=True)
                except ValueError:  # Rejected is one; the tree of errors takes long to load
                    return None
                found += read
        return tuple(found)

    def _approved(self) -> frozenset[str]:
        from memdir.store.approvals import Approvals

        return Approvals(self._config_home).of(self._directory)

    def _row(self, writer: "Writer", file: str, signature: str) -> _Row | None:
        """Return the compiled form of one file; None when it holds no rule."""
        from memdir.store.catalog_entry import head_read

        with writer.memories.opened() as folder:
            data = head_read(folder, file)[0] if folder else b""
        if b"enforce" not in data:
            return None
        from memdir.core.frontmatter import header_text, parse
        from memdir.store.trust import are_the_users

        front = parse(header_text(data.decode("utf-8", "replace")))
        lines = [*_readable(front.metadata.get("enforce", ""))]
        if not lines:
            return None
        claimed = front.metadata.get("source") or "user"  # a header may say that it is not the user's
        own = claimed == "user" and are_the_users(writer, file, lines, _readable)
        name = front.fields.get("name") or file
        texts = (name, front.fields.get("description", ""), front.metadata.get("expires", ""))
        rest = ("1" if own else "", "; ".join(lines))
        return (file, signature, *map(_one_line, texts), *rest)

    def _cached(self, name: str) -> list[str]:
        try:
            with open(os.path.join(self._state, name), "rb") as file:
                data = file.read()
        except OSError:
            return []
        return data.decode("utf-8", "replace").split("\n") if data else []

    def _stamp(self) -> str:
        """Return what changes with every save: the directory's time may be too coarse, the index is new."""
        return f"{self._signature('')} {self._signature('MEMORY.md')}"

    def _signature(self, file: str) -> str:
        try:
            return _signed(os.stat(os.path.join(self._directory, file), follow_symlinks=not file))
        except (OSError, ValueError):
            return ""


def decided(
    rules: "tuple[Rule, ...]",
    tool_name: str,
    tool_input: "Mapping[str, Any]",
    cwd: str,
    *,
    root: str,
    home: str,
    kept: "Kept | None" = None,
) -> "Decision":
    """Return what the rules say about a call here and now: links are resolved, the branch is looked up.

    A call that changes what is kept is asked about, without a rule.
    """
    from memdir.core.enforce import Decision, higher, judged
    from memdir.core.program_names import WRITING_TOOLS

    decision = judged(rules, tool_name, tool_input, cwd, root=root, home=home, branch=_branch_in, kept=kept)
    paths = {key: one for key, one in tool_input.items() if key.endswith("path") and isinstance(one, str)}
    real = {key: _real(os.path.join(cwd, one)) for key, one in paths.items()}
    if real != paths:
        here, top = _real(cwd), _real(root) if root else ""
        linked = judged(rules, tool_name, {**tool_input, **real}, here, root=top, home=home)
        decision = higher(decision, linked)
    if kept and tool_name.lower() in WRITING_TOOLS:
        tops = [top for record in kept.records for top in (record, _real(record))]
        for path in (*[os.path.normpath(os.path.join(cwd, one)) for one in paths.values()], *real.values()):
            if any(path.startswith(f"{top}/") for top in tops):
                decision = higher(decision, Decision("ask", None, path.encode("utf-8", "replace").decode()))
    return decision


def _real(path: str) -> str:
    """Return a path without links; what no name can hold stands for what hosts write in its place."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        signs = path.replace("\0", "\ufffd").encode("utf-16-le", "surrogatepass")
        return os.fsdecode(os.path.realpath(signs.decode("utf-16-le", "replace").encode()))


def _branch_in(directory: str) -> str:
    from memdir.store.branch import branch_in  # few commands ask for it

    return branch_in(directory)


def _readable(text: str) -> "Iterator[str]":
    """Yield the rules of a header that can be read; one that cannot be must not take the others with it."""
    from memdir.core.enforce import rule_lines, rules_in
    from memdir.errors import Rejected

    for line in map(_one_line, rule_lines(text)):
        try:
            rules_in(line)
        except Rejected:
            continue
        yield line


def _signed(status: os.stat_result) -> str:
    return f"{status.st_mtime_ns} {status.st_ctime_ns} {status.st_size} {status.st_ino}"


def _one_line(text: str) -> str:
    return " ".join(text.replace(_FIELD, " ").split())
