"""Rules about commands, compared while a command is interpreted: how well each fits, and its words.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.rules.command_line import CommandLine
from memdir.rules.fast_check import MAY_CHANGE
from memdir.rules.invocation import (
    DECODED,
    UNKNOWN,
    FileAccess,
    Interpretation,
    Invocation,
    absolute_path,
    program,
)
from memdir.rules.match import NO, PERHAPS, YES, Pattern, fit, is_named_in, names_in, pattern_of
from memdir.rules.shell.builtins import PROGRAMS
from memdir.rules.shell.interpreter import interpret
from memdir.rules.shell.nested_commands import inner_command, is_interpreter, starts_programs
from memdir.text.program_names import (
    EDITORS,
    EXECUTES,
    HARMLESS,
    SAME_AS_GIT,
    SEARCHERS,
    SHELLS,
    SILENT,
    SPEAKERS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from memdir.memories.enforce import Rule
    from memdir.rules.git import GitReader
    from memdir.rules.paths import BaseFolders, ProtectedFiles

__all__ = ["CommandCheck", "shorten"]

_RUNS = frozenset(
    (
        *("-c", "-e", "-x", "-C", "--command", "--cmd", "--exec", "--execute", "--run", "--eval", "--call"),
        *("--shell", "--script", "--extcmd", "--hook", "--then"),
    )
)
"""Options whose value may be a command; the values of others are taken for texts."""
_BEFORE = _RUNS | {"--"}
"""Words behind which even the name of a program alone may be a command."""


_MOST = 32
"""Words of one command at which the same program may begin."""
_LONGEST = 1 << 16
"""Characters of what a program reads that are looked at: only lines count that name a rule's program."""


def hidden_commands(invocation: Invocation, names: "Collection[str]") -> "list[tuple[Sequence[str], bool]]":
    """Return what a command may run of these programs, each with whether its place speaks for that."""
    words, stdin = invocation.words, invocation.stdin
    name = program(words[0])
    if name == "git":
        return [(one, True) for one in _in_texts(_settings(words))]
    if name in ("source", "."):
        return _script(words, names)
    if name not in SHELLS and any(name in some for some in (HARMLESS, PROGRAMS, EDITORS)):
        return []
    if name in SHELLS or is_interpreter(name):
        return [] if _has_code(words, "c" if name in SHELLS else "ceEpr") else _script(words, names)
    inner = inner_command(words)
    if inner is not None:
        return _endings(words, len(words) - len(inner.words), names) if inner.words else []
    lines = [line for line in stdin.split("\n") if any(one in line for one in names)]
    texts = [*_texts(words), "\n".join(lines)[:_LONGEST] if UNKNOWN not in stdin else ""]
    return [*_endings(words, len(words), names), *[(one, False) for one in _in_texts(texts)]]


def _endings(
    words: "Sequence[str]", end: int, names: "Collection[str]"
) -> "list[tuple[Sequence[str], bool]]":
    """Return what begins at each word that names one of the programs."""
    places = [at for at in range(1, end) if program(words[at]) in names][:_MOST]
    return [(words[at:], words[at - 1] in _BEFORE) for at in places]


def _script(words: "Sequence[str]", names: "Collection[str]") -> "list[tuple[Sequence[str], bool]]":
    """Return the script that is run, and what may follow it as a command."""
    script = next((at for at, word in enumerate(words) if at and word[:1] != "-"), 0)
    found = _endings(words, len(words), names)
    return [(one, is_placed or len(one) == len(words) - script) for one, is_placed in found]


def _has_code(words: "Sequence[str]", letters: str) -> bool:
    """Tell whether a shell or an interpreter is given its commands in a word, after one of these options."""
    return any(word[:1] == "-" != word[1:2] and any(sign in word for sign in letters) for word in words[1:3])


def _settings(words: "Sequence[str]") -> "list[str]":
    """Return the values of git's settings that are given in a command."""
    return [word.partition("=")[2] for word, before in zip(words[1:], words, strict=False) if before == "-c"]


def _texts(words: "Sequence[str]") -> "list[str]":
    """Return the words that may be texts for a shell."""
    found = list[str]()
    for at, word in enumerate(words[1:]):
        before = words[at]
        name, assigned, value = word.partition("=")
        if word[:1] != "-":
            if " " in word and (
                before[:1] != "-" or before in _RUNS or (before[1:2] != "-" and before[-1] in "cex")
            ):
                found.append(word)
        elif assigned and name in _RUNS:
            found.append(value)
        elif word[:2] in _RUNS and word[2:]:
            found.append(word[2:])
    return found


