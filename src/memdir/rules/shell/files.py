"""Which files a program reads and changes, as far as its words tell: as Read or Write would.

A host waits for this module: it imports late and does without `typing`.
"""

import re
from itertools import pairwise

from memdir.rules.git import command_of
from memdir.rules.invocation import TEMPORARY, UNKNOWN, FileAccess, Invocation, absolute_path, program
from memdir.rules.shell.bulk_changes import discarded_paths, edits_in_place, search_results
from memdir.rules.shell.interpreter import interpret
from memdir.rules.shell.nested_commands import code_in
from memdir.text.program_names import EDITORS, REMOVERS, SEARCHERS, names_of, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["READERS", "changed_files", "files_of", "paths_printed_by"]

_PRINT = names_of("printers")
READERS = _PRINT | names_of("readers")
"""Programs that show what is in a file, or pass it on."""

_LOADS = ("source", ".")
"""Those of them that only load what is in it."""

_COPIES, _SCRIPTED = words_of("copiers with values"), words_of("scripted")
"""Programs that put files elsewhere, and those whose first word is no file, with options that take a word."""

_GIVES_SCRIPT = r"-[A-Za-z]*[ef]\Z|--(?:regexp|expression|file)\b"

_EMPTY = {
    **dict.fromkeys(REMOVERS, ""),
    "truncate": "-s -r --size --reference",
    "touch": "-d -r -t --date --reference",
    "sponge": "",
}
"""Programs that take away what is in a file, or set it anew, with options that take a word."""
_FORMAT = words_of("formatters")
"""Programs that write anew what they are given, some only with one of these words."""
_OTHER_EDITORS = frozenset({"nano", "emacs", "pico", "micro", "hx"})
_OUTPUT = ("-out", "--out", "--output", "--outfile", "--output-file", "--output-document")
_OUTPUT_LETTER = r"-[A-Za-z]*?[oO](.*)\Z"
_PUTS = frozenset({"curl", "wget", "sort", "gpg", "openssl", "gcc", "cc", "clang", "go", "rustc", "pandoc"})
"""Programs that surely mean a file by this letter; others may mean anything."""
_SQUEEZE = frozenset({"gzip", "gunzip", "bzip2", "bunzip2", "bzip", "xz", "unxz", "lzma", "compress"})
_SPARES = r"-[A-Za-z0-9]*[cklt]|--(?:stdout|to-stdout|keep|list|test)\b"
"""Programs that put another file in the place of one, and the options with which they do not."""
_SECOND, _FOLDERS = words_of("output operands"), words_of("output folders")
_CARRIERS, _CARRYING = names_of("carriers"), names_of("carrying")
_FOUND = frozenset({"-fprint", "-fprint0", "-fprintf", "-fls"})
"""Options of a search before the file into which it writes what it found."""
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
    if name in SEARCHERS and "-delete" in words:
        return [FileAccess("Write", path, "", sure=False) for path in search_results(words)]
    if name == "git" or name in _PATCH:
        return [*_changed_by_git(words), *_shown_by_git(words), *_patched_files(words, stdin)]
    if (changed := _edited_files(words, name, stdin)) is not None:
        return changed
    read = _files(words, _SCRIPTED.get(name)) if name in READERS and name != "curl" else []
    read += [word.partition("@")[2] for word in words[1:] if "@" in word] if name == "curl" else []
    read += [after for word, after in pairwise(words) if name == "curl" and word == "-T"]
    put = [*_put_out(words, name), *_put_by_script(words, name), *_download_targets(words, name)]
    if name in _UNPACK and not put and _is_unpacking(words, name):
        put = ["."]
    return [
        *[FileAccess("Read", path, sure=_shows(name, path)) for path in read if path not in put],
        *[FileAccess("Write", path, sure=path != ".", deep=name in _UNPACK) for path in put],
        *_files_in_code(words, stdin),
    ]


