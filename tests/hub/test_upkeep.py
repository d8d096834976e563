"""What is old goes by rule: nothing that is in use, and no machine that was away takes harm."""

import json
import os
import time
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest

from memdir.cli.app import run
from memdir.hub.administration import Spaces
from memdir.hub.cache import Caches, Work
from memdir.hub.database import Database, PruneRule
from memdir.hub.jobs import DREAM, EXTRACT, add_job, end_job
from memdir.hub.spaces import FileChange
from memdir.memories.history.git import blob_id
from memdir.memory import Memory
from memdir.sync.remote import Authorship
from tests.hub.shared_space import SharedSpace
from tests.hub.worker import Worker

pytestmark = pytest.mark.hub


def save(database: Database, space: UUID, file: str, *texts: str | None) -> None:
    """Publish one text of a file after the other; None deletes it."""
    with database.space(space) as session:
        for text in texts:
            base = next((one.seq for one in session.changes(0).versions if one.file == file), 0)
            data = None if text is None else text.encode()
            content = blob_id(data) if data else ""
            session.publish([FileChange(file, base, data, content, 7, Authorship("Ada"))], uuid4())


def age(database: Database, days: int, table: str = "version", where: str = "true") -> None:
    """Make rows older."""
    with psycopg.connect(database.url) as connection:
        for column in ("at", "ended_at") if table == "job" else ("at",):
            query = f"UPDATE memdir.{table} SET {column} = {column} - make_interval(days => %s) WHERE {where}"  # noqa: S608
            connection.execute(query.encode(), [days])


def versions(database: Database, space: UUID) -> list[tuple[str, int]]:
    with database.space(space) as session:
        log = json.loads(session.json_of("log(%s, %s)", 2**62, 500))["changes"]
    return sorted((one["file"], one["seq"]) for one in log)


def test_old_versions_go_but_for_the_newest_of_each_memory(
    database: Database, space: UUID, spaces: Spaces
) -> None:
    save(database, space, "often.md", *[f"Text {number}." for number in range(6)])  # 1 to 6
    save(database, space, "once.md", "Written once.")  # 7
    save(database, space, "gone.md", "First.", "Second.", None)  # 8 to 10
    age(database, 100)
    save(database, space, "often.md", "Text 6.", "Text 7.")  # 11 and 12
    rule = PruneRule(version_days=90, versions=3)
    (done,) = spaces.prune(rule)
    assert (done.space, done.versions) == ("one", 7)
    kept = [("gone.md", 10), ("often.md", 6), ("often.md", 11), ("often.md", 12), ("once.md", 7)]
    assert versions(database, space) == kept  # what was replaced today stays, too
    with database.space(space) as session:
        changes = session.changes(0)
        assert [(one.file, one.deleted) for one in changes.versions] == [
            ("once.md", False),
            ("gone.md", True),
            ("often.md", False),
        ]
        assert session.pruned_to() == 9
        assert session.read([7, 12]) == {7: b"Written once.", 12: b"Text 7."}
    assert spaces.prune(rule)[0].versions == 0


def test_old_answers_and_jobs_go_and_young_ones_stay(database: Database, space: UUID, spaces: Spaces) -> None:
    save(database, space, "a.md", "A.")
    with database.space(space) as session:
        for number in range(102):
            add_job(session, EXTRACT, job := uuid4(), {"messages": [], "session": str(number)})
            end_job(session, {}, job=job)
        add_job(session, DREAM, uuid4())
    age(database, 31, "request")
    age(database, 31, "job")
    save(database, space, "b.md", "B.")
    (done,) = spaces.prune(PruneRule())
    assert (done.requests, done.jobs) == (1, 2)  # the newest 100 decide when a dream is due
    with database.space(space) as session:
        row = session.connection.execute("SELECT count(*) FROM memdir.request").fetchone()
    assert row == (1,)


