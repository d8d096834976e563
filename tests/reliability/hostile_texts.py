"""A fuzzer over every function that takes a text: whatever a person, a model or a file says, it answers.

The functions are found by their annotations, so that a new one is fed without being named here.
"""

import importlib
import inspect
import pkgutil
import random
import re
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from training.weights_file import vocabulary_tables

import memdir.conversation
import memdir.dream
import memdir.extract
import memdir.instructions
import memdir.memories
import memdir.notes
import memdir.prompt
import memdir.recall
import memdir.rules
import memdir.text
import memdir.verify
import memdir.workers
from memdir.conversation.messages import Spoken
from memdir.conversation.receipts import ShownMemory
from memdir.dream.daily_log import LogDay
from memdir.errors import MemdirError
from memdir.extract.heuristics.extraction import Judge
from memdir.extract.heuristics.own_words import Sentence, sentences
from memdir.extract.result import Extracted
from memdir.extract.tagger import shipped_tagger
from memdir.memories.enforce import rules_in
from memdir.memories.index.pointer import Pointer, pointer_of
from memdir.memories.topic import Draft, Provenance, Topic, header_from, topic_from
from memdir.models.protocol import Reply
from memdir.recall.lexical.bm25 import BM25, passages_of
from memdir.recall.selector import parse_choice
from memdir.recall.semantic.encoder import WordPiece
from memdir.recall.surface import block_of
from memdir.verify.claims.parser import claims_in
from memdir.verify.project import Project
from tests.reliability.harness.figure import Effort, Figure
from tests.reliability.harness.odd_texts import odd_date, odd_text, odd_time

__all__ = ["fed", "text_figure", "text_functions"]

Function = Callable[[str, random.Random], object]
Maker = Callable[[str, random.Random], Any]

_PACKAGES = (
    memdir.text,
    memdir.memories,
    memdir.conversation,
    memdir.recall,
    memdir.verify,
    memdir.rules,
    memdir.instructions,
    memdir.prompt,
    memdir.extract,
    memdir.dream,
    memdir.notes,
    memdir.workers,
)

_NOT_FED = {
    "text.program_names.": "takes the name of one of our tables",
    "text.dates.calendar.": "takes a unit of the calendar, not a text",
    "verify.claims.past_tense.": "takes a place inside a text",
    "text.frontmatter.lines.entries.": "takes lines of a header that its caller found",
    "text.frontmatter.lines.lines_between.": "takes where a header lies that its caller found",
    "text.frontmatter.lines.nodes.": "takes lines of a header that its caller found",
    "memories.index.hub.new_hub.": "takes one of the kinds",
    "verify.claims.scripts.": "takes one of the known runners",
    "prompt.templates.fill_escaped.": "takes the name of one of our texts",
    "prompt.templates.template_text.": "takes the name of one of our texts",
    "prompt.templates.fields_of.": "takes the name of one of our texts",
    "recall.templates.": "takes the name of one of our texts",
    "workers.templates.": "takes the name of one of our texts",
    "recall.evaluation.": "reads a folder of tasks",
    "recall.semantic.weights.": "takes a file of ours",
    "recall.semantic.encoder.encoder_in": "takes a file of ours",
    "recall.semantic.vectors.": "takes a row of ours",
    "instructions.setting.": "takes a folder",
    "memories.catalog.": "takes rows and paths of ours",
    "memories.history.": "takes paths and records of ours",
    "memories.change.": "takes bytes of a file of ours",
    "memories.directory.": "takes a folder",
    "verify.claims.versions.fits.": "takes a version that was found in a text",
    "conversation.search.": "takes a folder",
    "conversation.transcripts.": "takes a path",
    "extract.memory_use.": "takes a folder",
    "extract.tagger.": "takes a folder",
    "dream.daily_log.": "takes a folder",
    "notes.file.newest_session.": "takes a folder",
}
"""Modules and functions whose argument nobody but our own code gives, each with the reason."""

_LONGEST = 10.0
"""Seconds of one call, for a few ten thousand characters at the most: only a blow-up takes so long."""


