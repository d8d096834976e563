"""Publishing is all or nothing, on top of the versions that it names, and once for each request."""

import json
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import psycopg
import pytest

from memdir.errors import RemoteError
from memdir.hub.database import Database
from memdir.hub.spaces import Changes, FileChange, Moved, Published, PublishRefused
from memdir.memories.history.git import blob_id
from memdir.sync.remote import MAX_REMOTE_BYTES, Authorship
from memdir.text.value import replace

pytestmark = pytest.mark.hub


def change(file: str, text: str | None, base: int = 0) -> FileChange:
    data = None if text is None else text.encode()
    by = Authorship("the laptop", "", "s-1", "user")
    return FileChange(file, base, data, blob_id(data) if data is not None else "", 7, by)


def publish(database: Database, space: UUID, *changes: FileChange, request: UUID | None = None) -> Published:
    with database.space(space) as session:
        return session.publish(changes, request or uuid4())


def listed(database: Database, space: UUID, since: int = 0, limit: int = 500) -> Changes:
    with database.space(space) as session:
        return session.changes(since, limit)


def test_what_is_published_is_listed_and_read(database: Database, space: UUID) -> None:
    done = publish(database, space, change("a.md", "A"), change("b.md", "B"))
    assert (done.seq, dict(done.files)) == (2, {"a.md": 1, "b.md": 2})
    found = listed(database, space)
    assert (found.seq, found.more) == (2, False)
    assert [(one.file, one.seq, one.size, one.by.who) for one in found.versions] == [
        ("a.md", 1, 1, "the laptop"),
        ("b.md", 2, 1, "the laptop"),
    ]
    with database.space(space) as session:
        assert session.read([1, 2, 9]) == {1: b"A", 2: b"B", 9: None}


def test_an_empty_space_has_no_changes(database: Database, space: UUID) -> None:
    assert listed(database, space) == Changes(0, (), more=False)


def test_only_the_newest_version_of_a_file_is_listed(database: Database, space: UUID) -> None:
    publish(database, space, change("a.md", "A"), change("b.md", "B"))
    publish(database, space, change("a.md", "A2", 1))
    publish(database, space, change("b.md", None, 2))
    found = listed(database, space)
    assert [(one.file, one.seq, one.deleted) for one in found.versions] == [
        ("a.md", 3, False),
        ("b.md", 4, True),
    ]
    assert [one.file for one in listed(database, space, 3).versions] == ["b.md"]
    with database.space(space) as session:
        log = json.loads(session.json_of("log(%s, %s)", 2**62, 500))["changes"]
    assert [(one["file"], one["seq"]) for one in log] == [("b.md", 4), ("a.md", 3), ("b.md", 2), ("a.md", 1)]


def test_a_long_list_is_read_in_pages_that_miss_nothing(database: Database, space: UUID) -> None:
    publish(database, space, *[change(f"m{n}.md", str(n)) for n in range(7)])
    seen, since, more = list[str](), 0, True
    while more:
        page = listed(database, space, since, 3)
        seen += [one.file for one in page.versions]
        since, more = page.seq, page.more
    assert seen == [f"m{n}.md" for n in range(7)]
    assert since == 7


def test_a_change_of_another_version_stores_nothing(database: Database, space: UUID) -> None:
    publish(database, space, change("a.md", "A"))
    for base in (0, 7):
        with pytest.raises(Moved) as moved:
            publish(database, space, change("b.md", "B"), change("a.md", "mine", base))
        assert moved.value.files == {"a.md": 1}
    with pytest.raises(Moved) as moved:
        publish(database, space, change("ghost.md", None, 3))
    assert moved.value.files == {"ghost.md": 0}
    assert [one.file for one in listed(database, space).versions] == ["a.md"]
    assert listed(database, space).seq == 1


def test_a_deleted_file_can_be_made_again(database: Database, space: UUID) -> None:
    publish(database, space, change("a.md", "A"))
    publish(database, space, change("a.md", None, 1))
    with pytest.raises(Moved):
        publish(database, space, change("a.md", "late", 1))
    assert publish(database, space, change("a.md", "again")).files == {"a.md": 3}
    publish(database, space, change("a.md", None, 3))
    assert publish(database, space, change("a.md", "once more", 4)).files == {"a.md": 5}


def test_the_same_request_is_answered_as_the_first_time(database: Database, space: UUID) -> None:
    request = uuid4()
    first = publish(database, space, change("a.md", "A"), request=request)
    publish(database, space, change("a.md", "A2", 1))
    assert publish(database, space, change("a.md", "A"), request=request) == first
    assert listed(database, space).seq == 2


def test_what_is_said_is_kept_with_the_request(database: Database, space: UUID) -> None:
    request = uuid4()
    with database.space(space) as session:
        assert session.earlier_answer(request) is None
        session.publish([change("a.md", "A")], request, said={"name": "a"})
    with database.space(space) as session:
        kept = session.earlier_answer(request)
        assert kept is not None
        assert (kept.said, kept.files) == ({"name": "a"}, {"a.md": 1})
        assert session.publish([], uuid4(), said="nothing to do").seq == 1