def _shows(name: str, path: str) -> bool:
    """Tell whether a program surely shows what is in a file: where its name is not known, all of it."""
    return name not in _LOADS and (path != UNKNOWN or name in _PRINT)


def _edited_files(words: "Sequence[str]", name: str, stdin: str) -> list[FileAccess] | None:
    """Return the files that a program changes in their place; None for one that does not."""
    if name in _EMPTY:
        text, sure = stdin if name == "sponge" else "", name not in REMOVERS
        deep = name in REMOVERS and (name != "rm" or _is_recursive(words))
        return [FileAccess("Write", path, text, sure, deep) for path in _operands(words, _EMPTY[name])]
    if name in _SQUEEZE and not any(re.match(_SPARES, word) for word in words[1:]):
        paths = _operands(words, "-S --suffix -o")
        read = [FileAccess("Read", path) for path in paths]
        return [
            *read,
            *[FileAccess("Write", path, "", sure=False, deep=_is_recursive(words)) for path in paths],
        ]
    if edits_in_place(words):
        text_put = _text_put_by(words)
        return [FileAccess("Write", path, text_put) for path in _files(words, "") if path]
    if name in EDITORS - {"view"} or name in _OTHER_EDITORS:
        files = [path for path in _operands(words, "-c --cmd -S -u") if path[:1] != "+"]
        text = "\n".join([*words[1:], stdin])
        return [
            FileAccess(tool, path, text, sure=tool == "Read") for tool in ("Read", "Write") for path in files
        ]
    told = {*_FORMAT.get(name, "").split()}
    if name in _FORMAT and (not told or told & {*words}) and not {"--check", "--diff"} & {*words}:
        text = " ".join(words)
        return [
            FileAccess("Write", path, text, sure=False) for path in _operands(words, "-l -c -p -i --config")
        ]
    return None


def _put_out(words: "Sequence[str]", name: str) -> list[str]:
    """Return the files that an option names as the place for what is printed."""
    found = list[str]()
    for word, following in zip(words[1:], [*words[2:], ""], strict=False):
        option, _, value = word.partition("=")
        letter = re.match(_OUTPUT_LETTER, word)
        if option in _OUTPUT or (name in _UNPACK and (option in _INTO_FOLDER or re.match(_PACKS, word))):
            found.append(value or following)
        elif letter and (name in _PUTS or UNKNOWN not in (letter[1] or following)):
            found.append(letter[1] or following)
        elif option in _FOLDERS.get(name, "").split():
            found.append(f"{value or following}/{UNKNOWN}")
        elif name in SEARCHERS and word in _FOUND:
            found.append(following)
    return [path for path in found if path and not path.startswith("-")]


def _put_by_script(words: "Sequence[str]", name: str) -> "Sequence[str]":
    """Return the files into which the script of awk or sed writes, or a program's second operand."""
    if name == "awk":
        return re.findall(_AWK_PUTS, "\n".join(words[1:]))
    if name == "sed":
        return [path for found in re.findall(_SED_PUTS, "\n".join(words[1:])) for path in found if path]
    put = _operands(words, _SECOND[name])[1:2] if name in _SECOND else []
    return [f"{path}{UNKNOWN}" if name == "split" else path for path in put]


_AWK_PUTS = r"""\bprintf?\b[^;}\n|]*?>>?\s*["']([^"'\n]+)["']"""
_SED_PUTS = r"""(?m)(?:^|[;{}0-9$/!,])\s*[wW]\s+(\S+)|/[gpiIme0-9]*w\s+(\S+)"""


def _download_targets(words: "Sequence[str]", name: str) -> "Sequence[str]":
    """Return where a program puts what it brings from another place."""
    if name not in _CARRIERS or _CARRYING.isdisjoint(words[1:4]):
        return []
    target = _operands(words, "")[-1]
    return [] if ":" in target else [target]


_NAMES_ONLY = r"-[a-zA-Z]*l|--files-with"


