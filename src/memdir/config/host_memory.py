"""Whether a host keeps the same memory by itself, so that it need not be told twice."""

import os
from collections.abc import Mapping

from memdir.config.layout import CLAUDE
from memdir.config.locate import Setup, resolved

__all__ = ["host_keeps_it"]


def host_keeps_it(setup: Setup, *, env: Mapping[str, str], cwd: str, home: str) -> bool:
    """Tell whether Claude Code, which knows none of our variables, loads this very directory itself."""
    if setup.layout != CLAUDE:
        return False
    theirs = {name: value for name, value in env.items() if not name.startswith("MEMDIR_")}
    host = resolved(env=theirs, cwd=cwd, home=home, layout=CLAUDE)
    same = os.path.realpath(host.place.directory) == os.path.realpath(setup.place.directory)
    return host.verdict.on and same
