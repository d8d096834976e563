"""The four kinds of memory, a closed set, and proposals for a text that names neither kind nor name."""

import re
from enum import StrEnum

from memdir.core.names import slug
from memdir.core.plain_text import first_words

__all__ = ["Kind", "kind_named", "proposed_description", "proposed_kind", "proposed_name", "proposed_title"]

MAX_DESCRIPTION = 140
"""Characters of a proposed description: with its title it still fits into one pointer of the index."""

MAX_NAME_WORDS = 6
"""Words of a proposed name: enough to tell two memories apart, short enough to type; a date stays whole."""

MAX_TITLE = 80
"""Characters of a proposed title, unless a negation stands further on."""


class Kind(StrEnum):
    """What a memory is about; what fits none of these is not saved."""

    USER = "user"
    FEEDBACK = "feedback"
    PROJECT = "project"
    REFERENCE = "reference"


def kind_named(text: str) -> Kind | None:
    """Return the kind with exactly this name, or None."""
    return _BY_NAME.get(text)


def proposed_kind(sentence: str) -> Kind:
    """Return the kind whose signs weigh most in this text; a plain fact is about the project."""
    text = " ".join(sentence[:1_000].lower().replace("\u2019", "'").split())
    scores = dict.fromkeys(Kind, 0) | {Kind.PROJECT: 1}
    for kind, signs in _SIGNS.items():
        scores[kind] += sum(weight for weight, pattern in signs if re.search(pattern, text))
    return max(scores, key=scores.__getitem__)


def proposed_description(body: str) -> str:
    """Return the first sentence of the body as one plain line of at most 140 characters."""
    return _cut(_first_sentence(body), MAX_DESCRIPTION)


def proposed_name(body: str) -> str:
    """Return a readable slug of the first few words that carry meaning."""
    words = _telling_words(body)
    kept = words[: _end_of_date(words, MAX_NAME_WORDS)]
    while len(words) > len(kept) > 1 and _begins_negation(kept[-1], words[len(kept)]):
        kept.pop()
    return "-".join(kept)


def proposed_title(body: str, name: str) -> str:
    """Return the beginning of the text if a name made from it would mislead as a title; else nothing.

    Such a name is a mere hash, leaves out words of another script, or is cut before the text says "not".
    """
    if re.fullmatch(r"(?=.*\d)[0-9a-f]{8}", name) is None:
        words = _telling_words(body)
        left = words[name.count("-") + 1 :]
        if name != proposed_name(body) or not (_is_negated(left) or _has_other_script(_first_sentence(body))):
            return ""
    described = proposed_description(body)
    title = _cut(described, MAX_TITLE)
    return described if _is_negated(slug(described[len(title) - 1 :]).split("-")) else title


_BY_NAME = {kind.value: kind for kind in Kind}

_DAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight"
    r"|(?:next|this|last) (?:week|month|quarter|sprint|year)"
)
_DATE = (
    r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d"
    r"|20\d\d\b|q[1-4]\b|end of (?:the )?\w+"
)
_PLACE = (
    r"(?:dashboards?|board|trackers?|tickets?|wiki|runbooks?|playbook|notion|confluence|linear|jira|grafana"
    r"|kibana|datadog|sentry|figma|slack|channel|spreadsheet|google docs?|drive folder|docs? site"
    r"|mailing list|pagerduty|changelog)\b"
)
_WORK = (
    r"(?:answers?|repl(?:y|ies)|responses?|summar\w+|explanations?|comments?|commits?|prs?|pull requests?"
    r"|diffs?|tests?|code|functions?|names?|messages?|you|output|bullet points?|emojis?|questions?|types?"
    r"|patch(?:es)?)\b"
)
_ORDER = (
    r"(?:always|never|do?n'?t(?! expect)|do not(?! expect)|stop|avoid|prefer|use|keep|make sure|ask|run|write"
    r"|put|skip|leave|give|show|check|read|commit(?! (?:[0-9a-f]{6,40}|signing|history|access)\b)|try|explain"
    r"|format|start|wait|go with|be|let me|remember to|only|quit|do)\b"
)
_GREETING = r"^(?:(?:please|pls|ok|no|yes|and|also|hi|hey|fyi|btw|nice|great|so),? )*"
_NO_PERSON = (
    r"(?! (?:services?|tables?|interfaces?|models?|stor(?:y|ies|e)|guides?|manual|ids?|accounts?|data|groups?"
    r"|apis?|pages?|profiles?|flows?|settings?|research|base|agents?)\b)"
)
_ME = rf"\b(?:i|user{_NO_PERSON}) (?:\w+ )?"
_ROLE = (
    r"^(?!(?:the|our|their|every|each|no|ask|one|any)\b)(?:\w+ ){0,2}(?:scientist|engineer|developer|designer"
    r"|manager|analyst|student|researcher|architect|programmer|consultant|teacher|founder|freelancer)"
    r"(?:,|\.?$| (?:with|who|at)\b)"
)
_KEPT = r"(?:tracked|documented|described|kept|listed|found|filed|posted|lives?)"
_FILE = r"`?(?:\.?[\w@-]+/|[\w-]+\.(?:py|tsx?|jsx?|go|rs|java|rb|cpp|cs|sh|json|ya?ml|toml|sql|md)\b)"
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"

