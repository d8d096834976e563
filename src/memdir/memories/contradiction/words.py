"""Values that a statement may give a thing: days, times, amounts, switches, languages, tools of one use."""

import re

from memdir.text.dates.calendar import MONTH, MONTH_NAMES
from memdir.text.value import value_class

__all__ = ["VALUES", "Value", "value_of"]


@value_class(frozen=True, slots=True)
class Value:
    """One value: what kind it is of, and which of that kind."""

    kind: str
    key: str


_CALENDAR = (
    rf"\d{{1,2}}(?:st|nd|rd|th|\.)?\s(?:of\s|de\s)?(?i:{MONTH})\b(?:,?\s\d{{4}})?"
    rf"|\b(?:(?=[A-Z])|(?<=\bin )|(?<=\ben )|(?<=\bem )|(?<=\ba ))(?i:{MONTH})\b(?:\s\d{{1,2}}(?:st|nd|rd"
    rf"|th)?\b)?"
    r"(?:,?\s\d{4})?"
)
VALUES = re.compile(
    r"`[^`\n]{1,60}`|\b[a-z0-9]+://[^\s)>\"']+"
    rf"|(?P<date>\d{{4}}-\d\d-\d\d|{_CALENDAR})"
    r"|(?P<clock>\b\d{1,2}:\d\d(?:\s?[aApP][mM])?\b|\b\d{1,2}\s?[aApP][mM]\b)"
    r"|(?P<period>\b(?i:every|each|once a|once per|jede[nrs]?|chaque|cada|ogni)\s(?i:second|minute|hour"
    r"|day|week|month|quarter|year|night"
    r"|stunde|tag|woche|monat|jahr|heure|jour|semaine|mois|hora|día|semana|mes|ora|giorno|settimana|mese)\b"
    r"|\b(?i:hourly|daily|nightly|weekly|fortnightly|monthly|quarterly|yearly|annually)\b)"
    r"|(?P<whole>(?:(?<=for )|(?<=after )|(?<=within )|(?<=is )|(?<=to )|(?<=lasts ))an? (?:second|minute"
    r"|hour|day|week|month"
    r"|quarter|year)\b)"
    r"|(?P<amount>(?<![A-Za-z0-9_./#-])(?P<money>[$€£¥]\s?)?"
    r"(?:\d[\d,_]*(?:\.\d+)*|(?i:one|two|three|four|five|six|seven|eight|nine|ten|twelve))(?:st|nd|rd|th)?"
    r"(?:(?P<unit>[ -]?(?:[kKMmGgTt]i?[bB]|ms|s|min|h|d|per ?cent|euros?|dollars?)\b"
    r"|\s?(?:%|€|秒|分钟|小时|時間|天|日|分)"
    r"|[ -](?!(?:in|is|on|at|to|for|of|and|or|per|by|as|are|was|with|from|the|a|am|pm|est|ist|bei|nach"
    r"|shows?|has)\b)"
    r"(?:(?:working|business|calendar|full)\s)?[A-Za-zäöüí]{2,14}\b))?(?![A-Za-z0-9_-]))"
    r"|(?P<week>周[\u4e00-五六日]|星期[\u4e00-五六日]|[月火水木金土日]曜日?)"
    r"|[\u30a0-ヿ]+|[\u3040-ゟ\u3400-鿿\uac00-\ud7af]"
    r"|[^\W_](?:[\w'\u2019@#+./:-]*[\w+#/])?|[#@/][\w./@-]+|[=:](?=\s)"
)
"""One word or value at a time; scripts without spaces, character by character."""


def value_of(found: re.Match[str], raw: str) -> Value | None:
    """Return the value that a word stands for; None when it is an ordinary word."""
    low = raw.casefold()
    if found.lastgroup is not None:
        return _shaped(found, raw)
    if "://" in low:
        return Value("address", low)
    return _WORDS.get(low) or _WORDS.get(low.removesuffix("s"))


def _shaped(found: re.Match[str], raw: str) -> Value:
    """Return the value of a word that is one by its shape: a date, a time, a number."""
    low, shape = raw.casefold(), next(name for name in _SHAPES if found[name])
    if shape == "date":
        return Value("date", _day(low))
    if shape == "clock":
        return Value("time", low.replace(" ", ""))
    if shape == "week":
        return Value("day", _WEEK[raw[0] if "曜" in raw else raw[-1]])
    if shape == "amount":
        return _number(found, raw)
    unit = _PERIODS.get(low.split()[-1], low.split()[-1].removesuffix("ly"))
    return _amount(f"1 {unit}", f" {unit}", "every" if shape == "period" else "")


_SHAPES = ("date", "clock", "week", "period", "whole", "amount")


def _number(found: re.Match[str], raw: str) -> Value:
    if found["money"]:
        return _amount(raw.lstrip("$€£¥ "), found["unit"] or "", "money")
    before, unit = found.string[: found.start()].rstrip(), found["unit"] or ""
    if unit and _VERSION.search(before) and not _known(unit):
        raw, unit = raw.removesuffix(unit), ""  # "Kubernetes 1.24 runs"
    return _amount(raw, unit, "every" if _EVERY.search(before) else "")


