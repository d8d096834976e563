"""The notes of a conversation, `sessions/<session id>.md` in a memory directory, whole or not at all."""

import os
import re

from memdir.conversation.state import session_hash
from memdir.disk.files import NO_FILE, Folder, Unreadable, make_folder, storage_errors, sweep
from memdir.disk.lock import DirectoryLock
from memdir.errors import Conflict
from memdir.text.value import value_class

__all__ = ["NotesFile", "newest_session"]

_FOLDER = "sessions"


@value_class(frozen=True, slots=True)
class NotesFile:
    """The notes of one conversation."""

    directory: str
    state: str
    session: str

    @property
    def file(self) -> str:
        """Return the path below the memory directory; an id that cannot be a name is hashed."""
        name = self.session if _PLAIN.fullmatch(self.session) else session_hash(self.session)
        return f"{_FOLDER}/{name}.md"

    @property
    def path(self) -> str:
        """Return the absolute path."""
        return os.path.join(self.directory, *self.file.split("/"))

    def text(self) -> str:
        """Return the notes; empty when there are none."""
        if not os.path.isdir(self.directory):
            return ""
        with storage_errors("The notes could not be read"), Folder(self.directory) as folder:
            return _text(folder, self.file)

    def put(self, was: str, text: str) -> None:
        """Replace the notes if they still read as they were seen; else `Conflict`."""
        fallback = os.path.join(self.state, "directory.lock")
        with (
            storage_errors("The notes were not saved"),
            make_folder(self.directory) as folder,
            DirectoryLock(self.directory, fallback),
        ):
            if _text(folder, self.file) != was:
                raise Conflict(
                    "The notes were changed by someone else meanwhile. Nothing was written. Try again."
                )
            folder.write(self.file, text.encode("utf-8", "replace"))
            sweep(os.path.join(self.directory, _FOLDER))


def newest_session(directory: str) -> str:
    """Return the conversation whose notes were written last; empty when there are none."""
    try:
        with os.scandir(os.path.join(directory, _FOLDER)) as entries:
            found = [
                (entry.stat().st_mtime_ns, entry.name)
                for entry in entries
                if entry.name.endswith(".md") and entry.is_file(follow_symlinks=False)
            ]
    except OSError:
        return ""
    return max(found)[1].removesuffix(".md") if found else ""


_PLAIN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")


def _text(folder: Folder, file: str) -> str:
    try:
        return folder.read(file)[0].decode("utf-8", "replace")
    except OSError as error:
        if isinstance(error, Unreadable) or error.errno in NO_FILE:
            return ""
        raise
