"""One command taken apart: its program, its options in one spelling, their values, and the other words.

A host waits for this module: it does without `typing`.
"""

from memdir.resources import read_table, rows_of
from memdir.rules.invocation import Quoted, word_at
from memdir.text.program_names import current_form, names_of, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Spelling = tuple[tuple[str, ...], str]
    """The names that an option stands for, and `=`, `#` or nothing for what it takes."""

__all__ = [
    "KIND",
    "NAMED_BY_KIND",
    "CommandLine",
    "names_in_word",
    "operands_of",
    "other_calls",
    "spellings",
]

_TABLE = read_table(__file__, "options.txt")
_PROGRAM_OPTIONS, _OTHER_COMMANDS = rows_of(_TABLE["options"]), rows_of(_TABLE["same"])
_KINDS, _SIGNALS = rows_of(_TABLE["kinds"]), rows_of(_TABLE["signals"])


NAMED_BY_KIND = frozenset({"kubectl", "oc"})
"""Programs that are told the kind of a thing in front of its name: `namespace prod`, `ns/prod`."""
_SPELLED = NAMED_BY_KIND | {"chmod", "systemctl", "umask"}
"""Programs of which one operand has several spellings."""
KIND = "/"
"""Ends the word for a kind, so that no name is taken for one."""
_FIND_FILES = names_of("find files")
_SIGNALLED = frozenset({"kill", "pkill", "killall"})
_IN_ANY_CASE = frozenset({"redis-cli", "valkey-cli", "keydb-cli"})
_OF_WINDOWS, _CMDLETS = names_of("windows"), tuple(names_of("cmdlets"))


class CommandLine:
    """The options and operands of one command; any option of an unknown program may take a value."""

    __slots__ = (*("_path", "known", "name", "operands", "options", "spelled", "valued", "values", "words"),)

    def __init__(self, words: "Sequence[str]") -> None:
        """Take the words apart; git commands come in their plain form."""
        words = current_form(words) if "-compose" in words[0].lower() else words
        self.name = self._path = program(words[0])
        self.words = words = _one_spelling(self.name, words)
        self.known = spellings(self.name)
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
        if self.name in _SPELLED:
            before = [one for one, _ in self.operands]
            self.operands += [(one, doubt) for one in _operands_in(self.name, word, before)]
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
        written, assigned, value = word.partition("=")
        if self.known is None:
            return self._unknown_option(written, following, value if assigned else None)
        single = "//" in self.known  # one dash and two are the same, and letters do not stand together
        name = f"-{written.lstrip('-')}" if single else written
        found = self.known.get(name)
        if found is None and name.startswith("--") and len(name) > 4:
            longer = {self.known[one] for one in self.known if one.startswith(name)}
            found = longer.pop() if len(longer) == 1 else None  # it may be cut short
        if found is None and word[1] != "-" and not single:
            return self._letters(word, following)
        meant, taken = found or ((name,), "")
        takes = not assigned and _takes(taken, following)
        self._add(written, meant, value if assigned else following[0] if takes else None)
        return 1 + takes, found is None and not assigned and not name.startswith("--no-")

    def _letters(self, word: str, following: "Sequence[str]") -> tuple[int, bool]:
        """Read short options that stand together; the value of one may follow in the same word."""
        found = None
        for at, letter in enumerate(word[1:], 2):
            found = (self.known or {}).get(f"-{letter}")
            meant, taken = found or ((f"-{letter}",), "")
            rest = word[at:].removeprefix("=")
            takes = not word[at:] and _takes(taken, following)
            is_value = word[at : at + 1] == "=" or (taken == "=" and rest)
            self._add(f"-{letter}", meant, following[0] if takes else rest if is_value else None)
            if takes or is_value or (taken == "#" and rest.isdigit()):
                return 1 + takes, False
        return 1, found is None

    def _unknown_option(self, option: str, following: "Sequence[str]", value: str | None) -> tuple[int, bool]:
        """Read an option of a program that is not known: whatever follows may be its value."""
        is_cluster = option[1:2] != "-" and len(option) < 8 and option.isascii() and option[1:].isalpha()
        for one in [f"-{letter}" for letter in option[1:]] if is_cluster else [option]:
            self._add(option, (one,), value)
        if value is None:
            self.valued += [(option, one) for one in following if not one.startswith("-")]
            self.values += [option[2:]] if option[1] != "-" and len(option) > 2 else []
        return 1, value is None

    def _add(self, written: str, meant: "Sequence[str]", value: str | None) -> None:
        self.options += meant
        self.spelled.update((written, *meant))
        if value is not None:
            self.valued += [(one, value) for one in meant]
            self.values += [value, *names_in_word(value)]


def operands_of(words: "Sequence[str]", valued: str = "", *, short: bool = False) -> list[str]:
    """Return the words that are neither options nor their values, as which `short` ones may count too."""
    values, found, before, plain = valued.split(), list[str](), "", False
    for word in words[1:]:
        if word == "--":
            plain = True
        elif plain or not word.startswith("-") or word == "-":
            is_value = before in values or (short and (word.isdigit() or len(word) < 2))
            if plain or not (before and is_value):
                found.append(word)
            before = ""
            continue
        before = word
    return found


_STEPS = frozenset([one.rpartition(" ")[0] for one in (*_OTHER_COMMANDS, *_PROGRAM_OPTIONS)])
"""The beginnings of rows with more words."""


def _takes(taken: str, following: "Sequence[str]") -> bool:
    return bool(following) and (taken == "=" or (taken == "#" and following[0].isdigit()))


