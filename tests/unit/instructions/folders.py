"""A small world on disk: a managed folder, a home and a project, and the scope that is set there."""

import base64
import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memdir.config.layout import CLAUDE
from memdir.instructions.loader import InstructionScope
from memdir.instructions.records import Discovery

__all__ = ["Folders", "fixture"]

FIXTURES = Path(__file__).parents[2] / "fixtures" / "instructions"


@dataclass(frozen=True)
class Folders:
    """A folder with `managed`, `home` and `proj` in it, as the fixtures describe."""

    root: Path

    def write(self, files: Mapping[str, str | bytes | Mapping[str, str]]) -> None:
        """Make files; $R in a text is this folder."""
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Mapping):
                path.write_bytes(base64.b64decode(content["base64"]))
            elif isinstance(content, bytes):
                path.write_bytes(content)
            else:
                path.write_bytes(self.fill(content).encode())

    def link(self, name: str, to: str) -> None:
        """Make a symbolic link."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(self.fill(to))

    def fill(self, text: str) -> str:
        """Put the path of this folder in the place of $R."""
        return text.replace("$R", str(self.root))

    def scope(self, **changes: Any) -> InstructionScope:
        """Return the scope of a conversation in `proj`."""
        (self.root / "proj").mkdir(exist_ok=True)
        home = str(self.root / "home")
        scope = InstructionScope(
            layout=CLAUDE,
            cwd=str(self.root / "proj"),
            home=home,
            config_home=f"{home}/{CLAUDE.dot_folder}",
            managed=str(self.root / "managed"),
        )
        return replace(scope, **changes)

    def texts(self, found: Discovery) -> list[tuple[str, str]]:
        """Return paths and texts below this folder, with $R in the paths."""
        inside = f"{self.root}/"
        return [
            (one.path.replace(str(self.root), "$R", 1), one.text)
            for one in found.loaded
            if one.path.startswith(inside)  # the machine may have instructions of its own further up
        ]

    def names(self, found: Discovery) -> list[str]:
        """Return the loaded paths below this folder, relative to it."""
        return [path.removeprefix("$R/") for path, _ in self.texts(found)]

    def reasons(self, found: Discovery) -> dict[str, str]:
        """Return why files below this folder were left out, by the name of the reason."""
        inside = f"{self.root}/"
        return {
            one.path.removeprefix(inside): one.because.name
            for one in found.left_out
            if one.path.startswith(inside)
        }


def fixture(name: str, root: Path) -> tuple[dict[str, Any], Folders]:
    """Return a recorded case and the world it describes, built in a folder."""
    case: dict[str, Any] = json.loads((FIXTURES / name).read_text())
    folders = Folders(root)
    for folder in ("managed", "home", "proj"):
        (root / folder).mkdir()
    for line in case["setup"]:
        subprocess.run(["sh", "-c", line], cwd=root, check=True)
    folders.write(case["tree"])
    for link, to in case["symlinks"].items():
        folders.link(link, to)
    if case["settings"]:
        folders.write({"home/.claude/settings.json": json.dumps(case["settings"])})
    return case, folders


def entries(raw: Sequence[Mapping[str, str]], folders: Folders, slug: str) -> list[tuple[str, str]]:
    """Return what a case expects, in the form of `Stage.shown`."""
    return [
        (
            one["path"].replace("/etc/claude-code", "$R/managed").replace("$SLUG", slug),
            folders.fill(one["content"]),
        )
        for one in raw
    ]
