"""What the words of a shell command become: variables, braces, printed text; unknown text keeps its mark.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.rules.invocation import TEMPORARY, UNKNOWN, Quoted
from memdir.rules.shell.scanner import Output, Text, Variable, Word
from memdir.text.value import field, value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeVar

    Item = TypeVar("Item")

__all__ = ["Variables"]

MOST_CHOICES = 64
"""Different values one word or command may have: beyond that it counts as unknown."""

_MANY = 1_000
"""A command of more words, a word of more parts is not made in several ways: that would fill the memory."""

_MOST_TEXT = 1 << 20
"""Characters of one value: doubling a variable twenty times must not fill the memory."""

_BLANKS = " \t\n\r\f\v"
_BREAK = "\x02\0\x02"
"""Stands between two words while a value is split."""
_WILD = frozenset("*?[")


@value_class(frozen=True, slots=True)
class Variables:
    """The variables of the interpreted shell: each has all values that it may have at this point."""

    command_output: "Callable[[Output], str]"
    """Interprets the commands inside a word and returns what they print."""
    values: dict[str, tuple[str, ...]]
    lists: "dict[str, Sequence[str]]" = field(default_factory=dict)

    def put(self, name: str, texts: "Iterable[str]", *, sure: bool = True) -> tuple[str, ...]:
        """Give a variable its value and return what it had; both stay possible where that is not sure."""
        before = self.known_values(name)
        self.values[name] = _limit_texts((*(() if sure else before), *texts)) or ("",)
        return before

    def put_back(self, name: str, texts: tuple[str, ...]) -> None:
        """Give a variable what `put` said that it had."""
        self.values.pop(name, None)
        self.values.update({name: texts} if texts else {})

    def known_values(self, name: str) -> tuple[str, ...]:
        """Return what a variable may hold, as far as it was set here."""
        return self.values.get(name, ())

    def put_arguments(self, words: "Sequence[str]") -> None:
        """Set the arguments of a script or a function."""
        given = dict(enumerate(words, 1))
        self.values.update({str(number): (given.get(number, ""),) for number in range(1, 10)})
        self.values["*"] = (" ".join(words),)
        self.put_list("@", words)

    def put_list(self, name: str, words: "Sequence[str]") -> None:
        """Give a variable several words at once."""
        self.values[name], self.lists[name] = (" ".join(words),), words

    def fields(self, words: "Sequence[Word]") -> list[list[str]]:
        """Return what these words become, in all ways that are possible."""
        ways: list[list[str]] = [[]]
        most = MOST_CHOICES if len(words) <= _MANY else 1
        for word in words:
            plain = [part for part in word if isinstance(part, Text)]
            text = "".join([part.text for part in plain])
            if len(plain) == len(word) and "{" not in text:  # as most are
                wild = [part.quoted for part in plain if _WILD & {*part.text}]
                for way in ways:
                    way.append(Quoted(text) if wild and all(wild) else text)
                continue
            for one in _expand_braces(word):
                ways = _combine(ways, self._fields(one, most), [UNKNOWN], most)
        return ways

    def texts(self, word: Word) -> tuple[str, ...]:
        """Return what a word may become as one text, blanks and all."""
        ways = self._ways(word, MOST_CHOICES)
        return _limit_texts(["".join([text for text, _ in way]) for way in ways])

    def _fields(self, word: Word, most: int) -> list[list[str]]:
        last = word[-1]  # before it stand at most the quotes around it
        if len(word) <= 2 and isinstance(last, Variable) and last.whole and word[0] in (last, Text("")):
            return [[*self.lists.get(last.name, [UNKNOWN])]]
        separators = "".join(self.known_values("IFS")).replace(UNKNOWN, "")
        breaks = str.maketrans(dict.fromkeys(_BLANKS + separators, _BREAK))
        fields = list[list[str]]()
        for way in self._ways(word, most):
            text = "".join([one.translate(breaks) if splits else one for one, splits in way])
            found = [one for one in text.split(_BREAK) if one]
            is_quoted = not all(splits for _, splits in way)  # then it is a word although it is empty
            fields.append([""] if is_quoted and not found else found)
        return fields

    def _ways(self, word: Word, most: int) -> list[list[tuple[str, bool]]]:
        """Return the texts of a word's parts, each with whether blanks end a word, in all possible ways."""
        ways: list[list[tuple[str, bool]]] = [[]]
        most = most if len(word) <= _MANY else 1
        for part in word:
            texts: tuple[str, ...]
            if isinstance(part, Text):
                texts, splits = (part.text,), False
            elif isinstance(part, Output):
                texts, splits = (self.command_output(part),), not part.quoted
            else:
                texts, splits = self._value(part), not part.quoted or part.whole
            ways = _combine(ways, [[(text, splits)] for text in texts], [(UNKNOWN, splits)], most)
        return ways

    def _value(self, variable: Variable) -> tuple[str, ...]:
        name, operator, known = variable.name, variable.operator, self.known_values(variable.name)
        operand = self.texts(variable.operand) if variable.operand else ("",)
        if operator in ("+", ":+"):
            return operand if known and all(known) else _limit_texts(("", *operand))
        if operator in ("-", ":-", "=", ":="):
            found = known if any(known) else (*operand, _unset(name))
            if "=" in operator:
                self.values[name] = found
            return found
        if not known or not operator or operator in ("?", ":?"):
            return known or (_unset(name),)
        return _limit_texts([_apply_operator(text, operator, operand[0]) for text in known])