# A sign weighs 2 when it leans, 3 when it mostly settles the matter, 4 when it does alone; a taste in how
# work is done weighs more than the two signs of a personal taste that it brings along. Patterns are compiled
# when first used: reading a directory needs the kinds, not these.
_SIGNS: dict[Kind, tuple[tuple[int, str], ...]] = {
    Kind.REFERENCE: (
        (4, r"https?://|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}/"),
        (3, rf"\b{_PLACE}.*\b(?:is|are|lives?|sits?|has|shows?|holds?|where|for|under|at)\b"),
        (3, rf"\b(?:in|on|at|to|see|check|via|under) (?:the |our |their )?(?:[\w#'-]+ ){{0,3}}{_PLACE}"),
        (3, r"\b(?:in|on) (?:the|our|a|their) (?:[\w'-]+ ){0,3}(?:repo|bucket|folder|sheet|drive)\b"),
        (3, r"(?:^|\s)#[a-z][\w-]+"),
        (2, r"\b(?:in|on|to) (?:the )?#[a-z]"),
        (2, rf"\b{_KEPT} (?:in|on|at|under)\b(?! (?:the )?{_FILE})"),
        (2, r"\b(?:docs|documentation|manual|handbook|spec) (?:of|for|on|is|are)\b"),
    ),
    Kind.USER: (
        (4, rf"{_GREETING}(?:i am|i'm|im|(?:the )?user is) "),
        (4, r"\bmy (?:\w+ )?(?:role|job|background|title|name|timezone|goal|language)\b|\bcall me\b"),
        (4, r"\b(?:i've|i have|ive|user has) (?:been |never |only |always )?(?:\w+ing|done|used|worked)\b"),
        (4, rf"{_ME}(?:knows?|understand|studied|learned|speaks?|live|works?|leads?|manage|teach|code)\b"),
        (4, rf"{_ME}(?:come from|to (?:learn|understand|become|get))\b"),
        (4, r"\b(?:i've|i have|ive) (?:never|only|always|mostly) (?:\w+ed|written|built|seen|run|made)\b"),
        (4, rf"\bi (?:\w+ )?(?:wrote|built|designed|created|founded)\b|{_ROLE}"),
        (4, r"\bbeen \w+ing\b.*\b(?:since|for)\b"),
        (3, r"\b(?:new to|fluent in|experience with|years of|familiar with|comfortable with|expert in)\b"),
        (4, r"^(?:prefers|likes|loves|hates|knows|works|speaks|lives) "),
        (3, rf"{_ME}(?:likes?|loves?|prefers?|enjoy|hates?|uses?)\b"),
        (2, rf"{_GREETING}(?:i|my|the user{_NO_PERSON}) |\b(?:to|for) me\b"),
    ),
    Kind.FEEDBACK: (
        (4, rf"{_GREETING}{_ORDER}"),
        (4, rf"{_GREETING}(?:no|less|fewer|more|short(?:er)?|small(?:er)?) (?:\w+ )?{_WORK}"),
        (6, rf"{_ME}(?:likes?|prefers?|wants?|hates?)\b.*\b{_WORK}|\bhow i (?:want|like)\b"),
        (4, rf"^(?:\w+ )?{_WORK}.*\b(?:ha(?:ve|s) to|must|should|needs? to)\b|^your\b"),
        (5, r"\bi(?:'d| would) (?:rather|prefer)\b(?! (?:work|live|be)\b)"),
        (4, r"\b(?:please|pls|bitte|por favor)[.!]*$|^bitte\b|s'il (?:te|vous) pla[iî]t|^请|不要|务必"),
        (4, r"(?:て|で)(?:ください|下さい|ほしい)|お願いし|お願いいた"),
        (4, r"^it'?s (?:fine|ok|okay|all right|alright) (?:to|if|that)\b|\bi (?:already )?told you\b"),
        (4, r"^(?:nobody|no one) (?:ever )?(?:force-)?(?:push|commit|merge|rebase|deploy)"),
        (3, r"\b(?:instead of|rather than|from now on|next time|in future|when(?:ever)? you)\b"),
        (3, r"\byou (?:should|must|need to|keep|always|did|forgot|were)|\bstop \w+ing\b"),
        (3, r"\b(?:was|is) (?:exactly )?(?:(?:the )?right|perfect|wrong|what i)\b|\bkeep (?:doing|it)\b"),
        (2, r"\b(?:always|never|(?:do?n'?t|do not)(?! expect)|must not|should not|no more)\b"),
        (2, r"\btoo (?:long|much|verbose)\b"),
    ),
    Kind.PROJECT: (
        (3, rf"\b(?:{_DAY}|{_DATE})"),
        (2, rf"\b(?:by|until|before|since|in) {_MONTH}\b"),
        (3, r"\b(?:deadline|freez\w+|frozen|release|launch\w*|ships?|cutover|go-?live|sunset|rollout)\b"),
        (3, r"\b(?:decided|agreed|chose|owns?|owner|in charge|responsible for|takes? over|on leave)\b"),
        (2, r"\b(?:because|since (?!\d)|due to|so that|reason|legal|compliance|customers?|contract)\b"),
    ),
}

