"""A link to a memory is found by its name or its file, and a mere mention is none."""

import pytest

from memdir.text.markdown import has_link_to, links_in


@pytest.mark.parametrize(
    "text",
    [
        "See [[deep]].",
        "See [[ deep | that ]].",
        "See [[user_deep.md]] and more",
        "See [[sub/user_deep#part]]",
        "[it](user_deep.md)",
        "[it](<../sub/user_deep.md>)",
        '[it](sub/user_deep.md#part "title")',
    ],
)
def test_a_link_is_found(text: str) -> None:
    assert has_link_to(text, "deep", "sub/user_deep.md")


@pytest.mark.parametrize(
    "text",
    ["", "deep", "user_deep.md", "[[deeper]]", "[[not-deep]]", "[it](my_user_deep.md)", "(user_deep.md)"],
)
def test_a_mention_is_no_link(text: str) -> None:
    assert not has_link_to(text, "deep", "sub/user_deep.md")


def test_what_a_text_links_to_is_named_without_folder_and_ending() -> None:
    text = "See [[terse]], [[ deploys | when ]], [x](team/user_tea.md#top) and [y](https://a.b/c). [z]( )"
    assert links_in(text) == {"terse", "deploys", "user_tea", "c"}
