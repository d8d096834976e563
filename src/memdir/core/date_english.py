"""The words in which English names days relative to today."""

from memdir.core.date_language import Language, Phrase

__all__ = ["ENGLISH"]

# The names of months in this language alone, and what stands before one that is a deadline.
_NAMED = (
    "(?=(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b)"
)
_UP_TO = "(?:(?<=by )|(?<=until )|(?<=till )|(?<=before )|(?<=through ))"

_TWELVE = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

ENGLISH = Language(
    clue=r"day|tomorrow|tonight|week|fortnight|month|quarter|year|night|morning|evening|afternoon|business"
    r"|\b(?:eo[dwmqy]|cob|mon|tues?|wed|thu|thurs?|fri|sat|sun|(?:next|last) [jfmasond])"
    r"|\b(?:by|until|till|before|through|in) [jfmasond]|\d(?:st|nd|rd|th)? (?:of )?[jfmasond]"
    r"|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d",
    weekdays=(
        "monday|(?-i:Mon)",
        "tuesday|(?-i:Tues?)",
        "wednesday|(?-i:Wed)",
        "thursday|(?-i:Thu(?:rs?)?)",
        "friday|(?-i:Fri)",
        "saturday|(?-i:Sat)",
        "sunday|(?-i:Sun)",
    ),
    numbers={
        **{word: at for at, word in enumerate(_TWELVE, 1)},
        "a couple of": 2,
        "a couple": 2,
        "couple of": 2,
        "an": 1,
        "a": 1,
    },
    units={
        "day": "days?",
        "week": "weeks?",
        "fortnight": "fortnights?",
        "month": "months?",
        "quarter": "quarters?",
        "year": "years?",
        "weekend": "weekends?",
    },
    phrases=(
        Phrase("(?:the )?day after tomorrow", "days", 2),
        Phrase("(?:the )?day before yesterday", "days", -2),
        Phrase("(?:tonight|this evening)", "days", 0, " evening"),
        Phrase("this morning", "days", 0, " morning"),
        Phrase("this afternoon", "days", 0, " afternoon"),
        Phrase("last night", "days", -1, " night"),
        Phrase("(?:later |earlier |(?:right )?now )?today", "days", 0),
        Phrase("tomorrow", "days", 1),
        Phrase("yesterday", "days", -1),
        Phrase(
            "(?:eod|cob|close of business|end of (?:the )?(?:business )?day)"
            r"(?!(?: on| of)? (?:{weekday}|today|tomorrow|next|\d))",
            "days",
        ),
        Phrase("{number} {unit} (?:from|after) {weekday}", "shift", 1),
        Phrase("{number} {unit} from (?:now|today)", "shift", 1),
        Phrase("(?:the )?(?:next|last|past|coming) (?:{number}|few|couple of) {unit}", "vague"),
        Phrase("in (?:a |the next )?few {unit}", "vague"),
        Phrase("(?:in )?{number} {unit} or (?:two|three|so)(?: ago)?", "vague"),
        Phrase("(?:a )?few {unit} ago", "vague"),
        Phrase("in {number} {unit}(?:['\u2019]s?)?(?: time)?", "shift", 1),
        Phrase("within {number} {unit}", "shift", 1, "by"),
        Phrase("{number} {unit} ago", "shift", -1),
        Phrase("{weekday},? (?:of )?next week", "weekday", week=1),
        Phrase("next week,? (?:on )?{weekday}", "weekday", week=1),
        Phrase("{weekday},? (?:of )?last week", "weekday", week=-1),
        Phrase("last week,? (?:on )?{weekday}", "weekday", week=-1),
        Phrase("{weekday},? (?:of )?this week", "weekday", week=0),
        Phrase("(?:this coming|coming|this) {weekday}", "weekday", 0),
        Phrase("next {weekday}", "weekday", 1),
        Phrase("(?:last|past) {weekday}(?! of\\b)", "weekday", -1),
        Phrase("{weekday}", "weekday", 2),
        Phrase("(?:at )?(?:the )?end of next {unit}", "end", 1),
        Phrase("(?:at )?(?:the )?end of last {unit}", "end", -1),
        Phrase("(?:at )?(?:the )?end of (?:the |this )?{unit}(?! of\\b)", "end"),
        Phrase("(?-i:EOW|eow)", "end", tail="week"),
        Phrase("(?-i:EOM|eom)", "end", tail="month"),
        Phrase("(?-i:EOQ|eoq)", "end", tail="quarter"),
        Phrase("(?-i:EOY|eoy)", "end", tail="year"),
        Phrase("(?:at )?(?:the )?(?:start|beginning) of next {unit}", "start", 1),
        Phrase("(?:the middle of|mid|mid-) ?next {unit}", "middle", 1),
        Phrase("mid-month", "middle", tail="month"),
        Phrase("(?:the )?week after next", "period", 2, "week"),
        Phrase("(?:next|coming) {unit}(?! of\\b)", "period", 1),
        Phrase("(?:this|the current) {unit}(?! of\\b)", "period"),
        Phrase("last {unit}(?! of\\b)", "period", -1),
        Phrase("next {month}", "month", 1),
        Phrase("last {month}", "month", -1),
        Phrase(_NAMED + r"{month}\.? {day}(?:st|nd|rd|th)?", "day-of-year"),
        Phrase(r"(?:the )?{day}(?:st|nd|rd|th)? (?:of )?" + _NAMED + "{month}", "day-of-year"),
        Phrase(f"{_UP_TO}{_NAMED}{{month}}", "month-of-year"),
        Phrase(f"in {_NAMED}{{month}}", "month-of-year"),
    ),
    forms={
        "day": ("on {}", "{}"),
        "week": ("in the week of {}", "the week of {}"),
        "month": ("in {}", "{}"),
        "weekend": ("on the weekend of {}", "the weekend of {}"),
        "quarter": ("in {}", "{}"),
        "year": ("in {}", "{}"),
    },
    prepositions="by|on|until|till|before|after|since|from|for|of|to|through|due|around|starting|past|between"
    "|than|and|or|during|the|our|at|over|not|eod|cob|of business|end of day",
    recurring="every|each|any|most|some|all|other|no|an?|another|alternate|per|first|second|third|fourth|usual"
    "|regular|black|good|cyber|ash|easter|patch|once|twice|times|last|next",
    general=r"\A[\s>*+-]*no(?! one)|never|always|every|each",
    on="on",
    forward="by|until|till|before|to|for|from|due|starting|through|than|next|this|coming",
    past="was|were|had|did|didn't|decided|agreed|shipped|released|met|said|told|asked|happened|failed|broke"
    "|fixed|merged|deployed|landed|started|began|ended|finished|took|went|came|got|moved|switched|reported|found"
    "|saw|left|joined|discussed|announced|published|launched|crashed|approved|rejected|signed|sent|wrote|learned"
    "|noticed|introduced|removed|added|changed|made|built|done|completed|grew|dropped",
    future="will|shall|must|should|going|plans?|planned|scheduled|is|are|be|starts?|begins?|ends?|due|deadline"
    "|needs?|to",
)
