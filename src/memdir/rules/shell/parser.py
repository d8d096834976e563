"""Parses a shell text to commands: leniently, in one pass, and without running anything."""

from memdir.rules.invocation import assignment_in
from memdir.rules.shell.scanner import BROKEN, ENDS, Scanner, Text, Word
from memdir.text.value import value_class

__all__ = ["KEYWORDS", "Function", "Group", "Node", "Pipeline", "Redirection", "Simple", "parse"]


class Redirection:
    """Where a command reads from or writes to; the target of `<<` is filled in with the here-document."""

    __slots__ = ("sign", "target")

    def __init__(self, sign: str, target: Word) -> None:
        """Take the sign and the word behind it."""
        self.sign, self.target = sign, target


@value_class(frozen=True, slots=True)
class Simple:
    """One command with its words; assignments in front of it are words too."""

    words: tuple[Word, ...]
    redirections: tuple[Redirection, ...] = ()
    arrays: "tuple[tuple[str, tuple[Word, ...]], ...]" = ()


@value_class(frozen=True, slots=True)
class Group:
    """Commands between brackets or keywords; whatever a condition decides, all of them may run."""

    body: "tuple[Pipeline, ...]"
    redirections: tuple[Redirection, ...] = ()
    is_subshell: bool = False
    """Whether a change of directory ends with it."""
    is_conditional: bool = False
    """Whether a condition decides which of these commands run, and how often."""
    variable: str = ""
    """What a loop sets in each round; empty for what is no loop."""
    words: tuple[Word, ...] | None = None
    """What it is set to; None when that is not known."""


@value_class(frozen=True, slots=True)
class Function:
    """Commands that run when their name is called."""

    name: str
    body: "Node"


Node = Simple | Group | Function
Pipeline = tuple[Node, ...]
"""Commands of which each reads what the one before it prints."""


def parse(text: str, doubts: set[str], depth: int = 0) -> tuple[Pipeline, ...]:
    """Return the commands of a text; what cannot be parsed is taken as it stands and told in `doubts`."""
    return _Parser(text, doubts, depth).script("")


_SEPARATORS = ("&&", "||", ";;&", ";;", ";&", ";", "&", "\n")
_REDIRECTIONS = ("<<<", "<<-", "<<", "<&", "<>", ">>", ">&", ">|", "&>>", "&>", "<", ">")
_OPENERS = {"if": "fi", **dict.fromkeys(("while", "until", "for", "select"), "done")}
_OPENERS |= {"{": "}", "case": "esac", "[[": "]]", "function": "}"}
_CLOSERS = frozenset({"fi", "done", "esac", "}"})
_PREFIXES = frozenset({"then", "elif", "else", "do", "!", "coproc", "time"})
"""Keywords behind which a command begins as if they were not there."""
KEYWORDS = _PREFIXES.union(_OPENERS, _CLOSERS, ("in",))
_LONGEST_KEYWORD = len("function")
_NOTHING: Word = (Text(":"),)
"""The command that does nothing: it lets words be looked at for the commands inside them."""


