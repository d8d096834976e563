"""A conversation starts with its instruction files in order, each once; why others are missing is told."""

import os
import subprocess
from dataclasses import replace

import pytest
from tests.unit.instructions.folders import Folders

from memdir.config.layout import AGENTS
from memdir.instructions import loader
from memdir.instructions.discovery import discover
from memdir.instructions.records import Cause, Discovery, Layer, Obstacle

EVERYWHERE = {
    "managed/CLAUDE.md": "managed",
    "managed/.claude/rules/m.md": "managed rule",
    "home/.claude/CLAUDE.md": "user",
    "home/.claude/rules/u.md": "user rule",
    "CLAUDE.md": "parent",
    "CLAUDE.local.md": "parent local",
    "proj/CLAUDE.md": "project",
    "proj/.claude/CLAUDE.md": "dot",
    "proj/.claude/rules/p.md": "rule",
    "proj/CLAUDE.local.md": "local",
}


def test_layers_come_broad_to_specific_and_each_directory_after_its_parent(folders: Folders) -> None:
    folders.write(EVERYWHERE)
    found = discover(folders.scope())
    assert folders.names(found) == list(EVERYWHERE)
    layers = ["managed"] * 2 + ["user"] * 2 + ["project", "local"] + ["project"] * 3 + ["local"]
    assert [str(one.layer) for one in found.loaded] == layers
    assert {one.reason.cause for one in found.loaded} == {Cause.START}


def test_a_caller_can_have_some_layers_only_and_no_other_file_is_looked_at(folders: Folders) -> None:
    folders.write(EVERYWHERE)
    found = discover(folders.scope(), layers={Layer.USER, Layer.LOCAL})
    assert folders.names(found) == [
        "home/.claude/CLAUDE.md",
        "home/.claude/rules/u.md",
        "CLAUDE.local.md",
        "proj/CLAUDE.local.md",
    ]


def test_added_directories_come_last_and_are_not_climbed(folders: Folders) -> None:
    folders.write(
        {
            "proj/CLAUDE.md": "p",
            "lib/CLAUDE.md": "above",
            "lib/x/CLAUDE.md": "x",
            "lib/x/CLAUDE.local.md": "l",
        }
    )
    folders.write({"lib/x/.claude/rules/r.md": "r"})
    found = discover(folders.scope(added=(str(folders.root / "lib" / "x"),)))
    assert folders.names(found) == [
        "proj/CLAUDE.md",
        "lib/x/CLAUDE.md",
        "lib/x/.claude/rules/r.md",
        "lib/x/CLAUDE.local.md",
    ]
    assert [str(one.layer) for one in found.loaded[-3:]] == ["project", "project", "local"]
    assert found.loaded[-1].reason.words == f"It stands in {folders.root}/lib/x, a directory that was added."


def test_rules_load_in_path_order_hidden_ones_too_and_md_only(folders: Folders) -> None:
    names = [".h.md", "B.md", "a-b.md", "a.md", "a/.x/y.md", "a/b.md", "z.md"]
    folders.write(
        {f"proj/.claude/rules/{name}": "x" for name in [*reversed(names), "n.txt", "U.MD", "md", ".md.bak"]}
    )
    found = discover(folders.scope())
    assert [name.removeprefix("proj/.claude/rules/") for name in folders.names(found)] == names


def test_in_the_home_directory_the_dot_folder_is_the_users_own(folders: Folders) -> None:
    folders.write(
        {"home/.claude/CLAUDE.md": "user", "home/.claude/rules/u.md": "rule", "home/CLAUDE.md": "project"}
    )
    scope = folders.scope(cwd=str(folders.root / "home" / "work"))
    found = discover(scope)
    assert [(one.layer, one.text) for one in found.loaded if one.path.startswith(str(folders.root))] == [
        (Layer.USER, "user"),
        (Layer.USER, "rule"),
        (Layer.PROJECT, "project"),
    ]
    assert folders.names(discover(scope, layers={Layer.PROJECT})) == ["home/CLAUDE.md"]


def test_what_was_stripped_is_flagged_and_the_raw_bytes_are_kept(folders: Folders) -> None:
    raw = b"\xef\xbb\xbf---\nkey: value\n---\n\nText\r\n\r\n<!-- note -->\nMore \xff\n\n"
    folders.write({"proj/CLAUDE.md": raw, "proj/CLAUDE.local.md": "exactly this"})
    changed, same = discover(folders.scope()).loaded[-2:]
    assert (changed.text, changed.changed, changed.raw) == ("Text\n\nMore \ufffd", True, raw)
    assert (same.text, same.changed, same.raw) == ("exactly this", False, None)


