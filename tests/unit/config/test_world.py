"""A path that a person types counts from the world's own directory and home, whatever the process has."""

import pytest

from memdir.config.world import World

WORLD = World({}, "/srv/shop", "/home/east")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("~", "/home/east/"),
        ("~/notes", "/home/east/notes"),
        ("share", "/srv/shop/share"),
        ("../share", "/srv/shop/../share"),
        ("/mnt/share", "/mnt/share"),
        ("~west/share", "/srv/shop/~west/share"),
    ],
)
def test_the_home_is_expanded_and_the_rest_is_relative_to_here(typed: str, meant: str) -> None:
    assert WORLD.full_path(typed) == meant
