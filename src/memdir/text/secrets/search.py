"""Find credentials in text, by name and place and never by value, and mask them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import cache, partial
from hashlib import blake2b

from memdir.resources import fill, patterns_of, read_table
from memdir.text.secrets.values import (
    hides_a_login,
    is_live,
    is_mixed_token,
    is_password,
    is_token,
    is_url_password,
)
from memdir.text.value import value_class

__all__ = [
    "INSIDE",
    "NAMED",
    "PREFIXED",
    "Secret",
    "SecretFinding",
    "find_secrets",
    "mask_secrets",
    "secret_names",
]


@value_class(frozen=True, slots=True)
class Secret:
    """One credential format; the shape's first group, if it has one, is the secret itself."""

    name: str
    clues: tuple[str, ...]
    """Plain text without one of these cannot hold such a credential."""
    shape: str
    """A regular expression whose middle parts are bounded, so that no text makes it slow."""
    is_real: Callable[[str], bool] = is_live


def _holds_a_key(block: str) -> bool:
    run = re.search(r"[A-Za-z0-9+/]{24}", block)
    return run is not None and is_live(run[0])


def _table_rows(section: str, around: str = "<value>") -> tuple[Secret, ...]:
    rows = [[*row.split("\t"), ""] for row in _TABLE[section]]
    return tuple(
        Secret(name, tuple(clues.split("|")), fill(around.replace("<value>", shape), _PARTS), _CHECKS[check])
        for name, clues, shape, check, *_ in rows
    )


_TABLE = read_table(__file__, "formats.txt")
_PARTS = patterns_of(_TABLE["parts"])
_CHECKS: dict[str, Callable[[str], bool]] = {
    "": is_live,
    "firm": partial(is_password, firm=True),
    "key": _holds_a_key,
    "login": hides_a_login,
    "mixed": is_mixed_token,
    "token": is_token,
    "url": is_url_password,
}

PREFIXED = _table_rows("prefixed")
"""Formats that start with letters of their own; they count where no letter or digit stands before."""

INSIDE = _table_rows("inside")
"""Formats whose telling letters stand in the middle."""

NAMED = (
    *_table_rows("named"),
    *_table_rows("vendors", _PARTS["after-vendor"]),
    *_table_rows("named by words"),
)
"""Formats that only their surroundings give away; the clue is looked for in lower case."""


_PREFIXES, _NAMES = ([(clue, rule) for rule in rules for clue in rule.clues] for rules in (PREFIXED, NAMED))


@value_class(frozen=True, slots=True)
class SecretFinding:
    """Where a credential stands and which rule knows it; the value itself is not kept."""

    rule: str
    span: tuple[int, int]


def find_secrets(text: str) -> list[SecretFinding]:
    """Return the credentials in a text in order, each place once, under the most specific rule."""
    mark = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    if mark in _CLEAN:
        return []
    bare, places = text, list[int]()
    if not text.isascii() or "\\" in text:
        bare, places = _without_noise(text)
    lowered = bare.lower()
    if len(lowered) != len(bare):  # every character has to stay in its place
        lowered = bare.translate(_ASCII_LOWER)
    found = [*_vendor_tokens(bare)]
    for clue, rule in [pair for pair in _NAMES if pair[0] in lowered]:
        found += _matches(rule, _hits(clue, lowered), bare)
    found += _assigned_values(bare, lowered)
    if not found:
        if len(_CLEAN) >= _MOST_CLEAN:
            _CLEAN.clear()
        _CLEAN.add(mark)
        return []
    return [
        SecretFinding(rule, (places[start], places[end - 1] + 1) if places else (start, end))
        for rule, start, end in _without_overlaps(found)
    ]


_CLEAN = set[bytes]()
"""Hashes of texts that hold none: a save, the journal and a sync ask about the same text."""

_MOST_CLEAN = 20_000
"""As many as one remote may bring, in about two megabytes."""


def secret_names(*texts: str) -> str:
    """Return the rules that know the credentials in the texts, by name; empty if they hold none."""
    return ", ".join(sorted({found.rule for text in texts for found in find_secrets(text)}))


