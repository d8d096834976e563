"""An address keeps its key to itself, and asks through a proxy only where one is meant."""

import pytest

from memdir.errors import Rejected
from memdir.models.vendors.address import Address

PROXIES = {"https_proxy": "http://proxy.invalid:3128", "NO_PROXY": "spared.invalid, .inside.invalid"}


def at(url: str, **env: str) -> Address:
    return Address(url, key_name="SOME_KEY", env=env)


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("https://x.invalid/v1", True),
        ("http://127.0.0.1:1", True),
        ("http://localhost:1", True),
        ("http://[::1]:1", True),
        ("http://192.0.2.7:1", False),
        ("http://127.evil.invalid", False),
    ],
)
def test_a_key_is_sent_in_the_clear_to_this_machine_only(url: str, sent: bool) -> None:
    address = at(url, SOME_KEY="made-up")
    assert address.key == ("made-up" if sent else "")
    assert ("Use https" in address.key_advice) is not sent


def test_a_missing_key_is_asked_for() -> None:
    assert at("https://x.invalid").key_advice == "Set SOME_KEY to your key."


@pytest.mark.parametrize(
    ("url", "proxy"),
    [
        ("https://x.invalid", "http://proxy.invalid:3128"),
        ("http://x.invalid", ""),
        ("https://spared.invalid", ""),
        ("https://a.inside.invalid", ""),
        ("https://notspared.invalid", "http://proxy.invalid:3128"),
        ("https://127.0.0.1", ""),
    ],
)
def test_the_proxy_of_the_environment_is_used_where_it_is_meant(url: str, proxy: str) -> None:
    assert at(url, **PROXIES).proxy == proxy


def test_a_proxy_that_cannot_be_used_is_told() -> None:
    with pytest.raises(Rejected, match="not one of HTTP"):
        at("https://x.invalid", ALL_PROXY="socks5://127.0.0.1:1")


def test_nothing_shows_the_key() -> None:
    assert "made-up" not in repr(at("https://x.invalid", SOME_KEY="made-up"))
