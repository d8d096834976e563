"""Which files a program reads and changes, as far as its words tell: as Read or Write would.

A host waits for this module: it does without `typing`.
"""

import re
from itertools import pairwise

from memdir.hook_paths import in_home
from memdir.resources import read_table, rows_of
from memdir.rules.command_line import operands_of
from memdir.rules.git import command_of
from memdir.rules.invocation import (
    TEMPORARY,
    UNKNOWN,
    FileAccess,
    Invocation,
    absolute_path,
    short_letters,
    word_at,
)
from memdir.rules.shell.bulk_changes import discarded_paths, edits_in_place, search_results
from memdir.rules.shell.interpreter import interpret
from memdir.rules.shell.nested_commands import code_in
from memdir.text.program_names import SEARCHERS, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["READERS", "changed_files", "files_of", "paths_printed_by"]

_TABLE = read_table(__file__, "files.txt")
_NAMES = {section: frozenset(" ".join(rows).split()) for section, rows in _TABLE.items()}
_PRINT, _CARRIERS, _CARRYING = _NAMES["printers"], _NAMES["carriers"], _NAMES["carrying"]
READERS = _PRINT | _NAMES["readers"]
"""Programs that show what is in a file, or pass it on."""
_LOADS = ("source", ".")
"""Those of them that run a file and do not show it."""
_COPIES, _SCRIPTED, _EDITS, _SECOND, _FOLDERS = [
    rows_of(_TABLE[one]) for one in ("copiers", "scripted", "edits", "output operands", "output folders")
]
_GIVES_SCRIPT = r"-[A-Za-z]*[ef]\Z|--(?:regexp|expression|file)\b"
_OUTPUT = ("-out", "--out", "--output", "--outfile", "--output-file", "--output-document")
_OUTPUT_OF_SEARCH = ("-fprint", "-fprint0", "-fprintf", "-fls")
_OUTPUT_LETTER = r"-[A-Za-z]*?[oO](.*)\Z"
_PUTS = frozenset({"curl", "wget", "sort", "gpg", "openssl", "gcc", "cc", "clang", "go", "rustc", "pandoc"})
"""Programs that surely mean a file by this letter; others may mean anything."""
_UNPACK = frozenset({"tar", "unzip", "7z", "cpio", "pax"})
_INTO_FOLDER = ("-C", "-d", "--directory")
_PACKS = r"-?[A-Za-z]*c[A-Za-z]*f\Z"


def files_of(words: "Sequence[str]", stdin: str = "") -> list[FileAccess]:
    """Return the files that a command names, with what it puts into them as far as that is known."""
    name = program(words[0])
    if name == "dd":
        kinds = {"if": "Read", "of": "Write"}
        parts = [word.partition("=") for word in words[1:]]
        return [FileAccess(kinds[key], path) for key, _, path in parts if key in kinds]
    if name in _COPIES:
        return _copied_files(words)
    if name == "git":
        return _files_of_git(command_of(words, "")[0], stdin)
    if name in ("patch", "apply_patch"):
        named = operands_of(words, "-p -i -d -o -r --input --directory")[:1] if name == "patch" else []
        return _patched_files(words, named, stdin)
    changed = _edited_files(words, name, stdin)
    return changed if changed is not None else _other_files(words, name, stdin)


def _read(paths: "Iterable[str]") -> list[FileAccess]:
    return [FileAccess("Read", path) for path in paths]


def _write(
    paths: "Iterable[str]", text: str | None = None, *, sure: bool = True, deep: bool = False
) -> list[FileAccess]:
    return [FileAccess("Write", path, text, sure, deep) for path in paths]


def _edited_files(words: "Sequence[str]", name: str, stdin: str) -> list[FileAccess] | None:
    """Return the files that a program changes in their place; None for one that does not."""
    if name in SEARCHERS and "-delete" in words:
        return _write(search_results(words), "", sure=False)
    if edits_in_place(words):
        return _write(filter(None, _files(words, "")), _text_put_by(words))
    how, valued, needed, spared = [part.split() for part in _EDITS.get(name, "|||").split("|")]
    letters = short_letters(words[1:])
    spares = any(one in words or (len(one) == 2 and one[1] in letters) for one in spared)
    if not how or spares or (needed and not {*needed} & {*words}):
        return None
    paths = [path for path in operands_of(words, " ".join(valued)) if path[:1] != "+"]
    deep = "deep" in how or ("recursive" in how and _is_recursive(words))
    texts = [*(words[1:] if "words" in how else ()), *([stdin] if "input" in how else ())]
    written = _write(paths, "\n".join(texts), sure="maybe" not in how, deep=deep)
    return [*_read(paths), *written] if "read" in how else written


