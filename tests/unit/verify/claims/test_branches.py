"""A branch is a claim where the words take it for granted, and nowhere else."""

import pytest

from memdir.verify.claims.branches import branches_in


def named(text: str) -> list[tuple[str, bool]]:
    return list(dict.fromkeys((one.target, one.sure) for one, *_ in branches_in(text)))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Work happens on the `develop` branch.", "develop"),
        ("The release/2.x branch is frozen.", "release/2.x"),
        ("Branch off `next`, please.", "next"),
        ("`trunk` is our default branch", "trunk"),
        ("`git switch staging`", "staging"),
        ("`git merge --no-ff develop`", "develop"),
        ("`git pull --rebase origin main`", "main"),
        ("`git rebase origin/main`", "main"),
    ],
)
def test_words_that_take_a_branch_for_granted_name_it_for_sure(text: str, name: str) -> None:
    assert (name, True) in named(text)


@pytest.mark.parametrize(
    "text",
    [
        "Deploys follow origin/staging.",
        "`git push origin feature/x`",
        "Merge into `develop` after review.",
        "The integration branch is shared.",
        "In the infra repo the `prod` branch deploys.",
        "`git checkout v1.2.0`",
    ],
)
def test_what_may_be_something_else_is_not_sure(text: str) -> None:
    assert named(text)
    assert not any(sure for _, sure in named(text))


@pytest.mark.parametrize(
    "text",
    [
        "Create a branch called `spike`.",
        "Name your branch `fix/<ticket>`.",
        "`git checkout -b spike`",
        "`git switch -c spike`",
        "`git checkout -- src/app.py`",
        "`git checkout README.md`",
        "`git rebase -i HEAD~3`",
        "`git checkout my-branch`",
        "A branch is protected.",
        "The main reason is speed.",
    ],
)
def test_a_branch_to_be_made_a_file_or_a_placeholder_is_none(text: str) -> None:
    assert named(text) == []