def _in_texts(texts: "Iterable[str]") -> "list[Sequence[str]]":
    """Return the commands of texts, as a shell would start them."""
    found = list[tuple[str, ...]]()

    def observer(one: Invocation) -> None:
        found.append(one.words)

    for text in texts:
        interpret(text, "", observer)
    return [*found]


class _SurelyDenied(Exception):
    """A rule forbids the command: nothing else has to be known of it."""


class CommandCheck:
    """What was found about each rule that fits: how well it does, and the words or the doubt."""

    def __init__(
        self,
        rules: "Sequence[Rule]",
        branch: "Callable[[str], str] | None",
        protected: "ProtectedFiles | None" = None,
        *,
        files: bool = False,
    ) -> None:
        """Take the rules, who knows branches, what is protected, and whether files matter."""
        self.found: dict[int, tuple[Rule, int, str]] = {}
        """By the place of the rule among the rules."""
        self.is_denied = False
        """Whether a rule surely forbids it: then nothing else has to be known."""
        self._cases = [(number, pattern_of(rule.pattern)) for number, rule in enumerate(rules)]
        self._rules = rules
        self._branch, self._protected, self._home = branch, protected, ""
        self._files = files
        self._git: GitReader | None = None
        self._touched: list[FileAccess] = []
        self._seen: list[Invocation] = []
        self._suspect = False
        self._outcome = Interpretation(frozenset(), ())

    def run(self, command: str, folders: "BaseFolders") -> "Iterable[FileAccess]":
        """Interpret a command, fill in what was found, and return the files that it reads and changes."""
        self._home = folders.home
        put = list[tuple[str, str | None]]()
        try:
            outcome = interpret(command, folders.cwd, self._observe, folders.home, put)
        except _SurelyDenied:
            return ()
        for number, pattern in self._cases if outcome.unread or outcome.doubts else ():
            for text in outcome.unread:
                if is_named_in(pattern, text):
                    self.found.setdefault(number, (self._rules[number], PERHAPS, shorten(text)))
            for doubt in sorted(outcome.doubts):
                if doubt == DECODED or names_in(pattern, command):
                    self.found.setdefault(number, (self._rules[number], PERHAPS, doubt))
        self._outcome = outcome
        words = [word for text in outcome.unread for word in text.translate(_SIGNS).split()]
        for word in dict.fromkeys(words) if self._files else ():
            path = absolute_path(word, folders.cwd)
            self._touched += [FileAccess(tool, path, sure=False) for tool in ("Read", "Write")]
        own = (
            [FileAccess("Write", path, text) for path, text in put],
            [FileAccess("Read", path) for path in outcome.read],
        )
        return dict.fromkeys([*own[0], *own[1], *self._touched])

    def change(self, command: str, folders: "BaseFolders") -> str:
        """Return the words that change what is protected, of a command that was heard; empty when none do."""
        if not self._protected or not (self._suspect or self._outcome.written or self._outcome.unread):
            return ""
        try:
            from memdir.rules.self_protection import protected_change  # most commands come nowhere near

            return shorten(protected_change(self._protected, folders, command, self._seen, self._outcome))
        except Exception:  # noqa: BLE001 - what the rules said is not to be lost with it, nor is it let be
            return shorten(command)

    def _observe(self, invocation: Invocation) -> str | None:
        words = invocation.words
        call = self._call(words, invocation.directory)
        self._compare(invocation, call)
        if self._protected:
            self._seen.append(invocation)
            self._suspect = self._suspect or self._is_suspect(invocation, self._protected)
        if self._files:
            from memdir.rules.shell.files import files_of  # which only rules about files need

            for file in files_of(words, invocation.stdin):
                path = absolute_path(file.path, invocation.directory)
                source = absolute_path(file.source, invocation.directory) if file.source else ""
                self._touched.append(FileAccess(file.tool, path, file.text, file.sure, file.deep, source))
        if call.name == "git" and self._git:
            printed = self._git.branch_output(call.words, invocation.directory)
            if printed is not None:
                return printed
        return self._printed_paths(invocation) if self._files else None

    def _compare(self, invocation: Invocation, call: CommandLine) -> None:
        """Note which rules mean a command, or what may be inside it."""
        words, stdin = invocation.words, invocation.stdin
        calls = [call] if call.name == program(words[0]) else [call, CommandLine(words)]
        code: str | None = None
        hidden: list[tuple[CommandLine, bool]] | None = None
        for number, pattern in self._cases:
            given = [*calls, CommandLine(words)] if pattern.values and call.name == "git" else calls
            if pattern.program == "*" and pattern.names:
                given = [] if speaks(call) else [self._call(own_words(words), invocation.directory)]
            fits = min([fit(pattern, one, stdin) for one in given], default=NO)
            if fits == NO:
                code = starts_programs(words, stdin) if code is None else code
                fits = PERHAPS if code and names_in(pattern, code) else NO
            if fits == NO and _is_named(pattern, invocation):
                hidden = self._hidden_commands(invocation) if hidden is None else hidden
                found = len(hidden) >= _MOST_HIDDEN or any(_may_mean(pattern, *one) for one in hidden)
                fits = PERHAPS if found else NO
            rule = self._rules[number]
            if fits < self.found.get(number, (rule, NO))[1]:
                self.found[number] = (rule, fits, shorten(" ".join(words)))
            if fits == YES and rule.bound and rule.verb == "deny":
                self.is_denied = True
                raise _SurelyDenied

    def _printed_paths(self, invocation: Invocation) -> str | None:
        from memdir.rules.shell.files import paths_printed_by

        if program(invocation.words[0]) == "pwd":
            return invocation.directory or None
        return paths_printed_by(invocation.words)

    def _call(self, words: "Sequence[str]", directory: str) -> CommandLine:
        """Take a command apart, one of git in its plain form; what knows git is loaded for the first one."""
        name = program(words[0])
        if not name.startswith("git") and name not in SAME_AS_GIT:
            return CommandLine(words)
        if self._git is None:
            from memdir.rules.git import GitReader

            self._git = GitReader(self._branch, self._home)
        return CommandLine(self._git.form(words, directory) or words)

    def _hidden_commands(self, invocation: Invocation) -> "list[tuple[CommandLine, bool]]":
        names = {pattern.program for _, pattern in self._cases}
        found = [one for one in hidden_commands(invocation, names) if program(one[0][0]) in names]
        if len(found) >= _MOST_HIDDEN:
            return [(CommandLine(one[:1]), is_placed) for one, is_placed in found]
        return [(self._call(one, invocation.directory), is_placed) for one, is_placed in found]

    @staticmethod
    def _is_suspect(invocation: Invocation, protected: "ProtectedFiles") -> bool:
        """Tell whether a command may change what is protected: a closer look is slow."""
        if program(invocation.words[0]) in MAY_CHANGE:
            return True
        text = "\n".join([*invocation.words, invocation.directory, invocation.stdin])
        return any(sign in text for sign in "*?[") or any(mark in text for mark in protected.marks())


