"""The four kinds of memory, a closed set, and proposals for a text that names neither kind nor name."""

import re
from enum import StrEnum

from memdir.core.names import slug

__all__ = ["Kind", "kind_named", "proposed_description", "proposed_kind", "proposed_name"]

MAX_DESCRIPTION = 140
"""Characters of a proposed description: with its title it still fits into one pointer of the index."""

MAX_NAME_WORDS = 6
"""Words of a proposed name: enough to tell two memories apart, short enough to type."""


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
    sentence = _first_sentence(body)
    if len(sentence) <= MAX_DESCRIPTION:
        return sentence
    cut = sentence[: MAX_DESCRIPTION - 1]
    return f"{cut.rpartition(' ')[0].rstrip(' ,;:-') or cut}…"


def proposed_name(body: str) -> str:
    """Return a readable slug of the first few words that carry meaning."""
    sentence = _first_sentence(body)
    words = slug(re.sub(_URL, " ", sentence).strip() or sentence or _masked(body)).split("-")
    telling = [word[:40] for word in words if not re.match(_SMALL_WORDS, word)]
    return "-".join((telling or words)[:MAX_NAME_WORDS])


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
    r"(?:always|never|do?n'?t|do not|stop|avoid|prefer|use|keep|make sure|ask|run|write|put|skip|leave|give"
    r"|show|check|read|commit|try|explain|format|start|wait|go with|be|let me|remember to|only|quit|do)\b"
)
_GREETING = r"^(?:(?:please|pls|ok|no|yes|and|also|hi|hey|fyi|btw|nice|great|so),? )*"
_ME = r"\b(?:i|user) (?:\w+ )?"

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
        (2, r"\b(?:tracked|documented|described|kept|listed|found|filed|posted|lives?) (?:in|on|at|under)\b"),
        (2, r"\b(?:docs|documentation|manual|handbook|spec) (?:of|for|on|is|are)\b"),
    ),
    Kind.USER: (
        (4, rf"{_GREETING}(?:i am|i'm|im|(?:the )?user is) "),
        (4, r"\bmy (?:\w+ )?(?:role|job|background|title|name|timezone|goal|language)\b|\bcall me\b"),
        (4, r"\b(?:i've|i have|ive|user has) (?:been |never |only |always )?(?:\w+ing|done|used|worked)\b"),
        (4, rf"{_ME}(?:knows?|understand|studied|learned|speaks?|live|works?|leads?|manage|teach|code)\b"),
        (4, rf"{_ME}(?:come from|to (?:learn|understand|become|get))\b"),
        (4, r"\bbeen \w+ing\b.*\b(?:since|for)\b"),
        (3, r"\b(?:new to|fluent in|experience with|years of|familiar with|comfortable with|expert in)\b"),
        (4, r"^(?:prefers|likes|loves|hates|knows|works|speaks|lives) "),
        (3, rf"{_ME}(?:likes?|loves?|prefers?|enjoy|hates?|uses?)\b"),
        (2, rf"{_GREETING}(?:i|my|the user) |\b(?:to|for) me\b"),
    ),
    Kind.FEEDBACK: (
        (4, rf"{_GREETING}{_ORDER}"),
        (4, rf"{_GREETING}(?:no|less|fewer|more|short(?:er)?|small(?:er)?) (?:\w+ )?{_WORK}"),
        (6, rf"{_ME}(?:likes?|prefers?|wants?|hates?)\b.*\b{_WORK}|\bhow i (?:want|like)\b"),
        (4, rf"^(?:\w+ )?{_WORK}.*\b(?:ha(?:ve|s) to|must|should|needs? to)\b|^your\b"),
        (3, r"\b(?:instead of|rather than|from now on|next time|in future|when(?:ever)? you)\b"),
        (3, r"\byou (?:should|must|need to|keep|always|did|forgot|were)|\bstop \w+ing\b"),
        (3, r"\b(?:was|is) (?:exactly )?(?:(?:the )?right|perfect|wrong|what i)\b|\bkeep (?:doing|it)\b"),
        (2, r"\b(?:always|never|do?n'?t|do not|must not|should not|no more|too (?:long|much|verbose))\b"),
    ),
    Kind.PROJECT: (
        (3, rf"\b(?:{_DAY}|{_DATE})"),
        (3, r"\b(?:deadline|freez\w+|frozen|release|launch\w*|ships?|cutover|go-?live|sunset|rollout)\b"),
        (3, r"\b(?:decided|agreed|chose|owns?|owner|in charge|responsible for|takes? over|on leave)\b"),
        (2, r"\b(?:because|since (?!\d)|due to|so that|reason|legal|compliance|customers?|contract)\b"),
    ),
}

_URL = r"https?://\S+"
_SENTENCE_END = r"(?<!e\.g)(?<!i\.e)(?<!\bvs)(?<!\betc)[.!?](?=\s|$)|[\u3002\uff01\uff1f]"
_SMALL_WORDS = (
    r"(?:an?|the|and|or|but|so|of|to|in|on|at|by|for|from|with|as|is|am|are|was|were|be|been|being|its?|this|that"
    r"|these|those|i|im|ive|you|your|we|our|us|they|them|he|she|his|her|my|me|do|does|did|not|have|has|had"
    r"|will|would|should|can|could|please|there|here|just|very|really|then|than|when|if|also|about|into|over"
    r"|all|any|each|[a-z])\Z"
)


def _first_sentence(body: str) -> str:
    """Return the first sentence that says something, without Markdown, credentials and its full stop."""
    text = _masked(_plain(_masked(body)))  # once more: without Markdown, halves of a token can meet
    # An opening such as "Yes." describes nothing, so the end is looked for a little further on.
    end = re.compile(_SENTENCE_END).search(text, 15)
    return (text[: end.end()] if end else text).rstrip(".\u3002 ")


_HEADING = r"(?m)^[ \t]{0,3}#{1,6}[ \t].*$"
_LEADERS = r"(?m)^[ \t]*(?:#{1,6}[ \t]+|[-*+>][ \t]+|\d{1,3}[.)][ \t]+|```.*$|~~~.*$)+"
_LINK = r"!?\[{1,2}(?!secret: )([^\[\]\n]*)\]{1,2}(?:\([^()\n]*\))?"
_MARKS = r"(?s)\*\*|__|~~|`|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|<!--.*?-->"


def _plain(body: str) -> str:
    """Return the text of the first paragraphs on one line, without Markdown."""
    text = body[:2_000]  # several times what can be used
    text = re.sub(_HEADING, "", text).strip() or text  # headings name, sentences say
    text = re.sub(_LINK, r"\1", re.sub(_LEADERS, "", text.lstrip()))
    return " ".join(re.sub(_MARKS, "", text).split())


def _masked(text: str) -> str:
    from memdir.core.secrets import masked  # on first use: reading a directory proposes nothing

    return masked(text)
