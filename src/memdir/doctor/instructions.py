"""Checks of the instruction side: imports that lead nowhere, rules without effect, what is said twice."""

from collections.abc import Iterator

from memdir.doctor.finding import Finding, advice
from memdir.errors import MemdirError
from memdir.instructions.instruction import Discovery, Obstacle
from memdir.instructions.repeats import repeats
from memdir.instructions.review import glob_remarks, size_remarks, unmatched_rules
from memdir.memories.directory import MemoryDir
from memdir.text.secrets.search import mask_secrets

__all__ = ["REPORTED", "instruction_findings"]

REPORTED = {
    Obstacle.MISSING: ("import-missing", "Correct the path, or write it as code: `@name`."),
    Obstacle.DIRECTORY: ("import-missing", "Name a file in it."),
    Obstacle.EXTERNAL: ("import-external", "`memdir instructions approve {path}` lets this project use it."),
    Obstacle.TOO_DEEP: ("import-too-deep", "Import it from a file further up."),
    Obstacle.CYCLE: ("import-cycle", "Take one of the two imports out."),
    Obstacle.NOT_TEXT: ("import-not-text", "Import text files only."),
    Obstacle.UNREADABLE: ("instruction-unreadable", "Make the file readable."),
    Obstacle.TOO_MANY: ("rules-too-many", "Move files that are no rules out of the folder."),
}
"""What a person did not want; an excluded, empty or waiting file is as it should be."""


def instruction_findings(discovery: Discovery, memories: MemoryDir) -> Iterator[Finding]:
    """Report what is wrong with the instruction files of this project."""
    for left in discovery.left_out:
        if left.because in REPORTED and left.is_path:
            code, hint = REPORTED[left.because]
            asked = f" {left.importer} imports it." if left.importer else ""
            yield advice(code, f"{left.words}{asked}", hint.format(path=left.path), left.path)
    for remark in (*glob_remarks(discovery.rules), *size_remarks(discovery.loaded)):
        yield Finding(remark.code, remark.message, remark.hint, remark.path, "advice")
    unmatched = unmatched_rules(discovery.rules)
    for rule in unmatched.rules if unmatched.complete else ():
        message = "No file in the project matches the paths of this rule."
        yield Finding("rule-unmatched", message, "Correct its `paths:`, or remove it.", rule.path, "advice")
    yield from _said_twice(discovery, memories)


def _said_twice(discovery: Discovery, memories: MemoryDir) -> Iterator[Finding]:
    texts = {one.path: one.text for one in discovery.loaded}
    for header in memories.scan():
        try:
            texts[header.file] = memories.read_file(header.file).body
        except MemdirError:
            continue
    for repeat in repeats(texts):
        message = f"{' and '.join(repeat.places)} say the same: {mask_secrets(repeat.sentence)[:80]}"
        hint = "Keep it in one place; what the instructions say needs no memory."
        yield Finding("said-twice", message, hint, repeat.places[-1], "advice")