@pytest.mark.parametrize(
    "text",
    [
        "---\na: b\n---\nText.",
        "--- \nno YAML [at all\n---  \nText.",
        "---\nOnly prose between two rules.\n\nAnd more of it.\n---\n\nText.",
        "---\na: b\n ---\nText.",
        "---\na: b\n---Text.",
        "---\n---\nText.",
    ],
)
def test_whatever_stands_between_two_fences_on_top_is_the_header(folders: Folders, text: str) -> None:
    folders.write({"proj/CLAUDE.md": text})
    assert discover(folders.scope()).loaded[-1].text == "Text."


@pytest.mark.parametrize(
    "text", ["---\nNote: never closed\n\nText.", "----\na: b\n----\nText.", "Text.\n---\na: b\n---\nMore."]
)
def test_a_rule_that_is_no_fence_stays(folders: Folders, text: str) -> None:
    folders.write({"proj/CLAUDE.md": text})
    assert discover(folders.scope()).loaded[-1].text == text


def test_text_is_trimmed_as_the_host_trims_it(folders: Folders) -> None:
    folders.write(
        {"proj/CLAUDE.md": "\ufeff\u3000 \u2028A\x85\x1c\u00a0\ufeff\n", "proj/CLAUDE.local.md": "\x85\n"}
    )
    assert [one.text for one in discover(folders.scope()).loaded[-2:]] == ["A\x85\x1c", "\x85"]


def test_an_empty_file_is_left_out(folders: Folders) -> None:
    folders.write({"proj/CLAUDE.md": " \n\n", "proj/CLAUDE.local.md": "---\na: b\n---\n<!-- @x.md -->\n"})
    found = discover(folders.scope())
    assert folders.names(found) == []
    assert folders.reasons(found) == {"proj/CLAUDE.md": "EMPTY", "proj/CLAUDE.local.md": "EMPTY"}


def test_excludes_skip_everything_but_what_is_managed(folders: Folders) -> None:
    folders.write(EVERYWHERE | {"proj/CLAUDE.md": "@doc.md", "proj/doc.md": "doc"})
    kept = discover(folders.scope(excludes=("**/*.md",)))
    assert folders.names(kept) == ["managed/CLAUDE.md", "managed/.claude/rules/m.md"]
    assert set(folders.reasons(kept).values()) == {"EXCLUDED"}
    assert "proj/CLAUDE.md" in folders.names(discover(folders.scope(excludes=(f"{folders.root}/proj/",))))
    some = discover(
        folders.scope(excludes=(f"{folders.root}/proj/.claude/**", "~/.claude/rules/*", "**/{doc,other}.md"))
    )
    gone = ["proj/.claude/CLAUDE.md", "proj/.claude/rules/p.md", "proj/doc.md"]
    assert sorted(folders.reasons(some)) == sorted(gone)


def test_a_link_is_excluded_by_where_it_stands_and_by_where_it_leads(folders: Folders) -> None:
    folders.write({"proj/real.md": "x"})
    folders.link("proj/CLAUDE.md", "real.md")
    for name in ("CLAUDE.md", "real.md"):
        assert folders.names(discover(folders.scope(excludes=(f"**/proj/{name}",)))) == []


def test_agents_md_counts_only_without_other_instructions_on_the_chain(folders: Folders) -> None:
    names = [
        "home/.claude/CLAUDE.md",
        "AGENTS.md",
        "proj/.claude/rules/r.md",
        "proj/AGENTS.md",
        "proj/.claude/AGENTS.md",
    ]
    folders.write(dict.fromkeys(names, "x"))
    found = discover(folders.scope())
    assert folders.names(found) == names
    assert {one.layer for one in found.loaded[-2:]} == {Layer.PROJECT}
    for name in (
        "CLAUDE.md",
        "CLAUDE.local.md",
        "proj/CLAUDE.md",
        "proj/.claude/CLAUDE.md",
        "proj/CLAUDE.local.md",
    ):
        folders.write({name: "x"})
        assert not [one for one in folders.names(discover(folders.scope())) if one.endswith("AGENTS.md")]
        folders.write({name: "<!-- says nothing -->"})
        assert folders.names(discover(folders.scope())) == names
        (folders.root / name).unlink()


def test_an_excluded_file_does_not_switch_agents_md_off(folders: Folders) -> None:
    folders.write({"proj/AGENTS.md": "a", "proj/CLAUDE.md": "c"})
    assert folders.names(discover(folders.scope(excludes=("**/CLAUDE.md",)))) == ["proj/AGENTS.md"]


def test_agents_md_does_not_count_in_added_directories(folders: Folders) -> None:
    folders.write({"more/AGENTS.md": "a", "more/.claude/rules/r.md": "r"})
    assert folders.names(discover(folders.scope(added=(f"{folders.root}/more",)))) == [
        "more/.claude/rules/r.md"
    ]


