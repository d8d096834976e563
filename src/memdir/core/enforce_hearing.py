"""Rules about commands, heard while a command is rehearsed: how well each fits, and which words it found."""

from memdir.core.enforce_glance import MAY_CHANGE
from memdir.core.enforce_programs import starts_programs
from memdir.core.enforce_words import NO, PERHAPS, fit, names_in, pattern_of
from memdir.core.program_names import SAME_AS_GIT
from memdir.core.shell_invocation import DECODED, UNKNOWN, Invocation, placed, program
from memdir.core.shell_plain import rehearsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memdir.core.enforce import Rule
    from memdir.core.enforce_git import Git
    from memdir.core.enforce_paths import Ground, Kept

__all__ = ["Hearing", "shown"]


class Hearing:
    """What was found about each rule that fits: how well it does, and the words or the doubt."""

    def __init__(
        self,
        rules: "Sequence[Rule]",
        branch: "Callable[[str], str] | None",
        kept: "Kept | None" = None,
        *,
        files: bool = False,
    ) -> None:
        """Take the rules, who knows the branch of a directory, what is kept, and whether files matter."""
        self.found: dict[Rule, tuple[int, str]] = {}
        self._cases = [(rule, pattern_of(rule.pattern)) for rule in rules]
        self._branch, self._kept, self._files, self._home = branch, kept, files, ""
        self._git: Git | None = None
        self._marks = kept.marks() if kept else ()
        self._touched: list[tuple[str, str]] = []
        self._seen: list[Invocation] = []
        self._suspect = False
        self._written: Sequence[str] = ()

    def hear(self, command: str, ground: "Ground") -> "Iterable[tuple[str, str]]":
        """Rehearse a command, fill in what was found, and return its files after Read, Write or Edit."""
        self._home = ground.home
        outcome = rehearsed(command, ground.cwd, self._witness, ground.home)
        if outcome is None:
            from memdir.core.shell import rehearse  # takes longer to load than the rest to judge

            outcome = rehearse(command, ground.cwd, self._witness, ground.home)
        for rule, pattern in self._cases:
            for doubt in sorted(outcome.doubts):
                if doubt == DECODED or names_in(pattern, command):
                    self._note(rule, PERHAPS, doubt)
        self._written = outcome.written
        own = [("Write", path) for path in outcome.written], [("Read", path) for path in outcome.read]
        return dict.fromkeys([*own[0], *own[1], *self._touched])

    def change(self, command: str, ground: "Ground") -> str:
        """Return the words that change what is kept, of a command that was heard; empty when none do."""
        if not self._kept or not (self._suspect or self._written):
            return ""
        try:
            from memdir.core.enforce_custody import change_of_kept  # most commands come nowhere near

            return shown(change_of_kept(self._kept, ground, command, self._seen, self._written))
        except Exception:  # noqa: BLE001 - what the rules said is not to be lost with it, nor is it let be
            return shown(command)

    def _witness(self, invocation: Invocation) -> str | None:
        words, stdin = invocation.words, invocation.stdin
        if self._kept:
            self._keep_an_eye_on(invocation)
        if self._files:
            from memdir.core.shell_files import files_of

            self._touched += [(tool, placed(path, invocation.directory)) for tool, path in files_of(words)]
        git = self._git_for(words[0])
        form = git.form(words, invocation.directory) if git else None
        code = starts_programs(words, stdin)
        renamed = form is not None and program(words[0]) in SAME_AS_GIT
        for rule, pattern in self._cases:
            fits = fit(pattern, form or words, stdin)
            if fits == NO and renamed:
                fits = fit(pattern, words, stdin)
            if fits == NO and code and names_in(pattern, code):
                fits = PERHAPS
            if fits != NO:
                self._note(rule, fits, shown(" ".join(words)))
        return git.printed(form, invocation.directory) if git and form else None

    def _git_for(self, word: str) -> "Git | None":
        """Return what knows git, which is loaded when the first command asks for it."""
        name = program(word)
        if not name.startswith("git") and name not in SAME_AS_GIT:
            return None
        if self._git is None:
            from memdir.core.enforce_git import Git

            self._git = Git(self._branch, self._home)
        return self._git

    def _keep_an_eye_on(self, invocation: Invocation) -> None:
        self._seen.append(invocation)
        if not self._suspect:
            name = program(invocation.words[0]).rstrip("0123456789.")
            text = "\n".join([*invocation.words, invocation.directory, invocation.stdin])
            wild = any(sign in text for sign in "*?[")
            self._suspect = name in MAY_CHANGE or wild or any(mark in text for mark in self._marks)

    def _note(self, rule: "Rule", fits: int, words: str) -> None:
        if rule not in self.found or fits < self.found[rule][0]:
            self.found[rule] = (fits, words)


def shown(words: str) -> str:
    """Return words as a person may read them: not too many, and what is not known as three dots."""
    while UNKNOWN * 2 in words:
        words = words.replace(UNKNOWN * 2, UNKNOWN)
    text = words.replace(UNKNOWN, "…").encode("utf-8", "replace").decode()  # a host may read it as UTF-8
    return text if len(text) <= 120 else f"{text[:119]}…"
