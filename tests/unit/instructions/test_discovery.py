"""A conversation starts with its instruction files in order, each once; why others are missing is told."""

import os
import subprocess
from dataclasses import replace

import pytest
from tests.unit.instructions.stage import Stage

from memdir.config.layout import AGENTS
from memdir.instructions import loader
from memdir.instructions.discovery import discover
from memdir.instructions.instruction import Cause, Discovery, Layer, Obstacle

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


def test_layers_come_broad_to_specific_and_each_directory_after_its_parent(stage: Stage) -> None:
    stage.write(EVERYWHERE)
    found = discover(stage.scope())
    assert stage.names(found) == list(EVERYWHERE)
    layers = ["managed"] * 2 + ["user"] * 2 + ["project", "local"] + ["project"] * 3 + ["local"]
    assert [str(one.layer) for one in found.loaded] == layers
    assert {one.reason.cause for one in found.loaded} == {Cause.START}


def test_a_caller_can_have_some_layers_only_and_no_other_file_is_looked_at(stage: Stage) -> None:
    stage.write(EVERYWHERE)
    found = discover(stage.scope(), layers={Layer.USER, Layer.LOCAL})
    assert stage.names(found) == [
        "home/.claude/CLAUDE.md",
        "home/.claude/rules/u.md",
        "CLAUDE.local.md",
        "proj/CLAUDE.local.md",
    ]


def test_added_directories_come_last_and_are_not_climbed(stage: Stage) -> None:
    stage.write(
        {
            "proj/CLAUDE.md": "p",
            "lib/CLAUDE.md": "above",
            "lib/x/CLAUDE.md": "x",
            "lib/x/CLAUDE.local.md": "l",
        }
    )
    stage.write({"lib/x/.claude/rules/r.md": "r"})
    found = discover(stage.scope(added=(str(stage.root / "lib" / "x"),)))
    assert stage.names(found) == [
        "proj/CLAUDE.md",
        "lib/x/CLAUDE.md",
        "lib/x/.claude/rules/r.md",
        "lib/x/CLAUDE.local.md",
    ]
    assert [str(one.layer) for one in found.loaded[-3:]] == ["project", "project", "local"]
    assert found.loaded[-1].reason.words == f"It stands in {stage.root}/lib/x, a directory that was added."


def test_rules_load_in_path_order_hidden_ones_too_and_md_only(stage: Stage) -> None:
    names = [".h.md", "B.md", "a-b.md", "a.md", "a/.x/y.md", "a/b.md", "z.md"]
    stage.write(
        {f"proj/.claude/rules/{name}": "x" for name in [*reversed(names), "n.txt", "U.MD", "md", ".md.bak"]}
    )
    found = discover(stage.scope())
    assert [name.removeprefix("proj/.claude/rules/") for name in stage.names(found)] == names


def test_in_the_home_directory_the_dot_folder_is_the_users_own(stage: Stage) -> None:
    stage.write(
        {"home/.claude/CLAUDE.md": "user", "home/.claude/rules/u.md": "rule", "home/CLAUDE.md": "project"}
    )
    scope = stage.scope(cwd=str(stage.root / "home" / "work"))
    found = discover(scope)
    assert [(one.layer, one.text) for one in found.loaded if one.path.startswith(str(stage.root))] == [
        (Layer.USER, "user"),
        (Layer.USER, "rule"),
        (Layer.PROJECT, "project"),
    ]
    assert stage.names(discover(scope, layers={Layer.PROJECT})) == ["home/CLAUDE.md"]


def test_what_was_stripped_is_flagged_and_the_raw_bytes_are_kept(stage: Stage) -> None:
    raw = b"\xef\xbb\xbf---\nkey: value\n---\n\nText\r\n\r\n<!-- note -->\nMore \xff\n\n"
    stage.write({"proj/CLAUDE.md": raw, "proj/CLAUDE.local.md": "exactly this"})
    changed, same = discover(stage.scope()).loaded[-2:]
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
def test_whatever_stands_between_two_fences_on_top_is_the_header(stage: Stage, text: str) -> None:
    stage.write({"proj/CLAUDE.md": text})
    assert discover(stage.scope()).loaded[-1].text == "Text."


