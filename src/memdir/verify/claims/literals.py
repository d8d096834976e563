"""What files hold word for word: options, variables, routes, ports, images, titles, dependencies, values.

None of them is sure: each counts only if the project's files held it when the memory was saved.
"""

import re
from collections.abc import Iterator

from memdir.verify.claims.mentions import Claim

__all__ = ["literals_in"]


def literals_in(text: str) -> Iterator[tuple[Claim, int, int]]:
    """Yield the options, variables, routes, values and others that a text names, and where each stands."""
    for form, pattern in _FORMS:
        for match in pattern.finditer(text):
            found = match["found"].rstrip("./") if form == "route" else match["found"]
            if form != "route" or not _NO_ROUTE.match(found):
                yield _literal(text, form, found, match.span("found"))
    yield from _from_sentences(text)
    for pattern in _VALUES:
        for match in pattern.finditer(text):
            name = match["name"].rpartition(".")[2]
            if len(name) >= _SHORTEST and name.lower() not in _ORDINARY:
                start, end = match.start("name"), match.end()
                shown = text[start:end].strip("`")
                yield Claim("value", shown, name, match["value"].strip("\"'"), sure=False), start, end


def _literal(text: str, form: str, found: str, span: tuple[int, int]) -> tuple[Claim, int, int]:
    start, end = span
    return Claim("literal", text[start:end].strip("`"), found, form, sure=False), start, end


def _from_sentences(text: str) -> Iterator[tuple[Claim, int, int]]:
    """Yield the ports and dependencies that only the words around them tell."""
    for sentence in _SENTENCE.finditer(text):
        forms = {"port": _SPOKEN_PORT} if _SERVES.search(sentence[0]) else {}
        if _DEPENDS.search(sentence[0]) and not _REFUSES.search(sentence[0]):
            forms["dependency"] = _PACKAGE
        for form, pattern in forms.items():
            for match in pattern.finditer(text, *sentence.span()):
                yield _literal(text, form, match["found"], match.span("found"))


