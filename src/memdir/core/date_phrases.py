"""Reads one phrase that may name a day: what it says, whether it is a day at all, and which one."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache

from memdir.core import date_steps
from memdir.core.date_english import ENGLISH
from memdir.core.date_habits import is_standing
from memdir.core.date_language import CLAUSE_END, MONTH_NAMES, Language, Phrase
from memdir.core.date_words import LANGUAGES
from memdir.core.date_yearless import DAY, is_no_date, yearless_day, yearless_month
from memdir.core.value import value_class

__all__ = ["MONTH", "Said", "meant", "month_number", "said_in"]

MONTH = "|".join(MONTH_NAMES)
CONTEXT = 100
"""Characters before a phrase that can change what it means: about one sentence."""


@value_class(frozen=True, slots=True)
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
    for language in LANGUAGES:
        for start, end in _lines_with(language.clue, text):
            for match in _pattern(language).finditer(text, start, end):
                said = _taken_apart(match, language, text)
                if not _is_no_day(said, text):
                    yield said


def meant(said: Said, on: date) -> tuple[date, str]:
    """Return the day and its grain; OverflowError or ValueError beyond the calendar or in no certain year."""
    sense, step = said.phrase.sense, said.phrase.step
    if sense in _YEARLESS:
        find, grain = _YEARLESS[sense]
        return find(said, on), grain
    if sense in _STEPS:
        return _STEPS[sense](on, step, said.unit), said.unit if sense == "period" else "day"
    if sense == "month":
        return date_steps.month_named(on, (said.month or 0) + 1, step), "month"
    if sense == "days":
        return on + timedelta(days=step), "day"
    if sense == "shift":
        from_weekday = said.weekday is not None
        start = _weekday_meant(said, on + timedelta(days=1)) if from_weekday else on
        return date_steps.moved(start, step * said.number, said.unit), "day"
    return _weekday_meant(said, on), "day"


def month_number(name: str) -> int:
    """Return 1 to 12 for a month's name in any of the languages."""
    return (_which(MONTH_NAMES, name) or 0) + 1


_STEPS = {
    "period": date_steps.first_day,
    "start": date_steps.first_day,
    "end": date_steps.last_day,
    "middle": date_steps.middle_day,
}
_YEARLESS = {"day-of-year": (yearless_day, "day"), "month-of-year": (yearless_month, "month")}


def _weekday_meant(said: Said, on: date) -> date:
    weekday, step = said.weekday or 0, said.phrase.step
    week = 1 if step == 1 and said.phrase.sense == "weekday" else said.phrase.week
    if week is not None:
        return date_steps.weekday_in_week(on, weekday, week)
    if step == -1 or (said.is_bare_weekday and _SINCE.search(said.before)):
        return date_steps.weekday_from(on - timedelta(days=7), weekday)
    return date_steps.weekday_from(on + timedelta(days=1 if said.is_bare_weekday else 0), weekday)


