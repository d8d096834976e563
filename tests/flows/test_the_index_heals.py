"""The index loses nothing: whatever happens to it, every memory is pointed at once."""

import os
from pathlib import Path

import pytest
from tests.contents import index_path

from memdir import Draft, Memory
from memdir.errors import StorageError
from memdir.memories.index.text import pointers


def pointed(memory: Memory) -> list[str]:
    """Every file that index and hubs on disk point at."""
    files = [pointer.file for _, pointer in pointers(index_path(memory).read_text())]
    for hub in sorted((Path(memory.directory) / "hubs").glob("*.md")):
        files += [pointer.file for _, pointer in pointers(hub.read_text(), below=True)]
    return sorted(file for file in files if not file.startswith("hubs/"))


def saved(memory: Memory, count: int) -> list[str]:
    drafts = [
        Draft(f"body {n}", kind=("user", "project")[n % 2], name=f"m{n}", description=f"number {n}")
        for n in range(count)
    ]
    return sorted(item.file for item in memory.transfer.remember_many(drafts))


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "- [Gone](gone.md) — nothing\n",
        "<<<<<<< a\n- [M0](user_m0.md)\n=======\n>>>>>>> b\n",
        "\x00\x01",
        "- [x](user_m0.md)\n" * 3,
    ],
)
def test_a_damaged_index_is_whole_in_the_view_and_after_the_next_save(memory: Memory, damage: str) -> None:
    files = saved(memory, 4)
    index_path(memory).write_text(damage)
    assert sorted(p.file for _, p in pointers(memory.context.index().content)) == files
    assert index_path(memory).read_text() == damage, "reading never writes"
    saved(memory, 5)
    assert pointed(memory) == sorted([*files, "user_m4.md"])


def test_a_deleted_index_comes_back(memory: Memory) -> None:
    files = saved(memory, 3)
    index_path(memory).unlink()
    memory.doctor.examine(fix=True)
    assert pointed(memory) == files


@pytest.mark.parametrize("end", ["work", "drain"])
def test_at_the_end_of_a_conversation_the_file_is_rewritten(memory: Memory, end: str) -> None:
    saved(memory, 1)
    Path(memory.directory, "user_tabs.md").write_text("---\nname: tabs\ntype: user\n---\n\nUses tabs.\n")
    memory.jobs.work(10)
    assert "user_tabs.md" not in pointed(memory), "a turn is not the end"
    assert (memory.jobs.work(10, ended=True) if end == "work" else memory.jobs.drain(1)) == []
    assert "user_tabs.md" in pointed(memory)


def test_a_persons_prose_order_and_wording_stay(memory: Memory) -> None:
    saved(memory, 2)
    prose = (
        "# Mine\n\nRead this.\n\n- [My words](project_m1.md) — as I like it\n\n## Later\n- [M0](user_m0.md)\n"
    )
    index_path(memory).write_text(prose)
    saved(memory, 3)
    text = index_path(memory).read_text()
    for line in prose.splitlines():
        assert line in text.splitlines()
    assert pointed(memory) == ["project_m1.md", "user_m0.md", "user_m2.md"]


def test_what_a_person_changed_in_the_index_is_reported_and_kept_in_history(memory: Memory) -> None:
    saved(memory, 2)
    index_path(memory).write_text("Only this line.\n")
    findings = [finding for finding in memory.doctor.examine().findings if finding.code == "index-edited"]
    assert any("+ Only this line." in finding.message for finding in findings)
    memory.remember("more", kind="user", name="more")
    outside = [entry for entry in memory.history.list() if entry.files == ("MEMORY.md",)]
    assert outside
    assert outside[0].by.actor == "outside"


def test_nothing_falls_off_the_end(memory: Memory) -> None:
    files = saved(memory, 700)
    index = memory.context.index()
    assert pointed(memory) == files
    assert not index.over_lines
    assert not index.over_characters
    for hub in (Path(memory.directory) / "hubs").glob("*.md"):
        assert hub.read_text().count("\n") <= 200
        assert f"hubs/{hub.name}" in index.content
    assert len(memory.list()) == 700, "hubs are not memories"


def test_a_deleted_index_still_leads_to_every_hub(memory: Memory) -> None:
    saved(memory, 400)
    index_path(memory).unlink()
    view = memory.context.index().content
    for hub in (Path(memory.directory) / "hubs").glob("*.md"):
        assert f"hubs/{hub.name}" in view


def test_saves_and_forgets_keep_a_full_index_in_step(memory: Memory) -> None:
    files = set(saved(memory, 400))
    for number in range(60):
        memory.remember(f"new {number}", kind="reference", name=f"n{number}")
        files.add(f"reference_n{number}.md")
        gone = sorted(files)[number * 3]
        memory.forget(gone)
        files.discard(gone)
    assert pointed(memory) == sorted(files)


def test_an_updated_memory_gets_its_new_hook(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a", description="old hook")
    memory.remember("two", kind="user", name="a", description="new hook")
    assert memory.context.index().content.endswith("— new hook")


def test_the_doctor_shortens_pointers_that_are_too_long(memory: Memory) -> None:
    saved(memory, 1)
    index_path(memory).write_text(f"{'prose ' * 50}\n- [M0](user_m0.md) — {'much too long ' * 20}\n")
    report = memory.doctor.examine(fix=True)
    assert [finding.fixed for finding in report.findings if finding.code == "long-line"] == [False, True]
    assert "much too long much" not in index_path(memory).read_text()


def test_the_doctor_mends_drift_and_says_so(memory: Memory) -> None:
    saved(memory, 3)
    index_path(memory).write_text("- [Gone](gone.md)\n")
    report = memory.doctor.examine()
    assert not report.ok
    fixed = memory.doctor.examine(fix=True)
    assert fixed.ok
    assert all(finding.fixed for finding in fixed.findings if finding.code == "index-drift")
    assert not [finding for finding in memory.doctor.examine().findings if finding.code == "index-drift"]


def test_a_memory_that_cannot_be_read_now_keeps_its_pointer(memory: Memory) -> None:
    saved(memory, 3)
    path = Path(memory.directory) / "user_m0.md"
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    assert not [
        finding for finding in memory.doctor.examine(fix=True).findings if finding.code == "index-drift"
    ]
    memory.remember("more", kind="user", name="more")
    assert pointed(memory) == ["project_m1.md", "user_m0.md", "user_m2.md", "user_more.md"]
    with pytest.raises(StorageError, match=r"user_m0\.md is there and cannot be read"):
        memory.read("m0")


def test_a_line_with_the_whole_description_is_brought_up_to_date_whoever_wrote_it(memory: Memory) -> None:
    memory.remember("Payments time out after thirty seconds", kind="project", name="payments-time-out-after")
    index = Path(memory.directory) / "MEMORY.md"
    file = "project_payments-time-out-after.md"
    index.write_text(f"- [Payments time out after]({file}) — Payments time out after thirty seconds\n")
    memory.remember("Payments time out after sixty seconds", kind="project", name="payments-time-out-after")
    assert index.read_text() == f"- [Payments time out after sixty seconds]({file})\n"
