"""The files of hosts: read, written again in the form that they had, and later restored byte for byte."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from memdir.disk.files import make_folder, storage_errors
from memdir.disk.lock import DirectoryLock
from memdir.disk.trees import remove_if_empty
from memdir.errors import Rejected, StorageError
from memdir.text.value import value_class

__all__ = [
    "InstallRecords",
    "LeftFile",
    "Rewrite",
    "format_json",
    "host_file",
    "parse_json",
    "refuse_other_encodings",
]

_LARGEST = 64 << 20
"""Bytes of a host's own file; Claude Code keeps its projects in one that grows."""

_FILE = "installed.json"


def host_file(path: str) -> str | None:
    """Return the text of a host's file; None when it is not there."""
    try:
        with open(path, "rb") as file:
            return file.read(_LARGEST).decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None


def parse_json(path: str, text: str | None) -> dict[str, Any]:
    """Return the object in a JSON file of a host; one that is not there, or blank, is empty."""
    refuse_other_encodings(path, text or "")
    try:
        content = json.loads(text.removeprefix("\ufeff")) if text and text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise Rejected(f"{path} is not valid JSON ({error}). Mend it first; nothing was changed.") from error
    if not isinstance(content, dict):
        raise Rejected(f"{path} does not hold a JSON object. Mend it first; nothing was changed.")
    return content


def format_json(content: dict[str, Any], like: str | None) -> str:
    """Return an object as JSON with the indentation and the last line end that the file had."""
    inner = (like or "").strip().partition("\n")[2]
    indent = inner[: len(inner) - len(inner.lstrip(" \t"))] or "  "
    end = "" if like and like.strip() and not like.endswith("\n") else "\n"
    text = json.dumps(content, indent=indent, ensure_ascii=False) + end
    # Half of a surrogate pair can only have come from an escape, and stays one: it is no UTF-8.
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)


def refuse_other_encodings(path: str, text: str) -> None:
    """Raise for a file that holds bytes which are no UTF-8: it could not be written again as it was meant."""
    if odd := re.search("[\udc80-\udcff]", text):
        line = text.count("\n", 0, odd.start()) + 1
        raise Rejected(
            f"{path} is not UTF-8 (line {line}). Mend it first, for example with iconv; nothing was changed."
        )


@value_class(frozen=True, slots=True)
class Rewrite:
    """One file of a host as it is and as it would be."""

    path: str
    before: str | None
    """None when there is no such file."""
    after: str

    @property
    def changes(self) -> bool:
        """Tell whether there is anything to do."""
        return self.before != self.after


@value_class(frozen=True, slots=True)
class LeftFile:
    """One file that we left, and how."""

    path: str
    how: str
    """restored (byte for byte as it was), removed (there was none), cleaned (only our entries taken out),
    gone, or elsewhere (it belongs to another project and is as it was)."""


@value_class(frozen=True, slots=True)
class _Record:
    """One file that we changed: for which host, its original text, and the hash of ours."""

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


class InstallRecords:
    """The originals of the files that we changed, in our own folder of the config home."""

    def __init__(self, config_home: str) -> None:
        """Remember where they lie; nothing is read yet."""
        self._folder = os.path.join(config_home, "memdir")

    def made_paths(self) -> set[str]:
        """Return the files that were not there before we wrote them."""
        return {record.path for record in self._records() if record.original is None}

    def write(self, host: str, change: Rewrite, original: str | None, mode: int = 0o600) -> None:
        """Put a file of a host in place durably, if it is still as it was read, and keep its original.

        `original` is the file without our entries, `mode` is for one that is not there yet.
        """
        path = change.path
        with self._hold_lock(path):
            if host_file(path) != change.before:
                raise Rejected(
                    f"{path} was changed by someone else meanwhile. Nothing was written; try again."
                )
            known = {record.path: record for record in self._records()}
            mine = known.get(path)
            original = mine.original if mine and mine.is_untouched(change.before) else original
            made = mine.made_folder if mine else not os.path.isdir(os.path.dirname(os.path.realpath(path)))
            # The record comes first: one without the change is harmless, a change without it is not.
            self._keep([*known.values(), _Record(path, host, original, _sha(change.after), made)])
            _put(path, change.after, mode)

    def leave(
        self, host: str, clean: Callable[[str, str, str], str | None], is_elsewhere: Callable[[str], bool]
    ) -> list[LeftFile]:
        """Undo what was changed for a host, or for all: restore untouched files, clean the others.

        `clean` takes a host, a path and a text, and returns the text without our entries. `is_elsewhere`
        tells whether a file was checked in with another project: it stays as it is.
        """
        left = []
        for record in [one for one in self._records() if host in ("", one.host)]:
            if is_elsewhere(record.path):
                left.append(LeftFile(record.path, "elsewhere"))
                continue
            text = host_file(record.path)
            if text is None:
                rest, how = None, "gone"
            elif record.is_untouched(text):
                rest, how = record.original, "restored"
            else:
                rest, how = clean(record.host, record.path, text), "cleaned"
            if text is not None and rest is None and record.original is None:
                how = "removed"
            self._restore(record, rest)
            left.append(LeftFile(record.path, how))
        return left

    def _restore(self, record: _Record, text: str | None) -> None:
        """Put a file as it should be without us, None removes it, and drop its record.

        A folder that was made for the file goes with it if nothing else is in it.
        """
        with self._hold_lock(record.path):
            _put(record.path, text)
            if text is None and record.made_folder:
                remove_if_empty(os.path.dirname(os.path.realpath(record.path)))
            self._keep([one for one in self._records() if one.path != record.path])

    def _records(self) -> list[_Record]:
        """Return what was changed and not restored, oldest first."""
        path = os.path.join(self._folder, _FILE)
        try:
            return [_Record(**row) for row in json.loads(host_file(path) or "[]")]
        except (ValueError, TypeError, RecursionError) as error:
            raise StorageError(
                f"{path} is damaged, so what `memdir init` changed is not known; nothing was changed. Remove "
                "what names memdir from the files of your agents by hand, then this file."
            ) from error

    def _keep(self, records: Sequence[_Record]) -> None:
        newest = {record.path: record for record in records}.values()
        rows = [{name: getattr(record, name) for name in record.__match_args__} for record in newest]
        with make_folder(self._folder) as folder:
            # In ASCII, which holds what is no UTF-8 too: a record that cannot be read again would be lost.
            folder.write(_FILE, json.dumps(rows, indent=1).encode())

    @contextmanager
    def _hold_lock(self, path: str) -> Iterator[None]:
        with (
            storage_errors(f"{path} was not changed"),
            make_folder(self._folder),
            DirectoryLock(self._folder, os.path.join(self._folder, "installed.lock")),
        ):
            yield


def _put(path: str, text: str | None, new: int = 0o600) -> None:
    """Replace the file itself where a link leads to it: people keep their settings in other folders."""
    real = os.path.realpath(path)
    folder, name = os.path.split(real)
    with make_folder(folder) as opened:
        if text is not None:
            mode = stat.S_IMODE(os.stat(real).st_mode) if opened.exists(name) else new
            staged = opened.stage(name, text.encode("utf-8", "surrogateescape"))
            staged.set_mode(mode)  # a project's settings are read by others too
            staged.place().sync()
        elif opened.exists(name):
            opened.remove(name)
            opened.sync()


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
