"""What is purged is in no table of the database, and comes back from no machine and no job."""

import os
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.types.json import Jsonb

from memdir.errors import RemoteError
from memdir.hub.administration import search_forms
from memdir.hub.cache import Caches, Work
from memdir.hub.database import Database
from memdir.hub.jobs import EXTRACT, add_job, end_job, found_job
from memdir.inbox.proposals import Inbox, Proposal
from memdir.memories.change import Change
from memdir.memories.topic import Provenance
from memdir.sync.hub_client import HubClient
from memdir.sync.hub_remote import HubRemote
from memdir.sync.remote import PurgeTarget
from tests.hub.conversation import conversation
from tests.hub.node import change_shape, publish_shape
from tests.hub.postgres import PrivatePostgres
from tests.hub.shared_space import SharedSpace
from tests.hub.worker import Worker

pytestmark = pytest.mark.hub

AT = "/v1/spaces/one"
CORE = 'The "Zürich" aardvark is called Quentin'
SECRET = f"{CORE}."
PLANT = PurgeTarget(("reference_plant.md",), ())


def test_a_purged_text_is_nowhere_any_more_and_cannot_be_sent_again(
    admin: Any, postgres: PrivatePostgres, url: str
) -> None:
    text = change_shape("key.md", "The quillwort grows.")
    admin.post(f"{AT}/publish", json=publish_shape(text, change_shape("kept.md", "kept")))
    admin.post(f"{AT}/publish", json=publish_shape(change_shape("key.md", "Another quillwort.", 1)))
    assert admin.post(f"{AT}/purge", json={"files": ["key.md"]}).json()["versions"] == 2
    told = admin.get(f"{AT}/changes?since=3").json()
    assert (told["changes"]["file"], told["changes"]["deleted"], told["seq"]) == (["key.md"], [True], 4)
    assert admin.post(f"{AT}/read", json={"seqs": [1, 3]}).json() == {"files": {"1": None, "3": None}}
    for sent in (text, {**text, "file": "renamed.md"}):
        again = admin.post(f"{AT}/publish", json=publish_shape(sent))
        assert (again.status_code, list(again.json()["refused"])) == (422, [sent["file"]])
    assert admin.post(f"{AT}/publish", json=publish_shape(change_shape("key.md", "New."))).status_code == 200
    assert not held(postgres, url, "quillwort")
    assert held(postgres, url, "kept")


def held(postgres: PrivatePostgres, url: str, words: str) -> list[str]:
    """Return the lines of a dump of the whole database that hold some words, in whatever form."""
    forms = {*search_forms([words]), *(form.encode().hex() for form in search_forms([words]))}
    dump = postgres.tool("pg_dump", url).stdout.decode().replace("\\\\", "\\")
    return [line for line in dump.splitlines() if any(form in line for form in forms)]


def talk(said: str) -> dict[str, Any]:
    return conversation(("user", said), ("user", "The printer is blue."))


def plant(database: Database, space: UUID, folder: Path, admin: Any) -> UUID:
    """Put the sentence wherever a space keeps texts; return the job that waits with it."""
    said = {"text": SECRET, "name": "quentin", "kind": "reference"}
    key = {"Idempotency-Key": str(uuid4())}
    assert admin.post(f"{AT}/memory/remember", json=said, headers=key).status_code == 200
    moved = [change_shape("reference_quentin.md", None, 1), change_shape("reference_q.md", f"Q. {SECRET}")]
    assert admin.post(f"{AT}/publish", json=publish_shape(*moved)).status_code == 200
    other = [change_shape("other.md", f"Once: {SECRET}"), change_shape("beside.md", "Nothing of it.")]
    assert admin.post(f"{AT}/publish", json=publish_shape(*other)).status_code == 200
    base = admin.get(f"{AT}/changes").json()["changes"]
    newest = dict(zip(base["file"], base["seq"], strict=True))
    now = change_shape("other.md", "Now it says something else.", newest["other.md"])
    assert admin.post(f"{AT}/publish", json=publish_shape(now)).status_code == 200
    text = f"---\nname: pet\ndescription: {SECRET}\ntype: reference\n---\n\nIt lives in the zoo.\n"
    by = Provenance("extractor", "assistant")
    proposal = Proposal((Change("reference_pet.md", None, text),), by, "unsure", datetime.now(UTC))
    caches, opened = Caches(os.environ, folder=str(folder)), partial(database.space, space)
    with caches.of(space) as cache:
        cache.write(opened, lambda memory: Inbox(memory.state).add(proposal), Work(uuid4()))
    caches.close()
    waiting, done = uuid4(), uuid4()
    with opened() as session:
        add_job(session, EXTRACT, waiting, talk(SECRET))
        add_job(session, EXTRACT, done, talk("Nothing."))
        end_job(session, {"error": f"It fails at: {SECRET}"}, job=done, failed=True)
    return waiting