_SHORTEST = 3
"""Characters of a name that has a value: `x = 1` is code of any file."""
_STEP = r"(?:[\w.-]+|\{\w+\}|<[\w:]+>|:\w+|\[\w+\])"
_PART = "[a-z0-9]+"
_JOINED = r"(?:[a-z0-9]+-)*(?:to|of|the|and|in|by|on|for|a|as|up|per)-"
"""Parts that make hyphenated words English: end-to-end, state-of-the-art."""
_FORMS = (
    ("option", re.compile(r"(?<![\w-])--(?P<found>[a-z][a-z0-9]+(?:-[a-z0-9]+)*)(?![\w-])")),
    ("variable", re.compile(r"(?<![\w$])(?P<found>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?==)")),
    ("name", re.compile(rf"(?<![\w./@-])(?P<found>(?!{_JOINED}){_PART}(?:-{_PART}){{2,}})(?![\w/-]|\.\w)")),
    ("words", re.compile(r"(?<!`)`(?P<found>[^`\n]{3,80})`(?!`)")),
    ("route", re.compile(rf"(?<![\w./~:@\0<-])(?P<found>/{_STEP}(?:/{_STEP})*)")),
    (
        "port",
        re.compile(
            r"(?:\bports? |localhost:|127\.0\.0\.1:|0\.0\.0\.0:|\blisten(?:s|ing)? (?:on|at) |`:)"
            r"(?P<found>\d{4,5})(?![\w.]\d|\d)",
            re.IGNORECASE,
        ),
    ),
    (
        "image",
        re.compile(
            r"(?<![\w./:@-])(?P<found>[a-z][a-z0-9._-]*(?:/[a-z0-9._-]+)*"
            r":(?=[\w.-]*\d|latest|stable|edge|slim|alpine|lts|main)\w(?:[\w.-]*\w)?)(?![\w:/-])"
        ),
    ),
    (
        "title",
        re.compile(
            r"\b(?:tests?|specs?|it|describe|scenario|case)\b[^.\n\"'\u201c]{0,12}"
            r"[\"'\u201c](?P<found>[^\"'\u201d\n]*\s[^\"'\u201d\n]*)[\"'\u201d]",
            re.IGNORECASE,
        ),
    ),
    (
        "title",
        re.compile(r"[\"\u201c](?P<found>[^\"\u201d\n]*\s[^\"\u201d\n]*)[\"\u201d] (?:test|spec|scenario)\b"),
    ),
)
_SENTENCE = re.compile(r"(?:[^.;!?\n]|[.;!?](?=\S))+")
_SERVES = re.compile(
    r"\b(?:ports?|listen\w*|localhost|expos\w+|serv(?:er|ers|es|ed|ice)|api|proxy|proxie[sd]|front-?end|back-?end"
    r"|bound|binds?|forward(?:s|ed)?|dashboard|gateway|metrics)\b",
    re.IGNORECASE,
)
_SPOKEN_PORT = re.compile(
    r"(?:\b(?:on|at|to|and|or|is|port[:=]?) |\bport[:=]|[,/(] ?|(?<= ):)(?<!\d[,/])"
    r"`?:?(?P<found>(?!(?:19|20)\d\d\b)\d{4,5})\b`?"
    r"(?=\s*(?:\Z|[.;!?\n]|,(?!\d)|[/)](?!\d{1,2}\b)"
    r"|(?:and|or|but|for|in|by|while|with|because|so|when|unless|locally|behind|via|from|to)\b))",
    re.IGNORECASE,
)
"""A port that only its sentence tells: "the api is on 8081", "5173 and 8081"; a number of things is none."""
_DEPENDS = re.compile(r"\b(?:dependenc(?:y|ies)|depends? on|librar(?:y|ies)|packages?)\b", re.IGNORECASE)
_REFUSES = re.compile(
    r"\b(?:never|not|no|avoid|without|instead|rather|drop|remove|replace)\b|n't\b", re.IGNORECASE
)
"""What a memory advises against may well be gone."""
_PACKAGE = re.compile(r"(?<!`)`(?P<found>(?:@[\w.-]+/)?[A-Za-z][\w.-]{2,})`(?!`)")
_NO_ROUTE = re.compile(
    r"/(?:etc|usr|var|tmp|home|opt|dev|proc|bin|sbin|mnt|root|srv|sys|run|Users)(?:/|\Z)|.*\.\w{1,4}\Z|/\d+\Z"
)
_CONSTANT = r"(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"
_NAME = r"(?P<name>[A-Za-z_][\w.-]*)"
_NUMBER = r"(?P<value>\d[\d_]*(?:\.\d+)?)(?!\w|[.:%/-]\d)"
_VALUES = (
    # in code: `timeout: 30`, `MAX = 25`, `restart: always`, `EXPOSE 3000`
    re.compile(rf"`{_NAME}\s*(?::=|[:=]|\s)\s*(?P<value>\d[\w.]*|true|false|\"[^\"`]+\"|'[^'`]+')`"),
    re.compile(rf"`{_NAME}\s*[:=]\s*(?P<value>[\w.-]+)`"),
    # beside each other: 25 (`MAX_ROWS` in limits.py), MAX_ROWS (25)
    re.compile(rf"(?<![\w.-])(?P<value>\d[\d_]*) \(`?{_CONSTANT}\b"),
    re.compile(rf"(?<![\w.]){_CONSTANT}`? \((?P<value>\d[\d_]*)\)"),
    # in prose: MAX is 25, `MAX` is set to 25, sets timeout to 30
    re.compile(
        rf"(?<![\w./-]){_NAME}`? (?:(?:is|are|stays|remains|defaults|was)"
        rf"(?: (?:set|fixed|pinned|capped|limited|kept|now))?(?: (?:to|at))?|(?:set |fixed )?(?:to|at)|=)"
        rf" `?{_NUMBER}"
    ),
)
_ORDINARY = frozenset(
    """
    and are case chapter day has have http https issue its line minimum node now only page part port ports
    python ruby runs section since step than that the then there they this ticket version which year
    """.split()  # noqa: SIM905 - a table
)
