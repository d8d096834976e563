"""The words in which each language names days relative to today, and days and months without their year."""

from dataclasses import dataclass

from memdir.text.dates.calendar import MONTH_NAMES
from memdir.text.value import value_class

__all__ = [
    "ENGLISH",
    "FRENCH",
    "LANGUAGES",
    "YEARLESS",
    "Language",
    "Phrase",
    "usual_phrases",
]


@value_class(frozen=True, slots=True)
class Phrase:
    """One way to name a day; `{weekday}`, `{number}`, `{unit}`, `{month}` and `{day}` stand for words."""

    pattern: str
    sense: str
    """days, weekday, shift, period, end, start, middle, month, vague, or one that lacks its year or month."""
    step: int = 0
    """Days or units to go; for weekdays -1 the last, 0 this, 1 the next week's, 2 the coming one."""
    unit: str = ""
    """The unit, where no word of the phrase names it."""
    week: int | None = None
    """For a weekday of a named week: how many weeks from this one."""


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """The words of one language that name days."""

    clue: str
    """A line in lower case without a match of this names no day in this language."""
    phrases: tuple[Phrase, ...]
    weekdays: tuple[str, ...] = ()
    """Patterns for Monday to Sunday."""
    numbers: dict[str, int] | None = None
    units: dict[str, str] | None = None
    """Patterns for day, week, fortnight, month, quarter, year and weekend."""
    recurring: str = "(?!)"
    """Before a weekday: it is a habit, not a day."""
    week: str = "{}"
    """How a week is written by its Monday."""
    spaced: bool = True
    """Whether words are set apart by spaces."""


def usual_phrases(  # noqa: PLR0917 - a table has its columns
    days: dict[str, int],
    ahead: str,
    ago: str,
    following: tuple[str, ...],
    last: tuple[str, ...],
    this: str,
    end: str,
) -> tuple[Phrase, ...]:
    """Return the phrases that most languages have; `@` stands for a weekday and for a unit in turn."""
    steps = [*[(form, 1) for form in following], *[(form, -1) for form in last], (this, 0)]
    return (
        *[Phrase(word, "days", step) for word, step in days.items()],
        Phrase(ahead, "shift", 1),
        Phrase(ago, "shift", -1),
        *[Phrase(form.replace("@", "{weekday}"), "weekday", step) for form, step in steps],
        Phrase("{weekday}", "weekday", 2),
        Phrase(end, "end"),
        *[Phrase(form.replace("@", "{unit}"), "period", step) for form, step in steps],
    )


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


def _numbers(words: str) -> dict[str, int]:
    return {word: at for at, word in enumerate(words.split(), 1)}


# Tables read better with several words a line.
# fmt: off
GERMAN = Language(
    clue="heute|morgen|gestern|tag|woche|monat|quartal|jahr|mittwoch|sonnabend",
    weekdays=("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag|sonnabend", "sonntag"),
    numbers=_numbers("eine[mnr]?|ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"),
    units={"day": "tag(?:e[ns]?|s)?", "week": "wochen?", "month": "monat(?:e[ns]?|s)?",
           "quarter": "quartal(?:e[ns]?|s)?", "year": "jahr(?:e[ns]?|s)?", "weekend": "wochenendes?"},
    phrases=(
        Phrase("{weekday} in {number} {unit}", "vague"),
        Phrase("heute (?:früh|morgen|abend)", "days"),
        Phrase("ende (?:nächste[nrs]|kommende[nrs]) {unit}", "end", 1),
        *usual_phrases(
            {"heute": 0, "übermorgen": 2, "morgen": 1, "vorgestern": -2, "gestern": -1},
            "in {number} {unit}", "vor {number} {unit}", ("(?:nächste[nrs]?|kommende[nrs]?) @",),
            ("(?:letzte[nrs]?|vergangene[nrs]?|vorige[nrs]?) @",), "diese[nrs]? @",
            "ende (?:de[rs]|diese[nrs]) {unit}"),
    ),
    recurring="jede[nmrs]?|alle|kein(?:en)?|ein(?:en|em)?|immer|manche[nr]?|de[rn]|unser(?:en)?",
    week="Woche vom {}",
)