def test_a_purge_cleans_versions_records_jobs_and_answers_and_says_where_it_looked(
    tmp_path: Path, admin: Any, postgres: PrivatePostgres, database: Database, space: UUID
) -> None:
    job, url = plant(database, space, tmp_path, admin), database.url
    with psycopg.connect(url) as connection:  # and a table that nobody knows yet
        connection.execute("CREATE TABLE memdir.novelty (space uuid NOT NULL, said jsonb)")
        connection.execute("SELECT memdir.confine('memdir.novelty')")
        connection.execute("INSERT INTO memdir.novelty VALUES (%s, %s)", [space, Jsonb({"x": SECRET})])
    planted = held(postgres, url, CORE)
    assert len(planted) == 8, planted
    told = admin.post(f"{AT}/purge", json={"files": ["reference_q.md"]}).json()
    cleaned = {kind: told[kind] for kind in ("versions", "answers", "records", "jobs")}
    assert cleaned == {"versions": 3, "answers": 1, "records": 1, "jobs": 2}
    assert (told["holding"], told["left"]) == ({"novelty": 1}, [])
    with psycopg.connect(url) as connection:
        connection.execute("DROP TABLE memdir.novelty")
        rows = connection.execute(
            "SELECT table_name FROM information_schema.columns "
            "WHERE table_schema = 'memdir' AND column_name = 'space'"
        )
        assert {*told["searched"]} == {"novelty", "space", *(name for (name,) in rows)}
    assert held(postgres, url, CORE) == []
    with database.space(space) as session:
        row = session.connection.execute("SELECT input FROM memdir.job WHERE id = %s", [job]).fetchone()
        assert row
        assert [one["content"] for one in row[0]["messages"]] == ["The printer is blue."]
    log = admin.get(f"{AT}/memory/jobs/{job}").json()
    assert log["status"] == "waiting"
    assert "Nothing of it" in admin.post(f"{AT}/memory/read", json={"name": "beside.md"}).json()["text"]
    assert {one["detail"].get("versions") for one in admin.get(f"{AT}/audit").json()["entries"]} >= {3}


def test_a_memory_that_says_the_same_today_stays_and_is_named(admin: Any) -> None:
    said = [change_shape("a.md", f"A. {SECRET}"), change_shape("b.md", f"B. {SECRET}")]
    admin.post(f"{AT}/publish", json=publish_shape(*said))
    told = admin.post(f"{AT}/purge", json={"files": ["a.md"], "words": [SECRET]}).json()
    assert (told["versions"], told["left"], told["holding"]) == (1, ["b.md"], {"version": 1})
    assert admin.post(f"{AT}/purge", json={"words": ["A."]}).status_code == 400
    assert admin.post(f"{AT}/purge", json={"words": "all"}).status_code == 400


def test_a_job_in_work_does_not_bring_back_what_was_purged(url: str, database: Database, space: UUID) -> None:
    job, said = uuid4(), "Please remember that the aardvark is called Quentin."
    with database.space(space) as session:
        add_job(session, EXTRACT, job, talk(said))
    with database.space(space) as session, Worker(url) as worker:
        session.lock()  # so that the worker cannot publish
        while not waits_for_lock(url):
            assert worker.process.poll() is None, worker.log
            time.sleep(0.02)
        session.purge([], [], search_forms(["the aardvark is called Quentin"]))
        session.connection.execute("COMMIT; BEGIN")
        while (found := job_state(database, space, job)) == "waiting":
            assert worker.process.poll() is None, worker.log
            time.sleep(0.05)
    assert found == "done"
    with database.space(space) as session:
        texts = session.read([one.seq for one in session.changes(0).versions]).values()
    assert not [text for text in texts if text and b"Quentin" in text]


def waits_for_lock(url: str) -> bool:
    with psycopg.connect(url) as connection:
        query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE %s"
        row = connection.execute(query, ["%memdir.publish%"]).fetchone()
        return bool(row and row[0])


def job_state(database: Database, space: UUID, job: UUID) -> str:
    with database.space(space) as session:
        found = found_job(session, job)
    return found["status"] if found else ""


def test_what_is_purged_goes_from_every_machine_with_the_next_sync(shared_space: SharedSpace) -> None:
    east, west = shared_space.machine("east"), shared_space.machine("west")
    east.memory.remember("The quillwort grows.", kind="reference", name="plant")
    for machine in (east, west):
        machine.syncer.sync()
    assert "reference_plant.md" in west.files()
    with pytest.raises(RemoteError, match="scope admin"):
        HubRemote(HubClient(shared_space.address, shared_space.token, {})).purge(PLANT)
    admin = HubClient(shared_space.address, shared_space.new_token("admin"), {})
    assert HubRemote(admin).purge(PLANT).startswith("1 version, ")
    for machine in (east, west):
        result = machine.syncer.sync()
        assert result.deleted_here == ("reference_plant.md",)
        assert any("Removed for good by somebody" in note for note in result.notes)
    assert not [one for one in shared_space.contents() if b"quillwort grows" in one]


def test_a_machine_that_changed_a_purged_memory_meanwhile_is_told_and_does_not_send_it(
    shared_space: SharedSpace,
) -> None:
    east, west = shared_space.machine("east"), shared_space.machine("west")
    east.memory.remember("The quillwort grows.", kind="reference", name="plant")
    for machine in (east, west):
        machine.syncer.sync()
    topic = west.memory.read("plant")
    west.memory.edit(topic, topic.text + "\nMore about it.\n")
    admin = HubClient(shared_space.address, shared_space.new_token("admin"), {})
    HubRemote(admin).purge(PLANT)
    for _ in range(2):  # and not with the next sync either
        (refused,) = west.syncer.sync().refused
        assert (refused.file, "removed for good" in refused.because) == ("reference_plant.md", True)
    assert "reference_plant.md" in west.files()
    assert not [one for one in shared_space.contents() if b"quillwort grows" in one]
    west.memory.forget("plant")
    assert not west.syncer.sync().refused
    west.memory.remember("It has another text.", kind="reference", name="plant")
    assert west.syncer.sync().pushed == ("reference_plant.md",)
