"""Whether the words of a command are those that a rule speaks of: surely, perhaps, or not.

A rule `git push * main` means a program, its first words in order, and with `*` any words between. Options
stand anywhere and in any order, short ones together or apart; whatever follows the last word does not matter.
A word that only the running shell knows is a guess: one guess makes a perhaps, two make a no.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.rules.command_line import KIND, NAMED_BY_KIND, CommandLine, names_in_word, other_calls
from memdir.rules.invocation import UNKNOWN, Quoted
from memdir.text.program_names import INLINE, SAME_AS_GIT, current_form, names_of, program
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "NO",
    "PERHAPS",
    "YES",
    "Pattern",
    "fit",
    "is_named_in",
    "may_equal",
    "names_in",
    "pattern_of",
    "star_pattern",
    "text_fits",
]

YES, PERHAPS, NO = 0, 1, 2

_PARTLY, _GUESSED, _MOST = 1, 3, 5
"""What a word costs with some letters known (`ma*n`), and with none, and the most that all may cost."""

_NEVER = _MOST + 1

_STAR, _WILD = "*", frozenset(f"*?[{UNKNOWN}")
_ANY = "\x02"
"""Stands for any operands, but not for values of options."""


@value_class(frozen=True, slots=True)
class Pattern:
    """The words of a rule about commands, taken apart once."""

    program: str
    options: tuple[str, ...]
    operands: tuple[str, ...]
    """In order; `*` stands for any words between."""
    phrases: tuple[str, ...]
    """Texts in quotes: looked for anywhere in the command's words and in what it reads."""
    values: tuple[tuple[str, str], ...] = ()
    """Options with the value that they must have."""
    written: tuple[str, ...] = ()
    """The program and the operands as the rule spells them: programs know several names for one thing."""

    @property
    def names(self) -> int:
        """How many of its words are more than a star."""
        words = [word for word in (self.program, *self.operands) if word not in (_STAR, _ANY)]
        return len(words) + len(self.options) + len(self.phrases)


def pattern_of(text: str) -> Pattern:
    """Read the pattern of a rule; behind the program, a text in quotes is a phrase."""
    words, phrases = list[str](), list[str]()
    for word in _words(text) if "'" in text or '"' in text else text.split():
        is_phrase = " " in word or (isinstance(word, Quoted) and words and word and word[0] != "-")
        (phrases if is_phrase else words).append(word)
    words = [word.rstrip("*") if word[:1] == "-" and word.strip("-*") else word for word in words]
    if words and len(words[0]) > 1 and words[0][0] == words[0][-1] == _STAR:
        words.insert(0, _STAR)  # such a word may stand anywhere
    if len(words) > 2 and program(words[0]) == "python" and words[1] == "-m":
        del words[:2]  # a module that is run is that program
    call = CommandLine(words or [_STAR])
    operands = [word for word, _ in call.operands]
    if call.name == "git" and operands[:1] == ["push"]:
        from memdir.rules.git import destination

        operands = [word if "*" in word else destination(word) for word in operands]
    if call.name in NAMED_BY_KIND:
        around = [[_ANY, one, _ANY] if one[-1:] == KIND and len(one) > 1 else [one] for one in operands]
        operands = [one for some in around for one in some]
    if call.name in _TAKE_GOALS and operands:
        operands = [_ANY, *operands]
    elif (
        operands[:1]
        and operands[0] in _TAKE_LISTS
        and (operands[0] != "branch" or "--delete" in call.options)
    ):
        operands.insert(1, _ANY)
    for at in range(len(operands) - 1, -1, -1):
        if len(operands[at]) > 1 and operands[at][0] == "*" and (not at or operands[at - 1] != _STAR):
            operands.insert(at, _STAR)
    given = [pair for pair in call.valued if pair[1] not in ("", _STAR) and pair[0] in call.options]
    values = [pair for pair in given if call.known is not None or "=".join(pair) in words]
    return Pattern(
        call.name,
        tuple(call.options),
        tuple(operands),
        tuple(map(_fold, phrases)),
        tuple(values),
        (call.name, *[word for word in call.words[1:] if word[:1] != "-"]),
    )


def fit(pattern: Pattern, call: CommandLine, stdin: str) -> int:
    """Say whether a command is one that the pattern means; git commands come in their plain form."""
    fits = _fit(pattern, call, stdin)
    if fits == YES or pattern.program not in (call.name, _STAR):
        return fits
    others = other_calls(call, with_options=bool(pattern.options))
    return min([fits, *[_fit(pattern, one, stdin) for one in others]])


