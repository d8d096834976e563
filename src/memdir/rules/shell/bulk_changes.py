"""What reaches files through a folder above them: searches that delete what they find, and git's clean-up.

A host waits for this module: it does without `typing`.
"""

from itertools import pairwise

from memdir.rules.command_line import operands_of
from memdir.rules.invocation import UNKNOWN, short_letters, word_at
from memdir.text.program_names import CLOSERS, EXECUTES, MOVERS, REMOVERS, SHELLS, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "deletes_files",
    "discarded_paths",
    "edits_in_place",
    "name_patterns",
    "roots_of",
    "search_results",
    "search_words",
]

_HARMFUL = REMOVERS | CLOSERS | SHELLS | (MOVERS - {"cp", "ln", "rsync"}) | {"busybox"}
_LINKS = frozenset({"-L", "-H", "-P"})
_UNTRACKED = frozenset({"-u", "-a", "--include-untracked", "--all"})


def deletes_files(words: "Sequence[str]") -> bool:
    """Tell whether a search deletes what it finds, or hands it to a program that may."""
    run = [words[at + 1 :] for at, word in enumerate(words[:-1]) if word in EXECUTES]
    return "-delete" in words or any(program(one[0]) in _HARMFUL or edits_in_place(one) for one in run)


def search_words(words: "Sequence[str]") -> "Sequence[str]":
    """Return the words of a search without the commands that it runs."""
    end = next((at for at, word in enumerate(words) if word in EXECUTES), len(words))
    return words[:end]


def roots_of(words: "Sequence[str]", name: str) -> "Sequence[str]":
    """Return the folders in which a search begins."""
    if name != "find":  # its pattern comes first, and options may stand anywhere
        return [word for word in search_words(words)[1:] if word[:1] != "-"][1:] or ["."]
    given = [word for word in words[1:] if word not in _LINKS]
    end = next((at for at, word in enumerate(given) if word[:1] in ("-", "(", "!")), len(given))
    return given[:end] or ["."]


def name_patterns(words: "Sequence[str]", name: str) -> "Sequence[str]":
    """Return patterns of which everything that a search finds fits one; a star where it may be anything."""
    found, part = list[str](), list[str]()
    for word in (*words, "-o"):
        part.append(word)
        if word in ("-o", "-or", ","):
            names = [
                part[at + 1]
                for at in range(len(part) - 2)
                if part[at] in ("-name", "-iname") and part[at - 1] not in ("!", "-not")
            ]
            found += names or ["*"]
            part = [""]
    return found if name == "find" else ["*"]


def search_results(words: "Sequence[str]") -> list[str]:
    """Return what a search finds, as far as it is known: a folder, the mark of the unknown, and a name."""
    name = program(words[0])
    named = [after for word, after in pairwise(words) if word in ("-path", "-wholename")]
    names = [UNKNOWN if one == "*" else UNKNOWN + one for one in name_patterns(words, name)]
    places = ["" if root in (".", "./") else f"{root.rstrip('/')}/" for root in roots_of(words, name)]
    return named or [*dict.fromkeys([place + one for place in places for one in names])]


def discarded_paths(rest: "Sequence[str]") -> "Sequence[str]":
    """Return the paths at and below which a git command, given from its name on, throws changes away."""
    verb, options = word_at(rest, 0), [word for word in rest[1:] if word.startswith("-")]
    paths = operands_of(rest, "-e --exclude -s --source --pathspec-from-file")
    if verb == "clean":
        only_shows = "--dry-run" in options or "n" in short_letters(options)
        return [] if only_shows else paths or ["."]
    if verb in ("checkout", "restore") or (verb == "rm" and "--cached" not in options):
        return paths
    everything = (verb == "reset" and "--hard" in options) or (verb == "stash" and _UNTRACKED & {*options})
    return ["."] if everything else []


def edits_in_place(words: "Sequence[str]") -> bool:
    """Tell whether a command changes the files that it is given instead of printing them changed."""
    name = program(words[0])
    if name not in ("sed", "perl", "ruby"):
        return name == "awk" and "inplace" in words
    before = [word[1:].partition("i")[0] for word in words[1:] if word[:1] == "-" and "i" in word]
    return any(f"{one}x".isalnum() and not {*one} & {"I", "M"} for one in before) or any(
        word.startswith("--in-place") for word in words
    )
