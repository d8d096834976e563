"""One command taken apart: its program, its options in one spelling, their values, and the other words.

A host waits for this module: it does without `typing`.
"""

from memdir.resources import read_table, rows_of
from memdir.rules.invocation import current_form, program
from memdir.rules.programs.values import KIND, SPELLED, one_spelling, operands_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Spelling = tuple[tuple[str, ...], str]
    """The names that an option stands for, and `=`, `#` or nothing for what it takes."""

__all__ = ["CommandLine", "letters", "names_in_word", "other_calls", "spellings", "takes_value"]

_TABLE = read_table(__file__, "options.txt")
_PROGRAM_OPTIONS, _OTHER_COMMANDS = rows_of(_TABLE["options"]), rows_of(_TABLE["same"])


class CommandLine:
    """The options and operands of one command; any option of an unknown program may take a value."""

    __slots__ = (
        *("_after_kind", "_path", "known", "name", "operands", "options", "spelled", "valued", "values"),
        "words",
    )

    def __init__(self, words: "Sequence[str]") -> None:
        """Take the words apart; git commands come in their plain form."""
        words = current_form(words)
        self.name = self._path = program(words[0])
        self.words = words = one_spelling(self.name, words)
        self.known = spellings(self.name)
        self._after_kind = False
        self.options = list[str]()
        """In one spelling each, in order."""
        self.spelled = set[str]()
        """As they were written, and in that spelling."""
        self.operands = list[tuple[str, bool]]()
        """Each with whether it may be the value of the option before it."""
        self.valued = list[tuple[str, str]]()
        """Options with what is, or may be, their value."""
        self.values = list[str]()
        at, doubt = 1, False
        while at < len(words):
            word = words[at]
            if word == "--":
                for one in words[at + 1 :]:
                    self._operand(one, doubt=False)
                break
            if word.startswith("-") and len(word) > 1:
                used, doubt = self._option(word, words[at + 1 : at + 2])
                at += used
            else:
                self._operand(word, doubt=doubt)
                doubt = False
                at += 1

    def has(self, option: str) -> bool:
        """Tell whether an option is there in any spelling, long ones also when they are cut short."""
        meant = (self.known or {}).get(option, ((option,), ""))[0]
        if option in self.spelled or self.spelled.issuperset(meant):
            return True
        return option.startswith("--") and any(
            len(given) >= 5 and option.startswith(given) for given in self.spelled
        )

    def _operand(self, word: str, *, doubt: bool) -> None:
        if not self.operands and word.startswith("+") and self.known and "+" in self.known:
            return
        if self.name in SPELLED:
            given = operands_in(self.name, word, is_first=not self.operands, after_kind=self._after_kind)
            self._after_kind = self._after_kind or given[0][-1:] == KIND
            self.operands += [(one, doubt) for one in given]
            self.values += [word.partition("/")[2]] if "/" in word else []
        else:
            self.operands.append((word, doubt))
        self.values += names_in_word(word)
        if not self._path:
            return
        path = f"{self._path} {word}"
        if path in _OTHER_COMMANDS:
            path = _OTHER_COMMANDS[path]
            self.operands = [(one, False) for one in path.split()[1:]]
        if path in _PROGRAM_OPTIONS or path in _STEPS:
            self._path, self.known = path, spellings(path)
        elif not doubt:
            self._path = ""  # what follows are no sub-commands

    def _option(self, word: str, following: "Sequence[str]") -> tuple[int, bool]:
        """Read one option; return how many words it took, and whether the next may be its value."""
        if self.known is None:
            return self._unknown(word, following)
        name, assigned, value = word.partition("=")
        if "//" in self.known:
            name = f"-{name.lstrip('-')}"
        found = self.known.get(name) or _cut_short(name, self.known)
        if found is None and word[1] != "-" and "//" not in self.known:
            return self._letters(word, following)
        meant, taken = found or ((name,), "")
        self._add(word, meant, [value] if assigned else [])
        if assigned or not _takes(taken, following):
            self.valued += [(one, "") for one in meant if not assigned]
            return 1, found is None and not assigned and not name.startswith("--no-")
        self._put(meant, following[0])
        return 2, False

    def _letters(self, word: str, following: "Sequence[str]") -> tuple[int, bool]:
        """Read short options that stand together; the value of one may follow in the same word."""
        doubt = False
        for at, letter in enumerate(word[1:], 2):
            found = (self.known or {}).get(f"-{letter}")
            meant, taken = found or ((f"-{letter}",), "")
            self._add(f"-{letter}", meant, [])
            doubt = found is None
            rest = word[at:].removeprefix("=")
            if taken == "=" and rest:
                self._put(meant, rest)
                return 1, False
            if taken == "#" and rest.isdigit():
                return 1, False
            if not rest and _takes(taken, following):
                self._put(meant, following[0])
                return 2, False
            if word[at : at + 1] == "=":
                self._put(meant, rest)
                return 1, False
        return 1, doubt

    def _unknown(self, word: str, following: "Sequence[str]") -> tuple[int, bool]:
        option, assigned, value = word.partition("=")
        for one in letters(option):
            self._add(word, (one,), [value] if assigned else [])
        self.spelled.add(option)
        if not assigned:
            self.valued += [(option, one) for one in following if not one.startswith("-")]
            self.values += [word[2:]] if word[1] != "-" and len(word) > 2 else []
        return 1, not assigned

    def _add(self, word: str, meant: "Sequence[str]", values: "Sequence[str]") -> None:
        self.options += meant
        self.spelled.update((word.partition("=")[0], *meant))
        for value in values:
            self._put(meant, value)

    def _put(self, meant: "Sequence[str]", value: str) -> None:
        self.valued += [(one, value) for one in meant]
        self.values += [value, *names_in_word(value)]