def paths_printed_by(words: "Sequence[str]") -> str | None:
    """Return the files whose names a command prints, as far as they are known; None for any other."""
    name = program(words[0])
    if name == "mktemp":
        given = [] if "-t" in words else _operands(words, "-p --tmpdir --suffix")
        return "\n".join([path.rstrip("X") + UNKNOWN for path in given]) or f"{TEMPORARY}{UNKNOWN}"
    if name == "date" and words[-1][:1] == "+":
        number = re.sub(r"%-?[A-Za-z]", "0", words[-1][1:])
        return None if re.search(f"[A-Za-z{UNKNOWN}]", number) else number
    if name == "git":
        rest, _ = command_of(words, "")
        found = [
            _git_glob(one) for one in _operands(rest, "-x -X") if rest[0] == "ls-files" and one[0] != ":"
        ]
    elif name == "ls":
        found = [path for path in _operands(words, "") if "*" in path]
    elif name in ("grep", "egrep", "rg", "ag") and any(re.match(_NAMES_ONLY, word) for word in words):
        found = [f"{path.rstrip('/')}/{UNKNOWN}" for path in _files(words, _SCRIPTED[name])]
    else:
        return None
    return "\n".join(found) or None


def _git_glob(pathspec: str) -> str:
    """Return the files that git lists for a pathspec: its star goes through folders."""
    named = "*" in pathspec or "." in pathspec.rpartition("/")[2].strip(".")
    return pathspec.replace("*", UNKNOWN) if named else f"{pathspec.rstrip('/')}/{UNKNOWN}"


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


def _patched_files(words: "Sequence[str]", stdin: str) -> list[FileAccess]:
    """Return the files that a patch in the command changes, with the lines that it adds."""
    if program(words[0]) == "git" and command_of(words, "")[0][:1] not in (["apply"], ["am"]):
        return []
    text = "\n".join([line[1:] for line in stdin.split("\n") if line[:1] == "+"])
    named = _operands(words, "-p -i -d -o -r --input --directory")[:1] if program(words[0]) == "patch" else []
    found = [*named, *re.findall(_PATCHED, stdin)]
    if not found and not _ONLY_CHECKS & {*words} and (UNKNOWN in stdin or not stdin):
        return [FileAccess("Write", ".", sure=False, deep=True)]  # what is in the patch is not known
    return [FileAccess("Write", path, text) for path in found]


_PATCH = frozenset({"patch", "apply_patch"})
_ONLY_CHECKS = frozenset({"--check", "--stat", "--numstat", "--summary", "--dry-run", "--help", "--version"})
_PATCHED = r"(?m)^(?:\+\+\+ (?:b/)?|\*\*\* (?:Update|Add|Delete) File: )(\S+)"


def _changed_by_git(words: "Sequence[str]") -> list[FileAccess]:
    """Return the files and folders that git puts back as they were, moves or removes."""
    rest, _ = command_of(words, "")
    verb = "".join(rest[:1])
    if verb == "mv":
        return [file for file in _copied_files(rest) if file.tool == "Write"]
    if verb not in ("checkout", "restore"):
        paths = (
            []
            if verb == "clean" and not any("x" in one.lower() for one in rest)
            else [*discarded_paths(rest)]
        )
    elif verb == "checkout" and "--" in rest:
        paths = rest[rest.index("--") + 1 :]
    else:
        paths = [] if "--staged" in rest else _operands(rest, "-s --source -b -B --orphan")
        paths = [path for path in paths if verb == "restore" or UNKNOWN not in path]  # as in `$BRANCH`
    deep = verb != "rm" or _is_recursive(rest)
    return [
        *[FileAccess("Write", path, "", sure=False, deep=deep) for path in paths],
        *[FileAccess("Write", path) for path in _made_by_git(rest)],
    ]