def other_calls(call: CommandLine, *, with_options: bool) -> "Iterator[CommandLine]":
    """Yield other commands that a command is by one of its options: `apply -destroy` is a `destroy`.

    One that needs an option itself is only yielded `with_options`.
    """
    for row in _TABLE["also"]:
        if not row.startswith(f"{call.name}: "):
            continue
        path, option, meaning = [part.strip() for part in row.partition(": ")[2].split("|")]
        verbs = path.split()
        pairs = [*zip(verbs, call.operands, strict=False)]
        is_named = len(pairs) == len(verbs) and all(verb in (one, "*") for verb, (one, _) in pairs)
        is_meant = not option or (call.has(option) and (option, "false") not in call.valued)
        if is_named and is_meant and verbs[0] in call.words and (with_options or " -" not in meaning):
            at = call.words.index(verbs[0])
            dropped = [one for one, (meant, _) in (call.known or {}).items() if option in meant]
            rest = [*call.words[1:at], *call.words[at + len(verbs) :]]
            yield CommandLine([call.name, *meaning.split(), *[word for word in rest if word not in dropped]])


def names_in_word(word: str) -> "Iterator[str]":
    """Yield what a word names besides itself: the host of an address, a thing without its version."""
    if "@" not in word and ":" not in word and "=" not in word:
        return  # as most words
    if "host=" in word:
        yield from word.partition("host=")[2].split()[:1]
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
"""Words of a sub-command that are looked at: the name of a program may be a text of thousands."""


def spellings(path: str) -> "Mapping[str, Spelling] | None":
    """Return each spelling of the options of a program or sub-command; None for one that is not known."""
    path = " ".join(path.split(" ", _DEEPEST)[:_DEEPEST])
    if path not in _KNOWN:
        above = spellings(path.rpartition(" ")[0]) if " " in path else None
        above = {} if path.startswith("git ") else above  # its own options stand in front of the command
        if path not in _PROGRAM_OPTIONS:
            return above
        _KNOWN[path] = {**(above or {})}
        for one in _PROGRAM_OPTIONS[path].split():
            taken = one[-1] if one[-1] in "=#" else ""
            names, means, all_of = one.rstrip("=#").partition(">")
            spelled = names.split("/") if one != "//" else [one]
            meant = tuple(all_of.split("/")) if means else (spelled[-1],)
            _KNOWN[path] |= dict.fromkeys(spelled, (meant, taken))
    return _KNOWN[path]


def _one_spelling(name: str, words: "Sequence[str]") -> "Sequence[str]":
    """Return the words of a program with those in one spelling that it takes for the same."""
    if name in _FIND_FILES:
        return [str(word) for word in words] if any(isinstance(word, Quoted) for word in words) else words
    if name in _SIGNALLED:
        return _with_numbers(words, ("--signal",) if name == "pkill" else ("-s", "-n", "--signal"))
    if name.startswith(_CMDLETS):
        return [words[0], *map(_lower, words[1:])]
    if name in _OF_WINDOWS:
        switches = {word: f"--{word[1:]}" for word in words if word[:1] == "/" and word[1:].isalpha()}
        return [words[0], *[_lower(switches.get(word, word)) for word in words[1:]]]
    if name in _IN_ANY_CASE:
        return [word if word[:1] == "-" else _lower(word) for word in words]
    return words


def _lower(word: str) -> str:
    return type(word)(word.lower())


def _with_numbers(words: "Sequence[str]", apart: "Sequence[str]") -> "Sequence[str]":
    """Return a command that sends a signal with its number: `-9` for `-s KILL` and `--signal=SIGKILL`."""
    made, at = [words[0]], 1
    while at < len(words):
        word, following = words[at], word_at(words, at + 1)
        signal = following if word in apart else word.removeprefix("--signal=").removeprefix("-")
        signal = signal.upper().removeprefix("SIG")
        number = _SIGNALS.get(signal, signal)
        is_signal = word[:1] == "-" and number.isdigit()
        made.append(f"-{number}" if is_signal else word)
        at += 2 if is_signal and word in apart else 1
    return made


def _operands_in(name: str, word: str, before: "Sequence[str]") -> "Sequence[str]":
    """Return what one operand says, in one spelling; behind a kind only a word with a slash is another."""
    if name in NAMED_BY_KIND and before:
        kinds, slash, thing = word.partition("/")
        found = [_KINDS.get(kind.lower().partition(".")[0], "").split() for kind in kinds.split(",")]
        if all(found) and (slash or not any(one.endswith(KIND) for one in before)):
            return [*[one + KIND for some in found for one in some], *([thing] if thing else [])]
    elif name == "systemctl":
        return [word.removesuffix(".service")]
    elif name in ("chmod", "umask") and not before:
        return [_mode(word)]
    return [word]


def _mode(word: str) -> str:
    """Return a mode as a number of three digits, if it says what everyone may do."""
    if word.isdigit():
        return word.lstrip("0").zfill(3)
    rights = dict.fromkeys("ugo", 0)
    for clause in word.replace("=", "+").split(","):
        whom, sign, what = clause.partition("+")
        if not sign or not whom or whom.strip("augo") or what.strip("rwx"):
            return word
        for one in "ugo" if "a" in whom else whom:
            rights[one] |= sum([_RIGHTS[right] for right in {*what}])
    return "".join(map(str, rights.values())) if all(rights.values()) else word


_RIGHTS = {"r": 4, "w": 2, "x": 1}
