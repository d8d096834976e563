"""The files that a shell text changes, as far as its words tell: written, edited, moved or removed."""

import re

from memdir.rules.shell.files import files_of
from memdir.rules.shell.interpreter import rehearse
from memdir.rules.shell.invocation import UNKNOWN, Invocation, placed, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["changed_files"]

_REMOVERS = frozenset({"rm", "unlink", "shred", "mv", "touch"})
_INTERPRETERS = frozenset({"python", "pypy", "perl", "ruby", "node", "deno", "bun", "php", "awk"})
_WRITES = re.compile(
    r"""["'][wax]b?\+?["']|write|append|unlink|remove|rename|copy|replace\(|>\s*["']""", re.IGNORECASE
)
"""Signs of a script that changes files, in any of these languages."""
_QUOTED_PATH = re.compile(r"""["']((?:~?/)[^"'\n]+)["']""")


def changed_files(text: str, directory: str, home: str) -> list[str]:
    """Return the full paths that a command changes when it runs in a directory, as far as they are known."""
    seen = list[Invocation]()
    done = rehearse(text, directory, seen.append, home)
    paths = [*done.written, *[placed(path, one.directory) for one in seen for path in _changed(one)]]
    full = [home + path[1:] if path.startswith("~/") else path for path in paths]
    return list(dict.fromkeys(path for path in full if UNKNOWN not in path))


def _changed(one: Invocation) -> "Sequence[str]":
    words, name = one.words, program(one.words[0])
    if name in _REMOVERS:
        return [word for word in words[1:] if not word.startswith("-")]
    if name.rstrip("0123456789.") in _INTERPRETERS:
        script = "\n".join([*words[1:], one.stdin])
        return _QUOTED_PATH.findall(script) if _WRITES.search(script) else []
    return [file.path for file in files_of(words, one.stdin) if file.tool != "Read"]
