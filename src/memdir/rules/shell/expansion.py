"""What the words of a shell command become: variables, braces, printed text; unknown text keeps its mark.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.rules.invocation import TEMPORARY, UNKNOWN, Quoted
from memdir.rules.shell.scanner import Output, Part, Text, Variable, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["Variables"]

MOST_CHOICES = 64
"""Different values one word or command may have: beyond that it counts as unknown."""

_MOST_COMMAS = 1_000
"""Commas of a word with braces: the library that expands them nests one call for each."""

_MANY = 1_000
"""A command of more words, a word of more parts is not made in several ways: that would fill the memory."""

MOST_TEXT = 1 << 20
"""Characters of one value: doubling a variable twenty times must not fill the memory."""

_BLANKS = " \t\n"
"""What parts words as long as nobody sets IFS; whoever does only adds to it here."""

_WILD = frozenset("*?[")

_Piece = tuple[tuple[str, ...], bool]
"""The texts a part may stand for, and whether blanks in them end a word."""


class Variables:
    """The variables of the interpreted shell: each has all values that it may have at this point."""

    def __init__(self, printed: "Callable[[Output], str]", home: str = "") -> None:
        """Know the home; `printed` interprets the commands inside a word and returns their output."""
        self._known: dict[str, tuple[str, ...]] = {"IFS": (_BLANKS,)}
        self._known |= {"HOME": (home,)} if home else {}
        self._lists: dict[str, list[str]] = {}
        self._printed = printed

    def put(self, name: str, texts: "Iterable[str]", *, sure: bool = True) -> tuple[str, ...] | None:
        """Give a variable its value and return what it had; both stay possible where that is not sure."""
        before = self._known.get(name)
        self._known[name] = _limit_texts((*(() if sure or not before else before), *texts)) or ("",)
        return before

    def put_back(self, name: str, texts: tuple[str, ...] | None) -> None:
        """Give a variable what `put` said that it had."""
        if texts is not None:
            self._known[name] = texts
        else:
            self._known.pop(name, None)

    def known_values(self, name: str) -> tuple[str, ...]:
        """Return what a variable may hold, as far as it was set here."""
        return self._known.get(name, ())

    def put_arguments(self, words: "Sequence[str]") -> None:
        """Set the arguments of a script or a function."""
        for number in range(1, 10):
            text = words[number - 1] if number <= len(words) else ""
            self._known[str(number)] = (text,)
        self._known["*"] = (" ".join(words),)
        self.put_list("@", words)

    def put_list(self, name: str, words: "Sequence[str]") -> None:
        """Give a variable several words at once."""
        self._known[name], self._lists[name] = (" ".join(words),), [*words]

    def fields(self, words: "Sequence[Word]") -> list[list[str]]:
        """Return what these words become, in all ways that are possible."""
        choices: list[list[str]] = [[]]
        most = MOST_CHOICES if len(words) <= _MANY else 1
        for word in words:
            has_braces = any(isinstance(part, Text) and "{" in part.text for part in word)
            for plain in _without_braces(word) if has_braces else [word]:
                texts = [(part.text, part.quoted) for part in plain if isinstance(part, Text)]
                text = "".join([one for one, _ in texts])
                is_plain = any(not quoted and not _WILD.isdisjoint(one) for one, quoted in texts)
                is_quoted = not is_plain and not _WILD.isdisjoint(text)
                ways = [[Quoted(text) if is_quoted else text] if plain else []]
                if len(texts) < len(plain):
                    ways = self._fields(plain, most)
                if len(choices) * len(ways) > most:
                    ways = [[UNKNOWN]]
                if len(ways) > 1:
                    choices = [[*one, *way] for one in choices for way in ways]
                else:
                    for one in choices:
                        one.extend(ways[0])
        return choices

    def texts(self, word: Word) -> tuple[str, ...]:
        """Return what a word may become as one text, blanks and all."""
        ways = self._ways(word, MOST_CHOICES)
        return _limit_texts(["".join([text for text, _ in way]) for way in ways])

    def _fields(self, word: Word, most: int) -> list[list[str]]:
        last = word[-1]  # before it stand at most the quotes around it
        if len(word) <= 2 and isinstance(last, Variable) and last.whole and word[0] in (last, Text("")):
            return [self._lists.get(last.name, [UNKNOWN])]
        ways, between = self._ways(word, most), self._known.get("IFS", ())
        if between != (_BLANKS,):
            blanks = str.maketrans(dict.fromkeys("".join(between).replace(UNKNOWN, ""), " "))
            ways = [[(text.translate(blanks) if ends else text, ends) for text, ends in way] for way in ways]
        return [_split(way) for way in ways]

    def _ways(self, word: Word, most: int) -> list[list[tuple[str, bool]]]:
        """Return the texts of a word's parts, each with whether blanks end a word, in all possible ways."""
        ways: list[list[tuple[str, bool]]] = [[]]
        most = most if len(word) <= _MANY else 1
        for part in word:
            texts, splits = self._piece(part)
            if len(ways) * len(texts) > most:
                texts = (UNKNOWN,)
            if len(texts) > 1:
                ways = [[*way, (text, splits)] for way in ways for text in texts]
            else:  # the rule; a list that only grows keeps a long word linear
                for way in ways:
                    way.append((texts[0], splits))
        return ways

    def _piece(self, part: Part) -> _Piece:
        if isinstance(part, Text):
            return (part.text,), False
        if isinstance(part, Output):
            return (self._printed(part),), not part.quoted
        return self._value(part), not part.quoted or part.whole

    def _value(self, variable: Variable) -> tuple[str, ...]:
        name, sign = variable.name, variable.sign
        operand = self.texts(variable.operand) if variable.operand else ("",)
        known = self._known.get(name)
        if sign in ("+", ":+"):
            return operand if known and all(known) else _limit_texts(("", *operand))
        if sign in ("-", ":-", "=", ":="):
            found = known if known and any(known) else (*operand, _unset(name))
            if "=" in sign:
                self._known[name] = found
            return found
        if known is None or not sign or sign in ("?", ":?"):
            return known if known is not None else (_unset(name),)
        return _limit_texts([_apply_operator(text, sign, operand[0]) for text in known])


