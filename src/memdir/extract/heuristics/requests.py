"""Explicit requests to keep something, in English, Chinese, German, French and Spanish."""

import re

from memdir.text.value import value_class

__all__ = ["Request", "request_in"]


@value_class(frozen=True, slots=True)
class Request:
    """What a sentence asks to keep."""

    text: str
    lasting: bool
    """Whether it says how to act from now on, rather than that something is so."""
    language: str
    weak: bool = False
    """Whether people also say this of what they are just working at."""


def request_in(text: str, bare: str) -> Request | None:
    """Return what the sentence asks to keep, or None; quotation marks are blotted out in `bare`."""
    for language, lasting, pattern in _TRIGGERS:
        if (match := pattern.search(bare)) and not (language == "en" and _blocked(bare, match)):
            kept = _rest(text, match, lasting=lasting)
            if kept and not lasting and (again := request_in(kept, _blank(kept, bare, text))):
                return again
            if kept:
                weak = re.match(_WEAK, match[0].strip(), re.IGNORECASE) is not None
                as_said = _SUBORDINATE.search(match[0]) is not None
                return Request(_whole(text, match) if as_said else kept, lasting, language, weak)
    return None


# A German clause after this word has its verb at the end and cannot stand alone.
_SUBORDINATE = re.compile(r"\bdass\Z", re.IGNORECASE)


def _whole(text: str, match: re.Match[str]) -> str:
    return _TAIL.sub("", text[match.start() :]).strip(_EDGES)


def _blank(kept: str, bare: str, text: str) -> str:
    start = text.find(kept)
    return bare[start : start + len(kept)] if start >= 0 else kept


