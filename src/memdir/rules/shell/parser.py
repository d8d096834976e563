"""Reads a shell text as commands: leniently, in one pass, running nothing.

A host waits for this module: it does without `typing`.
"""

from memdir.rules.invocation import assignment_in
from memdir.rules.shell.scanner import BROKEN, DEEP, MOST_DEPTH, Part, Scanner, Text, Word
from memdir.rules.shell.tokens import (
    arithmetic_end,
    blanks_end,
    call_end,
    function_at,
    ignored_end,
    keyword_at,
    redirection_at,
    separator_at,
)
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Function", "Group", "HereDocument", "Loop", "Node", "Pipeline", "Redirection", "Simple", "parse"]


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
class Pipeline:
    """Commands of which each reads what the one before it prints."""

    stages: "tuple[Node, ...]"


@value_class(frozen=True, slots=True)
class Group:
    """Commands between brackets or keywords; what a condition decides is not decided here: all may run."""

    body: "tuple[Pipeline, ...]"
    redirections: tuple[Redirection, ...] = ()
    inside: bool = False
    """Whether a shell of its own runs it, so that a change of directory ends with it."""
    perhaps: bool = False
    """Whether a condition decides which of these commands run, and how often."""


@value_class(frozen=True, slots=True)
class Loop:
    """Commands that run once for each word."""

    name: str
    words: tuple[Word, ...] | None
    body: Group


@value_class(frozen=True, slots=True)
class Function:
    """Commands that run when their name is called."""

    name: str
    body: "Node"


Node = Simple | Group | Loop | Function | Pipeline


def parse(text: str, doubts: set[str], depth: int = 0) -> tuple[Pipeline, ...]:
    """Return the commands of a text; what cannot be read is taken as it stands and told in `doubts`."""
    return _pipelines(Scanner(text, _pipelines, doubts, depth), "")


_OPENERS = {"if": "fi", "while": "done", "until": "done", "{": "}"}
_CLOSERS = frozenset({"fi", "done", "esac", "}"})


def _pipelines(source: Scanner, closer: str) -> tuple[Pipeline, ...]:
    """Read pipelines up to a closing sign or keyword; that is read too."""
    found = list[Pipeline]()
    text = source.text
    while True:
        _skip(source)
        if source.at >= len(text):
            if closer:
                source.doubts.add(BROKEN)
            break
        if separator := separator_at(text, source.at):
            if closer == ";;" and separator in (";;", ";&", ";;&"):
                source.at += len(separator)
                break
            _pass_separator(source, source.at + len(separator))
        elif text[source.at] == ")":
            source.at += 1
            if closer == ")":
                break
            source.doubts.add(BROKEN)
        elif _closes(source, closer):
            break
        else:
            found.append(_pipeline(source))
    return tuple(found)


def _closes(source: Scanner, closer: str) -> bool:
    """Tell whether the keyword here ends what is being read; one that ends nothing is passed by."""
    word = keyword_at(source.text, source.at)
    if closer == ";;" and word == "esac":
        return True  # left for the one who reads the cases
    if word in _CLOSERS:
        source.at += len(word)
        return word == closer
    return False


def _pass_separator(source: Scanner, end: int) -> None:
    line_ended = source.text[source.at] == "\n"
    source.at = end
    if line_ended and source.waiting:
        _read_documents(source)


def _skip(source: Scanner) -> None:
    """Go past blanks and a comment."""
    source.at = blanks_end(source.text, source.at)
    if source.text.startswith("#", source.at):
        end = source.text.find("\n", source.at)
        source.at = end if end >= 0 else len(source.text)


def _pipeline(source: Scanner) -> Pipeline:
    stages = [_command(source)]
    while True:
        _skip(source)
        text, at = source.text, source.at
        if not text.startswith("|", at) or text.startswith("||", at):
            return Pipeline(tuple(stages))
        source.at += 2 if text.startswith("|&", at) else 1
        _skip_lines(source)
        stages.append(_command(source))


def _skip_lines(source: Scanner) -> None:
    _skip(source)
    while source.text.startswith("\n", source.at):
        _pass_separator(source, source.at + 1)
        _skip(source)


def _command(source: Scanner) -> Node:
    """Read one command of any kind."""
    while end := ignored_end(source.text, source.at):
        source.at = end
        _skip_lines(source)
    word = keyword_at(source.text, source.at)
    text = source.text
    if end := arithmetic_end(source.text, source.at):
        source.at = end
        return Simple(())
    if text.startswith("(", source.at):
        source.at += 1
        return Group(_body(source, ")"), _redirections(source), inside=True)
    if word in _OPENERS:
        source.at += len(word)
        return Group(_body(source, _OPENERS[word]), _redirections(source), perhaps=word != "{")
    if word == "function" and (named := function_at(text, source.at)):
        source.at = named[1]
        return _function(source, named[0])
    return _READERS.get(word, _simple)(source)


