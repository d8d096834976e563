"""Fit the regression of `memdir.recall.relevance` on cross-validated signals, and choose both thresholds.

Usage: python -m training.recall_gate SIGNALS.npz [--variant base] [--write] [--card PATH] [FOLDER ...]
The features are computed by the package itself, from texts and from the signals that a network gave which did
not see the author. Each author is then judged by a regression that did not see them either.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from bench.coding.recall_figures import Answer, Figures, by_category, figures, table

from training.package import (
    JUDGE_TABLE,
    TIMES,
    Candidates,
    StoredSignals,
    candidates_of,
    features_of,
    skip_reason,
    store_of,
)
from training.recall_card import write_card
from training.recall_data import CODING, author_of, rows_in

__all__ = ["MEANING", "WORDS", "Prompt", "fitted", "judged_without_author", "main", "prompts_of"]

Numbers = np.ndarray[Any, Any]

WORDS = (
    "words in common",
    "lead in words",
    "words in common, widened",
    "words in common, not divided",
    "part of the prompt covered",
    "part of a long prompt covered",
    "rarest word in common",
    "second rarest word in common",
    "number of words in common",
    "its name in the prompt",
    "its description in the prompt",
    "length of the prompt",
    "terms of the prompt",
    "its length",
    "age",
    "it is about the user",
    "letters beyond English",
    "words in common beyond English",
    "other language than the prompt",
    "words in common * terms of the prompt",
    "terms of the prompt * terms of the prompt",
)
"""Features of the regression over words alone."""

MEANING = (
    "nearness above nothing and others",
    "nearness within the store",
    "best of the store",
    "size of the store",
    "lead in meaning",
    "lead over the third in meaning",
    "distance to the nearest in meaning",
    "meaning as a whole",
    "meaning above that of others",
    "the prompt's words by meaning",
    "the prompt's words by meaning above others",
    "its words by meaning above others",
    "the prompt asks for nothing",
    "nearness in meaning beyond English",
    "meaning of an English prompt",
    "English prompt",
    "other letters than the prompt",
    "the prompt asks for nothing * the prompt asks for nothing",
    "the prompt asks for nothing * meaning as a whole",
    "lead in meaning * other language than the prompt",
    "meaning as a whole * terms of the prompt",
    "length of a short prompt",
    *(name for name in WORDS if name != "words in common, widened"),
)
"""Features of the regression over words and meaning."""

_FINE = 0.5
"""What a memory that may be shown counts as."""

_SILENT, _ACKNOWLEDGED = 3.0, 15.0
"""How much a prompt counts that needs no memory, and one that only acknowledges: silence is worth more."""

_TRAINED_ONLY = "m"
"""Begins the ids of prompts that stand in stores of all authors: learned from, and never reported."""

_APART = "p"
"""The author whose prompts are mostly of the weak kinds: in a row apart, and no threshold goes by them."""

_PENALTY = 1.0
_MOST, _LINES = 5, 3
_EVERYBODY = "everybody"


@dataclass(frozen=True)
class Prompt:
    """One prompt with its candidates."""

    id: str
    group: str
    text: str
    category: str
    author: str
    gold: frozenset[int]
    fine: frozenset[int]
    places: tuple[int, ...]
    """Of the candidates in their store."""
    rows: Numbers
    """A row of features a candidate."""
    scores: Numbers
    """Probabilities, once somebody judged."""

    @property
    def counts(self) -> float:
        """How much it counts in the regression."""
        return _ACKNOWLEDGED if self.category == "none_ack" else 1.0 if self.gold else _SILENT

    def answer(self, certain: float, likely: float) -> Answer:
        """Return what is shown at these thresholds."""
        order = np.argsort(-self.scores, kind="stable") if not skip_reason(self.text) else ()
        full = [self.places[at] for at in order if self.scores[at] >= certain][:_MOST]
        lines = [self.places[at] for at in order if likely <= self.scores[at] < certain]
        lines = lines[: min(_LINES, _MOST - len(full))]
        named = (frozenset(map(str, self.gold)), frozenset(map(str, self.fine)))
        return Answer(self.category, *named, tuple(map(str, full)), tuple(map(str, lines)))


def prompts_of(
    folders: Sequence[Path],
    names: Sequence[str],
    signals: Mapping[str, Numbers] | None,
    variant: str = "",
    smallest: int = 0,
) -> list[Prompt]:
    """Return every prompt with the features of its candidates; without signals by words alone.

    With `smallest`, each prompt meets only some of its store, so many memories or more: stores begin small.
    """
    memories, queries = defaultdict(list), defaultdict(list)
    for folder in folders:
        for row in rows_in(folder, "corpus"):
            memories[row["group"]].append(row)
        for row in rows_in(folder, "queries"):
            queries[row["group"]].append(row)
    chance, found = random.Random(1), []
    for group in sorted(memories):
        at = f"{variant}|{group}"
        if signals is not None and f"{at}|signals" not in signals:
            continue
        mine = memories[group]
        store, place = store_of(mine), {row["id"]: number for number, row in enumerate(mine)}
        for number, row in enumerate(queries[group]):
            if smallest:
                some = chance.sample(range(len(mine)), chance.randint(smallest, len(mine) // 2))
                store = store_of(mine, some)
            near = StoredSignals.of(signals, at, number) if signals is not None else None
            found.append(_prompt(row, place, candidates_of(store, row["text"], near), names))
    return found


def _prompt(
    row: Mapping[str, Any],
    place: Mapping[str, int],
    found: tuple[Candidates, list[int]],
    names: Sequence[str],
) -> Prompt:
    candidates, order = found
    values = features_of(candidates.prompt, candidates.evidence)
    rows = np.array([[_value(one, name) for name in names] for one in values])
    rows = rows.reshape(len(values), len(names))
    return Prompt(
        row["id"],
        row["group"],
        row["text"],
        row["category"],
        author_of(row["group"]),
        frozenset(place[one] for one in row["gold"]),
        frozenset(place[one] for one in row.get("fine", ())),
        tuple(order[: len(values)]),
        rows,
        np.zeros(len(values)),
    )


def _value(values: Mapping[str, float], name: str) -> float:
    one, _, other = name.partition(TIMES)
    return values[one] * values[other] if other else values[one]


def fitted(prompts: Iterable[Prompt]) -> tuple[Numbers, Numbers, float]:
    """Return coefficients, typical values and the constant of a regression over these prompts."""
    rows, labels, counts = [], [], []
    for prompt in prompts:
        rows.append(prompt.rows)
        counts += [prompt.counts] * len(prompt.places)
        labels += [1.0 if at in prompt.gold else _FINE if at in prompt.fine else 0.0 for at in prompt.places]
    table_ = np.concatenate(rows)
    typical, spread = table_.mean(0), table_.std(0) + 1e-6
    weights = _regression((table_ - typical) / spread, np.array(labels), np.array(counts))
    return weights[:-1] / spread, typical, float(weights[-1])


def judged_without_author(prompts: Sequence[Prompt], more: Sequence[Prompt] = ()) -> list[Prompt]:
    """Return the prompts with probabilities from regressions that did not see their author.

    `more` prompts are only learned from.
    """
    authors = sorted({one.author for one in prompts})
    every = (*prompts, *more)
    fits = {author: fitted(one for one in every if one.author != author) for author in authors}
    return [replace(one, scores=_probabilities(one.rows, *fits[one.author])) for one in prompts]


def threshold(right: Callable[[float], bool]) -> float:
    """Return the lowest threshold, in steps of .01, from which on everything is right."""
    steps = [step / 100 for step in range(99, 0, -1)]
    best = steps[0]
    for step in steps:
        if not right(step):
            break
        best = step
    return best


def _regression(rows: Numbers, labels: Numbers, counts: Numbers) -> Numbers:
    """Return the weights of a logistic regression with a penalty, the constant last, by Newton's method."""
    rows = np.c_[rows, np.ones(len(rows))]
    weights = np.zeros(rows.shape[1])
    penalty = np.diag([_PENALTY] * (rows.shape[1] - 1) + [0.0])
    for _ in range(20):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (counts * (chance - labels)) + penalty @ weights
        curve = (
            (rows * (counts * chance * (1 - chance))[:, None]).T @ rows
            + penalty
            + 1e-6 * np.eye(len(weights))
        )
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def _probabilities(rows: Numbers, coefficients: Numbers, typical: Numbers, constant: float) -> Numbers:
    return 1 / (1 + np.exp(-np.clip((rows - typical) @ coefficients + constant, -50, 50)))


