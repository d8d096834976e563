"""A space of a hub keeps every promise of a remote: the tests of git and of folders, on a real node."""

import pytest

from tests.conformance.test_remotes import *  # noqa: F403
from tests.hub.shared_space import SharedSpace

pytestmark = pytest.mark.hub


@pytest.fixture  # type: ignore[no-redef]
def shared(shared_space: SharedSpace) -> SharedSpace:
    return shared_space
