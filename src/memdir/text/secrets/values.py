"""Tell the value of a credential from a placeholder, a path, a word or a piece of code."""

import re
from binascii import Error as Base64Error
from binascii import a2b_base64
from collections import Counter
from math import log2

__all__ = ["hides_a_login", "is_live", "is_mixed_token", "is_password", "is_token", "is_url_password"]

MIN_PASSWORD = 6
"""Shorter values are rather numbers and words than passwords that anyone still uses."""
MIN_LOOSE_PASSWORD = 7
"""Without quotes or a tight `=` the value may be prose, so one character more is asked for."""
MIN_TOKEN = 16
"""No vendor issues shorter machine-made tokens; shorter strings are versions, ids and names."""
MIN_ENTROPY = 3.0
"""Bits per character: random hexadecimal of 32 characters has about 3.6, repeated fillers under 2.5."""
MIN_NOISE = 10
"""Letters from which on their cases tell a random password from a word."""
MIN_DISTINCT = 7
"""Different characters in the last 24 of an issued token; random ones have over ten."""


def is_live(value: str) -> bool:
    """Whether a string of an issued token's shape could be a real one, not the `xxxx` of a manual."""
    if len(set(value[-24:])) < MIN_DISTINCT or _STAND_INS.search(value):
        return False
    return not value.islower() or value.count("-") < 3 or not _is_compound(value)


def is_password(value: str, *, firm: bool) -> bool:
    """Whether a value set as a password is one; `firm` means quoted or tightly assigned, so not prose."""
    value = value.rstrip(_PUNCTUATION)
    if firm and _PASSPHRASE.fullmatch(value) and not _TELLING.search(value):
        return True  # some words joined for want of anything else, none of which tells where to look
    has_digit = _DIGIT.search(value) is not None
    if not has_digit and not (firm and (_INNER_SYMBOL.search(value) or _is_noise(value))):
        return False
    if len(value) < (MIN_PASSWORD if firm else MIN_LOOSE_PASSWORD) or not _LETTER.search(value):
        return False
    if _is_no_value(value) or _PROSE_COUNT.match(value) or _is_base64_of_a_word(value):
        return False
    return not _is_compound(value) or (firm and has_digit and "-" in value)


def is_token(value: str, *, uuid_counts: bool = False) -> bool:
    """Whether a value set as a token or key is machine-made: long, mixed and without words."""
    value = value.rstrip(_PUNCTUATION)
    if len(value) < MIN_TOKEN or not _LETTER.search(value) or not _DIGIT.search(value):
        return False
    if _is_no_value(value) or _is_compound(value) or _is_identifier(value) or _is_base64_of_a_word(value):
        return False
    if _UUID.fullmatch(value) and not uuid_counts:
        return False
    shares = [count / len(value) for count in Counter(value).values()]
    return -sum(share * log2(share) for share in shares) >= MIN_ENTROPY


def is_mixed_token(value: str) -> bool:
    """Whether a value that nothing sets can only be a token: machine-made and in both cases."""
    return is_token(value) and _is_noise(value)


def is_url_password(value: str) -> bool:
    """Whether the part between `:` and `@` of an address is more than a stand-in."""
    return len(value) > 3 and not _STAND_IN.match(value) and not _is_no_value(value)


def hides_a_login(value: str) -> bool:
    """Whether base64 text decodes to `user:password`."""
    user, colon, password = _decode(value).partition(":")
    return bool(user and colon) and user.isprintable() and is_url_password(password)


_LETTER = re.compile(r"[A-Za-z]")
_DIGIT = re.compile(r"[0-9]")
_INNER_SYMBOL = re.compile(r"[A-Za-z][^\w\s./:|,=-]+[A-Za-z]")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_PROSE_COUNT = re.compile(r"\d{1,5}[-_ ]?[a-z]+\Z|v[\d.]+\Z")  # 12-char, 30days, v2
_PUNCTUATION = ".,;:"
"""What ends a sentence rather than a value."""
# In one case only, and four of one letter only where they begin or end: random characters spell `xXXx` and
# `xxxx` now and then, people who fill a gap write more of them.
_FILLER = (
    r"example|EXAMPLE|(?<![A-Za-z0-9])(?:xxxx|XXXX)|(?:xxxx|XXXX)(?![A-Za-z0-9])|x{6}|X{6}|placeholder|PLACEHOLDER|redacted|REDACTED|change.?me|CHANGE.?ME|your[-_a-z]{2}"
    r"|YOUR[-_]|\.\.\.|…|\*\*\*|0{8}"
)
_STAND_INS = re.compile(_FILLER)
# A row of keys stands in where a value is set; behind the letters of a vendor it may be a token.
_STAND_INS_AND_ROWS = re.compile(rf"{_FILLER}|abcdefgh|ABCDEFGH|1234567890")
_FILLER_WORD = re.compile(
    r"(?<![a-z0-9])(?:dummy|fake|foo|foobar|bar|baz|insert|mock|my|none|null|replace|sample|secret|tbd|todo"
    r"|undefined|your)(?![a-z0-9+])",
    re.IGNORECASE,
)
_STAND_IN = re.compile(
    r"(?:pass|password|passwd|passwort|pwd|secret|token|user|username|root|admin|guest|test|testing|postgres|mysql"
    r"|mongo|rabbitmq|minio|redis|default|development|local|api[_-]?key|x-oauth-basic)\Z",
    re.IGNORECASE,
)
# Words with digits that describe a credential rather than being one.
_TERM = re.compile(
    r"(?:sha|md|rsa|aes|hs|rs|es|ps|hmac|blake|chacha|ed|curve|secp|x|p|base|utf|oauth|argon|pbkdf|scrypt|ipv|saml|"
    r"http|tls|ssl|ec|s|v|h|k|i|l|n|node|python|py|java|id|ntlmv|web|rot|crc|win|amd|arm|us|eu)\d{1,6}[a-z]{0,3}"
    r"|\d{1,5}(?:fa|bits?|bytes?|chars?|days?|min|h|d|s|x|k|m|st|nd|rd|th)|[a-z]{0,2}\d{1,2}[a-z]{1,2}",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]+|[A-Z]+|[A-Z][a-z]+|[a-z]+(?:[A-Z][a-z]+)+|(?:[A-Z][a-z]+){2,4}|\d{1,4}")
