"""Starts a worker that outlives its hook: no terminal, no pipes."""

import os
import sys
from collections.abc import Mapping

from memdir.hosts.host import Call

__all__ = ["detached"]


def detached(job: str, call: Call, env: Mapping[str, str]) -> None:
    """Start a process for a job of this conversation and return at once; nobody waits for it."""
    module, told = "memdir.hooks.work", (job, call.project, call.session, call.transcript)
    command = [sys.executable, "-m", module, *told]
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    os.posix_spawn(sys.executable, command, {**env, "MEMDIR_WORKER": "1"}, file_actions=null)
