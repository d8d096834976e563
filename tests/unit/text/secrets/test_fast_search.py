"""A quick look never passes a line in which a credential would be found, and passes most others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import on_row
from tests.unit.text.secrets.test_search import a, shapes

from memdir.text.secrets.fast_search import may_hold_secret, without_secrets
from memdir.text.secrets.search import find_secrets, mask_secrets


def test_no_credential_is_passed() -> None:
    lines = [(rule, at, " ".join(make().split())) for rule, at, make in shapes()]
    wrong = [row for row in lines if not on_row(may_hold_secret, row[-1]) and on_row(find_secrets, row[-1])]
    assert not wrong, "\n".join(map(repr, wrong))


@pytest.mark.parametrize(
    "line", ["ftp://a:{}@h", "Basic {}", "Pass\\word: {}", "pa\u200bss: {}", "curl -u x:{} h"]
)
def test_a_short_one_is_not_passed_either(line: str) -> None:
    assert may_hold_secret(line.format(a(9)))


def test_a_plain_line_stays_as_it_is_and_a_credential_does_not() -> None:
    assert not may_hold_secret("Deploys go out on Tuesdays only, after the standup.")
    token = "ghp_" + a(36)
    assert without_secrets(f"CI uses {token} now") == "CI uses [secret: github-token] now"


_PIECES = [
    *(
        "password",
        "pw",
        "passphrase",
        "Kennwort",
        "senha",
        "api_key",
        "token",
        "secret",
        "auth",
        "Bearer ",
        "basic ",
    ),
    *(
        ": ",
        "=",
        " is ",
        " = ",
        '"',
        "'",
        "://",
        "@",
        " -u ",
        "--password ",
        "mysql -p",
        "\\_",
        "\u200b",
        " ",
        "\n",
    ),
    *(
        "root:",
        "machine x login y password ",
        "sk-",
        "ghp_",
        "hunter2!",
        "Xk9#mQ2$vL7p",
        "the deploy",
        "ü",
        a(8),
        a(24),
        a(40),
    ),
]


@given(st.lists(st.sampled_from(_PIECES), max_size=10).map("".join))
def test_masking_with_a_quick_look_first_changes_no_answer(text: str) -> None:
    assert without_secrets(text) == mask_secrets(text)