_URL = r"https?://\S+"
_SENTENCE_END = r"(?<!e\.g)(?<!i\.e)(?<!\bvs)(?<!\betc)[.!?](?=\s|$)|[\u3002\uff01\uff1f]"
_VERB = r"is|am|are|was|were|be|been|do|does|did|have|has|had|will|would|should|can|could"
# Words without a meaning of their own. A verb stays before its "not", and so do words that turn round what
# follows them, as in "rather than", "instead of", "anything but".
_SMALL_WORDS = (
    r"\b(?:an?|the|and|or|so|(?<!instead-)of|to|in|on(?!-call\b)|at|by|for|from|with|as|being|its?|this|that|these|those"
    r"|i|im|ive|you|your|we|our|us|they|them|he|she|his|her|my|(?<!call-)me|please|there|here|just|very|really|then"
    rf"|when|if|also|about|into|any|each|(?:{_VERB})(?!-not\b)"
    r"|(?<!anything-)(?<!everything-)(?<!all-)(?<!any-)but|all(?!-but\b)|[a-z])\b"
)
_MONTHS = "(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*"
_SLUG_DATE = (
    rf"\b(?:(?:19|20)\d\d-\d\d(?:-\d\d)?|(?:{_MONTHS}-\d\d?|\d\d?-{_MONTHS})(?:-20\d\d)?|q[1-4]-20\d\d)\b"
)
# What only leads up to the point.
_LEAD_IN = (
    r"(?i)\A(?:(?:please|remember|note|fyi|btw|from now on|next time)(?: that| to)?[,:]? )*"
    r"(?:(?:i|you|we) (?:\w+ )?keep forgetting (?:to |that )?)?"
)
_NEGATION = (
    r"(?:not?|never|cannot|without|instead|rather|except|unless|neither|nor|none|nothing|nobody|but|over"
    r"|(?:do|does|did|is|are|was|were|ca|ai|has|have|had|wo|would|should|could|must|need)nt"
    r"|nicht|kein(?:e[mnrs]?)?|nie|niemals|ohne|statt|anstatt|ausser"  # German
    r"|ne|pas|jamais|sans|sauf|aucune?"  # French
    r"|nunca|jamas|sin|excepto|salvo|ni)\Z"  # Spanish
)


def _telling_words(body: str) -> list[str]:
    """Return the words of the first sentence that carry meaning, as they stand in a slug."""
    sentence = re.sub(r"(?i)(?<=n)[`\u00b4\u2018\uff07](?=t\b)", "'", _first_sentence(body))
    sentence = re.sub(_LEAD_IN, "", sentence) or sentence
    whole = slug(re.sub(_URL, " ", sentence).strip() or sentence or _masked(body))
    telling = [word[:40] for word in re.sub(_SMALL_WORDS, "", whole).split("-") if word]
    return telling or whole.split("-")


def _end_of_date(words: list[str], cut: int) -> int:
    """Return where to cut so that no date loses its end: here, or after the date that lies across."""
    for match in re.finditer(_SLUG_DATE, "-".join(words)):
        first = match.string.count("-", 0, match.start())
        last = first + match[0].count("-")
        if first < cut <= last:
            return last + 1
    return cut


def _begins_negation(word: str, after: str) -> bool:
    return bool(re.match(_NEGATION, word)) or (
        after == "not" and bool(re.match(rf"(?:{_VERB}|must)\Z", word))
    )


def _is_negated(words: list[str]) -> bool:
    return any(re.match(_NEGATION, word) for word in words)


def _has_other_script(text: str) -> bool:
    """Tell whether a text has letters that a slug leaves out."""
    return not text.isascii() and any(sign.isalpha() and slug(f"x{sign}") == "x" for sign in text)


def _cut(sentence: str, most: int) -> str:
    if len(sentence) <= most:
        return sentence
    cut = sentence[: most - 1]
    return f"{cut.rpartition(' ')[0].rstrip(' ,;:-') or cut}…"


def _first_sentence(body: str) -> str:
    """Return the first sentence that says something, without Markdown, credentials and its full stop."""
    text = _masked(first_words(_masked(body)))  # once more: without Markdown, halves of a token can meet
    # An opening such as "Yes." describes nothing, so the end is looked for a little further on.
    end = re.compile(_SENTENCE_END).search(text, 15)
    return (text[: end.end()] if end else text).rstrip(".\u3002 ")


def _masked(text: str) -> str:
    from memdir.core.secrets import masked  # on first use: reading a directory proposes nothing

    return masked(text)
