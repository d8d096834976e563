"""The versions that a text names ("React 18", `pydantic<2`) and those that manifests state.

A host waits for this module: it imports late.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from memdir.resources import read_table, rows_of
from memdir.verify.claims.mentions import Claim

__all__ = ["fits", "is_version_file", "same_name", "stated_versions", "versions_in"]

OWN = ""
"""The name of the project's own version."""


def versions_in(text: str) -> Iterator[tuple[Claim, int, int]]:
    """Yield what looks like a name with a version, with its place; whether it is one, the manifests tell.

    A claim has the name, empty for the project's own version, and the number with its operator: `<2`.
    """
    for match in _NAMED.finditer(text):
        name = match["name"] or match["code"] or match["glued"]
        operator = "" if (match["operator"] or "") in _PLAIN else match["operator"]
        number = match["number"] or match["joined"]
        first, _, last = name.rpartition(" ")
        for one in dict.fromkeys(
            (name, last, *([first] if first and re.fullmatch(rf"{_NOUN}|is|at|to|on|stays", last) else []))
        ):
            if one and one.lower() not in _ORDINARY:
                yield _version(one, operator + number, match)
    for match in _OWN.finditer(text):
        yield _version(OWN, match["number"], match)


def _version(name: str, version: str, match: re.Match[str]) -> tuple[Claim, int, int]:
    return Claim("version", match[0].strip("`"), name, version, sure=False), *match.span()


def fits(version: str, stated: str) -> bool:
    """Tell whether a manifest's value agrees with a version: `18` fits `^18.2.0`, `<2` fits `>=1.10,<2`."""
    operator, number = _OPERATOR.fullmatch(version).groups()  # type: ignore[union-attr]
    terms = [(sign or "", one) for sign, one in _TERM.findall(stated)]
    if operator and operator != "==":
        return any(sign == operator and _agree(number, one, exact=True) for sign, one in terms)
    exact = operator == "=="
    return any(sign not in _BELOW and _agree(number, one, exact=exact) for sign, one in terms)


def same_name(named: str, stated: str) -> str:
    """Return how a name of a text agrees with one of a manifest: exact, begins, or empty for not at all."""
    plain, other = _plain(named), _plain(stated)
    if plain == other:
        return "exact"
    return "begins" if len(plain) > 2 and other.startswith(f"{plain}-") else ""


def is_version_file(path: str) -> bool:
    """Tell whether a file can state versions."""
    return _reader(path) is not None


def stated_versions(text: str, path: str) -> list[tuple[str, str]]:
    """Return each name that a manifest states a version of, with the value; a broken one states none."""
    reader = _reader(path)
    try:
        return [(name, value) for name, value in reader(text) if _TERM.search(value)] if reader else []
    except (ValueError, TypeError, AttributeError, RecursionError):
        return []


_NUMBER = r"(?P<number>\d+(?:\.\d+){0,3})(?:\.[x*]|(?:-[A-Za-z][\w.]*+)++)?\+?(?![\w/%:-]|\.\d)"
_NOUN = (
    r"(?:provider|plugin|runtime|toolchain|image|images|server|client|library|framework|compiler|cluster|database"
    r"|SDK|API|CLI|constraint|driver|wrapper|base image|container|release|LTS)"
)
_LINK = r"(?: (?:is|are|stays|remains)(?: (?:pinned|held|kept|fixed))?)?(?: (?:at|on|to))?"
_NAMED = re.compile(
    r"(?:(?<![\w/@.-])(?P<name>(?:[A-Z][\w.+-]* )?@?[A-Za-z][\w./+-]*|\.NET)|`(?P<code>@?[A-Za-z][\w./+-]*)`)"
    r"(?:(?: (?=[<>=]))?(?P<operator><=|>=|==|~=|~>|[<>^~@:]|-(?=\d+\.\d))(?:(?<=[<>=]) )?"
    rf"|(?: {_NOUN}){{0,2}}{_LINK} (?:versions? |[<>]=? ?|v(?=\d))?)v?{_NUMBER}"
    rf"|(?<![\w.-])(?P<glued>[Gg]o|[Pp]ython|node|java|jdk|php|ruby)(?P<joined>\d+(?:\.\d+)+)(?![\w-]|\.\d)"
)
_OWN = re.compile(
    r"\b(?:(?:at|on|is|current|now) (?:version |v(?=\d))"
    r"|(?:crate|package|project|app|library|service|repo|we|tool|plugin) (?:is|are) (?:now )?(?:at|on) v?"
    r"(?=\d+\.\d))" + _NUMBER,
    re.IGNORECASE,
)
_OPERATOR = re.compile(r"(\D*)(.*)")
_TERM = re.compile(r"(<=|>=|==|~=|~>|!=|[<>^~])?\s*(?<![\w.])v?(\d+(?:\.\d+)*)")
_PLAIN, _BELOW = frozenset({"", "@", ":", "-", ">=", "^", "~", "~=", "~>"}), frozenset({"<", "<=", "!="})
_TABLE = read_table(__file__, "versions.txt")
_ORDINARY = frozenset(" ".join(_TABLE["ordinary"]).split())
_ALIASES = rows_of(_TABLE["aliases"])