def text_figure(effort: Effort) -> Figure:
    """Feed odd texts to every function, a million inputs in all; nothing but a refusal may be raised."""
    with tempfile.TemporaryDirectory() as folder:
        functions = text_functions(Path(folder))
        rounds = -(-effort.size(1_000_000, 60_000) // len(functions))
        began = time.monotonic()
        found, slowest = fed(functions, effort.seed, rounds)
    problems = [f"{name}: {why} ({count} times)" for (name, why), count in sorted(found.items())]
    if slowest[0] > _LONGEST:
        problems.append(f"{slowest[1]} took {slowest[0]:.1f} s")
    return Figure(
        "fuzzed texts",
        f"{rounds * len(functions):,} inputs for {len(functions)} functions, {time.monotonic() - began:.0f} s"
        f", slowest {slowest[1]} with {slowest[0]:.2f} s",
        problems,
    )


def fed(
    functions: dict[str, Function], seed: int, rounds: int
) -> tuple[Counter[tuple[str, str]], tuple[float, str]]:
    """Give each function so many texts; return what was raised how often, by cause, and the slowest call."""
    chance, found, slowest = random.Random(seed), Counter[tuple[str, str]](), (0.0, "none")
    for _ in range(rounds):
        text = odd_text(chance)
        for name, function in functions.items():
            start = time.perf_counter()
            try:
                if isinstance(answer := function(text, chance), Extracted):
                    found.update((name, why) for _, why in answer.skipped if "could not be read (" in why)
            except MemdirError:
                pass  # an answer: it says what is wrong with the text
            except Exception as error:  # noqa: BLE001 - the finding of this fuzzer
                found[name, f"{type(error).__name__}: {error!s:.80}"] += 1
            slowest = max(slowest, (time.perf_counter() - start, name))
    return found, slowest


def text_functions(folder: Path) -> dict[str, Function]:
    """Return every public function that a text and fitting values are enough for, by its full name.

    Claims are checked against a small project in this folder.
    """
    makers = {**_MAKERS, "Project": _projects(folder)}
    found = {name: function for module in _modules() for name, function in _functions(module, makers)}
    fitting = {name: one for name, one in found.items() if not any(map(f"{name}.".startswith, _NOT_FED))}
    return {**fitting, **_METHODS}


def _modules() -> Iterator[ModuleType]:
    for package in _PACKAGES:
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            yield importlib.import_module(found.name)


def _functions(module: ModuleType, makers: dict[str, Maker]) -> Iterator[tuple[str, Function]]:
    for name in getattr(module, "__all__", ()):
        function = getattr(module, name)
        if inspect.isfunction(function) and function.__module__ == module.__name__:
            parameters = inspect.signature(function).parameters.values()
            kinds = {
                one.name: _kind(one) for one in parameters if one.default is one.empty or _kind(one) in _TEXTS
            }
            if kinds.keys() and all(kind in makers for kind in kinds.values()) and _TEXTS & {*kinds.values()}:
                by_name = {one.name for one in parameters if one.kind is one.KEYWORD_ONLY}
                yield (
                    f"{module.__name__.partition('.')[2]}.{name}",
                    _fed_with(function, {key: makers[kind] for key, kind in kinds.items()}, by_name),
                )


def _kind(one: inspect.Parameter) -> str:
    """Return the annotation of a parameter without the modules of its types."""
    written = one.annotation
    text = written if isinstance(written, str) else inspect.formatannotation(written)
    return re.sub(r"\b\w+\.", "", text)


def _fed_with(function: Callable[..., object], makers: dict[str, Maker], by_name: set[str]) -> Function:
    def call(text: str, chance: random.Random) -> object:
        given = {name: make(text, chance) for name, make in makers.items()}
        named = {name: given.pop(name) for name in by_name & given.keys()}
        answer = function(*given.values(), **named)
        return list(answer) if isinstance(answer, Iterator) else answer

    return call


def _words(text: str, _: random.Random) -> list[str]:
    """Return the words of a text, and one at least: there is no command without."""
    return text.split()[:200] or [text]


def _topic(text: str, chance: random.Random) -> Topic:
    return topic_from("a/b.md", text, odd_time(chance))


def _draft(text: str, chance: random.Random) -> Draft:
    kind = chance.choice((None, "user", "feedback", "project", "reference"))
    name, title, why = (chance.choice(("", "", text[:80], odd_text(chance)[:80])) for _ in range(3))
    moment, day = chance.choice((None, odd_time(chance))), chance.choice(("", odd_date(chance).isoformat()))
    return Draft(text, kind, name, title, why, why, title, expires=day, saved_at=moment)


def _talk(text: str, chance: random.Random) -> list[Spoken]:
    """Return a short conversation around a text, its messages of odd days or of none."""
    roles = ("user", "assistant", "user", "tool", "user")
    texts = [
        text,
        odd_text(chance),
        odd_text(chance),
        text,
        chance.choice((text, "yes, exactly", "forget it")),
    ]
    return [
        Spoken(str(number), role, said, chance.choice((None, odd_time(chance))))
        for number, (role, said) in enumerate(zip(roles, texts, strict=True))
    ]


def _pointer(text: str, chance: random.Random) -> Pointer:
    return pointer_of(header_from("a/b.md", text, odd_time(chance)))


def _message(text: str, chance: random.Random) -> dict[str, object]:
    """Return what a host writes into a transcript, or gives to a tool."""
    content = chance.choice(
        (text, [{"type": "text", "text": text}], [{"type": "tool_result", "content": text}])
    )
    given = {"command": text, "file_path": text, "content": content, "new_string": text}
    return {
        **given,
        "role": "user",
        "type": "user",
        "timestamp": chance.choice((text, "2026-11-16T07:00:00Z")),
    }


_RULES = rules_in("Bash: git push * main\nBash: * --no-verify\nWrite: secrets/**\nEdit: *.lock 'phrase'")


def _projects(folder: Path) -> Maker:
    """Return what opens a small project, mostly as a plain folder: git takes a thousand times as long."""
    for name in ("src/app.py", "tests/other.sh", "Makefile", "package.json"):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("def max_tokens():\n    return 5\n\ntest: x\n")
    git = shutil.which("git")
    if git:
        for words in (
            ["init", "-q"],
            ["add", "-A"],
            ["-c", "user.name=a", "-c", "user.email=b", "commit", "-qm", "c"],
        ):
            subprocess.run([git, "-C", str(folder), *words], check=True, capture_output=True)
    return lambda _, chance: Project(folder, git if chance.random() < _WITH_GIT else None)


_WITH_GIT = 0.02
"""Share of the checks that ask git too."""

_WITH_TAGGER = 0.05
"""Share of the extractions that ask the tagger too."""

_TEXTS = {
    "str",
    "bytes",
    "Topic",
    "Draft",
    "Sequence[Spoken]",
    "Sentence",
    "Sequence[Topic]",
    "Iterable[Topic]",
}
"""Kinds of arguments that a text is made into."""

_MAKERS: dict[str, Maker] = {
    "str": lambda text, _: text,
    "str | None": lambda text, chance: chance.choice((text, None)),
    "bytes": lambda text, _: text.encode("utf-8", "surrogatepass"),
    "object": lambda text, _: text,
    "bool": lambda _, chance: chance.random() < 0.5,
    "int": lambda _, chance: chance.choice((0, 1, 3, 40, 4_096)),
    "float": lambda *_: 1.0,
    "date": lambda _, chance: odd_date(chance),
    "datetime": lambda _, chance: odd_time(chance),
    **dict.fromkeys(("Sequence[str]", "Iterable[str]", "list[str]", "Container[str]"), _words),
    **dict.fromkeys(
        ("Collection[str]", "Set[str]", "frozenset[str]"), lambda text, _: frozenset(text.split())
    ),
    "Mapping[str, str]": lambda text, _: {"a.md": text, "text": text},
    "Header": lambda text, chance: header_from("a/b.md", text, odd_time(chance)),
    "Topic": _topic,
    "Sequence[Claim]": lambda text, _: claims_in(text),
    **dict.fromkeys(("Sequence[Topic]", "Iterable[Topic]"), lambda text, chance: [_topic(text, chance)]),
    **dict.fromkeys(
        ("Sequence[Header]", "Iterable[Header]"), lambda text, chance: [_topic(text, chance).header]
    ),
    "Header | None": lambda text, chance: header_from("a/b.md", text, odd_time(chance)),
    "Draft": _draft,
    "Pointer": _pointer,
    "Pointer | None": _pointer,
    **dict.fromkeys(
        ("Sequence[Pointer]", "Iterable[Pointer]"), lambda text, chance: [_pointer(text, chance)]
    ),
    "Mapping[str, Pointer]": lambda text, chance: {"a.md": _pointer(text, chance)},
    "Callable[[str], bool]": lambda *_: lambda file: len(file) % 2 == 0,
    "Callable[[str], list[tuple[str, float]]]": lambda *_: lambda _: [("a/b.md", 0.9)],
    "Mapping[str, Any]": _message,
    "Iterable[Rule]": lambda *_: _RULES,
    "Sequence[LogDay]": lambda text, chance: [LogDay("2026-11-16", odd_date(chance), text)],
    "Provenance": lambda *_: Provenance(),
    "Provenance | None": lambda *_: None,
    "Sentence": lambda text, _: next(iter(sentences(text)), Sentence(text, text)),
    "Sequence[Spoken]": _talk,
    "Judge": lambda _, chance: Judge(shipped_tagger() if chance.random() < _WITH_TAGGER else None),
}


def _ranked(text: str, chance: random.Random) -> object:
    """Count the words of a text and look for those of another, and the other way round."""
    other = odd_text(chance)
    index = BM25([passages_of(text[:60], other[:60], text), passages_of(other[:60], "", other)])
    return index.fit(text), index.fit(other).similarities([0, 1])


def _shown(text: str, chance: random.Random) -> object:
    size, days = chance.choice((1, 40, 4_096)), chance.choice((0, 1, 900))
    path, one = text[:60], _topic(text, chance)
    row = ShownMemory(path, "", days, path, (text,))
    return block_of(one, path, row, max_lines=200, max_bytes=size)


_PIECES = ["[CLS]", "[SEP]", "[UNK]", "a", "e", "##e", "the", "##s", "1", "é", "."]
_CUTTER = WordPiece(vocabulary_tables(_PIECES))

_METHODS: dict[str, Function] = {
    "recall.lexical.bm25.BM25.fit": _ranked,
    "recall.surface.block_of": _shown,
    "recall.semantic.wordpiece.WordPiece.token_ids": lambda text, _: _CUTTER.token_ids(text),
    "recall.selector.parse_choice": lambda text, chance: parse_choice(
        Reply(text), [_topic(text, chance).header]
    ),
}
"""What a text passes through that is no plain function."""
