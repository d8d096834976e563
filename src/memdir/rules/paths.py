"""Whether a file is one that a rule speaks of: by its path, and by texts in quotes that are put into it.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.memories.enforce import path_and_phrases
from memdir.rules.invocation import UNKNOWN, FileAccess, word_at
from memdir.rules.match import NO, PERHAPS, YES, may_equal, star_pattern, text_fits
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BaseFolders", "ProtectedFiles", "file_fits", "normal", "path_fits"]


@value_class(frozen=True, slots=True)
class BaseFolders:
    """The folders that paths are taken from."""

    cwd: str
    root: str = ""
    """The project's; a rule's glob holds from there and from the working directory."""
    home: str = ""
    tops: tuple[str, ...] = ()
    """Further checkouts of the project, such as linked worktrees: a glob holds from each of them too."""

    @property
    def glob_roots(self) -> set[str]:
        """The folders from which the glob of a rule holds, as far as they are known."""
        return {one.rstrip("/") for one in (self.cwd, self.root, *self.tops) if one}


@value_class(frozen=True, slots=True)
class ProtectedFiles:
    """What agents may not change by themselves while there are rules."""

    directory: str
    """The memory directory, without a slash at its end."""
    files: tuple[str, ...]
    """Its files that hold rules."""
    names: tuple[str, ...]
    """How the memories in them are called."""
    records: tuple[str, ...]
    """The folders of our own records."""
    real: "Callable[[str], str]" = str
    """Resolves links."""

    def is_record(self, path: str) -> bool:
        """Tell whether a file lies in our own records."""
        folders = (*self.records, *map(self.real, self.records))
        return path.startswith(tuple([f"{folder}/" for folder in folders]))

    def marks(self) -> tuple[str, ...]:
        """Return texts of which one stands in every command that names what is protected in full."""
        return ("memdir", *[one.rpartition("/")[2] for one in (self.directory, *self.records, *self.files)])


def path_fits(pattern: str, path: str, text: str, folders: BaseFolders) -> bool:
    """Tell whether a rule means a file that gets this text; a glob without a slash holds in every folder."""
    from memdir.text.globs import Globs, PathGlobs

    glob, phrases = path_and_phrases(pattern)
    if not all(text_fits(phrase, text) for phrase in phrases):
        return False
    full = normal(path, folders)
    if glob.startswith(("/", "~/")):
        absolute = (folders.home + glob[1:] if glob[0] == "~" else glob).rstrip("/")
        return PathGlobs((absolute, f"{absolute}/**")).matches(full)
    tops = {one.rstrip("/") for one in (folders.cwd, folders.root, *folders.tops)}
    inside = [full[len(top) + 1 :] for top in tops if full.startswith(f"{top}/")]
    if not inside or "/" not in glob.rstrip("/"):
        inside.append(full[1:])
    return glob == "*" or any(Globs((glob,)).matches(one) for one in inside)


def file_fits(pattern: str, file: FileAccess, folders: BaseFolders) -> int:
    """Say whether a rule means what a command does with a file, or with whatever is in a folder."""
    glob, phrases = path_and_phrases(pattern)
    paths = {file.path, file.path.replace(UNKNOWN, "")}  # what is not known may be nothing
    inside = [f"{path}/x" for path in paths if glob.endswith("/**")]
    sure = any(path_fits(glob, path, "", folders) for path in (*paths, *inside))
    may = sure or _may_be_meant(glob, file.path, folders)
    if file.tool == "Read" and not may and file.sure and file.path == f"{folders.cwd}/{UNKNOWN}":
        return PERHAPS  # as in `cat $FILE`
    if not may and (file.tool == "Read" or not _may_reach(glob, file, folders)):
        return NO
    if phrases and not all(text_fits(phrase, file.text or "") for phrase in phrases):
        known = file.text is not None and UNKNOWN not in file.text
        # What comes from a file that the rule is about was judged when that one was written.
        return NO if known or (file.source and path_fits(glob, file.source, "", folders)) else PERHAPS
    return YES if sure and file.sure else PERHAPS


def _may_reach(glob: str, file: FileAccess, folders: BaseFolders) -> bool:
    """Tell whether a path of which a part is not known, or what is below a folder, may be a rule's file."""
    full = normal(file.path, folders)
    if not file.deep and (UNKNOWN not in full or file.path.endswith("/")):
        return False
    anchored, tops = _is_anchored(glob), folders.glob_roots
    if glob.startswith(("/", "~/")):
        glob, inside = normal(glob, folders), [full]
    else:
        inside = [full[len(top) :] for top in tops if f"{full}/".startswith(f"{top}/")]
        if file.deep and any(f"{top}/".startswith(f"{full.rstrip('/')}/") for top in tops):
            return True
    if any(f"{full}/".startswith(f"{top}/{UNKNOWN}") for top in ("", *tops)):
        inside.append("/" + full[full.index(UNKNOWN) :])  # which may lead anywhere
    wanted = _steps(glob.lower() if anchored else f"**/{glob.lower().removeprefix('**/')}")
    for path in inside:
        if path[1:2] in ("*", "?", "[") and glob.startswith("."):
            continue  # wildcards leave hidden files out
        given = [*_steps(path.lower()), *(["**"] if file.deep and (anchored or path == "/*") else [])]
        if wanted[-1] in ("*", "**") and given[-1].endswith(_THROWN_AWAY):
            continue
        below = ["**"] if glob[-1:] == "/" or (anchored and given[0] != "**") else []
        if (UNKNOWN in path or given[-1] == "**") and _can_meet([*wanted, *below], given):
            return True
    return False


