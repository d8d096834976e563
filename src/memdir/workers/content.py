"""What a workbench lies over: the memory directory on disk, or what was written down of one."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from memdir.disk.error import storage_errors
from memdir.disk.files import Folder
from memdir.memories.history.external_changes import version_on_disk
from memdir.memories.scan import Findings, topic_files
from memdir.text.value import value_class

__all__ = ["Content", "disk", "recorded"]


@value_class(frozen=True, slots=True)
class Content:
    """Where a workbench finds what is saved: the text of a file, and which files there are."""

    text: Callable[[str], str | None]
    names: Callable[[], Iterable[str]]


def recorded(texts: Mapping[str, str | None]) -> Content:
    """Return content that was written down earlier."""
    return Content(texts.get, lambda: [file for file, text in texts.items() if text is not None])


def disk(directory: str) -> Content:
    """Return the content of a memory directory as it stands on disk."""

    def text(file: str) -> str | None:
        with _opened(directory) as folder:
            version = version_on_disk(folder, file) if folder is not None else None
        return None if version is None else version.text

    def names() -> list[str]:
        with _opened(directory) as folder:
            return [] if folder is None else [file for file, _ in topic_files(folder, Findings())]

    return Content(text, names)


@contextmanager
def _opened(directory: str) -> Iterator[Folder | None]:
    try:
        folder = Folder.opened(directory)
    except (FileNotFoundError, NotADirectoryError):
        yield None
        return
    with folder, storage_errors(f"{directory} could not be read"):
        yield folder
