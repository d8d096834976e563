"""Names of memories: slugs, file names, copies that keep a conflict, and paths that must never be used.

A host waits for this module: it imports late.
"""

import re
import unicodedata
from collections.abc import Callable, Container
from datetime import date
from itertools import count

from memdir.hook_paths import RESERVED_FOLDERS

__all__ = [
    "INDEX_NAME",
    "RESERVED_FOLDERS",
    "TEAM_FOLDER",
    "conflict_name",
    "file_name",
    "file_name_problem",
    "is_conflict_copy",
    "is_team_file",
    "is_topic_file",
    "key_problem",
    "leads_out",
    "original_of",
    "rename_copy",
    "replacement",
    "replacements",
    "slug",
]

INDEX_NAME = "MEMORY.md"
"""The index of a memory directory, and of each folder in it; never itself a memory."""

TEAM_FOLDER = "team/"
"""Below a private memory directory: team memory, a memory directory of its own."""

MAX_FILE_NAME = 100
"""Characters of a file name we make, with its ending."""

MAX_SEGMENT_BYTES = 255
"""Bytes that common file systems allow for one name."""

MAX_KEY_BYTES = 1_024
"""Bytes of a whole path on macOS: a longer key could not be written on every team-mate's machine."""


def slug(name: str) -> str:
    """Return the name as lower-case ASCII words joined by dashes; when none is left, 8 digits of its hash.

    Accented, Cyrillic and Greek letters become plain ones. If digits alone are left of a text with letters,
    they say too little, and the hash is used. Two names with one slug count as one, however they are written.
    """
    if name.isascii() and name == name.lower() and all(map(str.isalnum, name.split("-"))):
        return name  # most names are their own slugs, and a list of memories asks for all of them
    text = unicodedata.normalize("NFKD", name.lower()).lower().translate(_LETTERS)
    if not text.isascii():
        text = "".join(char for char in text if not unicodedata.combining(char))
    words = re.sub(r"[^a-z0-9]+", "-", text).strip("-")
    if words and (name.isascii() or re.search("[a-z]", words) or not any(map(str.isalpha, name))):
        return words
    return _digest(name)


def file_name(kind: str, name: str, taken: Container[str] = ()) -> str:
    """Return `<kind>_<slug>.md`, at most 100 characters, whose case-folded form is not among those taken."""
    prefix = f"{slug(kind)[:20]}_"  # with a prefix no name can become the index or a device
    whole = slug(name)
    for number in count(1):
        suffix = f"-{number}.md" if number > 1 else ".md"
        room = MAX_FILE_NAME - len(prefix) - len(suffix)
        # What is cut ends in a hash, so that equal starts differ.
        fitted = whole if len(whole) <= room else f"{whole[: room - 9].rstrip('-')}-{_digest(name)}"
        made = f"{prefix}{fitted}{suffix}"
        if made.casefold() not in taken:
            break
    return made


def file_name_problem(key: str) -> str | None:
    """Return why a new file must not be called so; files that others made may be."""
    names = key.removesuffix(".md").split("/")
    if any(not re.fullmatch(r"[A-Za-z0-9_-]+", name) for name in names):
        return "its name holds other characters than letters, digits, - and _"
    long = any(len(name) > MAX_FILE_NAME for name in key.split("/"))
    return f"its name is over {MAX_FILE_NAME} characters" if long else None


_CONFLICT = ".conflict-"
_LONGEST_WHO, _LONGEST_STEM = 30, 180
"""Characters of a name, bytes of a file name: with the rest still under the 255 bytes that disks take."""