_STEPS = frozenset([one.rpartition(" ")[0] for one in (*_OTHER_COMMANDS, *_PROGRAM_OPTIONS)])
"""What a longer row begins with."""


def _takes(taken: str, following: "Sequence[str]") -> bool:
    return bool(following) and (taken == "=" or (taken == "#" and following[0].isdigit()))


def _cut_short(name: str, known: "Mapping[str, Spelling]") -> "Spelling | None":
    """Return the one option that a long name is the beginning of."""
    if not name.startswith("--") or len(name) < 5:
        return None
    found = {known[one] for one in known if one.startswith(name)}
    return found.pop() if len(found) == 1 else None


def other_calls(call: CommandLine, *, with_options: bool) -> "Iterator[CommandLine]":
    """Yield what a command means besides, because of one of its options: `apply -destroy` is a `destroy`.

    A meaning that is another command's only with an option is meant only where options are asked for.
    """
    for row in _TABLE["also"]:
        if not row.startswith(f"{call.name}: "):
            continue
        path, option, meaning = [part.strip() for part in row.partition(": ")[2].split("|")]
        if " -" in meaning and not with_options:
            continue
        verbs = path.split()
        given = zip([one for one, _ in call.operands[: len(verbs)]], verbs, strict=False)
        named = len(call.operands) >= len(verbs) and all(verb in (one, "*") for one, verb in given)
        if (
            named
            and verbs[0] in call.words
            and (not option or (call.has(option) and (option, "false") not in call.valued))
        ):
            at = call.words.index(verbs[0])
            dropped = [one for one, (meant, _) in (call.known or {}).items() if option in meant]
            rest = [*call.words[1:at], *call.words[at + len(verbs) :]]
            yield CommandLine([call.name, *meaning.split(), *[word for word in rest if word not in dropped]])


def takes_value(path: str, word: str) -> bool:
    """Tell whether an option in front of a sub-command takes the next word."""
    known = spellings(path) or {}
    return "=" not in word and known.get(word, ((), ""))[1] == "="


def letters(option: str) -> list[str]:
    """Return the short options that stand together in one word; other options as they are."""
    is_cluster = option[:1] == "-" and 1 < len(option) < 8 and option.isascii() and option[1:].isalpha()
    return [f"-{letter}" for letter in option[1:]] if is_cluster else [option]


def names_in_word(word: str) -> "Iterator[str]":
    """Yield what a word names besides itself: the host of an address, a thing without its version."""
    if "@" not in word and ":" not in word and "=" not in word:
        return  # as most words
    if "host=" in word:
        yield word.partition("host=")[2].split()[0] if word.partition("host=")[2].strip() else ""
    if "://" in word:
        place, _, path = word.partition("://")[2].partition("/")
        host = place.rpartition("@")[2].partition(":")[0]
        yield from (host, host.partition(".")[0], path.partition("?")[0])
        return
    name, at, rest = word.rpartition("@")
    if at and name:
        yield from (name, rest, rest.partition(":")[0].partition(".")[0])
    thing, colon, number = word.rpartition(":")
    if colon and number.isdigit():
        yield thing
    if "==" in word:
        yield word.partition("==")[0]


_KNOWN: "dict[str, dict[str, Spelling]]" = {}


_DEEPEST = 8
"""Words of a sub-command that are looked at: no program has so many below each other."""


def spellings(path: str) -> "Mapping[str, Spelling] | None":
    """Return each spelling of the options of a program or sub-command; None for one that is not known."""
    path = " ".join(path.split(" ", _DEEPEST)[:_DEEPEST])
    if path not in _KNOWN:
        above = spellings(path.rpartition(" ")[0]) if " " in path else None
        if path.startswith("git "):
            above = {}  # its own options stand in front of the command
        if path not in _PROGRAM_OPTIONS:
            return above
        _KNOWN[path] = {**(above or {}), **_row(_PROGRAM_OPTIONS[path])}
    return _KNOWN[path]


def _row(text: str) -> "dict[str, Spelling]":
    found: dict[str, Spelling] = {}
    for one in text.split():
        taken = one[-1] if one[-1] in "=#" else ""
        names, means, all_of = one.rstrip("=#").partition(">")
        spelled = names.split("/") if one != "//" else [one]
        meant = tuple(all_of.split("/")) if means else (spelled[-1],)
        for name in spelled:
            found[name] = (meant, taken)
    return found
