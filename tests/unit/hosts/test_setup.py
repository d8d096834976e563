"""Setting a host up changes only what it shows, twice is once, and leaving brings the old bytes back."""

import hashlib
import json
import os
from pathlib import Path

import pytest
from tests.unit.hosts.installation import install

from memdir.errors import Rejected, StorageError
from memdir.hosts.claude_code import EVENTS
from memdir.hosts.config_files import InstallRecords, LeftFile, Rewrite, host_file
from memdir.hosts.setup import HostSetup
from memdir.text.value import replace

ODD = '{\n\t"model": "x",\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say é"}]}]}\n}'


def settings(tmp_path: Path) -> Path:
    return tmp_path / ".claude" / "settings.json"


def test_nothing_is_written_by_planning(setup: HostSetup, tmp_path: Path) -> None:
    assert [rewrite.before for rewrite in setup.plan("claude-code", shared=False)] == [None, None]
    assert list(tmp_path.iterdir()) == []


def test_every_event_gets_our_launcher_by_its_quoted_path(setup: HostSetup, tmp_path: Path) -> None:
    install(setup)
    hooks = json.loads(settings(tmp_path).read_text())["hooks"]
    assert {event: hooks[event][0]["hooks"][0]["command"] for event in hooks} == {
        event: f"'/opt/my tools/memdir-hook' {event}" for event in EVENTS
    }
    server = json.loads((tmp_path / ".claude.json").read_text())["mcpServers"]["memdir"]
    assert (server["command"], server["args"], server["alwaysLoad"]) == (
        "/opt/my tools/memdir",
        ["mcp"],
        True,
    )


def test_twice_is_once(setup: HostSetup) -> None:
    install(setup)
    assert not any(rewrite.changes for rewrite in setup.plan("claude-code", shared=False))


def test_an_older_place_of_memdir_is_replaced(setup: HostSetup, tmp_path: Path) -> None:
    install(setup)
    moved = replace(setup, launcher="/new/memdir")
    install(moved)
    text = settings(tmp_path).read_text()
    assert "/new/memdir-hook" in text
    assert "my tools" not in text
    moved.leave()
    assert not settings(tmp_path).exists()


def test_what_others_wrote_stays_and_comes_back_byte_for_byte(setup: HostSetup, tmp_path: Path) -> None:
    settings(tmp_path).parent.mkdir()
    settings(tmp_path).write_bytes(ODD.encode())
    settings(tmp_path).chmod(0o644)
    install(setup)
    stop = json.loads(settings(tmp_path).read_text())["hooks"]["Stop"]
    assert stop[0]["hooks"][0]["command"] == "say é"
    assert len(stop) == 2
    assert settings(tmp_path).stat().st_mode & 0o777 == 0o644
    assert LeftFile(str(settings(tmp_path)), "restored") in setup.leave()
    assert settings(tmp_path).read_bytes() == ODD.encode()


def test_a_file_changed_since_keeps_the_change_and_loses_our_entries(
    setup: HostSetup, tmp_path: Path
) -> None:
    settings(tmp_path).parent.mkdir()
    settings(tmp_path).write_text(ODD)
    install(setup)
    content = json.loads(settings(tmp_path).read_text())
    content["model"] = "y"
    settings(tmp_path).write_text(json.dumps(content))
    assert LeftFile(str(settings(tmp_path)), "cleaned") in setup.leave()
    assert json.loads(settings(tmp_path).read_text()) == {**json.loads(ODD), "model": "y"}
    assert setup.leave() == []


def test_a_file_that_was_not_there_is_gone_again(setup: HostSetup, tmp_path: Path) -> None:
    install(setup)
    setup.leave()
    assert not settings(tmp_path).exists()
    assert not (tmp_path / ".claude.json").exists()


