"""Passwords and codes that are plain words, as people give them: "the wifi password is sunflower"."""

import re

__all__ = ["gives_password", "names_password"]


def gives_password(text: str) -> bool:
    """Whether a text gives a password in plain words; one that only speaks about passwords does not."""
    if _SPELLED.search(text) and _CODE.search(text):
        return True
    return any(pattern.search(text) for pattern in _GIVEN)


def names_password(text: str) -> bool:
    """Whether a text ends with the name of a password: what follows it is the password."""
    return _NAMED_LAST.search(text) is not None


# Each list is one of whole words: "stored" is no password, "stored-energy" and "storeds" may be one.
_WHOLE = r"(?![\w$@#%^&*+=~-])"
_ABOUT = (
    r"(?:polic(?:y|ies)|resets?|managers?|fields?|hash(?:es|ing|ed)?|hashers?|prompts?|forms?|inputs?|box(?:es)?"
    r"|pages?|screens?|rules?|length|lengths|strength|expiry|expiration|rotations?|generators?|generation"
    r"|changes?|recovery|stor(?:e|es|age)|vaults?|files?|requirements?|protect(?:ed|ion)|auth(?:entication)?"
    r"|based|less|complexity|history|attempts?|checks?|checkers?|validat(?:ion|ors?)|columns?|tables?"
    r"|variables?|parameters?|arguments?|options?|flags?|settings?|sharing|encryption|encrypted|security"
    r"|hygiene|handling|updates?|links?|e?-?mails?|dialogs?|widgets?|entr(?:y|ies)|lists?|leaks?|spraying"
    r"|guessing|attacks?|cracking|databases?|db|services?|modules?|functions?|class(?:es)?|tests?|features?"
    r"|flows?|endpoints?|routes?|logic|tokens?|placeholders?|labels?|icons?|toggles?|visibility"
    r"|confirmations?|hints?|questions?|reminders?|salts?|grants?|tickets?|issues?|stor(?:y|ies)|strings?"
    r"|types?|values?|standards?|guidelines?|practices?|audits?|pads?|holders?|reuse|fatigue|lockouts?"
    r"|sync|tools?|plugins?|app|apps|usage|management|blocks?|blocking|terminals?|layouts?|connectors?|log-?ins?|sign-?ins?)"
)
_SMALL = (
    r"(?:in|on|at|by|for|to|of|from|with|without|via|and|or|but|nor|if|when|while|before|after|until|unless"
    r"|because|since|as|than|then|that|which|who|whose|where|what|whatever you|how|why|is|are|was|were|be"
    r"|been|has|have|had|must|should|shall|can|can't|cannot|could|will|won't|would|may|might|does|doesn't|do"
    r"|don't|needs?|gets?|expires?|lives?|lies|sits?|comes?|goes|rotates?|belongs?|contains?|starts?|ends?|works?"
    r"|stays?|isn't|isnt|aren't|wasn't|didn't|hasn't|ever|again|any ?more|any|every|each|all|too|also|once"
    r"|twice|here|there|yet|anywhere|everywhere|somewhere|instead|please|pls|thanks|today|tomorrow|daily"
    r"|weekly|monthly|yearly|quarterly|annually|itself|over|through|into|onto|inside|outside|behind|about"
    r"|against|per|like|so|it|it's|we|you|they|i|he|she|the|a|an|my|your|our|their|his|her|its|this|these"
    r"|those|no|none|something|anything|nothing|between|within|under|above|below|up|out|off|down|using|both"
    r"|half|part|one of|subject to|for ?ever"
    r"|two|three|four|five|six|seven|eight|nine|ten|twelve|sixteen|twenty|el)"
)
_ADVERB = (
    r"(?:not|never|only|always|now|still|also|already|just|really|quite|very|so|too|usually|normally|currently"
    r"|automatically|generally|regularly|typically|often|rarely|soon|probably|supposed to(?: be)?"
    r"|going to(?: be)?|no longer|being|securely|safely|first|then|far|much|more|less|almost|at least"
    r"|apparently|clearly|long)"
)
_DONE = (
    r"(?:stored|kept|saved|held|hashed|salted|encrypted|rotated|reset|changed|sent|mailed|e-?mailed|shared"
    r"|handled|managed|required|needed|expired|expiring|set|generated|checked|validated|verified|entered|asked"
    r"|typed|printed|shown|hidden|masked|logged|written|posted|given|known|used|reused|read|taken|injected"
    r"|passed|provided|created|issued|provisioned|documented|described|listed|found|located|defined|updated"
    r"|revoked|removed|deleted|replaced|compromised|leaked|blocked|locked|forbidden|allowed|enforced|limited"
    r"|disabled|enabled|remembered|forgotten|transmitted|compared|tested|recorded|protected|gone|due|mandated)"
)
_STATE = (
    r"(?:wrong|correct|incorrect|right|weak|strong|short|long|longer|shorter|optional|mandatory|empty|missing"
    r"|invalid|valid|safe|secure|insecure|unsafe|unknown|different|unique|old|new|case-sensitive|personal"
    r"|temporary|easy|hard|important|visible|available|fine|ok|okay|bad|good|broken|ready|better|worse|enough)"
)
# A state goes on with a small word or ends there: "correct horse" is no state.
_NO_VALUE = (
    rf"(?!(?:{_ADVERB}{_WHOLE}\s+)*(?:(?:{_SMALL}|{_DONE}|{_ABOUT}){_WHOLE}"
    rf"|{_STATE}{_WHOLE}(?:\W*\Z|[,;.!?)]|\s+(?:{_SMALL}|{_ADVERB}|{_STATE}){_WHOLE}))"
    rf"|{_ADVERB}{_WHOLE}\W*\Z)"
)
_VALUE = rf"(?:[\"'`\u201c\u201e\u00ab(]\s*\S{{3,}}|{_NO_VALUE}\w\S{{2,}})"
_NOUN = (
    r"(?:\b(?:pass ?word|passwd|pwd|pw|pass ?phrase|pass ?code|passwort|kennwort|mot de passe|contraseña"
    r"|secret word|code ?word|security answer|shared secret|api[ _-]?key|mi clave"
    r"|(?:the|my|our) pass(?= (?:is|was)\b| ?[:=])|(?:door|alarm|gate|safe|garage|entry) code"
    r"|(?:wi-?fi|wlan|vpn|hotspot|router) (?:pass|key|code)"
    r"|(?:my|our|his|her|their) (?:[\w-]+ )?pin)|(?-i:\bPIN)(?: code| number)?)\b"
    rf"(?![ -]{_ABOUT}{_WHOLE})"
)
_SEVERAL = r"\b(?:pass ?words|passphrases|passcodes|(?-i:PINs))\b(?=[^.:\n]{0,40}?\bare\b)"
_NOUNS = rf"(?:{_NOUN}|{_SEVERAL})"
_IS = (
    r"(?:(?:\b(?:is|are|was|ist|lautet|es|est|equals|reads|became|remains|stays"
    r"|(?:will|should|shall|must|would|going to) be)\b|'s\b|[:=]|->|\u2192)"
    r"(?:\s*:|\s+(?:now|still|currently|set to|changed to|going to be|simply|just|again|called|probably"
    r"|literally|actually|always|only|the word|the name|the same:))*)"
)
_GAP = r"(?:(?!\b(?:is|are|was|ist|lautet|est)\b)[^.\n:=])"
_END = r"[\"'`\u201d)]*(?:\W*\Z|(?=[,;.!?]?\s+(?:for|on|of|to|at|in|and|please|pls|für|pour)\b)|(?=[,;.!?]))"


