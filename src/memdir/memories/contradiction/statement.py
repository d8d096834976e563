"""Parse the statements of a memory: the words that carry meaning, values, negation, announced changes."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from memdir.memories.contradiction.values import VALUES, Value, value_of
from memdir.text.value import value_class

__all__ = ["ARTICLES", "COPULAS", "PLACING", "Statement", "Word", "parts", "statements"]

BACK = re.compile(
    r"(?i)[,;]?\s*(?:\b(?:and |but )?(?:no longer|not any ?more|instead of|rather than|nicht mehr|statt"
    r"|anstatt|ya no|en vez de|au lieu de)\b|,\s*(?:not|nicht|plus|pas|no)\b"
    r"|[\uff0c,]?不再(?:是)?)\s*([^,.;\n]{1,80})"
)
"""What is said to be no longer so, or to have given way."""
UNUSED = re.compile(
    r"(?i)\b(?:do not|don't|does not|doesn't|never|no) ([^,.;\n]{1,60}?) (?:any ?more|any longer)\b"
    r"|((?:[\w.+#'-]+\s){0,2}?[\w.+#'-]+)\s(?:is|are|ist|sind|wird|werden|n'est|ne sont|ya no"
    r"|não) (?:no longer|not any ?more|nicht mehr|plus|se|é|mais) ?(?:used|needed|required|supported"
    r"|available|valid|there|here|in use|necessary|da|genutzt|verwendet|utilisée?s?|usa|usad[oa])\b"
)
"""What is said to be used no more, where that stands before or around it."""
MOVED = re.compile(
    r"(?i)\b(?:moved?|moving|switch(?:ed)?|migrat(?:ed?|ing)|chang(?:ed?|ing)|went)(?: away"
    r"| over)? from (.{1,40}?) to\b|\breplac(?:ed|es) (?!by\b|with\b)([^,.;\n]{1,40}?)(?= (?:in|on|with|by"
    r"|for|since|everywhere)\b|[,.;]|$)|\b(?:sostituito|remplacé|reemplazado|substituído"
    r"|ersetzt) ([^,.;\n]{1,40}?) (?:con|par|por|durch|com)\b|从\s*(\S{1,20}?)\s*(?:换成|改为|迁移到)"
)
CHANGE = re.compile(
    r"(?i)\b(?:(?:has |have |had |was |were |is |been |being |got |just |will be )*(?:(?:re)?moved"
    r"|switch(?:ed|ing)|migrated|upgraded|downgraded|updated|rewritten|ported|converted|replaced|renamed"
    r"|relocated|transferred|extended|shortened|raised|lowered|reduced|increased|doubled|halved|changed"
    r"|brought forward|postponed|delayed|promoted|handed over|handed|taken over|took over|takes over|dropped"
    r"|lifted|cleared|reopened|closed|deleted|went (?:up|down|from)|pushed back|rescheduled|restored|resumed"
    r"|acquired|left|pulled out)(?: (?:forward|back|over|away|up|down|out))?|now|again|since|instead"
    r"|meanwhile|henceforth|nowadays|from now on|as of|no longer|any ?more|going forward|(?:jetzt|nun"
    r"|neuerdings|inzwischen|mittlerweile|seit(?:dem)?|ab sofort|wieder|nicht mehr|künftig)|(?:umgezogen"
    r"|umgestellt|gewechselt|verschoben|ersetzt|übernommen|umbenannt|geändert|verlegt|verlängert|verkürzt"
    r"|erhöht|gesenkt)|désormais|maintenant|dorénavant|depuis|passée?s?|migrée?s?|remplacée?s?|reportée?s?"
    r"|déplacée?s?|prolongée?s?|augmentée?s?|ahora|desde|ya no|(?:se )?(?:pasó|migró|cambió|movió|trasladó"
    r"|actualizó|reemplazó)|(?:hemos )?(?:pasado|migrado|cambiado|trasladado|actualizado|reemplazado)|agora"
    r"|não mais|(?:foi )?(?:atualizad|migrad|substituíd|alterad|adiad|movid|mudad)[oa]s?|mudou|passou|ora"
    r"|adesso|d'ora in poi|(?:è )?(?:passat|migrat|sostituit|spostat|aggiornat|rinviat|cambiat)[oaie])\b"
    r"|现在|已经|已|改用|改为|改成|改到|换成|换到|迁移|升级|搬到|推迟|提前|不再|今後|変わ|替わ|今は|現在"
    r"|変更|移行|切り替え|置き換え|延期|になった|になりました"
)
"""That something became otherwise, in so many words."""
OVER = re.compile(
    r"(?i)((?:[\w.+#'-]+\s){0,4}?[\w.+#'-]+?)\s?(?:\b(?:(?:(?P<now>is|are)|was|were|been|got|has|have"
    r"|contract|support|tap|now|finally|ist|sind|wurden?|a été|est|fue|se|foi|è stat[oa])\s){1,3}(?:gone"
    r"|removed|dropped|switched off|ended|archived|retired|cancell?ed|discontinued|shut down|replaced|closed"
    r"|abandoned|dead|deleted|lifted|cleared|fixed|resolved|solved|decommissioned|abolished|withdrawn"
    r"|revoked|over|deprecated|renamed|dissolved|disbanded|eliminó|abgeschafft|ersetzt|abgeschaltet"
    r"|eingestellt|gekündigt|abandonnée?s?|supprimée?s?|eliminad[oa]s?|cancelad[oa]s?"
    r"|eliminat[oaie])\b(?(now)(?! (?:after|on|every|each|when|if|before|at|during|by|over|for|within)\b))"
    r"|(?<!-)\b(?:has |have )?(?:left(?! out\b)|quit|resigned)\b(?!$)|\s?は廃止|已(?:废弃|停用|关闭|删除))"
    r"|\b(?:(?:we|they|you)(?: have|'ve| just)* (?:dropped|removed|abolished|retired|deleted|abandoned"
    r"|stopped|ended|cancell?ed|killed|shut down|scrapped|left)|gave up|got rid of|pulled out of"
    r"|withdrew from|moved away from|stopped (?:using|working with)) ([^,.;\n]{1,60}?)(?= (?:in|on|by|for"
    r"|since|altogether|entirely|completely|everywhere|last|this)\b|[,.;]|$)"
)
"""What is said to be over, in whatever words it is named."""
ADDS = re.compile(
    r"(?i)\b(?:also|too|as well|besides|in addition|additionally|another|auch|zusätzlich|außerdem|aussi"
    r"|également|también|además|também|anche|inoltre)\b|[也还も]"
)
REACH = re.compile(
    r"(?i)\b(?:(both|either|as well as|sowohl|beide|ambos|entrambi|les deux|everyone|everybody|anyone"
    r"|anybody|jeder|todos|tutti)|only|solely|exclusively|nur|ausschließlich|seulement|uniquement|solo|sólo"
    r"|solamente|apenas|soltanto)\b|只|のみ|だけ"
)
SWITCHED = re.compile(r"(?i)\b(?:has been |have been |was |were |is |are )?(?:switched|turned) (on|off)\b")
LIMIT = re.compile(
    r"(?i)\b(?:only|except|unless|if|when|whenever|until|outside|but|while|nur|außer|wenn|bis|sauf|solo"
    r"|salvo|by default)\b"
)
REASON = re.compile(r"(?i)\b(?:because|since|so that|as of|weil|damit|parce que|porque)\b")
NOT = re.compile(
    r"(?i)\b(?:(?:do|does) not (?:need|have) to|don't (?:need|have) to|(?:do|does|did|must|should|may|need"
    r"|is|are|will) not|(?:do|does|must|should|ca|need|is|are|wo)n't|no need to|nobody|no one|can ?not|not"
    r"|never|no|avoid(?:s|ed)?|stop(?:s|ped)?(?= \w+ing\b)|nicht|kein(?:e|en|er)?|nie|niemals|ne|pas|jamais"
    r"|nunca)\b(?![-\u2019])\s*|\bdis(?=likes?\b)|不要|不能|别"
)
FORBIDDEN = re.compile(
    r"(?i)\b(?:forbidden|prohibited|banned|disallowed|off limits|verboten|interdite?s?|prohibid[oa]s?"
    r"|proibid[oa]s?|vietat[oaie])\b|禁止"
)
PERMITS = re.compile(
    r"(?i)\b(?:may|can|allowed|permitted|fine|okay|ok|free to|welcome|darf|dürfen|erlaubt|autorisée?s?"
    r"|permitid[oa]s?|permess[oaie])\b|可以|允许"
)
WITHOUT = re.compile(r"(?i)\b(?:without|ohne|sans|sin|sem|senza)\b")


MOST_STATEMENTS = 6
"""Statements of a memory that are compared, from its beginning: the rest gives reasons and examples."""

_LONGEST = 24
"""Telling words of a statement: a longer one says several things."""

_MOST_READ, _MOST_OF_ONE = 6_000, 600
"""Characters of a memory, and of one statement, that are looked at."""

COPULAS = frozenset(["is", "are", "ist", "sind", "est", "sont", "es", "son", "=", ":"])
PLACING = frozenset(
    """
    chez in on at from to with as by through via named called im bei mit von aus dans avec de sur con desde
    be
    """.split()  # noqa: SIM905 - a table
)
ARTICLES = frozenset(["the", "our", "der", "die", "das", "le", "la", "el", "unser", "notre"])


@value_class(frozen=True, slots=True)
class Word:
    """A word that tells something: as a stem, and what kind of value it is, if any."""

    stem: str
    text: str
    value: Value | None = None
    link: str = ""
    """The small word before it: is, in, on, at."""
    name: bool = False
    """Whether it is written like a name or an identifier."""


@value_class(frozen=True, slots=True)
class Statement:
    """One thing that a memory says."""

    words: tuple[Word, ...]
    denies: bool
    limited: bool
    """Whether it holds only under a condition."""
    taken_back: tuple[tuple[str, ...], ...]
    """What it says is no longer so, as stems."""
    ended: frozenset[str]
    """The names of which it says that they are gone, as stems."""
    over: tuple[tuple[str, ...], ...] = ()
    """What it says has ended, closed or gone, as stems: names or not."""
    changes: bool = False
    """Whether it announces a change: moved, now, again, from now on."""
    adds: bool = False
    """Whether it says something besides: also, too."""
    permits: bool = False
    """Whether it allows something in so many words."""
    reach: str = ""
    """Whether it says "only" or "both"."""
    keys: frozenset[str] = frozenset()
    """The stems, those of words that a hyphen joins, and neighbours as one word: "time out", "timeout"."""

    @property
    def stems(self) -> list[str]:
        """The words as they are compared."""
        return [word.stem for word in self.words]


@lru_cache(maxsize=512)
def statements(text: str) -> tuple[Statement, ...]:
    """Return what a text states, from its beginning, reasons and instructions for use aside."""
    plain = unicodedata.normalize("NFKC", _ASIDE.sub("", text[:_MOST_READ]))
    parts = (part for part in _END.split(plain) if part.strip())
    found = (_statement(part[:_MOST_OF_ONE]) for _, part in zip(range(MOST_STATEMENTS), parts, strict=False))
    return tuple(one for one in found if 0 < len(one.words) <= _LONGEST)


_ASIDE = re.compile(
    r"(?m)^[ \t>*+-]*(?:[Ww]hy|[Hh]ow to apply|[Bb]ecause)\b[^\n]*\n?|<!--.*?-->|\([^()\n]{0,200}\)"
)
_END = re.compile(r"(?<=[\w\])`'\"%])[.!?;](?=\s|$)|[\u3002\uff01\uff1b\uff1f]|\n+|\s[\u2013\u2014]\s")


def _statement(text: str) -> Statement:
    gone = [next(filter(None, found.groups())) for kind in _GONE for found in kind.finditer(text)]
    main = BACK.sub(" ", MOVED.sub(" ", text))
    over = [found[1] or found[3] for found in OVER.finditer(main)]
    main = SWITCHED.sub(r"is \1", main)
    limited = LIMIT.search(main) is not None
    main = next((part for part in REASON.split(main) if part.strip()), "")  # "Since May …"
    denies = sum(bool(kind.search(main)) for kind in _DENYING) % 2 == 1
    for pattern in (*_DENYING, CHANGE, REACH):
        main = pattern.sub(" ", main)
    reach = REACH.search(text)
    words = tuple(_words(main))
    return Statement(
        words=words,
        keys=_keys([word.stem for word in words]),
        denies=denies,
        limited=limited,
        taken_back=tuple(map(_stems, gone)),
        ended=frozenset(name for phrase in over for name in _names(phrase)),
        over=tuple(map(_stems, over)),
        changes=bool(gone or CHANGE.search(text)),
        permits=PERMITS.search(text) is not None,
        adds=ADDS.search(text) is not None,
        reach="" if not reach else "both" if reach[1] else "only",
    )


_GONE = (BACK, UNUSED, MOVED)
_DENYING = (NOT, FORBIDDEN, WITHOUT)


def _stems(phrase: str) -> tuple[str, ...]:
    return tuple(word.stem for word in _words(phrase))


def _keys(stems: list[str]) -> frozenset[str]:
    joined = ("".join(pair) for pair in pairwise(stems))
    return frozenset([*stems, *joined, *(part for stem in stems for part in parts(stem))])


def parts(stem: str) -> list[str]:
    """Return the words that a hyphen joins, small ones aside: on-call is on call."""
    found = stem.split("-") if "-" in stem else []
    return [part for part in found if len(part) > _TINY] if "".join(found).isalpha() else []


_TINY = 2


def _names(phrase: str) -> Iterator[str]:
    """Yield the names in a phrase as stems; a capital at the beginning of several words makes none."""
    for word in _words(phrase):
        alone = " " not in phrase or not phrase.startswith(word.text)
        if word.name and not word.text[0].isdecimal() and (alone or _MIXED.search(word.text)):
            yield word.stem


_MIXED = re.compile(r".[A-Z0-9]")


def _words(text: str) -> Iterator[Word]:
    link, first = "", True
    for found in VALUES.finditer(text):
        raw = found[0].strip("`'\"*_,:")
        if not raw:
            continue
        low = raw.casefold()
        value = value_of(found, raw) if low != "on" or link in COPULAS else None  # on is mostly no switch
        written = len(raw) > 1 and (raw.isupper() or (not first and raw[0].isupper()))
        if value is None and not written and (low in _SMALL or "\u3040" <= low[0] <= "\u309f"):
            link = low if link in ("", *COPULAS) or low in COPULAS | PLACING else link
            continue
        shaped = (not first and raw[:1].isupper()) or re.search(
            r"[\d/#@_:.]|\w-\w|[a-z][A-Z]", raw
        ) is not None
        low = low[:-1] if raw[-1] == "s" and raw[:-1].isupper() else low  # PRs
        yield Word(
            value.key if value else _stem(low), raw, value, link, shaped or (first and raw[:1].isupper())
        )
        link, first = "", False


def _stem(word: str) -> str:
    word = _FORMS.get(word, word)
    if not word.isalpha() or len(word) < _SHORT:
        return word
    if len(word) == _SHORT:
        return word[:-1] if word[-1] == "s" != word[-2] else word
    single = word[:-1] if word[-1] == "s" != word[-2] else word
    stem = _ENDING.sub("", single)
    stem = stem[:-1] if stem[-1:] == stem[-2:-1] and single[-2:] in ("ed", "ng", "er") else stem  # logged
    return stem if len(stem) >= _SHORT - 1 else word


_FORMS = {
    form: row.split()[0]
    for row in """
        send sent\nlead led\nbuild built\nrebuild rebuilt\nkeep kept\nhold held\nwrite written wrote\npay paid
        run ran\nmake made\nsell sold\nchoose chosen\ngive given\nmeet met\nbuy bought
        reply replies answer answers respond response responses speak speaks
    """.strip().splitlines()
    for form in row.split()[1:]
}
"""Forms that do not begin like their word, and the ways to say reply."""
_SHORT = 4
_ENDING = re.compile(r"(?:ment|ing|edly|ed|ion|al|able|e|ly|en|er|age|ie|(?<=w)n|(?<![aeou])y)\Z")
_SMALL = frozenset(
    """
    a an the and or of to in on at by for from with as is am are was were be been being it its that these
    those through via like likes want wants prefer prefers i you your we our us they them he she his her my
    me do does did have has had having will would should must may might can could need needs please there
    here just very really then than now also always still already currently today before after any all every
    each user's use uses used using get gets set sets happen happens take takes done make sure keep named
    called per so over allow allows allowed permitted okay ok fine welcome up least most run runs go goes
    come comes came live lives land lands stay stays handle handles serve serves provide provides der die
    das den dem des ein eine einen und oder ist sind wir ich bei mit von aus im auf für zu wird werden wurde
    wurden um sich jetzt immer nutze nutzen liegt chez été ont usa usan usar usamos utilise utilisons le la
    les un une et est sont nous je de du dans avec sur pour maintenant toujours 我 们 的 是 在 了 用 每 使
    做 为 到 从 由 行 ao al allo alla stato stata state stati à il lo gli uno di è sono si nel della o os
    uma da no na com pelo pela são é foi el los las una y es son nosotros en con desde por para ahora
    siempre del
    """.split()  # noqa: SIM905 - a table
)
