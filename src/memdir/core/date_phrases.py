"""Reads one phrase that may name a day: what it says, whether it is a day at all, and which one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from memdir.core import date_steps
from memdir.core.date_words import LANGUAGES, MONTH_NAMES, Language, Phrase

__all__ = ["MONTH", "Said", "meant", "month_number", "said_in"]

MONTH = "|".join(MONTH_NAMES)
CONTEXT = 100
"""Characters before a phrase that can change what it means: about one sentence."""


@dataclass(frozen=True, slots=True)
class Said:
    """A phrase where it stands, taken apart."""

    language: Language
    phrase: Phrase
    span: tuple[int, int]
    words: str
    weekday: int | None
    number: int
    unit: str
    month: int | None
    before: str
    """What stands before it on its line."""
    after: str

    @property
    def is_bare_weekday(self) -> bool:
        """Whether nothing says which week is meant."""
        return self.phrase.sense == "weekday" and self.phrase.step == 2

    @property
    def is_clear(self) -> bool:
        """Whether it can mean one day only."""
        if self.phrase.sense == "vague" or (self.phrase.sense == "period" and _THE.search(self.before)):
            return False
        if self.is_bare_weekday and (_is_range(self) or _is_attribute(self)):
            return False
        return not (self.is_bare_weekday or self.words.lower().startswith("in ")) or not _may_be_past(self)


def said_in(text: str) -> Iterator[Said]:
    """Yield the phrases of a text that name a day, clear or not; habits and idioms are left out."""
    lowered = text.lower()
    for language in LANGUAGES:
        if any(clue in lowered for clue in language.clues):
            for match in _pattern(language).finditer(text):
                said = _taken_apart(match, language, text)
                if not _is_no_day(said, text):
                    yield said


def meant(said: Said, on: date) -> tuple[date, str]:
    """Return the day and its grain; raises OverflowError or ValueError beyond the calendar."""
    phrase, unit, weekday = said.phrase, said.unit, said.weekday
    match phrase.sense:
        case "days":
            return on + timedelta(days=phrase.step), "day"
        case "shift":
            start = on if weekday is None else date_steps.weekday_from(on + timedelta(days=1), weekday)
            return date_steps.moved(start, phrase.step * said.number, unit), "day"
        case "period":
            return date_steps.first_day(on, phrase.step, unit), unit
        case "end":
            return date_steps.last_day(on, phrase.step, unit), "day"
        case "start":
            return date_steps.first_day(on, phrase.step, unit), "day"
        case "middle":
            return date_steps.middle_day(on, phrase.step, unit), "day"
        case "month":
            return date_steps.month_named(on, (said.month or 0) + 1, phrase.step), "month"
        case _:
            return _weekday_meant(phrase, weekday or 0, on), "day"


def month_number(name: str) -> int:
    """Return 1 to 12 for a month's name in any of the languages."""
    return (_which(MONTH_NAMES, name) or 0) + 1


def _weekday_meant(phrase: Phrase, weekday: int, on: date) -> date:
    if phrase.week is not None:
        return date_steps.weekday_in_week(on, weekday, phrase.week)
    if phrase.step == 1:
        return date_steps.weekday_in_week(on, weekday, 1)
    first = {-1: on - timedelta(days=7), 0: on, 2: on + timedelta(days=1)}[phrase.step]
    return date_steps.weekday_from(first, weekday)


@cache
def _pattern(language: Language) -> re.Pattern[str]:
    """Return one expression for all phrases of a language; the group `p3` is phrase 3, `unit3` its unit."""
    words = {
        "weekday": "|".join(language.weekdays),
        "number": r"\d{1,3}|" + "|".join(sorted(language.numbers, key=len, reverse=True)),
        "unit": "|".join(language.units.values()),
        "month": MONTH,
    }
    ways = []
    for at, phrase in enumerate(language.phrases):
        pattern = phrase.pattern
        for name, alternatives in words.items():
            pattern = pattern.replace(f"{{{name}}}", f"(?P<{name}{at}>{alternatives})")
        ways.append(f"(?P<p{at}>{pattern})")
    before, after = (r"(?<![\w/@#.-])", r"(?![\w/@]|-\w|\.\w)") if language.spaced else (_NO_NUMBER, "")
    return re.compile(f"{before}(?:{'|'.join(ways)}){after}", re.IGNORECASE)


