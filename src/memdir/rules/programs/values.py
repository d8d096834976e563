"""Words that a program takes for the same: kinds of things, modes of files, signals, words in any case.

A host waits for this module: it does without `typing`.
"""

from memdir.rules.invocation import Quoted
from memdir.text.program_names import names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["KIND", "NAMED_BY_KIND", "SPELLED", "one_spelling", "operands_in"]

NAMED_BY_KIND = frozenset({"kubectl", "oc"})
"""Programs that are told the kind of a thing in front of its name: `namespace prod`, `ns/prod`."""
SPELLED = NAMED_BY_KIND | {"chmod", "systemctl", "umask"}
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
for _row in _KIND_NAMES.split(","):
    _one, *_short = _row.split()
    _many = f"{_one}es" if _one[-1] == "s" else f"{_one[:-1]}ies" if _one[-1] == "y" else f"{_one}s"
    _KINDS |= dict.fromkeys((_one, _many, *_short), (_one,))

_FIND_FILES = names_of("find files")
_SIGNALLED = frozenset({"kill", "pkill", "killall"})
_NUMBERS = "HUP=1 INT=2 QUIT=3 ABRT=6 KILL=9 USR1=10 USR2=12 TERM=15 STOP=19"
_SIGNALS = {name: number for name, _, number in (pair.partition("=") for pair in _NUMBERS.split())}
_IN_ANY_CASE = frozenset({"redis-cli", "valkey-cli", "keydb-cli"})
_OF_WINDOWS, _CMDLETS = names_of("windows"), tuple(names_of("cmdlets"))


def one_spelling(name: str, words: "Sequence[str]") -> "Sequence[str]":
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


def operands_in(name: str, word: str, *, is_first: bool, after_kind: bool) -> "Sequence[str]":
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
