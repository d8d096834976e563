"""Whether the words of a command are those that a rule speaks of: surely, perhaps, or not.

A rule `git push * main` means a program, its first words in order, and with `*` any words between. Options
stand anywhere and in any order, short ones together or apart; whatever follows the last word does not matter.
A word that only the running shell knows is a guess: one guess makes a perhaps, two make a no.
"""

from memdir.core.enforce_programs import NAMED_BY_KIND, SAME, VALUED
from memdir.core.shell_invocation import UNKNOWN, program
from memdir.core.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "NO",
    "PERHAPS",
    "YES",
    "Pattern",
    "fit",
    "is_wild",
    "names_in",
    "pattern_of",
    "starred",
    "text_fits",
]

YES, PERHAPS, NO = 0, 1, 2

_PARTLY, _GUESSED, _MOST = 1, 3, 5
"""What a word costs of which some letters are known (`ma*n`), one of which none are, and all together."""

_NEVER = _MOST + 1

_STAR = "*"


@value_class(frozen=True, slots=True)
class Pattern:
    """The words of a rule about commands, taken apart once."""

    program: str
    options: tuple[str, ...]
    operands: tuple[str, ...]
    """In order; `*` stands for any words between."""
    phrases: tuple[str, ...]
    """Texts in quotes: looked for anywhere in the command's words and in what it reads."""

    @property
    def names(self) -> int:
        """How many of its words are more than a star."""
        words = [word for word in (self.program, *self.operands) if word != _STAR]
        return len(words) + len(self.options) + len(self.phrases)


def pattern_of(text: str) -> Pattern:
    """Read the pattern of a rule; a word in quotes that holds a blank is a phrase."""
    words, phrases = list[str](), list[str]()
    for word in _words(text):
        (phrases if " " in word else words).append(word)
    name = program(words[0]) if words else _STAR
    options, operands = list[str](), list[str]()
    for word in words[1:]:
        if word.startswith("-") and len(word) > 1:
            option, _, value = word.partition("=")
            options += _letters(option)
            operands += [_STAR, value] if value else []
        else:
            operands.append(word)
    if name == "git" and operands[:1] == ["push"]:
        from memdir.core.enforce_git import destination

        operands = [word if "*" in word else destination(word) for word in operands]
    same = SAME.get(name, {})
    return Pattern(
        name, tuple([same.get(one, one) for one in options]), tuple(operands), tuple(map(_folded, phrases))
    )


def fit(pattern: Pattern, words: "Sequence[str]", stdin: str) -> int:
    """Say whether a command is one that the pattern means; git commands come in their plain form."""
    cost = _like(pattern.program, program(words[0]))
    if cost == _NEVER:
        return NO
    given = _Given(words)
    if not all(given.has(option) for option in pattern.options):
        return NO
    for phrase in pattern.phrases:
        if not any(phrase in _folded(text) for text in (*words[1:], stdin)):
            return NO
    cost += _operands_cost(pattern.operands, given, at_least=_remote(words))
    return YES if not cost else PERHAPS if cost <= _MOST and pattern.names > 1 else NO


def text_fits(pattern: str, text: str) -> bool:
    """Tell whether a text is meant by a pattern: all of it with stars, any part of it without."""
    return (
        bool(_stars(pattern.lower(), text.lower())) if "*" in pattern else _folded(pattern) in _folded(text)
    )


def names_in(pattern: Pattern, text: str) -> bool:
    """Tell whether a text holds the pattern's words one after the other, as words."""
    import re  # only a text in doubt is looked at like this

    at = 0
    pieces = [piece for word in (pattern.program, *pattern.operands) for piece in word.split("*") if piece]
    for piece in pieces:
        found = re.compile(rf"(?<![\w-]){re.escape(piece)}(?![\w-])").search(text, at)
        if found is None:
            return False
        at = found.end()
    return bool(pieces) and all(phrase in _folded(text) for phrase in pattern.phrases)


def is_wild(word: str) -> bool:
    """Tell whether a word holds wildcards, or text that is not known."""
    wild = "*" in word or "?" in word or UNKNOWN in word
    return wild or ("[" in word and "]" in word[word.find("[") :])


def starred(word: str) -> str:
    """Return a word with one star for each wildcard, or run of them, in it."""
    made, at, closed = list[str](), 0, 0
    while closed >= 0:
        opened = word.find("[", at)
        closed = word.find("]", opened) if opened >= 0 else -1
        plain = word[at : opened if closed >= 0 else len(word)].replace("?", "*").replace(UNKNOWN, "*")
        while "**" in plain:
            plain = plain.replace("**", "*")
        made += [plain, "*"] if closed >= 0 else [plain]
        at = closed + 1
    return "".join(made)


def _words(text: str) -> "Iterator[str]":
    """Yield the words of a pattern: blanks part them, and quotes around a whole word hold it together."""
    while text := text.lstrip():
        quote = text[0]
        end = text.find(quote, 1) if quote in "\"'" else -1
        if end > 0:
            yield text[1:end]
            text = text[end + 1 :]
        else:
            word = text.split(maxsplit=1)[0]
            yield word
            text = text[len(word) :]


