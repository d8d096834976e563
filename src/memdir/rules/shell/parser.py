"""Reads a shell text as commands: leniently, in one pass, running nothing.

A host waits for this module: it does without `typing`.
"""

from memdir.rules.invocation import assignment_in
from memdir.rules.shell.scanner import BROKEN, DEEP, ENDS, MOST_DEPTH, Part, Scanner, Text, Word
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Function", "Group", "HereDocument", "Node", "Pipeline", "Redirection", "Simple", "parse"]


class HereDocument:
    """A here-document; its text stands after the end of the line and is filled in from there."""

    __slots__ = ("mark", "parts", "quoted", "tabs")

    def __init__(self, mark: str, *, quoted: bool, tabs: bool) -> None:
        """Take the word that ends it, whether that was quoted, and whether leading tabs are dropped."""
        self.mark, self.quoted, self.tabs = mark, quoted, tabs
        self.parts: tuple[Part, ...] = ()


@value_class(frozen=True, slots=True)
class Redirection:
    """Where a command reads from or writes to."""

    sign: str
    target: Word
    document: HereDocument | None = None


@value_class(frozen=True, slots=True)
class Simple:
    """One command with its words; assignments in front of it are words that have a name."""

    words: tuple[Word, ...]
    redirections: tuple[Redirection, ...] = ()
    arrays: "tuple[tuple[str, tuple[Word, ...]], ...]" = ()


@value_class(frozen=True, slots=True)
class Group:
    """Commands between brackets or keywords; what a condition decides is not decided here: all may run."""

    body: "tuple[Pipeline, ...]"
    redirections: tuple[Redirection, ...] = ()
    inside: bool = False
    """Whether a shell of its own runs it, so that a change of directory ends with it."""
    perhaps: bool = False
    """Whether a condition decides which of these commands run, and how often."""
    variable: str = ""
    """What a loop sets for each round; empty for what is none."""
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
    """Return the commands of a text; what cannot be read is taken as it stands and told in `doubts`."""
    words = text.split(" ")
    if len(words) <= _MANY and not text.translate(_PLAIN) and all(words) and words[0] not in _KEYWORDS:
        return ((Simple(tuple([(Text(word, quoted=False),) for word in words])),),)
    return _pipelines(Scanner(text, _pipelines, doubts, depth), "")


_MANY = 1_000
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_PLAIN = str.maketrans("", "", f"{_LETTERS} _./:@%+,-")
"""Signs that mean nothing to a shell: a text of nothing else is one command."""
_SEPARATORS = ("&&", "||", ";;&", ";;", ";&", ";", "&", "\n")
_REDIRECTIONS = ("<<<", "<<-", "<<", "<&", "<>", ">>", ">&", ">|", "&>>", "&>", "<", ">")
_OPENERS = {"if": "fi", "while": "done", "until": "done", "{": "}"}
_CLOSERS = frozenset({"fi", "done", "esac", "}"})
_PASSED_BY = frozenset({"then", "elif", "else", "do", "!", "coproc", "time"})
"""Keywords behind which a command begins as if they were not there."""
_KEYWORDS = _PASSED_BY.union(_OPENERS, _CLOSERS, ("for", "select", "case", "function"))
_SIGN_KEYWORDS = ("{", "}", "!", "[[")
_LONGEST_KEYWORD = len("function")
_NOTHING: Word = (Text(":"),)
"""The command that does nothing: it lets words be looked at for the commands inside them."""
_FUNCTION: Word = (Text("function", quoted=False),)


def _pipelines(source: Scanner, closer: str) -> tuple[Pipeline, ...]:
    """Read pipelines up to a closing sign or keyword; that is read too."""
    found = list[Pipeline]()
    while True:
        _skip(source)
        if source.at >= len(source.text):
            if closer:
                source.doubts.add(BROKEN)
            break
        sign = _separator(source) or _closer(source, closer)
        if not sign:
            found.append(_pipeline(source))
        elif sign == closer or (closer == ";;" and sign in (";&", ";;&", "esac")):
            break
        elif sign == ")" or sign in _CLOSERS:
            source.doubts.add(BROKEN)
    return tuple(found)


def _closer(source: Scanner, wanted: str) -> str:
    """Return what closes here and go past it, but for the end of cases, which their reader takes."""
    if source.skip(")"):
        return ")"
    word = _keyword(source)
    if word not in _CLOSERS:
        return ""
    source.at += 0 if (word, wanted) == ("esac", ";;") else len(word)
    return word


