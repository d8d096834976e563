"""Jobs are done once, by whichever worker comes first, with retries, and no space keeps another waiting."""

import os
import signal
import time
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from training.weights_file import pack

import memdir
from memdir.config.settings import Settings
from memdir.errors import CapReached, RemoteError
from memdir.extract.tagger import TAGGER
from memdir.hub.administration import Spaces, Tokens
from memdir.hub.cache import Caches, Work
from memdir.hub.database import Database
from memdir.hub.jobs import DREAM, EXTRACT, add_job, add_only_job, found_job
from memdir.hub.worker import HubWorker, WorkerTimes
from memdir.memory import Memory
from memdir.models.protocol import Reply, Usage
from memdir.models.vendors.scripted import ScriptedModel
from memdir.recall.semantic.weights import weights_at
from tests.hub.conversation import conversation
from tests.hub.node import Node
from tests.hub.postgres import PrivatePostgres
from tests.hub.waits import publishing_waits, until_one_waits
from tests.hub.worker import IMPATIENT, Worker

pytestmark = pytest.mark.hub

FACTS = (
    "deploys go out on Tuesdays",
    "the office in Oslo closes at noon",
    "our printer needs blue paper",
    "the finance team signs every invoice",
    "the staging database is wiped each night",
    "customers in Japan pay in advance",
    "the old parser breaks on tabs",
    "the coffee machine is cleaned by interns",
    "backups are kept for ninety days",
    "the mobile team writes Kotlin",
    "security reviews take two weeks",
    "the wiki moved to another server",
)

SAID = "Please remember that {what}."


def talk(what: str, session: str = "") -> dict[str, Any]:
    return conversation(("user", SAID.format(what=what)), ("assistant", "I will."), session=session)


def ended(database: Database, space: UUID, job: UUID) -> dict[str, Any]:
    """Wait until a job has ended and return what became of it."""
    while True:
        with database.space(space) as session:
            found = found_job(session, job)
        assert found
        if found["status"] != "waiting":
            return found
        time.sleep(0.05)


def texts(database: Database, space: UUID) -> list[str]:
    with database.space(space) as session:
        found = session.read([one.seq for one in session.changes(0).versions if not one.deleted])
    return [data.decode() for data in found.values() if data]


def test_a_conversation_that_a_node_was_given_is_extracted_by_a_worker(
    url: str, node: Node, database: Database, space: UUID, tokens: Tokens
) -> None:
    secret = tokens.create("one", "laptop")
    headers = {"Idempotency-Key": str(uuid4())}
    with node.client(secret) as client, Worker(url):
        sent = client.post(
            "/v1/spaces/one/memory/extract", json=talk("deploys go out on Tuesdays"), headers=headers
        )
        assert (sent.status_code, sent.json()["status"]) == (202, "waiting")
        again = client.post(
            "/v1/spaces/one/memory/extract", json=talk("deploys go out on Tuesdays"), headers=headers
        )
        assert again.json()["job"] == sent.json()["job"]
        ended(database, space, UUID(sent.json()["job"]))
        told = client.get(f"/v1/spaces/one/memory/jobs/{sent.json()['job']}").json()
        assert (told["task"], told["status"]) == ("extract", "done")
        (file,) = told["answer"]["saved"]
        assert "Tuesdays" in client.post("/v1/spaces/one/memory/read", json={"name": file}).json()["body"]
        assert client.get(f"/v1/spaces/one/memory/jobs/{uuid4()}").status_code == 404


def test_two_workers_do_each_job_once(url: str, database: Database, spaces: Spaces) -> None:
    made = [spaces.create(f"s{number}") for number in range(3)]
    jobs = [(space, uuid4()) for space in made for _ in range(4)]
    for number, (space, job) in enumerate(jobs):
        with database.space(space) as session:
            add_job(session, EXTRACT, job, talk(FACTS[number]))
    with Worker(url) as first, Worker(url) as second:
        assert {ended(database, *one)["status"] for one in jobs} == {"done"}
        assert (first.end(), second.end()) == (0, 0)  # a job is logged after it is done
        logs = first.log + second.log
    assert sorted(str(job) for _, job in jobs) == sorted(
        line.partition('"job": "')[2][:36]
        for line in logs.splitlines()
        if '"job done"' in line and '"extract"' in line
    )
    for space in made:
        assert len(texts(database, space)) == 4


