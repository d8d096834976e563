"""After a restore from a backup nodes go on without a restart, and machines lose nothing."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from memdir.hub.administration import Spaces, Tokens
from tests.conftest import Clock
from tests.hub.node import Node, change_shape, publish_shape
from tests.hub.postgres import PrivatePostgres
from tests.hub.shared_space import SharedSpace

pytestmark = pytest.mark.hub

AT = "/v1/spaces/one"


@pytest.fixture
def agent(node: Node, spaces: Spaces, tokens: Tokens) -> Iterator[Any]:
    spaces.create("one")
    with node.client(tokens.create("one", "ada", ["admin"])) as opened:
        yield opened


def remember(agent: Any, name: str) -> None:
    said = {"text": f"The {name} is here.", "name": name, "kind": "reference"}
    answer = agent.post(f"{AT}/memory/remember", json=said)
    assert answer.status_code == 200, answer.text


def names(agent: Any) -> list[str]:
    """Return what a node lists, when PostgreSQL can be used again."""
    while (answer := agent.post(f"{AT}/memory/list", json={})).status_code == 503:
        time.sleep(0.05)
    return sorted(one["name"] for one in answer.json()["memories"])


Restore = Callable[[PrivatePostgres, str, str], None]


def into_a_new_database(postgres: PrivatePostgres, url: str, dump: str) -> None:
    name = url.rpartition("/")[2]
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template0".encode())
    postgres.tool("pg_restore", "--exit-on-error", f"--dbname={url}", dump)


def over_the_old_tables(postgres: PrivatePostgres, url: str, dump: str) -> None:
    postgres.tool("pg_restore", "--exit-on-error", "--clean", "--if-exists", f"--dbname={url}", dump)


@pytest.mark.parametrize("restore", [into_a_new_database, over_the_old_tables])
def test_a_node_makes_its_copies_anew_when_the_database_was_restored(
    agent: Any, postgres: PrivatePostgres, url: str, tmp_path: Path, restore: Restore
) -> None:
    dump = str(tmp_path / "hub.dump")
    remember(agent, "first")
    postgres.tool("pg_dump", "--format=custom", f"--file={dump}", url)
    remember(agent, "lost")
    assert names(agent) == ["first", "lost"]
    restore(postgres, url, dump)
    while agent.get(f"{AT}/changes").status_code == 503:
        time.sleep(0.05)
    after = [change_shape(f"{n}.md", f"---\nname: n{n}\n---\n\nAfter.\n") for n in range(3)]
    assert agent.post(f"{AT}/publish", json=publish_shape(*after)).status_code == 200
    assert names(agent) == ["first", "n0", "n1", "n2"]  # though the newest number is higher than before
    remember(agent, "last")
    assert names(agent) == ["first", "last", "n0", "n1", "n2"]


def test_a_purge_takes_the_text_out_of_the_copies_of_all_nodes(
    agent: Any, url: str, tokens: Tokens, tmp_path: Path
) -> None:
    remember(agent, "quillwort")
    with Node(url, env={"TMPDIR": str(tmp_path)}) as other, other.client(tokens.create("one", "bob")) as bob:
        asked = {"query": "Where is the quillwort?"}
        assert "quillwort" in bob.post(f"{AT}/memory/recall", json=asked).text
        assert any(b"The quillwort is here" in path.read_bytes() for path in files_below(tmp_path))
        assert agent.post(f"{AT}/purge", json={"files": ["reference_quillwort.md"]}).status_code == 200
        assert names(bob) == []
        assert not [path for path in files_below(tmp_path) if b"The quillwort is here" in path.read_bytes()]


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_machines_send_again_what_a_restored_hub_has_lost(
    postgres: PrivatePostgres, url: str, node: Node, tmp_path: Path, clock: Clock
) -> None:
    shared = SharedSpace(node, url, tmp_path, clock)
    east, west = shared.machine("east"), shared.machine("west")
    for machine, name in ((east, "first"), (west, "second")):
        machine.memory.remember(f"The {name}.", kind="reference", name=name)
        machine.syncer.sync()
    dump = str(tmp_path / "hub.dump")
    postgres.tool("pg_dump", "--format=custom", f"--file={dump}", url)
    for machine, name in ((east, "third"), (west, "fourth")):
        machine.memory.remember(f"The {name}.", kind="reference", name=name)
        machine.syncer.sync()
    into_a_new_database(postgres, url, dump)
    with node.client(shared.token) as client:
        while client.get(f"/v1/spaces/{shared.name}/changes").status_code == 503:
            time.sleep(0.05)
    notes = [note for machine in (west, east, west) for note in machine.syncer.sync().notes]
    assert any("restored to an earlier state" in note for note in notes)
    every = {f"reference_{name}.md" for name in ("first", "second", "third", "fourth")}
    assert every <= set(east.files())
    assert east.files() == west.files()
