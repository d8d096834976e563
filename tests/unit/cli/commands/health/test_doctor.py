"""A report shows problems first, tells what was mended as past, and folds advice that many files share."""

from datetime import UTC, datetime

from memdir.cli.commands.health.doctor import report_lines
from memdir.doctor.finding import Finding

NOW = datetime(2030, 6, 10, tzinfo=UTC)
HOW = [
    Finding("long-line", "It does not say how.", "Add a line.", f"rule-{n}.md", "advice") for n in range(14)
]
DRIFT = Finding(
    "index-drift", "what-is-new.md is missing from the index.", "", "what-is-new.md", fixable=True
)
EDITED = Finding("index-edited", "The index was edited outside memdir: + x", severity="advice")


def told(*findings: Finding, everything: bool = False, fix: bool = False) -> list[str]:
    return report_lines(findings, NOW, everything=everything, fix=fix)


def test_advice_that_many_share_is_one_line_below_the_problems() -> None:
    assert told(*HOW, DRIFT) == [
        "Problems (1)",
        "  index-drift: what-is-new.md is missing from the index.",
        "",
        "Advice (14)",
        "  long-line: 14 files, e.g. rule-0.md, rule-1.md, rule-10.md; --all shows each",
        "    -> Add a line.",
    ]


def test_reasons_and_their_use_that_are_missing_are_one_line_even_for_a_few() -> None:
    both = [
        Finding(f"missing-{what}", "It does not say.", what, f"{n}.md", "advice")
        for n in range(2)
        for what in ("why", "how")
    ]
    assert told(*both) == [
        "Advice (4)",
        "  missing-why/how: 0.md, 1.md; --all shows each",
        "    -> Add a line `**Why:**` with the reason and one `**How to apply:**` that says when it counts.",
    ]
    assert sum("It does not say" in line for line in told(*both, everything=True)) == 4


def test_only_what_is_really_missing_is_advised() -> None:
    lacking = {"0.md": ("why", "how"), "1.md": ("how",), "2.md": ("why",), "3.md": ("how",)}
    findings = [
        Finding(f"missing-{what}", "It does not say.", f"Add {what}.", file, "advice")
        for file, lacks in lacking.items()
        for what in lacks
    ]
    assert told(*findings)[1:] == [
        "  missing-why/how: 0.md; --all shows each",
        "    -> Add a line `**Why:**` with the reason and one `**How to apply:**` that says when it counts.",
        "  missing-how: 1.md, 3.md; --all shows each",
        "    -> Add how.",
        "  missing-why: 2.md; --all shows each",
        "    -> Add why.",
    ]


def test_everything_is_listed_when_it_is_asked_for() -> None:
    assert sum("rule-" in line for line in told(*HOW, everything=True)) == 14


def test_a_few_are_listed_with_what_they_say() -> None:
    assert told(*HOW[:2])[1] == "  long-line: rule-0.md: It does not say how."


def test_what_was_mended_is_told_as_past() -> None:
    fixed = Finding(DRIFT.code, DRIFT.message, "", DRIFT.file, fixable=True, fixed=True)
    vague = Finding("vague", "The description 'this is it' is vague.", "", "a.md", "advice", fixed=True)
    assert told(fixed, vague, fix=True)[1:] == [
        "  index-drift: what-is-new.md was missing from the index.",
        "  vague: a.md: The description 'this is it' was vague.",
    ]


def test_an_edit_of_the_index_is_settled_by_mending() -> None:
    assert told(EDITED)[0] == "Advice (1)"
    assert told(EDITED, fix=True) == ["All is well."]


def test_a_failure_of_a_hook_is_shown_for_a_week() -> None:
    old, new = (
        Finding("hook", f"2030-06-0{day}T12:00:00+00:00 memdir-hook Stop: no disk", severity="advice")
        for day in (1, 9)
    )
    (line,) = told(old, new)[1:]
    assert line.startswith("  hook: 2030-06-")
    assert line.endswith(" memdir-hook Stop: no disk")
    assert told(old) == ["All is well."]
    assert told(Finding("hook", "half a line", severity="advice"))[1] == "  hook: half a line"


def test_nothing_found_is_said() -> None:
    assert told() == ["All is well."]
