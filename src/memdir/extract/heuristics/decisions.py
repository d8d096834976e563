"""Sentences that tell what a group settled on, or for which reason something is as it is."""

import re

__all__ = ["has_reason", "is_decision"]


def is_decision(bare: str) -> bool:
    """Whether a sentence tells what a group settled on, or for which reason something is being changed."""
    if _CODE_THING.search(bare):
        return False
    settled = _SETTLED.search(bare) is not None
    return settled or (_DONE_FOR_REASON.search(bare) is not None and has_reason(bare))


def has_reason(bare: str) -> bool:
    """Whether a sentence gives a reason."""
    return _REASON.search(bare) is not None


_GROUP = (
    r"(?:we|we've|we're|we'll|they|they've|they're|management|leadership|legal|compliance|security"
    r"|product|marketing|finance|sales|ops|procurement|everyone|everybody|nobody|the (?:\w+ ){0,2}(?:team"
    r"|board|group|council|committee|client|customer|company|architects?|boss|management|leads?|lab"
    r"|hospital|city|school|university|maintainers|partners|founders|owner|department|office)"
    r"|our (?:\w+ ){0,2}(?:team|board|group|client|customer|lead|boss|architects?|cto|ceo|pm|partners"
    r"|department|designers?|lawyers?)|my (?:boss|manager|team|client|advisor|supervisor))"
)
_ANYONE = r"(?:the|our|my|all) (?:[\w'-]+ ){0,3}?[\w'-]+"
_SETTLED = re.compile(
    rf"\b{_ANYONE} (?:(?:have|has|all|just|finally|already|unanimously) )*(?:decided|agreed|voted|chose"
    rf"|settled on|opted|insisted|vetoed|ruled|picked(?! up))\b|\b{_GROUP} (?:\w+ )?(?:told|asked|ordered"
    r"|forced|forbade"
    r"|forbids?|requires?|made) (?:us|everyone|me|all)\b|^(?:the )?reason (?:for|behind|why)\b"
    r"|\bwe (?:\w+ )?went for\b|^(?:so |ok |and |we )*(?:went|going|gone|decided|settled) (?:with|for|on"
    r"|to|against) (?!(?:that|this|it|option)\b)[^.]*\b(?:because|since|as|so that|due to)\b"
    r"|\bby decision of\b|\b(?:been|was|were|is) (?:decided|settled|agreed)\b|\bno \w+ for us\b|"
    rf"\b{_GROUP}\s(?:(?:have|has|had|all|both|just|finally|already|now|then|eventually|officially"
    r"|basically|also)\s)*(?:decided|agreed|chose|chosen|settled|opted|voted|committed to|ruled out"
    r"|standardi[sz]ed|banned|vetoed|approved|signed off|picked|went with|gone with|concluded|resolved to"
    r"|turned down)\b"
    rf"|\b(?:it was|it's been|was|were|been|has been) (?:decided|agreed|settled)\b(?!\?)"
    rf"|\b(?:the|our|final) decision (?:is|was|to|on)\b"
    rf"|^\W*(?:decision|decided|agreed)\b[:,\s]"
    rf"|\bdecision:\s"
    r"|\bwe(?:'re| are|re) (?:going|sticking|staying|moving|switching|standardi[sz]ing|settling) (?:with"
    r"|to|on|away from|off|for|over to) (?!(?:this|that|it|option|plan|the (?:first|second))\b)",
    re.IGNORECASE,
)
_DONE_FOR_REASON = re.compile(
    rf"\b{_GROUP}\s(?:(?:have|has|had|all|both|just|finally|already|now|then|recently|deliberately"
    r"|intentionally|purposely|are|will|are going to|had to)\s)*(?:dropped|dropping|drop|ditched|ditching"
    r"|abandoned|rejected|switched|switching|migrated|migrating|replaced|replacing|moved|moving|kept"
    r"|keeping|keep|stay|stayed|staying|paused|pausing|stopped|stopping|froze|postponed|delayed|canceled"
    r"|cancelled|skip(?:ped)?|avoid(?:ed|ing)?|don't use|do not use|won't use|use|self-host|host"
    r"|outsource[ds]?|split|merged|insist(?:ed|s)?|wants?|require[sd]?|need(?:s|ed)?|can't|cannot|must"
    r"|pay|limit(?:ed)?|support|only support)\b"
    r"|\b(?:is|are|was|were|gets|got) (?:being |going to be |deliberately |intentionally )?(?:rewritten"
    r"|replaced|removed|moved|migrated|dropped|deprecated|paused|postponed|delayed|frozen|cancell?ed"
    r"|split|kept|phased out|shut down|sunset|outsourced|rebuilt|redesigned|cut|killed|scrapped"
    r"|introduced|chosen|banned|required|built|picked|designed|disabled|switched off|turned off|driven"
    r"|on hold|limited|capped)\b|\b(?:stays?|remains?) (?!(?:here|there|tuned)\b)\w+"
    r"|\b(?:ok(?:ay)?|alright|right|so|then|yes)?,? ?let'?s (?:go with|stick with|stay with|use"
    r"|standardi[sz]e on|drop) (?!(?:this|that|it|option|plan|the (?:first|second|other))\b)"
    r"|\bthe reason (?:we|why|for|that|behind|the|our|it|they|there)\b|^(?:so "
    r"|ok )*no \w[\w ]{1,30},? (?:because|since|bc)\b|\b(?:on purpose|deliberately|intentionally)\b"
    rf"|\bthat'?s why we\b",
    re.IGNORECASE,
)
_CODE_THING = re.compile(
    r"\b(?:the|this|that|a) (?:\w+ )?(?:tests?|build|deploy(?:ment)?|commit|query|request|loop|function"
    r"|variable|method|regex|line|if|import|param(?:eter)?|argument|getter|setter|constructor|helper"
    r"|decorator|css class|div|selector|assertion|null check|type hint|exception)\b|\w\(\)",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|becuase|becasue|bcs?|cuz|coz|cause|since(?! (?:\d|last|yesterday|this|then|monday"
    r"|tuesday|wednesday|thursday|friday|january|we started))|due to|so that|so (?:we|no|nobody|the|that"
    r"|it|they)|reasons?|otherwise|given that|thanks to|which is why|that'?s why|in order to|to (?:avoid"
    r"|keep|save|comply|prevent|cut|reduce|stay|make sure|meet)|after (?:the|a|an|we|legal|last)"
    r"|as (?:the|we|they|our|nobody|it) |for (?:\w+ )?(?:reasons|compliance|legal|privacy|security|cost"
    r"|licensing)|weil|denn|parce que|car|porque|ya que)\b|因为|由于|为了",
    re.IGNORECASE,
)
