"""Backslash signs inside `$'…'`, `echo -e` and `printf`."""

import re

__all__ = ["unescaped"]


def unescaped(text: str) -> str:
    """Return the text with its backslash signs replaced, as in `$'…'` and `echo -e`."""
    return re.sub(_ESCAPE, _meant, text)


def _meant(found: re.Match[str]) -> str:
    code = found[1]
    if code[0] in "xuU":
        number = int(code[1:] or "0", 16)
        return chr(number) if 0 < number < 0x110000 else ""
    if code[0] in "01234567":
        return chr(int(code, 8) & 255) if int(code, 8) & 255 else ""
    return _SHORT.get(code, code)


_ESCAPE = r"(?s)\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|c.|.)"
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "a": "", "b": "", "e": "", "E": "", "f": "", "v": ""}
