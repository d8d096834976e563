"""What rules say of a shell command: how well each fits, and the words that were found.

A host waits for this module: it imports late and does without `typing`.
"""

from itertools import pairwise

from memdir.rules.command_line import CommandLine
from memdir.rules.fast_check import MAY_CHANGE
from memdir.rules.invocation import (
    DECODED,
    UNKNOWN,
    FileAccess,
    Invocation,
    absolute_path,
    short_letters,
)
from memdir.rules.match import NO, PERHAPS, YES, Pattern, fit, is_named_in, names_in, pattern_of
from memdir.rules.paths import file_fits
from memdir.rules.shell.builtins import PROGRAMS
from memdir.rules.shell.interpreter import Shell, interpret
from memdir.rules.shell.nested_commands import inner_command, starts_programs
from memdir.text.program_names import (
    EDITORS,
    HARMLESS,
    INLINE,
    SAME_AS_GIT,
    SEARCHERS,
    SHELLS,
    SILENT,
    SPEAKERS,
    names_of,
    program,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from memdir.memories.enforce import Rule
    from memdir.rules.git import GitReader
    from memdir.rules.paths import BaseFolders, ProtectedFiles

    Finding = tuple[Rule | None, int, str]
    """A rule, or None where what is protected is changed; how well it fits; the words that were found."""

__all__ = ["check_command"]


class _SurelyDenied(Exception):
    """A rule forbids the command: nothing else has to be known of it."""


def check_command(
    command: str,
    rules: "Sequence[Rule]",
    file_rules: "Mapping[str, Sequence[Rule]]",
    folders: "BaseFolders",
    *,
    branch: "Callable[[str], str] | None",
    protected: "ProtectedFiles | None",
) -> "Iterator[Finding]":
    """Yield the rules about commands that mean a command, and those that mean the files it reads or writes.

    The rules about files come by the tool, Read or Write, that does the same.
    """
    check = _CommandCheck(rules, branch, folders.home, files=any(file_rules.values()))
    try:
        shell = interpret(command, folders.cwd, check.observe, folders.home)
    except _SurelyDenied:
        yield from check.found.values()
        return
    check.compare_unread(shell, command)
    yield from check.found.values()
    files = dict.fromkeys([*shell.accesses, *check.touched, *_named_files(shell, folders.cwd)])
    for tool, some in file_rules.items():
        for rule in some:
            for file in files:
                fits = file_fits(rule.pattern, file, folders) if file.tool == tool else NO
                if fits != NO:
                    yield rule, fits, f"{'<' if tool == 'Read' else '>'} {_shorten(file.path)}"
    if protected and (change := _protected_change(protected, folders, command, check.seen, shell)):
        yield None, PERHAPS, _shorten(change)


def _named_files(shell: Shell, directory: str) -> "Iterator[FileAccess]":
    """Yield the files that texts may read or write which are not evaluated."""
    for text in shell.unread:
        for word in text.translate(_SIGNS).split():
            for tool in ("Read", "Write"):
                yield FileAccess(tool, absolute_path(word, directory), sure=False)


_SIGNS = str.maketrans(dict.fromkeys("\"'`<>|&;()=:", " "))
"""What stands around a path in most languages."""


def _protected_change(
    protected: "ProtectedFiles",
    folders: "BaseFolders",
    command: str,
    seen: "Sequence[Invocation]",
    shell: Shell,
) -> str:
    """Return the words that change what is protected; empty when none do."""
    texts = ["\n".join([*one.words, one.directory, one.stdin]) for one in seen]
    marks = (*"*?[", *protected.marks())
    writes = any(one.tool == "Write" for one in shell.accesses)
    is_suspect = writes or shell.unread or any(program(one.words[0]) in MAY_CHANGE for one in seen)
    if not is_suspect and not any(mark in text for text in texts for mark in marks):
        return ""  # a closer look is slow
    from memdir.rules.self_protection import protected_change  # most commands come nowhere near

    return protected_change(protected, folders, command, seen, shell)


class _CommandCheck:
    """Compares rules with each command while it is interpreted."""

    def __init__(
        self, rules: "Sequence[Rule]", branch: "Callable[[str], str] | None", home: str, *, files: bool
    ) -> None:
        """Take the rules about commands, who knows branches, and whether files matter."""
        self.found: dict[int, tuple[Rule, int, str]] = {}
        """By the place of the rule among the rules."""
        self.touched: list[FileAccess] = []
        self.seen: list[Invocation] = []
        self._cases = [(number, rule, pattern_of(rule.pattern)) for number, rule in enumerate(rules)]
        self._files, self._branch, self._home = files, branch, home
        self._git: GitReader | None = None

    def observe(self, invocation: Invocation) -> str | None:
        """Compare one command with the rules; return what it prints, if that is known."""
        self.seen.append(invocation)
        words, directory = invocation.words, invocation.directory
        call = self._call(words, directory)
        for number, rule, pattern in self._cases:
            fits = self._fit(pattern, invocation, call)
            if fits < self.found.get(number, (rule, NO))[1]:
                self.found[number] = (rule, fits, _shorten(" ".join(words)))
            if fits == YES and rule.bound and rule.verb == "deny":
                raise _SurelyDenied
        printed = self._git.branch_output(call.words, directory) if call.name == "git" and self._git else None
        if self._files:
            from memdir.rules.shell.files import files_of, paths_printed_by  # for rules about files alone

            for file in files_of(words, invocation.stdin):
                path = absolute_path(file.path, directory)
                source = absolute_path(file.source, directory) if file.source else ""
                self.touched.append(FileAccess(file.tool, path, file.text, file.sure, file.deep, source))
            printed = printed or paths_printed_by(words, directory)
        return printed

    def compare_unread(self, shell: Shell, command: str) -> None:
        """Note the rules that may mean what was not evaluated, or what a doubt is about."""
        for number, rule, pattern in self._cases:
            unread = [_shorten(text) for text in shell.unread if is_named_in(pattern, text)]
            doubts = [one for one in sorted(shell.doubts) if one == DECODED or names_in(pattern, command)]
            for words in (*unread, *doubts):
                self.found.setdefault(number, (rule, PERHAPS, words))

    def _call(self, words: "Sequence[str]", directory: str) -> CommandLine:
        """Take a command apart, one of git in its plain form; what knows git is loaded for the first one."""
        name = program(words[0])
        if not name.startswith("git") and name not in SAME_AS_GIT:
            return CommandLine(words)
        if self._git is None:
            from memdir.rules.git import GitReader

            self._git = GitReader(self._branch, self._home)
        return CommandLine(self._git.form(words, directory) or words)

    def _fit(self, pattern: Pattern, invocation: Invocation, call: CommandLine) -> int:
        """Say whether a pattern means a command, or what may be inside it."""
        words, stdin, name = invocation.words, invocation.stdin, program(invocation.words[0])
        calls = [call]
        if call.name != name or (pattern.values and call.name == "git"):
            calls.append(CommandLine(words))
        if pattern.program == "*" and pattern.names:
            own = self._call(_own_words(words), invocation.directory)
            calls = [] if _only_tells(call) else [own]
        fits = min([fit(pattern, one, stdin) for one in calls], default=NO)
        pieces = pattern.program.split("*")
        is_named = any(all(one in text.lower() for one in pieces) for text in (*words[1:], stdin))
        if fits != NO or not is_named:
            return fits
        if (code := starts_programs(words, stdin)) and names_in(pattern, code):
            return PERHAPS
        if pattern.program == "*":
            return NO
        hidden = _hidden_commands(invocation, pattern.program)
        if len(hidden) > _MOST_HIDDEN:
            return PERHAPS
        for command, is_placed in hidden:
            inner = self._call(command, invocation.directory)
            if (is_placed or pattern.names > 1 or inner.operands) and fit(pattern, inner, "") != NO:
                return PERHAPS
        return NO


def _only_tells(call: CommandLine) -> bool:
    """Tell whether a command only prints, searches or sets something."""
    if call.name == "git":
        return bool(call.operands) and call.operands[0][0] in _GIT_LOOKS
    return call.name in SPEAKERS or call.name in SILENT


_GIT_LOOKS = frozenset({"grep", "log", "show", "diff", "blame", "help", "shortlog", "rev-list"})


def _own_words(words: "Sequence[str]") -> "Sequence[str]":
    """Return a command without the one that it runs."""
    name = program(words[0])
    if name in SEARCHERS:
        from memdir.rules.shell.bulk_changes import search_words  # few commands need it

        return search_words(words)
    if name in ("xargs", "parallel"):
        return words[:1]
    inner, _ = inner_command(words) or ((), ())
    return words[: len(words) - len(inner)]


_RUNS = names_of("runs")
"""Options whose value may be a command; the values of others are taken for texts."""
_MOST_HIDDEN = 32
"""Places in one command where a rule's program may be started: with more it is asked about at once."""
_LONGEST = 1 << 16
"""Characters of what a program reads that are looked at: only lines count that name a rule's program."""


def _hidden_commands(invocation: Invocation, wanted: str) -> "list[tuple[Sequence[str], bool]]":
    """Return where a command may run another program, and for each whether its place makes that likely."""
    words, name = invocation.words, program(invocation.words[0])
    end, script, texts = len(words), 0, list[str]()  # where to stop looking, and where a script stands
    if name == "git":
        end, texts = 0, [word.partition("=")[2] for before, word in pairwise(words) if before == "-c"]
    elif name in _KNOWN:
        end = 0
    elif name in _RUN_SCRIPTS or name in INLINE:
        script = next((at for at, word in enumerate(words) if at and word[:1] != "-"), 0)
        end = 0 if _has_code(words, name) else end
    elif inner := inner_command(words):
        command, _ = inner
        end = len(words) - len(command) if command else 0
    else:
        lines = [line for line in invocation.stdin.split("\n") if wanted in line and UNKNOWN not in line]
        texts = [*_texts(words), "\n".join(lines)[:_LONGEST]]
    started = list[Invocation]()
    for text in texts:
        interpret(text, "", started.append)
    places = [at for at in range(1, end) if program(words[at]) == wanted][: _MOST_HIDDEN + 1]
    in_words = [(words[at:], at == script or words[at - 1] in _RUNS) for at in places]
    in_texts = [(one.words, name == "git") for one in started if program(one.words[0]) == wanted]
    return [*in_words, *in_texts]


def _has_code(words: "Sequence[str]", name: str) -> bool:
    """Tell whether a shell or an interpreter is given its code in a word: those behind it are arguments."""
    if name in ("source", "."):
        return False
    letters = "c" if name in SHELLS else "ceEpr"
    return not {*letters}.isdisjoint(short_letters(words[1:3]))


_RUN_SCRIPTS = SHELLS | {"source", "."}
_KNOWN = HARMLESS.union(EDITORS, PROGRAMS) - _RUN_SCRIPTS
"""Programs that run none of their words, or in a way that the interpreter knows."""


def _texts(words: "Sequence[str]") -> "Iterator[str]":
    """Yield the words that may be texts for a shell."""
    for before, word in pairwise(words):
        name, assigned, value = word.partition("=")
        if word[:1] != "-":
            is_run = before in _RUNS or (before[1:2] != "-" and before[-1:] in "cex")
            if " " in word and (before[:1] != "-" or is_run):
                yield word
        elif assigned and name in _RUNS:
            yield value
        elif word[:2] in _RUNS and word[2:]:
            yield word[2:]


def _shorten(words: str) -> str:
    """Return words as a person may read them: not too many, and what is not known as three dots."""
    while UNKNOWN * 2 in words:
        words = words.replace(UNKNOWN * 2, UNKNOWN)
    text = words.replace(UNKNOWN, "…").encode("utf-8", "replace").decode()  # a host may read it as UTF-8
    return text if len(text) <= 120 else f"{text[:119]}…"
