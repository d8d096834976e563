"""Publishing is all or nothing, on top of the versions that it names, and once for each request."""

from uuid import UUID, uuid4

import pytest

from memdir.hub.administration import Spaces
from memdir.hub.database import Database
from memdir.hub.spaces import FileChange, Moved, PublishRefused
from memdir.memories.history.git import blob_id
from memdir.sync.remote import Authorship

pytestmark = pytest.mark.hub


def change(file: str, text: str | None, base: int = 0) -> FileChange:
    data = None if text is None else text.encode()
    by = Authorship("Ada", "", "s-1", "user")
    return FileChange(file, base, data, blob_id(data) if data is not None else "", 7, by)


@pytest.fixture
def space(spaces: Spaces) -> UUID:
    return spaces.create("one")


def test_what_is_published_is_listed_and_read(database: Database, space: UUID) -> None:
    with database.space(space) as session:
        done = session.publish([change("a.md", "A"), change("b.md", "B")], uuid4())
    assert (done.seq, dict(done.files)) == (2, {"a.md": 1, "b.md": 2})
    with database.space(space) as session:
        found = session.changes(0)
        assert session.read([1, 2, 9]) == {1: b"A", 2: b"B", 9: None}
    assert (found.seq, found.more) == (2, False)
    assert [(one.file, one.seq, one.size, one.by.who) for one in found.versions] == [
        ("a.md", 1, 1, "Ada"),
        ("b.md", 2, 1, "Ada"),
    ]