def _combine(
    ways: "list[list[Item]]", options: "list[list[Item]]", unknown: "list[Item]", most: int
) -> "list[list[Item]]":
    """Return each way followed by each of the options, or by the unknown where those would be too many."""
    if len(ways) * len(options) > most:
        options = [unknown]
    if len(options) > 1:
        return [[*way, *option] for way in ways for option in options]
    for way in ways:  # lists that only grow keep a long command linear
        way.extend(options[0])
    return ways


def _unset(name: str) -> str:
    """Return what a variable holds that is not set here: nobody knows, but some names tell the folder."""
    is_temporary = "tmp" in name.lower() or "temp" in name.lower().split("_")
    return f"{TEMPORARY}{UNKNOWN}" if is_temporary else UNKNOWN


def _apply_operator(text: str, operator: str, operand: str) -> str:
    """Return a value after one of the operators in braces; those that take a pattern know only plain text."""
    if operator[0] in "^,":
        change = str.upper if operator[0] == "^" else str.lower
        return change(text) if len(operator) == 2 else change(text[:1]) + text[1:]
    import re  # few commands come here

    if operator == ":" and (cut := re.match(_SLICE, operand)):
        start = int(cut[1])
        return text[start : start + int(cut[2])] if cut[2] else text[start:]
    if operator in ("#", "%") and not operand.strip("?"):  # so many signs, whichever they are
        operand = text[: len(operand)] if operator == "#" else text[len(text) - len(operand) :]
    elif re.search(_PATTERN, operand) or operator in (":", "@"):
        return UNKNOWN
    if operator[0] in "#%":
        return text.removeprefix(operand) if operator[0] == "#" else text.removesuffix(operand)
    old, _, new = operand.partition("/")
    return text.replace(old, new, -1 if operator == "//" else 1) if old else text


_SLICE = r" *([0-9]{1,6})(?::([0-9]{1,6}))?\Z"
_PATTERN = r"[*?\[\0]"


def _limit_texts(texts: "Iterable[str]") -> tuple[str, ...]:
    """Return different texts, or the mark of the unknown for those that are too many or too long."""
    found = tuple(dict.fromkeys([text if len(text) <= _MOST_TEXT else UNKNOWN for text in texts]))
    return found if len(found) <= MOST_CHOICES else (UNKNOWN,)


_MOST_BRACES, _MOST_COMMAS = 32, 1_000
"""Braces and commas of a word: the library that expands them nests one call for each."""
_FIRST_SIGN = 0xF0000
"""Parts of a word that are not plain letters stand as signs of a private plane while braces are expanded."""


def _expand_braces(word: Word) -> list[Word]:
    """Return the words that braces make of one."""
    plain = "".join([part.text for part in word if isinstance(part, Text) and not part.quoted])
    if "{" not in plain or ("," not in plain and ".." not in plain) or max(plain) >= chr(_FIRST_SIGN):
        return [word]
    if plain.count("{") > _MOST_BRACES or plain.count(",") > _MOST_COMMAS or len(plain) > _MOST_TEXT:
        return [(Text(UNKNOWN),)]
    pieces = [
        part.text if isinstance(part, Text) and not part.quoted else chr(_FIRST_SIGN + at)
        for at, part in enumerate(word)
    ]
    import bracex  # few commands need it

    try:
        made = bracex.expand("".join(pieces), keep_escapes=True, limit=MOST_CHOICES)
    except (bracex.ExpansionLimitException, RecursionError):
        return [(Text(UNKNOWN),)]
    if len(made) < 2:
        return [word]
    parts = {chr(_FIRST_SIGN + at): part for at, part in enumerate(word)}
    return [tuple([parts.get(sign) or Text(sign, quoted=False) for sign in one]) for one in made]
