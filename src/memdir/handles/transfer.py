"""`memory.transfer`: memories of this project under its old path, imports, exports, and removal for good."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from memdir.agents.definition import agent_scope
from memdir.build import Parts, save_drafts
from memdir.config.fingerprint import ID_FILE, Fingerprint
from memdir.disk.files import Folder, storage_errors, temp_name
from memdir.disk.trees import move
from memdir.errors import MemdirError, NoSuchMemory, Rejected
from memdir.handles.agents import agent_parts, agent_places
from memdir.handles.sync import SyncHandle
from memdir.handles.team import TeamHandle, audience_parts
from memdir.memories.change import Saved
from memdir.memories.history.authorship import in_agents_shell, refuse_agents
from memdir.memories.history.git import Git
from memdir.memories.history.versions import file_ever_called
from memdir.memories.topic import Draft
from memdir.sync.remote import PurgeTarget
from memdir.sync.remotes import purge_remote
from memdir.text.value import replace, value_class
from memdir.transfer.bundle import PRIVATE, Exported, bundle_sections, is_bundle, write_bundle, write_folder
from memdir.transfer.markdown import knowledge_graph, markdown_folder
from memdir.transfer.orphans import Orphan
from memdir.transfer.plan import (
    Imported,
    ImportPlan,
    ImportSource,
    OnExisting,
    apply_import,
    memory_folder,
    plan_import,
)
from memdir.transfer.purge import (
    Purged,
    Step,
    purge_history,
    purge_state,
    purge_target,
    scrub_directory,
    search_again,
)

__all__ = ["FORMS", "TransferHandle"]

FORMS = ("bundle", "claude-code", "mcp", "markdown")
"""What an import can be read as."""

_ADOPT = "bring the memories of another project in", "memdir adopt"


@value_class(frozen=True, slots=True)
class TransferHandle:
    """What comes from elsewhere into one memory, and what leaves it."""

    _parts: Parts

    def remember_many(
        self,
        drafts: Sequence[Draft],
        *,
        actor: str = "user",
        reason: str = "",
        allow_secret: bool = False,
        strict: bool = False,
    ) -> list[Saved]:
        """Save several memories in one step: one lock, one commit, undone together."""
        return save_drafts(self._parts, drafts, actor, reason, allow_secret=allow_secret, strict=strict)

    def fingerprint(self) -> Fingerprint:
        """Return what this project can be recognised by elsewhere: first commits, remotes, `.memdir-id`."""
        return self._parts.identity.fingerprint()

    def make_id(self) -> str:
        """Put a `.memdir-id` into a project that has no git, so that it is recognised when it moves."""
        root = self._parts.effective_setup.place.root
        if known := self.fingerprint().id:
            return known
        made = os.urandom(12).hex()
        with storage_errors(f"{ID_FILE} was not written", root), Folder(root) as folder:
            if folder.exists(ID_FILE):
                raise Rejected(f"{os.path.join(root, ID_FILE)} is there and holds no id. Remove it first.")
            folder.write(ID_FILE, f"{made}\n".encode())
        return made

    def orphans(self) -> list[Orphan]:
        """Return memory directories that may belong to this project, likeliest first, with the evidence."""
        return self._parts.usable.identity.orphans()

    def orphan(self, old: str) -> Orphan:
        """Return the memory directory of a project that was at an old path, or one that is named itself."""
        return self._parts.usable.identity.orphan(old)

    def notice(self) -> str:
        """Return what to tell about memories that may belong to this project; each is told once."""
        return self._parts.identity.notice() if self._parts.setup and self._parts.verdict.on else ""

    def adoption(self, orphan: Orphan, existing: str = "keep") -> ImportPlan:
        """Return what bringing an orphan in would write."""
        refuse_agents(self._parts.usable.world.env, *_ADOPT)
        read = markdown_folder if orphan.host == "codex" else memory_folder
        reason = f"adopted from {orphan.root or orphan.directory}"
        plan = plan_import(self._parts.writer, read(orphan.directory), OnExisting(existing), reason=reason)
        return replace(plan, orphan=orphan.directory)

    def decline(self, orphan: Orphan) -> None:
        """Record that an orphan does not belong to this project: it is not suggested again."""
        self._parts.identity.decide("declined", orphan.directory)

    def plan(
        self,
        path: str | os.PathLike[str],
        form: str = "",
        *,
        existing: str = "keep",
        section: str = PRIVATE,
        allow_secret: bool = False,
    ) -> ImportPlan:
        """Return what importing a file or folder would write; what it is read as is found out if not said."""
        self._parts.verdict.require_on()
        source = _source(os.path.abspath(path), form, section)
        reason = f"imported from {os.path.basename(source.place)}"
        writer = self._section_parts(section).writer
        plan = plan_import(writer, source, OnExisting(existing), allow_secret=allow_secret, reason=reason)
        return replace(plan, section=section)

    def apply(self, plan: ImportPlan) -> Imported:
        """Write what a plan shows, as one step that can be undone; the words count as nobody's here."""
        parts, verb = self._parts.usable, "adopt" if plan.orphan else "import"
        if plan.orphan:
            refuse_agents(parts.world.env, *_ADOPT)
        actor = "host" if in_agents_shell(parts.world.env) else "user"  # then no rule gives way
        by = parts.provenance(actor, "import", plan.reason)
        writer = self._section_parts(plan.section).writer
        done = apply_import(writer, plan, by, parts.world.clock(), verb)
        if plan.orphan:
            parts.identity.decide("adopted", plan.orphan)
        return done

    def export(
        self, path: str | os.PathLike[str], *, sections: Iterable[str] = (), history: bool = False
    ) -> Exported:
        """Write this memory into one file, or, where the path is a folder, as a directory like its own."""
        parts = self._parts
        if not parts.memories.exists():
            raise NoSuchMemory(
                f"There is nothing to export: {parts.directory} was never made. Save a memory."
            )
        if str(path).endswith(os.sep) or os.path.isdir(path):
            return write_folder(os.fspath(path), parts.directory)
        directories = {PRIVATE: parts.directory}
        if "team" in sections and os.path.isdir(os.path.join(parts.directory, "team")):
            directories["team"] = os.path.join(parts.directory, "team")
        if "agents" in sections:
            for (scope, name), directory in agent_places(parts).existing_directories().items():
                directories[f"agents/{scope}/{name}"] = directory
        kept = b""
        if history:
            parts.writer.note_outside(parts.world.clock())
            git = parts.writer.recorder.history.git
            kept = git.run("bundle", "create", "-q", "-", "main") if git.has_commits() else b""
        return write_bundle(os.fspath(path), directories, parts.world.clock(), kept)

    def purge_target(self, name: str) -> PurgeTarget:
        """Return what `purge` looks for: all that a memory was ever called, and all that it ever said."""
        parts, inside = self._parts.usable.owner(name)
        parts.memories.scan()
        return purge_target(parts.writer, file_ever_called(parts.writer, inside), parts.world.clock())

    def purge(self, name: str) -> Purged:
        """Remove a memory for good, from files, history, trash, caches, records and remotes; no undo."""
        env, command = self._parts.usable.world.env, "memdir forget --purge"
        refuse_agents(env, "remove a memory for good", command)
        return _purge_memory(self._parts, name, self.purge_target(name))

    def _section_parts(self, section: str) -> Parts:
        """Return the parts of the directory that a section of a bundle belongs to."""
        if section.startswith("agents/"):
            _, scope, name = section.split("/", 2)
            return agent_parts(self._parts, name, agent_scope(scope))
        return audience_parts(self._parts, section)


