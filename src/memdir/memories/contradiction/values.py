"""Values in a sentence: days, dates, amounts, tools and others, of which a thing has one."""

from __future__ import annotations

import re

from memdir.resources import fill, read_table
from memdir.text.dates.calendar import MONTH, MONTH_NAMES
from memdir.text.value import value_class

__all__ = ["TABLE", "TOKENS", "Value", "value_of"]

TABLE = read_table(__file__, "words.txt")
"""The words and patterns of this folder, by section."""

TOKENS = re.compile(fill("|".join(TABLE["values"]), {"month": MONTH}))
"""Matches one word or one value of several words."""


@value_class(frozen=True, slots=True)
class Value:
    """One value of a text: its kind, such as a day of the week, and a key that equal values share."""

    kind: str
    key: str


_WORDS = {
    word: Value(kind, words.split()[0])
    for kind, _, values in (row.rpartition(": ") for row in TABLE["kinds"])
    for words in values.split(",")
    for word in words.split()
}
_UNITS = {
    unit: (kind, float(factor)) for kind, factor, *units in map(str.split, TABLE["units"]) for unit in units
}
_COUNTED = "one two three four five six seven eight nine ten - twelve"
_NUMBERS = {word: str(number) for number, word in enumerate(_COUNTED.split(), 1)}
_WEEK = dict(zip("一二三四五六日天月火水木金土", "12345677123456", strict=True))
_PERIODS = {"daily": "day", "nightly": "day", "night": "day", "annually": "year"}
_SHAPES = ("date", "clock", "week", "period", "whole", "amount")


def value_of(found: re.Match[str], raw: str) -> Value | None:
    """Return the value that a token stands for; None when it is an ordinary word."""
    low = raw.casefold()
    if found.lastgroup is not None:
        return _value_by_shape(found, raw)
    if "://" in low:
        return Value("address", low)
    return _WORDS.get(low) or _WORDS.get(low.removesuffix("s"))


def _value_by_shape(found: re.Match[str], raw: str) -> Value:
    low, shape = raw.casefold(), next(name for name in _SHAPES if found[name])
    if shape == "date":
        return Value("date", _day(low))
    if shape == "clock":
        return Value("time", low.replace(" ", ""))
    if shape == "week":
        return Value("day", _WEEK[raw[0] if "曜" in raw else raw[-1]])
    if shape == "amount":
        return _number(found, raw)
    last = low.split()[-1]
    return _amount("1", _PERIODS.get(last, last.removesuffix("ly")), "every" if shape == "period" else "")


def _day(low: str) -> str:
    """Return a date as month, day and year, as far as they are named."""
    if low[:4].isdecimal():
        return low
    month = next(at for at, names in enumerate(MONTH_NAMES, 1) if re.search(rf"\b(?:{names})\b", low))
    return " ".join([str(month), *re.findall(r"\d+", low)])


def _number(found: re.Match[str], raw: str) -> Value:
    unit = found["unit"] or ""
    number = raw.removesuffix(unit)
    if found["money"]:
        return _amount(number.lstrip("$€£¥ "), unit, "money")
    before = found.string[: found.start()].rstrip()
    if _unit_name(unit) not in _UNITS and re.search(r"\b[A-Z][\w.+#-]*$", before):
        unit = ""  # "Kubernetes 1.24 runs"
    every = re.search(r"(?i)\b(?:every|each|alle|toutes les|tous les|cada|ogni)$", before)
    return _amount(number, unit, "every" if every else "")


def _amount(number: str, unit: str, role: str) -> Value:
    number, name = number.casefold(), _unit_name(unit)
    digits = _NUMBERS.get(number, re.sub(r"(?:st|nd|rd|th)$|[,_]", "", number))
    kind, factor = _UNITS.get(name, (name, 1.0))
    kind = f"{kind} {role}".strip() if role == "every" else role or kind
    try:
        return Value(f"amount {kind}".strip(), f"{float(digits) * factor:g} {kind}".strip())
    except ValueError:  # a version of three parts
        return Value("amount", f"{digits} {name}".strip())


def _unit_name(unit: str) -> str:
    """Return a unit as the table has it: that of "working days" is day."""
    name = unit.strip(" -").casefold().rpartition(" ")[2]
    return name if name in _UNITS else name.removesuffix("s")
