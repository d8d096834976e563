"""The names of the months in all languages that are read."""

import re

__all__ = ["MONTH", "MONTH_NAMES", "month_number", "place_of"]

MONTH_NAMES = (
    "jan(?:uary|uar|vier|uari|eiro)?|enero|gennaio",
    "feb(?:ruary|ruar|ruari|braio)?|février|febrero|fevereiro",
    "mar(?:ch|s|zo|ço)?|märz|maart",
    "apr(?:il|ile)?|avril|abril",
    "may|mai|mayo|maio|maggio|mei",
    "june?|juni|juin|junio|junho|giugno",
    "july?|juli|juillet|julio|julho|luglio",
    "aug(?:ust|ustus)?|août|agosto",
    "sept?(?:ember|embre|iembre)?|setembro|settembre",
    "o[ck]t(?:ober|obre|ubre)?|outubro|ottobre",
    "nov(?:ember|embre|iembre|embro)?",
    "de[czs](?:ember|embre)?|décembre|diciembre|dezembro|dicembre",
)
"""Patterns for January to December, long and short."""
MONTH = "|".join(MONTH_NAMES)


def month_number(name: str) -> int:
    """Return 1 to 12 for a month's name in any of the languages."""
    return (place_of(MONTH_NAMES, name) or 0) + 1


def place_of(patterns: tuple[str, ...], word: str) -> int | None:
    """Return the place of the pattern that is this word; what stood around it is known to fit."""
    plain = (re.sub(r"\(\?<=[^)]*\)", "", pattern) for pattern in patterns)
    hits = (at for at, pattern in enumerate(plain) if re.fullmatch(pattern, word, re.IGNORECASE))
    return next(hits, None) if word else None