_REMEMBER = r"(?:remember|rember|remeber|remmember|rememebr|remembr|rmember|remenber)"
_DONT = r"(?:do ?n'?t|do not|never)"
_NOTE = (
    r"\b(?:thing|things|point|points|something|important|good|worth|note"
    rf"|stuff) (?:for you )?to (?:{_REMEMBER}|know|keep in mind|note)\b|\b{_REMEMBER}\b(?!\s+(?:when|how"
    r"|the (?:time|day)|what|where|why|who|if|whether|me\b|his|her|their|your|it\b|them))(?:\s+(?:this"
    r"|that|also|please|too|for (?:me|next time|later|(?:the )?future|future \w+)))*"
    rf"|\b(?:keep|bear|have) (?:it |this )?in mind(?:\s+(?:that|also|for next time))?"
    rf"|\b(?:make|take|keep) (?:a |yourself a )(?:mental )?note(?:\s+(?:that|of this|of|to self))?"
    rf"|\bnote to self"
    rf"|\b(?:please |pls )note(?:\s+that)?"
    r"|(?:^|[,.]\s|\band\s|\bso\s|\balso\s)note(?:\s+that|(?: for (?:later|next time|the future|you"
    r"|yourself|future \w+))?:)"
    rf"|\bnote down(?:\s+that)?"
    rf"|\bjot (?:this |it )?down(?:\s+that)?"
    rf"|\bwrite (?:this|that|it) down"
    rf"|\bfor (?:future|your) reference"
    rf"|\bfor (?:the )?(?:record|future)(?=[,:])"
    rf"|\bfor next time(?=[,:\s])"
    r"|\b(?:save|store|add|put|commit|log) (?:this|that|it|the following)?\s*(?:down )?(?:to|in|into"
    r"|as) (?:a |your |the |long[-]term )*(?:memory|memories|notes?)(?:\s+that)?"
    rf"|\bmemori[sz]e\b(?:\s+(?:this|that))*"
    rf"|\b{_DONT} (?:you )?(?:ever )?forget\b(?:\s+that)?(?!\s+to\b)"
    rf"|\bworth remembering(?=[:,\s])"
    rf"|\b(?:you should|please|good to|important to) know(?:\s+that|:)"
    rf"|\b(?:add|put) (?:a )?(?:memory|note)(?:\s+(?:that|saying|about))?"
    rf"|\bsave (?:this|that)(?:\s+for (?:later|next time|future \w+))?(?=\s*[:\u2013\u2014-])"
)
_LASTING = (
    r"\bi (?:want|need|expect|'d like|would like|really want) you to (?=.*\b(?:always|never|whenever"
    r"|every|each|before|after|when|if|by default|first)\b)"
    r"|\bfrom (?:now|here|today|this point|tomorrow) on(?:wards?)?\b"
    r"|\bform now on\b"
    r"|\bgoing forwards?\b"
    r"|\bmoving forward\b"
    r"|\b(?:starting|beginning|effective) (?:now|today|immediately)\b"
    r"|\bhenceforth\b"
    r"|\bas of (?:now|today)\b"
    r"|\b(?:as a (?:general )?rule|(?:general|house|new|golden|ground|simple|hard|standing) rule)\b"
    r"|\bin (?:the )?future(?=\s*[,:]|\s+(?:please|pls|always|never|use|do|don'?t|avoid|write|put|keep"
    r"|make|ask|run|\w+ me))"
    r"|\b(?:every|each|next) time(?=,? (?:show|tell|let|warn|start|wait|give|skip|try|check|first|just|we"
    r"|make|leave|send|look|read|keep)\b|\s*[,:]?\s+(?:you|please|pls|always|never|use|do|don'?t|avoid"
    r"|write|put|keep|ask|run)\b)"
    r"|\bwhenever(?=\s+(?:you|i ask)\b)"
    r"|(?<=\w)[,\s]+(?:in (?:the )?future|every(?: single)? time)(?=\W*$)"
)
_FILLER = (
    r"(?:(?:please|pls|plz|ok(?:ay)?|no|yes|and|also|hi|hey|fyi|btw|so|but|one (?:more )?thing"
    r"|another thing|look|listen|"
    r"well|oh|right|alright|important|reminder|rule|seriously|again|just|ps|p\.s\.|quick note|by the way|"
    r"(?:when|if|before|after|for|in|on|with|unless|once) [^,;:]{2,60})\s*[,:;.!\u2013\u2014-]*\s+){0,4}"
)
_ALWAYS = (
    rf"^{_FILLER}(?:you (?:should|must|need to|have to|can|shall) |we (?:should |must )?|let's "
    rf"|i want you to )?(?=(?:always|allways|alwasy|never|nver|{_DONT} ever)\s+[a-z'-]{{2,}})"
    rf"|^{_FILLER}(?=(?:use|run|write|keep|ask|check|test|answer|reply|respond|explain|format|give|start"
    r"|wait|prefer|read|say|tell|be|call|name|do|commit|document|double-check|verify|treat|assume"
    r"|translate)\s(?:[^.;]{1,60}\s)?(?:always|every(?: single)? time|each time|at all times|by default"
    r"|without exception)\b)"
)
_CHINESE_NOTE = (
    r"(?<![不没还])(?:请|帮我|你要|麻烦|麻烦你|给我)*(?:记住|记得|记一下|记下来|记下|牢记|谨记|备忘|别忘了|不要忘了|不要忘记|请注意)"
    r"(?:一下|了|这个|这一点|这点)?[:\uff1a,\uff0c、\s]*"
)
_CHINESE_LASTING = (
    r"(?:从现在(?:开始|起)|从今(?:天|以后|往后|日)(?:开始|起)?|(?:^|(?<=[,\uff0c。;\uff1b:\uff1a!\uff01\s]))(?:以后|今后|往后"
    r"|将来)(?!再说|吧))[,\uff0c]?"
    r"|(?:^|(?<=[,\uff0c。;\uff1b:\uff1a!\uff01\s]))(?:请|请你|你|我们)?(?=(?:永远|千万|绝对|一定)(?:不要|别|不能|要)|务必|总是|始终"
    r"|一律|每次都|禁止)"
)
_GERMAN_NOTE = (
    r"\b(?:merke? dir|merken sie sich|bitte merken|merk's dir|denke? (?:bitte )?(?:dran|daran)"
    r"|(?:behalte?|behalten sie)"
    r"(?: bitte)?(?: das)? im (?:kopf|hinterkopf|gedächtnis)|notiere? (?:dir|bitte)|notieren sie"
    r"|vergiss (?:bitte )?nicht"
    r"|nicht vergessen|zur erinnerung|speichere?(?: dir)?(?: bitte)? ab|fürs protokoll|für die zukunft)\b"
    r"(?:\s+(?:bitte|mal|dir|auch|doch))*(?:\s*[,:]?\s*dass\b)?"
)
_GERMAN_VERB = (
    r"verwende|benutze?|nutze?|schreibe?|antworte|mache?|gib|frage?|teste?|nimm|setze?|halte?|prüfe?|lass"
    r"|lege?|nenne?"
    r"|formatiere|erkläre?|zeige?|starte|committe|füge|übersetze?|verwenden sie|benutzen sie|nutzen sie"
)
_GERMAN_LASTING = (
    r"\b(?:ab (?:jetzt|sofort|heute)|von (?:nun|jetzt|heute) an|künftig|zukünftig|in zukunft|fortan"
    r"|grundsätzlich)\b"
    r"|^(?:bitte |und |also |nein,? )*(?:(?=(?:immer|nie|niemals|stets)\b)"
    rf"|(?=(?:{_GERMAN_VERB})\b[^.]{{0,40}}\b(?:immer|nie|niemals|stets)\b))"
)
_FRENCH_NOTE = (
    r"\b(?:souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|retiens|retenez|(?:n'"
    r"|n )?oublie[zs]? (?:surtout )?pas"
    r"|note[zs]? (?:bien )?(?=que|qu'|:)|prends? (?:bien )?note|garde[zs]? (?:bien )?(?:en tête"
    r"|à l'esprit|en mémoire)|mémorise[zs]?"
    r"|pour (?:info|mémoire|rappel))\b(?:\s+(?:bien|aussi|s'il te plaît|stp))*(?:\s*[,:]?\s*(?:que\b|qu'))?"
)
_FRENCH_VERB = (
    r"utilise|écris|mets|réponds|fais|teste|vérifie|garde|donne|demande|explique|lance|nomme|utilisez"
    r"|écrivez|mettez|répondez|faites"
)
_FRENCH_LASTING = (
    r"(?<!\w)(?:à partir (?:de maintenant|d'aujourd'hui|de (?:là|ce moment))|désormais|dorénavant"
    r"|à l'avenir|dès maintenant)\b"
    r"|^(?:s'il te plaît,? |stp,? |et |non,? )*(?:(?=(?:toujours|jamais)\b)"
    rf"|(?=(?:{_FRENCH_VERB})\b[^.]{{0,40}}\btoujours\b)|(?=n[e'] ?\S+ (?:\S+ )?jamais\b))"
)
_SPANISH_NOTE = (
    r"(?<!no )\b(?:recuerda|recuerde|recordá|recuerden|acuérdate|acordate|ten (?:en cuenta|presente)"
    r"|tené en cuenta|toma nota|apunta"
    r"|apúntate|anota|anótate|memoriza|guarda (?:esto )?en (?:la |tu )?memoria|no (?:te )?olvides?"
    r"|que no se te olvide|para que (?:lo )?sepas"
    r"|para tu información)\b(?:\s+(?:bien|también|por favor|esto|de))*(?:\s*[,:]?\s*que\b)?"
)
_SPANISH_VERB = (
    r"usa|utiliza|escribe|responde|haz|pon|prueba|comprueba|mantén|da|pregunta|explica|ejecuta|nombra"
    r"|usad|use|escriba"
)
_SPANISH_LASTING = (
    r"\b(?:de ahora en adelante|a partir de (?:ahora|hoy)|desde ahora|en adelante|de aquí en adelante"
    r"|en el futuro|en lo sucesivo)\b"
    r"|^(?:por favor,? |y |no,? )*(?:(?=(?:siempre|nunca|jamás)\b)"
    rf"|(?=(?:{_SPANISH_VERB})\b[^.]{{0,40}}\bsiempre\b))"
)
_I = re.IGNORECASE
_TRIGGERS: tuple[tuple[str, bool, re.Pattern[str]], ...] = (
    ("en", True, re.compile(_LASTING, _I)),
    ("en", False, re.compile(_NOTE, _I)),
    ("en", True, re.compile(_ALWAYS, _I)),
    ("zh", True, re.compile(_CHINESE_LASTING)),
    ("zh", False, re.compile(_CHINESE_NOTE)),
    ("de", True, re.compile(_GERMAN_LASTING, _I)),
    ("de", False, re.compile(_GERMAN_NOTE, _I)),
    ("fr", True, re.compile(_FRENCH_LASTING, _I)),
    ("fr", False, re.compile(_FRENCH_NOTE, _I)),
    ("es", True, re.compile(_SPANISH_LASTING, _I)),
    ("es", False, re.compile(_SPANISH_NOTE, _I)),
)
_WEAK = (
    r"(?:[,.]\s)?(?:and |so |also )?(?:please |pls )?(?:note|keep|bear|have|you should|good|important"
    r"|for the record)\b"
)