def test_of_two_writers_of_one_version_one_wins(database: Database, space: UUID) -> None:
    publish(database, space, change("a.md", "A"))

    def tried(text: str) -> str:
        try:
            publish(database, space, change("a.md", text, 1))
        except Moved:
            return "moved"
        return text

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(tried, [f"text {n}" for n in range(8)]))
    (winner,) = [text for text in done if text != "moved"]
    with database.space(space) as session:
        assert session.read([2]) == {2: winner.encode()}
        assert session.changes(0).seq == 2


def test_the_same_request_sent_at_once_is_stored_once(database: Database, space: UUID) -> None:
    request = uuid4()
    with ThreadPoolExecutor(8) as pool:
        sent = [pool.submit(publish, database, space, change("a.md", "A"), request=request) for _ in range(8)]
    assert {one.result().seq for one in sent} == {1}
    assert listed(database, space).seq == 1


def test_numbers_become_visible_in_order(database: Database, space: UUID) -> None:
    """A reader that goes on from the last number it saw misses no version of many writers at once."""
    seen, since = dict[str, int](), 0
    with ThreadPoolExecutor(8) as pool:
        names = [f"m{n}.md" for n in range(80)]
        sent = [pool.submit(publish, database, space, change(name, name)) for name in names]
        while len(seen) < len(names):
            page = listed(database, space, since)
            assert all(one.seq > since for one in page.versions)
            seen |= {one.file: one.seq for one in page.versions}
            since = page.seq
    assert seen == {file: seq for one in sent for file, seq in one.result().files.items()}


def test_a_transaction_that_is_cut_off_leaves_nothing(database: Database, space: UUID, url: str) -> None:
    """The connection dies between publishing and commit: the same request again stores it, once."""
    request = uuid4()
    cut = Database(url, connections=1)
    cut.open()

    def cut_off() -> None:
        with cut.space(space) as session, psycopg.connect(url) as other:
            session.publish([change("a.md", "A")], request)
            other.execute("SELECT pg_terminate_backend(%s)", [session.connection.info.backend_pid])

    with pytest.raises(RemoteError, match="PostgreSQL"):
        cut_off()
    cut.close()
    assert listed(database, space).seq == 0
    assert publish(database, space, change("a.md", "A"), request=request).seq == 1


@pytest.mark.parametrize(
    ("bad", "because"),
    [
        (change("../a.md", "A"), ""),
        (change("/etc/passwd", "A"), ""),
        (change("a\0.md", "A"), ""),
        (change("a\ud800.md", "A"), ""),
        (change("key.md", "aws key AKIAQYLPMN5HFIQR7XYA"), "credential"),
        (change("binary.md", "a\0b"), "not text"),
        (change("long.md", "x" * (MAX_REMOTE_BYTES + 1)), "bytes"),
        (replace(change("hash.md", "A"), content="0" * 40), "hash"),
        (replace(change("gone.md", None), content="0" * 40), "no data"),
        (replace(change("time.md", "A"), saved_ns=2**63), "range"),
    ],
)
def test_what_no_remote_takes_is_refused_and_nothing_is_stored(
    database: Database, space: UUID, bad: FileChange, because: str
) -> None:
    with pytest.raises(PublishRefused) as refused:
        publish(database, space, change("good.md", "good"), bad)
    assert list(refused.value.files) == [bad.file]
    assert because in refused.value.files[bad.file]
    assert listed(database, space).seq == 0


def test_a_file_that_is_there_twice_is_refused(database: Database, space: UUID) -> None:
    with pytest.raises(PublishRefused):
        publish(database, space, change("a.md", "A"), change("a.md", "B"))


def test_a_reading_of_much_text_is_left_short_and_goes_on(database: Database, space: UUID) -> None:
    large = "x " * (MAX_REMOTE_BYTES // 2)
    publish(database, space, *[change(f"m{n}.md", f"{n}{large[:-5]}") for n in range(20)])
    wanted, rounds = set(range(1, 21)), 0
    while wanted:
        with database.space(space) as session:
            found = session.read(sorted(wanted))
        assert found
        assert all(found.values())
        wanted -= found.keys()
        rounds += 1
    assert rounds == 2


def test_a_late_page_of_a_large_space_reads_no_versions_before_it(database: Database, space: UUID) -> None:
    for start in range(0, 5_000, 500):
        publish(database, space, *(change(f"n-{n}.md", "A") for n in range(start, start + 500)))
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("ANALYZE memdir.head, memdir.version")
    with database.space(space) as session:
        found = session.changes(4_000, 500)
        read = session.connection.execute(
            "SELECT idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relid = 'memdir.version'::regclass"
        ).fetchone()
    assert ([one.seq for one in found.versions], found.more) == ([*range(4_001, 4_501)], True)
    assert read == (500,)
