"""Characters that nobody sees, and those of them that a script or an emoji needs where they stand."""

import re
from functools import cache

__all__ = ["HIDDEN", "UNSEEN", "hidden_pattern", "visible"]

HIDDEN = (
    "\0-\x08\x0b-\x1f\x7f-\x9f"  # controls but tab and line feed
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # soft hyphen, joiner, fillers
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction of writing
    "\u180b-\u180f\u200b-\u200d\u2028\u2029\u2060-\u2065\u206a-\u206f\ufeff"  # without width, and line ends
    "\ufe00-\ufe0f\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"  # variants, annotations, no characters at all
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # notation, tags, more variants
)
"""Ranges of characters that nobody sees, as they stand in a class of an expression."""

UNSEEN = re.compile(f"[{HIDDEN}]")


def visible(text: str) -> str:
    """Return the text without hidden characters; those that a script or an emoji needs stay."""
    if text.isascii() and text.isprintable():
        return text
    return hidden_pattern().sub(lambda match: match["needed"] or "", text) if UNSEEN.search(text) else text


@cache
def hidden_pattern() -> re.Pattern[str]:
    """Return the rule when a text first needs it, which few do: it takes longer to make than to use."""
    return re.compile(
        "(?P<needed>"
        f"(?<=[{_EMOJI}])[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)"
        f"|(?:(?<=[{_EMOJI}])|(?<=[{_EMOJI}]\ufe0f))\u200d(?=[{_EMOJI}])"
        f"|(?<=\U0001f3f4)(?:{_REGIONS})\U000e007f"
        f"|(?<=[{_JOINED}])[\u200c\u200d](?![{HIDDEN}])"
        f"|(?<=[\u1820-\u18aa])[\u180b-\u180f](?![{HIDDEN}])"
        f"|(?<=[{_HAN}])[\ufe00-\ufe02\U000e0100-\U000e010f](?![{HIDDEN}])"
        f"|(?:(?<=[{_RIGHT_TO_LEFT}])|(?<=[{_RIGHT_TO_LEFT}]{_NEAR}))[\u061c\u200e\u200f](?![{HIDDEN}])"
        f"|[\u061c\u200e\u200f](?={_NEAR}?[{_RIGHT_TO_LEFT}])"
        f")|[{HIDDEN}]+"
    )


_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_JOINED = (  # scripts that are written with joiners: Arabic, Indic, Tibetan, Myanmar, Khmer, Mongolian
    "\u0600-\u061b\u061d-\u06ff\u0750-\u077f\u0870-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u17b3\u17b6-\u17ff"
    "\u1820-\u18aa\u1a20-\u1aaf\u1b00-\u1bff\ua840-\uaaff\ufb50-\ufdff\ufe70-\ufefc\U00011000-\U000114ff"
)
_RIGHT_TO_LEFT = "\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_NEAR = "[ ().,;:!?\"'-]"
_HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_REGIONS = "|".join(
    "".join(chr(0xE0000 + ord(letter)) for letter in region) for region in ("gbeng", "gbsct", "gbwls")
)
