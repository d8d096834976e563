"""The way back: the original of each file of a host that we changed, restored byte for byte."""

import hashlib
import json
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from memdir.disk.files import make_folder, storage_errors
from memdir.disk.lock import DirectoryLock
from memdir.errors import Rejected, StorageError
from memdir.hosts.host_files import Installer, host_file
from memdir.text.value import value_class

__all__ = ["InstallRecord", "InstallRecords", "LeftFile"]

_FILE = "installed.json"


@value_class(frozen=True, slots=True)
class InstallRecord:
    """One file that we changed: for which host, what it was, and what we made of it."""

    path: str
    host: str
    original: str | None
    """None when there was no such file."""
    ours: str
    """SHA-256 of the text that we wrote."""
    made_folder: bool = False
    """Whether its folder was not there either."""

    def is_untouched(self, text: str | None) -> bool:
        """Tell whether the file is still exactly as we left it."""
        return text is not None and _sha(text) == self.ours


@value_class(frozen=True, slots=True)
class LeftFile:
    """One file that we left, and how."""

    path: str
    how: str
    """restored (byte for byte as it was), removed (there was none), cleaned (only our entries taken out), or
    gone."""


class InstallRecords:
    """The records in our own folder of the config home."""

    def __init__(self, config_home: str) -> None:
        """Remember where they lie; nothing is read yet."""
        self._folder = os.path.join(config_home, "memdir")

    def records(self) -> list[InstallRecord]:
        """Return what was changed and not restored, oldest first."""
        path = os.path.join(self._folder, _FILE)
        try:
            return [InstallRecord(**row) for row in json.loads(host_file(path) or "[]")]
        except (ValueError, TypeError, RecursionError) as error:
            raise StorageError(
                f"{path} is damaged, so what `memdir init` changed is not known; nothing was changed. Remove "
                "what names memdir from the files of your agents by hand, then this file."
            ) from error

    def write(self, change: InstallRecord, before: str | None, after: str, *, mode: int = 0o600) -> None:
        """Put a file of a host in place durably, if it is still as it was read, and keep what it was.

        The record says what the file was without us; `mode` is for a file that is not there yet.
        """
        path = change.path
        with self._hold_lock(path):
            if host_file(path) != before:
                raise Rejected(
                    f"{path} was changed by someone else meanwhile. Nothing was written; try again."
                )
            known = {record.path: record for record in self.records()}
            mine = known.get(path)
            original = mine.original if mine and mine.is_untouched(before) else change.original
            made = mine.made_folder if mine else not os.path.isdir(os.path.dirname(os.path.realpath(path)))
            # The record comes first: one without the change is harmless, a change without it is not.
            self._keep([*known.values(), InstallRecord(path, change.host, original, _sha(after), made)])
            _put(path, after, mode)

    def leave(self, host: str, installer: Callable[[str], Installer]) -> list[LeftFile]:
        """Undo what was changed for a host, or for all: restore untouched files, clean the others."""
        records = [record for record in self.records() if host in ("", record.host)]
        return [LeftFile(record.path, self._undo(record, installer)) for record in records]

    def _undo(self, record: InstallRecord, installer: Callable[[str], Installer]) -> str:
        """Put one file as it was, or take our entries out; return how."""
        text = host_file(record.path)
        if text is None:
            self._restore(record.path, None)
            return "gone"
        if record.is_untouched(text):
            self._restore(record.path, record.original)
            return "restored" if record.original is not None else "removed"
        rest = installer(record.host).remove_entries(record.path, text)
        self._restore(record.path, rest)
        return "removed" if rest is record.original is None else "cleaned"

    def _restore(self, path: str, text: str | None) -> None:
        """Put a file as it should be without us, None removes it, and drop its record.

        A folder that was made for the file goes with it if nothing else is in it.
        """
        with self._hold_lock(path):
            _put(path, text)
            records = self.records()
            if text is None and any(record.path == path and record.made_folder for record in records):
                with suppress(OSError):  # not empty, or gone
                    os.rmdir(os.path.dirname(os.path.realpath(path)))
            self._keep([record for record in records if record.path != path])

    @contextmanager
    def _hold_lock(self, path: str) -> Iterator[None]:
        with (
            storage_errors(f"{path} was not changed"),
            make_folder(self._folder),
            DirectoryLock(self._folder, os.path.join(self._folder, "installed.lock")),
        ):
            yield

    def _keep(self, records: Sequence[InstallRecord]) -> None:
        newest = {record.path: record for record in records}.values()
        rows = [{name: getattr(record, name) for name in record.__match_args__} for record in newest]
        with make_folder(self._folder) as folder:
            # In ASCII, which holds what is no UTF-8 too: a record that cannot be read again would be lost.
            folder.write(_FILE, json.dumps(rows, indent=1).encode())


def _put(path: str, text: str | None, new: int = 0o600) -> None:
    """Replace the file itself where a link leads to it: people keep their settings in other folders."""
    real = os.path.realpath(path)
    folder, name = os.path.split(real)
    with make_folder(folder) as opened:
        if text is not None:
            mode = stat.S_IMODE(os.stat(real).st_mode) if opened.exists(name) else new
            opened.write(name, text.encode("utf-8", "surrogateescape"))
            os.chmod(real, mode)  # a project's settings are read by others too
        elif opened.exists(name):
            opened.remove(name)
            opened.sync()


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
