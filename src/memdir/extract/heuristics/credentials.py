"""Passwords, keys and codes in the many forms in which people mention them."""

import re

from memdir.extract.heuristics.own_words import Sentence
from memdir.text.secrets.search import find_secrets

__all__ = ["CREDENTIAL", "gives_credential", "holds_credential", "without_credentials"]

CREDENTIAL = "it holds what looks like a credential"
"""Why something is left out that holds one."""


def holds_credential(text: str) -> bool:
    """Whether a text holds a password, a key or an address with one; people give them in many forms."""
    plain = _HARMLESS.sub(" ", text)
    return bool(
        _CREDENTIAL.search(plain)
        or (_SPELLED.search(plain) and _CODE.search(plain))
        or any(pattern.search(plain) for pattern in _GIVEN)
        or (_CREDENTIAL_WORD.search(plain) and _VALUE.search(plain))
        or find_secrets(text)
    )


def gives_credential(sentence: Sentence, reply_to: str = "") -> bool:
    """Whether a sentence holds a credential, alone or with the one beside it that names it."""
    if holds_credential(sentence.text):
        return True
    if _NAMED_LAST.search(sentence.text) and _is_password(sentence.after):
        return True
    before = sentence.before or reply_to[-_QUESTION:]
    return _NAMED_LAST.search(before) is not None and _is_password(sentence.text)


def without_credentials(text: str) -> str:
    """Return a text without the sentences that hold a credential; a line of nothing else goes whole."""
    lines = [_sentences_kept(line) for line in text.split("\n")]
    return "\n".join(line for line in lines if line is not None)


def _sentences_kept(line: str) -> str | None:
    mark = _BULLET.match(line)
    start = mark.end() if mark else 0
    parts = _pieces(line[start:])
    left = [part for part in parts if not holds_credential(part)]
    if len(left) == len(parts):
        return line
    return f"{line[:start]}{' '.join(left)}" if any(map(_WORD.search, left)) else None


def _pieces(line: str) -> list[str]:
    """Return a line in sentences; a long one in pieces, since a search takes the square of its length."""
    return [
        piece.strip()
        for sentence in _SENTENCE_END.split(line)
        for piece in ([sentence] if len(sentence) <= _LONGEST else _PIECE.findall(sentence))
    ]


def _is_password(answer: str) -> bool:
    """Whether a text is a password if one was asked for."""
    clause = re.split(r"[,;]\s", _IT_IS.sub("", answer), maxsplit=1)[0]
    return bool(clause) and holds_credential(f"password: {clause}")


_QUESTION = 200
"""Characters at the end of a reply among which a question is looked for."""
_IT_IS = re.compile(r"^(?:remember:?|it'?s|it is|its)\s+", re.IGNORECASE)