@pytest.mark.parametrize(
    "text", ["---\nNote: never closed\n\nText.", "----\na: b\n----\nText.", "Text.\n---\na: b\n---\nMore."]
)
def test_a_rule_that_is_no_fence_stays(stage: Stage, text: str) -> None:
    stage.write({"proj/CLAUDE.md": text})
    assert discover(stage.scope()).loaded[-1].text == text


def test_text_is_trimmed_as_the_host_trims_it(stage: Stage) -> None:
    stage.write(
        {"proj/CLAUDE.md": "\ufeff\u3000 \u2028A\x85\x1c\u00a0\ufeff\n", "proj/CLAUDE.local.md": "\x85\n"}
    )
    assert [one.text for one in discover(stage.scope()).loaded[-2:]] == ["A\x85\x1c", "\x85"]


def test_an_empty_file_is_left_out(stage: Stage) -> None:
    stage.write({"proj/CLAUDE.md": " \n\n", "proj/CLAUDE.local.md": "---\na: b\n---\n<!-- @x.md -->\n"})
    found = discover(stage.scope())
    assert stage.names(found) == []
    assert stage.left(found) == {"proj/CLAUDE.md": "EMPTY", "proj/CLAUDE.local.md": "EMPTY"}


def test_excludes_skip_everything_but_what_is_managed(stage: Stage) -> None:
    stage.write(EVERYWHERE | {"proj/CLAUDE.md": "@doc.md", "proj/doc.md": "doc"})
    kept = discover(stage.scope(excludes=("**/*.md",)))
    assert stage.names(kept) == ["managed/CLAUDE.md", "managed/.claude/rules/m.md"]
    assert set(stage.left(kept).values()) == {"EXCLUDED"}
    assert "proj/CLAUDE.md" in stage.names(discover(stage.scope(excludes=(f"{stage.root}/proj/",))))
    some = discover(
        stage.scope(excludes=(f"{stage.root}/proj/.claude/**", "~/.claude/rules/*", "**/{doc,other}.md"))
    )
    gone = ["proj/.claude/CLAUDE.md", "proj/.claude/rules/p.md", "proj/doc.md"]
    assert sorted(stage.left(some)) == sorted(gone)


def test_a_link_is_excluded_by_where_it_stands_and_by_where_it_leads(stage: Stage) -> None:
    stage.write({"proj/real.md": "x"})
    stage.link("proj/CLAUDE.md", "real.md")
    for name in ("CLAUDE.md", "real.md"):
        assert stage.names(discover(stage.scope(excludes=(f"**/proj/{name}",)))) == []


def test_agents_md_counts_only_without_other_instructions_on_the_chain(stage: Stage) -> None:
    names = [
        "home/.claude/CLAUDE.md",
        "AGENTS.md",
        "proj/.claude/rules/r.md",
        "proj/AGENTS.md",
        "proj/.claude/AGENTS.md",
    ]
    stage.write(dict.fromkeys(names, "x"))
    found = discover(stage.scope())
    assert stage.names(found) == names
    assert {one.layer for one in found.loaded[-2:]} == {Layer.PROJECT}
    for name in (
        "CLAUDE.md",
        "CLAUDE.local.md",
        "proj/CLAUDE.md",
        "proj/.claude/CLAUDE.md",
        "proj/CLAUDE.local.md",
    ):
        stage.write({name: "x"})
        assert not [one for one in stage.names(discover(stage.scope())) if one.endswith("AGENTS.md")]
        stage.write({name: "<!-- says nothing -->"})
        assert stage.names(discover(stage.scope())) == names
        (stage.root / name).unlink()


def test_an_excluded_file_does_not_switch_agents_md_off(stage: Stage) -> None:
    stage.write({"proj/AGENTS.md": "a", "proj/CLAUDE.md": "c"})
    assert stage.names(discover(stage.scope(excludes=("**/CLAUDE.md",)))) == ["proj/AGENTS.md"]


def test_agents_md_does_not_count_in_added_directories(stage: Stage) -> None:
    stage.write({"more/AGENTS.md": "a", "more/.claude/rules/r.md": "r"})
    assert stage.names(discover(stage.scope(added=(f"{stage.root}/more",)))) == ["more/.claude/rules/r.md"]