def _source(path: str, form: str, section: str) -> ImportSource:
    if form not in ("", *FORMS):
        raise Rejected(f"{form!r} is not a form of memories. Use one of {', '.join(FORMS)}.")
    if not os.path.exists(path):
        raise NoSuchMemory(f"{path} is not there. Name a file or a folder.")
    if os.path.isdir(path):
        verbatim = form == "claude-code" or (not form and os.path.lexists(os.path.join(path, "MEMORY.md")))
        return memory_folder(path) if verbatim else markdown_folder(path)
    if form == "mcp" or (not form and not is_bundle(path)):
        return knowledge_graph(path)
    found = bundle_sections(path)
    if section not in found:
        raise NoSuchMemory(f"{path} holds no section {section!r}. It has {', '.join(found) or 'none'}.")
    return found[section]


def _purge_memory(own: Parts, name: str, target: PurgeTarget) -> Purged:
    """Forget it, take it out of the remote, then out of all that is kept here; then search once more."""
    parts, _ = own.owner(name)
    steps = list[Step]()
    for file in target.files:
        with suppress(NoSuchMemory):
            done = parts.writer.forget(file, parts.provenance("user"), parts.world.clock())
            steps.append((True, f"{done.path}: deleted"))
    steps += (remote := [*_purge_remote(own, parts, target)])
    steps += purge_history(parts.writer, target, parts.world.clock())
    steps += scrub_directory(parts.directory, target)
    records = [*_records(own, parts)]
    with _spared_mirror(own, target):
        for folder in records:
            steps += purge_state(folder, target)
    parts.writer.heal(parts.world.clock())
    look = [parts.directory, *records, *_conversations(parts)]
    left = [told for is_done, told in steps if not is_done]
    found = [*search_again(look, target)]
    left += [told for path, told in found if not any(one.startswith(f"{path}: ") for one in left)]
    left += _objects(parts, target)
    if remote and all(is_done for is_done, _ in remote):
        with suppress(MemdirError):  # both sides are known to be the same: the next edit is no conflict
            SyncHandle(own).run() if parts is own else TeamHandle(own).sync()
    return Purged(target, tuple(look), tuple(told for is_done, told in steps if is_done), tuple(left))


