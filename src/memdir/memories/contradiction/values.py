"""Values that a statement may give a thing: days, times, amounts, switches, languages, tools of one use."""

import re

from memdir.text.dates.calendar import MONTH, MONTH_NAMES
from memdir.text.tables import read_table
from memdir.text.value import value_class

__all__ = ["VALUES", "Value", "value_of"]


@value_class(frozen=True, slots=True)
class Value:
    """One value: what kind it is of, and which of that kind."""

    kind: str
    key: str


_CALENDAR = (
    rf"\d{{1,2}}(?:st|nd|rd|th|\.)?\s(?:of\s|de\s)?(?i:{MONTH})\b(?:,?\s\d{{4}})?"
    rf"|\b(?:(?=[A-Z])|(?<=\bin )|(?<=\ben )|(?<=\bem )|(?<=\ba ))(?i:{MONTH})\b"
    r"(?:\s\d{1,2}(?:st|nd|rd|th)?\b)?(?:,?\s\d{4})?"
)
_UNIT = r"(?:second|minute|hour|day|week|month|quarter|year)"
VALUES = re.compile(
    r"`[^`\n]{1,60}`|\b[a-z0-9]+://[^\s)>\"']+"
    rf"|(?P<date>\d{{4}}-\d\d-\d\d|{_CALENDAR})"
    r"|(?P<clock>\b\d{1,2}:\d\d(?:\s?[aApP][mM])?\b|\b\d{1,2}\s?[aApP][mM]\b)"
    rf"|(?P<period>\b(?i:every|each|once a|once per|jede[nrs]?|chaque|cada|ogni)\s(?i:{_UNIT}|night|stunde"
    r"|tag|woche|monat|jahr|heure|jour|semaine|mois|hora|día|semana|mes|ora|giorno|settimana|mese)\b"
    r"|\b(?i:hourly|daily|nightly|weekly|fortnightly|monthly|quarterly|yearly|annually)\b)"
    rf"|(?P<whole>(?:(?<=for )|(?<=after )|(?<=within )|(?<=is )|(?<=to )|(?<=lasts ))an? {_UNIT}\b)"
    r"|(?P<amount>(?<![A-Za-z0-9_./#-])(?P<money>[$€£¥]\s?)?(?:\d[\d,_]*(?:\.\d+)*|(?i:one|two|three|four"
    r"|five|six|seven|eight|nine|ten|twelve))(?:st|nd|rd|th)?(?:(?P<unit>[ -]?(?:[kKMmGgTt]i?[bB]|ms|s|min|h"
    r"|d|per ?cent|euros?|dollars?)\b|\s?(?:%|€|秒|分钟|小时|時間|天|日|分)|[ -](?!(?:in|is|on|at|to|for|of"
    r"|and|or|per|by|as|are|was|with|from|the|a|am|pm|est|ist|bei|nach|shows?|has)\b)(?:(?:working|business"
    r"|calendar|full)\s)?[A-Za-zäöüí]{2,14}\b))?(?![A-Za-z0-9_-]))|(?P<week>周[\u4e00-五六日]"
    r"|星期[\u4e00-五六日]|[月火水木金土日]曜日?)|[\u30a0-ヿ]+|[\u3040-ゟ\u3400-鿿\uac00-\ud7af]"
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
_PERIODS = {"daily": "day", "nightly": "day", "night": "day", "annually": "year"}


def _number(found: re.Match[str], raw: str) -> Value:
    if found["money"]:
        return _amount(raw.lstrip("$€£¥ "), found["unit"] or "", "money")
    before, unit = found.string[: found.start()].rstrip(), found["unit"] or ""
    known = _singular(unit.strip(" -").casefold().rpartition(" ")[2]) in _UNITS
    if unit and not known and re.search(r"\b[A-Z][\w.+#-]*$", before):
        raw, unit = raw.removesuffix(unit), ""  # "Kubernetes 1.24 runs"
    every = re.search(r"(?i)\b(?:every|each|alle|toutes les|tous les|cada|ogni)$", before)
    return _amount(raw, unit, "every" if every else "")


def _day(low: str) -> str:
    """Return a date as month, day and year, as far as they are named."""
    if low[:4].isdecimal():
        return low
    month = next(at for at, names in enumerate(MONTH_NAMES, 1) if re.search(rf"\b(?:{names})\b", low))
    return " ".join([str(month), *re.findall(r"\d+", low)])


def _singular(unit: str) -> str:
    return unit if unit in _UNITS else unit.removesuffix("s")


def _amount(raw: str, unit: str, role: str = "") -> Value:
    number, unit = raw[: len(raw) - len(unit)].casefold(), unit.strip(" -").casefold().rpartition(" ")[2]
    digits = _NUMBERS.get(number, re.sub(r"(?:st|nd|rd|th)$|[,_]", "", number))
    kind, factor = _UNITS.get(_singular(unit), (_singular(unit), 1.0))
    kind = f"{kind} {role}".strip() if role == "every" else role or kind
    try:
        return Value(f"amount {kind}".strip(), f"{float(digits) * factor:g} {kind}".strip())
    except ValueError:  # a version of three parts
        return Value("amount", f"{digits} {unit}".strip())


_COUNTED = "one two three four five six seven eight nine ten - twelve"
_NUMBERS = {word: str(number) for number, word in enumerate(_COUNTED.split(), 1)}
_TABLE = read_table(__file__, "words.txt")
_UNITS = {
    unit: (kind, float(factor)) for kind, factor, *units in map(str.split, _TABLE["units"]) for unit in units
}
_WEEK = dict(zip("一二三四五六日月火水木金土", "1234567123456", strict=True))
_WORDS = {
    word: Value(kind, words.split()[0])
    for kind, _, values in (row.rpartition(": ") for row in _TABLE["kinds"])
    for words in values.split(",")
    for word in words.split()
}