_SIGNS = str.maketrans(dict.fromkeys("\"'`<>|&;()=:", " "))
"""What stands around a path in most languages."""

_MOST_HIDDEN = 32
"""Places in one command where a rule's program may be started: with more it is asked about at once."""


def _is_named(pattern: Pattern, invocation: Invocation) -> bool:
    """Tell whether the name of a rule's program stands in a command that may run another one."""
    name, words = pattern.program, invocation.words
    if program(words[0]) in HARMLESS and "-c" not in words:  # with which git is given settings
        return False
    return name != "*" and any(name in word.lower() for word in (*words[1:], invocation.stdin))


def _may_mean(pattern: Pattern, call: CommandLine, is_placed: bool) -> bool:
    """Tell whether a rule means a command that may be run; a name alone must stand where commands do."""
    speaks_for_it = is_placed or pattern.names > 1 or call.operands
    return bool(speaks_for_it) and call.name == pattern.program and fit(pattern, call, "") != NO


def speaks(call: CommandLine) -> bool:
    """Tell whether a command only prints, searches or sets something."""
    if call.name == "git":
        return bool(call.operands) and call.operands[0][0] in _GIT_LOOKS
    return call.name in SPEAKERS or call.name in SILENT


_GIT_LOOKS = frozenset({"grep", "log", "show", "diff", "blame", "help", "shortlog", "rev-list"})


def own_words(words: "Sequence[str]") -> "Sequence[str]":
    """Return a command without the one that it runs."""
    name = program(words[0])
    if name in SEARCHERS or name in ("xargs", "parallel"):
        end = next((at for at, word in enumerate(words) if word in EXECUTES), len(words))
        return words[:end] if name in SEARCHERS else words[:1]
    inner = inner_command(words)
    return words[: len(words) - len(inner.words)] if inner else words


def shorten(words: str) -> str:
    """Return words as a person may read them: not too many, and what is not known as three dots."""
    while UNKNOWN * 2 in words:
        words = words.replace(UNKNOWN * 2, UNKNOWN)
    text = words.replace(UNKNOWN, "…").encode("utf-8", "replace").decode()  # a host may read it as UTF-8
    return text if len(text) <= 120 else f"{text[:119]}…"