FRENCH = Language(
    clue="aujourd|demain|hier|semaine|mois|trimestre|ann|jour|dimanche|(?:lun|mar|cre|jeu|ndre|same)di|\\bans?\\b",
    weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    numbers=_numbers("une? deux trois quatre cinq six sept huit neuf dix onze douze"),
    units={"day": "jours?", "week": "semaines?", "month": "mois", "quarter": "trimestres?",
           "year": "ans?|années?"},
    phrases=usual_phrases(
        {"aujourd['\u2019]hui": 0, "après-demain": 2, "demain": 1, "avant-hier": -2, "hier": -1},
        "dans {number} {unit}", "il y a {number} {unit}", ("(?:l[ae] |l['\u2019])?@ prochaine?",),
        ("(?:l[ae] |l['\u2019])?@ (?:dernière?|dernier|passée?)",), "(?:cette|ce) @(?:-ci)?",
        "(?:à )?(?:la )?fin (?:de la|du|de l['\u2019]|de) ?{unit}"),
    recurring="chaque|tous les|les|un|le|(?<!partir )du", week="semaine du {}",
)

SPANISH = Language(
    clue="hoy|mañana|ayer|antier|semana|mes|trimestre|año|d[ií]a|lunes|martes|rcoles|jueves|viernes|bado|domingo",
    weekdays=("lunes", "martes", "mi[eé]rcoles", "jueves", "viernes", "s[aá]bado", "domingo"),
    numbers=_numbers("una? dos tres cuatro cinco seis siete ocho nueve diez once doce"),
    units={"day": "d[ií]as?", "week": "semanas?", "month": "mes(?:es)?", "quarter": "trimestres?",
           "year": "años?"},
    phrases=usual_phrases(
        {"hoy": 0, "pasado mañana": 2, "mañana": 1, "anteayer|antier": -2, "ayer": -1},
        "(?:en|dentro de) {number} {unit}", "hace {number} {unit}",
        ("(?:la |el )?pr[oó]xim[oa] @", "(?:la |el )?@ (?:que viene|pr[oó]xim[oa])"),
        ("(?:la |el )?@ pasad[oa]", "(?:el )?pasado @"), "est[ea] @",
        "(?:a )?fin(?:al|es|ales)? (?:de|del|de este) (?!semana){unit}"),
    recurring="cada|todos los|los|un|ningún"
    "|(?<!antes )(?<!partir )(?<!después )(?<!depois )d[aeo]l?", week="semana del {}",
)

PORTUGUESE = Language(
    clue="hoje|amanhã|ontem|semana|m[eê]s|trimestre|ano|dia|feira|bado|domingo",
    weekdays=("segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira",
              "s[aá]bado", "domingo"),
    numbers=_numbers("uma? d(?:oi|ua)s três quatro cinco seis sete oito nove dez onze doze"),
    units={"day": "dias?", "week": "semanas?", "month": "m[eê]s(?:es)?", "quarter": "trimestres?",
           "year": "anos?"},
    phrases=usual_phrases(
        {"hoje": 0, "depois de amanhã": 2, "amanhã": 1, "anteontem": -2, "ontem": -1},
        "(?:em|dentro de|daqui a) {number} {unit}", "há {number} {unit}",
        ("(?:n?[ao] )?pr[oó]xim[oa] @", "(?:n?[ao] )?@ que vem"), ("(?:n?[ao] )?@ passad[oa]",),
        "n?est[ea] @",
        "(?:n?o )?(?:fim|final) d(?:[oa]|este|esta) {unit}"),
    recurring="cada|tod[ao]s?(?: [ao]s?)?|[ao]s|um|nenhum"
    "|(?<!antes )(?<!partir )(?<!depois )d[aeo]", week="semana de {}",
)

ITALIAN = Language(
    clue="oggi|domani|ieri|settiman|mes[ei]|trimestre|ann[oi]|giorn|(?:lun|mart|mercol|giov)ed|venerd|sabato|domenica",
    weekdays=("luned[iì]", "marted[iì]", "mercoled[iì]", "gioved[iì]", "venerd[iì]", "sabato", "domenica"),
    numbers=_numbers("un[ao]? due tre quattro cinque sei sette otto nove dieci undici dodici"),
    units={"day": "giorn[oi]", "week": "settiman[ae]", "month": "mes[ei]", "quarter": "trimestr[ei]",
           "year": "ann[oi]"},
    phrases=usual_phrases(
        {"oggi": 0, "dopodomani": 2, "domani": 1, "l['\u2019]altro ieri": -2, "ieri": -1},
        "[tf]ra {number} {unit}", "{number} {unit} fa",
        ("(?:il |la |l['\u2019])?prossim[oa] @", "(?:il |la |l['\u2019])?@ prossim[oa]"),
        ("(?:il |la |l['\u2019])?@ scors[oa]", "(?:il |la )?scors[oa] @"), "quest[oa] @",
        "(?:alla )?fine (?:del|della|di quest[oa]) {unit}"),
    recurring="ogni|tutti i|il|la|un|(?<!prima )(?:di|del|della)", week="settimana del {}",
)