def _is_anchored(glob: str) -> bool:
    """Tell whether a glob names a folder, so that it does not hold in every folder."""
    return "/" in glob.rstrip("/").removeprefix("**/")


_THROWN_AWAY = (".tmp", ".log", ".bak", ".orig", ".swp", "~", ".pyc", ".o", ".out", ".pid", ".ds_store")
"""How names end that nobody means by a rule about all that is in a folder."""


def _steps(path: str) -> list[str]:
    """Return the steps of a path or a glob: what is not known at the begin of a step may be folders too."""
    found = list[str]()
    for step in path.replace("{", "*").strip("/").split("/"):
        found += ["**"] if step.startswith(UNKNOWN) and found[-1:] != ["**"] else []
        if step.strip(UNKNOWN) or not step:
            found.append(step if step == "**" else star_pattern(step))
    return [*found, "*"] if path.endswith(UNKNOWN) and found[-1:] == ["**"] else found


_MOST_STEPS = 64


def _can_meet(one: list[str], other: list[str]) -> bool:
    """Tell whether a path can fit both; `**` in them is any number of steps."""
    if len(one) > _MOST_STEPS or len(other) > _MOST_STEPS:
        return True
    following = list[bool]()
    for at in range(len(one), -1, -1):
        row = [False] * (len(other) + 1)
        for to in range(len(other), -1, -1):
            step, their = word_at(one, at), word_at(other, to)
            row[to] = (
                (not step and not their)
                or (step == "**" and (following[to] or (bool(their) and row[to + 1])))
                or (their == "**" and (row[to + 1] or (bool(step) and following[to])))
                or (bool(step and their) and may_equal(step, their) and following[to + 1])
            )
        following = row
    return following[0]


def _may_be_meant(glob: str, path: str, folders: BaseFolders) -> bool:
    """Tell whether a path with wildcards, or in a folder that is not known, may be the one of a rule."""
    name, last = glob.rpartition("/")[2], path.rpartition("/")[2]
    if "*" not in star_pattern(path) or (UNKNOWN in last and last.replace(UNKNOWN, "") != name):
        return False
    if name.startswith(".") and not last.startswith((".", UNKNOWN)):
        return False  # wildcards leave hidden files out
    if "*" in star_pattern(glob):
        return UNKNOWN not in path and _wildcards_meet(glob, path, folders)
    tops = [""] if glob.startswith(("/", "~/")) else [f"{folders.cwd}/", f"{folders.root}/"]
    wild = star_pattern(normal(path, folders))
    return any(text_fits(wild, normal(top + glob, folders)) for top in tops)


def _wildcards_meet(glob: str, path: str, folders: BaseFolders) -> bool:
    """Tell whether a path with wildcards may be one of those that a rule with wildcards means.

    A mere star may be anything, and is no sign of that.
    """
    full, wanted = normal(path, folders), _steps(glob.lower())
    if not _is_anchored(glob):
        given = _steps(full.lower())[-1]
        return given != "*" and may_equal(wanted[-1], given)
    if wanted[-1] == "**":
        wanted.insert(-1, "*")
    inside = [full[len(top) :] for top in folders.glob_roots if full.startswith(f"{top}/")]
    paths = [_steps(one.lower()) for one in ([full] if glob[0] in "/~" else inside)]
    return any(one[0] != "*" and _can_meet(wanted, one) for one in paths if one)


def normal(path: str, folders: BaseFolders) -> str:
    """Return the path in full, with `.` and `..` taken away as text."""
    below = f"{folders.cwd}/{path}"
    at_home = path.startswith("~/") or (path == "~" and folders.home)
    whole = folders.home + path[1:] if at_home else path if path.startswith("/") else below
    steps = list[str]()
    for step in whole.split("/"):
        if step == "..":
            del steps[-1:]
        elif step not in ("", "."):
            steps.append(step)
    return "/" + "/".join(steps)