def chosen_thresholds(
    every: Sequence[Prompt], precision: float, silent: float, wrong: float
) -> tuple[float, float]:
    """Return the lowest thresholds that keep precision, silence, and the number of wrong lines in English."""
    prompts = [one for one in every if one.author != _APART and one.group not in LANGUAGES["other languages"]]

    def is_certain(step: float) -> bool:
        found = figures(one.answer(step, step) for one in prompts)
        return found.precision >= precision and found.silent >= silent

    certain = threshold(is_certain)

    def is_likely(step: float) -> bool:
        found = figures(one.answer(certain, step) for one in prompts)
        return step >= certain or found.wrong_lines <= wrong

    return certain, threshold(is_likely)


def written(variants: Mapping[str, tuple[Sequence[str], tuple[Numbers, Numbers, float]]]) -> str:
    """Return the text of the table that the package reads."""
    lines = ["# variant\tfeature\tcoefficient\ttypical value"]
    for variant, (names, (coefficients, typical, constant)) in variants.items():
        lines.append(f"{variant}\t\t{constant:.5g}\t0")
        lines += [
            f"{variant}\t{name}\t{weight:.5g}\t{value:.5g}"
            for name, weight, value in zip(names, coefficients, typical, strict=True)
        ]
    return "\n".join(lines) + "\n"


