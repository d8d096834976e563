"""What keeps agents from taking away the rules they are held to: commands that change them are noticed.

Protected are the files that hold rules, the memory directory as a whole, and the folders of our own records.
A command that only looks at them is allowed; any other that names them is asked about.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.rules.git import command_of
from memdir.rules.invocation import UNKNOWN, Interpretation, Invocation, absolute_path, program
from memdir.rules.match import is_wild, star_pattern, text_fits
from memdir.rules.paths import BaseFolders, ProtectedFiles, normal
from memdir.rules.shell.builtins import EVALUATED
from memdir.rules.shell.nested_commands import inner_command
from memdir.text.program_names import CLOSERS, EDITORS, EXECUTES, LANGUAGES, MOVERS, REMOVERS, SEARCHERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["protected_change"]


def protected_change(
    protected: ProtectedFiles,
    folders: BaseFolders,
    command: str,
    seen: "Iterable[Invocation]",
    outcome: Interpretation,
) -> str:
    """Return the words of the first command that changes what is protected; empty when none does."""
    protection, blind, searched = _Protection(protected, folders), "", False
    for invocation in seen:
        words, name = invocation.words, program(invocation.words[0])
        if _asks_memdir(words, name, protected.names) or protection.changes(invocation, name):
            return " ".join(words)
        if name in _CHANGERS and any(UNKNOWN in word for word in words[1:]):
            blind = " ".join(words)
        searched = searched or protection.is_searched(invocation, name)
    found = next((f"> {path}" for path in outcome.written if protection.covers(path)), "")
    found = found or next(
        (text for text in outcome.unread if "memdir" in text or protection.mentions(text)), ""
    )
    return found or (blind if blind and (searched or protection.mentions(command)) else "")


class _Protection:
    def __init__(self, protected: ProtectedFiles, folders: BaseFolders) -> None:
        self._directory, self._records, self._real = protected.directory, protected.records, protected.real
        self._files = {f"{protected.directory}/{file}" for file in protected.files}
        self._folders = folders

    def changes(self, invocation: Invocation, name: str) -> bool:
        words, directory = invocation.words, invocation.directory
        if name in _INTERPRETERS and self.mentions("\n".join([*words[1:], invocation.stdin])):
            return True
        paths = [
            absolute_path(path, directory) for word in words[1:] for path in {word, word.partition("=")[2]}
        ]
        if name == "git":
            rest, place = command_of(words, directory, self._folders.home)
            if self.covers(directory, *paths):
                return _LOOKS_GIT.isdisjoint(rest[:1])
            return not _DISCARD.isdisjoint(rest[:1]) and self._are_discarded(rest, place)
        if name in SEARCHERS and self._deletes_found(invocation, name):
            return True
        removed = words[1:] if _removes_below(words, name) else words[1:-1] if name in ("mv", "ln") else ()
        if any(self._holds(absolute_path(path, directory)) for path in removed if path):
            return True
        return self.covers(*paths) and not self._is_harmless(words, name, directory)

    def is_searched(self, invocation: Invocation, name: str) -> bool:
        """Tell whether a search may come upon what is protected, in a folder above it."""
        words, directory = invocation.words, invocation.directory
        if name not in SEARCHERS:
            named = words[1:] if name in _LISTERS else ()
            return any(self._holds(absolute_path(path, directory), certain=True) for path in named)
        from memdir.rules.shell.bulk_changes import name_patterns, roots_of

        names = name_patterns(words, name)
        for root in roots_of(words, name):
            path = absolute_path(root, directory)
            top = normal(path, self._folders)
            below = [step for one in self._below(path) for step in one[len(top) :].split("/") if step]
            if any(pattern == "*" or _is_named(step, pattern) for step in below for pattern in names):
                return True
        return False

    def _deletes_found(self, invocation: Invocation, name: str) -> bool:
        from memdir.rules.shell.bulk_changes import deletes_files

        return deletes_files(invocation.words) and self.is_searched(invocation, name)

    def _are_discarded(self, rest: "Sequence[str]", place: str) -> bool:
        from memdir.rules.shell.bulk_changes import discarded_paths

        return any(self._holds(absolute_path(path, place), certain=True) for path in discarded_paths(rest))

    def _below(self, path: str) -> "list[str]":
        """Return what is protected below a path that is known, the files of our records too."""
        own = [f"{record}/{file}" for record in self._records for file in _RECORDED]
        return [one for one in (*self._files, *own) if self._holds(path, one, certain=True)]

    def _is_harmless(self, words: "Sequence[str]", name: str, directory: str) -> bool:
        from memdir.rules.shell.bulk_changes import edits_in_place
        from memdir.rules.shell.files import READERS, files_of

        if edits_in_place(words) or (name in SEARCHERS and _DELETES & {*words}):
            return False
        if name in ("cp", "scp", "rsync", "install", "ln", "dd"):
            written = [file.path for file in files_of(words) if file.tool == "Write" and file.sure]
            return not self.covers(*[absolute_path(path, directory) for path in written])
        if any(name in some for some in (_LOOKS, EVALUATED, READERS)):
            return not (name == "sort" and any(word.startswith("-o") for word in words))
        return inner_command(words) is not None  # what it runs is seen by itself

    def covers(self, *paths: str) -> bool:
        """Tell whether one of these is protected, or below a folder that is."""
        for path in filter(None, paths):
            for form in self._forms(path):
                if any(_is_below(form, one) for one in self._records) or _is_protected(form, self._directory):
                    return True
                if any(_is_protected(form, one) for one in self._files):
                    return True
                if form.startswith(f"/{UNKNOWN}/") and any(
                    _is_protected(_last(form), _last(one)) for one in self._files
                ):
                    return True
        return False

    def _forms(self, path: str) -> set[str]:
        """Return a path in full, and where it leads."""
        whole = normal(path, self._folders)
        return {whole, self._real(whole) if self._real and UNKNOWN not in whole else whole}

    def _holds(self, path: str, *protected: str, certain: bool = False) -> bool:
        """Tell whether something protected lies at or below this path, which may have to be a known one."""
        protected = protected or (self._directory, *self._records, *self._files)
        forms = () if certain and UNKNOWN in path else self._forms(path)
        return any(_is_below(one, form) for one in protected for form in forms)

    def mentions(self, text: str) -> bool:
        home = self._folders.home.rstrip("/")
        places = [self._directory, *self._records]
        short = [one[len(home) + 1 :] for one in places if home and one.startswith(f"{home}/")]
        return any(one in text for one in (*places, *short, *map(_last, self._files)))


_INTERPRETERS = EDITORS.union(LANGUAGES) - {"view", "awk"}  # which are for looking
_CHANGERS = REMOVERS.union(MOVERS, CLOSERS, ("sed", "perl", "install"))
_WRITES = ("-fprint", "-fls", "-delete")
_DELETES = EXECUTES.union(_WRITES)
_LISTS = ("ls", "ll", "tree", "stat", "file", "wc", "du", "df", "md5sum", "sha1sum", "sha256sum", "lsof")
_TELLS = ("realpath", "readlink", "dirname", "basename", "which", "type", "memdir", "open", "code")
_LOOKS = frozenset((*_LISTS, *_TELLS, "mkdir", "touch"))
"""Programs that leave a file as it is, besides those that print it."""
_GIT_LOOKS = ("status", "log", "diff", "show", "blame", "grep", "ls-files", "rev-parse", "cat-file", "branch")
_LOOKS_GIT = frozenset((*_GIT_LOOKS, "add", "commit", "remote", "fetch", "push", "init", "describe"))
_DISCARD = frozenset({"clean", "checkout", "restore", "rm", "reset", "stash"})
"""Commands of git that may throw away what is in a folder."""
_VERBS = frozenset(
    {"forget", "edit", "rename", "undo", "restore", "import", "adopt", "uninstall", "ui", UNKNOWN}
)
"""Commands of memdir that may take a rule away, or open a page whose buttons do."""
_APPROVALS = frozenset({"approve", "withdraw", UNKNOWN})
"""What only the user may say of rules and instructions that others wrote."""


def _asks_memdir(words: "Sequence[str]", name: str, names: "Sequence[str]") -> bool:
    """Tell whether memdir itself is asked to change a rule."""
    rest = [*words[1:]]
    if name.startswith("python") and "-m" in rest[:-1]:
        at = rest.index("-m") + 1
        name, rest = rest[at], rest[at + 1 :]
    if name != "memdir":
        return False
    while rest and rest[0].startswith("-"):
        del rest[: 1 if "=" in rest[0] or rest[0].startswith("--v") else 2]
    if rest[:1] == ["remember"]:
        return any(word.partition("=")[2] in names or word in names for word in rest[1:])
    if rest[:1] in (["rules"], ["instructions"]):
        return len(rest) > 1 and rest[1] in _APPROVALS
    return bool(rest) and rest[0] in _VERBS


_LISTERS = frozenset({"ls", "tree", "du", "grep", "egrep", "fgrep", "rg", "ag"})
"""Programs that print the names of files in folders that they are given."""
_RECORDED = ("approvals.json", "rules", "history.git")
"""What in our records says whose a rule is."""


def _removes_below(words: "Sequence[str]", name: str) -> bool:
    """Tell whether a program takes away or closes all that is below the folders it is given."""
    if name not in CLOSERS:
        return name in REMOVERS or (name == "rsync" and any(word.startswith("--del") for word in words))
    return any(word == "--recursive" or (word[:1] == "-" != word[1:2] and "R" in word) for word in words)


def _is_named(step: str, pattern: str) -> bool:
    """Tell whether a search for names takes this one."""
    wild = star_pattern(pattern).lower()
    return text_fits(wild, step) if "*" in wild else wild == step.lower()


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _is_protected(path: str, protected: str) -> bool:
    """Tell whether a path, perhaps with wildcards, is or may be the protected one."""
    return path.count("/") == protected.count("/") and _is_below(path, protected)


def _is_below(path: str, top: str) -> bool:
    """Tell whether a path is the same as another or lies below it; wildcards in both count."""
    if path == top or path.startswith(f"{top}/"):
        return True
    steps, above = path.split("/"), top.split("/")
    if len(steps) < len(above) or not is_wild(path + top):
        return False
    return all(_may_be(step, other) for step, other in zip(steps, above, strict=False))


def _may_be(one: str, other: str) -> bool:
    if one == other:
        return True
    wild, plain = (one, other) if is_wild(one) else (other, one)
    if plain.startswith(".") and not wild.startswith("."):
        return False  # wildcards leave hidden files out
    pattern = star_pattern(wild)
    return "*" in pattern and text_fits(pattern, plain)