def _unset(name: str) -> str:
    """Return what a variable holds that is not set here: nobody knows, but some names tell the folder."""
    parts = name.lower().split("_")
    return f"{TEMPORARY}{UNKNOWN}" if "tmp" in name.lower() or "temp" in parts else UNKNOWN


def _apply_operator(text: str, sign: str, operand: str) -> str:
    """Return a value after one of the operators in braces; those that take a pattern know only plain text."""
    if sign[0] in "^,":
        change = str.upper if sign[0] == "^" else str.lower
        return change(text) if len(sign) == 2 else change(text[:1]) + text[1:]
    import re  # few commands come here

    if sign == ":" and (cut := re.match(_SLICE, operand)):
        start = int(cut[1])
        return text[start : start + int(cut[2])] if cut[2] else text[start:]
    if sign in ("#", "%") and not operand.strip("?"):  # so many signs, whichever they are
        operand = text[: len(operand)] if sign == "#" else text[len(text) - len(operand) :]
    elif re.search(_PATTERN, operand) or sign in (":", "@"):
        return UNKNOWN
    if sign[0] == "#":
        return text.removeprefix(operand)
    if sign[0] == "%":
        return text.removesuffix(operand)
    old, _, new = operand.partition("/")
    return text.replace(old, new, -1 if sign == "//" else 1) if old else text


_SLICE = r" *([0-9]{1,6})(?::([0-9]{1,6}))?\Z"
_PATTERN = r"[*?\[\0]"


def _limit_texts(texts: "Iterable[str]") -> tuple[str, ...]:
    """Return different texts, or the mark of the unknown for those that are too many or too long."""
    found = tuple(dict.fromkeys([text if len(text) <= MOST_TEXT else UNKNOWN for text in texts]))
    return found if len(found) <= MOST_CHOICES else (UNKNOWN,)


def _split(pieces: "Iterable[tuple[str, bool]]") -> list[str]:
    """Return the words that pieces make: blanks in the splitting ones end a word."""
    words, current = list[str](), list[str]()
    for text, splits in pieces:
        if not splits:
            current.append(text)
            continue
        bits = text.split()
        if current and text[:1].isspace():
            words.append("".join(current))
            current = []
        for bit in bits[:-1]:
            words.append("".join([*current, bit]))
            current = []
        current += bits[-1:]
        if bits and text[-1:].isspace():
            words.append("".join(current))
            current = []
    return [*words, "".join(current)] if current else words


_MOST_BRACES = 32
_FIRST_SIGN = 0xF0000
"""Parts of a word that are not plain letters stand as signs of a private plane while braces are expanded."""


def _without_braces(word: Word) -> list[Word]:
    """Return the words that braces make of one."""
    plain = [part.text for part in word if isinstance(part, Text) and not part.quoted]
    if not any("{" in text for text in plain) or any(ord(sign) >= _FIRST_SIGN for sign in "".join(plain)):
        return [word]
    text = "".join(
        [
            part.text if isinstance(part, Text) and not part.quoted else chr(_FIRST_SIGN + at)
            for at, part in enumerate(word)
        ]
    )
    made = _braces(text) if text.count("{") <= _MOST_BRACES and len(text) < MOST_TEXT else ()
    if not made:
        return [(Text(UNKNOWN),)]
    return [tuple([_part(sign, word) for sign in one]) for one in made] if len(made) > 1 else [word]


def _braces(text: str) -> "Sequence[str]":
    """Return what the braces of a text expand to; nothing when that is too much."""
    if "," not in text and ".." not in text:
        return [text]
    if text.count(",") > _MOST_COMMAS:
        return ()
    import bracex  # few commands need it

    try:
        return bracex.expand(text, keep_escapes=True, limit=MOST_CHOICES)
    except (bracex.ExpansionLimitException, RecursionError):
        return ()


def _part(sign: str, word: Word) -> Part:
    return word[ord(sign) - _FIRST_SIGN] if ord(sign) >= _FIRST_SIGN else Text(sign, quoted=False)
