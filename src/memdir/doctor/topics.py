"""Checks of the memories themselves: headers, descriptions, dates, secrets, files that are not read."""

from collections.abc import Iterator
from datetime import datetime

from memdir.core.mend import mended
from memdir.core.review import remarks
from memdir.core.secrets import find_secrets
from memdir.core.topic import Provenance, Topic
from memdir.doctor.finding import Finding
from memdir.errors import MemdirError
from memdir.store.outside import version_on_disk
from memdir.store.write import Write
from memdir.store.writer import Writer

__all__ = ["mend_topics", "topic_findings"]

_PROBLEMS = {"broken-header", "kind", "empty-body", "secret", "not-read", "same-name"}
"""What keeps a memory from being found or read; the rest is advice."""


def topic_findings(writer: Writer, now: datetime) -> Iterator[Finding]:
    """Report what is wrong with single memories."""
    names: dict[str, str] = {}
    for topic in _topics(writer):
        file, name = topic.header.file, topic.header.name
        if name in names:
            message = (
                f"{file} and {names[name]} are both called {name!r}; only the newer one is found by name."
            )
            yield _finding("same-name", message, "Rename one of them with `memdir rename`.", file)
        names.setdefault(name, file)
        for remark in remarks(topic, topic.header.saved_at.date(), today=now.date()):
            fixable = mended(topic, topic.header.saved_at.date()) is not None
            yield _finding(remark.code, remark.message, remark.hint, file, fixable=fixable)
        for rule in sorted({finding.rule for finding in find_secrets(topic.text)}):
            message = f"{file} holds what looks like a credential ({rule})."
            yield _finding(
                "secret", message, "Remove it with `memdir edit`, and change the credential.", file
            )
    for item in writer.catalog.findings.skipped:
        yield _finding("not-read", f"{item.file} is not read: {item.because}.", "", item.file)


def mend_topics(writer: Writer, by: Provenance, now: datetime) -> None:
    """Write every memory that can be mended by rule, in one step that can be undone; times are kept."""
    better = {
        topic.header.file: (topic, mended(topic, topic.header.saved_at.date())) for topic in _topics(writer)
    }
    wanted = {file: (topic.text, text) for file, (topic, text) in better.items() if text is not None}
    if not wanted:
        return
    writer.apply(
        "doctor",
        by,
        now,
        lambda folder: [
            Write(file, text, version.saved_ns)
            for file, (seen, text) in wanted.items()
            if (version := version_on_disk(folder, file)) and version.text == seen
        ],
    )


def _topics(writer: Writer) -> Iterator[Topic]:
    for header in writer.memories.scan():
        try:
            yield writer.memories.read_file(header.file)
        except MemdirError:
            continue


def _finding(code: str, message: str, hint: str, file: str, *, fixable: bool = False) -> Finding:
    severity = "problem" if code in _PROBLEMS else "advice"
    return Finding(code, message, hint, file, severity, fixable=fixable)