def _made_by_git(rest: "Sequence[str]") -> "Sequence[str]":
    """Return the folder of a new checkout, or the file of settings that is not git's own."""
    verb, operands = "".join(rest[:1]), _operands(rest, "-b -B -o --branch --depth --origin --reference")
    if verb == "clone":
        return [f"{path}/{UNKNOWN}" for path in operands[1:2]]
    if verb == "worktree" and operands[:1] == ["add"]:
        return [f"{path}/{UNKNOWN}" for path in operands[1:2]]
    reads = any(word in ("--get", "--list", "-l", "--get-all") for word in rest)
    given = [] if verb != "config" or reads else pairwise(rest)
    return [after for word, after in given if word in ("-f", "--file")]


def _shown_by_git(words: "Sequence[str]") -> list[FileAccess]:
    """Return the files of which git shows the text, as it is or as it was."""
    rest, _ = command_of(words, "")
    verb = "".join(rest[:1])
    if verb in ("diff", "log"):  # of which a word may as well be a branch
        shows = verb == "diff" or not {"-p", "--patch"}.isdisjoint(rest)
        paths = rest[rest.index("--") + 1 :] if shows and "--" in rest else []
        paths = _operands(rest, "") if "--no-index" in rest else paths
    else:
        paths = _operands(rest, "") if verb in ("show", "blame", "annotate", "cat-file") else []
    return [FileAccess("Read", path) for word in paths if (path := word.rpartition(":")[2])]


def _is_recursive(words: "Sequence[str]") -> bool:
    letters = [word for word in words[1:] if word[:1] == "-" != word[1:2]]
    return "--recursive" in words or any("r" in word or "R" in word or "a" in word for word in letters)


def _files(words: "Sequence[str]", valued: str | None) -> list[str]:
    """Return the operands without the script that comes first, unless an option gives it."""
    if valued is None:
        return _operands(words, "", short=True)
    options = [word for word in words[1:] if re.match(_GIVES_SCRIPT, word)]
    scripts = [word for word in options if not word.endswith(("f", "file"))]
    return _operands(words, " ".join([valued, *scripts]))[0 if options else 1 :]


def _copied_files(words: "Sequence[str]") -> list[FileAccess]:
    operands = _operands(words, _COPIES[program(words[0])])
    if not operands:
        return []
    *sources, target = operands
    for word, following in zip(words[1:], [*words[2:], ""], strict=False):
        if word == "-t" or word.startswith("--target-directory"):
            sources = [one for one in (*sources, target) if one != following]
            target = word.partition("=")[2] or following
    name, moves = program(words[0]), program(words[0]) == "mv"
    moved = [FileAccess("Write", one, "", sure=False, deep=True) for one in sources] if moves else []
    read = [FileAccess("Read", one) for one in sources]
    if name in ("scp", "rsync") and ":" in target:
        return read  # which is on another machine
    is_folder = target.endswith(("/", ".")) or len(sources) > 1
    deep = not moves and name != "ln" and _is_recursive(words)
    fills = deep and (not is_folder or any(one.endswith(("/", "/.", "/*")) for one in sources))
    put = [FileAccess("Write", target, deep=fills, source="".join(sources[:1]))]
    for source in sources if is_folder else ():
        own = source.rstrip("/").rpartition("/")[2]
        put.append(FileAccess("Write", f"{target}/{own}", deep=deep or moves, source=source))
    return [*read, *moved, *put]


def _operands(words: "Sequence[str]", valued: str, *, short: bool = False) -> list[str]:
    """Return the words that are neither options nor their values, as which `short` ones may count too."""
    values, found, before, plain = valued.split(), list[str](), "", False
    for word in words[1:]:
        if word == "--":
            plain = True
        elif plain or not word.startswith("-") or word == "-":
            is_value = before in values or (short and (word.isdigit() or len(word) < 2))
            if plain or not (before and is_value):
                found.append(word)
            before = ""
            continue
        before = word
    return found


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
    if not code:
        return []
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
    full = [home + path[1:] if path.startswith("~/") else path for path in (*done.written, *changed)]
    return list(dict.fromkeys(path for path in full if UNKNOWN not in path))