def mask_secrets(text: str) -> str:
    """Return the text with `[secret: rule-name]` in the place of each credential."""
    # Once more after each round: a mask can uncover a credential that touched its neighbour.
    while found := find_secrets(text):
        parts, end = [], 0
        for finding in found:
            parts += [text[end : finding.span[0]], f"[secret: {finding.rule}]"]
            end = finding.span[1]
        text = "".join([*parts, text[end:]])
    return text


MIN_ISSUED = 20
"""Characters of the shortest token in the tables of issued formats."""

_Place = tuple[str, int, int]
"""Rule name, start, end."""


# Characters nobody sees, and the backslash that Markdown puts before `_`, `*`, `~` and `-`.
_NOISE = re.compile(
    "[\u00ad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]"
    r"|\\(?=[_*~-])"
)
_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def _without_noise(text: str) -> tuple[str, list[int]]:
    """Return the text without invisible characters, and where the rest stood (nothing: all in place)."""
    if not _NOISE.search(text):
        return text, []
    noise = {match.start() for match in _NOISE.finditer(text)}
    places = [place for place in range(len(text)) if place not in noise]
    return "".join([text[place] for place in places]), places


@cache
def _compile(shape: str) -> re.Pattern[str]:
    # On first use: compiling every shape would cost a save more than the search itself.
    return re.compile(shape, re.ASCII)


def _vendor_tokens(text: str) -> Iterator[_Place]:
    # Issued tokens are long and unbroken, so clues are looked for in the few long words of a text.
    long_words = " ".join([word for word in text.split() if len(word) >= MIN_ISSUED])
    if not long_words:
        return
    for clue, rule in [pair for pair in _PREFIXES if pair[0] in long_words]:
        hits = (at for at in _hits(clue, text) if not _is_inside_a_word(text, at))
        yield from _matches(rule, hits, text)
    for rule in INSIDE:
        if rule.clues[0] in long_words:
            for match in _compile(rule.shape).finditer(text):
                if rule.is_real(match[0]):
                    yield rule.name, match.start(), match.end()


def _hits(clue: str, text: str) -> Iterator[int]:
    at = text.find(clue)
    while at >= 0:
        yield at
        at = text.find(clue, at + 1)


def _matches(rule: Secret, hits: Iterator[int], text: str) -> Iterator[_Place]:
    """Yield what the rule's shape matches at these places; what one match took is not tried again."""
    shape = _compile(rule.shape)
    group = 1 if shape.groups else 0
    done = 0
    for at in hits:
        match = shape.match(text, at) if at >= done else None
        if match:
            done = match.end()
            if rule.is_real(match[group]):
                yield (rule.name, *match.span(group))


def _is_inside_a_word(text: str, at: int) -> bool:
    """Whether a letter or digit stands before; that of a written-out line break does not count."""
    before = text[at - 1 : at]
    return before.isascii() and before.isalnum() and not (before in "nrt" and text[at - 2 : at - 1] == "\\")


_PASSWORD_WORDS = ("pass", "pw", "kennwort", "contraseña", "senha", "密码", "口令")
_TOKEN_WORDS = ("secret", "token", "credential", "auth", "key")
_KEY_OWNER, _HARMLESS_OWNER = (re.compile(_PARTS[name]) for name in ("key-owner", "harmless-owner"))
MAX_VALUE = 128
"""Characters of an assigned value that are judged; what follows without a break is masked with it."""

