"""The commands of the memory tool: view, create, str_replace, insert, delete, rename.

What a command writes goes the way of every save: secrets are refused, history keeps it, one undo takes it
back. It is recorded as done by the host, in the assistant's own words.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memdir.config.safe_path import Refused, contain
from memdir.errors import NoSuchMemory, Rejected, SecretFound
from memdir.hosts.memory_writes import contradiction_hint, review_write
from memdir.memories.change import Change
from memdir.memories.directory import MemoryDir
from memdir.memories.enforce import holds_rule
from memdir.memories.names import INDEX_NAME, RESERVED_FOLDERS, TEAM_FOLDER, file_name_problem, key_problem
from memdir.memories.refusals import text_problem
from memdir.memories.topic import Topic, age_in_words, days_old, freshness_note, topic_from
from memdir.memory import Memory
from memdir.prompt.templates import filled
from memdir.text.escape import escape
from memdir.text.secrets.search import secret_names
from memdir.text.templates import Prose

__all__ = ["COMMANDS", "MemoryTool", "must_be_on", "refuse_rule"]

COMMANDS: Mapping[str, Mapping[str, type]] = {
    "view": {"path": str},
    "create": {"path": str, "file_text": str},
    "str_replace": {"path": str, "old_str": str, "new_str": str},
    "insert": {"path": str, "insert_line": int, "insert_text": str},
    "delete": {"path": str},
    "rename": {"old_path": str, "new_path": str},
}
"""Each command with what it must be given; `view` may be given `view_range` too."""

ROOT = "/memories"
"""How the tool names the memory directory."""

MAX_FILES = 500
"""Files that one view of a folder lists: a listing must not fill a context."""

MAX_CHARACTERS = 25_000
"""Characters of one file that one view shows, as many as an index may have; the rest has to be asked for."""

_AROUND = 3
"""Lines shown before and after a change, so that the model can check its place."""


class MemoryTool:
    """Answers each command in words for the model; what cannot be done is raised as an error of memdir."""

    def __init__(self, memory: Memory) -> None:
        """Serve this memory."""
        self._memory = memory

    def call(self, given: Mapping[str, Any]) -> str:
        """Do what the input of one tool call asks for, whatever the model put into it."""
        command = str(given.get("command"))
        if command not in COMMANDS:
            raise Rejected(f"There is no command {command!r}. Use one of {', '.join(COMMANDS)}.")
        needed = COMMANDS[command]
        wrong = [name for name, kind in needed.items() if type(given.get(name)) is not kind]
        if wrong:
            takes = ", ".join(f"{name} ({kind.__name__})" for name, kind in needed.items())
            raise Rejected(f"{command} takes {takes}; {', '.join(wrong)} is missing or of another type.")
        arguments = {name: given[name] for name in needed}
        if command == "view" and given.get("view_range") is not None:
            arguments["view_range"] = lines = given["view_range"]
            if not isinstance(lines, list) or not all(type(number) is int for number in lines):
                raise Rejected(f"view_range is {lines!r}; it takes a list of two line numbers.")
        answer: str = getattr(self, command)(**arguments)
        return answer

    def view(self, path: str, view_range: Sequence[int] | None = None) -> str:
        """Show a file with numbered lines, or list the memories of a folder with their sizes."""
        must_be_on(self._memory)
        key = _key_of(path)
        if not key.endswith(".md"):
            return self._folder_listing(key)
        topic = self.topic(key)
        days = days_old(topic.header.saved_at, self._memory.history.now)
        return filled(
            "tool_file",
            path=_path_of(key),
            age=age_in_words(days),
            note=Prose(freshness_note(days)),
            lines=_number_lines(topic.text, view_range),
        )

    def topic(self, key: str) -> Topic:
        """Return one file by its path below the directory; the index reads as a prompt would get it."""
        must_be_on(self._memory)
        if key == INDEX_NAME:
            return topic_from(key, self._memory.context.index().content, self._memory.history.now)
        file = _readable_key(self._memory.directory, key)
        if not os.path.lexists(os.path.join(self._memory.directory, file)):
            raise _missing(key)
        return MemoryDir(self._memory.directory, self._memory.state).read_file(file)

    def create(self, path: str, file_text: str) -> str:
        """Write a new file."""
        (key,) = self._free([_key_of(path)])
        operation = self._change([Change(key, None, file_text)], "remember")
        hint = review_write(key, key, "Write", {"content": file_text}, holds_rule=False).context
        rivals = contradiction_hint(MemoryDir(self._memory.directory, self._memory.state), key)
        told = Prose("\n".join([text for text in (hint, rivals) if text]))
        return filled("tool_created", path=_path_of(key), operation=operation, hint=told)

    def str_replace(self, path: str, old_str: str, new_str: str) -> str:
        """Replace the one place where a passage stands."""
        return self._edit(path, lambda text: _replace_passage(text, old_str, new_str))

    def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        """Put lines behind the line of that number; 0 is the beginning of the file."""
        return self._edit(path, lambda text: _insert_lines(text, insert_line, insert_text))

    def delete(self, path: str) -> str:
        """Delete a file, or all memories of a folder in one step."""
        files = self._files(key := _key_of(path))
        operation = self._change([Change(file, self.topic(file).text, None) for file in files], "forget")
        return filled("tool_deleted", path=_path_of(key), count=str(len(files)), operation=operation)

    def rename(self, old_path: str, new_path: str) -> str:
        """Move a file, or all memories of a folder in one step; each text keeps its time."""
        old, new = _key_of(old_path), _key_of(new_path)
        files = self._files(old)
        edits: list[Change] = []
        targets = self._free([new + file.removeprefix(old) for file in files])
        for file, target in zip(files, targets, strict=True):
            topic = self.topic(file)
            saved_ns = int(topic.header.saved_at.timestamp() * 1e9)
            edits += [Change(target, None, topic.text, saved_ns), Change(file, topic.text, None)]
        operation = self._change(edits, "rename")
        return filled("tool_renamed", path=_path_of(old), new=_path_of(new), operation=operation)

    def _edit(self, path: str, change: Callable[[str], tuple[str, int, int]]) -> str:
        must_be_on(self._memory)
        key = self._writable(_key_of(path))
        before = self.topic(key).text
        after, first, last = change(before)
        operation = self._change([Change(key, before, after)], "edit")
        lines = _number_lines(after, (max(1, first - _AROUND), last + _AROUND))
        return filled("tool_edited", path=_path_of(key), operation=operation, lines=lines)

    def _change(self, edits: Sequence[Change], verb: str) -> str:
        for edit in edits:
            refuse_rule(edit.file, edit.before or "")
            text = edit.after or ""
            if rules := secret_names(text):
                raise SecretFound(filled("write_secret", rules=rules))
            if problem := text_problem(text):
                raise Rejected(f"The new text of {_path_of(edit.file)} {problem}")
        return self._memory.history.change(
            edits, verb=verb, actor="host", source="assistant", reason="through the memory tool"
        )

    def _writable(self, key: str) -> str:
        """Return the path of a file or folder of memories that may be changed, the team's where it is on."""
        judged = key.removeprefix(TEAM_FOLDER) if self._memory.team.verdict.on else key
        return _check_path(self._memory.directory, key, judged, "changed")

    def _free(self, keys: Sequence[str]) -> Sequence[str]:
        """Return the paths if files may be made there: nothing has such a name, in whatever case."""
        must_be_on(self._memory)
        known = {header.file.casefold(): header.file for header in self._memory.list()}
        for key in keys:
            if not key.endswith(".md"):
                raise Rejected(
                    f"{_path_of(key)} cannot be a memory: only .md files are. End its name in .md."
                )
            self._writable(key)
            if problem := file_name_problem(key.removeprefix(TEAM_FOLDER)):
                raise Rejected(f"{_path_of(key)} cannot be made: {problem}. {_NAMING}")
            twin = known.get(key.casefold(), "")
            if twin or os.path.lexists(os.path.join(self._memory.directory, key)):
                raise Rejected(
                    f"{_path_of(twin or key)} is there already. Change it with str_replace or insert, or "
                    "choose another name."
                )
        return keys

    def _files(self, key: str) -> list[str]:
        """Return the memories that a path names: one file, or all below a folder other than the root."""
        must_be_on(self._memory)
        if not key:
            raise Rejected(f"{ROOT} itself can be neither deleted nor renamed. Name a file or folder in it.")
        return self._find_files(self._writable(key))

    def _find_files(self, key: str) -> list[str]:
        files = [header.file for header in self._memory.list()]
        found = sorted(file for file in files if not key or file == key or file.startswith(f"{key}/"))
        if key and not found:
            raise _missing(key)
        return found

    def _folder_listing(self, key: str) -> str:
        files = self._find_files(_readable_key(self._memory.directory, key) if key else "")
        if not files:
            return filled("tool_empty", path=ROOT)
        named = [*([] if key else [INDEX_NAME]), *files[:MAX_FILES]]
        lines = [f"{_size(os.path.join(self._memory.directory, file))}\t{_path_of(file)}" for file in named]
        more = filled("tool_more", count=str(len(files) - MAX_FILES)) if len(files) > MAX_FILES else Prose()
        return filled("tool_folder", path=_path_of(key), lines="\n".join(lines), more=more)


