"""Sentences that say yes to what was done, and offers that wait for one."""

import re

__all__ = ["is_assent", "is_confirmation", "is_lasting_offer", "tells_more"]


def is_confirmation(bare: str) -> bool:
    """Whether a sentence says that what was just done should be done again."""
    praised = (_PRAISED.match(bare) or _PLEASED.search(bare)) is not None and _FOR_GOOD.search(
        bare
    ) is not None
    return (praised or _CONFIRMED.search(bare) is not None) and not _NOT_CONFIRMED.search(bare)


def is_lasting_offer(text: str) -> bool:
    """Whether the assistant asks to do something from now on."""
    return _OFFER.search(text) is not None


def is_assent(bare: str) -> bool:
    """Whether a message begins with a yes."""
    return _YES.match(bare) is not None


def tells_more(bare: str) -> bool:
    """Whether a confirmation names what it praises, so that it can be understood alone."""
    return len(re.findall(r"[^\W\d_]{3,}", _PRAISE.sub(" ", bare))) >= 4


_PRAISED = re.compile(
    r"\W*(?:do that|yes+|yeah|yep|nice|great|good|perfect|lovely|love|exactly|excellent|awesome|cool"
    r"|thanks|thank you|wonderful|brilliant|super|this|that|ok that|very good|well done|right|spot on"
    r"|ha)\b",
    re.IGNORECASE,
)
_PLEASED = re.compile(
    r"\b(?:great|perfect|useful|helpful|ideal|lovely|nice|good|excellent|spot on|brilliant|love|like"
    r"|appreciate|thank you|thanks|works well|right|better|best|clearer|easier)\b",
    re.IGNORECASE,
)
_FOR_GOOD = re.compile(
    r"\b(?:always|every (?:single )?time|each time|keep (?:it|this|that|doing|up|these|those|them|using)"
    r"|by default|the default|in general|(?:how|what|the way) (?:i|we) (?:\w+ )?(?:like|want|prefer|do"
    r"|need)|(?:that|this) is the way|more of|stay (?:with|like|that|this|so)|continue (?:like|this|that"
    r"|doing)|stick (?:with|to)|right for (?:me|us)|whenever|next time|from now on|going forward"
    r"|do (?:it )?(?:like )?(?:this|that|the same|so) (?:again|for|in|every|always|next)|the standard"
    r"|the rule|please do so|(?:do|keep|use) (?:that|this|it) (?:in|for|with|on) (?:all|every|each|any)"
    r"|what i expect|keep (?:that|this|it)(?=\W*$))\b",
    re.IGNORECASE,
)
_CONFIRMED = re.compile(
    r"\bkeep (?:on )?(?:doing|working|writing|using|answering|structuring|handling|explaining) (?:it|this"
    r"|that|things|them|\w+)"
    r"|\bkeep (?:it|this|that|them|things) (?:up|(?:like|just like|exactly like) (?:this|that)|(?:that"
    r"|this) (?:way|short|format))\b"
    r"|\bkeep (?:that|this|it) (?:style|habit|up|format|going like)\b"
    r"|\bkeep (?:using|to) (?:this|that)\b"
    r"|\bkeep (?:the|your) \w+ (?:like (?:this|that)|that way|this way)\b"
    r"|\b(?:exactly|precisely|just) (?:how|what|the \w+ (?=i |we )|the way|the kind of|the sort of"
    r"|the level of) .{0,30}?\b(?:i|we) (?:want(?:ed)?|like|need(?:ed)?|prefer|love|hoped|had in mind"
    r"|wish)\b"
    r"|\b(?:the )?(?:right|correct|good|great|best|smart) (?:call|choice|move|instinct|decision|approach)\b"
    r"|\b(?:that'?s|this is|that is|thats) the (?:kind|sort|type|level|amount) of [^.]{0,40}\bi (?:want"
    r"|like|need|love)|\bmore (?:of (?:this|that|these|those)|like (?:this|that))\b"
    r"|\b(?:do|doing|work(?:ing)?|write|answer|continue|stay|go on) (?:it |that |this |things "
    r"|them )?(?:exactly )?(?:like (?:this|that)|this way|that way|the same way"
    r"|the same)\b.{0,40}\b(?:every time|always|again|in (?:the )?future|next time|from now on|please"
    r"|going forward|for the (?:rest|others|next))\b"
    r"|\b(?:do|doing) (?:that|this|it|the same) (?:every|each|next) time\b"
    r"|\balways do (?:it|that|this) (?:like|this|that)"
    r"|\b(?:love|like|loving|liked|loved|appreciate) (?:this|that|the|how you|the way you"
    r"|your) (?:\w+ ){0,4}(?:format|style|approach|way|structure|layout|length|tone|detail|asked|did"
    r"|started|split|explained|wrote|kept|show(?:ed)?|put|check(?:ed)?)\b"
    r"|\b(?:that'?s|this is|that is|thats) (?:exactly |just |precisely )?(?:how|the way) (?:i|we) (?:like"
    r"|want|prefer|do|need)"
    r"|\b(?:perfect|ideal|right|just the right|spot on) (?:length|format|level|tone|size|amount|style"
    r"|granularity)\b"
    r"|\bstick (?:with|to) (?:this|that) (?:\w+ )?(?:style|format|approach|way|pattern|structure)?"
    r"|\b(?:please )?continue (?:like (?:this|that)|(?:this|that) way|in this (?:style|way))\b"
    r"|\bthis (?:way|format|style|approach) (?:works|suits)\b.{0,20}\b(?:for me|for us|best|better|great"
    r"|well)\b"
    r"|\bglad (?:that )?you (?:asked|checked|waited|didn'?t|did)\b"
    r"|\bnice that you (?:asked|checked|didn'?t)\b"
    r"|\b(?:that|this|it) (?:saved|saves) (?:me|us)\b.{0,60}\b(?:keep|always|again|every time)\b",
    re.IGNORECASE,
)
_NOT_CONFIRMED = re.compile(
    r"\b(?:great|good|nice|well|excellent) (?:job|work|catch|done)\b|\bas always\b|\b(?:is|was) (?:it"
    r"|that|this) the right\b|\bnot (?:exactly|what|how|the right)\b|\bkeep (?:it )?going\b|\b(?:what"
    r"|which) (?:is|was|would)\b",
    re.IGNORECASE,
)
_PRAISE = re.compile(
    r"\b(?:yes|yeah|yep|exactly|perfect(?:ly)?|great|good|nice|love|like|this|that|these|those|keep|doing"
    r"|do|it|please|more|of|way|how|want|you|work|the|is|was|right|call|choice|thanks|what"
    r"|just|i|we|always|every|time|again|stay|with|format|style|approach|length|in|future|to|me|for|works"
    r"|best|really|very|so|much|such|continue|spot|on|them|they|here|one|ok|okay|prefer|stick|needed"
    r"|wanted)\b",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"\b(?:should|shall|want me to|do you want|would you like|can|could|may|i can|i could"
    r"|happy to)\b[^.?!\n]*\b(?:always|from now on|going forward|in (?:the )?future|every time|by default"
    r"|remember|each time|whenever|every \w+)\b[^.!\n]*\?",
    re.IGNORECASE,
)
_YES = re.compile(
    r"\W*(?:yes|yeah|yep|yup|sure|please do|ok(?:ay)?|sounds good|do that|exactly|correct|absolutely"
    r"|definitely|of course|that would be great|go for it|ja\b|gerne|oui|sí|si,|claro|好|是的"
    r"|对)(?!\s*[,.]?\s*(?:but|no|not|just this|only this))",
    re.IGNORECASE,
)