def _other_files(words: "Sequence[str]", name: str, stdin: str) -> list[FileAccess]:
    """Return the files that a program reads, and those that it is told to write."""
    read = _files(words, _SCRIPTED.get(name)) if name in READERS and name != "curl" else []
    if name == "curl":
        read = [word.partition("@")[2] for word in words[1:] if "@" in word]
        read += [after for word, after in pairwise(words) if word == "-T"]
    written = [*_named_outputs(words, name), *_other_outputs(words, name)]
    if name in _UNPACK and not written and _is_unpacking(words, name):
        written = ["."]
    # Where the name of a file is not known, all of it must be printed to count.
    return [
        *[
            FileAccess("Read", path, sure=name not in _LOADS and (path != UNKNOWN or name in _PRINT))
            for path in read
            if path not in written
        ],
        *[FileAccess("Write", path, sure=path != ".", deep=name in _UNPACK) for path in written],
        *_files_in_code(words, stdin),
    ]


def _named_outputs(words: "Sequence[str]", name: str) -> list[str]:
    """Return the files that an option names as the place for what is printed."""
    found = list[str]()
    for word, following in pairwise([*words[1:], ""]):
        option, _, value = word.partition("=")
        letter = re.match(_OUTPUT_LETTER, word)
        is_folder = option in _FOLDERS.get(name, "").split()
        if option in _OUTPUT or (name in _UNPACK and (option in _INTO_FOLDER or re.match(_PACKS, word))):
            found.append(value or following)
        elif letter and (name in _PUTS or UNKNOWN not in (letter[1] or following)):
            found.append(letter[1] or following)
        elif is_folder or (name in SEARCHERS and word in _OUTPUT_OF_SEARCH):
            found.append(f"{value or following}/{UNKNOWN}" if is_folder else following)
    return [path for path in found if path and not path.startswith("-")]


def _other_outputs(words: "Sequence[str]", name: str) -> "Sequence[str]":
    """Return the files that a script of awk or sed writes, a download, or a program's second operand."""
    script = "\n".join(words[1:])
    if name == "awk":
        return re.findall(_AWK_PUTS, script)
    if name == "sed":
        return [path for found in re.findall(_SED_PUTS, script) for path in found if path]
    if name in _CARRIERS and not _CARRYING.isdisjoint(words[1:4]):
        return [target for target in operands_of(words)[-1:] if ":" not in target]
    second = operands_of(words, _SECOND[name])[1:2] if name in _SECOND else []
    return [f"{path}{UNKNOWN}" if name == "split" else path for path in second]


_AWK_PUTS = r"""\bprintf?\b[^;}\n|]*?>>?\s*["']([^"'\n]+)["']"""
_SED_PUTS = r"""(?m)(?:^|[;{}0-9$/!,])\s*[wW]\s+(\S+)|/[gpiIme0-9]*w\s+(\S+)"""


_NAMES_ONLY = r"-[a-zA-Z]*l|--files-with"


def paths_printed_by(words: "Sequence[str]", directory: str) -> str | None:
    """Return the files whose names a command prints, as far as they are known; None for any other."""
    name = program(words[0])
    if name == "pwd":
        return directory or None
    if name == "mktemp":
        given = [] if "-t" in words else operands_of(words, "-p --tmpdir --suffix")
        return "\n".join([path.rstrip("X") + UNKNOWN for path in given]) or f"{TEMPORARY}{UNKNOWN}"
    if name == "date" and words[-1][:1] == "+":
        number = re.sub(r"%-?[A-Za-z]", "0", words[-1][1:])
        return None if re.search(f"[A-Za-z{UNKNOWN}]", number) else number
    if name == "git":
        rest, _ = command_of(words, "")
        given = [one for one in operands_of(rest, "-x -X") if rest[0] == "ls-files" and one[0] != ":"]
        # Its star goes through folders.
        found = [
            one.replace("*", UNKNOWN)
            if "*" in one or "." in one.rpartition("/")[2].strip(".")
            else f"{one.rstrip('/')}/{UNKNOWN}"
            for one in given
        ]
    elif name == "ls":
        found = [path for path in operands_of(words) if "*" in path]
    elif name in ("grep", "egrep", "rg", "ag") and any(re.match(_NAMES_ONLY, word) for word in words):
        found = [f"{path.rstrip('/')}/{UNKNOWN}" for path in _files(words, _SCRIPTED[name])]
    else:
        return None
    return "\n".join(found) or None