DUTCH = Language(
    clue="vandaag|morgen|gisteren|dag|we(?:ek|ken)|maand|kwarta|ja(?:ar|ren)",
    weekdays=("maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"),
    numbers=_numbers("een|één twee drie vier vijf zes zeven acht negen tien elf twaalf"),
    units={"day": "dag(?:en)?", "week": "week|weken", "month": "maand(?:en)?", "quarter": "kwarta(?:al|len)",
           "year": "jaar|jaren"},
    phrases=usual_phrases(
        {"vandaag": 0, "overmorgen": 2, "morgen": 1, "eergisteren": -2, "gisteren": -1},
        "over {number} {unit}", "{number} {unit} geleden", ("(?:volgend|aankomend|komend)e? @",),
        ("(?:vorige?|afgelopen) @",), "(?:deze|dit) @", "(?:aan het )?einde? van (?:de|het|deze|dit) {unit}"),
    recurring="elke|iedere|alle|een|geen|de", week="week van {}",
)

RUSSIAN = Language(
    clue="сегодня|завтра|вчера|недел|месяц|квартал|год|лет|день|дн[ея]|понедел|вторник|сред|четверг|пятниц|суббот|воскрес",
    weekdays=("понедельник[ау]?", "вторник[ау]?", "(?<=в )среду|(?<=до )среды|(?<=к )среде|(?<=[уюй] )среду",
              "четверг[ау]?", "пятниц[уые]", "суббот[уые]", "воскресень[еяю]"),
    numbers=_numbers("од(?:ин|ну) дв[аеу]х? три четыре пять шесть семь восемь девять десять"),
    units={"day": "день|дня|дней", "week": "недел[юиье]|недель", "month": "месяц(?:а|ев|е)?",
           "quarter": "квартал[ае]?", "year": "году?|года|лет"},
    phrases=usual_phrases(
        {"сегодня": 0, "послезавтра": 2, "завтра": 1, "позавчера": -2, "вчера": -1},
        "через (?:{number} )?{unit}", "(?:{number} )?{unit} назад", ("следующ(?:ий|ую|ей|ем|его) @",),
        ("прошл(?:ый|ую|ой|ом|ого) @",), "эт(?:от|у|ой|ом|ого) @", "конц[еуа] {unit}"),
    recurring="каждый|каждую|каждое|любой|любую", week="неделя с {}",
)

_HAN = {"[一]": 1, "[二两]": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
        "十一": 11, "十二": 12}
_DAY_OF_YEAR = Phrase(r"(?<!年)(?<!年 )(?P<moon>1[0-2]|0?[1-9])\s?月\s?{day}\s?[日号]", "day-of-year")
CHINESE = Language(
    clue="[天周月年季]|星期|礼拜",
    weekdays=("一", "二", "三", "四", "五", "六", "[日天]"),
    numbers=_HAN,
    units={"day": "天", "week": "(?:个)?(?:周|星期|礼拜)", "month": "个月", "quarter": "(?:个)?季度",
           "year": "年"},
    phrases=(
        *[Phrase(word, "days", step) for word, step in
          {"大后天": 3, "后天": 2, "明天": 1, "今天": 0, "前天": -2, "昨天": -1}.items()],
        Phrase("{number}{unit}(?:之后|以后|后)", "shift", 1),
        Phrase("{number}{unit}(?:之前|以前|前)", "shift", -1),
        Phrase("下(?:个)?(?:周|星期|礼拜){weekday}", "weekday", week=1),
        Phrase("上(?:个)?(?:周|星期|礼拜){weekday}", "weekday", week=-1),
        Phrase("[这本](?:个)?(?:周|星期|礼拜){weekday}", "weekday", week=0),
        Phrase("(?<![每逢一两几个\\d])(?:周|星期|礼拜){weekday}(?!次|个|天)", "weekday", 2),
        Phrase("(?:本周|这周)末", "period", 0, "weekend"),
        Phrase("下周末", "period", 1, "weekend"),
        Phrase("下(?:个)?月底", "end", 1, "month"),
        Phrase("(?<![上每])(?<!上个)(?:本月|这个月|月)底", "end", unit="month"),
        Phrase("(?<![每去])年底", "end", unit="year"),
        _DAY_OF_YEAR,
        *[Phrase(pattern, "period", step, unit) for pattern, step, unit in (
            ("下(?:个)?(?:周|星期|礼拜)", 1, "week"), ("上(?:个)?(?:周|星期|礼拜)", -1, "week"),
            ("(?:本周|这周|这个星期)", 0, "week"), ("下(?:个)?月", 1, "month"), ("上(?:个)?月", -1, "month"),
            ("(?:本月|这个月)", 0, "month"), ("下(?:个)?季度", 1, "quarter"),
            ("上(?:个)?季度", -1, "quarter"),
            ("本季度", 0, "quarter"), ("明年", 1, "year"), ("去年", -1, "year"), ("今年", 0, "year"))],
    ),
    recurring="每个?|逢", week="{}当周", spaced=False,
)

