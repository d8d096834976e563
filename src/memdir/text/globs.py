"""The globs of a rule's `paths:`, read as git reads .gitignore, after brace expansion and whatever the case.

git's rules hold to the letter, also where they surprise: the last glob that fits decides and `!` takes back,
but what is inside a folder that fits cannot be taken back.

A host waits for this module: it imports late.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from memdir.text.value import value_class
from memdir.text.wildmatch import Malformed, path_bytes, wildmatch

__all__ = ["MOST_GLOBS", "Globs", "PathGlobs", "globs_in"]

MOST_GLOBS = 1_000
"""Globs of one rule after brace expansion: a product of braces grows fast, and nobody means this many."""

_MOST_CHARACTERS = 20_000
"""Characters of these globs in all: what can be made ready in a fraction of a second."""

_MOST_BRACES = 32
"""Braces in one glob: they may stand inside each other, and reading them that way takes one call for each."""


@value_class(frozen=True, slots=True)
class Globs:
    """Which files, by their path from one folder, a rule is about."""

    patterns: tuple[str, ...] = ()
    relaxed: bool = False
    """Read as the `paths:` of an instruction: all that is in a folder is the folder, wherever it is; braces
    with one item are that item, and so is a range such as {1..3}."""

    @property
    def conditional(self) -> bool:
        """Tell whether they restrict anything: none at all, or only `**`, do not."""
        return any(_relax(one) not in _ANY if self.relaxed else one != "**" for one in self.patterns)

    @property
    def problems(self) -> tuple[str, ...]:
        """Say of each glob that can match nothing why not."""
        return _read(self.patterns, self.relaxed)[1]

    def matches(self, path: str) -> bool:
        """Tell whether a file is meant; its path is relative, with slashes, and need not exist."""
        parts = path_bytes(path).lower().split(b"/")
        if any(part in _NO_NAMES for part in parts):
            return False
        globs, _ = _read(self.patterns, self.relaxed)
        entries = (b"/".join(parts[: depth + 1]) for depth in range(len(parts)))
        return any(
            _last_match(globs, entry, name, folder=depth < len(parts))
            for depth, (entry, name) in enumerate(zip(entries, parts, strict=True), 1)
        )


@value_class(frozen=True, slots=True)
class PathGlobs:
    """Globs on absolute paths, each for the whole path; braces are expanded, and case counts."""

    patterns: tuple[str, ...] = ()

    def matches(self, path: str) -> bool:
        """Tell whether the path is meant by any of them, or is written out as one."""
        return path in self.patterns or any(
            one.match(path_bytes(path)) for one in _full_patterns(self.patterns)
        )


def globs_in(value: str) -> list[str]:
    """Return the globs of a comma-separated value; commas inside braces belong to their glob."""
    found, depth, start, at = list[str](), 0, 0, 0
    for token in _TOKEN.finditer(value):
        at, sign = token.start(), token[0]
        depth = max(0, depth + (sign == "{") - (sign == "}"))
        if sign == "," and not depth:
            found.append(value[start:at])
            start = at + 1
    return [glob for part in [*found, value[start:]] if (glob := _unquote(part.strip()))]


_TOKEN = re.compile(r"\\.|[{},]", re.DOTALL)
_ONE_ITEM = re.compile(r"(?<!\\)\{([^{},]+)\}")
_ANY = frozenset({"", "**"})
_NO_NAMES = frozenset({b"", b".", b".."})
_NOWHERE = re.compile(r"!?(?:\./|~/|(?:[^/]*/)*\.\.?(?:/|\Z))")


@value_class(frozen=True, slots=True)
class _Glob:
    expression: re.Pattern[bytes]
    negated: bool
    folders_only: bool
    by_name: bool
    """Without a slash a glob is about names in any folder."""


def _last_match(globs: tuple[_Glob, ...], entry: bytes, name: bytes, *, folder: bool) -> bool:
    """Tell whether the last glob that fits this file or folder means it."""
    for glob in reversed(globs):
        if glob.folders_only and not folder:
            continue
        if glob.expression.match(name if glob.by_name else entry):
            return not glob.negated
    return False


@lru_cache(maxsize=256)
def _read(patterns: tuple[str, ...], relaxed: bool) -> tuple[tuple[_Glob, ...], tuple[str, ...]]:
    """Return the globs, and of each that can match nothing why not."""
    globs, problems = list[_Glob](), list[str]()
    for pattern, plain in _expand(map(_single, patterns) if relaxed else patterns):
        glob = plain if isinstance(plain, Malformed) else _glob(_relax(plain) if relaxed else plain)
        if isinstance(glob, Malformed):
            problems.append(f"{pattern[:80]!r} matches nothing: {glob.because}.")
        else:
            globs.append(glob)
    return tuple(globs), tuple(dict.fromkeys(problems))


@lru_cache(maxsize=8)
def _full_patterns(patterns: tuple[str, ...]) -> tuple[re.Pattern[bytes], ...]:
    plain = [one for _, one in _expand(patterns) if not isinstance(one, Malformed)]
    read = [wildmatch(f"{one}**" if one.endswith("/") else one, fold=False) for one in plain]
    return tuple([one for one in read if not isinstance(one, Malformed)])


def _expand(patterns: Iterable[str]) -> Iterator[tuple[str, str | Malformed]]:
    """Yield each pattern with what it expands to, within what one rule may have."""
    count, characters = 0, 0
    for pattern in patterns:
        plain = _braces(pattern) if "{" in pattern else [pattern]
        many = plain is None or count + len(plain) > MOST_GLOBS
        if plain is None or many or characters + sum(map(len, plain)) > _MOST_CHARACTERS:
            yield pattern, Malformed(f"it makes more than {MOST_GLOBS:,} globs, or too long ones")
            continue
        count, characters = count + len(plain), characters + sum(map(len, plain))
        yield from ((pattern, one) for one in plain)


def _braces(pattern: str) -> list[str] | None:
    """Return what the braces expand to, or None when that is too much."""
    if (
        pattern.count("{") > _MOST_BRACES
        or len(pattern) > _MOST_CHARACTERS
        or pattern.count(",") > MOST_GLOBS
    ):
        return None
    import bracex

    try:
        return bracex.expand(pattern, keep_escapes=True, limit=MOST_GLOBS)
    except (bracex.ExpansionLimitException, ValueError, OverflowError, RecursionError):
        return None


def _single(pattern: str) -> str:
    """Return a pattern in which braces have at least two items."""
    for _ in range(_MOST_BRACES if "{" in pattern else 0):
        pattern = _ONE_ITEM.sub(r"\1", pattern)
    return pattern


def _relax(glob: str) -> str:
    return glob.removesuffix("/**")


def _glob(pattern: str) -> _Glob | Malformed:
    line = _without_trailing_spaces(pattern)
    negated = line.startswith("!")
    glob = line[negated:]
    reason = _never_matches(line, glob)
    if reason:
        return Malformed(reason)
    folders_only, glob = glob.endswith("/"), glob.removesuffix("/")
    by_name = "/" not in glob
    expression = wildmatch(glob.removeprefix("/"), fold=True)
    return (
        expression if isinstance(expression, Malformed) else _Glob(expression, negated, folders_only, by_name)
    )


def _never_matches(line: str, glob: str) -> str:
    """Say why a line of this form never matches anything, or return the empty string."""
    if not glob.strip("/"):
        return "nothing is left of it"
    if line.startswith("#"):
        return "# begins a comment; write \\# for the sign"
    if "\n" in line or "\0" in line:
        return "it has a line end or a NUL in it"
    if "[" not in line and _NOWHERE.match(line):
        return "it is taken from the rule's own folder, and no path there has . or .. or ~ as a step"
    return ""


def _without_trailing_spaces(line: str) -> str:
    kept = line.rstrip(" ")
    slashes = len(kept) - len(kept.rstrip("\\"))
    return kept + " " if slashes % 2 and len(kept) < len(line) else kept


def _unquote(glob: str) -> str:
    return glob[1:-1].strip() if len(glob) > 1 and glob[0] == glob[-1] and glob[0] in "\"'" else glob
