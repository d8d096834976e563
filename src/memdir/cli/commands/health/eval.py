"""Commands that measure memdir on recorded data and on a person's own examples: eval recall."""

from __future__ import annotations

import json
import os
from itertools import chain
from typing import TYPE_CHECKING

import click

from memdir.cli.arguments import command, example
from memdir.cli.output import hint, one_line, say, say_json, working
from memdir.cli.report import fields
from memdir.cli.target import Target
from memdir.progress import counted_of

if TYPE_CHECKING:
    from memdir.recall.evaluation import Answer, ExampleScore

__all__ = ["evaluate"]


@click.group("eval", epilog=example("memdir eval recall bench/recall"))
def evaluate() -> None:
    """Measure memdir on recorded data."""


@command("memdir eval recall", "memdir eval recall bench/recall --run", of=evaluate)
@click.argument("directory", metavar="DIR", required=False, type=click.Path(exists=True, file_okay=False))
@click.option("--words", is_flag=True, help="By words alone, also where a model for meanings is there.")
@click.option(
    "--run", is_flag=True, help="Print the ranking of every query, a line of JSON each, and no table."
)
def recall(target: Target, directory: str | None, words: bool, run: bool) -> None:
    """Score recall by your own examples, or ranking and choosing over every task in DIR.

    `memdir recall --wrong FILE` and `--missing FILE` note examples. A task is a folder with corpus.jsonl and
    queries.jsonl; bench/recall/README.md describes them.
    """
    if directory is None:
        with working("Asking"):
            score = target.memory().recalls.score()
        say_json(fields(score))
        say(*_score_lines(score))
        return
    from memdir.recall.evaluation import answers, averages, table, tasks_in
    from memdir.recall.semantic.encoder import encoder_in
    from memdir.recall.semantic.weights import weights_folder, weights_missing

    models = weights_folder(os.environ)
    missing = "" if words else weights_missing(models)
    encoder = None if words else encoder_in(models)
    encode = encoder.all_encoded if encoder else None
    found: dict[str, list[Answer]] = {}
    for task in tasks_in(directory):
        with working(f"Asking {task.name}"):
            found[task.name] = list(counted_of(answers(task, encode), len(task.queries)))
    if run:
        for answer in chain.from_iterable(found.values()):
            kept = {"ranking": answer.ranking[:100], "selected": answer.selected}
            say(json.dumps({"id": answer.query["id"], **kept}), always=True)
    else:
        say_json({"semantic": encode is not None, "tasks": averages(found)})
        say(table(averages(found)))
    if missing:
        hint(f"Ranked by words alone. {missing}")


def _score_lines(score: ExampleScore) -> list[str]:
    if not score.examples:
        how = "`memdir recall PROMPT --missing FILE` or `--wrong FILE` notes one."
        return [f"There are no examples yet. {how}"]
    lines = [f"{score.examples:,} prompt{'' if score.examples == 1 else 's'}"]
    if score.wanted:
        lines += [f"{score.found:,} of {score.wanted:,} memories that should be shown are shown"]
    if score.unwanted:
        lines += [f"{score.wrong:,} of {score.unwanted:,} that should not be shown are shown"]
    lines += [f"missing: {one_line(file)} for {one_line(prompt)[:80]!r}" for prompt, file in score.missed]
    return lines + [f"wrong: {one_line(file)} for {one_line(prompt)[:80]!r}" for prompt, file in score.noise]
