"""The words in which English, German, French, Spanish and Chinese name days relative to today, as data."""

from dataclasses import dataclass

__all__ = ["LANGUAGES", "MONTH_NAMES", "Language", "Phrase"]


@dataclass(frozen=True, slots=True)
class Phrase:
    """One way to name a day; `{weekday}`, `{number}`, `{unit}` and `{month}` stand for the language's words."""

    pattern: str
    sense: str
    """days, weekday, shift, period, end, start, middle, month or vague."""
    step: int = 0
    """Days or units to go; for weekdays -1 the last, 0 this, 1 the next week's, 2 the coming one."""
    tail: str = ""
    """What is kept beside the date, such as the time of day."""
    week: int | None = None
    """For a weekday of a named week: how many weeks from this one."""


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """The words of one language, and how it writes a date into a sentence."""

    clues: tuple[str, ...]
    """A text in lower case without any of these names no day in this language."""
    weekdays: tuple[str, ...]
    """Patterns for Monday to Sunday."""
    numbers: dict[str, int]
    units: dict[str, str]
    """Patterns for day, week, fortnight, month, quarter, year and weekend."""
    phrases: tuple[Phrase, ...]
    forms: dict[str, tuple[str, str]]
    """For each grain: how it stands alone in a sentence, and how after a preposition."""
    prepositions: str
    """After one of these a date needs no preposition of its own."""
    recurring: str
    """Before a weekday: it is a habit, not a day."""
    forward: str
    """Before a weekday: it is still to come, whatever the verb says."""
    past: str
    """Verbs that make a bare weekday one that may be over."""
    future: str = "(?!)"
    """Words that outweigh such a verb."""
    spaced: bool = True
    """Whether words are set apart by spaces."""


_TWELVE = "one two three four five six seven eight nine ten eleven twelve"

ENGLISH = Language(
    clues=("day", "tomorrow", "tonight", "week", "month", "quarter", "year", "night", "ago", "in ", "eo", "cob",
           "morning", "noon", "evening", "next ", "last ", "fri", "mon", "tue", "wed", "thu", "sat", "sun"),
    weekdays=("monday|(?-i:Mon)", "tuesday|(?-i:Tues?)", "wednesday|(?-i:Wed)", "thursday|(?-i:Thu(?:rs?)?)",
              "friday|(?-i:Fri)", "saturday|(?-i:Sat)", "sunday|(?-i:Sun)"),
    numbers={**{word: at for at, word in enumerate(_TWELVE.split(), 1)}, "a couple of": 2, "a couple": 2, "couple of": 2,
             "an": 1, "a": 1},
    units={"day": "days?", "week": "weeks?", "fortnight": "fortnights?", "month": "months?", "quarter": "quarters?",
           "year": "years?", "weekend": "weekends?"},
    phrases=(
        Phrase("(?:the )?day after tomorrow", "days", 2),
        Phrase("(?:the )?day before yesterday", "days", -2),
        Phrase("(?:tonight|this evening)", "days", 0, " evening"),
        Phrase("this morning", "days", 0, " morning"),
        Phrase("this afternoon", "days", 0, " afternoon"),
        Phrase("last night", "days", -1, " night"),
        Phrase("(?:later |earlier )?today", "days", 0),
        Phrase("tomorrow", "days", 1),
        Phrase("yesterday", "days", -1),
        Phrase("(?:eod|cob|close of business|end of (?:the )?(?:business )?day)(?! {weekday}| today| tomorrow)", "days"),
        Phrase("{number} {unit} (?:from|after) {weekday}", "shift", 1),
        Phrase("{number} {unit} from (?:now|today)", "shift", 1),
        Phrase("(?:the )?(?:next|last|past|coming) (?:{number}|few|couple of) {unit}", "vague"),
        Phrase("in (?:a |the next )?few {unit}", "vague"),
        Phrase("(?:a )?few {unit} ago", "vague"),
        Phrase("in {number} {unit}(?:['’]s?)?(?: time)?", "shift", 1),
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
    ),
    forms={"day": ("on {}", "{}"), "week": ("in the week of {}", "the week of {}"), "month": ("in {}", "{}"),
           "weekend": ("on the weekend of {}", "the weekend of {}"), "quarter": ("in {}", "{}"), "year": ("in {}", "{}")},
    prepositions="by|on|until|till|before|after|since|from|for|of|to|through|due|around|starting|past|between|than|and|or"
                 "|during|for the|the|our|at|over|not",
    recurring="every|each|any|most|some|all|other|no|an?|another|alternate|per|first|second|third|fourth|usual|regular"
              "|black|good|cyber|ash|easter|patch|once",
    forward="by|until|till|before|to|for|from|due|starting|through|than|next|this|coming",
    past="was|were|had|did|didn't|decided|agreed|shipped|released|met|said|told|asked|happened|failed|broke|fixed"
         "|merged|deployed|landed|started|began|ended|finished|took|went|came|got|moved|switched|reported|found|saw|left"
         "|joined|discussed|announced|published|launched|crashed|approved|rejected|signed|sent|wrote|learned|noticed"
         "|introduced|removed|added|changed|made|built|done|completed|grew|dropped",
    future="will|shall|must|should|going|plans?|planned|scheduled|is|are|be|starts?|begins?|ends?|due|deadline|needs?|to",
)

