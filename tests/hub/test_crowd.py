"""A seeded sample of the crowd: nothing acknowledged is lost or doubled, and all clients agree."""

import pytest

from tests.hub.crowd import Crowd, crowd_figure
from tests.hub.postgres import why_no_postgres

pytestmark = pytest.mark.hub

SAMPLE = Crowd(saves=240, clients=12, spaces=2, processes=2, kills=2, restarts=1)


@pytest.mark.timeout(300)
@pytest.mark.skipif(why_no_postgres() is not None, reason=str(why_no_postgres()))
def test_saves_of_a_crowd_survive_kills_of_nodes_and_a_restart_of_postgresql() -> None:
    figure = crowd_figure(SAMPLE)
    print(figure)
    assert figure.problems == []
