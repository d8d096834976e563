"""Setting Codex up: one block in its TOML file that starts our MCP server."""

import json

from memdir.core.value import value_class
from memdir.errors import Rejected

__all__ = ["CodexSetup"]

_FIRST, _LAST = "# >>> memdir", "# <<< memdir"


@value_class(frozen=True, slots=True)
class CodexSetup:
    """Our block between two marks; the rest of the file is never looked at."""

    server: tuple[str, ...]
    name: str = "codex"

    def added(self, path: str, text: str | None) -> str:
        """Return the file with our block at its end, or where an older one stood."""
        command, *arguments = self.server
        table = [
            "[mcp_servers.memdir]",
            f"command = {json.dumps(command)}",
            f"args = {json.dumps(arguments)}",
        ]
        block = "\n".join([_FIRST, *table, _LAST]) + "\n"
        before, after = self._around(text or "")
        if any(line.strip().startswith("[mcp_servers.memdir]") for line in (before + after).splitlines()):
            raise Rejected(
                f"{path} has a [mcp_servers.memdir] of its own. Remove it first; nothing was changed."
            )
        gap = "" if not before or before.endswith("\n\n") else "\n" if before.endswith("\n") else "\n\n"
        return f"{before}{gap}{block}{after}"

    def removed(self, path: str, text: str) -> str | None:
        """Return the file without our block."""
        del path
        before, after = self._around(text)
        if before == text:
            return text
        rest = before.removesuffix("\n") + after if before.endswith("\n\n") else before + after
        return rest if rest.strip() else None

    def _around(self, text: str) -> tuple[str, str]:
        """Return what stands before our block and after it; all of the text when there is none."""
        before, mark, rest = text.partition(_FIRST + "\n")
        inside, end, after = rest.partition(_LAST + "\n")
        return (before, after) if mark and end and "\n[" not in inside[1:] else (text, "")
