"""Codex gets one block in its file, or a clear no; what else the file says stays as it is."""

import tomllib
from pathlib import Path

import pytest

from memdir.errors import Rejected
from memdir.hosts.config_files import LeftFile
from memdir.hosts.setup import HostSetup

OURS = 'command = "/opt/my tools/memdir", args = ["mcp"]'
MARKED = '# >>> memdir\n[mcp_servers.memdir]\ncommand = "/old/memdir"\nargs = ["mcp"]\n'


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / ".codex" / "config.toml"
    path.parent.mkdir()
    return path


def installed(setup: HostSetup) -> None:
    setup.apply("codex", setup.plan("codex", shared=False))


@pytest.mark.parametrize("text", [None, "", 'model = "x"\n', 'model = "x"', "[a]\nb = 1\n\n"])
def test_a_block_comes_and_goes(setup: HostSetup, config: Path, text: str | None) -> None:
    if text is not None:
        config.write_text(text)
    installed(setup)
    content = tomllib.loads(config.read_text())
    assert content["mcp_servers"]["memdir"] == {"command": "/opt/my tools/memdir", "args": ["mcp"]}
    assert not any(rewrite.changes for rewrite in setup.plan("codex", shared=False))
    config.write_text(config.read_text() + '[other]\nc = "d"\n')
    setup.leave("codex")
    assert tomllib.loads(config.read_text()) == {**tomllib.loads(text or ""), "other": {"c": "d"}}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[broken\nx = 1\n", "not valid TOML.*Mend it first"),
        ("x = 1\nx = 2\n", "not valid TOML.*Mend it first"),
        ("\0", "not valid TOML.*Mend it first"),
        ("a = " + "[" * 5_000, "not valid TOML.*Mend it first"),
        ('[mcp_servers.memdir]\ncommand = "mine"\n', "of its own"),
        ('mcp_servers.memdir.command = "mine"\n', "of its own"),
        ('["mcp_servers"]\nmemdir = {command = "mine"}\n', "of its own"),
        ("[mcp_servers.memdir.env]\nA = 'b'\n", "of its own"),
        ('mcp_servers = {other = {command = "x"}}\n', r"\[mcp_servers\.name\], first"),
        ("mcp_servers = 5\n", r"\[mcp_servers\.name\], first"),
        ("[[mcp_servers]]\nx = 1\n", r"\[mcp_servers\.name\], first"),
        (f'a = """\n{MARKED}# <<< memdir\n"""\n', r"\[mcp_servers\.name\], first"),
    ],
)
def test_a_file_that_cannot_take_our_table_is_not_touched(
    setup: HostSetup, config: Path, text: str, why: str
) -> None:
    config.write_text(text)
    with pytest.raises(Rejected, match=rf"config\.toml .*{why}"):
        installed(setup)
    assert config.read_text() == text
    assert setup.leave() == []


@pytest.mark.parametrize(
    "text",
    [
        f"mcp_servers.memdir = {{{OURS}}}\n",
        f"[mcp_servers]\nmemdir = {{{OURS}, startup_timeout_sec = 20}}\n",
        f"mcp_servers = {{memdir = {{{OURS}}}}}\n",
    ],
)
def test_our_server_in_another_form_is_enough(setup: HostSetup, config: Path, text: str) -> None:
    config.write_text(text)
    assert not any(rewrite.changes for rewrite in setup.plan("codex", shared=False))


@pytest.mark.parametrize(
    "more", ["", "\n# mine\n[projects.x]\ntrust = 1\n", "[mcp_servers.memdir.env]\nA = 'b'\n"]
)
def test_what_codex_wrote_between_our_marks_is_kept(setup: HostSetup, config: Path, more: str) -> None:
    config.write_text(f"model = 1\n\n{MARKED}{more}# <<< memdir\n")
    installed(setup)
    assert tomllib.loads(config.read_text())["mcp_servers"]["memdir"]["command"] == "/opt/my tools/memdir"
    config.write_text(config.read_text() + "\n")
    assert setup.leave("codex") == [LeftFile(str(config), "cleaned")]
    rest = tomllib.loads(config.read_text())
    assert "mcp_servers" not in rest
    assert ("projects" in rest) == ("projects" in more) == ("# mine" in config.read_text())


def test_leaving_says_when_our_server_lost_its_marks(setup: HostSetup, config: Path) -> None:
    installed(setup)
    config.write_text("".join(config.read_text().splitlines(keepends=True)[1:]))
    with pytest.raises(Rejected, match="outside our marks"):
        setup.leave("codex")
    config.write_text("")
    assert setup.leave("codex") == [LeftFile(str(config), "cleaned")]