_LONGEST = 400
_PIECE = re.compile(rf".{{1,{_LONGEST}}}(?:\s+|\Z)|\S{{1,{_LONGEST}}}")
_WORD = re.compile(r"\w")
_BULLET = re.compile(r"\s*(?:[-*+\u2022]|\d{1,2}[.)])\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


# Dates, times, addresses and names of methods hold digits too, and are no secret.
_HARMLESS = re.compile(
    r"\bhttps?://(?![^\s/]*@)\S+|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}:\d\d\b|\b\d+(?:st|nd|rd|th|k|am|pm|px|ms"
    r"|gb|mb)\b|(?<![\w-])(?:19|20)\d\d(?![\w-])"
    r"|\b(?:argon2(?:id|i|d)?|pbkdf2|sha-?\d{1,3}|md5|base64|oauth ?2(?:\.0)?|utf-?8|ed25519|aes-?\d{3}"
    r"|rfc ?\d{3,4}|fido2|1password|nist [\d-]+)(?![\w-])",
    re.IGNORECASE,
)
_CREDENTIAL_WORD = re.compile(
    r"\b(?:pass ?words?|passwd|pwd|pass ?phrases?|pass ?codes?|pin|api[ _-]?keys?|secrets?|(?:access"
    r"|signing|private|encryption|licen[cs]e|ssh|deploy|recovery|master|admin) (?:keys?|codes?)|tokens?"
    r"|credentials?|log-?ins?|otp|2fa|cvv|cookies?|bearer|session id|card number|combination"
    r"|iban|kennwort|passwort"
    r"|zugangsdaten|mot de passe|identifiants?|contraseña|clave)\b|密码|口令|密钥",
    re.IGNORECASE,
)
_VALUE = re.compile(r"(?<!\S)[\"'`(]?(?=\S*\d)(?=\S*[A-Za-z!#$%^&*_+=-])\S{5,}|\b\d{4,}\b|\S+=\S{8,}")
_CREDENTIAL = re.compile(
    r"\b(?=[A-Za-z0-9]*[A-Za-z])(?=[A-Za-z0-9]*\d[A-Za-z0-9]*\d)[A-Za-z0-9]{18,}\b"
    r"|\b(?-i:(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{16,})\b|"
    r"(?:^|\s)-p(?=\S*[\d!])\S{4,}|--?pass(?:word|wd)?[= ]\S{4,}"
    r"|(?<![\w/:.])(?-i:(?=\S*[a-z])(?=\S*[A-Z])(?=\S*\d)(?=\S*[!#$%^&*]))(?!https?:)\S{8,}"
    r"|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{24,}\b|"
    r"\b[\w.-]{3,}(?::| / )(?=\S*\d)(?=\S*[!#$%^&*?])[^\s:/]{6,}|"
    r"\b(?:door|access|entry|gate|alarm|safe|key ?pad|security|lock|unlock|vault|garage|building|sim"
    r"|backup|recovery|verification)[ -](?:code|pin|combination|combo|number)s?\b[^.\n]{0,30}?\b(?:is|are"
    r"|:|=)\s*\S*\d|[A-Z][A-Z0-9_]*(?:SECRET|KEY|TOKEN|PASSW|PWD)[A-Z0-9_]*\s*[=:]\s*\S{6,}|"
    r"\b\w{2,}://[^\s:@/]+:[^\s@/]+@"
    r"|\b(?:pass ?words?|passwd|pwd|pass ?phrase|pass ?code|pin(?: code| number)?|api[ _-]?keys?"
    r"|secret(?:[ _-]?key)?|access[ _-]?(?:key|token|code)|(?:auth|bearer|bot|deploy"
    r"|refresh)?[ _-]?tokens?|credentials?|private key|login|otp|2fa code|cvv|kennwort|passwort"
    r"|zugangscode|mot de passe|contraseña|clave)\b"
    r"[^.\n]{0,60}?(?:\bis\b|\bare\b|\bist\b|\bes\b|\best\b|:|=|\bwith\b|\bto\b)\s*[\"'`]?"
    r"(?!(?:in|on|at|the|an?|not|only|always|never|under|kept|stored|rotated|handled|being|required|managed|now"
    r"|expired?|expires|where)(?![\w$@#%^&*+=!-]))(?=\S*[\d!@#$%^&*_+=-])\S{4,}"
    r"|(?:密码|口令|密钥)[^。\n]{0,10}?(?:是|为|:|\uff1a)\s*[A-Za-z0-9]\S{3,}"
    r"|\b(?:\d[ -]?){13,19}\b|\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}\b|-----BEGIN|\b\d{3}-\d{2}-\d{4}\b",
    re.IGNORECASE,
)


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
_PASSWORD_VALUE = rf"(?:[\"'`\u201c\u201e\u00ab(]\s*\S{{3,}}|{_NO_VALUE}\w\S{{2,}})"
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


_GIVEN_TEXTS = (
    # the password for the vpn is sunflower; password: sunflower
    rf"{_NOUNS}{_GAP}{{0,60}}?\s*{_IS}\s*{_PASSWORD_VALUE}",
    # my password is easy to remember: sunflower
    rf"{_NOUN}[^.\n]{{0,60}}?[:=]\s*{_NO_VALUE}[^\s:=]{{3,}}\W*\Z",
    # password sunflower; the password, sunflower
    rf"(?<!\bno )(?<!\bper ){_NOUN}\s+{_PASSWORD_VALUE}",
    rf"{_NOUN},\s+(?:(?:it'?s|it is|namely|which is|i\.e\.)\s+{_PASSWORD_VALUE}|{_NO_VALUE}\w\S{{2,}}\W*\Z)",
    rf"{_NOUN}\?\s*{_NO_VALUE}\w\S{{2,}}\W*\Z",
    # set the password to sunflower
    rf"\b(?:set|chang\w+|reset\w*|updat\w+)\b[^.\n]{{0,30}}?{_NOUN}[^.\n]{{0,30}}?\b(?:to|as)\s+{_NO_VALUE}\w\S{{2,}}{_END}",
    # use sunflower as the password; sunflower is my wifi password
    (
        rf"(?<!never )(?<!not )(?<!n't )\b(?:use|with|type|enter|try|choose|pick|remember|note|save|keep)\s+"
        rf"[\"'`]?{_NO_VALUE}\S{{3,}}\s+as\s+(?:(?:the|my|our|your|its|a)\s+)?(?:[\w-]+ ){{0,2}}?{_NOUN}"
    ),
    (
        rf"(?:^|\bthat\s+|[:,]\s*|\b(?:remember|note|memorize)\s+)[\"'`]?{_NO_VALUE}(?!passwords?\b|every\w+\b"
        rf"|someone\b|security\b)[^\s,:]{{3,}}\s+is\s+(?:the|my|our)\s+(?:[\w-]+ ){{0,3}}?{_NOUN}{_END}"
    ),
    # the pin is 12 34
    r"\b(?:pin|pass ?code|pass ?word|combination)\b[^.\n]{0,40}?\b(?:\d[ -]?){4,8}\b",
    # user admin pass letmein; login: admin / letmein
    r"\buser(?:name)?\W{1,2}\S+?,?\s+(?:and )?pass\b\W{1,2}\w{3,}",
    (
        r"\b(?:log-?in|creds|credentials)\b[^.\n]{0,40}?(?:\bis\b|\bare\b|[:=])\s*"
        r"(?:[\w-]+ ?/ ?|[\w.@+-]+ / )[^\s./]{3,}(?![\w./])"
    ),
    r"(?<![\w./])[\w-]+ ?/ ?[\w-]{3,} (?:is|are) (?:the|my|our) (?:[\w-]+ )?(?:log-?in|creds|credentials)\b",
    (
        rf"\blog ?in as [\w.@-]+ (?:with|and|using) (?!(?:sso|okta|oauth|saml|google|github|ssh|ldap|mfa)\b)"
        rf"{_NO_VALUE}\w\S{{2,}}\W*\Z"
    ),
)
_GIVEN = tuple(re.compile(text, re.IGNORECASE) for text in _GIVEN_TEXTS)
_SPELLED = re.compile(
    r"\b(?:(?:zero|oh|null|one|two|three|four|five|six|seven|eight|nine|double|triple|left|right)\b[\s,-]*){3,}",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\b(?:pin|pass ?words?|pwd|pass ?phrase|pass ?code|codes?|combination|combo|cvv|otp)\b", re.IGNORECASE
)
# The name of a password ends the text: what follows it is the password.
_NAMED_LAST = re.compile(rf"{_NOUN}(?:\s+(?:for|of|to|on|at)\s+[^.\n,;:]{{1,40}}?)?\W*\Z", re.IGNORECASE)