def test_that_a_record_was_removed_long_ago_is_forgotten(
    database: Database, space: UUID, spaces: Spaces, tmp_path: Path
) -> None:
    caches, opened = Caches(os.environ, folder=str(tmp_path)), partial(database.space, space)

    def kept() -> list[tuple[str, bool]]:
        with database.space(space) as session:
            return session.connection.execute(
                "SELECT name, data IS NULL FROM memdir.record ORDER BY name"
            ).fetchall()

    def write(name: str, memory: Memory) -> None:
        os.makedirs(os.path.join(memory.state, "inbox"), exist_ok=True)
        Path(memory.state, "inbox", name).write_text("{}")

    def remove(name: str, memory: Memory) -> None:
        Path(memory.state, "inbox", name).unlink()

    with caches.of(space) as cache:
        for name in ("a", "b", "c"):
            cache.write(opened, partial(write, name), Work(uuid4()))
        for name in ("a", "b"):
            cache.write(opened, partial(remove, name), Work(uuid4()))
    caches.close()
    with psycopg.connect(database.url) as connection:
        connection.execute(
            "UPDATE memdir.record SET saved_ns = saved_ns - 31 * 86400 * 10^9::bigint WHERE name ~ '/[ac]$'"
        )
    spaces.prune(PruneRule())
    assert kept() == [("state/inbox/b", True), ("state/inbox/c", False)]


def test_old_lines_of_the_audit_log_go_when_somebody_says_so(
    url: str, database: Database, spaces: Spaces, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("old", "new"):
        spaces.create(name)
    age(database, 800, "audit", "detail->>'name' = 'old'")
    spaces.prune(PruneRule(7, 2, 7))
    assert len(spaces.audit()) == 2
    assert run(["hub", "audit", "--prune-days", "29", "--database", url]) == 2
    assert len(spaces.audit()) == 2
    assert run(["hub", "audit", "--prune-days", "730", "--database", url]) == 0
    assert "audit pruned" in capsys.readouterr().out
    told = [(one.action, one.detail) for one in spaces.audit()]
    assert told == [("audit pruned", {"days": 730, "lines": 1}), ("space created", {"name": "new"})]


def test_a_worker_prunes_once_a_day_and_never_what_is_young(
    url: str, database: Database, space: UUID, capsys: pytest.CaptureFixture[str]
) -> None:
    save(database, space, "a.md", *[f"Text {number}." for number in range(20)])
    assert not database.prune_due(PruneRule(0, 0, 0))  # the space is new
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE memdir.space SET created_at = now() - interval '2 days'")
    assert database.prune_due(PruneRule(0, 0, 0))
    assert len(versions(database, space)) == 20
    assert not database.prune_due(PruneRule(0, 0, 0))  # it was pruned today
    age(database, 100)
    age(database, 2, "pruning")
    with Worker(url) as worker:
        while len(versions(database, space)) > 10:
            assert worker.process.poll() is None, worker.log
            time.sleep(0.05)
    assert run(["hub", "prune", "one", "--versions", "2", "--version-days", "7", "--database", url]) == 0
    assert "8 versions" in capsys.readouterr().out
    assert run(["hub", "prune", "--json", "--database", url]) == 0
    assert '"versions": 0' in capsys.readouterr().out


def test_a_machine_that_was_away_while_versions_went_syncs_as_if_they_had_not(
    shared_space: SharedSpace,
) -> None:
    east, west = shared_space.machine("east"), shared_space.machine("west")
    for name in ("kept", "changed", "deleted"):
        east.memory.remember(f"The {name} one.", kind="reference", name=name)
    for machine in (east, west):
        machine.syncer.sync()
    east.memory.forget("deleted")
    east.syncer.sync()
    for number in range(3):
        topic = east.memory.read("changed")
        east.memory.edit(topic, topic.text.replace("one.", f"one. {number}."))
        east.syncer.sync()
    west.memory.remember("Written while away.", kind="reference", name="new")
    where = f"space = (SELECT id FROM memdir.space WHERE name = '{shared_space.name}')"  # noqa: S608
    age(shared_space.database, 100, where=where)
    (done,) = Spaces(shared_space.database).prune(PruneRule(versions=2), shared_space.name)
    assert done.versions == 3
    result = west.syncer.sync()
    assert (result.pulled, result.pushed) == (("reference_changed.md",), ("reference_new.md",))
    assert (result.deleted_here, result.notes, result.conflicts) == (("reference_deleted.md",), (), ())
    east.syncer.sync()
    assert east.files() == west.files()
