"""One command taken apart: its program, its options in one spelling, their values, and the other words.

A host waits for this module: it does without `typing`.
"""

from memdir.resources import read_table, rows_of
from memdir.rules.invocation import Quoted, current_form, program
from memdir.text.program_names import names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Spelling = tuple[tuple[str, ...], str]
    """The names that an option stands for, and `=`, `#` or nothing for what it takes."""

__all__ = [
    "KIND",
    "NAMED_BY_KIND",
    "CommandLine",
    "letters",
    "names_in_word",
    "other_calls",
    "spellings",
    "takes_value",
]

_TABLE = read_table(__file__, "options.txt")
_PROGRAM_OPTIONS, _OTHER_COMMANDS = rows_of(_TABLE["options"]), rows_of(_TABLE["same"])


NAMED_BY_KIND = frozenset({"kubectl", "oc"})
"""Programs that are told the kind of a thing in front of its name: `namespace prod`, `ns/prod`."""
_SPELLED = NAMED_BY_KIND | {"chmod", "systemctl", "umask"}
"""Programs of which one operand has several spellings."""
KIND = "/"
"""Ends the word for a kind, so that no name is taken for one."""

_KIND_NAMES = (
    "certificatesigningrequest csr,configmap cm,cronjob cj,customresourcedefinition crd crds,daemonset ds,"
    "deployment deploy,endpoint ep,event ev,horizontalpodautoscaler hpa,ingress ing,job,limitrange limits,"
    "namespace ns,networkpolicy netpol,node no,persistentvolume pv,persistentvolumeclaim pvc,pod po,"
    "poddisruptionbudget pdb,priorityclass pc,replicaset rs,replicationcontroller rc,resourcequota quota,"
    "role,rolebinding,clusterrole,clusterrolebinding,secret,service svc,serviceaccount sa,statefulset sts,"
    "storageclass sc,buildconfig bc,deploymentconfig dc,imagestream is,project,route"
)
_ALL_KINDS = ("pod", "service", "deployment", "daemonset", "replicaset", "statefulset", "job", "cronjob")
"""What the kind `all` means."""
_KINDS: dict[str, tuple[str, ...]] = {"all": _ALL_KINDS}
for _names in _KIND_NAMES.split(","):
    _one, *_short = _names.split()
    _many = f"{_one}es" if _one[-1] == "s" else f"{_one[:-1]}ies" if _one[-1] == "y" else f"{_one}s"
    _KINDS |= dict.fromkeys((_one, _many, *_short), (_one,))

_FIND_FILES = names_of("find files")
_SIGNALLED = frozenset({"kill", "pkill", "killall"})
_NUMBERS = "HUP=1 INT=2 QUIT=3 ABRT=6 KILL=9 USR1=10 USR2=12 TERM=15 STOP=19"
_SIGNALS = {name: number for name, _, number in (pair.partition("=") for pair in _NUMBERS.split())}
_IN_ANY_CASE = frozenset({"redis-cli", "valkey-cli", "keydb-cli"})
_OF_WINDOWS, _CMDLETS = names_of("windows"), tuple(names_of("cmdlets"))


class CommandLine:
    """The options and operands of one command; any option of an unknown program may take a value."""

    __slots__ = (
        *("_after_kind", "_path", "known", "name", "operands", "options", "spelled", "valued", "values"),
        "words",
    )

    def __init__(self, words: "Sequence[str]") -> None:
        """Take the words apart; git commands come in their plain form."""
        words = current_form(words) if "-compose" in words[0].lower() else words
        self.name = self._path = program(words[0])
        self.words = words = _one_spelling(self.name, words)
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
        if self.name in _SPELLED:
            given = _operands_in(self.name, word, is_first=not self.operands, after_kind=self._after_kind)
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
        return [words[0], *[_lower(_switch(word)) for word in words[1:]]]
    if name in _IN_ANY_CASE:
        return [word if word[:1] == "-" else _lower(word) for word in words]
    return words


def _lower(word: str) -> str:
    return type(word)(word.lower())


def _switch(word: str) -> str:
    """Return an option of Windows as other programs write it."""
    name = word.lstrip("/")
    return f"--{name}" if word[:1] == "/" and name.isalpha() else word


def _with_numbers(words: "Sequence[str]", apart: "Sequence[str]") -> "Sequence[str]":
    """Return a command that sends a signal with its number: `-9` for `-s KILL` and `--signal=SIGKILL`."""
    made, at = [words[0]], 1
    while at < len(words):
        word, following = words[at], "".join(words[at + 1 : at + 2])
        signal = following if word in apart else word.removeprefix("--signal=").removeprefix("-")
        signal = signal.upper().removeprefix("SIG")
        number = _SIGNALS.get(signal, signal)
        is_signal = word[:1] == "-" and number.isdigit()
        made.append(f"-{number}" if is_signal else word)
        at += 2 if is_signal and word in apart else 1
    return made


def _operands_in(name: str, word: str, *, is_first: bool, after_kind: bool) -> "Sequence[str]":
    """Return what one operand says, in one spelling; behind a kind only a word with a slash is another."""
    if name in NAMED_BY_KIND and not is_first:
        kinds, slash, thing = word.partition("/")
        found = [_KINDS.get(kind.lower().partition(".")[0], ()) for kind in kinds.split(",")]
        if all(found) and (slash or not after_kind):
            return [*[one + KIND for some in found for one in some], *([thing] if thing else [])]
    elif name == "systemctl":
        return [word.removesuffix(".service")]
    elif name in ("chmod", "umask") and is_first:
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
