"""Checks of what a memory directory holds: memories, the index, history, and what others changed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime

from memdir.build import Parts
from memdir.disk.files import Folder
from memdir.doctor.finding import Finding, credential_findings, finding, findings_of
from memdir.errors import Conflict, HistoryError, LockTimeout
from memdir.memories.change import Change, file_bytes, version_on_disk
from memdir.memories.directory import MemoryDir
from memdir.memories.history.git import GitMissing
from memdir.memories.index.file import line_changes
from memdir.memories.names import INDEX_NAME, is_conflict_copy, original_of, slug
from memdir.memories.review import remarks, repair_text
from memdir.memories.topic import Header, Provenance, Topic, topic_from
from memdir.memories.writer import Writer
from memdir.team.admission import admission_problem
from memdir.text.secrets.search import mask_secrets
from memdir.verify.check import stale_memories
from memdir.verify.verdicts import finding_lines

__all__ = [
    "admission_findings",
    "claim_findings",
    "history_findings",
    "index_findings",
    "mend_topics",
    "topic_findings",
]

_SECONDS = 20.0
"""For all memories together: nobody waits longer for an examination."""


def topic_findings(writer: Writer, now: datetime) -> Iterator[Finding]:
    """Report what is wrong with single memories."""
    names, files = dict[str, Header](), dict[str, str]()
    for topic in writer.memories.topics():
        file = topic.header.file
        newer = names.setdefault(slug(topic.header.name), topic.header)
        yield from _twin_findings(topic.header, newer, files.setdefault(file.casefold(), file))
        yield from findings_of(file, _examine(writer, topic, now), file=file)
    for item in writer.catalog.findings.skipped:
        yield finding("not-read", f"{item.file} is not read: {item.because}.", "", item.file)


def admission_findings(memories: MemoryDir) -> Iterator[Finding]:
    """Report files of a team that must not be shared: those that were put there without us."""
    for topic in memories.topics():
        file = topic.header.file
        if problem := admission_problem(file, file_bytes(topic.text)):
            hint = "It is not sent to anybody. Move it into private memory, or correct it."
            yield finding("not-shared", f"{file} cannot be shared: {problem}", hint, file)


def claim_findings(parts: Parts, now: datetime) -> Iterator[Finding]:
    """Report memories whose claims about the project are no longer true."""
    for checked in stale_memories(parts.memories.topics(), parts.project(), now, _SECONDS):
        said = "; ".join(finding_lines(checked))
        hint = "Correct or forget it; `memdir verify NAME` shows every claim."
        yield finding("stale", f"{checked.file}: {said}", hint, checked.file)


def _examine(writer: Writer, topic: Topic, now: datetime) -> Iterator[Finding]:
    """Report what is wrong with one memory; a problem is fixable if the mended text does not have it."""
    header, file, saved_on = topic.header, topic.header.file, topic.header.saved_at.date()
    if is_conflict_copy(file):
        message = f"{file} is another text of {original_of(file)}: two sides changed it at once."
        yield finding("sync-conflict", message, file=file)
    if not _is_text(topic.text):
        hint = "Save it as UTF-8, or move it out of the memory directory."
        yield finding("not-text", f"{file} is not text, or not in UTF-8.", hint, file)
    elif said := remarks(topic, saved_on, today=now.date()):
        better = _better(writer, topic)
        then = topic if better is None else topic_from(file, better, header.saved_at)
        left = {remark.code for remark in remarks(then, saved_on, today=now.date())}
        for one in said:
            yield finding(one.code, one.message, one.hint, file, fixable=one.code not in left)
    yield from credential_findings(file, f"{file}\n{topic.text}", "Remove it with `memdir edit`")


def _twin_findings(header: Header, newer: Header, beside: str) -> Iterator[Finding]:
    """Report a newer memory of the same name, or a file that differs in case alone."""
    file, name, hint = header.file, header.name, "Rename one of them with `memdir rename`."
    if newer.file != file:
        same = f"{file} and {newer.file} are both called {name!r}; only the newer one is found by name."
        near = f"{file} is called {name!r} and {newer.file} {newer.name!r}, which is one name in a save."
        yield finding("same-name", same if newer.name == name else near, hint, file)
    if beside != file:
        message = f"{file} and {beside} are one file on a disk that does not tell upper case from lower."
        yield finding("same-file", message, hint, file)


def mend_topics(writer: Writer, by: Provenance, now: datetime) -> str:
    """Mend the memories that can be mended by rule in one step, keep their times; return the operation."""
    better = []
    for topic in writer.memories.topics():
        with suppress(Exception):  # one memory stops no other; topic_findings reports it
            if text := _better(writer, topic):
                better.append((topic, text))

    def plan(folder: Folder) -> list[Change]:
        edits = [
            Change(topic.header.file, topic.text, text, version.saved_ns)
            for topic, text in better
            if (version := version_on_disk(folder, topic.header.file)) and version.text == topic.text
        ]
        if not edits:
            raise Conflict("All that could be mended was changed meanwhile. Nothing was written.")
        return edits

    with suppress(Conflict):  # then there is nothing to write down
        return writer.apply("doctor", by, now, plan)[0].id if better else ""
    return ""


def _is_text(text: str) -> bool:
    """Tell whether a file is text; a few bytes that are no UTF-8 are allowed."""
    return "\0" not in text and text.count("\ufffd") * 10 <= len(text)


def _better(writer: Writer, topic: Topic) -> str | None:
    """Return the mended text of a memory; None for one that is not UTF-8, because bytes would be lost."""
    text = repair_text(topic, topic.header.saved_at.date()) if _is_text(topic.text) else None
    version = writer.version_now(topic.header.file) if text is not None else None
    return text if version and version.text == topic.text else None


_SHOWN = 5
"""Edited lines that are shown: enough to recognise the edit."""


def index_findings(memories: MemoryDir) -> Iterator[Finding]:
    """Report where the index and the files disagree, and what about it is too long."""
    if not memories.exists():
        return
    with memories.open_folder() as folder:
        version = version_on_disk(folder, INDEX_NAME) if folder else None
    text = version.text if version else ""
    yield from credential_findings(INDEX_NAME, text, f"Remove it from {INDEX_NAME}")
    if not memories.indexed:
        return  # then nothing writes it, and whatever it says is a person's
    look = memories.examine_index()
    if look.is_folder:
        message = f"{INDEX_NAME} is a folder where the index should be, so that every save fails."
        hint = f"`memdir doctor --fix` renames it to {INDEX_NAME}.set-aside and writes the index."
        yield finding("index-folder", message, hint, INDEX_NAME, fixable=True)
    elif look.held:
        yield finding("index-held", look.held, file=INDEX_NAME)
    for name in sorted(os.listdir(memories.path)):
        if name.startswith(f"{INDEX_NAME}.set-aside"):
            message = f"{name} once stood in the place of the index. Nothing in it is read or was changed."
            yield finding("set-aside", message, "Move it elsewhere, or remove it.", name)
    can = look.is_folder or not look.held
    fix = "`memdir doctor --fix` writes the healed index; prompts use the healed view already."
    hint = fix if can else "Prompts use the healed view already."
    drift = {"missing from the index": look.missing, "in the index and not on disk": look.dangling}
    for what, files in {**drift, "in the index twice": look.twice}.items():
        yield from (finding("index-drift", f"{one} is {what}.", hint, one, fixable=can) for one in files)
    yield from _edited_findings(look.changed_outside)
    for line in map(mask_secrets, look.long_lines):  # before it is cut: half a credential is not recognised
        message = f"A line of the index is over 200 characters: {line[:60]}…"
        hint = "`memdir doctor --fix` shortens pointers; move prose into a topic file."
        yield finding("long-line", message, hint, line[:60], fixable="](" in line)
    if look.prose_too_long:
        message = "The prose in the index alone is longer than what is loaded."
        yield finding("index-too-long", message, "Move text from MEMORY.md into topic files.", INDEX_NAME)


def _edited_findings(lines: Sequence[str]) -> Iterator[Finding]:
    """Report lines of the index that somebody else took away or added."""
    masked = list[str]()  # before they are cut: half a credential is not recognised
    for sign in "-+":
        edited = "\n".join([line[2:] for line in lines if line[:1] == sign])
        masked += [f"{sign} {line}" for line in mask_secrets(edited).splitlines()]
    for line in masked[:_SHOWN]:
        yield finding("index-edited", f"The index was edited outside memdir: {line[:100]}")
    if (rest := len(masked) - _SHOWN) > 0:
        yield finding("index-edited", f"… and {rest} more lines of the index.")


def history_findings(writer: Writer, now: datetime) -> Iterator[Finding]:
    """Bring history up to date and report what that showed."""
    for notice in writer.recorder.notices():
        yield finding("history-replaced", notice, "The memories themselves are not affected.")
    if not writer.memories.exists():
        return
    try:
        writer.recorder.replace_if_damaged(now)
        outside = writer.note_outside(now)
    except GitMissing as error:
        hint = "Everything but history, diff and undo works without it; restore has only what was forgotten."
        yield finding("no-git", str(error), hint)
    except (HistoryError, LockTimeout, OSError) as error:
        yield finding(
            "history", f"History could not be brought up to date: {error}", "Saves are not affected."
        )
    else:
        for change in outside.changes if outside else ():
            file = change.file
            if file == INDEX_NAME:
                yield from _edited_findings(line_changes(change.before or "", change.after or ""))
            yield finding(
                "changed-outside", f"{file} was changed outside memdir; history has it now.", "", file
            )
