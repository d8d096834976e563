"""What keeps agents from taking away the rules they are held to: commands that change them are noticed.

Protected are the files that hold rules, the memory directory as a whole, and the folders of our own records.
A command that only looks at them is allowed; any other that names them is asked about.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.rules.git import command_of
from memdir.rules.invocation import UNKNOWN, Invocation, absolute_path, short_letters, word_at
from memdir.rules.match import star_pattern, text_fits
from memdir.rules.paths import BaseFolders, ProtectedFiles, normal
from memdir.rules.shell.builtins import EVALUATED
from memdir.rules.shell.bulk_changes import (
    deletes_files,
    discarded_paths,
    edits_in_place,
    name_patterns,
    roots_of,
)
from memdir.rules.shell.nested_commands import inner_command
from memdir.text.program_names import (
    CLOSERS,
    EDITORS,
    EXECUTES,
    LANGUAGES,
    MOVERS,
    REMOVERS,
    SEARCHERS,
    names_of,
    program,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memdir.rules.shell.interpreter import Shell

__all__ = ["protected_change"]

_INTERPRETERS = EDITORS.union(LANGUAGES) - {"view", "awk"}  # which are for looking
_CHANGERS = REMOVERS.union(MOVERS, CLOSERS, ("sed", "perl", "install"))
_DELETES = EXECUTES.union(("-fprint", "-fls", "-delete"))
_LISTERS, _LOOKS = names_of("listers"), names_of("lookers")
_GIT_LOOKS = names_of("git lookers")
_RECORDED = ("approvals.json", "rules", "history.git")
"""What in our records says whose a rule is."""


def protected_change(
    protected: ProtectedFiles,
    folders: BaseFolders,
    command: str,
    seen: "Iterable[Invocation]",
    shell: "Shell",
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
    for file in shell.accesses:
        if file.tool == "Write" and protection.covers(file.path):
            return f"> {file.path}"
    for text in shell.unread:
        if "memdir" in text or protection.mentions(text):
            return text
    return blind if searched or protection.mentions(command) else ""


class _Protection:
    def __init__(self, protected: ProtectedFiles, folders: BaseFolders) -> None:
        self._folders, self._real, self._records = folders, protected.real, protected.records
        self._directory = protected.directory
        self._files = [f"{protected.directory}/{file}" for file in protected.files]

    def changes(self, invocation: Invocation, name: str) -> bool:
        """Tell whether a command changes something protected, takes it away, or may do so."""
        words, directory = invocation.words, invocation.directory
        if name in _INTERPRETERS and self.mentions("\n".join([*words[1:], invocation.stdin])):
            return True
        named = [path for word in words[1:] for path in {word, word.partition("=")[2]}]
        is_named = self.covers(*[absolute_path(path, directory) for path in named])
        if name == "git":
            rest, place = command_of(words, directory, self._folders.home)
            if is_named or self.covers(directory):
                return _GIT_LOOKS.isdisjoint(rest[:1])
            discarded = [absolute_path(path, place) for path in discarded_paths(rest)]
            return any(self._holds(path) for path in discarded if UNKNOWN not in path)
        if name in SEARCHERS and deletes_files(words) and self.is_searched(invocation, name):
            return True
        removed = words[1:] if _removes_below(words, name) else words[1:-1] if name in ("mv", "ln") else ()
        if any(self._holds(absolute_path(path, directory)) for path in removed if path):
            return True
        return is_named and not self._is_harmless(words, name, directory)

    def is_searched(self, invocation: Invocation, name: str) -> bool:
        """Tell whether a search may come upon what is protected, in a folder above it."""
        words, folders = invocation.words, list[str]()
        if name in SEARCHERS:
            folders = [*roots_of(words, name)]
        elif name in _LISTERS:
            folders = [*words[1:]]
        patterns = [star_pattern(one).lower() for one in name_patterns(words, name)]
        records = [f"{record}/{file}" for record in self._records for file in _RECORDED]
        for folder in folders:
            path = absolute_path(folder, invocation.directory)
            top = len(normal(path, self._folders))
            found = [
                one for one in (*self._files, *records) if UNKNOWN not in path and self._holds(path, one)
            ]
            steps = [step.lower() for one in found for step in one[top:].split("/") if step]
            if any(text_fits(one, step) if "*" in one else one == step for step in steps for one in patterns):
                return True
        return False

    def _is_harmless(self, words: "Sequence[str]", name: str, directory: str) -> bool:
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
        for form in [form for path in paths if path for form in self._forms(path)]:
            if any(_is_below(form, one) for one in self._records):
                return True
            exact = [(form, one) for one in (self._directory, *self._files)]
            if form.startswith(f"/{UNKNOWN}/"):
                exact += [(_last(form), _last(one)) for one in self._files]
            if any(one.count("/") == other.count("/") and _is_below(one, other) for one, other in exact):
                return True
        return False

    def _forms(self, path: str) -> set[str]:
        """Return a path in full, and where it leads."""
        whole = normal(path, self._folders)
        return {whole, whole if UNKNOWN in whole else self._real(whole)}

    def _holds(self, path: str, *protected: str) -> bool:
        """Tell whether something protected lies at or below a path."""
        protected = protected or (self._directory, *self._records, *self._files)
        return any(_is_below(one, form) for one in protected for form in self._forms(path))

    def mentions(self, text: str) -> bool:
        """Tell whether a text names something protected, in full or from the home on."""
        home = f"{self._folders.home.rstrip('/')}/"
        places = [self._directory, *self._records]
        short = [one[len(home) :] for one in places if home != "/" and one.startswith(home)]
        return any(one in text for one in (*places, *short, *map(_last, self._files)))


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
        holds_value = "=" in rest[0] or rest[0].startswith("--v")  # --verbose and --version take none
        del rest[: 1 if holds_value else 2]
    verb = word_at(rest, 0)
    if verb == "remember":
        return any(word.partition("=")[2] in names or word in names for word in rest[1:])
    return word_at(rest, 1) in _APPROVALS if verb in ("rules", "instructions") else verb in _VERBS


def _removes_below(words: "Sequence[str]", name: str) -> bool:
    """Tell whether a program takes away or closes all that is below the folders it is given."""
    if name not in CLOSERS:
        return name in REMOVERS or (name == "rsync" and any(word.startswith("--del") for word in words))
    return "--recursive" in words or "R" in short_letters(words)


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _is_below(path: str, top: str) -> bool:
    """Tell whether a path is the same as another or lies below it; wildcards in both count."""
    steps, above = path.split("/"), top.split("/")
    return len(steps) >= len(above) and all(map(_may_be, steps, above))


def _may_be(one: str, other: str) -> bool:
    """Tell whether two steps may be the same; wildcards leave hidden files out."""
    wild, plain = (star_pattern(one), other) if "*" in star_pattern(one) else (star_pattern(other), one)
    hides = plain.startswith(".") and not wild.startswith(".")
    return one == other or ("*" in wild and not hides and text_fits(wild, plain))
