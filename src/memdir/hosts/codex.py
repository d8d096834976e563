"""Setting Codex up: one block in its TOML file that starts our MCP server."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from typing import Any

from memdir.errors import Rejected
from memdir.hosts.config_files import refuse_other_encodings
from memdir.text.value import value_class

__all__ = ["CodexSetup", "codex_entries"]

_FIRST, _LAST = "# >>> memdir", "# <<< memdir"
_SERVERS, _SERVER = "mcp_servers", "memdir"
_TABLE = f"{_SERVERS}.{_SERVER}"


@value_class(frozen=True, slots=True)
class CodexSetup:
    """Our block between two marks; the rest of the file is read, and never changed."""

    server: tuple[str, ...]

    def add_entries(self, path: str, text: str | None) -> str:
        """Return the file with our block at its end, or where an older one stood."""
        content = _content(path, text or "")
        if self._is_ours(_own_entry(content)):
            return text or ""
        before, after = _around(text or "")
        if _own_entry(_content(path, f"{before}\n{after}")) is not None:
            raise Rejected(f"{path} has a {_TABLE} of its own. Remove it first; nothing was changed.")
        gap = "" if not before or before.endswith("\n\n") else "\n" if before.endswith("\n") else "\n\n"
        new = f"{before}{gap}{self._block()}{after}"
        if not self._is_sound(content, new):
            raise Rejected(
                f"{path} has {_SERVERS} in a form that takes no further table. Write each server as a table "
                f"of its own, [{_SERVERS}.name], first; nothing was changed."
            )
        return new

    def remove_entries(self, path: str, text: str) -> str | None:
        """Return the file without our block; None when nothing else is in it."""
        before, after = _around(text)
        if before == text:
            if self._is_ours(_own_entry(_content(path, text))):
                raise Rejected(f"{path} starts memdir outside our marks. Remove its {_TABLE} by hand.")
            return text
        rest = before.removesuffix("\n") + after if before.endswith("\n\n") else before + after
        return rest if rest.strip() else None

    def _block(self) -> str:
        command, *arguments = [json.dumps(word, ensure_ascii=False) for word in self.server]
        table = [f"[{_TABLE}]", f"command = {command}", f"args = [{', '.join(arguments)}]"]
        return "\n".join([_FIRST, *table, _LAST]) + "\n"

    def _is_ours(self, server: object) -> bool:
        """Tell whether a server is started as we would start it, in whatever form the file says so."""
        command, *arguments = self.server
        started = [server.get("command"), server.get("args")] if isinstance(server, dict) else []
        return started == [command, arguments]

    def _is_sound(self, content: dict[str, Any], new: str) -> bool:
        """Tell whether a new text says what the file said, and starts our server."""
        try:
            said = tomllib.loads(new.removeprefix("\ufeff"))
        except ValueError:
            return False
        return self._is_ours(_own_entry(said)) and _others(said) == _others(content)


def codex_entries(text: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield our server as a file names it: its part, the program that is started, all its words."""
    if server := tomllib.loads(text.removeprefix("\ufeff")).get(_SERVERS, {}).get(_SERVER):
        command = str(server.get("command", ""))
        yield "server", command, (command, *map(str, server.get("args", ())))


def _around(text: str) -> tuple[str, str]:
    """Return what stands before our block and after it; all of the text when there is none.

    Codex may insert its own tables before our closing mark: they are moved behind our block.
    """
    before, mark, rest = text.partition(_FIRST + "\n")
    inside, end, after = rest.partition(_LAST + "\n")
    if not (mark and end):
        return text, ""
    others, is_ours = "", True
    for line in inside.splitlines(keepends=True):
        if line.startswith("["):
            is_ours = line.startswith((f"[{_TABLE}]", f"[{_TABLE}."))
        others += "" if is_ours and not line.startswith("#") else line
    return before, others + after


def _content(path: str, text: str) -> dict[str, Any]:
    refuse_other_encodings(path, text)
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise Rejected(f"{path} is not valid TOML ({error}). Mend it first; nothing was changed.") from error


def _own_entry(content: dict[str, Any]) -> object:
    servers = content.get(_SERVERS)
    return servers.get(_SERVER) if isinstance(servers, dict) else None


def _others(content: dict[str, Any]) -> dict[str, Any]:
    """Return what a file says apart from our server."""
    servers = content.get(_SERVERS, {})
    if isinstance(servers, dict):
        servers = {name: one for name, one in servers.items() if name != _SERVER}
    return {**content, _SERVERS: servers}
