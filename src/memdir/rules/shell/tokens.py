"""The signs of a shell text: what parts words and commands, and which words are keywords.

Each is looked for by hand at one place of the text. Expressions would be shorter, but to load them and what
they need takes longer than a hook has for all that it does.

A host waits for this module: it imports late.
"""

__all__ = [
    "ENDS",
    "arithmetic_end",
    "blanks_end",
    "call_end",
    "expansion_end",
    "function_at",
    "ignored_end",
    "keyword_at",
    "name_end",
    "redirection_at",
    "run_end",
    "separator_at",
    "unescape",
]

ENDS = frozenset(" \t\r\n;&|<>()")
"""What ends a word."""

_DIGITS = frozenset("0123456789")
_SMALL = frozenset("abcdefghijklmnopqrstuvwxyz")
_BEGINS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") | _SMALL
_NAMED = _BEGINS | _DIGITS
_SPECIAL_NAMES = _DIGITS | frozenset("@*#?$!-")
_SEPARATORS = ("&&", "||", ";;&", ";;", ";&", ";", "&", "\n")
_REDIRECTIONS = ("<<<", "<<-", "<<", "<&", "<>", ">>", ">&", ">|", "&>>", "&>", "<", ">")
_LONGEST_KEYWORD = len("function")
_IGNORED = frozenset({"then", "elif", "else", "do", "!", "coproc", "time"})


def run_end(text: str, at: int, stops: frozenset[str]) -> int:
    """Return where the first of these signs stands, from a place on; the end of the text without any."""
    length = len(text)
    while at < length and text[at] not in stops:
        at += 1
    return at


def blanks_end(text: str, at: int, blanks: str = " \t\r") -> int:
    """Return where the blanks that begin here end; a line that goes on behind a backslash is one of them."""
    length = len(text)
    while at < length:
        if text[at] in blanks:
            at += 1
        elif "\r" in blanks and text.startswith("\\\n", at):
            at += 2
        else:
            break
    return at


def separator_at(text: str, at: int) -> str:
    """Return the sign between two commands that stands here, or the empty string."""
    if text[at : at + 1] not in (";", "&", "|", "\n") or redirection_at(text, at)[0]:
        return ""
    return next((sign for sign in _SEPARATORS if text.startswith(sign, at)), "")


def redirection_at(text: str, at: int) -> tuple[str, int]:
    """Return the redirection that stands here, without the number or name before it, and where it ends."""
    if text[at : at + 1] == "{":
        end = at + 1
        while text[end : end + 1].isalnum() or text[end : end + 1] == "_":
            end += 1
        at = end + 1 if end > at + 1 and text[end : end + 1] == "}" else at
    else:
        while text[at : at + 1] in _DIGITS:
            at += 1
    if text[at : at + 1] in ("<", ">", "&"):
        for sign in _REDIRECTIONS:
            if text.startswith(sign, at):
                return sign, at + len(sign)
    return "", at


def keyword_at(text: str, at: int) -> str:
    """Return the plain word that stands here, if it could be a keyword."""
    end = at
    if text[at : at + 1] in ("{", "}", "!"):
        end = at + 1
    elif text.startswith("[[", at):
        end = at + 2
    else:
        while end < at + _LONGEST_KEYWORD and text[end : end + 1] in _SMALL:
            end += 1
    return text[at:end] if text[end : end + 1] in ENDS or end == len(text) else ""


def ignored_end(text: str, at: int) -> int:
    """Return where a keyword ends behind which a command begins as if it were not there; 0 for any other."""
    word = keyword_at(text, at)
    if word not in _IGNORED:
        return 0
    end = at + len(word)
    option = blanks_end(text, end, " \t") if word == "time" else end
    if option > end and text.startswith("-p", option):
        end = option + 2 if option + 2 == len(text) or text[option + 2] in ENDS else end
    return end


def call_end(text: str, at: int) -> int:
    """Return where the brackets end that make the word before them a function; 0 without any."""
    at = blanks_end(text, at, " \t")
    end = blanks_end(text, at + 1, " \t")
    return end + 1 if text[at : at + 1] == "(" and text[end : end + 1] == ")" else 0


def function_at(text: str, at: int) -> tuple[str, int] | None:
    """Return the name of a function whose keyword stands here, and where its head ends."""
    keyword_end = at + len("function")
    begun = blanks_end(text, keyword_end, " \t")
    end = run_end(text, begun, _ENDS_OF_FUNCTIONS)
    return (text[begun:end], call_end(text, end) or end) if end > begun > keyword_end else None


_ENDS_OF_FUNCTIONS = ENDS - {"\r"}


def name_end(text: str, at: int) -> int:
    """Return where the name of a variable ends that begins here; the same place when none does."""
    if text[at : at + 1] in _SPECIAL_NAMES:
        return at + 1
    if text[at : at + 1] in _BEGINS:
        while text[at : at + 1] in _NAMED:
            at += 1
    return at


def arithmetic_end(text: str, at: int) -> int:
    """Return where the command `((…))` that begins here ends; 0 when it is none."""
    if not text.startswith("((", at):
        return 0
    import re  # few commands need it

    found = re.compile(r"\(\([^()]*(?:\([^()]*\)[^()]*)*\)\)").match(text, at)
    return found.end() if found else 0


def expansion_end(text: str, at: int) -> int:
    """Return where arithmetic ends, from behind its `$((` on; 0 when it is a command in a sub-shell."""
    import re

    open_signs = 2
    for found in re.compile(r"[()]").finditer(text, at):
        open_signs += 1 if found[0] == "(" else -1
        if open_signs == 1 and not text.startswith("))", found.start()):
            return 0
        if not open_signs:
            return found.end()
    return 0


def unescape(text: str) -> str:
    """Return the text with its backslash signs replaced, as in `$'…'`, `echo -e` and `printf`."""
    import re

    return re.sub(_ESCAPE, lambda found: _character(found[1]), text)


def _character(code: str) -> str:
    if code[0] in "xuU":
        number = int(code[1:] or "0", 16)
        return chr(number) if 0 < number < 0x110000 else ""
    if code[0] in "01234567":
        return chr(int(code, 8) & 255) if int(code, 8) & 255 else ""
    return _SHORT.get(code, code)


_ESCAPE = r"(?s)\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|c.|.)"
_SHORT = {"n": "\n", "t": "\t", "r": "\r", **dict.fromkeys("abeEfv", "")}
