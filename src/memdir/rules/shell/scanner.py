"""One word of a shell command, taken apart: text, variables, and commands whose output it holds.

Signs are looked for by hand. Expressions would be shorter, but to load them takes longer than a hook has.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memdir.rules.shell.parser import HereDocument

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
"""What ends a word."""


@value_class(frozen=True, slots=True)
class Text:
    """Letters as they are written; only unquoted ones can still be braces."""

    text: str
    quoted: bool = True


@value_class(frozen=True, slots=True)
class Variable:
    """The value of a variable, or what stands in the braces after its name."""

    name: str
    quoted: bool
    sign: str = ""
    """`:-`, `#` and so on; empty for the plain value."""
    operand: "tuple[Part, ...]" = ()
    whole: bool = False
    """Whether all members of a list are meant, each a word of its own: `"$@"`, `"${list[@]}"`."""


@value_class(frozen=True, slots=True)
class Output:
    """What a command prints: `$(…)`, backticks, or the file name of `<(…)`."""

    script: "tuple[object, ...]"
    quoted: bool
    piped: bool = False
    """Whether the word is the name of a pipe, as in `<(…)`, and not the text itself."""
    shown: bool = True
    """False for arithmetic: the commands inside run, and what they print is a number we do not work out."""


Part = Text | Variable | Output
Word = tuple[Part, ...]


class Scanner:
    """Reads words from one text, from left to right and each sign once."""

    def __init__(
        self,
        text: str,
        nested: "Callable[[Scanner, str], tuple[object, ...]]",
        doubts: set[str],
        depth: int = 0,
    ) -> None:
        """Begin at the start; `nested` reads the commands up to a closing sign."""
        self.text, self.at, self.nested, self.doubts, self.depth = text, 0, nested, doubts, depth
        self.waiting: list[HereDocument] = []
        """Here-documents whose text begins in the next line."""
        self.expansions = 0
        """How many dollar signs and backticks were read that mean something to a shell."""
        self._words = 0

    def skip(self, sign: str) -> bool:
        """Go past a sign if it stands here; tell whether it did."""
        found = self.text.startswith(sign, self.at)
        self.at += len(sign) if found else 0
        return found

    def skip_blanks(self) -> None:
        """Go past blanks; a line that goes on behind a backslash is one of them."""
        text = self.text
        while text[self.at : self.at + 1] in _BLANKS or text.startswith("\\\n", self.at):
            self.at += 1 if text[self.at] != "\\" else 2

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
                parts.append(self._plain(stops, quoted=False))
            elif stop:
                parts.append(Text(sign))
                self.at += 1
            elif self.skip("<(") or self.skip(">("):
                parts.append(Output(self.below(")"), quoted=True, piped=True))
            else:
                break
        return tuple(parts) if self.at > begun else None

    def document_text(self) -> "tuple[Part, ...]":
        """Return all of the text as a here-document whose variables and commands are replaced."""
        return tuple(self._expand(_STOPS_IN_DOCUMENT, ""))

    def below(self, closer: str) -> "tuple[object, ...]":
        """Return the commands that begin here and end with a closing sign, which is read too."""
        if self._is_deep():
            return ()
        self.depth += 1
        script = self.nested(self, closer)
        self.depth -= 1
        return script

    def arithmetic(self) -> Output | None:
        """Return the commands inside the `((…))` that begins here; None when it is a command in brackets."""
        begins = self.text.startswith("((", self.at) and self.text.find("))", self.at) > 0
        end, opened = self.at + 2, 2 if begins else 0
        while opened and end < len(self.text):
            opened += {"(": 1, ")": -1}.get(self.text[end], 0)
            end += 1
            if opened == 1 and self.text[end - 1 : end + 1] != "))":
                return None
        if opened or end == self.at + 2:
            return None
        if self._is_deep():
            return Output((), quoted=True, shown=False)
        inner = Scanner(self.text[self.at + 2 : end - 2], self.nested, self.doubts, self.depth + 1)
        self.at = end
        run = [part for part in inner.document_text() if isinstance(part, Output)]
        return Output(tuple([node for part in run for node in part.script]), quoted=True, shown=False)

    def _is_deep(self) -> bool:
        """Tell whether this is as deep as it goes: then the rest is not read."""
        if self.depth >= MOST_DEPTH:
            self.doubts.add(DEEP)
            self.at = len(self.text)
        return self.depth >= MOST_DEPTH

    def _plain(self, stops: "frozenset[str]", *, quoted: bool = True) -> Text:
        """Read what stands before the first of these signs, one sign at least."""
        begun, text = self.at, self.text
        self.at += 1
        while self.at < len(text) and text[self.at] not in stops:
            self.at += 1
        return Text(text[begun : self.at], quoted)

    def _special(self, sign: str, *, quoted: bool = False) -> list[Part]:
        if sign in "$`":
            self.expansions += 1
            return self._dollar(quoted=quoted) if sign == "$" else [self._backticks(quoted=quoted)]
        self.at += 1
        if sign == "\\":
            self.at += 1
            following = self.text[self.at - 1 : self.at]
            return [Text(following)] if following != "\n" else []
        if sign == '"':
            parts = [Text(""), *self._expand(_STOPS_IN_DOUBLE, '"')]
            self._close('"')
            return parts
        return [Text(self._up_to("'"))]

    def _up_to(self, closer: str, *, escapes: bool = False) -> str:
        """Return the text before a closing sign and go past that; a backslash may keep it from closing."""
        end = self.text.find(closer, self.at) if not escapes else self.at
        while escapes and end < len(self.text) and self.text[end] != closer:
            end += 2 if self.text[end] == "\\" else 1
        inside = self.text[self.at : end if end >= 0 else len(self.text)]
        self.at += len(inside)
        self._close(closer)
        return inside

    def _expand(self, stops: frozenset[str], closer: str) -> list[Part]:
        """Read quoted text up to its closing sign, which is left; variables and commands are parts."""
        parts, text = list[Part](), self.text
        while self.at < len(text) and (sign := text[self.at]) != closer:
            if sign == "\\":
                following = text[self.at + 1 : self.at + 2]
                kept = "" if following in ("$", "`", "\\", "\n", closer) else "\\"
                self.at += 2
                parts.append(Text(kept + ("" if following == "\n" else following)))
            elif sign in "$`":
                parts += self._special(sign, quoted=True)
            else:
                parts.append(self._plain(stops))
        return parts

    def _dollar(self, *, quoted: bool) -> list[Part]:
        self.at += 1
        if summed := self.arithmetic():
            return [summed]
        if self.skip("("):
            return [Output(self.below(")"), quoted)]
        if self.skip("{"):
            return [self._braced_variable(quoted=quoted)]
        if not quoted and self.skip("'"):
            return [Text(unescape(self._up_to("'", escapes=True)))]
        if not quoted and self.text.startswith('"', self.at):
            return self._special('"')
        name = self._name()
        return [Variable(name, quoted, whole=name == "@") if name else Text("$")]

    def _backticks(self, *, quoted: bool) -> Output:
        self.at += 1
        inside = self._up_to("`", escapes=True)
        for sign in "`$" + '"' * quoted:
            inside = "\\\\".join([piece.replace(f"\\{sign}", sign) for piece in inside.split("\\\\")])
        inner = Scanner(inside.replace("\\\\", "\\"), self.nested, self.doubts, self.depth)
        return Output(inner.below(""), quoted)

    def _braced_variable(self, *, quoted: bool) -> Variable:
        if self._is_deep():
            return Variable("", quoted)
        self.depth += 1
        follows = self.text[self.at + 1 : self.at + 2]
        is_other = (follows in _NAMED or follows in ("@", "*")) and (self.skip("!") or self.skip("#"))
        name, index = self._name(braced=True), list[Part]()
        whole = name == "@"
        if self.skip("["):
            index = [part for part in self.word("]") or () if isinstance(part, Output)]
            whole = not index
            self._close("]")
        sign = next((one for one in _OPERATORS if self.skip(one)), "")
        operand = (*index, *(self.word("}") or ()))
        self._close("}")
        self.depth -= 1
        name, sign = ("", "") if is_other else (name, sign)  # its length, or the one that it names
        return Variable(name, quoted, sign or ("?" if operand else ""), operand, whole and not sign)

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
_OPERATORS = (
    *(":-", ":=", ":+", ":?", "-", "=", "+", "?", "##", "#"),
    *("%%", "%", "//", "/", ":", "^^", "^", ",,", ",", "@"),
)
"""A longer one stands before those that it begins with."""
_SPECIAL = "\\'\"$`"
_STOPS = ENDS | frozenset(_SPECIAL)
_STOPS_IN_DOUBLE = frozenset('"\\$`')
_STOPS_IN_DOCUMENT = frozenset("\\$`")


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