JAPANESE = Language(
    clue="曜|[日週月年]後|[間月年日]前|明日|明後日|昨日|今日|月末|年末|[来先今]週|[来先今]月|[来昨]年|\\d月",
    weekdays=tuple(f"{day}曜日?" for day in "月火水木金土日"),
    numbers=_HAN,
    units={"day": "日", "week": "週間", "month": "[かヶカケ]月", "year": "年"},
    phrases=(
        *[Phrase(word, "days", step) for word, step in
          {"明後日": 2, "明日": 1, "今日": 0, "一昨日": -2, "昨日": -1}.items()],
        Phrase("{number}{unit}後", "shift", 1),
        Phrase("{number}{unit}前", "shift", -1),
        *[Phrase(f"{word}の?{{weekday}}", "weekday", week=week) for word, week in
          {"来週": 1, "先週": -1, "今週": 0}.items()],
        Phrase("{weekday}(?!ごと|定例|以外)", "weekday", 2),
        Phrase("(?<!毎)月末", "end", unit="month"),
        Phrase("(?<!毎)年末", "end", unit="year"),
        _DAY_OF_YEAR,
        *[Phrase(word, "period", step, unit) for word, step, unit in (
            ("来週", 1, "week"), ("先週", -1, "week"), ("今週", 0, "week"), ("来月", 1, "month"),
            ("先月", -1, "month"), ("今月", 0, "month"), ("来年", 1, "year"), ("昨年", -1, "year"))],
    ),
    recurring="毎週の?|隔週の?|毎", week="{}の週", spaced=False,
)

KOREAN = Language(
    clue="요일|오늘|내일|모레|어제|그저께|[주달월년]|후에?|뒤",
    weekdays=tuple(f"{day}요일" for day in "월화수목금토일"),
    numbers={"한": 1, "두": 2, "세": 3, "네": 4},
    units={"day": "일", "week": "주", "month": "(?:개월|달)", "year": "년"},
    phrases=(
        *[Phrase(word, "days", step) for word, step in
          {"모레": 2, "내일": 1, "오늘": 0, "그저께": -2, "어제": -1}.items()],
        Phrase("{number} ?{unit} ?(?:후|뒤)", "shift", 1),
        Phrase("{number} ?{unit} ?전", "shift", -1),
        *[Phrase(f"{word} ?주 ?{{weekday}}", "weekday", week=week) for word, week in
          {"다음": 1, "지난": -1, "이번": 0}.items()],
        Phrase("{weekday}(?!마다)", "weekday", 2),
        *[Phrase(f"{word} ?{noun}", "period", step, unit) for word, step in
          {"다음": 1, "지난": -1, "이번": 0}.items() for noun, unit in {"주": "week", "달": "month"}.items()],
        Phrase("내년", "period", 1, "year"),
    ),
    recurring="매주 |격주 |매", week="{} 주", spaced=False,
)
# fmt: on

LANGUAGES = (
    *(ENGLISH, YEARLESS, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, DUTCH, RUSSIAN),
    *(CHINESE, JAPANESE, KOREAN),
)
