"""An abstract interpreter of shell texts: it shows every command that would run, and runs nothing.

Both sides of a condition count, loops run once for all their words, and what only the running shell can know
is marked as unknown. Time grows with the text: depth, work and choices are bounded, and where a bound or a
mistake in the text cuts the interpretation short, a doubt says so.

A host waits for this module: it does without `typing`.
"""

from memdir.rules.invocation import (
    DECODED,
    DISGUISED,
    UNKNOWN,
    FileAccess,
    Invocation,
    absolute_path,
    assignment_in,
    quote,
)
from memdir.rules.shell.builtins import PROGRAMS, expand_alias
from memdir.rules.shell.expansion import Variables
from memdir.rules.shell.nested_commands import inner_command
from memdir.rules.shell.parser import KEYWORDS, Function, Group, Node, Pipeline, Redirection, Simple, parse
from memdir.rules.shell.scanner import DEEP, LONG, MOST_DEPTH, Output, Text, Variable, Word
from memdir.text.program_names import ALIASED, RUN_SETTINGS, SETTINGS, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Shell", "interpret"]

MOST_WORK = 8 << 20
"""Characters that one interpretation looks at: some times the longest command that a host hands over."""


_COMMAND_WORK, _CALL_WORK = 64, 1_000
"""What a command costs besides its letters, and a call: functions that call each other come to an end."""

_MANY = 1_000
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_PLAIN = str.maketrans("", "", f"{_LETTERS} _./:@%+,-")
"""Signs that mean nothing to a shell: a text of nothing else is one command."""

_INTO = frozenset({">", ">>", ">|", "&>", "&>>"})
"""Signs before a file that is written."""


def interpret(
    text: str, directory: str, observer: "Callable[[Invocation], str | None]", home: str = ""
) -> "Shell":
    """Show each command of a text to the observer, who may say what it prints; return the shell."""
    shell = Shell(directory, observer, home)
    shell.source(text.replace(UNKNOWN, ""), UNKNOWN)
    return shell


