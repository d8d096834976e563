"""Requests to a hub: sent again while that may help; every other outcome says what to do."""

from __future__ import annotations

import json
import re
import ssl
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from time import sleep
from typing import Any
from urllib.parse import quote, urlsplit
from weakref import finalize

from memdir.config.world import HUB_TOKEN
from memdir.errors import Rejected, RemoteError
from memdir.memories.topic import one_line
from memdir.models.vendors.address import Address
from memdir.models.vendors.http import Backoff, retry_after
from memdir.models.vendors.post import failure_reason
from memdir.sync.remote import unusable_remote
from memdir.text.value import value_class

__all__ = ["HubClient", "HubResponse", "hub_problem", "is_hub_url", "token_advice"]

_PROTOCOL = "1"
"""The version of the protocol that this client speaks."""

_SECONDS = 60.0
_MOST_BYTES = 32_000_000
"""Bytes of one answer: ten times what a hub sends at once."""

_AGAIN = frozenset({0, 429, 500, 502, 503, 504})
_LONGEST_PAUSE = 15.0
_SPACE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
_LONG_FORM = "/v1/spaces/"


@value_class(frozen=True, slots=True)
class HubResponse:
    """What a hub answered; the status is 0 where no answer came, and then the body says why."""

    status: int
    body: dict[str, Any]
    pause: float = 0.0
    """Seconds that it asks to wait before the next attempt."""


def is_hub_url(url: str) -> bool:
    """Tell a space of a hub from a git repository: one name after the host, or `…/v1/spaces/NAME`."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or parts.username is not None:
        return False
    path = parts.path.strip("/")
    return _LONG_FORM in parts.path or ("/" not in path and bool(path) and not path.endswith(".git"))


def hub_problem(url: str, *, plain_http: bool = False) -> str | None:
    """Return why a URL cannot be that of a space; plain http is for this machine unless a person wants it."""
    base, space = _split_url(url)
    try:
        address = Address(base, key_name=HUB_TOKEN, env={})
    except (Rejected, ValueError) as error:
        return str(error).rstrip(".")
    if not _SPACE.fullmatch(space):
        return "the name of a space has letters, digits, dots, dashes and underscores only"
    if url.startswith("http:") and not (address.is_local or plain_http):
        return "http would show its token to others on the way; use https, or say --plain-http"
    return None


def token_advice(url: str) -> str:
    """Say how to renew a token; `sync init` alone would send private memories to a team's space."""
    return f"Get a new one, then `memdir sync init {url}`, or `memdir team init {url}` for team memory."


def _split_url(url: str) -> tuple[str, str]:
    """Return the address of the hub and the name of the space."""
    whole = url.rstrip("/")
    base, _, space = whole.rpartition(_LONG_FORM if _LONG_FORM in whole else "/")
    return base, space


class HubClient:
    """One space of one hub; not a value, because a value shows its token when printed."""

    def __init__(
        self,
        url: str,
        token: str,
        env: Mapping[str, str],
        backoff: Backoff = Backoff(),  # noqa: B008 - a frozen value
    ) -> None:
        base, space = _split_url(url)
        self.url = url
        self._address = Address(base, key_name=HUB_TOKEN, env={**env, HUB_TOKEN: token})
        self._base = f"{self._address.url}{_LONG_FORM}{quote(space)}/"
        self._token, self._backoff = token, backoff

    def get(self, path: str, **query: str | int) -> dict[str, Any]:
        """Ask for something; an empty value is not sent."""
        return self._ask("GET", path, params={k: v for k, v in query.items() if v != ""}).body

    def post(self, path: str, body: Mapping[str, Any], *answers: int) -> HubResponse:
        """Send something; `answers` are statuses beside 200 that the caller understands."""
        data = json.dumps(body, separators=(",", ":")).encode()
        return self._ask("POST", path, *answers, content=data)

    def _ask(self, method: str, path: str, *answers: int, **what: Any) -> HubResponse:
        attempt = 1
        while True:
            answer = self._attempt(method, path, what)
            if answer.status == 200 or answer.status in answers:
                return answer
            if answer.status not in _AGAIN or attempt >= self._backoff.attempts:
                raise self._failure(answer)
            sleep(min(max(answer.pause, self._backoff.pause(attempt)), _LONGEST_PAUSE))
            attempt += 1

    def _attempt(self, method: str, path: str, what: Mapping[str, Any]) -> HubResponse:
        import httpx2  # takes longer to load than most commands

        try:
            with self._http.stream(method, self._base + path, **what) as response:
                body = bytearray()
                for part in response.iter_raw():
                    body += part
                    if len(body) > _MOST_BYTES:
                        return HubResponse(0, {"error": "its answer is longer than any of a hub"})
        except (httpx2.TransportError, httpx2.InvalidURL, httpx2.StreamError, OSError) as error:
            return HubResponse(0, {"error": failure_reason(error)})
        content: Any = None
        with suppress(ValueError, RecursionError):
            content = json.loads(body)
        if isinstance(content, dict):
            return HubResponse(response.status_code, content, retry_after(response.headers))
        if response.status_code == 200:
            raise RemoteError(
                f"{self.url} is not a hub, or not one that this memdir knows. Look at the address."
            )
        return HubResponse(response.status_code, {}, retry_after(response.headers))

    @cached_property
    def _http(self) -> Any:
        import httpx2

        secure = self._base.startswith("https:") or self._address.proxy.startswith("https:")
        client = httpx2.Client(
            verify=ssl.create_default_context(cafile=self._address.cafile or None) if secure else False,
            proxy=self._address.proxy or None,
            trust_env=False,
            timeout=_SECONDS,
            follow_redirects=False,  # the token is for this hub alone
            headers={
                "Authorization": f"Bearer {self._token}",
                "Memdir-Protocol": _PROTOCOL,
                "Content-Type": "application/json",
                "Accept-Encoding": "identity",
            },
        )
        finalize(self, client.close)  # whoever drops a remote need not know of its connection
        return client

    def _failure(self, answer: HubResponse) -> RemoteError:
        """Say what went wrong, and what to do."""
        if answer.status == 401:
            what = f"The hub does not take the token for {self.url}: it is wrong, expired or revoked"
            return unusable_remote(what, token_advice(self.url))
        if answer.status == 404:
            what = f"The hub has no space at {self.url}, or the token is for another one"
            return unusable_remote(what, "Ask who runs it.")
        reason = one_line(self._address.without_key(str(answer.body.get("error", ""))))[:300]
        if not answer.status:
            what = f"The hub {self.url} cannot be reached: {reason}"
            return unusable_remote(what, "Look at its address and at the network.")
        what = "cannot answer now" if answer.status in _AGAIN else "refuses this"
        advice = "" if reason else "Try again later, or ask who runs it."  # a hub says itself what to do
        return unusable_remote(f"The hub {self.url} {what}: {reason or f'status {answer.status}'}", advice)
