"""Tell the value of a credential from a placeholder, a path, a word or a piece of code."""

from __future__ import annotations

import re
from binascii import Error as Base64Error
from binascii import a2b_base64
from collections import Counter
from math import log2

from memdir.resources import patterns_of, read_table

__all__ = ["hides_a_login", "is_live", "is_mixed_token", "is_password", "is_token", "is_url_password"]

_P = patterns_of(read_table(__file__, "values.txt")["patterns"])
_LETTER, _DIGIT = re.compile(r"[A-Za-z]"), re.compile(r"[0-9]")
_PUNCTUATION = ".,;:"
"""What ends a sentence rather than a value."""

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
    if len(set(value[-24:])) < MIN_DISTINCT or re.search(_P["filler"], value):
        return False
    return not value.islower() or value.count("-") < 3 or not _is_compound(value)


def is_password(value: str, *, firm: bool) -> bool:
    """Whether a value set as a password is one; `firm` means quoted or tightly assigned, so not prose."""
    value = value.rstrip(_PUNCTUATION)
    if firm and re.fullmatch(_P["passphrase"], value) and not re.search(_P["telling"], value):
        return True  # some words joined for want of anything else, none of which tells where to look
    has_digit = _DIGIT.search(value) is not None
    if not has_digit and not (firm and (re.search(_P["inner-symbol"], value) or _is_noise(value))):
        return False
    if len(value) < (MIN_PASSWORD if firm else MIN_LOOSE_PASSWORD) or not _LETTER.search(value):
        return False
    if _is_no_value(value) or re.match(_P["prose-count"], value) or _is_base64_of_a_word(value):
        return False
    return not _is_compound(value) or (firm and has_digit and "-" in value)


def is_token(value: str, *, uuid_counts: bool = False) -> bool:
    """Whether a value set as a token or key is machine-made: long, mixed and without words."""
    value = value.rstrip(_PUNCTUATION)
    if len(value) < MIN_TOKEN or not _LETTER.search(value) or not _DIGIT.search(value):
        return False
    if _is_no_value(value) or _is_compound(value) or _is_identifier(value) or _is_base64_of_a_word(value):
        return False
    if re.fullmatch(_P["uuid"], value) and not uuid_counts:
        return False
    shares = [count / len(value) for count in Counter(value).values()]
    return -sum(share * log2(share) for share in shares) >= MIN_ENTROPY


def is_mixed_token(value: str) -> bool:
    """Whether a value that nothing sets can only be a token: machine-made and in both cases."""
    return is_token(value) and _is_noise(value)


def is_url_password(value: str) -> bool:
    """Whether the part between `:` and `@` of an address is more than a stand-in."""
    return len(value) > 3 and not re.match(_P["stand-in"], value) and not _is_no_value(value)


def hides_a_login(value: str) -> bool:
    """Whether base64 text decodes to `user:password`."""
    user, colon, password = _decode(value).partition(":")
    return bool(user and colon) and user.isprintable() and is_url_password(password)


def _is_no_value(value: str) -> bool:
    """Whether this names, points at or stands for a value instead of being one."""
    if value.count("=", 0, -2) > 3 or value.count(":") > 6:  # a chain of settings
        return True
    if len(set(value)) < 4 or value.startswith("//") or any(part in value for part in _NO_PARTS):
        return True
    return any(re.search(_P[name], value) for name in ("stand-ins-and-rows", "file", "filler-word")) or any(
        re.match(_P[name], value) for name in ("reference", "path")
    )


_NO_PARTS = ("[secret:", "://", "}", "%s")


def _is_compound(value: str) -> bool:
    """Whether this is words, numbers and technical terms joined by punctuation, like `sha256-hashed`."""
    parts = [part for part in re.split(r"[-_./|:,+=()]+", value) if part]
    return all(re.fullmatch(_P["word"], part) or re.fullmatch(_P["term"], part) for part in parts)


def _is_noise(value: str) -> bool:
    """Whether letters change their case as no word and no name of a program does."""
    letters = re.sub(r"[^A-Za-z]+", "", value)
    if len(letters) < MIN_NOISE or letters.islower() or letters.isupper():
        return False
    return (
        re.fullmatch(_P["camel-case"], letters) is None
        and len(re.findall(r"[a-z][A-Z]|[A-Z]{2}[a-z]", letters)) > 2
    )


def _is_identifier(value: str) -> bool:
    """Whether this is a name from a program, like `oauth2ClientSecret`: words with a number or two in it."""
    return re.fullmatch(_P["name"], value) is not None and len(re.findall(r"\d+", value)) <= 2


def _is_base64_of_a_word(value: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z ]{3,20}", _decode(value)))


def _decode(value: str) -> str:
    try:
        return a2b_base64(value + "=" * (-len(value) % 4), strict_mode=True).decode("ascii")
    except (Base64Error, ValueError):
        return ""