def _fit(pattern: Pattern, call: CommandLine, stdin: str) -> int:
    operands, cost = pattern.operands, _word_cost(pattern.program, call.name)
    if cost == _NEVER and operands[:1] == (call.name,) and pattern.program in INLINE:
        operands, cost = operands[1:], _PARTLY  # a script that is run by itself
    elif 0 < cost < _NEVER:
        call = CommandLine([pattern.program, *call.words[1:]])  # its options are that program's
    values = dict(pattern.values)
    if cost == _NEVER or not all(call.has(option) for option in pattern.options if option not in values):
        return NO
    if pattern.program == _STAR and call.name in _FORCED and not {*pattern.options} <= {*call.words}:
        return NO  # their short options are everyday ones
    if call.words[-1].lstrip("-") == "help" and pattern.names and call.has(call.words[-1]):
        return NO  # it only prints help
    texts = [_fold(text) for text in (*call.words[1:], stdin)] if pattern.phrases else []
    if not all(any(_stars(f"*{phrase}*", text) for text in texts) for phrase in pattern.phrases):
        return NO
    cost += sum([_value_cost(name, value, call) for name, value in values.items()])
    cost += _operands_cost(operands, call) if cost <= _MOST else 0
    if cost > _MOST and operands and not values and call.name in _READ_COMMANDS:
        # Its commands may stand in a text, apart from what is quoted there.
        given = ["".join(word.split("'")[::2]) for word in call.words[1:] if " " in word or "(" in word]
        is_named = names_in(pattern, "\n".join([call.name, *given, stdin]), any_case=True)
        cost = _PARTLY if is_named else cost
    return YES if not cost else PERHAPS if cost <= _MOST and pattern.names > 1 else NO


_TAKE_GOALS, _TAKE_LISTS = names_of("goals"), names_of("lists")
_FORCED = frozenset({"rm", "cp", "mv", "ln"})
_READ_COMMANDS = frozenset({"redis-cli", "mongosh", "mongo", "sqlite", "psql", "mysql", "mariadb"})
"""Programs that read commands of their own."""


def _value_cost(name: str, value: str, call: CommandLine) -> int:
    """Return what it costs to take an option of a command for the one with this value."""
    given = [one for option, one in call.valued if option == name]
    places = [word for word, _ in call.operands] if name in ("--host", "-h", "--dbname") else []
    named = [one for word in (*given, *places) for one in names_in_word(word)]
    return min([_word_cost(value, one) for one in (*given, *named)], default=_NEVER)


def text_fits(pattern: str, text: str) -> bool:
    """Tell whether a text is meant by a pattern: all of it with stars, any part of it without."""
    return bool(_stars(pattern.lower(), text.lower())) if "*" in pattern else _fold(pattern) in _fold(text)


def names_in(pattern: Pattern, text: str, *, any_case: bool = False) -> bool:
    """Tell whether a text holds the pattern's words one after the other, as words."""
    meant = [word for word in (pattern.program, *pattern.operands) if word != _ANY]
    found = any(_in_order(words, text, any_case=any_case) for words in (meant, pattern.written))
    return found and all(phrase in _fold(text) for phrase in pattern.phrases)


def is_named_in(pattern: Pattern, text: str) -> bool:
    """Tell whether the program of a pattern is named in a text in a language that is not evaluated.

    A pattern for any program is named where all its other words are.
    """
    words = "".join([sign if sign.isalnum() or sign in _IN_NAMES else " " for sign in text]).split()
    if pattern.program == _STAR:
        wanted = [piece for word in (*pattern.options, *pattern.operands) for piece in word.split(_STAR)]
        return all(piece in text for piece in (*wanted, *pattern.phrases) if piece != _ANY)
    same = (pattern.program, *(SAME_AS_GIT if pattern.program == "git" else ()))
    return any(program(current_form([word.lstrip("@+-") or word])[0]) in same for word in words)


_IN_NAMES = "_./@+-"


