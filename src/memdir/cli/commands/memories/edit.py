"""The command that opens a memory in the person's editor, and never loses what they wrote there."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile

import click

from memdir.cli.arguments import command, flag, name_argument
from memdir.cli.output import answer, hint, one_line, show_progress, wants_json
from memdir.cli.report import undo_lines
from memdir.cli.target import Target
from memdir.errors import MemdirError, Rejected
from memdir.memories.names import slug

__all__ = ["edit"]

_USUAL = ("nano", "vim", "vi")
"""Tried in this order when neither variable names an editor."""

_NAME_LENGTH = 60
"""Characters of the name that the temporary file shows: enough to know it by, and allowed everywhere."""


@command("EDITOR=vim memdir edit terse-replies")
@name_argument("name")
@flag("--allow-secret", "Save although it holds a credential, in this file only.")
def edit(target: Target, name: str, allow_secret: bool) -> None:
    """Open a memory in your editor.

    The editor is $VISUAL, $EDITOR, or the first of nano, vim and vi. When the memory changed meanwhile or
    your text is refused, nothing is saved and your text is kept in a file.
    """
    memory = target.memory()
    memory.verdict.require_on()  # before the person writes anything
    topic = memory.read(name)
    draft = _EditedFile(topic.header.name, topic.text)
    try:
        text = draft.run_editor(quiet=wants_json())
        with show_progress("Saving"):
            saved = None if text == topic.text else memory.edit(topic, text, allow_secret=allow_secret)
    except (MemdirError, OSError, click.ClickException, KeyboardInterrupt) as error:
        if draft.keep():
            error.add_note(f"Your text is kept in {draft.path}")
        raise
    draft.drop()
    operation = saved.operation if saved else ""
    shape = {"file": topic.header.file, "changed": bool(saved), "operation": operation}
    done = f"Saved {one_line(topic.header.file)}" if saved else "Nothing changed."
    answer(shape, done, *undo_lines(target, memory, operation))
    hint(*(saved.warnings if saved else ()))


class _EditedFile:
    """The text in a folder that only this user can read, while the editor has it."""

    def __init__(self, name: str, text: str) -> None:
        from memdir.disk.files import Folder
        from memdir.disk.trees import make_temporary_folder

        # A folder, because editors leave copies beside it.
        self._folder = make_temporary_folder(tempfile.gettempdir(), "memdir-")
        self._before = text.encode("utf-8", "surrogateescape")
        file = f"memory-{slug(name)[:_NAME_LENGTH]}.md"
        with Folder(self._folder) as folder:
            folder.write(file, self._before)
        self.path = os.path.join(self._folder, file)

    def run_editor(self, *, quiet: bool) -> str:
        """Run the editor and return the text it left."""
        import subprocess

        editor = _editor()
        try:
            # With --json the output belongs to the result, so the editor writes beside it.
            done = subprocess.run([*editor, self.path], stdout=sys.stderr if quiet else None, check=False)
        except OSError as error:
            raise click.ClickException(f"{editor[0]} did not start: {error.strerror}. {_CHOOSE}") from error
        if done.returncode:
            raise click.ClickException(f"{editor[0]} ended with {done.returncode}, so nothing was saved.")
        try:
            text = self._data().decode("utf-8")
        except UnicodeDecodeError as error:
            raise Rejected("The edited text is not UTF-8, so nothing was saved. Save it as UTF-8.") from error
        if not text.strip():
            raise Rejected(
                "The edited text is empty, so nothing was saved. `memdir forget` removes a memory."
            )
        return text

    def keep(self) -> bool:
        """Keep what the person wrote, and say whether there is anything to keep."""
        kept = self._data().strip() not in {b"", self._before.strip()}
        if not kept:
            self.drop()
        return kept

    def drop(self) -> None:
        """Remove the folder."""
        from memdir.disk.trees import remove_tree

        remove_tree(self._folder)

    def _data(self) -> bytes:
        try:
            with open(self.path, "rb") as file:
                return file.read()
        except FileNotFoundError:
            return b""


_CHOOSE = "Set VISUAL or EDITOR to the editor you use."


def _editor() -> list[str]:
    named = os.environ.get("VISUAL", "").strip() or os.environ.get("EDITOR", "").strip()
    try:
        found = shlex.split(named) if named else [name for name in _USUAL if shutil.which(name)][:1]
    except ValueError as error:
        raise click.ClickException(f"{named!r} is no command: {error}. {_CHOOSE}") from error
    if not found:
        raise click.ClickException(f"There is no editor to open. {_CHOOSE}")
    return found
