"""Read MEMORY.md with every byte kept, or say why it must not be rewritten."""

import os
import re
import stat
from itertools import count

from memdir.disk.files import MAX_FILE_BYTES, NO_FILE, Folder, Unreadable
from memdir.memories.names import INDEX_NAME
from memdir.text.value import value_class

__all__ = ["IndexText", "index_text", "readable_text", "set_aside", "text_from"]

_LEFT_ALONE = "The index was left as it is: MEMORY.md {why}, and the next save brings it up to date."
_TOO_LONG = f"is over {MAX_FILE_BYTES:,} bytes. Move text from it into other files"
_SECOND_NAME = "has a second name elsewhere (a hard link). Copy it to make it a file of its own"
_FOLDER = "is a folder. Rename it or move it away"
_NOT_UTF_8 = "is text in UTF-16. Save it as UTF-8"


@value_class(frozen=True, slots=True)
class IndexText:
    """What stands in the index, and, where writing it anew would lose some of that, a sentence why not."""

    text: str = ""
    """Bytes that are no UTF-8 stand in it as half surrogates, which are written back as they were."""
    held: str = ""
    is_folder: bool = False
    """Then a save cannot point at anything, and has to fail."""

    @property
    def shown(self) -> str:
        """The text as it may be shown."""
        return readable_text(self.text)


def index_text(folder: Folder) -> IndexText:
    """Read the index; one that is not there, or a link, counts as empty."""
    try:
        data, _ = folder.read(INDEX_NAME, MAX_FILE_BYTES + 1)
    except Unreadable:
        # Nothing is taken from a file that may belong elsewhere, not even for the history.
        mode = folder.at(os.lstat, INDEX_NAME).st_mode
        why = _SECOND_NAME if stat.S_ISREG(mode) else _FOLDER if stat.S_ISDIR(mode) else ""
        held = _LEFT_ALONE.format(why=why) if why else ""
        return IndexText(held=held, is_folder=stat.S_ISDIR(mode))
    except OSError as error:
        if error.errno in NO_FILE:
            return IndexText()
        raise  # it is there and cannot be read now: taking it for empty would lose a person's words
    if len(data) > MAX_FILE_BYTES:
        return IndexText(text_from(data[:MAX_FILE_BYTES]), _LEFT_ALONE.format(why=_TOO_LONG))
    if data[:2] in _UTF_16 and b"\0" in data:
        return IndexText(data.decode("utf-16", "replace"), _LEFT_ALONE.format(why=_NOT_UTF_8))
    return IndexText(text_from(data))


def set_aside(folder: Folder) -> str:
    """Rename a folder that stands where the index should, all in it kept; return its new name, or ""."""
    if not index_text(folder).is_folder:
        return ""
    names = (f"{INDEX_NAME}.set-aside{f'-{number}' if number > 1 else ''}" for number in count(1))
    name = next(name for name in names if not folder.exists(name))
    folder.rename(INDEX_NAME, name)
    return name


def text_from(data: bytes) -> str:
    """Return bytes as text that can be turned back into them."""
    return data.decode("utf-8", "surrogateescape")


def readable_text(text: str) -> str:
    """Return the text with U+FFFD in the place of what is no character."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)


_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_HALF = re.compile("[\ud800-\udfff]")
