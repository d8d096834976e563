"""Migrations are numbered one after the other, so that two that were written at the same time are seen."""

from memdir.hub.database import migrations


def test_each_migration_has_the_next_number() -> None:
    assert [number for number, _ in migrations()] == list(range(1, len(migrations()) + 1))