def _separator(source: Scanner) -> str:
    """Return the sign between two commands that stands here and go past it; empty when there is none."""
    if source.text.startswith("&>", source.at):
        return ""
    sign = next((one for one in _SEPARATORS if source.skip(one)), "")
    if sign == "\n":
        waiting, source.waiting = source.waiting, []
        for document in waiting:
            _read_document(source, document)
    return sign


def _keyword(source: Scanner) -> str:
    """Return the plain word that stands here, if it could be a keyword."""
    text, at = source.text, source.at
    end = at + next((len(one) for one in _SIGN_KEYWORDS if text.startswith(one, at)), 0)
    while end < at + _LONGEST_KEYWORD and "a" <= text[end : end + 1] <= "z":
        end += 1
    return text[at:end] if end == len(text) or text[end] in ENDS else ""


def _skip(source: Scanner) -> None:
    """Go past blanks and a comment."""
    source.skip_blanks()
    if source.text.startswith("#", source.at):
        end = source.text.find("\n", source.at)
        source.at = end if end >= 0 else len(source.text)


def _skip_lines(source: Scanner) -> None:
    _skip(source)
    while source.text.startswith("\n", source.at):
        _separator(source)
        _skip(source)


def _pipeline(source: Scanner) -> Pipeline:
    stages = [_command(source)]
    while True:
        _skip(source)
        if source.text.startswith("||", source.at) or not (source.skip("|&") or source.skip("|")):
            return tuple(stages)
        _skip_lines(source)
        stages.append(_command(source))


def _command(source: Scanner) -> Node:
    """Read one command of any kind."""
    while (word := _keyword(source)) in _PASSED_BY:
        source.at += len(word)
        _skip_lines(source)
        if word == "time" and source.text[source.at : source.at + 3].rstrip() == "-p":
            source.at += 2
            _skip(source)
    if source.text.startswith("((", source.at) and (arithmetic := source.arithmetic()):
        return Simple((_NOTHING, (arithmetic,)), _redirections(source))
    if source.skip("("):
        return Group(_body(source, ")"), _redirections(source), inside=True)
    if word in _OPENERS:
        source.at += len(word)
        return Group(_body(source, _OPENERS[word]), _redirections(source), perhaps=word != "{")
    return _READERS.get(word, _simple)(source)


def _body(source: Scanner, closer: str) -> tuple[Pipeline, ...]:
    return source.below(closer)  # type: ignore[return-value]  # words do not know what commands are


def _simple(source: Scanner) -> Node:
    words, redirections, arrays = list[Word](), list[Redirection](), list[tuple[str, tuple[Word, ...]]]()
    while True:
        begun = source.at
        source.skip_blanks()
        if source.at > begun:
            _skip(source)  # a comment ends the command anyway
        if redirection := _redirection(source):
            redirections.append(redirection)
        elif (word := source.word()) is None:
            break
        elif words == [_FUNCTION] or (not words and _plain(word) and _is_called(source)):
            _is_called(source)
            return _function(source, _plain(word))
        elif (
            source.text.startswith("(", source.at)
            and (assigned := assignment_in(_plain(word)))
            and not assigned[2]
        ):
            arrays.append((assigned[0], _array(source)))
        else:
            words.append(word)
    if not words and not redirections and not arrays:
        source.at += 1  # a sign that begins nothing: the shell would stop here
        source.doubts.add(BROKEN)
    return Simple(tuple(words), tuple(redirections), tuple(arrays))


def _is_called(source: Scanner) -> bool:
    """Tell whether the brackets follow that make the word before them a function, and go past them."""
    begun = source.at
    source.skip_blanks()
    if source.skip("("):
        source.skip_blanks()
        if source.skip(")"):
            return True
    source.at = begun
    return False


def _function(source: Scanner, name: str) -> Function:
    _skip_lines(source)
    if source.depth >= MOST_DEPTH:
        source.doubts.add(DEEP)
        source.at = len(source.text)
        return Function(name, Simple(()))
    source.depth += 1
    body = _command(source)
    source.depth -= 1
    return Function(name, body)


def _array(source: Scanner) -> tuple[Word, ...]:
    source.at += 1
    words = _several(source, _skip_lines)
    source.at += 1
    return words


