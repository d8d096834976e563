"""Paths and names that every hook needs, and the rest of memdir too: each is worked out here alone.

A host waits for this module at every prompt and tool call: it imports `os` and `zlib` alone.
"""

import os
from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["RESERVED_FOLDERS", "file_signature", "home_of", "in_home", "picks_path", "project_folder"]

RESERVED_FOLDERS = frozenset({"team", "logs", "sessions", "hubs"})
"""Folders at the top of a memory directory that hold something other than its own memories."""


def home_of(env: "Mapping[str, str]") -> str:
    """Return the home directory of the user that an environment belongs to, as an absolute path."""
    return os.path.abspath(env.get("HOME") or os.path.expanduser("~"))


def in_home(path: str, home: str) -> str:
    """Return a path with the home directory, if that is known, in place of a leading `~`."""
    if not home or not (path == "~" or path.startswith("~/")):
        return path
    below = path[2:].lstrip("/")
    return f"{home.rstrip('/')}/{below}" if below else home


def project_folder(env: "Mapping[str, str]") -> str:
    """Return the directory in which a conversation of Claude Code began, as it says; else nothing."""
    began = env.get("CLAUDE_PROJECT_DIR", "")
    return began if os.path.isabs(began) and os.path.isdir(began) else ""


def picks_path(state: str, session: str) -> str:
    """Return the file in which a model's picks wait for the next event of a conversation."""
    return os.path.join(
        state, "conversations", f"picks-{crc32(session.encode('utf-8', 'surrogatepass')):08x}"
    )


def file_signature(path: str) -> str:
    """Return a text that changes when the file changes; `-` where there is no file."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return "-"
    except OSError as error:
        return f"?{error.errno}"
    return f"{status.st_mtime_ns} {status.st_size} {status.st_ino}"
