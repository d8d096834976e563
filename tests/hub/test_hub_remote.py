"""What a client of a hub goes through: days offline, lost answers, restored databases, tokens that end."""

import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from memdir import Memory
from memdir.errors import Rejected, RemoteError
from memdir.hub.administration import Spaces, Tokens
from memdir.memories.history.git import blob_id
from memdir.models.vendors.http import Backoff
from memdir.sync.hub_client import HubClient, HubResponse
from memdir.sync.hub_remote import HubRemote
from memdir.sync.remote import Authorship, Outgoing, Record
from memdir.sync.syncer import Syncer
from tests.conformance.remotes import Machine
from tests.conformance.test_remotes import SECRET, both_sync, remember
from tests.conftest import Clock
from tests.hub.node import Node
from tests.hub.postgres import PrivatePostgres
from tests.hub.shared_space import SharedSpace

pytestmark = pytest.mark.hub


@pytest.fixture
def east(shared_space: SharedSpace) -> Machine:
    return shared_space.machine("east")


@pytest.fixture
def west(shared_space: SharedSpace) -> Machine:
    return shared_space.machine("west")


def versions(space: SharedSpace) -> list[tuple[str, str]]:
    """Return file and hash of every version that the hub stored."""
    query = (
        "SELECT file, content FROM memdir.version v JOIN memdir.space s ON s.id = v.space "
        "WHERE s.name = %s ORDER BY v.seq"
    )
    with psycopg.connect(space.url) as connection:
        return list(connection.execute(query, [space.name]))


def outgoing(file: str, text: str) -> Outgoing:
    data = text.encode()
    return Outgoing(file, data, blob_id(data), 7, Authorship("East", "", "", "user"))


def test_a_laptop_without_the_hub_for_a_day_loses_nothing_and_shows_the_conflict(
    shared_space: SharedSpace, east: Machine, west: Machine
) -> None:
    for name in ("bun", "cat", "dog"):
        remember(east, name)
    both_sync(east, west)
    with shared_space.away():  # the day begins
        for hour in range(8):
            remember(west, f"hour {hour}")
            with pytest.raises(RemoteError, match="is here is safe"):
                west.syncer.sync()
        west.edit("bun", "Second.", "Zwei.")
        west.edit("cat", "First.", "First, on the way.")
        west.memory.forget("dog")
        assert len(west.syncer.status().waiting) == 11
    east.edit("bun", "Second.", "Two.")
    east.edit("cat", "Third.", "Third, at the desk.")
    remember(east, "new")
    east.syncer.sync()
    result = west.syncer.sync()
    assert result.merged == ("reference_cat.md",)
    assert result.deleted_there == ("reference_dog.md",)
    (conflict,) = result.conflicts
    assert conflict.copy in west.files()
    assert west.syncer.status().conflicts == (conflict.copy,)
    (proposal,) = west.memory.inbox.list()
    assert proposal.files == ["reference_bun.md", conflict.copy]
    east.syncer.sync()
    assert east.files() == west.files()
    assert len(east.files()) == 12
    body = east.memory.read("cat").body
    assert "First, on the way." in body
    assert "Third, at the desk." in body


class LossyClient(HubClient):
    """Loses answers to what was sent: the hub has it, and the client does not know."""

    lost = 0

    def _attempt(self, method: str, path: str, what: Mapping[str, Any]) -> HubResponse:
        outcome = super()._attempt(method, path, what)
        if path == "publish" and self.lost:
            self.lost -= 1
            return HubResponse(0, {"error": "the line was cut"})
        return outcome


def lossy(space: SharedSpace, machine: Machine, lost: int) -> Syncer:
    """Return what syncs a machine over a line on which so many answers are lost."""
    client = LossyClient(space.address, space.token, {}, backoff=Backoff(3, 0.01, 0.01))
    client.lost = lost
    place = os.path.join(machine.memory.state, "sync")
    return Syncer(machine.memory.inbox._writer, HubRemote(client), place, "East", space.clock)


def test_an_answer_that_is_lost_publishes_nothing_twice(shared_space: SharedSpace, east: Machine) -> None:
    remember(east)
    result = lossy(shared_space, east, lost=2).sync()
    assert result.pushed == ("reference_bun.md",)
    assert len(versions(shared_space)) == 1


def test_a_client_that_never_got_the_answer_learns_later_that_it_is_published(
    shared_space: SharedSpace, east: Machine, west: Machine
) -> None:
    remember(east)
    with pytest.raises(RemoteError, match=r"the line was cut.*is here is safe"):
        lossy(shared_space, east, lost=3).sync()
    assert len(versions(shared_space)) == 1
    west.syncer.sync()
    west.edit("bun", "Second.", "Second, by West.")
    west.syncer.sync()
    result = shared_space.machine("east").syncer.sync()  # another process
    assert (result.pulled, result.pushed, result.conflicts) == (("reference_bun.md",), (), ())
    assert len(versions(shared_space)) == 2
    assert east.files() == west.files()


