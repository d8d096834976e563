"""Every address of the viewer is in the suite that opens it in a real browser, with hostile memories too."""

import re

from starlette.routing import Route
from tests.browser.test_pages import HOSTILE, PAGES
from tests.unit.viewer.visitor import Visitor


def test_every_page_is_opened_in_a_browser_also_with_hostile_memories(visitor: Visitor) -> None:
    routes = [one for one in visitor.app._app.routes if isinstance(one, Route)]
    shown = [one for one in routes if "GET" in (one.methods or ()) and one.path != "/static/{name}"]
    for suite in (PAGES.values(), (*HOSTILE, "/memory/x.md")):
        paths = [re.sub(r"\?.*", "", address) for address in suite]
        assert [one.path for one in shown if not any(map(one.path_regex.match, paths))] == []