@contextmanager
def _spared_mirror(own: Parts, target: PurgeTarget) -> Iterator[None]:
    """Set the mirror of the team's remote aside while packed files go, unless it holds the memory."""
    git = own.writer.recorder.history.git
    mirror = Git(git.program, os.path.join(own.state, "team", "sync", "mirror.git"))
    held = True
    with suppress(MemdirError):
        held = not mirror.exists() or target.is_in(_all_objects(mirror))
    if held:
        yield
        return
    aside = os.path.join(os.path.dirname(own.state), temp_name())
    move(mirror.repository, aside)
    try:
        yield
    finally:
        move(aside, mirror.repository)


def _purge_remote(own: Parts, parts: Parts, target: PurgeTarget) -> Iterator[Step]:
    """Yield what became of the remote."""
    private, team, place = SyncHandle(own), TeamHandle(own), os.path.join(parts.state, "sync")
    if parts is own:
        chosen, sync, place = private.settings, private.run, os.path.join(place, "private")
    else:
        chosen, sync = team.remote, team.sync
    if chosen is None:
        return
    try:
        sync()
        yield True, purge_remote(chosen, place, own.world.env, target)
    except MemdirError as error:
        yield False, str(error)


def _records(own: Parts, parts: Parts) -> Iterator[str]:
    yield from dict.fromkeys([parts.state, own.state])
    home = os.path.join(own.effective_setup.place.config_home, "memdir")
    for name in sorted(os.listdir(home)) if os.path.isdir(home) else ():
        if name != "state" and os.path.isdir(os.path.join(home, name)):
            yield os.path.join(home, name)


def _conversations(parts: Parts) -> list[str]:
    """Return the folder of the host's transcripts, which are searched and left as they are."""
    folder = os.path.dirname(parts.directory.rstrip(os.sep))
    return [folder] if os.path.basename(os.path.dirname(folder)) == "projects" else []


def _objects(parts: Parts, target: PurgeTarget) -> Iterator[str]:
    """Look through every object of the history, loose and packed."""
    git = parts.writer.recorder.history.git
    if git.program and git.exists() and target.is_in(_all_objects(git)):
        yield f"{git.repository}: another memory says the same, or said so once"


def _all_objects(git: Git) -> bytes:
    return git.run("cat-file", "--batch-all-objects", "--batch", "--buffer")