def test_many_files_go_in_batches_and_a_client_that_is_cut_off_goes_on_with_the_next(
    shared_space: SharedSpace, east: Machine, west: Machine
) -> None:
    for number in range(520):
        east.write(f"note-{number:04}.md", f"---\nname: note-{number}\n---\nText {number}\n")
    for number in range(20):
        east.write(f"large-{number:02}.md", "x y\n" * 60_000)
    cut = lossy(shared_space, east, lost=0)
    sent = list[int]()
    publish = cut.remote._client.post  # type: ignore[attr-defined]

    def counted(path: str, body: Mapping[str, Any], *answers: int) -> HubResponse:
        if path == "publish":
            sent.append(len(body["changes"]))
            if len(sent) == 3:
                raise RemoteError("cut off")
        return publish(path, body, *answers)  # type: ignore[no-any-return]

    cut.remote._client.post = counted  # type: ignore[attr-defined]
    with pytest.raises(RemoteError, match="cut off"):
        cut.sync()
    assert 0 < len(versions(shared_space)) == sum(sent[:2])
    both_sync(east, west)
    assert east.files() == west.files()
    assert len(versions(shared_space)) == len(east.files()) == 540
    assert not west.syncer.sync().changed


def test_where_somebody_else_is_quicker_with_a_later_batch_the_first_is_common(
    shared_space: SharedSpace, east: Machine, west: Machine
) -> None:
    west.write("z.md", "---\nname: z\n---\nOf West.\n")
    for number in range(500):
        east.write(f"note-{number:04}.md", f"---\nname: note-{number}\n---\nText {number}\n")
    east.write("z.md", "---\nname: z\n---\nOf East.\n")
    assert isinstance(east.remote, HubRemote)
    post, others = east.remote._client.post, [west]

    def slow(path: str, body: Mapping[str, Any], *answers: int) -> HubResponse:
        if path == "publish" and others:
            others.pop().syncer.sync()
        return post(path, body, *answers)

    east.remote._client.post = slow  # type: ignore[method-assign]
    result = east.syncer.sync()
    assert len(result.conflicts) == 1
    both_sync(west, east)
    assert east.files() == west.files()
    assert len(east.files()) == 502
    assert len({*versions(shared_space)}) == len(versions(shared_space))


def test_the_hub_refuses_a_secret_of_a_client_that_does_not_look(shared_space: SharedSpace) -> None:
    remote = shared_space.remote()
    changes = [outgoing("reference_key.md", f"The token is {SECRET}"), outgoing("reference_fine.md", "Fine.")]
    done = remote.publish(changes, remote.fetch(Record()), lambda _: None)
    assert [*done.files] == ["reference_fine.md"]
    assert [(one.file, "github" in one.because) for one in done.refused] == [("reference_key.md", True)]
    assert not [data for data in shared_space.contents() if SECRET.encode() in data]


