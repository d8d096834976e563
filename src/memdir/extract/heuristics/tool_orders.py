"""Results of tools that tell their reader what to do or to remember: never followed, and said to be so."""

import re

__all__ = ["instructs"]

LOOKED_AT = 16_000
"""Characters of a result that are looked at."""


def instructs(result: str) -> bool:
    """Whether what a tool gave back speaks to its reader."""
    return _INSTRUCTS.search(result[:LOOKED_AT]) is not None


_INSTRUCTS = re.compile(
    r"\b(?:please )?remember(?: that| this|:)|\bfrom now on\b|\bgoing forward,|\bmemori[sz]e (?:this|that)\b"
    r"|\b(?:ignore|disregard|forget) (?:all |any |the |your |these )*(?:previous|prior|above|earlier|other"
    r"|system)(?: \w+)? (?:instructions?|rules?|messages?|prompts?)"
    r"|\b(?:save|store|add|write|put) (?:this |that |it |the following )?(?:to|in|into) (?:your |the "
    r"|long-term )*memory\b|\byou (?:must|should) (?:always|never|now)\b|\b(?:the )?user (?:always )?"
    r"(?:prefers|wants you)\b|^\W*(?:always|never) [a-z]{3,} (?!-)",
    re.IGNORECASE | re.MULTILINE,
)
