"""One glob as git reads it, made into a regular expression whose time grows with the text alone.

`*` and `?` stop at a slash, `**` between slashes does not, brackets are sets. All of it is about bytes:
`?` is one byte, as in git, and only ASCII letters have a case. Each `*` takes the first place where what
follows fits and never tries another, which changes no answer; without that, some globs would take years.
"""

import re

from memdir.text.value import value_class

__all__ = ["Malformed", "path_bytes", "wildmatch"]


@value_class(frozen=True, slots=True)
class Malformed:
    """Why a glob can never match, as the end of a sentence."""

    because: str


def wildmatch(glob: str, *, fold: bool) -> re.Pattern[bytes] | Malformed:
    """Return what matches whole paths in bytes; with `fold`, these must be in lower case."""
    # A slash has no special meaning that a backslash could take away.
    plain = _ESCAPED.sub(lambda one: b"/" if one[1] == b"/" else one[0], path_bytes(glob))
    parts = _parts(plain, fold=fold)
    if isinstance(parts, Malformed):
        return parts
    return re.compile(_expression(parts), re.DOTALL)


def path_bytes(text: str) -> bytes:
    """Return the bytes of a path or glob, those of a name that is no text included."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_STAR, _FOLDERS, _ALL = b"*", b"**/", b"**"
_SLASH = b"/"
_SPECIAL = b"*?[\\"
_NEVER = b"(?!)"
_Parts = list[tuple[bytes, bytes]]
"""Pairs of what a part is (a star, a slash, or empty for one byte) and the expression of that byte."""


def _parts(glob: bytes, *, fold: bool) -> _Parts | Malformed:
    parts: _Parts = []
    at, literal = 0, True  # git compares what comes before the first special sign apart from the rest
    while at < len(glob):
        sign = glob[at : at + 1]
        if sign == b"*":
            stars, at = _stars(glob, at, begins=literal or glob[at - 1 : at] == b"/")
            parts.append((stars, b""))
        elif sign == b"[":
            found = _set(glob, at, fold=fold)
            if isinstance(found, Malformed):
                return found
            members, at = found
            parts.append((b"", members))
        elif sign == b"\\":
            if at + 1 == len(glob):
                return Malformed("it ends with a backslash")
            parts.append((b"", _one(glob[at + 1 : at + 2], fold=fold)))
            at += 2
        else:
            parts.append(_single_sign(sign, fold=fold))
            at += 1
        literal = literal and sign not in _SPECIAL
    return parts


def _single_sign(sign: bytes, *, fold: bool) -> tuple[bytes, bytes]:
    """Return the part that a slash, a question mark or a plain byte is."""
    if sign == b"/":
        return _SLASH, b""
    return b"", b"[^/]" if sign == b"?" else re.escape(sign.lower() if fold else sign)


def _stars(glob: bytes, at: int, *, begins: bool) -> tuple[bytes, int]:
    """Return what the stars at this place stand for, and where the next part begins."""
    end = at
    while glob[end : end + 1] == b"*":
        end += 1
    if not begins or end - at < 2 or glob[end : end + 1] not in (b"", b"/"):
        return _STAR, end
    return (_ALL, end) if end == len(glob) else (_FOLDERS, end + 1)


def _one(byte: bytes, *, fold: bool) -> bytes:
    """Return the expression of an escaped byte; a capital letter is not folded there, so it never matches."""
    return _NEVER if fold and byte.isupper() else re.escape(byte)


def _expression(parts: _Parts) -> bytes:
    """Return the parts as one expression in which no star is tried twice."""
    pieces, piece = list[_Parts](), _Parts()
    for part in parts:
        if part[0] == _FOLDERS:
            pieces.append(piece)
            piece = []
        else:
            piece.append(part)
    # A piece has as many folders in every match, so its first place is as good as any later one.
    middle = b"".join([b"(?>(?:[^/]*/)*?%b)" % _segments(one) for one in pieces[1:]])
    if not pieces:
        return _segments(piece) + rb"\Z"
    return _segments(pieces[0]) + middle + rb"(?:[^/]*/)*?" + _segments(piece) + rb"\Z"


def _segments(piece: _Parts) -> bytes:
    """Return the expression of parts between which no `**` stands."""
    out, run, starred = list[bytes](), list[bytes](), False
    for kind, byte in piece:
        if not kind:
            run.append(byte)
            continue
        if kind == _STAR and starred:
            out.append(b"(?>[^/]*?%b)" % b"".join(run))
        else:
            out.append((b"[^/]*" if starred else b"") + b"".join(run))
        out.append({_SLASH: b"/", _ALL: b".*"}.get(kind, b""))
        run, starred = [], kind == _STAR
    out.append((b"[^/]*" if starred else b"") + b"".join(run))
    return b"".join(out)


_OPEN = Malformed("a bracket is never closed")
_CLASSES = {
    b"alnum": rb"[a-zA-Z0-9]",
    b"alpha": rb"[a-zA-Z]",
    b"blank": rb"[ \t]",
    b"cntrl": rb"[\x00-\x1f\x7f]",
    b"digit": rb"[0-9]",
    b"graph": rb"[!-~]",
    b"lower": rb"[a-z]",
    b"print": rb"[ -~]",
    b"punct": rb"[!-/:-@\[-`{-~]",
    b"space": rb"[ \t\n\v\f\r]",
    b"upper": rb"[A-Z]",
    b"xdigit": rb"[0-9a-fA-F]",
}
# A class such as [:alpha:], or a byte, perhaps escaped, and the last one of a range that it begins.
_MEMBER = re.compile(rb"\[:(?P<named>[^\]]*):\]|\\?(?P<first>.)(?:-(?!\])\\?(?P<last>.))?", re.DOTALL)


def _set(glob: bytes, at: int, *, fold: bool) -> tuple[bytes, int] | Malformed:
    """Return the bytes that the bracket here stands for, as an expression, and where it ends."""
    negated = glob[at + 1 : at + 2] in (b"!", b"^")
    at += 1 + negated
    members = set[int]()
    while member := _MEMBER.match(glob, at):
        at = member.end()
        first, last = member["first"], member["last"]
        if first is None:
            if member["named"] not in _CLASSES:
                return Malformed("there is no such class of characters")
            name = b"alpha" if fold and member["named"] == b"upper" else member["named"]
            wanted = re.compile(_CLASSES[name])
            members |= {byte for byte in range(256) if wanted.match(bytes([byte]))}
        else:
            members |= {first[0]} | _range(first, last or first, fold=fold and last is not None)
        if glob[at : at + 1] == b"]":
            wanted_bytes = set(range(256)) - members if negated else members
            return _set_expression(wanted_bytes - {ord("/")}), at + 1
    return _OPEN


def _set_expression(members: set[int]) -> bytes:
    """Return the expression of a set, in ranges: compiling single members takes twenty times as long."""
    firsts = [byte for byte in sorted(members) if byte - 1 not in members]
    lasts = [byte for byte in sorted(members) if byte + 1 not in members]
    ranges = [b"\\x%02x-\\x%02x" % pair for pair in zip(firsts, lasts, strict=True)]
    return b"[%b]" % b"".join(ranges) if ranges else _NEVER


def _range(first: bytes, last: bytes, *, fold: bool) -> set[int]:
    members = set(range(first[0], last[0] + 1))
    return members | {byte for one in members for byte in bytes([one]).lower()} if fold else members