# Who remembers here: not the reader. "The app should remember", "I never remember", "do you remember".
_OTHERS = re.compile(
    r"(?:\b(?:i|we|they|he|she|it|who|users?|app|system|server|browser|cache|can't|cant|cannot|not|don'?t"
    r"|do not"
    r"|doesn'?t|didn'?t|won'?t|hardly|barely|still|ever|i'll|it'll|he'll|should|would|will|must|could|might"
    r"|(?:do|did|does|if|as) you|nobody|someone|one)|(?<!you )(?<!we )(?<!\bis )\bto)\s+(?:also\s+"
    r"|always\s+|never\s+|even\s+)?\Z",
    re.IGNORECASE,
)


def _blocked(bare: str, match: re.Match[str]) -> bool:
    """Whether an English trigger is said of somebody else."""
    before = bare[: match.start()]
    if re.match(r"\W*(?:i'll|i will|i'm going to|i'm gonna|he|she|they)\b", bare[match.end() :], _I):
        return True  # somebody's own plan
    if re.match(
        r"remem|rem\w*ber|rember|memori|note|keep|bear|have|make|take|write|save|store|add|put",
        match[0].strip(" ,."),
        _I,
    ):
        asked = re.search(
            r"\b(?:can|could|will|would) (?:you|u) (?:please |also |just )*\Z|\byou (?:should|must) \Z",
            before,
            _I,
        )
        if re.match(r"\w+ (?:for you )?to ", match[0]):
            return False
        return bool(_OTHERS.search(before)) and not asked
    return False