class _Parser(Scanner):
    """Reads commands from one text."""

    def __init__(self, text: str, doubts: set[str], depth: int = 0) -> None:
        super().__init__(text, doubts, depth)
        self._documents: list[tuple[Redirection, str, bool]] = []
        """Here-documents that begin in the next line: the word that ends each, and whether that is quoted."""

    def script(self, closer: str) -> tuple[Pipeline, ...]:
        """Read pipelines up to a closing sign or keyword; that is read too."""
        found = list[Pipeline]()
        while True:
            self._skip()
            if self.at >= len(self.text):
                if closer:
                    self.doubts.add(BROKEN)
                break
            sign = self._separator() or self._closer(closer)
            if not sign:
                found.append(self._pipeline())
            elif sign == closer or (closer == ";;" and sign in (";&", ";;&", "esac")):
                break
            elif sign == ")" or sign in _CLOSERS:
                self.doubts.add(BROKEN)
        return tuple(found)

    def _closer(self, wanted: str) -> str:
        """Return what closes here and go past it, but for the end of cases, which their reader takes."""
        if self.skip(")"):
            return ")"
        word = self._keyword()
        if word not in _CLOSERS:
            return ""
        if (word, wanted) != ("esac", ";;"):
            self.at += len(word)
        return word

    def _separator(self) -> str:
        """Return the sign between two commands that stands here and go past it; empty when there is none."""
        if self.text.startswith("&>", self.at):
            return ""
        sign = next((one for one in _SEPARATORS if self.skip(one)), "")
        while sign == "\n" and self._documents:
            self._read_document(*self._documents.pop(0))
        return sign

    def _read_document(self, redirection: Redirection, mark: str, quoted: bool) -> None:
        """Read a here-document from the line that begins here, and go behind the line that ends it."""
        text, lines = self.text, list[str]()
        while self.at < len(text):
            begun, self.at = self.at, text.find("\n", self.at) + 1 or len(text)
            line = text[begun : self.at].rstrip("\n")
            line = line.lstrip("\t") if redirection.sign == "<<-" else line
            if line.rstrip("\r") == mark:
                break
            lines.append(f"{line}\n")
        body = "".join(lines)
        inner = _Parser(body, self.doubts, self.depth + 1)
        redirection.target = (Text(body),) if quoted else tuple(inner.document())

    def _keyword(self) -> str:
        """Return the keyword that stands here; empty when there is none."""
        word = self.text[self.at : self.at + _LONGEST_KEYWORD + 1]
        word = word[: next((at for at, sign in enumerate(word) if sign in ENDS), len(word))]
        return word if word in KEYWORDS else ""

    def _skip(self, *, lines: bool = False) -> None:
        """Go past blanks and a comment, and past the ends of lines too."""
        self.skip_blanks()
        if self.text.startswith("#", self.at):
            end = self.text.find("\n", self.at)
            self.at = end if end >= 0 else len(self.text)
        while lines and self.text.startswith("\n", self.at):
            self._separator()
            self._skip()

    def _pipeline(self) -> Pipeline:
        stages = [self._command()]
        while True:
            self._skip()
            if self.text.startswith("||", self.at) or not (self.skip("|&") or self.skip("|")):
                return tuple(stages)
            self._skip(lines=True)
            stages.append(self._command())

    def _command(self) -> Node:
        """Read one command of any kind."""
        while (word := self._keyword()) in _PREFIXES:
            self.at += len(word)
            self._skip(lines=True)
            if word == "time" and self.skip("-p"):
                self._skip()
        if arithmetic := self.arithmetic():
            return Simple((_NOTHING, (arithmetic,)), self._redirections())
        if self.skip("("):
            return Group(self.below(")"), self._redirections(), is_subshell=True)
        return self._compound(word) if word in _OPENERS else self._simple()

    def _compound(self, word: str) -> Node:
        """Read what begins with a keyword."""
        self.at += len(word)
        self._skip()
        match word:
            case "for" | "select":
                return self._loop()
            case "case":
                return self._case()
            case "[[":
                return Simple((_NOTHING, *self._words_to("]]", "&|<>()")), self._redirections())
            case "function":
                name = _plain(self.word() or ())
                self._has_brackets()
                return self._function(name)
        return Group(self.below(_OPENERS[word]), self._redirections(), is_conditional=word != "{")

    def _simple(self) -> Node:
        words, redirections, arrays = list[Word](), list[Redirection](), list[tuple[str, tuple[Word, ...]]]()
        while True:
            redirections += self._redirections()
            if (word := self.word()) is None:
                break
            name = _plain(word)
            if not words and name and self._has_brackets():
                return self._function(name)
            assigned = assignment_in(name) if self.text.startswith("(", self.at) else None
            if assigned and not assigned[2]:
                self.at += 1
                arrays.append((assigned[0], self._words_to(")", "")))
            else:
                words.append(word)
        if not words and not redirections and not arrays:
            self.at += 1  # a sign that begins nothing: the shell would stop here
            self.doubts.add(BROKEN)
        return Simple(tuple(words), tuple(redirections), tuple(arrays))

    def _has_brackets(self) -> bool:
        """Tell whether the brackets follow that make the word before them a function, and go past them."""
        begun = self.at
        self.skip_blanks()
        if self.skip("("):
            self.skip_blanks()
            if self.skip(")"):
                return True
        self.at = begun
        return False

    def _function(self, name: str) -> Function:
        self._skip(lines=True)
        nothing: Node = Simple(())
        return Function(name, self.descend(self._command, nothing))

    def _words_to(self, closer: str, signs: str) -> tuple[Word, ...]:
        """Return the words before a closing sign and go past it; only these signs may stand between them."""
        words = list[Word]()
        while True:
            self._skip(lines=True)
            if self.skip(closer):
                return tuple(words)
            if self.at >= len(self.text):
                self.doubts.add(BROKEN)
                return tuple(words)
            if (word := self.word()) is not None:
                words.append(word)
                continue
            if self.text[self.at : self.at + 1] not in signs:
                self.doubts.add(BROKEN)
            self.at += 1

    def _redirections(self) -> tuple[Redirection, ...]:
        return tuple(iter(self._redirection, None))

    def _redirection(self) -> Redirection | None:
        """Return the next redirection, without the number or name before it, and go past it."""
        self._skip()
        begun, text = self.at, self.text
        if text.startswith("{", begun):
            name, closed, _ = text[begun + 1 : begun + 80].partition("}")
            self.at += len(name) + 2 if closed and name.replace("_", "a").isalnum() else 0
        while "0" <= text[self.at : self.at + 1] <= "9":
            self.at += 1
        is_sign = text[self.at : self.at + 1] in ("<", ">", "&")
        sign = next((one for one in _REDIRECTIONS if self.skip(one)), "") if is_sign else ""
        if not sign or (sign in ("<", ">", "<>") and text.startswith("(", self.at)):
            self.at = begun
            return None
        self._skip()
        word = self.word() or ()
        redirection = Redirection(sign, word)
        if sign in ("<<", "<<-"):
            redirection.target = ()
            mark = "".join([part.text for part in word if isinstance(part, Text)])
            self._documents.append((redirection, mark, not _plain(word)))
        return redirection

    def _loop(self) -> Group:
        head, name, words = self.arithmetic(), "", None
        if head is None:
            name = _plain(self.word() or ())
            self._skip(lines=True)
            if self._keyword() == "in":
                self.at += 2
                words = list[Word]()
                self._skip()
                while (word := self.word()) is not None:
                    words.append(word)
                    self._skip()
        counted = [(Simple((_NOTHING, (head,))),)] if head else []
        body = (*counted, *self.below("done"))
        values = tuple(words) if words is not None else None
        return Group(body, self._redirections(), is_conditional=True, variable=name, words=values)

    def _case(self) -> Group:
        patterns, body = [_NOTHING, self.word() or ()], list[Pipeline]()
        self._skip(lines=True)
        self.at += 2 if self._keyword() == "in" else 0
        while self.at < len(self.text):
            self._skip(lines=True)
            if self._keyword() == "esac":
                self.at += len("esac")
                break
            self.skip("(")
            patterns += self._words_to(")", "|")
            body += self.below(";;")
        return Group(((Simple(tuple(patterns)),), *body), self._redirections(), is_conditional=True)


def _plain(word: Word) -> str:
    """Return an unquoted word as text; empty when any of it is quoted or stands for something else."""
    texts = [part.text for part in word if isinstance(part, Text) and not part.quoted]
    return "".join(texts) if len(texts) == len(word) else ""