def _patterns(*texts: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(text, re.IGNORECASE) for text in texts)


_GIVEN = _patterns(
    # the password for the vpn is sunflower; password: sunflower
    rf"{_NOUNS}{_GAP}{{0,60}}?\s*{_IS}\s*{_VALUE}",
    # my password is easy to remember: sunflower
    rf"{_NOUN}[^.\n]{{0,60}}?[:=]\s*{_NO_VALUE}[^\s:=]{{3,}}\W*\Z",
    # password sunflower; the password, sunflower
    rf"(?<!\bno )(?<!\bper ){_NOUN}\s+{_VALUE}",
    rf"{_NOUN},\s+(?:(?:it'?s|it is|namely|which is|i\.e\.)\s+{_VALUE}|{_NO_VALUE}\w\S{{2,}}\W*\Z)",
    rf"{_NOUN}\?\s*{_NO_VALUE}\w\S{{2,}}\W*\Z",
    # set the password to sunflower
    rf"\b(?:set|chang\w+|reset\w*|updat\w+)\b[^.\n]{{0,30}}?{_NOUN}[^.\n]{{0,30}}?\b(?:to|as)\s+{_NO_VALUE}\w\S{{2,}}{_END}",
    # use sunflower as the password; sunflower is my wifi password
    rf"(?<!never )(?<!not )(?<!n't )\b(?:use|with|type|enter|try|choose|pick|remember|note|save|keep)\s+"
    rf"[\"'`]?{_NO_VALUE}\S{{3,}}\s+as\s+(?:(?:the|my|our|your|its|a)\s+)?(?:[\w-]+ ){{0,2}}?{_NOUN}",
    rf"(?:^|\bthat\s+|[:,]\s*|\b(?:remember|note|memorize)\s+)[\"'`]?{_NO_VALUE}(?!passwords?\b|every\w+\b"
    rf"|someone\b|security\b)[^\s,:]{{3,}}\s+is\s+(?:the|my|our)\s+(?:[\w-]+ ){{0,3}}?{_NOUN}{_END}",
    # the pin is 12 34
    r"\b(?:pin|pass ?code|pass ?word|combination)\b[^.\n]{0,40}?\b(?:\d[ -]?){4,8}\b",
    # user admin pass letmein; login: admin / letmein
    r"\buser(?:name)?\W{1,2}\S+?,?\s+(?:and )?pass\b\W{1,2}\w{3,}",
    r"\b(?:log-?in|creds|credentials)\b[^.\n]{0,40}?(?:\bis\b|\bare\b|[:=])\s*"
    r"(?:[\w-]+ ?/ ?|[\w.@+-]+ / )[^\s./]{3,}(?![\w./])",
    r"(?<![\w./])[\w-]+ ?/ ?[\w-]{3,} (?:is|are) (?:the|my|our) (?:[\w-]+ )?(?:log-?in|creds|credentials)\b",
    rf"\blog ?in as [\w.@-]+ (?:with|and|using) (?!(?:sso|okta|oauth|saml|google|github|ssh|ldap|mfa)\b)"
    rf"{_NO_VALUE}\w\S{{2,}}\W*\Z",
)
_SPELLED = re.compile(
    r"\b(?:(?:zero|oh|null|one|two|three|four|five|six|seven|eight|nine|double|triple|left|right)\b[\s,-]*){3,}",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\b(?:pin|pass ?words?|pwd|pass ?phrase|pass ?code|codes?|combination|combo|cvv|otp)\b", re.IGNORECASE
)
_NAMED_LAST = re.compile(rf"{_NOUN}(?:\s+(?:for|of|to|on|at)\s+[^.\n,;:]{{1,40}}?)?\W*\Z", re.IGNORECASE)
