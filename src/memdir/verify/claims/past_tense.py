"""Tells whether a text speaks of a thing as past: removed, renamed, replaced by another."""

import re

__all__ = ["PAST", "REMOVED", "is_told_as_former", "tense"]

REMOVED, PAST = "removed", "past"
"""Removed and to stay away; moved, renamed or replaced."""

_REACH = 70
"""Characters on either side that can say so: about one clause."""


def tense(text: str, start: int, end: int) -> str:
    """Return whether the words around a place say that the thing was taken away, or is no more otherwise."""
    before = _CLAUSE_BEFORE.split(text[max(0, start - _REACH) : start])[-1]
    after = text[end : end + _REACH]
    if (
        _REMOVED_BEFORE.search(before)
        or _REMOVED_AFTER.match(after)
        or (_HAVE.search(before) and _PARTICIPLE.match(after))
    ):
        return REMOVED
    return PAST if _BEFORE.search(before) or _AFTER.match(after) else ""


def is_told_as_former(text: str, start: int) -> bool:
    """Tell whether the sentence up to this place speaks of former times: "formerly it was on port 9000"."""
    return _FORMER.search(text[max(0, start - _REACH) : start]) is not None


_FORMER = re.compile(
    r"\b(?:formerly|previously|originally|used to|back then|in the past|früher)\b(?:(?!\bnow\b)[^.;!?\n])*\Z",
    re.IGNORECASE,
)
_CLAUSE_BEFORE = re.compile(r"[.;!?](?=\s)|\n|\u2014|[\u3002\uff01\uff1b\uff1f]")

_KINDS = (
    r"(?:(?:the|our|its|their|an?|old|former|previous|obsolete|dead|unused|legacy|whole|entire|file|files|folder"
    r"|directory|function|method|class|constant|helper|module|script|target|command|symbol|package|name|both|all"
    r"|of|in|from|called|named"
    r"|le|la|les|notre|nos|fichier|fichiers|dossier|fonction|commande|ancien|ancienne"
    r"|el|los|las|nuestr[oa]s?|archivo|archivos|fichero|carpeta|funci[oó]n|comando|viej[oa]|antigu[oa])\s+)*"
)
_OPENING = r"[\"'`(*«“]*$"
_CLOSING = r"[\"'`)*»”]*\s*"
_NOT = r"(?!nicht\b|nie\b|pas\b|jamais\b|no\b|nunca\b|not\b|never\b)"
_WORDS = rf"(?:{_NOT}\w+\s+){{0,4}}?"
_GERMAN = (
    r"(?:gelöscht|entfernt|ausgebaut|abgeschafft|verworfen|rausgeworfen|weggeworfen)\b(?!\s+(?:werden|wird))"
)
_FRENCH = r"(?:supprimé|retiré|effacé|enlevé|abandonné)e?s?"
_SPANISH = r"(?:eliminad|borrad|quitad|retirad|suprimid)[oa]s?"

_REMOVED_BEFORE = re.compile(
    rf"""(?:
      (?<!not\s)(?<!never\s)(?<!n't\s)(?<!\bbe\s)
      \b(?:removed|deleted|dropped|retired|killed|got\srid\sof|threw\saway|ripped\sout)
    | \b(?:bring(?:ing)?\sback|re-?add|re-?introduce|resurrect|revive)
    | \b(?:avons|ont|ai|on\sa)\s{_WORDS}{_FRENCH}
    | \b(?:hemos|han|he)\s{_WORDS}{_SPANISH}
    | \b(?:elimin|borr|quit|retir)(?:amos|ó|aron|é)
    )\s+{_KINDS}{_OPENING} | (?:删除|移除|删掉|去掉)了\s*{_OPENING}""",
    re.VERBOSE | re.IGNORECASE,
)
_REMOVED_AFTER = re.compile(
    rf"""{_CLOSING}(?:,\s)?(?:which\s|that\s)?(?:
      (?:was|were|has\sbeen|have\sbeen|had\sbeen|got)\s{_WORDS}(?:removed|deleted|dropped|retired|thrown\saway)\b
    | (?:should|must|shall|may|can)\s?n(?:o|')t\s(?:ever\s)?(?:come\sback
        |be\s(?:brought\sback|re-?added|re-?introduced))
    | (?:stays?|must\sstay|remains?)\s(?:deleted|removed|gone|dead)\b
    | (?:wurden?|haben\swir|hat\s\w+)\s{_WORDS}{_GERMAN} | (?:ist|sind)\s{_WORDS}{_GERMAN}\sworden
    | (?:gibt\ses|existieren?t?)\snicht\smehr | soll(?:en)?\snicht\s(?:zurück|wieder)\s?kommen
    | (?:a|ont)\s{_WORDS}été\s{_WORDS}{_FRENCH} | n'existe(?:nt)?\splus
    | ne\sdoi(?:ven)?t\s(?:pas|plus)\srevenir
    | (?:fue|fueron|ha\ssido|han\ssido)\s{_WORDS}{_SPANISH} | se\s(?:elimin|borr|quit|retir)(?:ó|aron)
    | ya\sno\sexisten? | no\sdeben?\svolver
    | (?:已经?|被|已被)(?:被)?(?:删除|移除|删掉|去掉) | (?:删除|移除|删掉|去掉)了 | (?:已经)?不(?:存在|在)了
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_HAVE = re.compile(rf"\b(?:haben|habe|hat)\s(?:{_NOT}[\w\s])*{_OPENING}", re.IGNORECASE)
_PARTICIPLE = re.compile(rf"{_CLOSING}{_WORDS}{_GERMAN}", re.IGNORECASE)
"""German puts the verb last: "wir haben `x.py` bewusst gelöscht"."""

_BEFORE = re.compile(
    rf"""(?:
      (?<!not\s)(?<!never\s)(?<!n't\s)(?<!\bbe\s)
      \b(?:renamed|moved|ported|migrated|replaced|replaces|replacing|superseded|supersedes)
    | \b(?:formerly|previously|once)(?:\s(?:in|called|named|known\sas|at))?
    | \bused\sto\s(?:be|live|sit|be\scalled|be\sin|live\sin|call)
    | \b(?:instead\sof|rather\sthan|in\splace\sof|no\slonger(?:\s(?:use|uses|using|in|call|calls|have|has))?)
    | \bthere\s(?:is|was)\sno(?:\slonger)?(?:\san?)?
    | \b(?:was|were)\s(?:called|named|in)
    | \bold\s(?:name|path|location)(?:\s(?:is|was)|:)?
    )\s+{_KINDS}{_OPENING}""",
    re.VERBOSE | re.IGNORECASE,
)

_AFTER = re.compile(
    rf"""{_CLOSING}(?:,\s)?(?:which\s|that\s)?(?:
      (?:was|were|is|are|has\sbeen|have\sbeen|got|had\sbeen)\s(?:since\s|already\s|finally\s|now\s|long\s|later\s|just\s)*
        (?:removed|deleted|dropped|renamed|replaced|moved\s(?:to|into)|gone|retired|split|superseded|merged\sinto|folded
          |no\smore|dead\b|history\b)(?!\s(?:by\sthe\suser|on\s(?!purpose)|when|if|after|at\s))
    | no\slonger\b | used\sto\b | (?:does\snot|doesn't)\s(?:any\s?more\s)?exist | (?:\u2192|->|=>)\s
    | (?:became|turned\sinto)\s
    )""",
    re.VERBOSE | re.IGNORECASE,
)
"""`is deleted on start`, `is removed when`: a habit, and the thing is there."""
