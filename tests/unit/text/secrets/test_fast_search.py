"""A quick look never passes a line in which a credential would be found, and passes most others."""

import pytest
from tests.unit.text.secrets.test_search import a, shapes

from memdir.text.secrets.fast_search import may_hold_secret, without_secrets
from memdir.text.secrets.search import find_secrets


def test_no_credential_is_passed() -> None:
    lines = [(rule, at, " ".join(make().split())) for rule, at, make in shapes()]
    wrong = [row for row in lines if not may_hold_secret(row[-1]) and find_secrets(row[-1])]
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
