"""Text in double quotes that every YAML reader reads back as it was."""

import re

__all__ = ["assignment", "quoted"]


def quoted(value: str) -> str:
    """Return the value in double quotes, with everything escaped that some YAML reader would change."""
    return f'"{re.sub(_UNSAFE, _escaped, value)}"'


def assignment(key: str, value: str, newline: str = "\n") -> str:
    """Return one line of a header; a key that is not just a word to every YAML reader is quoted too."""
    plain = re.match(_WORD, key) and key.lower() not in _NO_WORDS
    return f"{key if plain else quoted(key)}: {quoted(value)}{newline}"


# Patterns stay text until the first header is written: a process that only reads does not compile them.
# Pairs come first: two halves of one character are that character, not two broken ones. U+FFFE and U+FFFF are
# not printable to YAML, so they cannot stand literally either.
_UNSAFE = r'[\ud800-\udbff][\udc00-\udfff]|["\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]'
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
_NO_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_WORD = r"[A-Za-z_][A-Za-z0-9_-]*\Z"


def _escaped(found: re.Match[str]) -> str:
    text = found[0]
    if len(text) == 2:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    code = ord(text)
    return _SHORT.get(text) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")