def _several(source: Scanner, skip: "Callable[[Scanner], None]") -> tuple[Word, ...]:
    words = list[Word]()
    skip(source)
    while (word := source.word()) is not None:
        words.append(word)
        skip(source)
    return tuple(words)


def _words_to(source: Scanner, closer: str) -> list[Word]:
    """Return the words before a closing sign and go past it, whatever signs stand between them."""
    words = list[Word]()
    while source.at < len(source.text):
        _skip_lines(source)
        if source.skip(closer):
            break
        if (word := source.word()) is not None:
            words.append(word)
        else:
            source.at += 1
    return words


def _plain(word: Word) -> str:
    """Return an unquoted word as text; empty when any of it is quoted or stands for something else."""
    texts = [part.text for part in word if isinstance(part, Text) and not part.quoted]
    return "".join(texts) if len(texts) == len(word) else ""


def _redirections(source: Scanner) -> tuple[Redirection, ...]:
    found = list[Redirection]()
    while True:
        _skip(source)
        redirection = _redirection(source)
        if redirection is None:
            return tuple(found)
        found.append(redirection)


def _redirection(source: Scanner) -> Redirection | None:
    """Return the redirection that stands here, without the number or name before it, and go past it."""
    begun, text = source.at, source.text
    if text.startswith("{", begun):
        name, closed, _ = text[begun + 1 : begun + 80].partition("}")
        source.at += len(name) + 2 if closed and name.replace("_", "a").isalnum() else 0
    while "0" <= text[source.at : source.at + 1] <= "9":
        source.at += 1
    is_sign = text[source.at : source.at + 1] in ("<", ">", "&")
    sign = next((one for one in _REDIRECTIONS if source.skip(one)), "") if is_sign else ""
    if not sign or (sign in ("<", ">", "<>") and text.startswith("(", source.at)):
        source.at = begun
        return None
    _skip(source)
    target = source.word() or ()
    if sign not in ("<<", "<<-"):
        return Redirection(sign, target)
    mark = "".join([part.text for part in target if isinstance(part, Text)])
    quoted = any(not isinstance(part, Text) or part.quoted for part in target)
    source.waiting.append(document := HereDocument(mark, quoted=quoted, tabs=sign == "<<-"))
    return Redirection(sign, target, document)


def _loop(source: Scanner) -> Group:
    source.at += len(_keyword(source))
    _skip(source)
    head, name, words = source.arithmetic(), "", None
    if head is None:
        name = _plain(source.word() or ())
        _skip_lines(source)
        if _keyword(source) == "in":
            source.at += 2
            words = _several(source, _skip)
    counted = [(Simple((_NOTHING, (head,))),)] if head else []
    body = (*counted, *_body(source, "done"))
    return Group(body, _redirections(source), perhaps=True, variable=name, words=words)


def _case(source: Scanner) -> Group:
    source.at += len("case")
    _skip(source)
    looked_at, body = [_NOTHING, source.word() or ()], list[Pipeline]()
    _skip_lines(source)
    source.at += 2 if _keyword(source) == "in" else 0
    while source.at < len(source.text):
        _skip_lines(source)
        if _keyword(source) == "esac":
            source.at += len("esac")
            break
        source.skip("(")
        looked_at += _words_to(source, ")")
        body += _body(source, ";;")
    return Group(((Simple(tuple(looked_at)),), *body), _redirections(source), perhaps=True)


def _test(source: Scanner) -> Simple:
    source.at += 2
    return Simple((_NOTHING, *_words_to(source, "]]")), _redirections(source))


_READERS: "dict[str, Callable[[Scanner], Node]]" = {"for": _loop, "select": _loop, "case": _case, "[[": _test}


def _read_document(source: Scanner, document: HereDocument) -> None:
    """Read a here-document from the line that begins here, and go behind the line that ends it."""
    text, lines = source.text, list[str]()
    while source.at < len(text):
        end = text.find("\n", source.at)
        line = text[source.at : end if end >= 0 else len(text)]
        source.at = end + 1 if end >= 0 else len(text)
        line = line.lstrip("\t") if document.tabs else line
        if line.rstrip("\r") == document.mark:
            break
        lines.append(line)
    body = "".join([f"{line}\n" for line in lines])
    inner = Scanner(body, source.nested, source.doubts, source.depth + 1)
    document.parts = (Text(body),) if document.quoted else inner.document_text()