LANGUAGES = {
    "French": {"n09", "n10", "n11"},
    "Chinese": {"n12", "n13", "n14"},
    "other languages": {"g51", "g53", "g55", *(f"n{number:02}" for number in range(9, 21))},
}
"""Stores that are not in English."""


def parts_of(prompts: Sequence[Prompt], certain: float, likely: float) -> dict[str, Figures]:
    """Return the figures by category, author and language at these thresholds."""
    found: dict[str, list[Answer]] = defaultdict(list)
    for one in prompts:
        answer = one.answer(certain, likely)
        found[f"author {one.author}"].append(answer)
        if one.author != _APART:
            names = [name for name, stores in LANGUAGES.items() if one.group in stores]
            for name in (_EVERYBODY, *names) if names else (_EVERYBODY, "English"):
                found[name].append(answer)
    rows = by_category(found.pop(_EVERYBODY, []))
    return rows | {name: figures(some) for name, some in sorted(found.items())}


@dataclass(frozen=True)
class Judged:
    """One variant of the judge: prompts judged without their authors, thresholds, and coefficients."""

    prompts: list[Prompt]
    certain: float
    likely: float
    fit: tuple[Numbers, Numbers, float]

    @property
    def figures(self) -> dict[str, Figures]:
        """Its figures by category, author and language."""
        return parts_of(self.prompts, self.certain, self.likely)

    def moved(self, certain: float) -> tuple[Numbers, Numbers, float]:
        """Return the coefficients with a constant that puts its threshold where another variant has it."""
        coefficients, typical, constant = self.fit
        return coefficients, typical, constant + _logit(certain) - _logit(self.certain)


def by_meaning(folders: Sequence[Path], signals: Mapping[str, Numbers], variant: str) -> Judged:
    """Return the judge over words and meaning, with both thresholds."""
    prompts, fit = _cross_validated(folders, MEANING, signals, variant)
    return Judged(prompts, *chosen_thresholds(prompts, 0.75, 0.93, 0.58), fit)


def by_words(folders: Sequence[Path]) -> Judged:
    """Return the judge over words alone, which names none in a line."""
    prompts, fit = _cross_validated(folders, WORDS, None, "")
    certain, _ = chosen_thresholds(prompts, 0.70, 0.85, 0.0)
    return Judged(prompts, certain, certain, fit)


def _cross_validated(
    folders: Sequence[Path], names: Sequence[str], signals: Mapping[str, Numbers] | None, variant: str
) -> tuple[list[Prompt], tuple[Numbers, Numbers, float]]:
    every = prompts_of(folders, names, signals, variant)
    more = prompts_of(folders, names, signals, variant, smallest=1)
    reported = [one for one in every if not one.id.startswith(_TRAINED_ONLY)]
    learned = [one for one in every if one.id.startswith(_TRAINED_ONLY)] + more
    if signals is None:  # words alone show nothing for them anyway, and would only find less
        reported = [one for one in reported if one.author != _APART]
        learned = [one for one in more if one.author != _APART and not one.id.startswith(_TRAINED_ONLY)]
    return judged_without_author(reported, learned), fitted((*reported, *learned))


def _logit(chance: float) -> float:
    return float(np.log(chance / (1 - chance)))


def main() -> None:
    """Fit, choose, report, and with --write put the table into the package."""
    parser = argparse.ArgumentParser(description="Fit the judge of recall.")
    parser.add_argument("signals")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--variant", default="base")
    parser.add_argument("--write", action="store_true", help="put the coefficients into the package")
    parser.add_argument(
        "--card", metavar="PATH", help="write PATH.json and PATH.md: data, figures, date, licences"
    )
    options = parser.parse_args()
    folders = options.folders or [CODING]
    with np.load(options.signals) as file:
        signals = {name: file[name] for name in file.files if name.startswith(f"{options.variant}|")}
    meaning, words = by_meaning(folders, signals, options.variant), by_words(folders)
    for name, one in (("meaning", meaning), ("words alone", words)):
        rows = table(one.figures)
        print(
            f"## {name}: in full from {one.certain:.2f}, as a line from {one.likely:.2f}\n\n{rows}\n",
            flush=True,
        )
    if options.card:
        write_card(Path(options.card), folders, {"meaning": meaning, "words alone": words})
    if options.write:
        tables = {"meaning": (MEANING, meaning.fit), "words": (WORDS, words.moved(meaning.certain))}
        JUDGE_TABLE.write_text(written(tables), encoding="utf-8")


if __name__ == "__main__":
    main()
