"""Paths that a person types count from the world's own directory and home; its clock tells UTC."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memdir.config.world import World, world_in

WORLD = World({}, "/srv/shop", "/home/east")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("~", "/home/east"),
        ("~/notes", "/home/east/notes"),
        ("share", "/srv/shop/share"),
        ("../share", "/srv/shop/../share"),
        ("/mnt/share", "/mnt/share"),
        ("~west/share", "/srv/shop/~west/share"),
    ],
)
def test_the_home_is_expanded_and_the_rest_is_relative_to_here(typed: str, meant: str) -> None:
    assert WORLD.full_path(typed) == meant


def test_the_home_may_be_the_root() -> None:
    assert World({}, "/srv/shop", "/").full_path("~/notes") == "/notes"


def test_a_clock_of_another_time_zone_tells_the_same_moment_in_utc() -> None:
    east = timezone(timedelta(hours=9))
    moment = datetime(2031, 5, 7, 1, 8, tzinfo=east)
    world = world_in("/srv/shop", {"HOME": "/home/east"}, clock=lambda: moment)
    assert world.clock() == moment
    assert world.clock().tzinfo is UTC
    assert f"{world.clock():%Y-%m-%d}" == "2031-05-06"