def conflict_name(file: str, who: str, at: str, number: int = 1) -> str:
    """Return the file for the other version of a memory: `name.conflict-<who>-<date>.md`."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", who.partition("<")[0]).strip("-").lower()[:_LONGEST_WHO]
    again = f"-{number}" if number > 1 else ""
    folder, slash, last = original_of(file).removesuffix(".md").rpartition("/")
    stem = last.encode("utf-8", "surrogatepass")[:_LONGEST_STEM].decode("utf-8", "ignore")
    return f"{folder}{slash}{stem}{_CONFLICT}{name or 'unknown'}-{at[:10]}{again}.md"


def is_conflict_copy(file: str) -> bool:
    """Tell whether a file keeps the other version of a memory that two sides changed."""
    return _CONFLICT in file.rpartition("/")[2]


def original_of(file: str) -> str:
    """Return the file whose other version a copy keeps; of any other file, the file itself."""
    folder, slash, last = file.rpartition("/")
    return f"{folder}{slash}{last.partition(_CONFLICT)[0]}.md" if _CONFLICT in last else file


def rename_copy(text: str, file: str) -> str:
    """Return a memory under the name that goes with its file, so that both versions are found by name."""
    from memdir.text.frontmatter.edits import with_value

    kind, _, rest = file.rpartition("/")[2].removesuffix(".md").partition("_")
    return with_value(text, "name", slug(rest or kind))


def is_topic_file(relative: str) -> bool:
    """Say whether a scan takes this path: Markdown, no index, not hidden, not in a reserved folder."""
    if not relative.endswith(".md") or relative[0] == "." or "/." in relative:
        return False
    folder, slash, rest = relative.partition("/")
    if slash and _fold(folder) in RESERVED_FOLDERS:
        return False
    return _fold(rest.rpartition("/")[2] if slash else folder) != _INDEX_FOLDED


def is_team_file(relative: str) -> bool:
    """Say whether a path below a private memory directory lies in team memory."""
    return relative.startswith(TEAM_FOLDER)


def leads_out(name: str) -> bool:
    """Tell whether a name is a path that leads out of the memory directory."""
    return name.startswith(("/", "~", "\\")) or ".." in re.split(r"[/\\]", name)


def key_problem(key: str) -> str | None:
    """Return why this path below a memory directory must not be used, or None when it may.

    The text alone is judged here; where links lead is judged on the real path, by `safe_path`.
    """
    if _PLAIN.fullmatch(key) and key[:-3].lower() not in _DEVICES and key.lower() != _INDEX_FOLDED:
        return None  # as nearly all are: nothing else can be wrong with such a name
    if problem := _character_problem(key):
        return problem
    checks = [(key, check) for check in _KEY_CHECKS]
    checks += [(segment, check) for segment in key.split("/") for check in _SEGMENT_CHECKS]
    return next((reason for text, (is_wrong, reason) in checks if is_wrong(text)), None)


_INDEX_FOLDED = INDEX_NAME.casefold()
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,99}\.md")
# Letters that NFKD leaves whole and that have a usual spelling in plain letters: Latin, Cyrillic, Greek.
_SPELLED = (
    "ßss æae œoe øo đd ðd łl þth ħh ŋng ŧt əe ĸk \u0131i "
    "аa бb вv гg дd еe жzh зz иi кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щshch ъ ыy ь эe юyu яya "  # noqa: RUF001
    "іi єye ґg ђdj јj љlj њnj ћc џdz "  # noqa: RUF001
    "αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo"  # noqa: RUF001
)
_LETTERS = str.maketrans(
    {letter[0]: letter[1:] for letter in _SPELLED.split()} | {"'": "", "\u2019": "", "\u02bc": ""}
)


def _digest(name: str) -> str:
    from hashlib import sha256

    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _fold(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


_Check = tuple[Callable[[str], object], str]
"""What must not be true of a text, and the reason to give when it is."""


_SEPARATORS = frozenset("./\\")
# Slashes to the eye that no normal form turns into one.
_LOOK_ALIKES = frozenset("\u2044\u2215\u2216\u27cb\u27cd\u29f5\u29f8\u29f9")
# Blank in every font, yet letters or marks by category.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
# Control, format (zero width, direction), surrogate, private use (mapped to reserved characters by some file
# systems), line and paragraph separators.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def _character_problem(key: str) -> str | None:
    if key.isascii() and key.isprintable():
        return None
    for char in key:
        if char > "\x7f" and not _SEPARATORS.isdisjoint(unicodedata.normalize("NFKC", char)):
            return f"U+{ord(char):04X} becomes a dot or a separator when normalised"
        if char in _LOOK_ALIKES:
            return f"U+{ord(char):04X} looks like a separator"
        is_none = ord(char) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(char) <= 0xFDEF
        if unicodedata.category(char) in _UNSEEN or char in _BLANKS or is_none:
            return f"U+{ord(char):04X} cannot be seen"
    return None


_PERCENT = r"(?:%[0-9A-Fa-f]{2})+"


def _hides_separators(key: str) -> bool:
    """Decode percent signs to the very end: %252e is a dot to whoever decodes twice."""
    key = unicodedata.normalize("NFKC", key)
    if re.search(r"%[uU][0-9A-Fa-f]{4}", key):
        return True
    while runs := re.findall(_PERCENT, key):
        decoded = "".join(map(_decode_percents, runs))
        # The replacement character stands for bytes that are no UTF-8, such as a dot in two bytes.
        if not _SEPARATORS.isdisjoint(decoded) or "\ufffd" in decoded or not decoded.isprintable():
            return True
        key = re.sub(_PERCENT, lambda run: _decode_percents(run[0]), key)
    return False


def _decode_percents(run: str) -> str:
    return unicodedata.normalize("NFKC", bytes.fromhex(run.replace("%", "")).decode("utf-8", "replace"))


_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "clock$", "conin$", "conout$"]
    + [f"{port}{digit}" for port in ("com", "lpt") for digit in range(10)]
)

_KEY_CHECKS: tuple[_Check, ...] = (
    (lambda key: not key, "it is empty"),
    (lambda key: len(key) > MAX_KEY_BYTES or len(key.encode()) > MAX_KEY_BYTES, "it is too long"),
    (lambda key: "\\" in key, "it contains a backslash"),
    (_hides_separators, "it contains a percent-encoded dot, separator or control character"),
    (lambda key: key[0] == "/", "it is an absolute path"),
    (lambda key: key[0] == "~", "it begins like a home directory"),
    (
        lambda key: ":" in key or re.fullmatch("[A-Za-z]:", unicodedata.normalize("NFKC", key[:2])),
        "a colon names a drive or a stream on Windows",
    ),
    (lambda key: not key.endswith(".md"), "it does not end in .md"),
    (
        lambda key: "/" in key and _fold(key.partition("/")[0]) in RESERVED_FOLDERS,
        "that folder holds something other than memories",
    ),
)
_SEGMENT_CHECKS: tuple[_Check, ...] = (
    (lambda segment: segment in {"", ".", ".."}, "it has an empty segment, a . or a .."),
    (lambda segment: segment[0] == ".", "it has a hidden file or folder"),
    (lambda segment: segment != segment.strip(), "a segment begins or ends with a space"),
    (lambda segment: segment[-1] == ".", "a segment ends with a dot"),
    (lambda segment: len(segment.encode()) > MAX_SEGMENT_BYTES, "a segment has more than 255 bytes"),
    (
        lambda segment: _fold(segment).partition(".")[0].rstrip() in _DEVICES,
        "a segment is the name of a device on Windows",
    ),
    (lambda segment: _skeleton(segment) == _INDEX_FOLDED, "it is the index, or looks like it"),
)

# Letters of other scripts, case-folded, that look like those of the index's name.
_LOOKS_LIKE = str.maketrans(
    "\u043c\u03bc\u1d0d\u0435\u03b5\u1d07\u043e\u03bf\u1d0f\u0443\u04af\u03c5\u028f\u0280", "mmmeeeoooyyyyr"
)


def _skeleton(segment: str) -> str:
    text = _fold(segment).translate(_LOOKS_LIKE)
    return "".join(char for char in unicodedata.normalize("NFKD", text) if unicodedata.category(char) != "Mn")


def replacement(name: str, day: date) -> str:
    """Return a replaced memory as `metadata.supersedes` names it."""
    return f"{slug(name)} ({day.isoformat()})"


def replacements(value: str) -> list[tuple[str, str]]:
    """Return the names in such a value, each with its day, which is empty where nobody wrote one."""
    matches = (re.fullmatch(_REPLACED, part.strip()) for part in value.split(","))
    return [(slug(match[1]), match[2] or "") for match in matches if match and match[1].strip()]


_REPLACED = r"(.+?)(?:\s*\((\d{4}-\d\d-\d\d)\))?"
