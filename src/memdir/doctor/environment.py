"""Checks around a memory directory: settings, permissions, hosts, networks, instructions, team and hubs."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress

from memdir.build import Parts
from memdir.config.location import Setup, other_roots
from memdir.conversation.logs import HookLog
from memdir.disk.files import Folder
from memdir.disk.lock import HAS_FLOCK
from memdir.doctor.finding import Finding, finding
from memdir.errors import MemdirError
from memdir.extract.tagger import tagger_missing
from memdir.hosts.setup import HostSetup
from memdir.instructions.records import Obstacle
from memdir.instructions.review import glob_remarks, size_remarks, unmatched_rules
from memdir.memories.directory import MemoryDir
from memdir.memories.names import INDEX_NAME
from memdir.recall.semantic.weights import weights_folder, weights_missing
from memdir.sync.hub_client import token_advice
from memdir.sync.remotes import RemoteSettings
from memdir.text.repeats import repeats
from memdir.text.secrets.search import mask_secrets
from memdir.text.value import replace
from memdir.transfer.orphans import ProjectIdentity

__all__ = [
    "REPORTED",
    "extract_findings",
    "hook_findings",
    "host_findings",
    "instruction_findings",
    "mend_modes",
    "orphan_findings",
    "place_findings",
    "recall_findings",
    "sync_findings",
    "token_findings",
]

_OTHERS = 0o077
"""Permission bits of everyone but the owner: memories are private."""


def place_findings(memories: MemoryDir, setup: Setup | None) -> Iterator[Finding]:
    """Report ignored settings, shared directories, open permissions and a weaker platform."""
    for warning in setup.warnings if setup else ():
        foreign = setup is not None and warning in setup.settings.declined
        found = finding("setting", warning, "" if foreign else "Correct the setting that is named.")
        yield replace(found, severity="advice") if foreign else found
    yield from _out_of_reach(memories)
    for root in other_roots(memories.state, memories.root):
        message = f"{root} uses this directory too, because both paths make the same directory name."
        hint = "Set autoMemoryDirectory for one of them in your own settings, or rename one of the folders."
        yield finding("slug-collision", message, hint)
    if not HAS_FLOCK:
        message = "This system has no directory locks and no directory sync: a lock file stands in, and a"
        yield finding("platform", f"{message} power cut may take the newest save.")
    for path in _open_to_others(memories):
        shown = os.path.relpath(path, memories.path)
        message, hint = f"{shown} can be read by other users.", "`memdir doctor --fix` closes it."
        yield finding("permissions", message, hint, shown, fixable=True)


def orphan_findings(memories: MemoryDir, identity: ProjectIdentity) -> Iterator[Finding]:
    """If this project has no memories, report those of projects that are gone and may have been this one."""
    for one in identity.likely_orphans() if not memories.scan(1) else ():
        message = f"{one.root}, which is gone, left memories that may belong here: {', '.join(one.evidence)}."
        yield finding("orphan", message)


def _out_of_reach(memories: MemoryDir) -> Iterator[Finding]:
    """Report folders that are no folders, or that this user cannot read or write."""
    for path, kept in ((memories.path, "memories"), (memories.state, "history, receipts and caches")):
        there = path
        while not os.path.lexists(there):
            there = os.path.dirname(there)
        if not os.path.isdir(there):
            why = f"is not a folder: there are no {kept}"
        elif not os.access(there, os.R_OK | os.X_OK):
            why = f"cannot be read by this user: there are no {kept}"
        elif not os.access(there, os.W_OK):
            why = f"cannot be written by this user, or its disk is read-only: no new {kept} can be kept"
        else:
            continue
        hint = "Make it a folder that you can read and write; `memdir status` shows all places."
        yield finding("place", f"{there} {why}.", hint, there)


def mend_modes(memories: MemoryDir) -> None:
    """Close files and folders to everyone but their owner."""
    for path in _open_to_others(memories):
        with suppress(OSError), Folder(os.path.dirname(path)) as folder:
            folder.make_private(os.path.basename(path))


def _open_to_others(memories: MemoryDir) -> Iterator[str]:
    if os.name != "posix" or not memories.exists():
        return
    for folder, folders, names in os.walk(memories.path):
        folders[:] = [name for name in folders if not name.startswith(".") and name != INDEX_NAME]
        for path in (folder, *(os.path.join(folder, name) for name in names if name.endswith(".md"))):
            status = os.lstat(path)
            is_plain = stat.S_ISREG(status.st_mode) and status.st_nlink == 1
            own = status.st_uid == os.getuid() and (stat.S_ISDIR(status.st_mode) or is_plain)
            if own and status.st_mode & _OTHERS:
                yield path


_FAILURES = 3
"""Failures of hooks that are shown: the newest tell what is wrong."""


def host_findings(hosts: HostSetup) -> Iterator[Finding]:
    """Report commands of ours that a host cannot start."""
    for entry in hosts.entries():
        problem, init = hosts.problem(entry), f"`memdir init {entry.host}"
        if not problem:
            continue
        lost = "its tools are missing" if entry.part == "server" else "no hook runs and no rule binds"
        if os.path.isabs(entry.command):
            mend = f"{init}` writes where it is now."
        elif problem.startswith("does not run"):
            mend = f"{init} --project` writes a command that runs, or else install memdir again."
        else:
            mend = "Put the folder that `memdir` is installed in on the PATH."
        message = f"{entry.path} has {entry.host} start {entry.command}, which {problem}: {lost}."
        yield finding("host-command", message, f"{mend} `memdir uninstall` takes the entry out.", entry.path)


def hook_findings(setup: Setup) -> Iterator[Finding]:
    """Report the last failures of hooks."""
    for line in HookLog(setup.place.config_home).newest(_FAILURES):
        hint = "Hooks never stop their host; this is where they say what failed. To dismiss it, delete "
        yield finding("hook", line, f"{hint}{setup.place.config_home}/memdir/hooks.log.")


def recall_findings(parts: Parts) -> Iterator[Finding]:
    """Report why recall uses words alone, and how many memories have no vectors yet."""
    if missing := weights_missing(weights_folder(parts.world.env)):
        yield finding("semantic", f"Recall goes by words alone. {missing}")
    if count := len(parts.vectors.missing()):
        memory = "memory is" if count == 1 else "memories are"
        message = f"{count:,} {memory} found by words alone: no vectors were computed yet."
        yield finding("vectors", message)


def extract_findings() -> Iterator[Finding]:
    """Report why extraction without a model finds explicit requests alone."""
    if missing := tagger_missing():
        yield finding("tagger", f"Without a model, only explicit requests are extracted. {missing}")


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


def instruction_findings(parts: Parts) -> Iterator[Finding]:
    """Report what is wrong with the instruction files of this project."""
    discovery, memories = parts.instructions.discover(), parts.memories
    for left in discovery.left_out:
        if left.because in REPORTED and left.is_path:
            code, hint = REPORTED[left.because]
            asked = f" {left.importer} imports it." if left.importer else ""
            yield finding(code, f"{left.words}{asked}", hint.format(path=left.path), left.path)
    for remark in (*glob_remarks(discovery.rules), *size_remarks(discovery.loaded)):
        yield finding(remark.code, remark.message, remark.hint, remark.path)
    for rule in unmatched_rules(discovery.rules):
        message = "No file in the project matches the paths of this rule."
        yield finding("rule-unmatched", message, "Correct its `paths:`, or remove it.", rule.path)
    texts = {one.path: one.text for one in discovery.loaded}
    for header in memories.scan():
        with suppress(MemdirError):
            texts[header.file] = memories.read_file(header.file).body
    for repeat in repeats(texts):
        message = f"{' and '.join(repeat.places)} say the same: {mask_secrets(repeat.sentence)[:80]}"
        hint = "Keep it in one place; what the instructions say needs no memory."
        yield finding("said-twice", message, hint, repeat.places[-1])


def sync_findings(failed_at: str, failed: str, waiting: int) -> Iterator[Finding]:
    """Report that the last sync of team memory did not work; nobody waited for it."""
    if failed:
        count = f" {waiting} changes wait to be sent." if waiting else ""
        hint = "`memdir sync` tries again; so does the next conversation."
        message = f"Team memory was not synced on {failed_at[:10]}: {failed}{count}"
        yield finding("team-sync", message, hint)


def token_findings(remotes: Iterable[RemoteSettings | None]) -> Iterator[Finding]:
    """Report a token of a hub that is gone, or that others on this machine can read."""
    for one in remotes:
        if one is None or one.kind != "hub":
            continue
        try:
            mode = os.stat(one.token_file).st_mode
        except OSError:
            message = f"The token for {one.title} is gone: nothing is synced."
            yield finding("hub-token", message, token_advice(one.url))
            continue
        if mode & 0o077:
            hint = f"chmod 600 {one.token_file}, and ask for a new token: somebody may have read this one."
            yield finding("hub-token", f"Others on this machine can read the token for {one.title}.", hint)
