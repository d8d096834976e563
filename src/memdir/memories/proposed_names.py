"""The name, title and description that are proposed for a text that comes without them."""

import re
from functools import lru_cache

from memdir.memories.names import slug
from memdir.text.plain import first_words
from memdir.text.secrets.fast_search import without_secrets

__all__ = ["propose_description", "propose_name", "propose_title"]

MAX_DESCRIPTION = 140
"""Characters of a proposed description: with its title it still fits into one pointer of the index."""

MAX_NAME_WORDS = 6
"""Words of a proposed name: enough to tell two memories apart, short enough to type; a date stays whole."""

MAX_TITLE = 80
"""Characters of a proposed title, unless a negation stands further on."""


def propose_description(body: str) -> str:
    """Return the first sentence of the body as one plain line of at most 140 characters."""
    return _cut(_first_sentence(body), MAX_DESCRIPTION)


def propose_name(body: str) -> str:
    """Return a readable slug of the first few words that carry meaning."""
    words = _telling_words(body)
    kept = words[: _end_of_date(words, MAX_NAME_WORDS)]
    while len(words) > len(kept) > 1:  # a negation is not cut from what it negates
        before_not = words[len(kept)] == "not" and re.match(rf"(?:{_VERB}|must)\Z", kept[-1])
        if not before_not and not re.match(_NEGATION, kept[-1]):
            break
        kept.pop()
    return "-".join(kept)


def propose_title(body: str, name: str) -> str:
    """Return the beginning of the text if a name made from it would mislead as a title; else nothing.

    Such a name is a mere hash, leaves out words of another script, or is cut before the text says "not".
    """
    if re.fullmatch(r"(?=.*\d)[0-9a-f]{8}", name) is None:
        words = _telling_words(body)
        negated = _is_negated(words[name.count("-") + 1 :])
        # Letters of another script: a slug leaves them out, or spells them in plain ones.
        if name != propose_name(body) or not (negated or re.search(_OTHER_SCRIPT, _first_sentence(body))):
            return ""
    described = propose_description(body)
    title = _cut(described, MAX_TITLE)
    return described if _is_negated(slug(described[len(title) - 1 :]).split("-")) else title


_OTHER_SCRIPT = r"(?![\u1e00-\u1eff\uff00-\uff5e])[^\W\d_\0-\u036f]"
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
    whole = slug(re.sub(_URL, " ", sentence).strip() or sentence or without_secrets(body))
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


def _is_negated(words: list[str]) -> bool:
    return any(re.match(_NEGATION, word) for word in words)


def _cut(sentence: str, most: int) -> str:
    if len(sentence) <= most:
        return sentence
    cut = sentence[: most - 1]
    return f"{cut.rpartition(' ')[0].rstrip(' ,;:-') or cut}…"


@lru_cache(maxsize=2)  # name, title and description are made from one text
def _first_sentence(body: str) -> str:
    """Return the first sentence that says something, without Markdown, credentials and its full stop."""
    whole = without_secrets(body)
    text = first_words(whole)
    if text not in whole:  # without Markdown, halves of a token can meet
        text = without_secrets(text)
    # An opening such as "Yes." describes nothing, so the end is looked for a little further on.
    end = re.compile(_SENTENCE_END).search(text, 15)
    return (text[: end.end()] if end else text).rstrip(".\u3002 ")
