"""What a memory claims about its project: files, symbols, commands, branches, versions, literals, dates.

A claim is sure when its form alone makes it one (`src/app.py`, `parse_config()`); the others, such as
"client/server" or camelCase in prose, count only if the project knows or knew such a thing. What a memory
itself tells as past ("formerly `old.py`") is no claim; what it tells as removed is claimed to be absent.

A host waits for this module: it imports late and does without `typing`.
"""

import re
from collections.abc import Iterator

from memdir.text.value import replace
from memdir.verify.claims.commands import commands_in
from memdir.verify.claims.literals import literals_in
from memdir.verify.claims.mentions import (
    Claim,
    Mention,
    calls_in,
    is_glob,
    mentions_in,
    named_path,
    named_symbol,
    sub_mentions,
    without_addresses,
)
from memdir.verify.claims.past_tense import PAST, REMOVED, is_told_as_former, tense
from memdir.verify.claims.versions import versions_in

__all__ = ["LONGEST_TEXT", "claims_in"]

LONGEST_TEXT = 32_768
"""Characters that are searched: eight times what is surfaced of a memory."""

MAX_CLAIMS = 40
"""Claims of one memory that are checked; one with more is a listing, and its age says enough."""


def claims_in(text: str) -> list[Claim]:
    """Return what a text claims about files and code, in order, each once."""
    text = text[:LONGEST_TEXT]
    found: dict[tuple[str, str, str, int, str], Claim] = {}
    for claim in _all(text):
        key = (claim.kind, claim.target, claim.owner, claim.line, claim.place)
        if key not in found or claim.absent or (claim.sure and not found[key].sure):
            found[key] = claim
    return _without_shadows(list(found.values()))[:MAX_CLAIMS]


def _all(text: str) -> Iterator[Claim]:
    plain = without_addresses(text)
    branches: list[tuple[Claim, int, int]] = []
    if _BRANCH.search(plain):
        from memdir.verify.claims.branches import branches_in  # a prompt waits for this module

        branches = list(branches_in(plain))
    for claim, start, end in branches:
        told = tense(text, start, end)
        if told != PAST:
            yield replace(claim, absent=True) if told else claim
    yield from _claims_of_mentions(text, plain, branches)
    for claim, start, end in versions_in(plain):  # the last: most numbers behind a word are no version
        if not tense(text, start, end):
            yield claim
    for claim, start, end in literals_in(text):
        if not (tense(text, start, end) or is_told_as_former(text, start)):
            yield claim


def _claims_of_mentions(text: str, plain: str, branches: list[tuple[Claim, int, int]]) -> Iterator[Claim]:
    """Yield what words, code and lines of prose name."""
    past_end, removed = -1, False
    for mention in mentions_in(plain):
        claims = list(_claims(text, mention, branches))
        if mention.whole:
            places = [(claim, text.find(claim.text, mention.start, mention.end)) for claim in claims]
            yield from (claim for claim, at in places if at < 0 or not tense(text, at, at + len(claim.text)))
            continue
        # "we removed `a`, `b` and `c`": the list goes on in the past.
        listed = past_end >= 0 and _LIST.fullmatch(text, past_end, mention.start) is not None
        told = tense(text, mention.start, mention.end) if claims else ""
        if not claims or not (listed or told):
            yield from claims
            continue
        past_end, removed = mention.end, (listed and removed) or told == REMOVED
        if removed:
            yield from (replace(claim, absent=True) for claim in claims if claim.kind != "line")


def _claims(text: str, mention: Mention, branches: list[tuple[Claim, int, int]]) -> Iterator[Claim]:
    if mention.code or mention.whole:
        yield from commands_in(mention.text, spoken=mention.whole)
    if not mention.fenced:
        yield from calls_in(mention.text, code=mention.code)
    if mention.whole:
        return
    parts = [mention] if " " not in mention.text else list(sub_mentions(mention))
    for part in parts:
        if not any(start < part.end and part.start < end for _, start, end in branches):
            yield from _mention_claims(text, part)


def _mention_claims(text: str, mention: Mention) -> Iterator[Claim]:
    path = named_path(mention.text, code=mention.code)
    if path is not None:
        line = path.line or _line_beside(text, mention)
        yield Claim("path", path.path, path.path, sure=path.sure)
        if line:
            yield Claim("line", path.text(line), path.path, line=line, sure=path.sure)
        if path.symbol:
            yield Claim("symbol", mention.text, path.symbol, path.path)
        return
    if is_glob(mention.text):
        yield Claim("glob", mention.text, mention.text.removeprefix("./"), sure=mention.code)
        return
    symbol = None if mention.fenced else named_symbol(mention.text, code=mention.code)
    if symbol is not None:
        yield symbol


def _line_beside(text: str, mention: Mention) -> int:
    """Return the line that the words around a path name: "line 12 of x.py", "x.py, lines 3-9"."""
    after = _LINE_AFTER.match(text, mention.end, mention.end + 40)
    before = None if after else _LINE_BEFORE.search(text[max(0, mention.start - 40) : mention.start])
    found = after or before
    return int(found[1]) if found else 0


def _without_shadows(claims: list[Claim]) -> list[Claim]:
    """Leave out claims that another one includes, and those about things that were removed."""
    removed = {claim.target for claim in claims if claim.absent}
    claims = [claim for claim in claims if claim.absent or claim.target not in removed]
    lines = {claim.target for claim in claims if claim.kind == "line"}
    owned = {claim.target for claim in claims if claim.kind == "symbol" and claim.owner}
    # Words in backticks may be anything: they are looked for in a file that the memory names.
    named = any(claim.kind in {"path", "line"} for claim in claims)
    other = {claim.text for claim in claims if claim.owner != "words" and not claim.bare}
    return [
        claim
        for claim in claims
        if not (claim.owner == "words" and (not named or claim.text in other))
        and not (claim.kind == "path" and claim.target in lines)
        and not (claim.kind == "symbol" and not claim.owner and claim.target in owned)
    ]


_BRANCH = re.compile(
    r"[Bb]ranch|\bgit |origin/|[Rr]ebase|[Mm]erg|\b[Pp]ush|\bPRs?\b|[Pp]ull request|[Cc]ut from"
)
_LIST = re.compile(r"[`\"'\s]*(?:,|and|or|und|et|y|&|/)(?:\s+(?:and|or))?[`\"'\s]*")
_LINE_AFTER = re.compile(
    r"[`\"')\s,;(\[-]{0,5}(?:at |on |around |near |starting at |from )?(?:lines?|ln\.?|L)\s?(\d{1,6})\b"
)
_LINE_BEFORE = re.compile(
    r"\b[Ll]ines? (\d{1,6})(?:\s?(?:[-\u2013]|to|and) ?\d+)?"
    r" (?:of|in|from)(?: the)? [`\"'(\[]*$"
)
