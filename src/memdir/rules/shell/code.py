"""Files that code in a command names, and what a script for editing puts into them."""

import re

from memdir.rules.programs.interpreters import code_in
from memdir.rules.shell.invocation import UNKNOWN, File, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["files_in_code", "text_put_by"]

_STRING = r"""["'`]([^"'`\n]{1,300})["'`]"""
_READ = (
    r"""(?:open|File\.open|Path|readFile|readFileSync|File\.read|file_get_contents|require)\(\s*["'`]([^"'`\n]{1,300})["'`]"""
    r"""\s*(?:,\s*(?:mode=|encoding=)?["'](?:[rbt]+|utf-?8)["']\s*)?\)(?!\.(?:write|unlink|rename|replace|touch))"""
)
_CHANGES = (
    r"""["'][rbt]*[wax][bt+]*["']|["']r\+|[Ww]rite|append|unlink|remove|rename|replace\(|shutil|truncate|copy|"""
    r"""rmSync|dump|save|\.touch|['"]>"""
)

_BRINGS = r"copy|move|rename|decode|urlopen|urlretrieve|requests|fetch|stdin|input\(|subprocess"
"""Signs of code that puts a text into a file which does not stand in the code."""


def files_in_code(words: "Sequence[str]", stdin: str) -> list[File]:
    """Return the files that may be meant by the strings of code that an interpreter is given here."""
    code = code_in(words, "" if stdin == UNKNOWN else stdin)
    if not code:
        return []
    names = [*dict.fromkeys(re.findall(_STRING, code))][:64]
    only_read = {*re.findall(_READ, code)}
    changed = [name for name in names if name not in only_read] if re.search(_CHANGES, code) else []
    text = None if re.search(_BRINGS, code) else code
    return [
        *[File("Read", name, None, sure=False) for name in names],
        *[File("Write", name, text, sure=False) for name in changed],
    ]


_REPLACES = r"(?:^|[;{}\n0-9$/ ,!])s([^\w\s\\])(?:\\.|(?!\1).)*\1((?:\\.|(?!\1).)*)\1"
_ADDS = r"(?:^|[;{}\n0-9$/ ])[aic](?:\\\s*|\s+)(.+)"

_FROM_FILE = r"-[nErsiz]*f|--file\b"


def text_put_by(words: "Sequence[str]") -> str | None:
    """Return what the script of an editing command puts into files; None when that cannot be told."""
    if any(re.match(_FROM_FILE, word) for word in words[1:]):
        return None
    scripts = "\n".join(words[1:])
    new = [found[1] for found in re.findall(_REPLACES, scripts)]
    if program(words[0]) == "sed":
        return "\n".join([*new, *re.findall(_ADDS, scripts)])
    return "\n".join(new) if new else None