@pytest.mark.parametrize("text", ["{broken", "[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}'])
def test_a_file_we_cannot_read_is_not_touched(setup: HostSetup, tmp_path: Path, text: str) -> None:
    settings(tmp_path).parent.mkdir()
    settings(tmp_path).write_text(text)
    with pytest.raises(Rejected, match=r"settings\.json.*Mend it first"):
        setup.plan("claude-code", shared=False)
    assert settings(tmp_path).read_text() == text


@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_a_file_in_another_encoding_is_not_touched(setup: HostSetup, tmp_path: Path, host: str) -> None:
    path = settings(tmp_path) if host == "claude-code" else tmp_path / ".codex" / "config.toml"
    path.parent.mkdir()
    data = b'{\n"a":"\xff"}' if host == "claude-code" else b'a = 1\nb = "\xff"\n'
    path.write_bytes(data)
    with pytest.raises(Rejected, match=r"not UTF-8 \(line 2\)\. Mend it first"):
        setup.plan(host, shared=False)
    assert path.read_bytes() == data
    assert setup.leave() == []


def test_half_a_surrogate_pair_stays_the_escape_that_it_was(setup: HostSetup, tmp_path: Path) -> None:
    text = '{"a": "\\ud83d", "b": "\\udcff", "c": "\U0001f600"}'
    settings(tmp_path).parent.mkdir()
    settings(tmp_path).write_text(text)
    install(setup)
    content = json.loads(settings(tmp_path).read_text())
    assert {key: content[key] for key in "abc"} == json.loads(text)
    setup.leave()
    assert settings(tmp_path).read_text() == text


def test_a_record_of_bytes_that_are_no_text_can_still_be_read(setup: HostSetup, tmp_path: Path) -> None:
    records, path = InstallRecords(setup.config_home), str(settings(tmp_path))
    settings(tmp_path).parent.mkdir()
    settings(tmp_path).write_bytes(b'{"a":"\xff"}')
    before = host_file(path)
    records.write("claude-code", Rewrite(path, before, "{}"), before)
    assert setup.leave() == [LeftFile(path, "restored")]
    assert settings(tmp_path).read_bytes() == b'{"a":"\xff"}'


def test_a_record_that_an_older_version_wrote_raw_can_still_be_read(setup: HostSetup, tmp_path: Path) -> None:
    path = settings(tmp_path)
    (tmp_path / ".claude" / "memdir").mkdir(parents=True)
    path.write_text("{}")
    ours = hashlib.sha256(b"{}").hexdigest()
    rows = [{"path": str(path), "host": "claude-code", "original": '{"a":"\udcff"}', "ours": ours}]
    raw = json.dumps(rows, ensure_ascii=False).encode("utf-8", "surrogateescape")
    (tmp_path / ".claude" / "memdir" / "installed.json").write_bytes(raw)
    assert setup.leave() == [LeftFile(str(path), "restored")]
    assert path.read_bytes() == b'{"a":"\xff"}'


@pytest.mark.parametrize("damaged", ["{", '[{"path": "x"}]', "5"])
def test_a_damaged_record_is_told_and_not_overwritten(setup: HostSetup, tmp_path: Path, damaged: str) -> None:
    install(setup)
    record = tmp_path / ".claude" / "memdir" / "installed.json"
    record.write_text(damaged)
    with pytest.raises(StorageError, match=r"installed\.json is damaged.*by hand"):
        setup.leave()
    with pytest.raises(StorageError, match=r"installed\.json is damaged"):
        install(setup, "codex")
    assert record.read_text() == damaged
    assert not (tmp_path / ".codex").exists()


def test_a_file_changed_between_the_diff_and_the_yes_is_not_overwritten(
    setup: HostSetup, tmp_path: Path
) -> None:
    plan = setup.plan("claude-code", shared=False)
    settings(tmp_path).parent.mkdir()
    settings(tmp_path).write_text("{}")
    with pytest.raises(Rejected, match="changed by someone else"):
        setup.apply("claude-code", plan)
    assert settings(tmp_path).read_text() == "{}"


def test_a_shared_set_up_names_no_path_of_this_machine(setup: HostSetup, tmp_path: Path) -> None:
    install(setup, shared=True)
    text = (tmp_path / "project" / ".claude" / "settings.json").read_text()
    assert '"memdir-hook Stop || memdir hook Stop"' in text
    assert "/opt" not in text + (tmp_path / "project" / ".mcp.json").read_text()


def test_the_plugin_has_the_hooks_and_the_server_of_a_shared_set_up(setup: HostSetup, tmp_path: Path) -> None:
    install(setup, shared=True)
    plugin, project = Path(__file__).parents[3] / "integrations" / "claude-code", tmp_path / "project"
    pairs = [("hooks/hooks.json", ".claude/settings.json"), (".mcp.json", ".mcp.json")]
    for ours, theirs in pairs:
        assert json.loads((plugin / ours).read_text()) == json.loads((project / theirs).read_text())


def test_settings_behind_a_link_are_changed_where_they_are(setup: HostSetup, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "settings.json"
    real.parent.mkdir()
    real.write_text("{}\n")
    settings(tmp_path).parent.mkdir()
    settings(tmp_path).symlink_to(real)
    install(setup)
    assert settings(tmp_path).is_symlink()
    setup.leave()
    assert real.read_text() == "{}\n"


def test_unknown_hosts_and_scopes_are_named(setup: HostSetup) -> None:
    with pytest.raises(Rejected, match="knows no host 'emacs'"):
        setup.plan("emacs", shared=False)
    with pytest.raises(Rejected, match="Leave --project away"):
        setup.plan("codex", shared=True)


def test_hosts_are_found_by_their_command(setup: HostSetup, tmp_path: Path) -> None:
    assert setup.detect_hosts() == []
    for name in ("claude", "codex"):
        (tmp_path / name).touch(0o755)
    found = replace(setup, world=replace(setup.world, env={"PATH": str(tmp_path)}))
    assert found.detect_hosts() == ["claude-code", "codex"]


def test_hosts_are_found_by_files_of_their_own(setup: HostSetup, tmp_path: Path) -> None:
    os.mkdir(tmp_path / ".codex")
    os.makedirs(tmp_path / ".claude" / "projects" / "-p")
    assert setup.detect_hosts() == []
    (tmp_path / ".codex" / "config.toml").touch()
    assert setup.detect_hosts() == ["codex"]
    (tmp_path / ".claude" / "projects" / "-p" / "talk.jsonl").touch()
    assert setup.detect_hosts() == ["claude-code", "codex"]


@pytest.mark.parametrize("file", [".claude.json", ".claude/settings.json"])
def test_claude_code_is_found_by_its_settings_or_its_servers(
    setup: HostSetup, tmp_path: Path, file: str
) -> None:
    os.mkdir(tmp_path / ".claude")
    (tmp_path / file).write_text("{}")
    assert setup.detect_hosts() == ["claude-code"]


def test_what_we_made_is_no_sign_of_a_host(setup: HostSetup, tmp_path: Path) -> None:
    os.makedirs(tmp_path / ".claude" / "projects" / "-p" / "memory")
    (tmp_path / ".claude" / "projects" / "-p" / "memory" / "MEMORY.md").touch()
    install(setup)
    install(setup, "codex")
    assert setup.detect_hosts() == []


def test_leaving_tells_a_file_that_was_not_there_before(setup: HostSetup, tmp_path: Path) -> None:
    install(setup, "codex")
    assert setup.leave() == [LeftFile(str(tmp_path / ".codex" / "config.toml"), "removed")]
    assert not (tmp_path / ".codex").exists()


def test_a_folder_that_we_made_stays_while_others_use_it(setup: HostSetup, tmp_path: Path) -> None:
    install(setup, "codex")
    (tmp_path / ".codex" / "auth.json").touch()
    setup.leave()
    assert os.listdir(tmp_path / ".codex") == ["auth.json"]


def test_a_folder_that_was_there_stays(setup: HostSetup, tmp_path: Path) -> None:
    (tmp_path / ".codex").mkdir()
    install(setup, "codex")
    setup.leave()
    assert (tmp_path / ".codex").is_dir()


def test_leaving_a_host_that_is_not_known_is_refused(setup: HostSetup) -> None:
    assert setup.leave("codex") == []
    with pytest.raises(Rejected, match="'vscode'"):
        setup.leave("vscode")


def test_an_older_set_up_in_a_file_that_others_changed_is_not_taken_for_its_original(
    setup: HostSetup, tmp_path: Path
) -> None:
    servers = tmp_path / ".claude.json"
    install(setup)
    content = json.loads(servers.read_text())
    servers.write_text(json.dumps({**content, "theme": "dark"}))
    moved = replace(setup, launcher="/new/memdir")
    install(moved)
    moved.leave()
    assert json.loads(servers.read_text()) == {"theme": "dark"}


def test_what_is_shared_can_be_read_by_others(setup: HostSetup, tmp_path: Path) -> None:
    install(setup, shared=True)
    assert (tmp_path / "project" / ".mcp.json").stat().st_mode & 0o777 == 0o644


def test_what_another_project_has_checked_in_stays(setup: HostSetup, tmp_path: Path) -> None:
    other = replace(setup, root=str(tmp_path / "other"))
    install(setup)
    install(other, shared=True)
    shared = [tmp_path / "other" / ".claude" / "settings.json", tmp_path / "other" / ".mcp.json"]
    before = [path.read_bytes() for path in shared]
    left = {one.path: one.how for one in setup.leave()}
    assert [left[str(path)] for path in shared] == ["elsewhere", "elsewhere"]
    assert [path.read_bytes() for path in shared] == before
    assert not settings(tmp_path).exists()
    assert {one.how for one in other.leave()} == {"removed"}
    assert not any(path.exists() for path in shared)