_NO_NUMBER = "(?<![0-9一二两三四五六七八九十百千第])"


def _taken_apart(match: re.Match[str], language: Language, text: str) -> Said:
    at = int((match.lastgroup or "p0")[1:])
    groups = match.groupdict()
    phrase = language.phrases[at]
    number = groups.get(f"number{at}") or ""
    unit = _which(tuple(language.units.values()), groups.get(f"unit{at}") or "")
    return Said(
        language,
        phrase,
        match.span(),
        match[0],
        weekday=_which(language.weekdays, groups.get(f"weekday{at}") or ""),
        number=_number(language, number),
        unit=phrase.tail if unit is None else list(language.units)[unit],
        month=_which(MONTH_NAMES, groups.get(f"month{at}") or ""),
        before=text[max(text.rfind("\n", 0, match.start()) + 1, match.start() - CONTEXT) : match.start()],
        after=text[match.end() : match.end() + CONTEXT].partition("\n")[0],
    )


def _number(language: Language, word: str) -> int:
    if word.isdigit():
        return int(word)
    at = _which(tuple(language.numbers), word)
    return 0 if at is None else list(language.numbers.values())[at]


def _which(patterns: tuple[str, ...], word: str) -> int | None:
    """Return the place of the pattern that is this word."""
    hits = (at for at, pattern in enumerate(patterns) if re.fullmatch(pattern, word, re.IGNORECASE))
    return next(hits, None) if word else None