_NAME = re.compile(r"(?:[A-Z]?[a-z]{3,}+|[A-Z]{2,}+|[A-Z](?=\d)|\d{1,5}+|[-_.|/])++")
_REFERENCE = re.compile(
    r"\$\w*\Z|\$[({]|%\w+%\Z|[{\[(<]|![A-Z]\w+\Z|!vault|[*&]\w+\Z|@\w+\Z"  # $X ${x} %X% {{x}} <x> !Ref *alias
    r"|(?:os|process|import\.meta|deno|std|system)\.|env[.:(\[]|secrets?[./]|vault:|arn:|ref\+|file:|sops"
    r"|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\(|\[|\.\Z)"  # get_secret( and config["x"]
    r"|[A-Za-z_]+(?:\.[A-Za-z_]+)+\Z",  # settings.password
    re.IGNORECASE,
)
# Words with a vowel each, and short forms in capitals, as in `getUserByIdOrNull` and `parseXMLFile`.
_CAMEL_CASE = re.compile(
    r"(?:[AEIOUY][a-z]++|[A-Z]?(?=[a-z]*[aeiouy])[a-z]++|[A-Z]{2,5}(?=[A-Z][a-z]|\Z)|[A-Z]\Z)*+"
)
_PASSPHRASE = re.compile(r"[a-z]{3,12}(?:[-_.][a-z]{3,12}){2,7}")
_TELLING = re.compile(
    r"(?<![a-z])(?:pass\w*|secret|token|keys?|auth\w*|credentials?|vault|login|user|admin|default|example|change|your|the"
    r"|not|set|see|stored|kept|read|from|use|ask|managed|here|env|file|prompt|none|empty|same|plain|text|string|value"
    r"|required|optional|hash\w*|rotat\w+|policy|settings?|config\w*|self|this|data|input|form|field|args?|request|prod"
    r"|staging|test|dev|local|encrypted|hidden|masked|removed|reset|min|max|length|and|for|with|only)(?![a-z])"
)
_PATH = re.compile(
    r"(?:~|\.{1,2})?/(?:[\w.@-]{1,24}/)*[\w.@-]{0,32}\Z|[A-Za-z]:\\|(?:[a-z0-9_.-]{1,20}/){2}[\w.#-]*\Z"
)
_FILE = re.compile(
    r"\.(?:pem|key|crt|txt|json|ya?ml|toml|env|md|py|ts|js|go|rs|sh|html?|cfg|ini|conf|pub|lock|gpg|asc)\Z"
)


def _is_no_value(value: str) -> bool:
    """Whether this names, points at or stands for a value instead of being one."""
    if value.count("=", 0, -2) > 3 or value.count(":") > 6:  # a chain of settings
        return True
    if (
        len(set(value)) < 4
        or "[secret:" in value
        or "://" in value
        or value.startswith("//")
        or "}" in value
        or "%s" in value
    ):
        return True
    if (
        _STAND_INS_AND_ROWS.search(value)
        or _REFERENCE.match(value)
        or _PATH.match(value)
        or _FILE.search(value)
    ):
        return True
    return _FILLER_WORD.search(value) is not None


def _is_compound(value: str) -> bool:
    """Whether this is words, numbers and technical terms joined by punctuation, like `sha256-hashed`."""
    parts = [part for part in re.split(r"[-_./|:,+=()]+", value) if part]
    return all(_WORD.fullmatch(part) or _TERM.fullmatch(part) for part in parts)


def _is_noise(value: str) -> bool:
    """Whether letters change their case as no word and no name of a program does."""
    letters = re.sub(r"[^A-Za-z]+", "", value)
    if len(letters) < MIN_NOISE or letters.islower() or letters.isupper():
        return False
    return (
        _CAMEL_CASE.fullmatch(letters) is None and len(re.findall(r"[a-z][A-Z]|[A-Z]{2}[a-z]", letters)) > 2
    )


def _is_identifier(value: str) -> bool:
    """Whether this is a name from a program, like `oauth2ClientSecret`: words with a number or two in it."""
    return _NAME.fullmatch(value) is not None and len(re.findall(r"\d+", value)) <= 2


def _is_base64_of_a_word(value: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z ]{3,20}", _decode(value)))


def _decode(value: str) -> str:
    try:
        return a2b_base64(value + "=" * (-len(value) % 4), strict_mode=True).decode("ascii")
    except (Base64Error, ValueError):
        return ""