def _in_order(words: "Iterable[str]", text: str, *, any_case: bool) -> bool:
    import re  # only a text in doubt is looked at like this

    at, flags = 0, re.IGNORECASE if any_case else 0
    pieces = [piece for word in words for piece in word.split("*") if piece]
    for piece in pieces:
        found = re.compile(rf"(?<![\w-]){re.escape(piece)}(?![\w-])", flags).search(text, at)
        if found is None:
            return False
        at = found.end()
    return bool(pieces)


def star_pattern(word: str) -> str:
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
            yield Quoted(text[1:end])
            text = text[end + 1 :]
        else:
            word = text.split(maxsplit=1)[0]
            yield word
            text = text[len(word) :]


def _operands_cost(wanted: "Sequence[str]", call: CommandLine) -> int:
    """Return the least that it costs to find the words of a pattern in order."""
    ends, first_star = len(wanted), wanted[:2] == ("push", _STAR)
    at_least = 1 if [*call.words[:2]] == ["git", "push"] else 0  # the star stands for the remote
    best = [0, *[_NEVER] * ends]
    _pass_stars(wanted, best, call.values)
    names_kinds, after_kind = call.name in NAMED_BY_KIND, False
    for number, (word, perhaps_value) in enumerate(call.operands):
        following = [*[_NEVER] * ends, best[ends]]
        for at in range(ends):
            starred = at > 0 and wanted[at - 1] in (_STAR, _ANY)
            skipped = best[at] + (0 if starred else _PARTLY if perhaps_value else _NEVER)
            following[at] = min(following[at], skipped)
            is_name = after_kind and word[-1:] != KIND == wanted[at][-1:]
            if not is_name and not (first_star and at == 2 and number <= at_least):
                following[at + 1] = min(following[at + 1], best[at] + _word_cost(wanted[at], word))
        after_kind = names_kinds and (after_kind or word[-1:] == KIND)
        best = following
        _pass_stars(wanted, best, call.values)
        if not best[ends] or min(best) > _MOST:
            break
    return best[ends]


def _pass_stars(wanted: "Sequence[str]", best: list[int], values: "Iterable[str]") -> None:
    """Let stars stand for nothing, and words after a star be the values of options."""
    for at, word in enumerate(wanted):
        if word in (_STAR, _ANY):
            best[at + 1] = min(best[at + 1], best[at])
        elif at and wanted[at - 1] == _STAR and best[at] <= _MOST:
            found = min([_word_cost(word, value) for value in values], default=_NEVER)
            best[at + 1] = min(best[at + 1], best[at] + found)


def _word_cost(wanted: str, word: str) -> int:
    """Return what it costs to take a word for the wanted one; unknown text in it may be anything."""
    if wanted in (word, _STAR) or ("*" in wanted and UNKNOWN not in word and _stars(wanted, word)):
        return 0
    if ("/" in word and _is_path(wanted, word)) or ("://" in wanted + word and _is_address(wanted, word)):
        return 0
    if wanted.isupper() and len(wanted) > 3 and word.upper() == wanted:
        return _PARTLY  # words of SQL and the like
    is_plain = _WILD.isdisjoint(word) or (isinstance(word, Quoted) and UNKNOWN not in word)
    wild = "" if is_plain else star_pattern(word)
    if "*" not in wild or not may_equal(wanted, wild):
        return 0 if wanted in names_in_word(word) else _NEVER
    if any(sign.isalnum() and sign.isascii() for sign in word):
        return _PARTLY
    return _GUESSED if UNKNOWN in word else _NEVER


def _is_path(wanted: str, word: str) -> bool:
    """Tell whether a path is the wanted one; a script is meant in any folder."""
    path = word.removeprefix("./")
    is_script = wanted.endswith(_SCRIPTS) and "/" not in wanted and word.endswith(f"/{wanted}")
    return is_script or wanted in (path, path.rstrip("/"))


_SCRIPTS = (".py", ".sh", ".js", ".ts", ".rb", ".mjs")


def _is_address(wanted: str, word: str) -> bool:
    """Tell whether two addresses are the same, whatever their scheme, user and the case of the host."""
    found = list[str]()
    for text in (wanted, word):
        host, slash, path = text.rpartition("://" if "://" in text else "\n")[2].partition("/")
        found.append(f"{host.rpartition('@')[2].lower()}{slash}{path}".rstrip("/"))
    return found[0][:1] not in ("", "*") and UNKNOWN not in word and _stars(*found)


def may_equal(wanted: str, word: str) -> bool:
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


def _fold(text: str) -> str:
    return " ".join(text.split()).lower()