_TAIL = re.compile(
    r"(?:[\s,.;\u2013\u2014-]+(?:thanks|thx|ty|thank you|cheers|danke|merci|gracias|谢谢|ok\?*|okay\?*"
    r"|right\?|got it\?|alright\?"
    r"|deal\?|please|pls|plz|lol|haha|bitte|por favor|stp|s'il te pla[iî]t)(?: a lot| so much| you)?"
    r"|[\s,.;]+(?:ok(?:ay)? |and |so |but )?(?:anyway|anyways|now back to|back to|now (?:can|could|let"
    r"|please|on to)|(?:and|so|ok|now) (?:can|could|would) you)\b.*)+\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
_EDGES = " ,;:-\u2013\u2014\"'"
_LEAD = re.compile(
    r"^[\s,:;.!\u2013\u2014\uff1a\uff0c-]*(?:(?:that|this|to|please|pls|also|is|and|bitte|que"
    r"|just)\b[\s,:]*)*",
    re.IGNORECASE,
)


def _rest(text: str, match: re.Match[str], *, lasting: bool) -> str:
    """Return what follows the trigger, or all but it when it stands at the end or in between."""
    before, after = text[: match.start()].strip(" ,;:-"), text[match.end() :]
    kept = _LEAD.sub("", after) if len(re.findall(r"\w", after)) > 3 else ""
    if _OCCASION.match(match[0].strip(" ,")) or (lasting and _VERB_SECOND.match(kept)):
        kept = text if before and not _ONLY_FILLER.match(before) else text[match.start() :].strip()
    elif lasting and before and not _ONLY_FILLER.match(before):
        kept = f"{before} {after.strip()}".strip() if kept else before
    elif not kept and len(re.findall(r"\w", before)) > 8:
        kept = before
    return _TAIL.sub("", kept).strip(_EDGES)


# Triggers that are a part of the rule: "do that whenever you change figures".
_OCCASION = re.compile(r"(?:whenever|every|each|next)\b", re.IGNORECASE)
# German turns the sentence round after its trigger, so that the rest alone would be a question.
_VERB_SECOND = re.compile(r"(?:\w+(?:st|t|en) (?:du|wir|ihr|sie|ich)|gilt)\b", re.IGNORECASE)
_ONLY_FILLER = re.compile(
    r"(?:please|pls|ok(?:ay)?|no|yes|and|also|hi|hey|fyi|btw|so|but|then|well|oh|alright"
    r"|one (?:more )?thing|right"
    r"|[\s,.:;!\u2013\u2014-])+\Z",
    re.IGNORECASE,
)
