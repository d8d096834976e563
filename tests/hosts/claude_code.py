"""The real Claude Code, offline: a private home, a fake model server, the binary in a cache folder."""

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.hosts.messages_api import FakeModelServer

__all__ = ["VERSION", "ClaudeCode", "Said", "binary"]

VERSION = "0.2.182"
"""The wheel of the agent SDK that carries the binary."""

_CACHE = Path(os.environ.get("MEMDIR_HOSTS_CACHE") or Path.home() / ".cache" / "memdir-hosts")
_INSIDE = "claude_agent_sdk/_bundled/claude"
_SECONDS = 120


def binary() -> Path | None:
    """Return the binary, fetched once into the cache folder; None where it cannot be had."""
    found = _CACHE / VERSION / "claude"
    if not found.exists():
        try:
            _fetch(found)
        except (OSError, subprocess.SubprocessError, KeyError, ValueError) as error:
            print(f"Claude Code cannot be had here: {error}", file=sys.stderr)
            return None
    return found if _runs(found) else None


def _fetch(to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    wheels = to.parent / "wheel"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command = [*pip, "--only-binary", ":all:", "--dest", str(wheels), f"claude-agent-sdk=={VERSION}"]
    subprocess.run(command, check=True, timeout=600, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wheel = min(wheels.glob("*.whl"))
    with zipfile.ZipFile(wheel) as packed, packed.open(_INSIDE) as source:
        part = to.with_suffix(".part")
        with part.open("wb") as target:
            while piece := source.read(1 << 20):
                target.write(piece)
    part.chmod(0o755)
    part.rename(to)
    wheel.unlink()


def _runs(path: Path) -> bool:
    try:
        return (
            subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False).returncode == 0
        )
    except (OSError, subprocess.SubprocessError):
        return False


@dataclass(frozen=True)
class Said:
    """What one run of the host printed and how it ended."""

    code: int
    text: str
    errors: str


@dataclass
class ClaudeCode:
    """One user of the host with a home and a project of their own."""

    program: Path
    home: Path
    project: Path
    server: FakeModelServer
    more: Mapping[str, str] = field(default_factory=dict)

    @property
    def env(self) -> dict[str, str]:
        """The environment of every process: nothing of the machine's own user is seen."""
        beside = os.path.dirname(sys.executable)
        return {
            "HOME": str(self.home),
            "CLAUDE_CONFIG_DIR": str(self.home / ".claude"),
            "PATH": f"{beside}:/usr/local/bin:/usr/bin:/bin",
            "ANTHROPIC_BASE_URL": self.server.address,
            "ANTHROPIC_API_KEY": "not-a-key",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            **self.more,
        }

    def ask(self, prompt: str, *options: str) -> Said:
        """Have one conversation of one prompt."""
        command = [str(self.program), "-p", prompt, *options]
        return self._run(command)

    def memdir(self, *words: str) -> Said:
        """Run our own command line as this user, in this project."""
        return self._run([os.path.join(os.path.dirname(sys.executable), "memdir"), *words])

    def memdir_json(self, *words: str) -> Any:
        """Return what a command of ours prints as JSON."""
        said = self.memdir(*words, "--json")
        if said.code:
            raise AssertionError(f"memdir {' '.join(words)}: {said.errors}")
        return json.loads(said.text)

    def _run(self, command: Sequence[str]) -> Said:
        done = subprocess.run(
            command,
            cwd=self.project,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)