def _is_unpacking(words: "Sequence[str]", name: str) -> bool:
    """Tell whether an archive is unpacked, and not packed, listed or printed."""
    options = [word for at, word in enumerate(words[1:]) if word[:1] == "-" or (at == 0 and name != "unzip")]
    letters = "".join([word for word in options if word[:2] != "--"])
    if name == "unzip":
        return not {*"lpctvZ"} & {*letters}
    if name in ("cpio", "pax"):
        return ("i" if name == "cpio" else "r") in letters and "t" not in letters
    if name == "7z":
        return words[1:2] in (["x"], ["e"], ("x",), ("e",))
    if "O" in letters or any(word.startswith("--to-") for word in options):
        return False
    return "x" in letters or not {"--extract", "--get"}.isdisjoint(options)


def _patched_files(words: "Sequence[str]", named: list[str], stdin: str) -> list[FileAccess]:
    """Return the files that a patch in the command changes, with the lines that it adds."""
    text = "\n".join([line[1:] for line in stdin.split("\n") if line[:1] == "+"])
    found = [*named, *re.findall(_PATCHED, stdin)]
    if not found and not _ONLY_CHECKS & {*words} and (UNKNOWN in stdin or not stdin):
        return _write(["."], sure=False, deep=True)  # what is in the patch is not known
    return _write(found, text)


_ONLY_CHECKS = frozenset({"--check", "--stat", "--numstat", "--summary", "--dry-run", "--help", "--version"})
_PATCHED = r"(?m)^(?:\+\+\+ (?:b/)?|\*\*\* (?:Update|Add|Delete) File: )(\S+)"


def _files_of_git(rest: list[str], stdin: str) -> list[FileAccess]:
    """Return the files of a git command, given from its name on."""
    verb = word_at(rest, 0)
    if verb in ("apply", "am"):
        return _patched_files(rest, [], stdin)
    if verb == "mv":
        return [file for file in _copied_files(rest) if file.tool == "Write"]
    deep = verb != "rm" or _is_recursive(rest)
    return [
        *_write(_discarded_by_git(verb, rest), "", sure=False, deep=deep),
        *_write(_made_by_git(verb, rest)),
        *_read(filter(None, [path.rpartition(":")[2] for path in _shown_by_git(verb, rest)])),
    ]


def _discarded_by_git(verb: str, rest: list[str]) -> "Sequence[str]":
    """Return the files and folders that git puts back as they were, or removes."""
    if verb == "checkout" and "--" in rest:
        return rest[rest.index("--") + 1 :]
    if verb in ("checkout", "restore"):
        paths = [] if "--staged" in rest else operands_of(rest, "-s --source -b -B --orphan")
        return [path for path in paths if verb == "restore" or UNKNOWN not in path]  # as in `$BRANCH`
    spares_ignored = verb == "clean" and not any("x" in one.lower() for one in rest)
    return [] if spares_ignored else discarded_paths(rest)


def _made_by_git(verb: str, rest: list[str]) -> "Sequence[str]":
    """Return the folder of a new checkout, or the file of settings that is not git's own."""
    operands = operands_of(rest, "-b -B -o --branch --depth --origin --reference")
    if verb == "clone" or (verb == "worktree" and operands[:1] == ["add"]):
        return [f"{path}/{UNKNOWN}" for path in operands[1:2]]
    reads = any(word in ("--get", "--list", "-l", "--get-all") for word in rest)
    given = [] if verb != "config" or reads else pairwise(rest)
    return [after for word, after in given if word in ("-f", "--file")]