_THE = re.compile(r"\b(?:the|our|its)\s+\Z", re.IGNORECASE)
_DETERMINER = re.compile(r"\b(?:the|our|my|your|their)\s+\Z", re.IGNORECASE)
_ON = re.compile(r"\b(?:by|on|until|till|before|due|from|for|to)\s+\Z", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s\b")
# After a weekday: a plural noun makes it a habit ("Friday deploys"), these words do not.
_PLURAL = re.compile(
    r"\s(?!(?:is|was|has|does|this|as|us|its|works|starts|ends|begins|comes|means|needs|unless|always)\b)[a-z]+s\b"
)
_NOUN = re.compile(
    r"\s(?!(?:at|and|or|we|i|he|she|it|they|you|the|an?|is|was|are|will|would|if|because|so|but|to|for|in|on|of|by"
    r"|with|when|as|not|after|before|until|from|this|that|our|morning|afternoon|evening|night|noon|midnight|works"
    r"|starts|ends|must|should|can|may|has|have|only|instead|again|then|which|since|unless|next|last)\b)[a-z]{3,}\b"
)
_RANGE = r"\s*(?:-|–|—|\bto\b|\bthrough\b|\bbis\b|\bau\b|\ba\b|\bà\b|至|到)\s*"
_DATE = (
    rf"\d{{4}}-\d\d-\d\d|\d{{1,2}}(?:st|nd|rd|th)\b|\d{{1,2}}\.?\s(?:of\s|de\s)?(?:{MONTH})\b"
    rf"|(?:{MONTH})\.?\s\d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}月\d{{1,2}}[日号]"
)
_DATE_AFTER = re.compile(
    rf"[\s,(（]{{0,3}}(?<![\w])(?:the\s|den\s|dem\s)?(?:{_DATE}|\d{{1,2}}\.\d{{1,2}}\.|\d{{1,2}}/\d{{1,2}}\b)", re.IGNORECASE
)
_DATE_BEFORE = re.compile(
    rf"(?:{_DATE}|\d{{1,2}}\.\d{{1,2}}\.)(?:,?\s?\d{{4}})?[\s,(（]{{0,3}}\Z", re.IGNORECASE
)
_CLAUSE_END = re.compile(r"[.;!?。；！？，]|\b(?:because|since|when|weil|als|parce que|porque)\b", re.IGNORECASE)
_MORNING = re.compile(r"\b(?:la|esta|cada|de|buena)\s+\Z", re.IGNORECASE)
_SENTENCE_START = re.compile(r"(?:\A|[.!?:]\s)[\s>*+-]*\Z")
_FRENCH = re.compile(r"\b(?:le|les|des|est|nous|avons|une|du|et|pour|dans|la|ont|sur)\b", re.IGNORECASE)
_GERMAN = re.compile(r"\b(?:der|das|und|ist|nicht|wir|ein|eine|im|von|sind)\b", re.IGNORECASE)


def _is_no_day(said: Said, text: str) -> bool:
    """Whether this is a habit, an idiom, a word of another sense, or has its date beside it already."""
    sense = said.phrase.sense
    if _DATE_AFTER.match(said.after) or _DATE_BEFORE.search(said.before):
        return True
    if sense in {"period", "end", "start", "middle"} and said.unit in {"", "day", "fortnight"}:
        return True
    if sense == "month":
        return not said.words.rpartition(" ")[2][:1].isupper()
    return _is_habit(said) or _is_idiom(said, text)


def _is_habit(said: Said) -> bool:
    """Whether this comes round again: every Friday, Friday deploys."""
    if not (said.is_bare_weekday or said.phrase.sense in {"shift", "end"}):
        return False
    before, gap = (r"(?:\A|[\s(])", r"(?:\sother)?\s+") if said.language.spaced else ("", "")
    if re.search(rf"{before}(?:{said.language.recurring}){gap}\Z", said.before, re.IGNORECASE):
        return True
    return said.is_bare_weekday and _PLURAL.match(said.after) is not None


def _is_idiom(said: Said, text: str) -> bool:
    """Whether the words mean something else here."""
    words = said.words.lower()
    if words == "today":
        return _POSSESSIVE.match(said.after) is not None  # today's standards
    if words.startswith("end of") and said.unit == "":
        return re.search(r"\bat\s(?:the\s)?\Z", said.before, re.IGNORECASE) is not None
    if said.is_bare_weekday and len(words) <= 5 and said.language.spaced and said.words[0].isupper():
        return said.language is LANGUAGES[0] and not _ON.search(said.before)  # Sat, Sun, Mon
    if words == "mañana":
        return _MORNING.search(said.before) is not None
    if words == "hier":
        return _GERMAN.search(text) is not None or not _FRENCH.search(text)
    return said.words == "Morgen" and not _SENTENCE_START.search(said.before)


def _is_range(said: Said) -> bool:
    """Whether the weekday starts or ends a span of days: Monday to Friday."""
    weekday = f"(?:{'|'.join(said.language.weekdays)})"
    starts = re.match(rf"{_RANGE}{weekday}", said.after, re.IGNORECASE)
    return bool(starts or re.search(rf"{weekday}{_RANGE}\Z", said.before, re.IGNORECASE))


def _is_attribute(said: Said) -> bool:
    """Whether the weekday names a thing that may come round again: the Thursday meeting."""
    return _DETERMINER.search(said.before) is not None and _NOUN.match(said.after) is not None


def _may_be_past(said: Said) -> bool:
    """Whether the clause tells of something that is over."""
    language, edge = said.language, r"\b" if said.language.spaced else ""
    if re.search(rf"{edge}(?:{language.forward})\s*\Z", said.before, re.IGNORECASE):
        return False
    clause = _CLAUSE_END.split(said.before)[-1] + " " + _CLAUSE_END.split(said.after)[0][:25]
    is_past = re.search(rf"{edge}(?:{language.past}){edge}", clause, re.IGNORECASE)
    return bool(is_past) and not re.search(rf"{edge}(?:{language.future}){edge}", clause, re.IGNORECASE)