def test_a_worktree_inside_its_checkout_brings_the_shared_files_itself(stage: Stage) -> None:
    stage.write(
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
        subprocess.run(["sh", "-c", line], cwd=stage.root, check=True, capture_output=True)
    own = ["CLAUDE.md", ".claude/rules/r.md"]
    inside = discover(stage.scope(cwd=f"{stage.root}/proj/in/wt"))
    assert stage.names(inside) == [
        "CLAUDE.md",
        "proj/CLAUDE.local.md",
        *(f"proj/in/wt/{name}" for name in own),
    ]
    beside = discover(stage.scope(cwd=f"{stage.root}/beside"))
    assert stage.names(beside) == ["CLAUDE.md", *(f"beside/{name}" for name in own)]


def test_a_clone_inside_another_repository_loads_both(stage: Stage) -> None:
    stage.write({"proj/CLAUDE.md": "outer", "proj/in/CLAUDE.md": "inner"})
    for folder in ("proj", "proj/in"):
        subprocess.run(["git", "init", "-q", stage.root / folder], check=True)
    inside = discover(stage.scope(cwd=f"{stage.root}/proj/in"))
    assert stage.names(inside) == ["proj/CLAUDE.md", "proj/in/CLAUDE.md"]


def test_the_users_own_file_in_a_home_on_the_chain_does_not_switch_agents_md_off(stage: Stage) -> None:
    stage.write({"home/.claude/CLAUDE.md": "user", "home/code/AGENTS.md": "agents"})
    found = discover(stage.scope(cwd=str(stage.root / "home" / "code")))
    assert stage.names(found) == ["home/.claude/CLAUDE.md", "home/code/AGENTS.md"]


def test_the_agents_layout_has_its_own_names(stage: Stage) -> None:
    names = ["home/.agents/AGENTS.md", "home/.agents/rules/u.md", "proj/AGENTS.md", "proj/.agents/AGENTS.md"]
    names += ["proj/.agents/rules/r.md", "proj/AGENTS.local.md"]
    stage.write(dict.fromkeys(names, "x") | {"proj/CLAUDE.md": "no", "proj/.claude/rules/r.md": "no"})
    scope = replace(stage.scope(), layout=AGENTS, config_home=f"{stage.root}/home/.agents")
    assert stage.names(discover(scope)) == names


def test_pipes_folders_and_huge_files_in_their_place_are_left_out(stage: Stage) -> None:
    (stage.root / "proj" / "CLAUDE.md").mkdir(parents=True)
    os.mkfifo(stage.root / "proj" / "CLAUDE.local.md")
    stage.write({"proj/.claude/CLAUDE.md": ""})
    os.truncate(stage.root / "proj" / ".claude" / "CLAUDE.md", 1 << 30)
    found = discover(stage.scope())
    reasons = {
        "proj/CLAUDE.md": "DIRECTORY",
        "proj/CLAUDE.local.md": "UNREADABLE",
        "proj/.claude/CLAUDE.md": "UNREADABLE",
    }
    assert stage.left(found) == reasons
    assert "larger than" in next(
        left.words for left in found.left_out if left.path.endswith(".claude/CLAUDE.md")
    )


def test_a_directory_that_is_not_there_has_no_instructions_of_its_own(stage: Stage) -> None:
    stage.write({"CLAUDE.md": "up"})
    found = discover(stage.scope(cwd=str(stage.root / "gone" / "away")))
    assert stage.names(found) == ["CLAUDE.md"]


def test_every_reason_is_a_sentence() -> None:
    sentences = [*Obstacle, *(cause.replace("{subject}", "X") for cause in Cause)]
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in sentences)
    assert Discovery((), ()).rules == ()


def test_what_is_read_in_all_is_bounded(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "MOST_BYTES", 100)
    stage.write({f"proj/.claude/rules/{number}.md": "x" * 60 for number in range(4)})
    found = discover(stage.scope())
    assert stage.names(found) == ["proj/.claude/rules/0.md", "proj/.claude/rules/1.md"]
    assert set(stage.left(found).values()) == {"UNREADABLE"}