GERMAN = Language(
    clues=("heute", "morgen", "gestern", "tag", "woch", "monat", "quartal", "jahr"),
    weekdays=("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag|sonnabend", "sonntag"),
    numbers={"eine[mnr]?|einem|ein": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8,
             "neun": 9, "zehn": 10, "elf": 11, "zwölf": 12},
    units={"day": "tag(?:e[ns]?|s)?", "week": "wochen?", "month": "monat(?:e[ns]?|s)?", "quarter": "quartal(?:e[ns]?|s)?",
           "year": "jahr(?:e[ns]?|s)?", "weekend": "wochenendes?"},
    phrases=(
        Phrase("heute (?:früh|morgen)", "days", 0, " (früh)"),
        Phrase("heute abend", "days", 0, " (Abend)"),
        Phrase("heute", "days", 0),
        Phrase("übermorgen", "days", 2),
        Phrase("(?-i:morgen)", "days", 1),
        Phrase("vorgestern", "days", -2),
        Phrase("gestern", "days", -1),
        Phrase("in {number} {unit}", "shift", 1),
        Phrase("vor {number} {unit}", "shift", -1),
        Phrase("(?:nächste[nr]?|kommende[nr]?) {weekday}", "weekday", 1),
        Phrase("(?:letzte[nr]?|vergangene[nr]?) {weekday}", "weekday", -1),
        Phrase("diese[nr]? {weekday}", "weekday", 0),
        Phrase("{weekday}", "weekday", 2),
        Phrase("ende (?:nächste[nrs]|kommende[nrs]) {unit}", "end", 1),
        Phrase("ende (?:de[rs]|diese[nrs]) {unit}", "end"),
        Phrase("(?:nächste[nrs]?|kommende[nrs]?) {unit}", "period", 1),
        Phrase("diese[nrs]? {unit}", "period"),
        Phrase("(?:letzte[nrs]?|vergangene[nrs]?|vorige[nrs]?) {unit}", "period", -1),
    ),
    forms={"day": ("am {}", "{}"), "week": ("in der Woche vom {}", "Woche vom {}"), "month": ("in {}", "{}"),
           "weekend": ("am Wochenende vom {}", "Wochenende vom {}"), "quarter": ("in {}", "{}"), "year": ("in {}", "{}")},
    prepositions="am|bis|zum|vom|ab|seit|vor|nach|von|für|und|oder|auf|bis zum|in",
    recurring="jede[nmrs]?|alle|kein(?:en)?|ein(?:en|em)?|immer|manche[nr]?",
    forward="bis|ab|zum|vor|auf",
    past="hat|haben|hatten?|war(?:en)?|wurden?",
)

