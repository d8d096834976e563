"""The kind, name, title and description that are proposed for a text that comes without them.

The marks of Markdown go from a description; identifiers, paths, globs and code stay whole.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memdir.memories.names import slug
from memdir.memories.topic import Kind
from memdir.resources import fill, patterns_of, read_table
from memdir.text.secrets.fast_search import without_secrets

__all__ = ["first_words", "propose_description", "propose_kind", "propose_name", "propose_title"]

MAX_DESCRIPTION = 140
"""Characters of a proposed description: with its title it still fits into one pointer of the index."""

MAX_NAME_WORDS = 6
"""Words of a proposed name: enough to tell two memories apart, short enough to type; a date stays whole."""

MAX_TITLE = 80
"""Characters of a proposed title, unless a negation stands further on."""

_LONGEST = 2_000
"""Characters that are looked at: several times what a description can use."""

_DEEPEST = 3
"""Emphasis inside emphasis that is looked for: nobody writes more."""

_TABLE = read_table(__file__, "kind_signs.txt")
_PARTS, _PATTERNS = patterns_of(_TABLE.pop("parts")), patterns_of(_TABLE.pop("names"))
_SIGNS = {kind: [(int(row[0]), fill(row[2:], _PARTS)) for row in rows] for kind, rows in _TABLE.items()}


def propose_kind(sentence: str) -> Kind:
    """Return the kind whose signs weigh most in this text; a plain fact is about the project."""
    text = " ".join(sentence[:1_000].lower().replace("\u2019", "'").split())
    scores = dict.fromkeys(Kind, 0) | {Kind.PROJECT: 1}
    for language in ("", "foreign ") if re.search(_PARTS["foreign"], text) else ("",):
        for kind in Kind:
            signs = _SIGNS[f"{language}{kind}"]
            scores[kind] += sum(weight for weight, pattern in signs if re.search(pattern, text))
    return max(scores, key=scores.__getitem__)


def propose_description(body: str, most: int = MAX_DESCRIPTION) -> str:
    """Return the first sentence of the body as one plain line of bounded length."""
    sentence = _first_sentence(body)
    if len(sentence) <= most:
        return sentence
    cut = sentence[: most - 1]  # in its own way: a description that was cut so is known as made, not given
    return f"{cut.rpartition(' ')[0].rstrip(' ,;:-') or cut}…"


def propose_name(body: str) -> str:
    """Return a readable slug of the first few words that carry meaning."""
    words = _telling_words(body)
    cut = MAX_NAME_WORDS
    for date in re.finditer(_PATTERNS["slug-date"], "-".join(words)):  # one that lies across stays whole
        first = date.string.count("-", 0, date.start())
        last = first + date[0].count("-")
        cut = last + 1 if first < cut <= last else cut
    kept = words[:cut]
    while len(words) > len(kept) > 1:  # a negation is not cut from what it negates
        before_not = words[len(kept)] == "not" and re.match(rf"(?:{_PATTERNS['verb']}|must)\Z", kept[-1])
        if not before_not and not re.match(_PATTERNS["negation"], kept[-1]):
            break
        kept.pop()
    return "-".join(kept)


def propose_title(body: str, name: str) -> str:
    """Return the beginning of the text if a name made from it would mislead as a title; else nothing.

    Such a name is a mere hash, leaves out words of another script, or is cut before the text says "not".
    """
    if re.fullmatch(r"(?=.*\d)[0-9a-f]{8}", name) is None:
        words = _telling_words(body)
        negated = any(re.match(_PATTERNS["negation"], word) for word in words[name.count("-") + 1 :])
        # Letters of another script: a slug leaves them out, or spells them in plain ones.
        misleads = negated or re.search(_PATTERNS["other-script"], _first_sentence(body))
        if name != propose_name(body) or not misleads:
            return ""
    described, title = propose_description(body), propose_description(body, MAX_TITLE)
    left_out = slug(described[len(title) - 1 :]).split("-")
    return described if any(re.match(_PATTERNS["negation"], word) for word in left_out) else title


def first_words(body: str) -> str:
    """Return the text of the first paragraphs on one line, without Markdown, comments and link targets."""
    text = body[:_LONGEST]
    text = re.sub(_HEADING, "", text).strip() or text  # headings name, sentences say
    text = re.sub(_COMMENT, "", re.sub(_LEADERS, "", text.lstrip()).replace("\0", ""))
    code = [match[2].strip() for match in re.finditer(_CODE, text)]
    text = re.sub(_CODE, "\0", text)  # what stands in code spans is nobody's emphasis
    text = re.sub(_LINK, lambda match: match[1] or match[2] or "", text)
    for _ in range(_DEEPEST if re.search("[*_~]", text) else 0):
        text = re.sub(_EMPHASIS, _without_marks, text)
    left = iter(code)
    return " ".join(re.sub("\0", lambda _: next(left, ""), text).split())


@lru_cache(maxsize=2)  # name and title are made from one text
def _telling_words(body: str) -> list[str]:
    """Return the words of the first sentence that carry meaning, as they stand in a slug."""
    sentence = re.sub(r"(?i)(?<=n)[`\u00b4\u2018\uff07](?=t\b)", "'", _first_sentence(body))
    sentence = re.sub(_PATTERNS["lead-in"], "", sentence) or sentence
    whole = slug(re.sub(_PATTERNS["url"], " ", sentence).strip() or sentence or without_secrets(body))
    telling = [word[:40] for word in re.sub(_PATTERNS["small-words"], "", whole).split("-") if word]
    return telling or whole.split("-")


@lru_cache(maxsize=2)  # name, title and description are made from one text
def _first_sentence(body: str) -> str:
    """Return the first sentence that says something, without Markdown, credentials and its full stop."""
    whole = without_secrets(body)
    text = first_words(whole)
    if text not in whole:  # without Markdown, halves of a token can meet
        text = without_secrets(text)
    # An opening such as "Yes." describes nothing, so the end is looked for a little further on.
    end = re.compile(_PATTERNS["sentence-end"]).search(text, 15)
    return (text[: end.end()] if end else text).rstrip(".\u3002 ")


def _without_marks(match: re.Match[str]) -> str:
    names = r"[a-z0-9_]+" if len(match["marks"]) > 1 else r"\w*[\d_]\w*"
    is_name = match["marks"][0] == "_" and re.fullmatch(names, match["words"])  # __init__ and _x1_
    return match[0] if is_name else match["words"]


_HEADING = r"(?m)^[ \t]{0,3}#{1,6}[ \t].*$"
_LEADERS = r"(?m)^[ \t]*(?:#{1,6}[ \t]+|[-*+>][ \t]+|\d{1,3}[.)][ \t]+|```.*$|~~~.*$)+"
_COMMENT = r"(?s)<!--.*?-->"
_CODE = r"(?<!`)(`+)(?!`)((?:(?!\1)[^\n]|(?<=`)`)*?[^`\n])\1(?!`)"
_LINK = r"!?\[(?!secret: )([^\[\]\n]*)\]\([^()\n]*\)|\[\[(?!secret: )([^\[\]\n]+)\]\]"
# An opening mark stands where a word begins, a closing one where it ends; between both is no other such mark.
_EMPHASIS = (
    r"(?<![\w*_~/.\\@#$%&=<>+^|-])(?P<marks>\*{1,3}|_{1,3}|~~)(?=[^\s*_~/.,;:!?)\]}])"
    r"(?P<words>(?:(?!(?P=marks)).)*?[^\s*_~/(\[{,])(?P=marks)(?![\w*_~/(\[]|\.\w)"
)