def test_what_the_hub_refuses_is_said_and_the_rest_is_sent(
    shared_space: SharedSpace, east: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As between a hub with newer rules and an older client."""
    monkeypatch.setattr("memdir.sync.remote.secret_names", lambda *_texts: "")
    remember(east, "fine")
    east.write("reference_key.md", f"---\nname: key\n---\nThe token is {SECRET}\n")
    result = east.syncer.sync()
    assert result.pushed == ("reference_fine.md",)
    assert [one.file for one in result.refused] == ["reference_key.md"]
    assert not [data for data in shared_space.contents() if SECRET.encode() in data]


def test_a_client_takes_no_secret_and_no_odd_name_from_a_hub_that_has_them(
    shared_space: SharedSpace, east: Machine, west: Machine
) -> None:
    remember(east)
    east.syncer.sync()
    texts = {"reference_key.md": f"The token is {SECRET}", "../outside.md": "Out.", "sub/../x.md": "Odd."}
    query = """
        WITH s AS (UPDATE memdir.space SET seq = seq + 1 WHERE name = %(space)s RETURNING id, seq),
        v AS (INSERT INTO memdir.version
              (space, seq, file, content, data, saved_ns, who, session, actor, request)
              SELECT id, seq, %(file)s, %(content)s, %(data)s, 7, '', '', '', gen_random_uuid() FROM s)
        INSERT INTO memdir.head SELECT id, %(file)s, seq, false FROM s
    """
    with psycopg.connect(shared_space.url) as connection:
        for file, text in texts.items():
            data = text.encode()
            given = {"space": shared_space.name, "file": file, "content": blob_id(data), "data": data}
            connection.execute(query.encode(), given)
    result = west.syncer.sync()
    assert {one.file for one in result.refused} == {*texts}
    assert [*west.files()] == ["reference_bun.md"]


def test_a_restored_database_gets_back_what_it_lost(
    postgres: PrivatePostgres, template: str, tmp_path: Path, clock: Clock
) -> None:
    """With the tools of PostgreSQL: the backup is older than what clients know, and work went on since."""
    url = postgres.database(template)
    with Node(url) as node:
        space = SharedSpace(node, url, tmp_path, clock)
        east, west = space.machine("east"), space.machine("west")
        for name in ("bun", "cat", "dog"):
            remember(east, name)
        both_sync(east, west)
        dump = postgres.tool("pg_dump", "--format=custom", "--clean", url).stdout
        east.edit("bun", "First.", "First, changed.")
        remember(east, "new")
        both_sync(east, west)
        postgres.tool("pg_restore", "--clean", "--single-transaction", f"--dbname={url}", input=dump)
        far = space.machine("far")  # knows nothing of what was lost, and goes on
        remember(far, "far")
        far.syncer.sync()
        far.edit("cat", "Third.", "Third, by Far.")
        far.syncer.sync()
        result = east.syncer.sync()
        assert set(result.pushed) == {"reference_bun.md", "reference_new.md"}
        assert set(result.pulled) == {"reference_cat.md", "reference_far.md"}
        assert "restored" in result.notes[0]
        both_sync(west, far, east)
        assert east.files() == west.files() == far.files()
        assert len(east.files()) == 5
        assert "First, changed." in far.memory.read("bun").body


def test_tokens_that_are_wrong_expired_revoked_or_may_only_read_are_told_apart(
    shared_space: SharedSpace,
) -> None:
    past = datetime.now(UTC) - timedelta(minutes=1)
    revoked = shared_space.new_token()
    tokens = Tokens(shared_space.database)
    tokens.revoke(max(tokens.list_tokens(shared_space.name), key=lambda one: one.created_at).id)
    for token in ("memdir_nonsense", revoked, shared_space.new_token(expires_at=past)):
        with pytest.raises(RemoteError, match=r"wrong, expired or revoked.*sync init.*team init") as raised:
            shared_space.remote(token=token).fetch(Record())
        assert token not in str(raised.value)
    reader = shared_space.remote(token=shared_space.new_token("read"))
    with pytest.raises(RemoteError, match="with the scope write"):
        reader.publish([outgoing("a.md", "A")], reader.fetch(Record()), lambda _: None)


def test_a_space_that_is_gone_is_told_and_costs_nothing(shared_space: SharedSpace, east: Machine) -> None:
    remember(east)
    east.syncer.sync()
    other = SharedSpace(shared_space.node, shared_space.url, shared_space.top, shared_space.clock)
    with pytest.raises(RemoteError, match=r"no space at .*or the token is for another"):
        HubRemote(HubClient(other.address, shared_space.token, {})).fetch(Record())
    Spaces(shared_space.database).delete(shared_space.name)
    with pytest.raises(RemoteError, match=r"wrong, expired or revoked"):  # its tokens went with it
        east.syncer.sync()
    assert [*east.files()] == ["reference_bun.md"]


def test_the_log_says_who_wrote_what_up_to_a_revision(east: Machine, west: Machine) -> None:
    remember(east)
    both_sync(east, west)
    west.memory.forget("bun")
    west.syncer.sync()
    revision = east.remote.fetch(Record()).revision
    told = [(file, by.who.partition(" ")[0], deleted) for file, by, deleted in east.remote.log(revision)]
    assert told == [("reference_bun.md", "West", True), ("reference_bun.md", "East", False)]


class Workplace:
    """A person with a home and a project, at a terminal."""

    def __init__(self, top: Path, name: str) -> None:
        self.home, self.project = top / name, top / name / "shop"
        self.project.mkdir(parents=True)
        self.env = {"HOME": str(self.home), "PATH": os.environ["PATH"], "USER": name}
        self.env |= {"GIT_CONFIG_NOSYSTEM": "1", "MEMDIR_WEIGHTS": os.environ["MEMDIR_WEIGHTS"]}

    @property
    def memory(self) -> Memory:
        return Memory.open(self.project, self.env)

    def memdir(self, *words: str, **more: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "memdir", *words],
            cwd=self.project,
            env={**self.env, **more},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )


def test_a_person_chooses_a_hub_at_the_terminal_and_its_token_is_shown_nowhere(
    shared_space: SharedSpace, tmp_path: Path
) -> None:
    laptop, desk = Workplace(tmp_path, "laptop"), Workplace(tmp_path, "desk")
    token, address = shared_space.token, shared_space.address
    nobody = laptop.memdir("sync", "init", address)
    assert (nobody.returncode, "MEMDIR_HUB_TOKEN" in nobody.stderr) == (6, True)
    wrong = laptop.memdir("sync", "init", address, MEMDIR_HUB_TOKEN="memdir_wrong")
    assert (wrong.returncode, "wrong, expired or revoked" in wrong.stderr) == (7, True)
    said = [laptop.memdir("sync", "init", address, MEMDIR_HUB_TOKEN=token)]
    (tmp_path / "token").write_text(token + "\n")
    said.append(desk.memdir("sync", "init", address, "--token-file", str(tmp_path / "token"), "--json"))
    laptop.memory.remember("Deploys go out on Tuesdays only.", kind="project", name="deploys")
    said += [laptop.memdir("sync"), desk.memdir("sync"), desk.memdir("sync", "status"), desk.memdir("doctor")]
    assert [one.returncode for one in said] == [0] * 6, [one.stderr for one in said]
    assert "Received: project_deploys.md" in said[3].stdout
    assert address in said[4].stdout
    assert "Tuesdays" in desk.memory.read("deploys").body
    assert not [one for one in said if token in one.stdout + one.stderr]
    kept = [path for path in laptop.home.rglob("*") if path.is_file() and token.encode() in path.read_bytes()]
    assert [path.stat().st_mode & 0o777 for path in kept] == [0o600]
    assert not kept[0].is_relative_to(laptop.project)


def test_a_memory_that_is_purged_leaves_no_word_in_the_space_and_cannot_be_sent_again(
    shared_space: SharedSpace, tmp_path: Path
) -> None:
    laptop, desk = Workplace(tmp_path, "laptop"), Workplace(tmp_path, "desk")
    for person in (laptop, desk):
        person.memory.sync.init(shared_space.address, token=shared_space.token)
    laptop.memory.remember("The aardvark is called Quentin.", kind="reference", name="quentin")
    laptop.memory.sync.run()
    desk.memory.sync.run()
    kept = Path(desk.memory.directory, "reference_quentin.md").read_text()
    purged = laptop.memdir("forget", "quentin", "--purge", "--yes")
    assert "Ask for one with the scope admin" in purged.stdout + purged.stderr
    laptop.memory.remember("The aardvark is called Quentin.", kind="reference", name="quentin")
    laptop.memory.sync.init(shared_space.address, token=shared_space.new_token("admin"))
    purged = laptop.memdir("forget", "quentin", "--purge", "--yes")
    assert "removed for good; nobody can send such a text again" in purged.stdout, purged.stderr
    assert not [data for data in shared_space.contents() if b"Quentin" in data]
    desk.memory.sync.run()
    Path(desk.memory.directory, "reference_quentin.md").write_text(kept)
    result = desk.memory.sync.run()
    assert [(one.file, "removed for good" in one.because) for one in result.refused] == [
        ("reference_quentin.md", True)
    ]
    assert not [data for data in shared_space.contents() if b"Quentin" in data]


def test_the_doctor_sees_a_token_that_is_gone_or_open_to_others(
    shared_space: SharedSpace, tmp_path: Path
) -> None:
    laptop = Workplace(tmp_path, "laptop")
    chosen = laptop.memory.sync.init(shared_space.address, token=shared_space.token)
    assert not [one for one in laptop.memory.doctor.examine().findings if one.code == "hub-token"]
    os.chmod(chosen.token_file, 0o644)
    (found,) = [one for one in laptop.memory.doctor.examine().findings if one.code == "hub-token"]
    assert "Others on this machine" in found.message
    os.unlink(chosen.token_file)
    (found,) = [one for one in laptop.memory.doctor.examine().findings if one.code == "hub-token"]
    assert f"memdir sync init {shared_space.address}`, or `memdir team init" in found.hint
    with pytest.raises(RemoteError, match="is gone"):
        laptop.memory.sync.run()


def test_a_team_shares_its_memory_through_a_space(shared_space: SharedSpace, tmp_path: Path) -> None:
    people = Workplace(tmp_path, "east"), Workplace(tmp_path, "west")
    for person in people:
        done = person.memdir(
            "team", "init", shared_space.address, "--yes", MEMDIR_HUB_TOKEN=shared_space.token
        )
        assert done.returncode == 0, done.stderr
        assert "Everyone who has a token for this space can read it" in done.stdout
    east, west = people
    east.memory.remember("Deploys on Tuesdays.", kind="project", name="deploys", audience="team")
    east.memory.team.sync()
    assert west.memory.team.sync().pulled == ("team/project_deploys.md",)
    assert [one.by.who for one in west.memory.team.blame("deploys")] == ["east"]
    assert west.memory.team.status().remote == shared_space.address


def test_an_agent_may_not_choose_a_hub(shared_space: SharedSpace, tmp_path: Path) -> None:
    person = Workplace(tmp_path, "east")
    memory = Memory.open(person.project, {**person.env, "CLAUDECODE": "1"})
    with pytest.raises(Rejected, match="Only a person"):
        memory.sync.init(shared_space.address, token=shared_space.token)