_NAMING = f"Use letters of a to z, digits, dashes and underscores, as in {ROOT}/user_role.md."


def must_be_on(memory: Memory) -> None:
    """Raise with the reason when memory is off: a model is then shown nothing of it."""
    memory.verdict.require_on("Go on without it.")


def refuse_rule(file: str, text: str) -> None:
    """Raise when a memory holds a rule that hosts are held to: none may edit its own rules away."""
    if holds_rule(text):
        raise Rejected(filled("write_rule", file=file))


def _missing(key: str) -> NoSuchMemory:
    return NoSuchMemory(f"There is no {_path_of(key)}. View {ROOT} to see what there is.")


def _size(path: str) -> str:
    try:
        size = os.lstat(path).st_size
    except OSError:
        return "-"
    return f"{size} B" if size < 1024 else f"{size / 1024:.1f} KB"


def _key_of(path: str) -> str:
    """Return the path below the memory directory; that of the root is empty."""
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise Rejected(f"{path!r} is not a path here. Paths begin with {ROOT}, as {ROOT}/user_role.md.")
    return path[len(ROOT) + 1 :].removesuffix("/")


def _path_of(key: str) -> str:
    """Return how the tool names a path below the memory directory."""
    return f"{ROOT}/{key}" if key else ROOT