def _shown_by_git(verb: str, rest: list[str]) -> "Sequence[str]":
    """Return the files of which git shows the text, as it is or as it was."""
    if verb in ("show", "blame", "annotate", "cat-file") or "--no-index" in rest:
        return operands_of(rest)
    # A word may as well be a branch.
    shows = verb == "diff" or (verb == "log" and not {"-p", "--patch"}.isdisjoint(rest))
    return rest[rest.index("--") + 1 :] if shows and "--" in rest else []


def _is_recursive(words: "Sequence[str]") -> bool:
    return "--recursive" in words or not {*"rRa"}.isdisjoint(short_letters(words[1:]))


def _files(words: "Sequence[str]", valued: str | None) -> list[str]:
    """Return the operands without the script that comes first, unless an option gives it."""
    if valued is None:
        return operands_of(words, short=True)
    options = [word for word in words[1:] if re.match(_GIVES_SCRIPT, word)]
    scripts = [word for word in options if not word.endswith(("f", "file"))]
    return operands_of(words, " ".join([valued, *scripts]))[0 if options else 1 :]


def _copied_files(words: "Sequence[str]") -> list[FileAccess]:
    operands = operands_of(words, _COPIES[program(words[0])])
    if not operands:
        return []
    *sources, target = operands
    for word, following in pairwise([*words[1:], ""]):
        if word == "-t" or word.startswith("--target-directory"):
            sources = [one for one in (*sources, target) if one != following]
            target = word.partition("=")[2] or following
    name, moves = program(words[0]), program(words[0]) == "mv"
    moved = _write(sources, "", deep=True) if moves else []
    read = [FileAccess("Read", one) for one in sources]
    if name in ("scp", "rsync") and ":" in target:
        return read  # which is on another machine
    is_folder = target.endswith(("/", ".")) or len(sources) > 1
    deep = not moves and name != "ln" and _is_recursive(words)
    fills = deep and (not is_folder or any(one.endswith(("/", "/.", "/*")) for one in sources))
    put = [FileAccess("Write", target, deep=fills, source=word_at(sources, 0))]
    for source in sources if is_folder else ():
        own = source.rstrip("/").rpartition("/")[2]
        put.append(FileAccess("Write", f"{target}/{own}", deep=deep or moves, source=source))
    return [*read, *moved, *put]


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


def _files_in_code(words: "Sequence[str]", stdin: str) -> list[FileAccess]:
    """Return the files that may be meant by the strings of code that an interpreter is given here."""
    code = code_in(words, "" if stdin == UNKNOWN else stdin)
    names = [*dict.fromkeys(re.findall(_STRING, code))][:64]
    only_read = {*re.findall(_READ, code)}
    changed = [name for name in names if name not in only_read] if re.search(_CHANGES, code) else []
    text = None if re.search(_BRINGS, code) else code
    return [
        *[FileAccess("Read", name, None, sure=False) for name in names],
        *[FileAccess("Write", name, text, sure=False) for name in changed],
    ]


_REPLACES = r"(?:^|[;{}\n0-9$/ ,!])s([^\w\s\\])(?:\\.|(?!\1).)*\1((?:\\.|(?!\1).)*)\1"
_ADDS = r"(?:^|[;{}\n0-9$/ ])[aic](?:\\\s*|\s+)(.+)"

_FROM_FILE = r"-[nErsiz]*f|--file\b"


def _text_put_by(words: "Sequence[str]") -> str | None:
    """Return what the script of an editing command puts into files; None when that cannot be told."""
    if any(re.match(_FROM_FILE, word) for word in words[1:]):
        return None
    scripts = "\n".join(words[1:])
    new = [found[1] for found in re.findall(_REPLACES, scripts)]
    if program(words[0]) == "sed":
        return "\n".join([*new, *re.findall(_ADDS, scripts)])
    return "\n".join(new) if new else None


def changed_files(text: str, directory: str, home: str) -> list[str]:
    """Return the full paths that a command changes when it runs in a directory, as far as they are known."""
    seen = list[Invocation]()
    done = interpret(text, directory, seen.append, home)
    changed = [
        absolute_path(file.path, one.directory)
        for one in seen
        for file in files_of(one.words, one.stdin)
        if file.tool == "Write" and file.path != "."
    ]
    written = [file.path for file in done.accesses if file.tool == "Write"]
    full = [in_home(path, home) for path in (*written, *changed)]
    return list(dict.fromkeys(path for path in full if UNKNOWN not in path))