_VERSION = re.compile(r"\b[A-Z][\w.+#-]*$")
_EVERY = re.compile(r"\b(?:every|each|alle|toutes les|tous les|cada|ogni)$", re.IGNORECASE)
_PERIODS = {"daily": "day", "nightly": "day", "night": "day", "annually": "year"}


def _day(low: str) -> str:
    """Return a date as month, day and year, as far as they are named."""
    if low[:4].isdecimal():
        return low
    month = next(at for at, names in enumerate(MONTH_NAMES, 1) if re.search(rf"\b(?:{names})\b", low))
    return " ".join([str(month), *re.findall(r"\d+", low)])


def _known(unit: str) -> bool:
    unit = unit.strip(" -").casefold().rpartition(" ")[2]
    return unit in _UNITS or unit.removesuffix("s") in _UNITS


def _amount(raw: str, unit: str, role: str = "") -> Value:
    number, unit = raw[: len(raw) - len(unit)].casefold(), unit.strip(" -").casefold()
    digits = _NUMBERS.get(number, re.sub(r"(?:st|nd|rd|th)$|[,_]", "", number))
    unit = unit.rpartition(" ")[2]
    single = unit if unit in _UNITS else unit.removesuffix("s")
    kind, factor = _UNITS.get(single, (single, 1.0))
    kind = f"{kind} {role}".strip() if role == "every" else role or kind
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
    **dict.fromkeys(("s", "sec", "second", "sekunde", "sekunden", "seconde", "segundo", "秒"), ("time", 1.0)),
    **dict.fromkeys(("m", "min", "minute", "minuten", "minuto", "分钟"), ("time", 60.0)),
    **dict.fromkeys(("h", "hr", "hour", "stunde", "stunden", "heure", "hora", "小时"), ("time", 3600.0)),
    **dict.fromkeys(("d", "day", "tag", "tage", "tagen", "jour", "día", "天"), ("time", 86400.0)),
    **dict.fromkeys(("week", "woche", "wochen", "semaine", "semana"), ("time", 604800.0)),
    **dict.fromkeys(("month", "monat", "monate", "monaten", "mois", "mes", "mese"), ("time", 2592000.0)),
    **dict.fromkeys(("quarter",), ("time", 7776000.0)),
    **dict.fromkeys(("year", "jahr", "jahre", "jahren", "an", "año", "ano", "anno"), ("time", 31536000.0)),
    **dict.fromkeys(("%", "percent", "cent", "prozent"), ("share", 1.0)),
    **dict.fromkeys(("euro", "€", "dollar"), ("money", 1.0)),
    **dict.fromkeys(("kb", "kib"), ("size", 1.0)),
    **dict.fromkeys(("mb", "mib"), ("size", 1024.0)),
    **dict.fromkeys(("gb", "gib"), ("size", 1048576.0)),
}
_WEEK = {
    **dict(zip("一二三四五六日", "1234567", strict=True)),
    **dict(zip("月火水木金土", "123456", strict=True)),
}


def _rows(kind: str, rows: str) -> dict[str, Value]:
    """Return the words of rows that mean one thing each, all of one kind."""
    return {word: Value(kind, row.split()[0]) for row in rows.strip().splitlines() for word in row.split()}


_WORDS = {
    **_rows(
        "day",
        """
        monday mon montag montags lundi lunes lunedì segunda segunda-feira
        tuesday tue dienstag dienstags mardi martes martedì terça terça-feira
        wednesday wed mittwoch mittwochs mercredi miércoles mercoledì quarta quarta-feira
        thursday thu donnerstag donnerstags jeudi jueves giovedì quinta quinta-feira
        friday fri freitag freitags vendredi viernes venerdì sexta sexta-feira
        saturday sat samstag samstags samedi sábado sabato
        sunday sun sonntag sonntags dimanche domingo domenica
        """,
    ),
    **_rows("switch", "on enabled active\noff disabled inactive\ntrue\nfalse\nopt-in\nopt-out"),
    **_rows("shade", "dark\nlight"),
    **_rows("length", "long verbose detailed thorough lengthy detail\nshort terse brief concise"),
    **_rows("opening", "open\nclosed"),
    **_rows("blocking", "blocked\nunblocked"),
    **_rows("case", "lowercase\nuppercase"),
    **_rows("effort", "manual manually hand\nautomatic automatically"),
    **_rows("duty", "required mandatory\noptional"),
    **_rows("reach", "public\nprivate internal"),
    **_rows(
        "environment",
        "production prod produktion producción\nstaging\ndevelopment dev\nlocal locally lokal\nqa",
    ),
    **_rows("health", "broken failing\nworks working fixed"),
    **_rows(
        "language",
        """
        german deutsch allemand alemán
        english englisch anglais inglés
        french französisch français francés
        spanish spanisch espagnol español
        italian italiano
        portuguese português
        japanese
        chinese
        dutch
        polish
        russian
        korean
        turkish
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
    "container": "docker podman",
    "editor": "vim emacs vscode neovim",
    "cloud": "aws gcp azure",
}.items():
    _WORDS |= _rows(f"tool: {_kind}", "\n".join(_tools.split()))