_SET_TO = re.compile(
    r"""(?P<rest>words?|w?d|wort|phrase|code|e)?                # of a word that starts with pass or pw
    (?:s|[_-]?(?:base|prod|production|live|test|dev|staging|value|raw|old|new|b64|base64|v?\d{1,2}))?(?!\w)
    [\\"'`*)\]]{0,4}
    (?:[ ](?:for|to|of|on|in|at|für|de|del|pour)[ ][^\n=:;.,!?()\[\]]{1,60}?)?  # for the test server
    (?::[ ]?(?:str|string|String|&str|text)(?=[ ]?=))?                          # a declared type
    (?P<sep>[ \t]{0,8}(?:=>|:=|={1,2}|:|\uff1a|->|→|\|)[ \t]{0,8}(?:\*\*[ ])?   # a sign
        |[ ](?:is|was|ist|lautet|est|es)(?:[ ](?:now|still|set[ ]to))?:?[ ]     # a verb
        |[ ]?[是为][ ]?|>|(?<=["']),[ ]?(?=["'])|[ ](?=["'`]))
    (?P<open>\\?(?:\*\*)?["'`(]{0,2})
    (?P<value>[^\s"'`<>;\\]{6,128})""",
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)
_FLAG = re.compile(r"(?P<rest>[A-Za-z]{0,6}) {1,3}(?P<sep>)(?P<open>[\"']?)(?P<value>[^\s\"'`<>;\\]{6,128})")
_MASK = re.compile(r"\[(?:secret: [a-z-]*)?\Z")
_SIGN = re.compile(r"[ \t]*(?:=|:|=>|:=)[ \t]*")
_NEXT_FIELD = re.compile(r"&[\w.-]+=")
_RUN = re.compile(r"[^\s\"'`<>;\\]*")


def _assigned_values(text: str, lowered: str) -> Iterator[_Place]:
    """Yield values that are set as a password, token or key and look like one."""
    for word in (*_PASSWORD_WORDS, *_TOKEN_WORDS):
        done = 0
        for at in _hits(word, lowered):
            place = _value_of(word, at, text, lowered) if at >= done else None
            if place:
                done = place[2]
                yield place


def _value_of(word: str, at: int, text: str, lowered: str) -> _Place | None:
    """Return the credential that is set after the word at this place, or None."""
    match = _setting(word, at, text, lowered)
    if not match:
        return None
    value, firm = _value(match, text)
    if word in _PASSWORD_WORDS:
        real, rule = is_password(value, firm=firm), "assigned-password"
    else:
        real, rule = is_token(value, uuid_counts=word in {"secret", "key"}), "assigned-secret"
    if not real:
        return None
    start = match.start("value")
    rest = _RUN.match(text, start + len(value)) if len(value) == MAX_VALUE else None
    return rule, start, rest.end() if rest else start + len(value)


def _setting(word: str, at: int, text: str, lowered: str) -> re.Match[str] | None:
    """Return what sets the thing that the word at this place names, if anything does."""
    before = lowered[max(0, at - 40) : at]
    if _MASK.search(before) or _HARMLESS_OWNER.search(before):
        return None
    if word == "key" and not _KEY_OWNER.search(before):
        return None
    match = _SET_TO.match(text, at + len(word))
    if not match and "--" in before and " " not in before[before.rindex("--") :]:
        match = _FLAG.match(text, at + len(word))
    if match and word == "pass" and not match["rest"] and not _SIGN.fullmatch(match["sep"]):
        return None  # to pass is a verb, so alone it needs a sign after it
    return match


def _value(match: re.Match[str], text: str) -> tuple[str, bool]:
    """Return the value, and whether its form rules prose out."""
    start, end = match.span("value")
    quote = match["open"].strip("\\*(")[-1:]
    if quote:
        close = text.find(quote, start, start + 2 * MAX_VALUE)
        if close > start and not any(char.isspace() for char in text[start:close]):
            return text[start:close].rstrip("\\"), match["sep"][:1] != ","
    if end - start == MAX_VALUE:
        return match["value"], True
    value = _NEXT_FIELD.split(match["value"], maxsplit=1)[0]
    return value.rstrip(".,:)]}*|"), "=" in match["sep"] or match["sep"] in {">", ""}


def _without_overlaps(found: list[_Place]) -> list[_Place]:
    """Return the places in order, where of two that overlap the one found first stays."""
    kept: list[tuple[int, int, str]] = []
    for rule, start, end in found:
        at = bisect_left(kept, (start, end, ""))
        free_before = at == 0 or kept[at - 1][1] <= start
        if free_before and (at == len(kept) or end <= kept[at][0]):
            kept.insert(at, (start, end, rule))
    return [(rule, start, end) for start, end, rule in kept]
