"""Where a model is asked, with which key, and through which proxy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from memdir.errors import Rejected
from memdir.text.secrets.search import mask_secrets

__all__ = ["Address"]


class Address:
    """A server's address as requests need it; not a value, because a value shows its key when printed."""

    def __init__(self, url: str, *, key_name: str, env: Mapping[str, str]) -> None:
        """Take the address without the path of a call, and the variable that holds the key."""
        self.url, self.key_name = url.strip().rstrip("/"), key_name
        self._parts = urlsplit(_checked_url(self.url))
        self._key = env.get(key_name, "").strip()
        if not self._key.isascii() or not self._key.isprintable():
            raise Rejected(f"{key_name} holds characters that no key has. Set it again.")
        self.proxy = _proxy(self._parts.scheme, self._parts.hostname or "", env, local=self.is_local)
        self.cafile = env.get("SSL_CERT_FILE", "")

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine."""
        host = self._parts.hostname or ""
        return host in {"localhost", "::1"} or _LOOPBACK.fullmatch(host) is not None

    @property
    def key(self) -> str:
        """The key to send; none in the clear to another machine."""
        return self._key if self._parts.scheme == "https" or self.is_local else ""

    @property
    def key_advice(self) -> str:
        """What to do when the key was not taken."""
        if self._key and not self.key:
            return f"No key is sent to {self.url}, because http would show it to others. Use https."
        return f"Check {self.key_name}." if self._key else f"Set {self.key_name} to your key."

    def without_key(self, text: str) -> str:
        """Return a text from outside with the key taken out, should it repeat it."""
        return mask_secrets(text.replace(self._key, "[key]") if self._key else text)


_LOOPBACK = re.compile(r"127(\.\d{1,3}){3}")


def _checked_url(url: str) -> str:
    """Return an address that requests can be sent to."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not url.isprintable() or " " in url:
        raise Rejected("The address is not one of HTTP. Write it like http://127.0.0.1:11434/v1.")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise Rejected(
            "The address holds more than scheme, host, port and path. A key belongs into a variable."
        )
    return url


def _proxy(scheme: str, host: str, env: Mapping[str, str], *, local: bool) -> str:
    """Return the proxy that the environment names for this host; never one for this machine itself."""
    names = (f"{scheme}_proxy", f"{scheme.upper()}_PROXY", "all_proxy", "ALL_PROXY")
    proxy = next((env[name].strip() for name in names if env.get(name, "").strip()), "")
    spared = [
        name.strip().lstrip(".") for name in (env.get("no_proxy") or env.get("NO_PROXY", "")).split(",")
    ]
    if not proxy or local or any(name in {host, "*"} or host.endswith(f".{name}") for name in spared if name):
        return ""
    if not proxy.startswith(("http://", "https://")):
        raise Rejected(
            "The proxy in the environment is not one of HTTP. Set https_proxy to http://HOST:PORT."
        )
    return proxy