class Shell:
    """What a shell would know while it runs a text: variables, functions, aliases, files it has written."""

    def __init__(
        self, directory: str, observer: "Callable[[Invocation], str | None]", home: str = ""
    ) -> None:
        """Begin in a directory, knowing nothing but the user's home."""
        self.directory, self.home, self._observe = directory, home, observer
        self.doubts: set[str] = set()
        """Why the interpretation may have missed something, each as the end of a sentence."""
        self.accesses: list[FileAccess] = []
        """The files that redirections read and write."""
        self.unread: list[str] = []
        """Texts that another program than a shell runs: they are not evaluated."""
        known: dict[str, tuple[str, ...]] = {"IFS": (" \t\n",)}
        known |= {"HOME": (home,)} if home else {}
        self.values = Variables(self._command_output, known)
        self.aliases: dict[str, str] = {}
        self.git_aliases: dict[str, str] = {}
        self.files: dict[str, str] = {}
        """The texts of the files that this very command wrote."""
        self.sure = True
        """Whether the command at hand is certain to run, and once."""
        self._functions: dict[str, Node] = {}
        self._copies: dict[str, str] = {}
        self._depth, self._work = 0, 0

    def source(self, text: str, stdin: str) -> str:
        """Interpret a text and return what it prints."""
        self._work += len(text) + 1
        if DISGUISED in text:
            self.doubts.add(DECODED)
        if self._work > MOST_WORK:
            self.doubts.add(LONG)
            return UNKNOWN
        words = text.split(" ")
        if len(words) <= _MANY and not text.translate(_PLAIN) and all(words) and words[0] not in KEYWORDS:
            return self.run(words, stdin)
        return self._script(parse(text, self.doubts, self._depth), stdin)

    def run(self, words: "Sequence[str]", stdin: str) -> str:
        """Interpret one command with all its words known, and return what it prints."""
        self._work += sum(map(len, words)) + _COMMAND_WORK  # also for a mere assignment, which has no words
        if not words:
            return ""
        if self._work > MOST_WORK:
            self.doubts.add(LONG)
            return ""
        name = words[0]
        if name in self.aliases:
            text = self.aliases.pop(name)
            printed = self.source(f"{text} {quote(words[1:])}", stdin)
            self.aliases[name] = text
            return printed
        if name in self._functions:
            return self._call(self._functions[name], words[1:], stdin)
        return self.start(words, stdin)

    def start(self, words: "Sequence[str]", stdin: str) -> str:
        """Interpret a program, whatever functions and aliases are called like it."""
        if not words:
            return ""
        if self._depth >= MOST_DEPTH:
            self.doubts.add(DEEP)
            return ""
        self._depth += 1
        name = program(words[0])
        told = [(option, self.values.known_values(key)) for key, option in SETTINGS.get(name, ())]
        # What a program is told by variables that are set here, as options.
        given = (*words, *[word for option, texts in told if texts for word in (option, texts[-1])])
        plain = [word.replace(DISGUISED, UNKNOWN) if DISGUISED in word else word for word in given]
        answer = self._observe(Invocation(tuple(plain), stdin, self.directory))
        printed = self._effect(words, stdin)
        if (copied := self._copies.get(name)) is not None:
            printed = self.start([copied, *words[1:]], stdin)
        self._depth -= 1
        return printed if answer is None else answer

    def file(self, path: str) -> str:
        """Return the text that this very command wrote into a file; of other files nothing is known."""
        return self.files.get(path.removeprefix("./"), UNKNOWN)

    def write(self, path: str, text: str, *, added: bool = False) -> None:
        """Remember the text of a file, or what is added to it."""
        before = self.file(path) if added else ""
        self.files[path.removeprefix("./")] = before + text
        self.accesses.append(FileAccess("Write", absolute_path(path, self.directory), text))

    def copy(self, source: str, target: str) -> None:
        """Remember that a file is another one from here on, by a link or as a copy."""
        place = target + source.rpartition("/")[2] if target.endswith("/") else target
        if (text := self.file(source)) != UNKNOWN:
            self.files[place.removeprefix("./")] = text
        if program(place) != program(source):
            self._copies[program(place)] = source

    def _effect(self, words: "Sequence[str]", stdin: str) -> str:
        """Do what a program would do, as far as it matters, and return what it prints."""
        name = program(words[0])
        if (known := PROGRAMS.get(name)) is not None:
            return known(self, words, stdin)
        if name in ALIASED:
            expand_alias(self, words)
        if (inner := inner_command(words, stdin)) is not None:
            if name == "split":
                self.values.put("FILE", ["xaa"])  # as it calls the first part
            command, texts = inner
            return "".join([self.source(text, stdin) for text in texts]) or self.start(command, stdin)
        if (text := self.file(words[0])) != UNKNOWN:
            return self._call(Group(parse(text, self.doubts, self._depth)), words[1:], stdin)
        # What it reads may be in what it prints, in disguise.
        return DISGUISED if stdin.strip() and UNKNOWN not in stdin else UNKNOWN

    def _call(self, body: Node, words: "Sequence[str]", stdin: str) -> str:
        self._work += _CALL_WORK
        self.values.put_arguments(words)
        return self._script(((body,),), stdin)

    def _script(self, script: "Sequence[Pipeline]", stdin: str) -> str:
        if self._depth >= MOST_DEPTH:
            self.doubts.add(DEEP)
            return UNKNOWN
        self._depth += 1
        printed = list[str]()
        for pipeline in script:
            if self._work > MOST_WORK:
                self.doubts.add(LONG)
                break
            text = stdin
            for node in pipeline:
                if isinstance(node, Function):
                    self._functions[node.name], text = node.body, ""
                else:
                    text = self._simple(node, text) if isinstance(node, Simple) else self._group(node, text)
            printed.append(text)
        self._depth -= 1
        return "".join(printed)

    def _group(self, group: Group, stdin: str) -> str:
        sure, directory = self.sure, self.directory
        if group.variable:
            ways = self.values.fields(group.words) if group.words is not None else [[UNKNOWN]]
            found = [word for way in ways for word in way]
            self.values.put(group.variable, found, sure=bool(found))  # without a word it keeps what it had
        self.sure = sure and not group.is_conditional
        printed = self._script(group.body, self._input(group.redirections, stdin))
        self.sure = sure
        if group.is_subshell:
            self.directory = directory
        return self._output(group.redirections, printed)

    def _simple(self, node: Simple, stdin: str) -> str:
        for name, members in node.arrays:
            self.values.put_list(name, self.values.fields(members)[-1])
        settings = list[tuple[str, bool, Word]]()
        for word in node.words:
            first = word[0] if word else None
            text = first.text if isinstance(first, Text) and not first.quoted else ""
            found = assignment_in(text) if "=" in text else None
            if found is None:
                break
            settings.append((found[0], found[1], (Text(found[2]), *word[1:])))
        ways = self.values.fields(node.words[len(settings) :])
        stdin = self._input(node.redirections, stdin) if node.redirections else stdin
        before = [(name, self._assign(name, value, added=added)) for name, added, value in settings]
        if len(settings) == len(node.words):
            before = []  # they last
        for name, _ in before:
            for text in self.values.known_values(name) if name.endswith(RUN_SETTINGS) else ():
                self.source(text, "")
        sure, self.sure = self.sure, self.sure and len(ways) == 1
        printed = [self.run(way, stdin) for way in ways]
        self.sure = sure
        for name, texts in reversed(before):
            self.values.put_back(name, texts)
        return self._output(node.redirections, printed[-1])

    def _assign(self, name: str, value: Word, *, added: bool) -> tuple[str, ...]:
        """Set a variable, or add to it, and return what it had."""
        texts = self.values.texts(value)
        if added:
            before = self.values.texts((Variable(name, quoted=True),))
            texts = tuple([old + new for old in before for new in texts])
        return self.values.put(name, texts, sure=self.sure)

    def _input(self, redirections: "Sequence[Redirection]", stdin: str) -> str:
        for one in redirections:
            if one.sign in ("<<", "<<-", "<<<"):
                stdin = self.values.texts(one.target)[0] + ("\n" if one.sign == "<<<" else "")
            elif one.sign in ("<", "<>"):
                paths = self.values.texts(one.target)
                self.accesses += [FileAccess("Read", absolute_path(path, self.directory)) for path in paths]
                stdin = self.file(paths[0])
        return stdin

    def _output(self, redirections: "Sequence[Redirection]", printed: str) -> str:
        for one in redirections:
            for path in self.values.texts(one.target) if ">" in one.sign else ():
                is_file = one.sign != ">&" or path.strip(f"0123456789-{UNKNOWN}")
                if is_file:
                    self.write(path, printed, added=">>" in one.sign)
            printed = "" if one.sign in _INTO else printed
        return printed

    def _command_output(self, output: Output) -> str:
        directory = self.directory
        text = self._script(output.script, UNKNOWN)
        self.directory = directory
        if output.kind == "pipe":
            name = f"/dev/fd/{len(self.files)}"
            self.files[name] = text
            return name
        return text.rstrip("\n") if output.kind == "text" else UNKNOWN
