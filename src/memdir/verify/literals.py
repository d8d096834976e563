"""Checks of strings that files hold word for word: there, gone, or with another value now.

Only what a file of the project held when the memory was saved can be gone: an option of a foreign program was
never ours.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from memdir.text.value import value_class
from memdir.verify.anchors import ABSENT, THERE
from memdir.verify.claims.definitions import is_prose
from memdir.verify.claims.mentions import Claim
from memdir.verify.claims.versions import is_version_file, same_name, stated_versions
from memdir.verify.project import MOST_MANIFESTS, CheckScope
from memdir.verify.repository import CodeLine
from memdir.verify.verdicts import ClaimVerdict

__all__ = ["judge_literals", "literal_prints"]


def judge_literals(claims: Sequence[Claim], scope: CheckScope) -> list[ClaimVerdict]:
    """Return the verdicts on what the files held when the memory was saved."""
    searches = {claim: _search(claim) for claim in claims}
    now = _lines(searches.values(), "", scope)
    then = _lines(searches.values(), scope.then, scope) if scope.then else []
    return [verdict for claim in claims for verdict in _judge(claim, searches[claim], now, then, scope)]


def literal_prints(claims: Sequence[Claim], scope: CheckScope) -> dict[Claim, str]:
    """Return for each claim whether the files hold it now."""
    searches = {claim: _search(claim) for claim in claims}
    now = _lines(searches.values(), "", scope)
    return {claim: THERE if one.matching_pattern(now) else ABSENT for claim, one in searches.items()}


@value_class(frozen=True, slots=True)
class _Search:
    """How one claim is found in lines."""

    words: tuple[str, ...]
    """A line that holds none of these says nothing of it."""
    defines: tuple[str, ...]
    """Patterns, the most exact first: the first that a line matched then is what the memory means."""
    keeps: str = ""
    """A pattern that is looser: a line that matches it now keeps the claim alive."""

    def matching_pattern(self, lines: Sequence[CodeLine]) -> tuple[str, list[str]] | None:
        """Return the pattern that lines match, and their files."""
        for pattern in self.defines:
            if files := _files(pattern, lines):
                return pattern, files
        return None


def _judge(
    claim: Claim, search: _Search, now: Sequence[CodeLine], then: Sequence[CodeLine], scope: CheckScope
) -> Iterator[ClaimVerdict]:
    held = search.matching_pattern(then)
    if held is not None and claim.owner in _PLACED and not _PLACED[claim.owner](claim, held[1], scope):
        return
    if held is None and scope.anchors.of(claim) == THERE and claim.owner not in _PLACED:
        held = search.defines[0], []
    if held is None:
        return
    pattern, files = held
    named = _named_files(files, scope) if claim.kind == "value" or claim.owner == "words" else []
    kept = _files(pattern, now) or (_files(search.keeps, now) if search.keeps else [])
    if named:
        kept = [path for path in kept if path in named or not scope.project.stands(named[0])]
    if kept:
        yield ClaimVerdict.unchanged(claim)
    elif claim.kind == "value" and (other := _other_value(claim, named or files, now)):
        yield ClaimVerdict.changed(
            claim, max(scope.commits_since(files).values(), default=0), other, stale=True
        )
    else:
        yield ClaimVerdict.gone(claim)


def _named_files(files: Sequence[str], scope: CheckScope) -> list[str]:
    """Return those of these files that the memory names."""
    paths = tuple(one.target for one in scope.claims if one.kind in {"path", "line"})
    return [path for path in files if path.endswith(paths)]


def _was_listed(claim: Claim, files: Sequence[str], scope: CheckScope) -> bool:
    """Tell whether one of these files listed a package by name then; a script or a field is none."""
    manifests = scope.texts_then([path for path in files if is_version_file(path)][:MOST_MANIFESTS])
    rows = (row for path, text in manifests.items() for row in stated_versions(text, path))
    return any(same_name(claim.target, name) == "exact" for name, _ in rows)


_PLACED: dict[str, Callable[[Claim, Sequence[str], CheckScope], bool]] = {
    "words": lambda _, files, scope: bool(_named_files(files, scope)),
    "dependency": _was_listed,
}
"""Forms that any text may have, and what tells that files mean the same by them."""


def _other_value(claim: Claim, files: Sequence[str], now: Sequence[CodeLine]) -> str:
    """Return what the name has instead, where it had the value."""
    pattern = re.compile(rf"{_before(claim.target)}(?P<value>[^\s\"',;)}}]+)")
    found = (pattern.search(line.text) for line in now if line.path in files)
    return next((match["value"] for match in found if match), "")


def _lines(searches: Iterable[_Search], commit: str, scope: CheckScope) -> list[CodeLine]:
    words = list(dict.fromkeys(word for one in searches for word in one.words))
    lines = scope.lines_with(words, commit) if words else []
    files = {path for path in {line.path for line in lines} if not is_prose(path) or is_version_file(path)}
    return [line for line in lines if line.path in files]


def _files(pattern: str, lines: Sequence[CodeLine]) -> list[str]:
    found = re.compile(pattern)
    return list(dict.fromkeys(line.path for line in lines if found.search(line.text[:_LONGEST])))


_LONGEST = 2_000
"""Characters of a line that are looked at."""
_QUOTE = "[\"'`]"


def _search(claim: Claim) -> _Search:
    return _value(claim) if claim.kind == "value" else _SEARCHES[claim.owner](claim.target)


def _before(name: str) -> str:
    """Return the pattern of a name up to its value: `name: `, `name = `, `"name": `, `NAME: int = `."""
    return (
        rf"(?<![\w-]){re.escape(name)}[\"'`\])]*(?:\s*:\s*[\w.\[\]<>]+\s*=|\s*(?::=|=>|[:=,])|\s)\s*[\"'`(]*"
    )


def _value(claim: Claim) -> _Search:
    value = re.sub(r"(?<=\d)(?=(?:\d{3})+\Z)", "_?", re.escape(claim.owner.replace("_", "")))
    return _Search((claim.target,), (rf"{_before(claim.target)}{value}(?!\w|\.\d)",))


def _option(name: str) -> _Search:
    """Search an option where it is defined: in quotes, as a case of a shell script, as a field of a class."""
    words, exact = name.split("-"), re.escape(name)
    defines = [
        rf"{_QUOTE}(?:-\w[,/| ]+)?-{{0,2}}{exact}(?:[=\s<\[]|{_QUOTE})",
        rf"--{exact}(?:=?\*?\)|\|| \))",
    ]
    several = (
        ["_".join(words), words[0] + "".join(word.title() for word in words[1:])] if len(words) > 1 else []
    )
    defines += [rf"(?<!\w){one}(?!\w)" for one in several]
    return _Search((name, *several), tuple(defines), rf"--{exact}(?![\w-])|{'|'.join(defines)}")


def _route(path: str) -> _Search:
    """Search a route in quotes; where it is put together from parts, its end counts."""
    steps = path.strip("/").split("/")
    ends = ["/" + "/".join(steps[at:]) for at in range(len(steps)) if len("/".join(steps[at:])) >= _LEAST]
    exact = [rf"{_QUOTE}[^\"'`\s]*{re.escape(ends[0])}(?![\w-])"] if ends else []
    exact += [rf"{_QUOTE}/?{re.escape(end[1:])}/?{_QUOTE}" for end in ends]
    return _Search(tuple(end[1:] for end in ends), tuple(exact), rf"{re.escape(path)}(?![\w-])")


_LEAST = 4
"""Characters of a route, or of the end of one, that can be told from other words."""


def _image(text: str) -> _Search:
    """Search an image where one is named; a more exact tag, or a variable in its place, keeps it alive."""
    name, _, tag = text.rpartition(":")
    where = (
        r"(?:^\s*FROM\s+(?:--\S+\s+)*|\b(?:image|container|base)[\"']?\s*[:=]\s*|docker://"
        r"|\bdocker (?:run|pull) (?:.* )?)"
        rf"[\"']?(?:\$\{{\w+:?-)?(?:[\w.:-]+/)*{re.escape(name)}:"
    )
    finer = re.sub(r"[A-Za-z\d]+(?=-|\Z)", r"\g<0>(?:(?<!\\d)[\\d.]+|\\.[\\d.]+)?", tag.replace(".", r"\."))
    first = re.split(r"[._-]", tag)[0]
    default = rf"^\s*ARG \w+=[\"']?(?:\S*:)?{re.escape(tag.partition('-')[0])}(?!\d)"
    return _Search(
        (f"{name}:{first}", f"{name}:$", "ARG"),
        (rf"(?i){where}{re.escape(tag)}(?![\w.-])",),
        rf"(?i){where}(?:{finer}(?![A-Za-z\d])|\$)|{default}",
    )


def _dependency(name: str) -> _Search:
    """Search a package by its name, however the signs in it are written; any file that has it keeps it."""
    spelled = re.sub(r"(?:\\?[-._])+", "[-._]", re.escape(name))
    words = (name, name.lower(), name.replace("-", "_"), name.replace("_", "-"))
    return _Search(words, (rf"(?i)(?<!\w){spelled}(?!\w)",))


def _title(text: str) -> _Search:
    return _Search((text,), (rf"{_QUOTE}{re.escape(text)}{_QUOTE}",), re.escape(text))


_SEARCHES: dict[str, Callable[[str], _Search]] = {
    "option": _option,
    "name": lambda name: _Search((name,), (rf"(?<![\w-]){re.escape(name)}(?![\w-])",)),
    "words": lambda text: _Search((text,), (rf"(?<!\w){re.escape(text)}(?!\w)",)),
    "variable": lambda name: _Search((name,), (rf"(?<!\w){name}(?!\w)",)),
    "route": _route,
    "port": lambda number: _Search((number,), (rf"(?<![\d.]){number}(?!\d|\.\d)",)),
    "image": _image,
    "title": _title,
    "dependency": _dependency,
}