def _lines_with(clue: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each line with the clue: the full expression is too slow for all of them."""
    lowered, end = text.lower().replace("\u017f", "s").replace("\u0131", "i"), -1
    same = len(lowered) == len(text)  # all but a few letters keep their place, and finding is thrice as fast
    for match in re.finditer(clue, lowered) if same else re.finditer(clue, text, re.IGNORECASE):
        if match.start() > end:
            start = text.rfind("\n", max(end, 0), match.start()) + 1 or max(end, 0)
            end = text.find("\n", match.end())
            end = len(text) if end < 0 else end
            yield start, end


@cache
def _pattern(language: Language) -> re.Pattern[str]:
    """Return one expression for all phrases of a language; the group `p3` is phrase 3, `unit3` its unit."""
    words = {
        "weekday": "|".join(language.weekdays),
        "number": r"\d{1,3}|" + "|".join(sorted(language.numbers, key=len, reverse=True)),
        "unit": "|".join(language.units.values()),
        "month": MONTH,
        "day": DAY,
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
    number = groups.get(f"number{at}") or groups.get(f"day{at}") or ""
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
        before=text[max(0, match.start() - CONTEXT) : match.start()].rpartition("\n")[2],
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


_SINCE = re.compile(r"(?:\b(?:since|seit|depuis|desde el)\s+|自)\Z", re.IGNORECASE)
_THE = re.compile(r"\b(?:the|our|its)\s+\Z", re.IGNORECASE)
_DETERMINER = re.compile(r"\b(?:the|our|my|your|their)\s+\Z", re.IGNORECASE)
_ON = re.compile(r"\b(?:by|on|until|till|before|due|from|for|to)\s+\Z", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['\u2019]s\b")
# After a weekday: a plural noun makes it a habit ("Friday deploys"), these words do not.
_PLURAL = re.compile(
    r"\s(?!(?:is|was|has|does|this|as|us|its|works|starts|ends|begins|comes|means|needs|unless|always)\b)[a-z]+s\b"
)
_NOUN = re.compile(
    r"\s(?!(?:at|and|or|we|i|he|she|it|they|you|the|an?|is|was|are|will|would|if|because|so|but|to|for|in|on|of|by"
    r"|with|when|as|not|after|before|until|from|this|that|our|morning|afternoon|evening|night|noon|midnight|works"
    r"|starts|ends|must|should|can|may|has|have|only|instead|again|then|which|since|unless|next|last)\b)[a-z]{3,}\b"
)
_RANGE = r"\s*(?:-|\u2013|—|\bto\b|\bthrough\b|\bbis\b|\bau\b|\ba\b|\bà\b|至|到)\s*"
_DATE = (
    rf"\d{{4}}-\d\d-\d\d|\d{{1,2}}(?:st|nd|rd|th)\b|\d{{1,2}}\.?\s(?:of\s|de\s)?(?:{MONTH})\b"
    rf"|(?:{MONTH})\.?\s\d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}月\d{{1,2}}[日号]"
)
_DATE_AFTER = re.compile(
    rf"[\s,(\uff08]{{0,3}}(?<!\w)(?:the\s|den\s|dem\s)?(?:{_DATE}|\d{{1,2}}\.\d{{1,2}}\.|\d{{1,2}}/\d{{1,2}}\b)",
    re.IGNORECASE,
)
_DATE_BEFORE = re.compile(
    rf"(?:{_DATE}|\d{{1,2}}\.\d{{1,2}}\.)(?:,?\s?\d{{4}})?[\s,(\uff08]{{0,3}}\Z", re.IGNORECASE
)
_MORNING = re.compile(r"\b(?:la|esta|cada|de|buena)\s+\Z", re.IGNORECASE)
_SENTENCE_START = re.compile(r"(?:\A|[.!?:]\s)[\s>*+-]*\Z")
_FRENCH = re.compile(r"\b(?:le|les|des|est|nous|avons|une|du|et|pour|dans|la|ont|sur)\b", re.IGNORECASE)
_GERMAN = re.compile(r"\b(?:der|das|und|ist|nicht|wir|ein|eine|im|von|sind)\b", re.IGNORECASE)


def _is_no_day(said: Said, text: str) -> bool:
    """Whether this is a habit, an idiom, a word of another sense, or has its date beside it already."""
    sense = said.phrase.sense
    if sense in _YEARLESS:
        return is_no_date(said)
    if _DATE_AFTER.match(said.after) or _DATE_BEFORE.search(said.before[-30:]):
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
    return said.is_bare_weekday and (
        _PLURAL.match(said.after) is not None or is_standing(said.language, said.before, said.after)
    )


def _is_idiom(said: Said, text: str) -> bool:
    """Whether the words mean something else here."""
    words = said.words.lower()
    if words == "today":
        return _POSSESSIVE.match(said.after) is not None  # today's standards
    if words.startswith("end of") and said.unit == "":
        return re.search(r"\bat\s(?:the\s)?\Z", said.before, re.IGNORECASE) is not None
    if said.is_bare_weekday and len(words) <= 5 and said.language.spaced and said.words[0].isupper():
        return said.language is ENGLISH and not _ON.search(said.before)  # Sat, Sun, Mon
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
    before, after = CLAUSE_END.split(said.before)[-1], CLAUSE_END.split(said.after)[0][:25]
    is_past = re.search(rf"{edge}(?:{language.past}){edge}", f"{before} {after}", re.IGNORECASE)
    return bool(is_past) and not re.search(rf"{edge}(?:{language.future}){edge}", before, re.IGNORECASE)
