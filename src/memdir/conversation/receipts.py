"""Receipts: what each recall showed and why, one line of JSON each, on this machine only.

A host waits for this module: it imports late and does without `typing`.
"""

from _json import encode_basestring_ascii

from memdir.conversation.logs import RotatingLog
from memdir.errors import NoSuchMemory, Rejected
from memdir.text.secrets.fast_search import without_secrets
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")

__all__ = ["NamedMemory", "RecallCandidate", "Receipt", "Receipts", "ShownMemory", "receipt_query"]

LARGEST = 2_000_000
"""Bytes of each of the two files: some thousand recalls, enough to see what is never recalled."""

_LONGEST_QUERY = 500
"""Characters of a prompt that are kept: enough to recognise it."""


@value_class(frozen=True, slots=True)
class RecallCandidate:
    """A memory that could have been shown, with its score, and why it was not."""

    file: str
    score: float
    lexical: float = 0.0
    semantic: float | None = None
    notes: tuple[str, ...] = ()
    cut: str = ""
    """Empty for one that was shown."""
    reasons: tuple[str, ...] = ()
    """What decided about its score, in words."""


@value_class(frozen=True, slots=True)
class ShownMemory:
    """A memory that was shown, and all that its text depends on besides the file."""

    file: str
    mark: str
    days: int
    who: str
    findings: tuple[str, ...] = ()


@value_class(frozen=True, slots=True)
class NamedMemory:
    """A memory of which one line was shown."""

    file: str
    mark: str


@value_class(frozen=True, slots=True)
class Receipt:
    """One recall: what was asked, what came into question, what was shown, how, and how long it took."""

    id: str
    at: str
    """UTC, seconds, `Z`."""
    query: str
    """Its beginning, with credentials masked."""
    session: str = ""
    method: str = ""
    """model, semantic or lexical: who chose; empty when nobody had to."""
    because: str = ""
    """Why nothing came into question at all."""
    shown: tuple[ShownMemory, ...] = ()
    """In full."""
    named: tuple[NamedMemory, ...] = ()
    """As one line each."""
    candidates: tuple[RecallCandidate, ...] = ()
    """The best of them, best first."""
    others: int = 0
    """Candidates that are not listed."""
    fallbacks: tuple[str, ...] = ()
    """What did not work and was done without."""
    max_lines: int = 0
    max_bytes: int = 0
    tokens: int = 0
    """What the shown text takes, estimated."""
    model_tokens: int = 0
    milliseconds: float = 0.0

    @property
    def files(self) -> tuple[str, ...]:
        """Return the files that were shown in full, in order."""
        return tuple([shown.file for shown in self.shown])

    @property
    def likely(self) -> tuple[str, ...]:
        """Return the files that were shown as one line each, in order."""
        return tuple([named.file for named in self.named])

    @property
    def given(self) -> tuple[str, ...]:
        """Return the files of which anything was shown: in full, then as a line."""
        return self.files + self.likely


class Receipts:
    """The receipts of one memory directory, newest in one file, older ones in another."""

    def __init__(self, state: str) -> None:
        self._log = RotatingLog(state, "receipts", LARGEST)

    def add(self, receipt: Receipt) -> None:
        """Write one down without waiting for the disk; a recall does not fail because that fails."""
        self._log.add(_json({name: getattr(receipt, name) for name in receipt.__match_args__}))

    def all(self) -> list[Receipt]:
        """Return what is kept, newest first."""
        return [receipt for receipt in map(_receipt, self._log.lines()) if receipt]

    def one(self, name: str | None = None) -> Receipt:
        """Return a receipt by its id or the beginning of it, or the newest."""
        if name == "":
            raise Rejected("The id is empty. `memdir why --list` shows the ids; leave it out for the newest.")
        found = [receipt for receipt in self.all() if receipt.id.startswith(name or "")]
        if not found:
            missing = f"No recall begins with {name!r}. `memdir why --list` shows their ids."
            raise NoSuchMemory(missing if name else "Nothing was recalled here yet. `memdir recall` does it.")
        if name and len(found) > 1:
            raise NoSuchMemory(f"Several recalls begin with {name!r}. Give more of the id.")
        return found[0]


def _receipt(line: str) -> Receipt | None:
    """Read one line; None for a torn one, or one of another version."""
    import json

    try:
        row = json.loads(line)
        row["shown"] = tuple([_with_tuples(ShownMemory, one) for one in row["shown"]])
        row["named"] = tuple([_with_tuples(NamedMemory, one) for one in row.get("named", ())])
        row["candidates"] = tuple([_with_tuples(RecallCandidate, one) for one in row["candidates"]])
        row["fallbacks"] = tuple(row["fallbacks"])
        return Receipt(**row)
    except (ValueError, KeyError, TypeError):
        return None


def _with_tuples(made: "Callable[..., T]", row: "list[Any]") -> "T":
    return made(*[tuple(value) if isinstance(value, list) else value for value in row])


def receipt_query(query: str) -> str:
    """Return the beginning of a query as a receipt keeps it: credentials masked, on one line."""
    return " ".join(without_secrets(query[:20_000]).split())[:_LONGEST_QUERY]


def _json(one: "Any") -> str:
    """Write JSON: the standard writer takes longer to load than a receipt to write."""
    match one:
        case str():
            return encode_basestring_ascii(one)
        case None:
            return "null"
        case int() | float():
            return repr(one)
        case tuple():
            return f"[{','.join([_json(each) for each in one])}]"
        case dict():
            return "{" + ",".join([f'"{key}":{_json(value)}' for key, value in one.items()]) + "}"
    return _json(tuple([getattr(one, name) for name in one.__match_args__]))
