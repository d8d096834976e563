"""Values that a statement may give a thing: days, times, amounts, switches, languages, tools of one use."""

import re

from memdir.core.value import value_class

__all__ = ["VALUES", "Value", "value_of"]


@value_class(frozen=True, slots=True)
class Value:
    """One value: what kind it is of, and which of that kind."""

    kind: str
    key: str


VALUES = re.compile(
    r"`[^`\n]{1,60}`|(?P<date>\d{4}-\d\d-\d\d)|(?P<clock>\b\d{1,2}:\d\d(?:\s?[aApP][mM])?\b|\b\d{1,2}\s?[aApP][mM]\b)"
    r"|(?P<amount>(?<![A-Za-z0-9_./#-])"
    r"(?:\d[\d,_]*(?:\.\d+)*|(?i:one|two|three|four|five|six|seven|eight|nine|ten|twelve))(?:st|nd|rd|th)?"
    r"(?:(?P<unit>[ -]?(?:%|[kKMmGg]i?[bB]|ms|s|min|h|d)\b|\s?(?:%|\u79d2|\u5206\u949f|\u5c0f\u65f6|\u5929)"
    r"|[ -](?!(?:in|is|on|at|to|for|of|and|or|per|by|as|are|was|with|from|the|a|am|pm|est|ist|bei|nach)\b)"
    r"[A-Za-z\u00e4\u00f6\u00fc\u00ed]{2,14}\b))?(?![A-Za-z0-9_-]))"
    r"|(?P<week>\u5468[\u4e00-\u4e94\u516d\u65e5]|\u661f\u671f[\u4e00-\u4e94\u516d\u65e5])"
    r"|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
    r"|[^\W_](?:[\w'\u2019@#+./:-]*[\w+#])?|[#@/][\w./@-]+|[=:](?=\s)"
)
"""One word or value at a time; scripts without spaces, character by character."""


def value_of(found: re.Match[str], raw: str) -> Value | None:
    """Return the value that a word stands for; None when it is an ordinary word."""
    low = raw.casefold()
    if found["date"] or found["clock"]:
        return Value("date" if found["date"] else "time", low.replace(" ", ""))
    if found["week"]:
        return Value("day", _CHINESE[raw[-1]])
    if found["amount"]:
        return _amount(raw, found["unit"] or "")
    return _WORDS.get(low) or _WORDS.get(low.removesuffix("s"))


def _amount(raw: str, unit: str) -> Value:
    number, unit = raw[: len(raw) - len(unit)].casefold(), unit.strip(" -").casefold()
    digits = _NUMBERS.get(number, re.sub(r"(?:st|nd|rd|th)$|[,_]", "", number))
    single = unit if unit in _UNITS else unit.removesuffix("s")
    kind, factor = _UNITS.get(single, (single, 1.0))
    try:
        return Value(f"amount {kind}".strip(), f"{float(digits) * factor:g} {kind}".strip())
    except ValueError:  # a version of three parts
        return Value("amount", f"{digits} {unit}".strip())


_COUNTED = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {
    **{word: str(number) for number, word in enumerate(_COUNTED, 1)},
    "twelve": "12",
}
_UNITS = {
    **dict.fromkeys(("ms", "millisecond"), ("time", 0.001)),
    **dict.fromkeys(
        ("s", "sec", "second", "sekunde", "sekunden", "seconde", "segundo", "\u79d2"), ("time", 1.0)
    ),
    **dict.fromkeys(("m", "min", "minute", "minuten", "minuto", "\u5206\u949f"), ("time", 60.0)),
    **dict.fromkeys(
        ("h", "hr", "hour", "stunde", "stunden", "heure", "hora", "\u5c0f\u65f6"), ("time", 3600.0)
    ),
    **dict.fromkeys(("d", "day", "tag", "tage", "tagen", "jour", "d\u00eda", "\u5929"), ("time", 86400.0)),
    **dict.fromkeys(("week", "woche", "wochen", "semaine", "semana"), ("time", 604800.0)),
    **dict.fromkeys(("kb", "kib"), ("size", 1.0)),
    **dict.fromkeys(("mb", "mib"), ("size", 1024.0)),
    **dict.fromkeys(("gb", "gib"), ("size", 1048576.0)),
}
_CHINESE = dict(zip("\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u65e5", "1234567", strict=True))


def _rows(kind: str, rows: str) -> dict[str, Value]:
    """Return the words of rows that mean one thing each, all of one kind."""
    return {word: Value(kind, row.split()[0]) for row in rows.strip().splitlines() for word in row.split()}


_WORDS = {
    **_rows(
        "day",
        """
        monday mon montag montags lundi lunes
        tuesday tue dienstag dienstags mardi martes
        wednesday wed mittwoch mittwochs mercredi mi\u00e9rcoles
        thursday thu donnerstag donnerstags jeudi jueves
        friday fri freitag freitags vendredi viernes
        saturday sat samstag samstags samedi s\u00e1bado
        sunday sun sonntag sonntags dimanche domingo
        """,
    ),
    **_rows("switch", "on enabled active\noff disabled inactive\ntrue\nfalse\nopt-in\nopt-out"),
    **_rows("shade", "dark\nlight"),
    **_rows("length", "long verbose\nshort terse brief"),
    **_rows(
        "language",
        """
        german deutsch
        english englisch
        french fran\u00e7ais
        spanish espa\u00f1ol
        italian
        portuguese
        japanese
        chinese
        """,
    ),
}
for _kind, _tools in {
    "package manager": "npm pnpm yarn bun",
    "python manager": "pip poetry uv pdm pipenv conda",
    "formatter": "black ruff yapf autopep8",
    "linter": "eslint biome tslint oxlint",
    "indent": "tabs spaces",
    "test runner": "jest vitest mocha",
    "python tests": "pytest unittest nose",
    "bundler": "webpack vite rollup esbuild parcel",
    "tracker": "jira linear asana trello",
    "chat": "slack teams discord mattermost",
    "forge": "github gitlab bitbucket gitea",
    "database": "postgres postgresql mysql mariadb sqlite mongodb",
    "branch": "main master develop trunk",
    "merging": "squash rebase",
    "container": "docker podman",
    "editor": "vim emacs vscode neovim",
    "cloud": "aws gcp azure",
}.items():
    _WORDS |= _rows(_kind, "\n".join(_tools.split()))
