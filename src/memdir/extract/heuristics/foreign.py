"""The kind of what somebody asks to keep in Chinese, German, French or Spanish."""

import re

from memdir.memories.kinds import Kind

__all__ = ["foreign_kind"]


def foreign_kind(text: str, *, lasting: bool) -> Kind:
    """Return the kind whose signs a text shows: a place, a person, an order; else it is a fact."""
    if _ADDRESS.search(text):
        return Kind.REFERENCE
    if _SELF.search(text):
        return Kind.USER
    if not lasting and _DAY.search(text):
        return Kind.PROJECT
    if lasting or _ORDER.search(text):
        return Kind.FEEDBACK
    return Kind.PROJECT


_ADDRESS = re.compile(
    r"https?://|(?<!\w)#[a-z][\w-]+|\b(?:confluence|jira|notion|grafana|figma|slack|wiki|sharepoint"
    r"|dashboard|linear|trello|intranet|tableau de bord|tablero|google drive)\b"
    r"|(?:飞书|钉钉|看板|维基|语雀|文档在|仪表盘"
    r"|企业微信)",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"\d{1,2}\s?月|[一二三四五六七八九十]月|月底|下周|明天|周[一二三四五六日末]|\b(?:montag|dienstag|mittwoch|donnerstag|freitag"
    r"|lundi|mardi|mercredi|jeudi|vendredi|lunes|martes|miércoles|jueves|viernes)s?\b",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"(?:^|[\s,\uff0c。])(?:ich\b.{0,40}\bbin\b|ich (?:bin|arbeite|heiße|bevorzuge|mag|spreche|kenne|komme"
    r"|leite|habe (?:noch nie|keine|wenig|\w+ jahre))|mein(?:e)? (?:rolle|beruf|job|muttersprache"
    r"|hintergrund)|je (?:suis|travaille|préfère|parle|viens|dirige|connais|ne connais|débute)|j'(?:aime"
    r"|ai \w+ ans|habite|enseigne)|mon (?:métier|rôle|poste|travail)|ma (?:langue|formation)"
    r"|(?:yo )?soy|trabajo (?:como|de|en)|prefiero|me gusta|hablo|vengo de|dirijo|mi (?:trabajo|rol"
    r"|puesto|idioma|lengua)|no (?:sé|conozco) (?:mucho|nada))\b"
    r"|我是|我(?:更)?喜欢|我偏好|我不(?:太)?(?:懂|会|熟)"
    r"|我的(?:工作|职业|母语|角色|时区)|我在.{1,12}工作|我负责|我习惯",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:no|ne|n'|nicht|keine?)\b|\b(?:nie|niemals|immer|bitte|verwende\w*|benutz\w+|nutz\w+|schreib\w*"
    r"|antwort\w*|kommentar\w*|commits?|tests?|verwenden|muss|müssen|soll(?:en|st)?|statt|anstatt"
    r"|jamais|toujours|utilise\w*|écri\w+|répon\w+|commentaires?|doit|doivent|il faut|plutôt que|au lieu de"
    r"|nunca|siempre|usa|usar|utiliza\w*|escrib\w+|respuestas?|respond\w+|comentarios?|debe|deben|hay que"
    r"|en vez de|en lugar de|sin)\b"
    r"|不要|别|请|必须|不能|不得|应该|禁止|一律|用.{1,10}(?:写|回答|格式)|而不是|注释|回答",
    re.IGNORECASE,
)
