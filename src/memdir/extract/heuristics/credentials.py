"""Passwords, keys and codes in the many forms in which people mention them."""

import re

from memdir.extract.heuristics.own_words import Sentence
from memdir.extract.heuristics.passwords import gives_password, names_password
from memdir.text.secrets.search import find_secrets

__all__ = ["CREDENTIAL", "gives_credential", "holds_credential", "without_credentials"]

CREDENTIAL = "it holds what looks like a credential"
"""Why something is left out that holds one."""


def holds_credential(text: str) -> bool:
    """Whether a text holds a password, a key or an address with one; people give them in many forms."""
    plain = _HARMLESS.sub(" ", text)
    return bool(
        _CREDENTIAL.search(plain)
        or gives_password(plain)
        or (_CREDENTIAL_WORD.search(plain) and _VALUE.search(plain))
        or find_secrets(text)
    )


def gives_credential(sentence: Sentence, reply_to: str = "") -> bool:
    """Whether a sentence holds a credential, alone or with the one beside it that names it."""
    if holds_credential(sentence.text):
        return True
    if names_password(sentence.text) and _is_password(sentence.after):
        return True
    return names_password(sentence.before or reply_to[-_QUESTION:]) and _is_password(sentence.text)


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
