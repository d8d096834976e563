"""Files of our own that nobody came back to: those of one folder that are a month older than its newest."""

import os

from memdir.text.suppress import suppress

TYPE_CHECKING = False  # as in typing, which a process that answers one prompt does not wait for
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["drop_expired"]

_KEPT_SECONDS = 30 * 86_400
"""How long a file that nobody goes on with is kept, as that of a conversation."""


def drop_expired(folder: str, newest: str, is_ours: "Callable[[str], bool]") -> None:
    """Remove those whose names are ours and that were written long before the newest, which is named."""
    with suppress(OSError):
        limit = os.stat(os.path.join(folder, newest)).st_mtime - _KEPT_SECONDS
        with os.scandir(folder) as entries:
            old = [entry for entry in entries if entry.stat(follow_symlinks=False).st_mtime < limit]
        for entry in old:
            if is_ours(entry.name):
                os.unlink(entry.path)