FRENCH = Language(
    clues=("aujourd", "demain", "hier", "semaine", "mois", "trimestre", "anné", "dans ", "il y a ", "l'an", "di"),
    weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    numbers={"une?": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "huit": 8, "neuf": 9,
             "dix": 10, "onze": 11, "douze": 12},
    units={"day": "jours?", "week": "semaines?", "month": "mois", "quarter": "trimestres?", "year": "ans?|années?"},
    phrases=(
        Phrase("aujourd['’]hui", "days", 0),
        Phrase("après-demain", "days", 2),
        Phrase("demain", "days", 1),
        Phrase("avant-hier", "days", -2),
        Phrase("hier", "days", -1),
        Phrase("dans {number} {unit}", "shift", 1),
        Phrase("il y a {number} {unit}", "shift", -1),
        Phrase("{weekday} prochain", "weekday", 1),
        Phrase("{weekday} dernier", "weekday", -1),
        Phrase("ce {weekday}", "weekday", 0),
        Phrase("{weekday}", "weekday", 2),
        Phrase("(?:à )?(?:la )?fin (?:de la|du|de l['’]|de) ?{unit}", "end"),
        Phrase("(?:la |le |l['’]){unit} prochaine?", "period", 1),
        Phrase("(?:cette|ce) {unit}(?:-ci)?", "period"),
        Phrase("(?:la |le |l['’]){unit} (?:dernière?|dernier|passée?)", "period", -1),
    ),
    forms={"day": ("le {}", "{}"), "week": ("la semaine du {}", "la semaine du {}"), "month": ("en {}", "{}"),
           "weekend": ("{}", "{}"), "quarter": ("en {}", "{}"), "year": ("en {}", "{}")},
    prepositions="le|au|du|de|et|ou",
    recurring="chaque|tous les|les|un|le",
    forward="avant|pour|dès|d'ici",
    past="a été|avons|ont|était|étaient",
)

SPANISH = Language(
    clues=("hoy", "mañana", "ayer", "antier", "semana", "mes", "trimestre", "año", "día", "lunes", "martes",
           "miércoles", "miercoles", "jueves", "viernes", "sábado", "sabado", "domingo"),
    weekdays=("lunes", "martes", "mi[eé]rcoles", "jueves", "viernes", "s[aá]bado", "domingo"),
    numbers={"una?": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9,
             "diez": 10, "once": 11, "doce": 12},
    units={"day": "d[ií]as?", "week": "semanas?", "month": "mes(?:es)?", "quarter": "trimestres?", "year": "años?"},
    phrases=(
        Phrase("hoy", "days", 0),
        Phrase("pasado mañana", "days", 2),
        Phrase("mañana", "days", 1),
        Phrase("anteayer|antier", "days", -2),
        Phrase("ayer", "days", -1),
        Phrase("(?:en|dentro de) {number} {unit}", "shift", 1),
        Phrase("hace {number} {unit}", "shift", -1),
        Phrase("pr[oó]ximo {weekday}", "weekday", 1),
        Phrase("{weekday} (?:pr[oó]ximo|que viene)", "weekday", 1),
        Phrase("pasado {weekday}", "weekday", -1),
        Phrase("{weekday} pasado", "weekday", -1),
        Phrase("este {weekday}", "weekday", 0),
        Phrase("{weekday}", "weekday", 2),
        Phrase("(?:a )?fin(?:al|es|ales)? (?:de|del|de este) (?!semana){unit}", "end"),
        Phrase("(?:la |el )?pr[oó]xim[oa] {unit}", "period", 1),
        Phrase("(?:la |el ){unit} (?:que viene|pr[oó]xim[oa])", "period", 1),
        Phrase("est[ea] {unit}", "period"),
        Phrase("(?:la |el ){unit} pasad[oa]", "period", -1),
    ),
    forms={"day": ("el {}", "{}"), "week": ("la semana del {}", "la semana del {}"), "month": ("en {}", "{}"),
           "weekend": ("{}", "{}"), "quarter": ("en {}", "{}"), "year": ("en {}", "{}")},
    prepositions="el|antes del?|desde el|hasta el|para el|del?|al|desde|hasta|para|y|o|a",
    recurring="cada|todos los|los|un|ningún",
    forward="antes del?|hasta el|para el|desde el",
    past="fue|fueron|hemos|había|hubo|decidimos",
)