def test_a_worktree_inside_its_checkout_brings_the_shared_files_itself(folders: Folders) -> None:
    folders.write(
        dict.fromkeys(("CLAUDE.md", "proj/CLAUDE.md", "proj/.claude/rules/r.md", "proj/in/CLAUDE.md"), "x")
    )
    git = "git -c user.name=t -c user.email=t@example.com -C"
    for line in (
        f"{git} proj init -q",
        f"{git} proj add -A",
        f"{git} proj commit -qm start",
        f"{git} proj worktree add -q in/wt",
        f"{git} proj worktree add -q ../beside",
        "touch proj/in/CLAUDE.local.md && echo x > proj/CLAUDE.local.md",
    ):
        subprocess.run(["sh", "-c", line], cwd=folders.root, check=True, capture_output=True)
    own = ["CLAUDE.md", ".claude/rules/r.md"]
    inside = discover(folders.scope(cwd=f"{folders.root}/proj/in/wt"))
    assert folders.names(inside) == [
        "CLAUDE.md",
        "proj/CLAUDE.local.md",
        *(f"proj/in/wt/{name}" for name in own),
    ]
    beside = discover(folders.scope(cwd=f"{folders.root}/beside"))
    assert folders.names(beside) == ["CLAUDE.md", *(f"beside/{name}" for name in own)]


def test_a_clone_inside_another_repository_loads_both(folders: Folders) -> None:
    folders.write({"proj/CLAUDE.md": "outer", "proj/in/CLAUDE.md": "inner"})
    for folder in ("proj", "proj/in"):
        subprocess.run(["git", "init", "-q", folders.root / folder], check=True)
    inside = discover(folders.scope(cwd=f"{folders.root}/proj/in"))
    assert folders.names(inside) == ["proj/CLAUDE.md", "proj/in/CLAUDE.md"]


def test_the_users_own_file_in_a_home_on_the_chain_does_not_switch_agents_md_off(folders: Folders) -> None:
    folders.write({"home/.claude/CLAUDE.md": "user", "home/code/AGENTS.md": "agents"})
    found = discover(folders.scope(cwd=str(folders.root / "home" / "code")))
    assert folders.names(found) == ["home/.claude/CLAUDE.md", "home/code/AGENTS.md"]


def test_the_agents_layout_has_its_own_names(folders: Folders) -> None:
    names = ["home/.agents/AGENTS.md", "home/.agents/rules/u.md", "proj/AGENTS.md", "proj/.agents/AGENTS.md"]
    names += ["proj/.agents/rules/r.md", "proj/AGENTS.local.md"]
    folders.write(dict.fromkeys(names, "x") | {"proj/CLAUDE.md": "no", "proj/.claude/rules/r.md": "no"})
    scope = replace(folders.scope(), layout=AGENTS, config_home=f"{folders.root}/home/.agents")
    assert folders.names(discover(scope)) == names


def test_pipes_folders_and_huge_files_in_their_place_are_left_out(folders: Folders) -> None:
    (folders.root / "proj" / "CLAUDE.md").mkdir(parents=True)
    os.mkfifo(folders.root / "proj" / "CLAUDE.local.md")
    folders.write({"proj/.claude/CLAUDE.md": ""})
    os.truncate(folders.root / "proj" / ".claude" / "CLAUDE.md", 1 << 30)
    found = discover(folders.scope())
    reasons = {
        "proj/CLAUDE.md": "DIRECTORY",
        "proj/CLAUDE.local.md": "UNREADABLE",
        "proj/.claude/CLAUDE.md": "UNREADABLE",
    }
    assert folders.reasons(found) == reasons
    assert "larger than" in next(
        left.words for left in found.left_out if left.path.endswith(".claude/CLAUDE.md")
    )


def test_a_directory_that_is_not_there_has_no_instructions_of_its_own(folders: Folders) -> None:
    folders.write({"CLAUDE.md": "up"})
    found = discover(folders.scope(cwd=str(folders.root / "gone" / "away")))
    assert folders.names(found) == ["CLAUDE.md"]


def test_every_reason_is_a_sentence() -> None:
    sentences = [*Obstacle, *(cause.replace("{subject}", "X") for cause in Cause)]
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in sentences)
    assert Discovery((), ()).rules == ()


def test_what_is_read_in_all_is_bounded(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "MOST_BYTES", 100)
    folders.write({f"proj/.claude/rules/{number}.md": "x" * 60 for number in range(4)})
    found = discover(folders.scope())
    assert folders.names(found) == ["proj/.claude/rules/0.md", "proj/.claude/rules/1.md"]
    assert set(folders.reasons(found).values()) == {"UNREADABLE"}