def _body(source: Scanner, closer: str) -> tuple[Pipeline, ...]:
    return source.below(closer)  # type: ignore[return-value]  # words do not know what commands are


def _simple(source: Scanner) -> Node:
    words, redirections, arrays = list[Word](), list[Redirection](), list[tuple[str, tuple[Word, ...]]]()
    while True:
        _skip_within(source)
        if redirection := _redirection(source):
            redirections.append(redirection)
        elif (word := source.word()) is not None:
            name = _plain(word)
            if (
                source.text.startswith("(", source.at)
                and (assigned := assignment_in(name))
                and not assigned[2]
            ):
                arrays.append((assigned[0], _array(source)))
            elif not words and name and (end := call_end(source.text, source.at)):
                source.at = end
                return _function(source, name)
            else:
                words.append(word)
        else:
            break
    if not words and not redirections and not arrays:
        source.at += 1  # a sign that begins nothing: the shell would stop here
        source.doubts.add(BROKEN)
    return Simple(tuple(words), tuple(redirections), tuple(arrays))


def _skip_within(source: Scanner) -> None:
    """Go past blanks; a comment ends the command anyway."""
    begun = source.at
    source.at = blanks_end(source.text, begun)
    if source.at > begun:
        _skip(source)


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
    sign, end = redirection_at(source.text, source.at)
    if not sign or (sign in ("<", ">", "<>") and source.text.startswith("(", end)):
        return None
    source.at = end
    _skip(source)
    target = source.word() or ()
    if sign not in ("<<", "<<-"):
        return Redirection(sign, target)
    mark = "".join([part.text for part in target if isinstance(part, Text)])
    quoted = any(not isinstance(part, Text) or part.quoted for part in target)
    document = HereDocument(mark, quoted=quoted, tabs=sign == "<<-")
    source.waiting.append(document)
    return Redirection(sign, target, document)


def _loop(source: Scanner) -> Node:
    source.at += len(keyword_at(source.text, source.at))
    _skip(source)
    if end := arithmetic_end(source.text, source.at):
        source.at = end
        name, words = "", None
    else:
        name, words = _plain(source.word() or ()), None
        _skip_lines(source)
        if keyword_at(source.text, source.at) == "in":
            source.at += 2
            words = _several(source, _skip)
    return Loop(name, words, Group(_body(source, "done"), _redirections(source), perhaps=True))


def _case(source: Scanner) -> Group:
    source.at += len("case")
    _skip(source)
    subject = source.word() or ()
    _skip_lines(source)
    source.at += 2 if keyword_at(source.text, source.at) == "in" else 0
    found = [Pipeline((Simple((_NOTHING, subject)),))]
    while source.at < len(source.text):
        _skip_lines(source)
        if keyword_at(source.text, source.at) == "esac":
            source.at += len("esac")
            break
        while source.at < len(source.text) and source.text[source.at] != ")":
            if source.word() is None:
                source.at += 1
        source.at += 1
        found += _body(source, ";;")
    return Group(tuple(found), _redirections(source), perhaps=True)


_NOTHING: Word = (Text(":"),)
"""The command that does nothing: it lets words be looked at for the commands inside them."""


def _test(source: Scanner) -> Simple:
    source.at += 2
    words = list[Word]([_NOTHING])
    while source.at < len(source.text):
        _skip_lines(source)
        if source.text.startswith("]]", source.at):
            source.at += 2
            break
        word = source.word()
        if word is None:
            source.at += 1
        else:
            words.append(word)
    return Simple(tuple(words), _redirections(source))


_READERS: "dict[str, Callable[[Scanner], Node]]" = {"for": _loop, "select": _loop, "case": _case, "[[": _test}


def _read_documents(source: Scanner) -> None:
    """Read the here-documents that wait for the line that begins here."""
    waiting, source.waiting = source.waiting, []
    for document in waiting:
        body = _lines_to(source, document)
        inner = Scanner(body, source.nested, source.doubts, source.depth + 1)
        document.parts = (Text(body),) if document.quoted else inner.document_text()


def _lines_to(source: Scanner, document: HereDocument) -> str:
    """Return the lines before the one that ends a here-document, and go behind that."""
    text, lines = source.text, list[str]()
    while source.at < len(text):
        end = text.find("\n", source.at)
        line = text[source.at : end if end >= 0 else len(text)]
        source.at = end + 1 if end >= 0 else len(text)
        line = line.lstrip("\t") if document.tabs else line
        if line.rstrip("\r") == document.mark:
            break
        lines.append(line)
    return "".join([f"{line}\n" for line in lines])