def _agree(number: str, stated: str, *, exact: bool) -> bool:
    one, other = ([int(part) for part in text.split(".")] for text in (number, stated))
    if exact:
        size = max(len(one), len(other))
        return one + [0] * (size - len(one)) == other + [0] * (size - len(other))
    size = min(len(one), len(other))
    return one[:size] == other[:size]


def _plain(name: str) -> str:
    """Return a name for comparison: lower case, one kind of sign between words, without what all have."""
    name = _ALIASES.get(name.lower(), name.lower()).rpartition("/")[2]
    return re.sub(r"[\W_]+", "-", re.sub(r"\.js$|(?<=node)js$|\[.*", "", name)).strip("-")


def _package(text: str) -> Iterator[tuple[str, str]]:
    import json  # a prompt waits for this module, and few claims need it

    data = json.loads(text)
    for table in (*_TABLES, "engines", "volta", "require", "require-dev"):
        yield from _pairs(data.get(table))
    manager, _, version = str(data.get("packageManager", "")).partition("@")
    yield from ((manager, version), (OWN, str(data.get("version", ""))))


_TABLES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")


def _pyproject(text: str) -> Iterator[tuple[str, str]]:
    import tomllib

    data = tomllib.loads(text)
    project, tool = data.get("project", {}), data.get("tool", {})
    groups = [*project.get("optional-dependencies", {}).values(), *data.get("dependency-groups", {}).values()]
    for line in [*project.get("dependencies", ()), *(one for group in groups for one in group)]:
        yield from _requirements(str(line))
    yield from (("python", str(project.get("requires-python", ""))), (OWN, str(project.get("version", ""))))
    poetry = tool.get("poetry", {})
    yield from ((OWN, str(poetry.get("version", ""))), *_pairs(poetry.get("dependencies")))
    for group in poetry.get("group", {}).values():
        yield from _pairs(group.get("dependencies"))


def _cargo(text: str) -> Iterator[tuple[str, str]]:
    import tomllib

    data = tomllib.loads(text)
    for holder in (data, data.get("workspace", {})):
        for table in ("dependencies", "dev-dependencies", "build-dependencies"):
            yield from _pairs(holder.get(table))
    package = data.get("package", {})
    yield from (("rust", str(package.get("rust-version", ""))), (OWN, str(package.get("version", ""))))
    yield "edition", str(package.get("edition", ""))


def _pairs(table: object) -> Iterator[tuple[str, str]]:
    for name, value in table.items() if isinstance(table, Mapping) else ():
        yield str(name), str(value.get("version", "") if isinstance(value, Mapping) else value)


def _requirements(text: str) -> Iterator[tuple[str, str]]:
    for match in _REQUIREMENT.finditer(text):
        yield match[1], match[2]


def _dockerfile(text: str) -> Iterator[tuple[str, str]]:
    """Read the images of a build; an argument stands for its default."""
    given = dict(re.findall(r"^ARG (\w+)=[\"']?([\w./:-]+)", text, re.MULTILINE))
    text = re.sub(r"\$\{?(\w+)\}?", lambda found: given.get(found[1], found[0]), text)
    yield from _version_reader((r"^FROM (?:--\S+ )*(?:\S+/)?([\w-]+):(\d[\d.]*)",), text)


def _version_reader(patterns: Iterable[str], text: str) -> Iterator[tuple[str, str]]:
    """Read a name and a value, or under a fixed name a value, from each match."""
    for pattern in patterns:  # compiled when they are used: a prompt waits for this module
        for match in re.finditer(pattern.replace("<image>", _IMAGE), text, re.MULTILINE):
            fixed = [(name, value) for name, value in match.groupdict().items() if value]
            yield from fixed or [(match[1], match[2])]


_REQUIREMENT = re.compile(
    r"^[ \t]*([A-Za-z][\w.-]*)(?:\[[^\]]*\])?[ \t]*((?:[<>=!~]=?=?[ \t]*[\w.*]+,?[ \t]*)+)", re.MULTILINE
)
_DEFAULT = r"(?:\$\{\w+:?-)?"
"""What stands before a value that a variable may replace: `${TAG:-7}`."""
_IMAGE = rf"^[ \t-]*(?:image|container): *[\"']?{_DEFAULT}(?:\S+/)?([\w-]+):{_DEFAULT}(\d[\d.]*)"
_READERS: dict[str, Callable[[str], Iterator[tuple[str, str]]]] = {
    r"(?:.*/)?(?:package|composer)\.json": _package,
    r"(?:.*/)?pyproject\.toml": _pyproject,
    r"(?:.*/)?Cargo\.toml": _cargo,
    r"(?:.*/)?(?:(?:requirements|constraints)[^/]*\.txt|requirements/[^/]+\.txt)": _requirements,
    r"(?:.*/)?(?:[^/]+\.)?(?:[Dd]ocker|[Cc]ontainer)file(?:[._-][^/]*)?": _dockerfile,
    **{
        f"(?:.*/)?(?:{name})": partial(_version_reader, rows)
        for name, rows in read_table(__file__, "version_files.txt").items()
    },
}
"""For each form of a file's name what reads the versions in it."""


def _reader(path: str) -> Callable[[str], Iterator[tuple[str, str]]] | None:
    return next((reader for name, reader in _READERS.items() if re.fullmatch(name, path)), None)