def test_a_job_of_a_worker_that_died_is_done_by_another(url: str, database: Database, space: UUID) -> None:
    job = uuid4()
    with database.space(space) as session:
        add_job(session, EXTRACT, job, talk("deploys go out on Tuesdays"))
    with publishing_waits(url), Worker(url) as worker:
        until_one_waits(url)
        worker.end(signal.SIGKILL)
    with psycopg.connect(url, autocommit=True) as connection:  # as if a minute had passed
        connection.execute("UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 minute'")
    with Worker(url):
        assert ended(database, space, job)["status"] == "done"
    assert len(texts(database, space)) == 1


def test_a_job_that_waits_while_many_of_another_space_do_comes_soon(
    url: str, database: Database, spaces: Spaces
) -> None:
    busy, quiet = spaces.create("busy"), spaces.create("quiet")
    jobs = [uuid4() for _ in range(12)]
    for number, job in enumerate(jobs):
        with database.space(busy) as session:
            add_job(session, EXTRACT, job, talk(f"part {number} is built by machine {number}"))
    last = uuid4()
    with database.space(quiet) as session:
        add_job(session, EXTRACT, last, talk("deploys go out on Tuesdays"))
    with Worker(url, "--jobs", "1"):
        for space, job in [*[(busy, job) for job in jobs], (quiet, last)]:
            assert ended(database, space, job)["status"] == "done"
    with psycopg.connect(url) as connection:
        connection.execute("SET ROLE memdir_admin")
        rows = connection.execute(
            "SELECT id FROM memdir.job WHERE task = 'extract' ORDER BY ended_at"
        ).fetchall()
    assert [row[0] for row in rows].index(last) <= 2


def test_a_job_that_cannot_be_done_fails_and_says_why(url: str, database: Database, space: UUID) -> None:
    job = uuid4()
    with database.space(space) as session:
        add_job(session, EXTRACT, job, talk("deploys go out on Tuesdays"))
    with Worker(url, MEMDIR_MODEL="no such model") as worker:
        found = ended(database, space, job)
        assert "names no model" in found["answer"]["error"]
        assert "Tuesdays" not in worker.log
    assert found["status"] == "failed"
    assert texts(database, space) == []
    assert kept_input(database, space, job) is not None


def kept_input(database: Database, space: UUID, job: UUID) -> Any:
    with database.space(space) as session:
        row = session.connection.execute("SELECT input FROM memdir.job WHERE id = %s", [job]).fetchone()
    assert row
    return row[0]


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """Return where Python finds memdir with a tagger whose file lost the end of a table."""
    package, weights = Path(memdir.__file__).parent, tmp_path / "memdir" / "weights"
    weights.mkdir(parents=True)
    for one in package.iterdir():
        if one.name != "weights":
            (tmp_path / "memdir" / one.name).symlink_to(one)
    for one in (package / "weights").iterdir():
        if one.name != TAGGER:
            (weights / one.name).symlink_to(one)
    tables = dict(weights_at(str(package / "weights" / TAGGER)))
    (weights / TAGGER).write_bytes(pack({**tables, "head bias": tables["head bias"][:-1]}))
    return tmp_path


def test_a_job_whose_messages_raise_errors_is_tried_again_told_as_failed_and_can_be_run_again(
    node: Node, database: Database, space: UUID, tokens: Tokens, damaged: Path
) -> None:
    said, job = talk("deploys go out on Tuesdays"), uuid4()
    with database.space(space) as session:
        add_job(session, EXTRACT, job, said)
    with Worker(database.url, start=IMPATIENT, PYTHONPATH=str(damaged)) as worker:
        found = ended(database, space, job)
        assert worker.end() == 0
        assert (worker.log.count('"MessagesUnread"'), worker.log.count('"job failed"')) == (4, 5)
        assert "Tuesdays" not in worker.log
    assert (found["status"], found["answer"]["saved"]) == ("failed", [])
    assert "it could not be read (ValueError)" in found["answer"]["error"]
    assert kept_input(database, space, job) == said
    headers = {"Idempotency-Key": str(uuid4())}
    with node.client(tokens.create("one", "laptop")) as client, Worker(database.url):
        answers = [
            client.post(f"/v1/spaces/one/memory/jobs/{job}/again", json={}, headers=headers) for _ in range(2)
        ]
        assert [one.status_code for one in answers] == [202, 202]
        assert ended(database, space, UUID(answers[0].json()["job"]))["status"] == "done"
        late = client.post(f"/v1/spaces/one/memory/jobs/{job}/again", json={})
        unknown = client.post(f"/v1/spaces/one/memory/jobs/{uuid4()}/again", json={})
    assert (late.status_code, unknown.status_code) == (422, 404)
    assert kept_input(database, space, job) is None
    (text,) = texts(database, space)
    assert "Tuesdays" in text


