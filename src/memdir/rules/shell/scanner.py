"""One word of a shell command, taken apart: text, variables, and commands whose output it holds.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.rules.shell.tokens import ENDS, expansion_end, name_end, run_end, unescape
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memdir.rules.shell.parser import HereDocument

__all__ = [
    "BROKEN",
    "DEEP",
    "LONG",
    "MOST_DEPTH",
    "Output",
    "Part",
    "Scanner",
    "Text",
    "Variable",
    "Word",
]

MOST_DEPTH = 24
"""How deep commands may stand inside each other: people need three or four."""

MOST_WORDS = 100_000
"""Words of one text, here-documents and quoted text apart: half a megabyte, and a second or two."""

BROKEN, DEEP, LONG = "it cannot be read to its end", "it is nested too deeply", "it is too long to be read"


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

    def word(self, stop: str = "") -> "tuple[Part, ...] | None":
        """Return the word that begins here, or None when something else does."""
        begun, parts, text = self.at, list[Part](), self.text
        self._words += 1
        if self._words > MOST_WORDS:
            self.doubts.add(LONG)
            self.at = len(text)
            return None
        while self.at < len(text):
            sign = text[self.at]
            if sign in stop:
                break
            if sign in ENDS:
                if not stop and text[self.at : self.at + 2] not in ("<(", ">("):
                    break
                parts.append(self._through() if not stop else self._one(sign))
            elif sign in _SPECIAL:
                parts += self._special(sign)
            else:
                end = run_end(text, self.at, _STOPS_IN_BRACES if stop else _STOPS)
                parts.append(self._one(text[self.at : end] or sign, quoted=False))
        return tuple(parts) if self.at > begun else None

    def _special(self, sign: str) -> list[Part]:
        if sign == "\\":
            return self._escaped()
        if sign == "'":
            return self._single()
        if sign == '"':
            return self._double()
        return self._dollar() if sign == "$" else self._backticks()

    def document_text(self) -> "tuple[Part, ...]":
        """Return all of the text as a here-document whose variables and commands are replaced."""
        return tuple(self._expanded(_STOPS_IN_DOCUMENT, ""))

    def below(self, closer: str) -> "tuple[object, ...]":
        """Return the commands that begin here and end with a closing sign, which is read too."""
        if self.depth >= MOST_DEPTH:
            self.doubts.add(DEEP)
            self.at = len(self.text)
            return ()
        self.depth += 1
        script = self.nested(self, closer)
        self.depth -= 1
        return script

    def _one(self, text: str, *, quoted: bool = True) -> Text:
        self.at += len(text)
        return Text(text, quoted)

    def _through(self) -> Output:
        self.at += 2
        return Output(self.below(")"), quoted=True, piped=True)

    def _escaped(self) -> list[Part]:
        self.at += 2
        sign = self.text[self.at - 1 : self.at]
        return [] if sign == "\n" else [Text(sign)]

    def _single(self) -> list[Part]:
        end = self.text.find("'", self.at + 1)
        inside = self.text[self.at + 1 : end if end >= 0 else len(self.text)]
        self._close(end)
        return [Text(inside)]

    def _double(self) -> list[Part]:
        self.at += 1
        parts = [Text(""), *self._expanded(_STOPS_IN_DOUBLE, '"')]
        self._close(self.at if self.at < len(self.text) else -1)
        return parts

    def _expanded(self, stops: frozenset[str], closer: str) -> list[Part]:
        """Read quoted text up to its closing sign, which is left; variables and commands are parts."""
        parts, text = list[Part](), self.text
        while self.at < len(text) and (sign := text[self.at]) != closer:
            if sign == "\\":
                following = text[self.at + 1 : self.at + 2]
                kept = "" if following in ("$", "`", "\\", "\n", closer) else "\\"
                self.at += 2
                parts.append(Text(kept + ("" if following == "\n" else following)))
            elif sign == "$":
                parts += self._dollar(quoted=True)
            elif sign == "`":
                parts += self._backticks(quoted=True)
            else:
                parts.append(self._one(text[self.at : run_end(text, self.at, stops)] or sign))
        return parts

    def _dollar(self, *, quoted: bool = False) -> list[Part]:
        self.expansions += 1
        following = self.text[self.at + 1 : self.at + 2]
        if following == "(":
            return [self._command_or_sum(quoted=quoted)]
        if following == "{":
            return [self._braced(quoted=quoted)]
        if following == "'" and not quoted:
            return [self._with_escapes()]
        if following == '"' and not quoted:
            self.at += 1
            return self._double()
        end = name_end(self.text, self.at + 1)
        name, self.at = self.text[self.at + 1 : end], end
        return [Variable(name, quoted, whole=name == "@") if name else Text("$")]

    def _command_or_sum(self, *, quoted: bool) -> Output:
        if self.text.startswith("((", self.at + 1) and (end := expansion_end(self.text, self.at + 3)):
            inner = Scanner(self.text[self.at + 3 : end - 2], self.nested, self.doubts, self.depth + 1)
            self.at = end
            run = [part for part in inner.document_text() if isinstance(part, Output)]
            return Output(tuple([node for part in run for node in part.script]), quoted, shown=False)
        self.at += 2
        return Output(self.below(")"), quoted)

    def _backticks(self, *, quoted: bool = False) -> list[Part]:
        import re

        self.expansions += 1
        found = re.compile(_BACKTICKS).match(self.text, self.at)
        inside = found[0][1:] if found else ""
        self.at += 1 + len(inside)
        self._close(self.at if self.at < len(self.text) else -1)
        escaped = _ESCAPED_TICK_QUOTED if quoted else _ESCAPED_TICK
        inner = Scanner(re.sub(escaped, r"\1", inside), self.nested, self.doubts, self.depth)
        return [Output(inner.below(""), quoted)]

    def _braced(self, *, quoted: bool) -> Variable:
        end = name_end(self.text, self.at + 2)
        name = self.text[self.at + 2 : end]
        if name.isidentifier() and self.text.startswith("}", end) and self.depth < MOST_DEPTH:
            self.at = end + 1
            return Variable(name, quoted)
        import re

        found = re.compile(_BRACED).match(self.text, self.at)
        self.at = found.end() if found else self.at + 2
        name, sign = (found[2] or "", found[4]) if found and not found[1] else ("", "")
        whole = bool(found and (found[3] or name == "@") and not sign)
        if self.depth >= MOST_DEPTH:
            self.doubts.add(DEEP)
            self.at = len(self.text)
            return Variable("", quoted)
        self.depth += 1
        operand = self.word("}") or ()
        self.depth -= 1
        self._close(self.at if self.at < len(self.text) else -1)
        return Variable(name, quoted, sign or ("?" if operand else ""), operand, whole)

    def _with_escapes(self) -> Text:
        import re

        found = re.compile(_ANSI).match(self.text, self.at)
        self.at = found.end() if found else len(self.text)
        if not found:
            self.doubts.add(BROKEN)
        return Text(unescape(found[1]) if found else "")

    def _close(self, end: int) -> None:
        """Go past a closing sign; without one the rest was taken as it stood."""
        if end < 0:
            self.doubts.add(BROKEN)
        self.at = end + 1 if end >= 0 else len(self.text)


_SPECIAL = "\\'\"$`"
_STOPS = ENDS | frozenset(_SPECIAL)
_STOPS_IN_BRACES = _STOPS | {"}"}
_STOPS_IN_DOUBLE = frozenset('"\\$`')
_STOPS_IN_DOCUMENT = frozenset("\\$`")
_BRACED = (
    r"\$\{([!#](?=[A-Za-z_0-9@*]))?([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*?$!#-])?(\[[^\]]*\])?"
    r"(:?[-=+?]|##?|%%?|//?|:|\^\^?|,,?|@)?"
)
_BACKTICKS = r"(?s)`(?:[^`\\]|\\.)*+"
_ESCAPED_TICK = r"\\([`\\$])"
_ESCAPED_TICK_QUOTED = r"\\([`\\$\"])"
_ANSI = r"(?s)\$'((?:[^'\\]|\\.)*+)'"
