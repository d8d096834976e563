"""Checks of the memories: headers, descriptions, dates, secrets, files that are not read, false claims."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from functools import partial

from memdir.disk.files import Folder
from memdir.doctor.finding import Finding, credential_findings, findings_of
from memdir.errors import Conflict
from memdir.memories.change import Edit, file_bytes, version_on_disk
from memdir.memories.conflict_copy import is_conflict_copy, original_of
from memdir.memories.directory import MemoryDir
from memdir.memories.names import slug
from memdir.memories.review import remarks, repair_text
from memdir.memories.topic import Header, Provenance, Topic, topic_from
from memdir.memories.writer import Writer
from memdir.team.admission import admission_problem
from memdir.verify.check import stale_memories
from memdir.verify.project import Project
from memdir.verify.verdicts import finding_lines

__all__ = ["admission_findings", "claim_findings", "mend_topics", "topic_findings"]

_PROBLEMS = {
    *("broken-header", "kind", "empty-body", "idle-rule", "not-read", "not-text", "same-name", "same-file")
}
"""What keeps a memory from being found, read or obeyed; the rest is advice."""

_SECONDS = 20.0
"""For all memories together: nobody waits longer for an examination."""


def topic_findings(writer: Writer, now: datetime) -> Iterator[Finding]:
    """Report what is wrong with single memories."""
    twins = _Twins()
    for topic in writer.memories.topics():
        yield from twins.of(topic.header)
        file = topic.header.file
        yield from findings_of(file, partial(_examine, writer, topic, now), file=file)
    for item in writer.catalog.findings.skipped:
        yield _finding("not-read", f"{item.file} is not read: {item.because}.", "", item.file)


def admission_findings(memories: MemoryDir) -> Iterator[Finding]:
    """Report files of a team that must not be shared: those that were put there without us."""
    for topic in memories.topics():
        file = topic.header.file
        if problem := admission_problem(file, file_bytes(topic.text)):
            hint = "It is not sent to anybody. Move it into private memory, or correct it."
            yield Finding("not-shared", f"{file} cannot be shared: {problem}", hint, file)


def claim_findings(memories: MemoryDir, project: Project, now: datetime) -> Iterator[Finding]:
    """Report memories that name what the project no longer has as they describe it."""
    for checked in stale_memories(memories.topics(), project, now, _SECONDS):
        said = "; ".join(finding_lines(checked))
        hint = "Correct or forget it; `memdir verify NAME` shows every claim."
        yield Finding("stale", f"{checked.file}: {said}", hint, checked.file, severity="advice")


def _examine(writer: Writer, topic: Topic, now: datetime) -> Iterator[Finding]:
    file = topic.header.file
    if is_conflict_copy(file):
        message = f"{file} keeps another text of {original_of(file)}, which two sides changed at once."
        yield _finding("sync-conflict", message, "`memdir inbox` shows both; apply or reject it there.", file)
    if _is_text(topic.text):
        yield from _remark_findings(writer, topic, now)
    else:
        hint = "Save it as UTF-8, or move it out of the memory directory."
        yield _finding("not-text", f"{file} is not text, or not in UTF-8.", hint, file)
    yield from credential_findings(file, f"{file}\n{topic.text}", "Remove it with `memdir edit`")


class _Twins:
    """Memories with the same name, or the same file name but for the case of letters."""

    def __init__(self) -> None:
        self._names: dict[str, Header] = {}
        self._files: dict[str, str] = {}

    def of(self, header: Header) -> Iterator[Finding]:
        """Report the newer memory that this one is taken for."""
        file, name, hint = header.file, header.name, "Rename one of them with `memdir rename`."
        other = self._names.setdefault(slug(name), header)
        beside = self._files.setdefault(file.casefold(), file)
        if other.file != file:
            same = f"{file} and {other.file} are both called {name!r}; only the newer one is found by name."
            near = f"{file} is called {name!r} and {other.file} {other.name!r}, which is one name in a save."
            yield _finding("same-name", same if other.name == name else near, hint, file)
        if beside != file:
            message = f"{file} and {beside} are one file on a disk that does not tell upper case from lower."
            yield _finding("same-file", message, hint, file)


def mend_topics(writer: Writer, by: Provenance, now: datetime) -> str:
    """Write every memory that can be mended by rule, times kept, in one step; return it for an undo."""
    better = []
    for topic in writer.memories.topics():
        with suppress(Exception):  # topic_findings reports it
            better += [(topic, text)] if (text := _better(writer, topic)) else []

    def plan(folder: Folder) -> list[Edit]:
        edits = [
            Edit(topic.header.file, topic.text, text, version.saved_ns)
            for topic, text in better
            if (version := version_on_disk(folder, topic.header.file)) and version.text == topic.text
        ]
        if not edits:
            raise Conflict("All that could be mended was changed meanwhile. Nothing was written.")
        return edits

    with suppress(Conflict):  # then there is nothing to write down
        return writer.apply("doctor", by, now, plan)[0].id if better else ""
    return ""


def _remark_findings(writer: Writer, topic: Topic, now: datetime) -> Iterator[Finding]:
    """Report what could be better in one memory; what mending takes away can be fixed, and nothing else."""
    header, saved_on = topic.header, topic.header.saved_at.date()
    said = remarks(topic, saved_on, today=now.date())
    better = _better(writer, topic) if said else None
    then = topic if better is None else topic_from(header.file, better, header.saved_at)
    left = {remark.code for remark in remarks(then, saved_on, today=now.date())}
    for remark in said:
        fixable = remark.code not in left
        yield _finding(remark.code, remark.message, remark.hint, header.file, fixable=fixable)


def _is_text(text: str) -> bool:
    """Tell text from anything else: a few bytes that are no UTF-8 do not make a file something else."""
    return "\0" not in text and text.count("\ufffd") * 10 <= len(text)


def _better(writer: Writer, topic: Topic) -> str | None:
    """Return the mended text of a memory; None for one that is no UTF-8, whose bytes would be lost."""
    text = repair_text(topic, topic.header.saved_at.date()) if _is_text(topic.text) else None
    version = writer.version_now(topic.header.file) if text is not None else None
    return text if version and version.text == topic.text else None


def _finding(code: str, message: str, hint: str, file: str, *, fixable: bool = False) -> Finding:
    severity = "problem" if code in _PROBLEMS else "advice"
    return Finding(code, message, hint, file, severity, fixable=fixable)