def _readable_key(directory: str, key: str) -> str:
    """Return the path of a file or folder that may be looked at: a memory, also an index, a hub or a log."""
    folder, slash, rest = key.partition("/")
    judged = rest if slash and folder in RESERVED_FOLDERS else key
    if judged.rpartition("/")[2] == INDEX_NAME:
        judged = f"{judged.removesuffix(INDEX_NAME)}x.md"
    return _check_path(directory, key, judged, "looked at")


def _check_path(directory: str, key: str, judged: str, verb: str) -> str:
    """Judge the text first, then where the path really leads: a folder is judged as one that holds a file."""
    problem = key_problem(judged if judged.endswith(".md") else f"{judged}/x.md")
    if problem is None:
        real = contain(directory, key)
        if isinstance(real, Refused):
            problem = real.because
        elif real != os.path.join(directory, key):
            problem = "a link leads there"
    if problem is not None:
        raise Rejected(
            f"{_path_of(key)} cannot be {verb}: {problem}. Memories are .md files below {ROOT}; the index "
            f"{INDEX_NAME} follows from them and is only looked at."
        )
    return key


def _number_lines(text: str, view_range: Sequence[int] | None = None) -> Prose:
    """Return the lines of a text, or a range of them, with their numbers, up to what one view may show."""
    lines = _lines(escape(text))
    first, last = _range(view_range, len(lines)) if view_range else (1, len(lines))
    shown, room = list[str](), MAX_CHARACTERS
    for number in range(first, last + 1):
        line = f"{number:>6}\t{lines[number - 1]}"
        shown.append(line[:room])
        room -= len(line)
        if room <= 0:
            shown.append(filled("tool_cut", last=str(number), total=str(len(lines))))
            break
    return Prose("\n".join(shown))


def _replace_passage(text: str, old: str, new: str) -> tuple[str, int, int]:
    """Return the text with the one place of a passage replaced, and the first and last line of the new."""
    if old not in text and "&lt;" in old:  # as a view shows the sign that would open a tag
        old, new = old.replace("&lt;", "<"), new.replace("&lt;", "<")
    times = text.count(old) if old else 0
    if times > 1:
        raise Rejected(f"old_str stands there {times} times. Make it longer, so that it stands there once.")
    if times == 0:
        raise Rejected(
            "old_str does not stand there. View the file and copy a passage exactly, without the numbers of "
            "the lines; a character that is shown by its number cannot be part of it."
        )
    at = text.index(old)
    first = text.count("\n", 0, at) + 1
    return text[:at] + new + text[at + len(old) :], first, first + new.count("\n")


def _insert_lines(text: str, line: int, new: str) -> tuple[str, int, int]:
    """Return the text with lines put behind the line of that number, and the first and last of them."""
    lines, more = _lines(text) if text else [], _lines(new)
    if not 0 <= line <= len(lines):
        raise Rejected(f"insert_line is {line}; the file has lines 1 to {len(lines)}, and 0 is its start.")
    return "\n".join([*lines[:line], *more, *lines[line:], ""]), line + 1, line + len(more)


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def _range(view_range: Sequence[int], total: int) -> tuple[int, int]:
    """Return the first and last line asked for; -1 stands for the end of the file."""
    first, last = view_range if len(view_range) == 2 else (0, 0)
    last = total if last == -1 else min(last, total)
    if not 1 <= first <= last:
        raise Rejected(
            f"view_range is {list(view_range)!r}; give two line numbers from 1 to {total}, or -1 for the end."
        )
    return first, last