CHINESE = Language(
    clues=("天", "周", "星期", "礼拜", "月", "年", "季"),
    weekdays=("一", "二", "三", "四", "五", "六", "[日天]"),
    numbers={"[一]": 1, "[二两]": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
             "十一": 11, "十二": 12},
    units={"day": "天", "week": "(?:个)?(?:周|星期|礼拜)", "month": "个月", "quarter": "(?:个)?季度", "year": "年"},
    phrases=(
        Phrase("大后天", "days", 3),
        Phrase("后天", "days", 2),
        Phrase("明天", "days", 1),
        Phrase("今天", "days", 0),
        Phrase("前天", "days", -2),
        Phrase("昨天", "days", -1),
        Phrase("{number}{unit}(?:之后|以后|后)", "shift", 1),
        Phrase("{number}{unit}(?:之前|以前|前)", "shift", -1),
        Phrase("下(?:个)?(?:周|星期|礼拜){weekday}", "weekday", week=1),
        Phrase("上(?:个)?(?:周|星期|礼拜){weekday}", "weekday", week=-1),
        Phrase("[这本](?:个)?(?:周|星期|礼拜){weekday}", "weekday", week=0),
        Phrase("(?<![每一两几个\\d])(?:周|星期|礼拜){weekday}(?!次|个|天)", "weekday", 2),
        Phrase("(?:本周|这周)末", "period", 0, "weekend"),
        Phrase("下周末", "period", 1, "weekend"),
        Phrase("下(?:个)?月底", "end", 1, "month"),
        Phrase("(?<!上)(?<!上个)(?:本月|这个月|月)底", "end", tail="month"),
        Phrase("(?<![每去])年底", "end", tail="year"),
        Phrase("下(?:个)?(?:周|星期|礼拜)", "period", 1, "week"),
        Phrase("上(?:个)?(?:周|星期|礼拜)", "period", -1, "week"),
        Phrase("(?:本周|这周|这个星期)", "period", 0, "week"),
        Phrase("下(?:个)?月", "period", 1, "month"),
        Phrase("上(?:个)?月", "period", -1, "month"),
        Phrase("(?:本月|这个月)", "period", 0, "month"),
        Phrase("下(?:个)?季度", "period", 1, "quarter"),
        Phrase("上(?:个)?季度", "period", -1, "quarter"),
        Phrase("本季度", "period", 0, "quarter"),
        Phrase("明年", "period", 1, "year"),
        Phrase("去年", "period", -1, "year"),
        Phrase("今年", "period", 0, "year"),
    ),
    forms={"day": ("{}", "{}"), "week": ("{}当周", "{}当周"), "month": ("{}", "{}"), "weekend": ("{}周末", "{}周末"),
           "quarter": ("{}", "{}"), "year": ("{}年", "{}年")},
    prepositions="在|到|于|至|从",
    recurring="每个?",
    forward="到|至|从",
    past="了",
    spaced=False,
)

LANGUAGES = (ENGLISH, GERMAN, FRENCH, SPANISH, CHINESE)

MONTH_NAMES = (
    "jan(?:uary|uar|vier)?|enero", "feb(?:ruary|ruar)?|février|febrero", "mar(?:ch|s|zo)?|märz", "apr(?:il)?|avril|abril",
    "may|mai|mayo", "june?|juni|juin|junio", "july?|juli|juillet|julio", "aug(?:ust)?|août|agosto",
    "sept?(?:ember|embre|iembre)?", "o[ck]t(?:ober|obre|ubre)?", "nov(?:ember|embre|iembre)?",
    "de[czs](?:ember)?|décembre|diciembre",
)
"""Patterns for January to December in the languages above, long and short."""
