"""A command line taken apart into words and pipes; whatever only a shell could do is refused here.

Nothing is ever handed to a shell: the words become the arguments of programs as they are. What this module
refuses would therefore not be dangerous but wrong, and a model should be told so instead of misled.
"""

from memdir.workers.verdict import Verdict, refused

__all__ = ["LONGEST_COMMAND", "MOST_STAGES", "pipeline"]

LONGEST_COMMAND = 4_000
"""Characters of a command line: a look at some files needs a hundredth."""

MOST_STAGES = 4
"""Programs in one pipe."""


def pipeline(command: str) -> list[list[str]] | Verdict:
    """Return the words of each program in the pipe, or why this is not a plain command."""
    if len(command) > LONGEST_COMMAND:
        return refused(f"The command is over {LONGEST_COMMAND:,} characters long.")
    if any(character < " " and character != "\t" for character in command.strip()) or "\x7f" in command:
        return refused("The command holds a line break or a control character. Send one line.")
    words = _Words(command.strip())
    problem = words.read()
    if problem:
        return refused(problem)
    if not all(words.stages):
        return refused("The command is empty, or a pipe leads from or to nothing.")
    if len(words.stages) > MOST_STAGES:
        return refused(f"More than {MOST_STAGES} programs stand in one pipe.")
    return words.stages


_SHELL_ONLY = {
    ">": "Redirections are not allowed; error messages are shown anyway.",
    "<": "Redirections are not allowed; name the file as an argument.",
    ";": "Only one command at a time, or a pipe, is allowed.",
    "&": "Only one command at a time, or a pipe, is allowed; nothing runs in the background.",
    "`": "Substitutions are not allowed; write the value out.",
    "$": "Variables and substitutions are not allowed; write the value out, or put it in single quotes.",
    "(": "Groups are not allowed; put a parenthesis that find or grep should see in quotes.",
    ")": "Groups are not allowed; put a parenthesis that find or grep should see in quotes.",
    "{": "Braces are not expanded; put them in quotes if they are meant as they stand.",
    "}": "Braces are not expanded; put them in quotes if they are meant as they stand.",
    "*": "Wildcards are not expanded; use glob or find -name, and quote the pattern.",
    "?": "Wildcards are not expanded; use glob or find -name, and quote the pattern.",
    "[": "Wildcards are not expanded; use glob or find -name, and quote the pattern.",
}
_AT_START = {
    "~": "A leading ~ is not expanded; write the path out.",
    "#": "Comments are not allowed.",
}
_OPEN = "A quotation is not closed, or the line ends in a backslash."


class _Words:
    """Reads a line once, from left to right; `read` returns what is wrong with it."""

    def __init__(self, line: str) -> None:
        self._line, self._at = line, 0
        self._word: str | None = None
        self.stages: list[list[str]] = [[]]

    def read(self) -> str:
        while self._at < len(self._line):
            sign = self._line[self._at]
            self._at += 1
            if problem := self._take(sign):
                return problem
        self._close()
        return ""

    def _take(self, sign: str) -> str:
        if sign in " \t":
            self._close()
        elif sign == "|":
            return self._pipe()
        elif sign in "'\"\\":
            return self._quoted(sign)
        elif sign in _SHELL_ONLY:
            return _SHELL_ONLY[sign]
        elif self._word is None and sign in _AT_START:
            return _AT_START[sign]
        else:
            self._word = (self._word or "") + sign
        return ""

    def _close(self) -> None:
        if self._word is not None:
            self.stages[-1].append(self._word)
            self._word = None

    def _pipe(self) -> str:
        if self._line[self._at : self._at + 1] in ("|", "&"):
            return _SHELL_ONLY[";"]
        self._close()
        self.stages.append([])
        return ""

    def _quoted(self, sign: str) -> str:
        """Take what is quoted as it stands; in double quotes a shell would still look for values."""
        if sign == "\\":
            taken, end = self._line[self._at : self._at + 1], self._at
        elif sign == "'":
            end = self._line.find("'", self._at)
            taken = self._line[self._at : end]
        else:
            return self._doubly_quoted()
        if end < 0 or end >= len(self._line):
            return _OPEN
        self._word, self._at = (self._word or "") + taken, end + 1
        return ""

    def _doubly_quoted(self) -> str:
        taken = ""
        while self._at < len(self._line):
            sign = self._line[self._at]
            self._at += 1
            if sign == '"':
                self._word = (self._word or "") + taken
                return ""
            if sign in "`$":
                return _SHELL_ONLY[sign]
            if sign == "\\" and self._line[self._at : self._at + 1] in ('"', "\\", "$", "`"):
                sign = self._line[self._at]
                self._at += 1
            taken += sign
        return _OPEN
