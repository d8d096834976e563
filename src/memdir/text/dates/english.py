"""The words in which English names days relative to today, and days and months without their year."""

from memdir.text.dates.calendar import MONTH_NAMES
from memdir.text.dates.language import Language, Phrase

__all__ = ["ENGLISH", "YEARLESS"]

# The names of months in this language alone, and what stands before one that is a deadline.
_NAMED = (
    ""
    "(?=(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b)"
)
_UP_TO = "(?:(?<=by )|(?<=until )|(?<=till )|(?<=before )|(?<=through ))"
_BEFORE_NUMBER = "|".join(
    f"(?<={word} )" for word in ("on", "by", "until", "till", "before", "due", "from", "after")
)
_MONTH = "|".join(MONTH_NAMES)
_TENS = {"fifteen": 15, "twenty": 20, "thirty": 30, "sixty": 60, "ninety": 90}
_TWELVE = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

# Tables read better with several words a line.
# fmt: off
ENGLISH = Language(
    clue=r"day|tomorrow|tonight|week|fortnight|month|quarter|year|night|morning|evening|afternoon|business"
    r"|\b(?:eo[dwmqy]|cob|mon|tues?|weds?|thu|thurs?|fri|sat|sun|(?:next|last) [jfmasond])|tm?o?r+r?o?w"
    r"|2moro|thur?dsay"
    r"|\b(?:by|until|till|before|through|in) [jfmasond]|\bthe \d|wk\b",
    weekdays=("monday|mon", "tuesday|tues?", "wednesday|weds?|wendesday|wensday|wednsday",
              "thursday|thu(?:rs?)?|thrusday|thurdsay", "friday|fri|firday", "saturday|sat", "sunday|sun"),
    numbers={**{word: at for at, word in enumerate(_TWELVE, 1)}, **_TENS,
             "a couple of": 2, "a couple": 2, "couple of": 2, "an": 1, "a": 1},
    units={"day": "days?", "week": "weeks?|wks?", "fortnight": "fortnights?", "month": "months?",
           "quarter": "quarters?", "year": "years?", "weekend": "weekends?"},
    phrases=(
        Phrase("(?:the )?day after tomorrow", "days", 2),
        Phrase("(?:the )?day before yesterday", "days", -2),
        Phrase("(?:tonight|this (?:morning|afternoon|evening))", "days"),
        Phrase("last night", "days", -1),
        Phrase("(?:later |earlier |(?:right )?now )?today", "days", 0),
        Phrase("tomorrow|tmrw|tmr|tom+or+ow|2moro", "days", 1),
        Phrase("yesterday", "days", -1),
        Phrase("(?:eod|cob|close of business|end of (?:the )?(?:business )?day)"
               r"(?!(?: on| of)? (?:{weekday}|today|tomorrow|next|\d))", "days"),
        Phrase("{number} {unit} (?:from|after) {weekday}", "shift", 1),
        Phrase("{number} {unit} from (?:now|today)", "shift", 1),
        Phrase("{weekday} in {number} {unit}", "vague"),
        Phrase("(?:the )?(?:next|last|past|coming) (?:{number}|few|couple of) {unit}", "vague"),
        Phrase("in (?:a |the next )?few {unit}", "vague"),
        Phrase("(?:in )?{number} {unit} or (?:two|three|so)(?: ago)?", "vague"),
        Phrase("(?:a )?few {unit} ago", "vague"),
        Phrase("in {number} {unit}(?:['\u2019]s?)?(?: time)?", "shift", 1),
        Phrase("within {number} {unit}", "shift", 1),
        Phrase("{number} {unit} ago", "shift", -1),
        Phrase("{weekday},? (?:of )?(?:next|nxt) (?:week|wk)", "weekday", week=1),
        Phrase("next week,? (?:on )?{weekday}", "weekday", week=1),
        Phrase("{weekday},? (?:of )?last week", "weekday", week=-1),
        Phrase("last week,? (?:on )?{weekday}", "weekday", week=-1),
        Phrase("{weekday},? (?:of )?this week", "weekday", week=0),
        Phrase("{weekday} week", "shift", 1, "week"),
        Phrase("(?:this coming|coming|this) {weekday}", "weekday", 0),
        Phrase("(?:next|nxt) {weekday}", "weekday", 1),
        Phrase("(?:last|(?:this|the) past) {weekday}(?! of\\b)", "weekday", -1),
        Phrase("{weekday}", "weekday", 2),
        Phrase("(?:at )?(?:the )?end of next {unit}", "end", 1),
        Phrase("(?:at )?(?:the )?end of last {unit}", "end", -1),
        Phrase("(?:at )?(?:the )?end of (?:the |this )?{unit}(?! of\\b)", "end"),
        Phrase("(?:the )?last day of (?:the|this) month", "end", unit="month"),
        Phrase("(?-i:EOW|eow)", "end", unit="week"),
        Phrase("(?-i:EOM|eom)", "end", unit="month"),
        Phrase("(?-i:EOQ|eoq)", "end", unit="quarter"),
        Phrase("(?-i:EOY|eoy)", "end", unit="year"),
        Phrase("(?:at )?(?:the )?(?:start|beginning) of next {unit}", "start", 1),
        Phrase("(?:the middle of|mid|mid-) ?next {unit}", "middle", 1),
        Phrase("mid-month", "middle", unit="month"),
        Phrase("(?:the )?week after next", "period", 2, "week"),
        Phrase("(?:next|nxt|coming) {unit}(?! of\\b)", "period", 1),
        Phrase("(?:this|the current) {unit}(?! of\\b)", "period"),
        Phrase("last {unit}(?! of\\b)", "period", -1),
        Phrase("next {month}", "month", 1),
        Phrase("last {month}", "month", -1),
        Phrase(rf"{_UP_TO}{_NAMED}{{month}}(?!\.? ?\d)", "month-of-year"),
        Phrase(rf"in {_NAMED}{{month}}(?!\.? ?\d)", "month-of-year"),
        Phrase(f"(?:{_BEFORE_NUMBER})the {{day}}(?:st|nd|rd|th)(?! (?:of\\b|{_MONTH}|floor|time))",
               "day-of-month"),
    ),
    recurring="every|each|any|most|some|all|other|no|an?|another|alternate|per|first|second|third|fourth|usual"
    "|regular|black|good|cyber|ash|easter|patch|casual|super|once|twice|times|last|next|the|our|my|your"
    "|their|these",
    week="week of {}",
)

YEARLESS = Language(
    clue=rf"\d(?:st|nd|rd|th|er|\.)? (?:of |de )?(?:{_MONTH})|\b(?:{_MONTH})\.? \d|\d\s?月\s?\d"
    rf"|(?:first|second|third|end|ende|fin|fine|day|einde) (?:of |de |di |van )?(?:{_MONTH}|q[1-4])\b",
    numbers={"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5},
    phrases=(
        Phrase(r"{month}\.? {day}(?:st|nd|rd|th)?", "day-of-year"),
        Phrase(r"(?:the )?{day}(?:st|nd|rd|th|er|\.)? (?:of |de )?{month}", "day-of-year"),
        Phrase("(?:the )?{number} of {month}", "day-of-year"),
        Phrase("(?:the )?(?:very )?(?:end|last day) of (?:{month}|(?P<quarter>q[1-4]))", "end-of-month"),
        Phrase("(?:ende|fin de|fin|fine|fine di|einde) {month}", "end-of-month"),
    ),
)
"""Days of a month in the spaced languages; only the next or the latest year can be meant."""
# fmt: on