class _Given:
    """The options and operands of one command."""

    __slots__ = ("name", "operands", "options", "values")

    def __init__(self, words: "Sequence[str]") -> None:
        self.name = program(words[0])
        self.options, self.operands, self.values = set[str](), list[tuple[str, bool]](), list[str]()
        valued = VALUED.get(self.name)
        same, after, at = SAME.get(self.name, {}), False, 1
        while at < len(words):
            word = words[at]
            if word == "--":
                self.operands += [(one, False) for one in words[at + 1 :]]
                break
            if word.startswith("-") and len(word) > 1:
                option, assigned, value = word.partition("=")
                self.options |= {same.get(one, one) for one in (option, *_letters(option))}
                self.values += [value] if assigned else []
                after = valued is None and not assigned
                if valued and not assigned and option in valued.split():
                    at += 1
                    self.values += words[at : at + 1]
            else:
                self.operands.append((word, after))
                self.values += [word.partition("/")[2]] if self.name in NAMED_BY_KIND and "/" in word else []
                after = False
            at += 1

    def has(self, option: str) -> bool:
        """Tell whether an option is there, long ones also when they are cut short."""
        if option in self.options:
            return True
        spelled = [option, *[long for long, short in SAME.get(self.name, {}).items() if short == option]]
        longs = [one for one in spelled if one.startswith("--")]
        return any(len(given) >= 5 and long.startswith(given) for given in self.options for long in longs)


def _letters(option: str) -> list[str]:
    """Return the short options that stand together in one word; other options as they are."""
    is_cluster = option[:1] == "-" and 1 < len(option) < 8 and option.isascii() and option[1:].isalpha()
    return [f"-{letter}" for letter in option[1:]] if is_cluster else [option]


def _remote(words: "Sequence[str]") -> int:
    """Return how many words the first star takes at least: in a push it stands for the remote."""
    return 1 if [*words[:2]] == ["git", "push"] else 0


def _operands_cost(wanted: "Sequence[str]", given: _Given, at_least: int) -> int:
    """Return the least that it costs to find the words of a pattern in order."""
    ends, first_star = len(wanted), wanted[:2] == ("push", _STAR)
    best = [0, *[_NEVER] * ends]
    _pass_stars(wanted, best, given.values)
    for number, (word, perhaps_value) in enumerate(given.operands):
        following = [*[_NEVER] * ends, best[ends]]
        for at in range(ends):
            starred = at > 0 and wanted[at - 1] == _STAR
            skipped = best[at] + (0 if starred else _GUESSED if perhaps_value else _NEVER)
            following[at] = min(following[at], skipped)
            if not (first_star and at == 2 and number <= at_least):
                following[at + 1] = min(following[at + 1], best[at] + _like(wanted[at], word))
        best = following
        _pass_stars(wanted, best, given.values)
        if not best[ends] or min(best) > _MOST:
            break
    return best[ends]


def _pass_stars(wanted: "Sequence[str]", best: list[int], values: "Iterable[str]") -> None:
    """Let stars stand for nothing, and words after a star be the values of options."""
    for at, word in enumerate(wanted):
        if word == _STAR:
            best[at + 1] = min(best[at + 1], best[at])
        elif at and wanted[at - 1] == _STAR and best[at] <= _MOST:
            found = min([_like(word, value) for value in values], default=_NEVER)
            best[at + 1] = min(best[at + 1], best[at] + found)


def _like(wanted: str, word: str) -> int:
    """Return what it costs to take a word for the wanted one; unknown text in it may be anything."""
    if wanted in (word, _STAR) or ("*" in wanted and UNKNOWN not in word and _stars(wanted, word)):
        return 0
    if not is_wild(word) or not _may_equal(wanted, starred(word)):
        return _NEVER
    if any(sign.isalnum() and sign.isascii() for sign in word):
        return _PARTLY
    return _GUESSED if UNKNOWN in word else _NEVER


def _may_equal(wanted: str, word: str) -> bool:
    """Tell whether two texts with stars can be the same; if both have some, only their ends are compared."""
    if "*" not in wanted:
        return _stars(word, wanted)
    head, tail = wanted.partition("*")[0], wanted.rpartition("*")[2]
    other_head, other_tail = word.partition("*")[0], word.rpartition("*")[2]
    heads = head.startswith(other_head) or other_head.startswith(head)
    return heads and (tail.endswith(other_tail) or other_tail.endswith(tail))


def _stars(pattern: str, text: str) -> bool:
    """Tell whether a text fits a pattern in which `*` is any run of characters."""
    first, *middle = pattern.split("*")
    if not middle:
        return pattern == text
    last = middle.pop()
    if len(text) < len(first) + len(last) or not (text.startswith(first) and text.endswith(last)):
        return False
    at, end = len(first), len(text) - len(last)
    for piece in middle:
        found = text.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def _folded(text: str) -> str:
    return " ".join(text.split()).lower()
