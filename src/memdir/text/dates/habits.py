"""Tell a weekday that means one day from one that repeats; leave open what may be either.

One day is meant where words say so: a deadline, or something that happens once. A habit, a list of days, the
name of a thing and a day that is ruled out are left alone. Everything else is in doubt.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdir.text.dates.languages import Language
    from memdir.text.dates.phrases import DayPhrase

__all__ = ["FUTURE", "PAST", "is_general", "is_habit", "is_occasion", "is_unsure", "may_be_past"]


def is_habit(said: DayPhrase) -> bool:
    """Whether a weekday, or an end of a month or the like, is one of many: every Friday, the Friday demo."""
    if _says(said.language.recurring, said) or _is_listed(said) or _is_name(said):
        return True
    clause = f"{said.clause_before} \0 {said.clause_after}"
    if _HABIT.search(clause):
        return True
    if _is_deadline(said):
        return False
    return bool(_ONLY.search(clause)) or bool(_ROUTINE.search(clause) and not _CHANGE.search(clause))


def is_occasion(said: DayPhrase) -> bool:
    """Whether the words around say that this happens once: by Friday, the demo is on Friday."""
    if _is_range(said) or is_general(said):
        return False
    if _is_deadline(said):
        return True
    clause = f"{said.clause_before} \0 {said.clause_after}"
    reason = said.clause_after.partition(",")[2]  # "not on Friday, the demo is then" speaks of one day
    if may_be_past(said) or (_NOT.search(clause) and not _EVENT.search(reason)):
        return False
    return bool(_EVENT.search(clause) or _CHANGE.search(clause) or FUTURE.search(clause))


def is_general(said: DayPhrase) -> bool:
    """Whether the clause speaks of many things at once, as a rule does: tokens expire in 30 days."""
    counted = said.weekday is not None or said.phrase.sense == "shift"
    return counted and _MANY.match(said.clause_before) is not None


def is_unsure(said: DayPhrase) -> bool:
    """Whether the words around leave the day open: roughly then, a case of a rule, a time without."""
    before, after, shift = said.before, said.after, said.phrase.sense == "shift"
    if re.search(_ROUGHLY, before) or re.match(_OR_SO, after):
        return True
    if said.phrase.sense != "days" and re.search(_CASE, before):
        return True
    if not shift or re.search(_MORE_THAN, before):
        return shift
    if said.phrase.step < 0:
        return re.match(_SINCE_THEN, after) is not None
    return _is_time_without(said.clause_before)


def _is_time_without(before: str) -> bool:
    """Whether the words tell what did not happen for so long: not touched in two weeks."""
    before = re.split("[,:]", before)[-1]
    missing = _WITHOUT.search(before)
    then = before[missing.end() :].lstrip().partition(" ")[2] if missing else ""
    return missing is not None and not (FUTURE.search(then) or _EVENT.search(then))


def may_be_past(said: DayPhrase) -> bool:
    """Whether the clause tells of something that is over."""
    if _is_deadline(said):
        return False
    around = f"{said.clause_before} {said.clause_after[:25]}"
    return bool(PAST.search(around)) and not FUTURE.search(said.clause_before)


def _is_deadline(said: DayPhrase) -> bool:
    return bool(_UP_TO.search(said.before) or _UP_TO_AFTER.match(said.after))


def _says(pattern: str, said: DayPhrase) -> bool:
    edge, gap = (r"(?:\A|[\s(])", r"(?:\sother)?\s+") if said.language.spaced else ("", "")
    return re.search(rf"{edge}(?:{pattern}){gap}\Z", said.before, re.IGNORECASE) is not None


def _is_listed(said: DayPhrase) -> bool:
    """Whether another weekday stands beside it: Monday, Wednesday and Friday; or it is ruled out."""
    if not said.language.weekdays:
        return False
    before, after = _list(said.language)
    return bool(before.search(said.before) or after.match(said.after) or _RULED_OUT.search(said.before))


def _is_name(said: DayPhrase) -> bool:
    """Whether the weekday is part of a name: Casual Friday, Friday deploys, Viernes Santo."""
    if _PLURAL_AFTER.match(said.after):
        return True
    lead = re.search(r"(?<!^)(?<![.!?:]\s)\b([A-Z][a-z]+)\s\Z", f" {said.before}")
    named = lead is not None and said.words[0].isupper() and not _EVENT.search(lead[1])
    return (named and not _LEADS.fullmatch(lead[1] if lead else "")) or bool(
        said.words[0].isupper() and re.match(r" (?!I\b)[A-Z][a-z]+", said.after) and not said.before.strip()
    )


def _is_range(said: DayPhrase) -> bool:
    """Whether the weekday starts or ends a span of days: Monday to Friday."""
    weekday = "|".join(said.language.weekdays) or "(?!)"
    starts = re.match(rf"{_RANGE}(?:{weekday})", said.after, re.IGNORECASE)
    return bool(starts or re.search(rf"(?:{weekday}){_RANGE}\Z", said.before, re.IGNORECASE))


_RANGE = r"\s*(?:-|\u2013|—|\bto\b|\bthrough\b|\bbis\b|\bau\b|\ba\b|\bà\b|\btot\b|\bпо\b|至|到|から|부터)\s*"
_LINK = (
    r"(?:['\u2019]s)?\s*(?:[,、/&+]|,?\s*\b(?:and|or|und|oder|et|ou|y|o|e|en|of|и|или)\b|[和与或及])"
    r"\s*(?:on\s|am\s|le\s|el\s|в\s|de\s|nor\s|周|星期)?"
)
_MANY = re.compile(
    r"[\s>*+-]*(?!(?:the|our|my|your|his|her|their|these|those|this|it|we|they|classes|sales)\b)(?:\w+[ -])?"
    r"[a-z]+[^\Ws]s\s"
    r"(?:are|start|end|begin|expire|leave|close|open|go|get|happen|run|come|wait|opened|time|rotate|reset)\b",
    re.IGNORECASE,
)
# Strings, not compiled: most saves name no day.
_CASE = (
    r"(?i)(?:\b(?:(?:if|when|whenever|once|unless|as\slong\sas|wenn|falls|sobald|solange|si|quand|cuando|mientras"
    r"|se|quando|als|zodra)\s+|tant\squ['\u2019])(?:an?|any|eine?[mnrs]?|une?|una?|alg[uú]na?|uma?|uno|een)\s"
    r"|\b(?:если|когда)\s|如果|要是|一旦|假如|もし|만약)[^.!?。]*\Z"
)
_ROUGHLY = (
    r"(?i)(?:(?:\b(?:roughly|around|approximately|approx\.?|circa|ca\.|ungefähr|etwa|gegen|environ|vers|autour\sde"
    r"|alentours\sde|más\so\smenos|aproximadamente|alrededor|sobre|hacia|mais\sou\smenos|por\svolta|cerca"
    r"|all['\u2019]incirca|più\so\smeno|verso|ongeveer|rond|omstreeks|примерно|приблизительно|где-то|около)\s+"
    r"(?:\w{1,5}\s+)?|~\s?)|(?:大概|大约|大致|差不多|だいたい|大体|およそ|대략).{0,4}|(?<![合契预条公予規])[约約]"
    r"|\b약\s?)\Z"
)
_OR_SO = (
    r"(?i)[\s,(]{0,3}(?:(?:or\s(?:so|thereabouts)|ish|give\sor\stake|oder\sso|ou\sà\speu\sprès|o\sasí|of\szo"
    r"|или\sоколо\sтого)\b|(?:roughly|approximately|ungefähr|environ|más\so\smenos|mais\sou\smenos|più\so\smeno"
    r"|ongeveer|примерно)\s*(?:[.,;)]|\Z)|左右|前后|頃|ごろ|くらい|쯤|경(?:에|\b))"
)
_MORE_THAN = (
    r"(?i)\b(?:about|over|under|almost|nearly|at\s(?:least|most)|(?:more|less)\sthan|più\sdi|meno\sdi|quasi"
    r"|meer\sdan|minder\sdan|ruim|bijna|более|больше|меньше|почти|desde|depuis|casi|quase)\s+\Z"
)
_SINCE_THEN = r"\s(?:que|qu['\u2019]|sin|sans|sem|senza|zonder)\b"
_RULED_OUT = re.compile(
    r"(?i)(?:\b(?:not|instead\sof|rather\sthan|nicht|statt|pas|non|niet|не|kein|instead|and\snot)\s(?:on\s|am\s)?|不是)\Z"
)
_PLURAL_AFTER = re.compile(
    r"(?:\s|['\u2019]s\s)(?!(?:is|was|has|does|this|as|us|its|works|starts|ends|begins|comes|means|needs|unless|always"
    r"|no[sn]|[nv]ous|ils|elles|los|les|des|tous|mais|plus|pas|das|des|es|was|als|bis|ins|aus|uns)\b)[a-z]+s\b(?<!ss)(?<!mos)"
)
_LEADS = re.compile(
    r"(?:On|By|Until|Till|Before|Due|From|Since|After|Starting|This|Am|Bis|Ab|Seit|Le|El|Al|Avant|Antes|Il|Op|Na"
    r"|En|It|He|She|Is|And|Or|But|So|Then|That|We|They|You|I)"
)


@cache
def _list(language: Language) -> tuple[re.Pattern[str], re.Pattern[str]]:
    days, end = "|".join(language.weekdays), r"(?!\w)" if language.spaced else ""
    return (
        re.compile(rf"(?:{days}){_LINK}\Z", re.IGNORECASE),
        re.compile(rf"{_LINK}(?:{days}){end}", re.IGNORECASE),
    )


class _Words:
    """Words of many languages as one expression, compiled when first asked for: most saves need none."""

    def __init__(self, spaced: str, unspaced: str) -> None:
        self._text = rf"(?<!\w)(?:{spaced})(?!\w)|{unspaced}"

    def search(self, text: str) -> re.Match[str] | None:
        """Return where one of the words stands."""
        return re.search(self._text, text, re.IGNORECASE)


_UP_TO = re.compile(
    r"(?i)(?:\b(?:by|until|till?|before|after|due(?:\son)?|from|since|starting(?:\son)?|through|to|than"
    r"|(?:planned|scheduled|set|booked)\sfor|eod|cob|of\sbusiness|end\sof\sday|bis(?:\szum)?|ab|zum"
    r"|spätestens(?:\sam)?|seit|verschoben\sauf|auf|avant|d['\u2019]ici|dès|à\spartir\sde|jusqu['\u2019]à"
    r"|depuis|antes\sdel?|hasta\sel|para\sel|desde\sel|a\spartir\sdel?|até(?:\s[ao])?|antes\sd[aoe]"
    r"|para(?:\s[ao])?|entro|prima\sdi|fino\sa|da|tot|vóór|vanaf|uiterlijk|до|к|ко|с|со|после|на)\s+|[到至从])\Z"
)
_UP_TO_AFTER = re.compile(
    r"\s?(?:之前|以前|前|为止|まで|に(?:変更|延期)|로\s?(?:연기|변경)|から(?!.{0,6}曜)|까지|부터(?!.{0,8}요일))"
)
_HABIT = _Words(
    "every|each|always|usually|normally|typically|generally|weekly|biweekly|regularly|by default|whenever"
    "|jede[nmrs]?|immer|stets|meistens|normalerweise|wöchentlich|grundsätzlich|in der regel|chaque|toujours"
    "|d['\u2019]habitude|en général|cada|siempre|normalmente|habitualmente|sempre|de costume|ogni|di solito"
    "|altijd|elke|iedere|meestal|всегда|обычно|кажд\\w+",
    "每|通常|总是|一般|毎|いつも|通常|항상|매주|보통",
)
_ONLY = _Words(
    "only|never|nur|nie|niemals|seulement|uniquement|jamais|s[oó]lo|solamente|únicamente|nunca|jamás|apenas"
    "|somente|soltanto|solo|mai|alleen|nooit|только|никогда|no (?:deploys|releases|meetings|merges|calls)"
    "|\\A[\\s>*+-]*(?:no|kein\\w*)(?! one)",
    "只能|只有|只在|从不|绝不|禁止|だけ|のみ|絶対|[일에]만(?![료나났들])|절대",
)
_NOT = _Words(
    r"not(?! (?:on )?\w{3,6}day\b)|no|do?n['\u2019]?t|doesn['\u2019]?t|won['\u2019]?t|can['\u2019]?t"
    r"|cannot|isn['\u2019]t|aren['\u2019]t|nobody|no one"
    "|avoid|forbidden|prohibited|banned|nicht(?! (?:am )?\\w+tag\\b)|kein\\w*|niemand|pas|aucun|personne"
    "|nadie|não|ninguém|non|nessuno|niet|geen|не|нельзя|никто|ningún",
    "[不别勿没]|ない|ません|しない|않|말|금지",
)
_WITHOUT = _Words(
    r"not|no|never|nobody|nothing|none|\w+n['\u2019]t|without|(?:in|un)(?:active|touched|used|answered|changed|read|seen)|idle|stale"
    r"|nicht|nie|niemand|nichts|kein\w*|ohne|pas|jamais|rien|personne|aucune?|sans|nunca|nadie|nada|sin|ningún|não|ninguém|sem"
    r"|nenhum\w*|non|mai|nessuno|senza|niet|nooit|niemand|geen|zonder|не|никто|ничего|без|нет",
    "没|未|不|無|ない|없|않|안 ",
)
_ROUTINE = _Words(
    "stand-?ups?|retros?|retrospectives?|1:1s?|one-on-ones?|office hours|grooming|refinement|backups?"
    "|planning|weekly|newsletter|payday|(?:our|the|work|working)? ?week (?:starts|ends|begins)|(?!last|first"
    "|final)\\w+ day is|sprints? (?:starts?|ends?|begins?)|on-?call|maintenance windows?|nightly|cron"
    "|(?:release|demo|deploy|review|pay) day|rotates?|resets?|refresh(?:es)?|recurs?|stammtisch|gottesdienst"
    "|стендап\\w*|ретро|планёрк\\w+",
    "정기|例会|周会|定例|リリース日|发布日",
)
_EVENT = _Words(
    r"demo|launch|(?<!we )(?<!they )(?<!you )(?<!to )release|deadline|freeze|cut-?over|cut-?off|go-?live"
    r"|live|migration|audit|workshop|interview|presentation|hand-?over|exams?|flight|outage|downtime"
    r"|maintenance|off-?site|kick-?off|hearing|visit|pilot|rollout|hotfix|upgrade|(?:the|our|this"
    r"|a) (?:deploy|switch|vote|call|talk|move|fix|meeting)|deployment|(?:we|they|it) (?:ships?"
    r"|launch(?:es)?|demos?)|ships|decision|review|load test|dry run|appointment|wedding|conference"
    r"|submission|delivery|milestone|beta|inspection|training|drill|holiday|vacation|applications? closes?"
    r"|registrations?|tender|election|concert|festival|fair|v\d[\w.]*|new|one-off|board|(?:last|first"
    r"|final) (?:working )?day(?! of (?:the|our|a|each)\b)|(?:is|am|are|be|comes?|\w+['\u2019][sm]) back"
    r"|letzte[rn]? (?:arbeits)?tag|erste[rn]? (?:arbeits)?tag|(?:dernier|premier) jour|(?:último"
    r"|primer) d[ií]a|primeiro dia|(?:ultimo|primo) giorno|(?:laatste|eerste) (?:werk)?dag"
    r"|последний (?:рабочий )?день|первый день|zurück|fängt|hört|verlässt|en ligne|revient|quitte|se va"
    r"|vuelve|retour|regresa|volta|torna|terug|vertrekt|верн[её]тся|возвращается|уходит|выходит|examen|exame"
    r"|esame|экзамен|public holiday|präsentation|\w*(?:abgabe|termin|umzug|prüfung|lieferung|umstellung)"
    r"|besuch|auslieferung|freigabe|feiertag|urlaub|start|démo|sortie|lancement|livraison|échéance"
    r"|mise en (?:production|prod|ligne)|gel|réunion|présentation|déménagement|lanzamiento|entrega|reunión"
    r"|migración|fecha límite|despliegue|presentación|auditoría|versión|congelación|lançamento|reunião"
    r"|migração|prazo|apresentação|rilascio|consegna|riunione|lancio|scadenza|migrazione|oplevering"
    r"|vergadering|lancering|migratie|presentatie|релиз\w?|демо|дедлайн\w?|встреч[аеу]|миграци[яи]|запуск"
    r"|сдач[аи]|созвон|презентаци[яи]|мигрир\w+|переезж\w+"
    r"|\w*(?:demo|release|treffen|besprechung|gespräch|vorstellung|eröffnung|abnahme|afspraak|gesprek|bespreking)"
    r"|liefern|veröffentlichen|migrieren|ziehen|stellen|zeigen|leveren|lanceren|migreren|tonen|verhuizen"
    r"|(?:livr|lanç|publi|migr|présent|démont|déménage)(?:ons|ez|ent|e)|(?:livr|migr|publi|présent)er(?:a|ons|ont)"
    r"|(?:entreg|lanz|lanç|migr|present|mostr|public|estren)(?:amos|aremos|an|am)|rendez-vous|cita|appuntamento"
    r"|(?:consegn|lanc|migr|present|pubblich|mostr)(?:iamo|eremo|hiamo|ano)|incontro|vamos (?:a )?\w+r",
    "入职|离职|最后一天|第一天|考试|回来|最終|初日|入社|退社|退職|試験|마지막|첫 출근|입사|퇴사|시험"
    "|发布|上线|演示|截止|迁移|评审|交付|答辩|リリース|デモ|締め?切"
    "|移行|公開|納品|発表|出荷|戻り|戻る|打ち合わせ|会議|会议|会面|릴리스|데모|마감|이전|출시|발표|회의|미팅|돌아|납품",
)
_CHANGE = _Words(
    r"cancel+ed|moved|postponed|delayed|pushed|rescheduled|shifted|slipped|verschoben|abgesagt|verlegt"
    r"|reportée?|annulée?|décalée?|aplazad[oa]|cancelad[oa]|movid[oa]|adiad[oa]|rinviat[oa]|annullat[oa]"
    r"|verplaatst|uitgesteld|afgelast|перен[её]с\w*|отмен\w+|cancel",
    "推迟|改到|延期|取消|改为|変更|중止|연기",
)
FUTURE = _Words(
    r"will|shall|going to|gonna|\w+['\u2019]ll|(?<!week )(?<!weeks )starts?|begins?|(?<!week )ends?|expires?"
    r"|runs? out|(?:is|are|am|(?:i|s?he|it|we|they)['\u2019](?:s|re|m)) (?!being|working|running|missing"
    r"|going)\w{2,}ing|returns|planned|scheduled|kicks? in|kicks? off|is cut|gets? cut|arrives?|joins?"
    r"|leaves?|closed for|visits?|presents?|launches|goes (?:live|away|up)|going away"
    r"|switch(?:es)? \w+ \w+ off|switch(?:es)? off|shuts? down|stops?|hands? over|lands?|wird|werden|startet"
    r"|beginnt|endet|geplant|fällig|läuft(?:\s+[\w\0]+){0,6}\s+(?:ab|aus)|stellt(?:\s+[\w\0]+){0,8}\s+vor"
    r"|präsentiert|zeigt|kommt|öffnet|schließt|ser[aá]|seront|aura|commence"
    r"|démarre|finit|termine|prévue?|expire|arrive|empieza|comienza|caduca|expira|chega|presenta|apresenta|arriva|présente|presenteert|komt|termina"
    r"|vence|sale|llega|começa|sarà"
    r"|inizia|comincia|finisce|scade|zal|begint|eindigt|gepland|verloopt|будет|начн\w+|начина\w+"
    r"|заканчива\w+|истека\w+|приход\w+|приед\w+|представ\w+|выход\w+|выкат\w+",
    "将|开始|结束|到期|展示|要(?!求)|予定|失効|만료|開始|終了|예정|시작|종료",
)
"""Words that speak of what is still to come."""
PAST = _Words(
    r"was|were|had|did|didn't|decided|agreed|shipped|released"
    r"|met (?:on|with|the|our|up|about|and|last|in)|said|told|asked|happened|failed|broke"
    r"|fixed|merged|deployed|landed|started|began|ended|finished|took|went|came|got|switched|reported|found"
    r"|saw|left|joined|discussed|announced|published|launched|crashed|approved|rejected|signed|sent|wrote"
    r"|learned|noticed|introduced|removed|added|changed|made|built|done|completed|grew|dropped"
    r"|\w{3,}ed (?:\w+ )?past|hat|haben|hatten?|war(?:en)?|wurden?|a été|avons|ont|était|étaient|fue|fueron"
    r"|hemos|había|hubo|decidimos|foi|foram|è stato|abbiamo|heeft|hebben|был[аио]?",
    "了|ました|했",
)
"""Verbs that make a bare weekday one that may be over."""
