"""The words of a shell text: literal text, variables, and commands whose output a word holds.

Characters are compared by hand: to load regular expressions takes longer than a hook has.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from memdir.rules.shell.parser import Pipeline

    Read = TypeVar("Read")

__all__ = [
    "BROKEN",
    "DEEP",
    "ENDS",
    "LONG",
    "MOST_DEPTH",
    "Output",
    "Part",
    "Scanner",
    "Text",
    "Variable",
    "Word",
    "unescape",
]

MOST_DEPTH = 24
"""How deep commands may stand inside each other: people need three or four."""

MOST_WORDS = 100_000
"""Words of one text, here-documents and quoted text apart: half a megabyte, and a second or two."""

BROKEN, DEEP, LONG = "it cannot be read to its end", "it is nested too deeply", "it is too long to be read"

ENDS = frozenset(" \t\r\n;&|<>()")
"""Characters that end a word."""


@value_class(frozen=True, slots=True)
class Text:
    """Literal text; braces and wildcards count only where it is unquoted."""

    text: str
    quoted: bool = True


@value_class(frozen=True, slots=True)
class Variable:
    """A variable, or an expression in braces: `${name:-operand}`."""

    name: str
    quoted: bool
    operator: str = ""
    """`:-`, `#` and so on; empty for the plain value."""
    operand: "tuple[Part, ...]" = ()
    whole: bool = False
    """Whether each member of a list is a word of its own: `"$@"`, `"${list[@]}"`."""


@value_class(frozen=True, slots=True)
class Output:
    """What commands print: `$(…)` and backticks."""

    script: "tuple[Pipeline, ...]"
    quoted: bool
    kind: str = "text"
    """text; pipe where the word is the name of a pipe, as in `<(…)`; number for arithmetic, not computed."""


Part = Text | Variable | Output
Word = tuple[Part, ...]


class Scanner:
    """Reads words from one text, from left to right."""

    def __init__(self, text: str, doubts: set[str], depth: int = 0) -> None:
        """Begin at the start of the text; `doubts` collects the reasons why it cannot be read."""
        self.text, self.at, self.doubts, self.depth = text, 0, doubts, depth
        self.expansions = 0
        """Dollar signs and backticks so far that mean something to a shell."""
        self._words = 0

    def script(self, closer: str) -> "tuple[Pipeline, ...]":  # noqa: ARG002 - the parser reads commands
        """Return the commands up to a closing sign; a scanner alone knows words only."""
        return ()

    def skip(self, sign: str) -> bool:
        """Go past a sign if it stands here; tell whether it did."""
        found = self.text.startswith(sign, self.at)
        self.at += len(sign) if found else 0
        return found

    def skip_blanks(self) -> None:
        """Go past blanks and line ends behind a backslash."""
        while self.text[self.at : self.at + 1] in _BLANKS or self.text.startswith("\\\n", self.at):
            self.at += 1 if self.text[self.at] != "\\" else 2

    def word(self, stop: str = "") -> "tuple[Part, ...] | None":
        """Return the word that begins here, or None when something else does."""
        begun, parts, text = self.at, list[Part](), self.text
        stops = _STOPS | {stop} if stop else _STOPS
        self._words += 1
        if self._words > MOST_WORDS:
            self.doubts.add(LONG)
            self.at = len(text)
            return None
        while self.at < len(text) and (sign := text[self.at]) != stop:
            if sign in _SPECIAL:
                parts += self._special(sign)
            elif sign not in ENDS:
                parts.append(Text(self._run(stops), quoted=False))
            elif stop:
                parts.append(Text(sign))
                self.at += 1
            elif self.skip("<(") or self.skip(">("):
                parts.append(Output(self.below(")"), quoted=True, kind="pipe"))
            else:
                break
        return tuple(parts) if self.at > begun else None

    def document(self, closer: str = "") -> list[Part]:
        """Read text in which only `$` and backticks mean something, up to a closing sign, which is left."""
        parts, text, stops = list[Part](), self.text, frozenset(f"\\$`{closer}")
        while self.at < len(text) and (sign := text[self.at]) != closer:
            if sign == "\\":
                following = text[self.at + 1 : self.at + 2]
                kept = "" if following in ("$", "`", "\\", "\n", closer) else "\\"
                self.at += 2
                parts.append(Text(kept + ("" if following == "\n" else following)))
            elif sign in "$`":
                parts += self._special(sign, quoted=True)
            else:
                parts.append(Text(self._run(stops)))
        return parts

    def descend(self, read: "Callable[[], Read]", otherwise: "Read") -> "Read":
        """Read something one level deeper; too deep, the rest of the text is skipped."""
        if self.depth >= MOST_DEPTH:
            self.doubts.add(DEEP)
            self.at = len(self.text)
            return otherwise
        self.depth += 1
        found = read()
        self.depth -= 1
        return found

    def below(self, closer: str) -> "tuple[Pipeline, ...]":
        """Return the commands from here to a closing sign, which is read too."""
        return self.descend(lambda: self.script(closer), ())

    def arithmetic(self) -> Output | None:
        """Return the commands inside the `((…))` that begins here; None when it is a group of commands."""
        text, end, opened = self.text, self.at + 2, 2
        if not text.startswith("((", self.at) or text.find("))", self.at) < 0:
            return None
        while opened > 1 and end < len(text):
            opened += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        if opened > 1 or text[end : end + 1] != ")":
            return None
        inner = type(self)(text[self.at + 2 : end - 1], self.doubts, self.depth + 1)
        parts = self.descend(inner.document, list[Part]())
        self.at = max(self.at, end + 1)
        nodes = [node for part in parts if isinstance(part, Output) for node in part.script]
        return Output(tuple(nodes), quoted=True, kind="number")

    def _run(self, stops: frozenset[str]) -> str:
        """Read up to the next of these signs, one character at least."""
        begun, text = self.at, self.text
        self.at += 1
        while self.at < len(text) and text[self.at] not in stops:
            self.at += 1
        return text[begun : self.at]

    def _special(self, sign: str, *, quoted: bool = False) -> list[Part]:
        """Read what begins with a quote, a backslash, a dollar sign or a backtick."""
        self.at += 1
        if sign in "$`":
            self.expansions += 1
            return self._dollar(quoted=quoted) if sign == "$" else [self._backticks(quoted=quoted)]
        if sign == "\\":
            self.at += 1
            following = self.text[self.at - 1 : self.at]
            return [Text(following)] if following != "\n" else []
        if sign == '"':
            parts = [Text(""), *self.document('"')]
            self._close('"')
            return parts
        return [Text(self._up_to("'", escapes=False))]

    def _up_to(self, closer: str, *, escapes: bool = True) -> str:
        """Return the text before a closing sign and go past that; a backslash may keep it from closing."""
        end, text = self.at, self.text
        while end < len(text) and text[end] != closer:
            end += 2 if escapes and text[end] == "\\" else 1
        inside = text[self.at : end]
        self.at = end
        self._close(closer)
        return inside

    def _dollar(self, *, quoted: bool) -> list[Part]:
        if number := self.arithmetic():
            return [number]
        if self.skip("("):
            return [Output(self.below(")"), quoted)]
        if self.skip("{"):
            return [self.descend(lambda: self._braced_variable(quoted=quoted), Variable("", quoted))]
        if not quoted and self.skip("'"):
            return [Text(unescape(self._up_to("'")))]
        if not quoted and self.text.startswith('"', self.at):
            return self._special('"')
        name = self._name()
        return [Variable(name, quoted, whole=name == "@") if name else Text("$")]

    def _backticks(self, *, quoted: bool) -> Output:
        inside = self._up_to("`")
        for sign in '`$"' if quoted else "`$":
            inside = "\\\\".join([piece.replace(f"\\{sign}", sign) for piece in inside.split("\\\\")])
        inner = type(self)(inside.replace("\\\\", "\\"), self.doubts, self.depth)
        return Output(inner.below(""), quoted)

    def _braced_variable(self, *, quoted: bool) -> Variable:
        follows = self.text[self.at + 1 : self.at + 2]
        is_other = (follows in _NAMED or follows in ("@", "*")) and (self.skip("!") or self.skip("#"))
        name, index = self._name(braced=True), list[Part]()
        whole = name == "@"
        if self.skip("["):
            index = [part for part in self.word("]") or () if isinstance(part, Output)]
            whole = not index
            self._close("]")
        operator = next((one for one in _OPERATORS if self.skip(one)), "")
        operand = (*index, *(self.word("}") or ()))
        self._close("}")
        if is_other:  # the length of it, or the variable that it names
            name = operator = ""
        return Variable(name, quoted, operator or ("?" if operand else ""), operand, whole and not operator)

    def _name(self, *, braced: bool = False) -> str:
        """Return the name of a variable and go past it; empty when none begins here."""
        begun, text = self.at, self.text
        first = text[begun : begun + 1]
        if first in _BEGINS or (braced and first in _DIGITS):
            while text[self.at : self.at + 1] in (_NAMED if first in _BEGINS else _DIGITS):
                self.at += 1
        elif first in _DIGITS or first in _SPECIAL_NAMES:
            self.at += 1
        return text[begun : self.at]

    def _close(self, sign: str) -> None:
        """Go past a closing sign; without one the rest was taken as it stood."""
        if not self.skip(sign):
            self.doubts.add(BROKEN)
            self.at = len(self.text)


_BLANKS = (" ", "\t", "\r")
_DIGITS = frozenset("0123456789")
_BEGINS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_")
_NAMED = _BEGINS | _DIGITS
_SPECIAL_NAMES = frozenset("@*#?$!-")
_OPERATORS = (":-", ":=", ":+", ":?", *"-=+?", "##", "#", "%%", "%", "//", *"/:", "^^", "^", ",,", *",@")
"""A longer one stands before those that it begins with."""
_SPECIAL = "\\'\"$`"
_STOPS = ENDS | frozenset(_SPECIAL)


def unescape(text: str) -> str:
    """Return the text with its backslash signs replaced, as in `$'…'`, `echo -e` and `printf`."""
    import re

    return re.sub(_ESCAPE, lambda found: _character(found[1]), text)


def _character(code: str) -> str:
    if code[0] in "xuU01234567":
        number = int(code[1:] or "0", 16) if code[0] in "xuU" else int(code, 8) & 255
        return chr(number) if 0 < number < 0x110000 else ""
    return _SHORT.get(code, code)


_ESCAPE = r"(?s)\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|c.|.)"
_SHORT = {"n": "\n", "t": "\t", "r": "\r", **dict.fromkeys("abeEfv", "")}
