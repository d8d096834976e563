"""What keeps agents from taking away the rules they are held to: commands that change them are noticed.

Kept are the files that hold rules, the memory directory as a whole, and the folders of our own records. What
only looks at them is let be; whatever else names them, and is not known to be harmless, is told.
"""

from memdir.core.enforce_git import Git
from memdir.core.enforce_paths import Ground, Kept, normal
from memdir.core.enforce_words import is_wild, starred, text_fits
from memdir.core.shell_invocation import UNKNOWN, Invocation, placed, program
from memdir.core.shell_plain import LEFT, PRINTS, SILENT
from memdir.core.shell_wrappers import inner_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["change_of_kept"]


def change_of_kept(
    kept: Kept, ground: Ground, command: str, seen: "Iterable[Invocation]", written: "Iterable[str]"
) -> str:
    """Return the words of the first command that changes what is kept; empty when none does."""
    custody, blind = _Custody(kept, ground), ""
    for invocation in seen:
        words, name = invocation.words, program(invocation.words[0])
        if _asks_memdir(words, name, kept.names) or custody.changes(invocation, name):
            return " ".join(words)
        if name in _CHANGERS and UNKNOWN in words[1:]:
            blind = " ".join(words)
    found = next((f"> {path}" for path in written if custody.keeps(path)), "")
    return found or (blind if blind and custody.mentions(command) else "")


class _Custody:
    def __init__(self, kept: Kept, ground: Ground) -> None:
        self._directory, self._records, self._real = kept.directory, kept.records, kept.real
        self._files = {f"{kept.directory}/{file}" for file in kept.files}
        self._ground = ground

    def changes(self, invocation: Invocation, name: str) -> bool:
        words, directory = invocation.words, invocation.directory
        bare = name.rstrip("0123456789.")
        if bare in _INTERPRETERS and self.mentions("\n".join([*words[1:], invocation.stdin])):
            return True
        paths = [placed(path, directory) for word in words[1:] for path in {word, word.partition("=")[2]}]
        if name == "git":
            form = Git(None).form(words, directory) or []
            return self.keeps(directory, *paths) and _LOOKS_GIT.isdisjoint(form[1:2])
        if name == "rm" and any(self._holds(path) for path in paths):
            return True
        if name == "mv" and any(self._holds(placed(path, directory)) for path in words[1:-1]):
            return True
        return self.keeps(*paths) and not self._is_harmless(words, name, directory)

    def _is_harmless(self, words: "Sequence[str]", name: str, directory: str) -> bool:
        from memdir.core.shell_files import READERS, edits_in_place, files_of

        if edits_in_place(words) or (name in ("find", "fd") and _DELETES & {*words}):
            return False
        if name in ("cp", "scp", "rsync", "install", "ln", "dd"):
            written = [path for tool, path in files_of(words) if tool == "Write"]
            return not self.keeps(*[placed(path, directory) for path in written])
        if any(name in some for some in (_LOOKS, LEFT, PRINTS, SILENT, READERS)):
            return not (name == "sort" and any(word.startswith("-o") for word in words))
        return inner_command(words) is not None  # what it runs is seen by itself

    def keeps(self, *paths: str) -> bool:
        """Tell whether one of these is kept, or below a folder that is."""
        for path in paths:
            whole = normal(path, self._ground) if path else ""
            forms = {whole, self._real(whole) if self._real and UNKNOWN not in whole else whole}
            for form in forms - {""}:
                if any(_is_below(form, one) for one in self._records) or _is(form, self._directory):
                    return True
                if any(_is(form, one) for one in self._files):
                    return True
                if form.startswith(f"/{UNKNOWN}/") and any(
                    _is(_last(form), _last(one)) for one in self._files
                ):
                    return True
        return False

    def _holds(self, path: str) -> bool:
        """Tell whether something kept lies at or below this path."""
        whole = normal(path, self._ground)
        kept = (self._directory, *self._records, *self._files)
        return any(_is_below(one, whole) for one in kept)

    def mentions(self, text: str) -> bool:
        home = self._ground.home.rstrip("/")
        places = [self._directory, *self._records]
        short = [one[len(home) + 1 :] for one in places if home and one.startswith(f"{home}/")]
        return any(one in text for one in (*places, *short, *map(_last, self._files)))


_EDITORS = ("ed", "ex", "vi", "vim", "nvim", "emacs")
_INTERPRETERS = frozenset(
    ("python", "perl", "ruby", "node", "bun", "deno", "php", "lua", "osascript", *_EDITORS)
)
_SPARES_LITTLE = ("rm", "mv", "unlink", "shred", "truncate", "sed", "perl", "tee", "dd")
_CHANGERS = frozenset((*_SPARES_LITTLE, "cp", "install", "rsync", "ln", "chmod", "chown"))
_WRITES = ("-fprint", "-fls", "-delete")
_DELETES = frozenset((*_WRITES, "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"))
_LISTS = ("ls", "ll", "tree", "stat", "file", "wc", "du", "df", "md5sum", "sha1sum", "sha256sum", "lsof")
_TELLS = ("realpath", "readlink", "dirname", "basename", "which", "type", "memdir", "open", "code")
_LOOKS = frozenset((*_LISTS, *_TELLS, "mkdir", "touch"))
"""Programs that leave a file as it is, besides those that print it."""
_GIT_LOOKS = ("status", "log", "diff", "show", "blame", "grep", "ls-files", "rev-parse", "cat-file", "branch")
_LOOKS_GIT = frozenset((*_GIT_LOOKS, "add", "commit", "remote", "fetch", "push", "init", "describe"))
_VERBS = frozenset({"forget", "edit", "rename", "undo", "restore", "uninstall", UNKNOWN})
"""Commands of memdir that may take a rule away."""
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


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _is(path: str, kept: str) -> bool:
    """Tell whether a path, perhaps with wildcards, is or may be the kept one."""
    return path.count("/") == kept.count("/") and _is_below(path, kept)


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
    pattern = starred(wild)
    return "*" in pattern and text_fits(pattern, plain)