def test_the_queue_holds_ids_alone(url: str, database: Database, space: UUID) -> None:
    with database.space(space) as session:
        add_job(session, EXTRACT, uuid4(), talk("deploys go out on Tuesdays"))
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT args FROM procrastinate_jobs").fetchall()
    assert [set(args) for (args,) in rows] == [{"space", "job"}]


def test_a_job_that_may_wait_once_waits_once(database: Database, space: UUID) -> None:
    for _ in range(3):
        with database.space(space) as session:
            add_only_job(session, DREAM)
    with database.space(space) as session:
        count = session.connection.execute("SELECT count(*) FROM memdir.job").fetchone()
    assert count == (1,)


def test_a_job_that_is_asked_for_in_vain_is_not_on_the_queue(
    url: str, database: Database, space: UUID
) -> None:
    with suppress(RuntimeError), database.space(space) as session:
        add_job(session, EXTRACT, uuid4(), talk("deploys go out on Tuesdays"))
        raise RuntimeError
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM procrastinate_jobs").fetchone() == (0,)


@pytest.fixture
def with_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMDIR_WEIGHTS")


@pytest.mark.usefixtures("with_weights")
def test_vectors_are_computed_by_a_worker_and_used_by_nodes(
    tmp_path: Path, url: str, database: Database, space: UUID, tokens: Tokens
) -> None:
    with Node(url) as node, node.client(tokens.create("one", "laptop")) as client:
        said = {
            "text": "The pager rings for whoever is on duty this week.",
            "name": "pager",
            "kind": "project",
        }
        assert client.post("/v1/spaces/one/memory/remember", json=said).status_code == 200
        with Worker(url):
            while database.spaces_without_vectors():
                time.sleep(0.05)
    with database.space(space) as session:
        assert session.connection.execute("SELECT count(*) FROM memdir.vector").fetchone() == (1,)
    caches = Caches(os.environ, folder=str(tmp_path))
    with caches.of(space) as cache:
        ranked = cache.read(partial(database.space, space), lambda memory: memory.recalls.rank("pager"))
    caches.close()
    assert [one.semantic is not None for one in ranked] == [True]


def test_after_enough_conversations_a_dream_is_put_on_the_queue_once(
    url: str, database: Database, space: UUID
) -> None:
    enough = Settings().number("dream.sessions")
    jobs = [uuid4() for _ in range(enough + 2)]
    for number, job in enumerate(jobs):
        with database.space(space) as session:
            add_job(session, EXTRACT, job, talk(FACTS[number]))
    with Worker(url):
        assert {ended(database, space, job)["status"] for job in jobs} == {"done"}
        with database.space(space) as session:
            rows = session.connection.execute("SELECT id FROM memdir.job WHERE task = 'dream'").fetchall()
        ((dream,),) = rows
        assert ended(database, space, dream)["status"] == "done"
    assert len(texts(database, space)) == enough + 2


@pytest.mark.parametrize("fails", [False, True])
def test_the_cap_of_a_day_counts_for_the_space_whichever_worker_asks(
    tmp_path: Path, database: Database, space: UUID, fails: bool
) -> None:
    used = Usage(Settings().number("cost.perDay"), 10)
    opened = partial(database.space, space)

    def extracted(memory: Memory) -> str:
        memory.extract(messages=talk(f"{uuid4()} is a name")["messages"])
        if fails:
            raise RemoteError("It broke after the model was asked.")
        return "done"

    def work() -> None:
        model = ScriptedModel([Reply("Nothing is worth saving.", usage=used)])
        caches = Caches(os.environ, folder=str(tmp_path), may_ask=True, model=model)
        try:
            with caches.of(space) as cache:
                cache.work(opened, extracted, Work(uuid4()), lambda _session, _answer: None)
        finally:
            caches.close()

    with pytest.raises(RemoteError) if fails else nullcontext():
        work()
    with pytest.raises(CapReached):
        work()


def test_a_worker_that_cannot_work_with_its_database_says_what_to_do(
    postgres: PrivatePostgres, url: str, tmp_path: Path
) -> None:
    def serve(where: str) -> None:
        HubWorker(Database(where), Caches({}, folder=str(tmp_path)), times=WorkerTimes(start=2.0)).serve()

    with psycopg.connect(url) as connection:
        connection.execute("CREATE ROLE stranger LOGIN")
    with pytest.raises(RemoteError, match="Make it with: memdir serve --migrate"):
        serve(postgres.database())
    with pytest.raises(RemoteError, match="Use the one that made it"):
        serve(url.replace("memdir@", "stranger@"))
