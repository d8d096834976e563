"""The credential formats we know: a name, the letters that give it away, its shape; see `formats.txt`."""

import re
from collections.abc import Callable

from memdir.text.secrets.values import (
    hides_a_login,
    is_live,
    is_mixed_token,
    is_password,
    is_token,
    is_url_password,
)
from memdir.text.tables import read_table
from memdir.text.value import value_class

__all__ = ["INSIDE", "NAMED", "PREFIXED", "Secret"]


@value_class(frozen=True, slots=True)
class Secret:
    """One credential format; the shape's first group, if it has one, is the secret itself."""

    name: str
    clues: tuple[str, ...]
    """Plain text without one of these cannot hold such a credential."""
    shape: str
    """A regular expression whose middle parts are bounded, so that no text makes it slow."""
    is_real: Callable[[str], bool] = is_live


def _firm_password(value: str) -> bool:
    return is_password(value, firm=True)


def _holds_a_key(block: str) -> bool:
    run = re.search(r"[A-Za-z0-9+/]{24}", block)
    return run is not None and is_live(run[0])


def _assigned(vendor: str, *clues: str, value: str) -> Secret:
    """Return the rule for a vendor whose tokens have no prefix, so its name must stand before them."""
    return Secret(
        vendor,
        clues,
        rf"(?i:[\w .-]{{0,40}}?(?:key|token|secret|pass|auth)[\w .-]{{0,16}}?){_SET_TO}({value})(?![\w/+=-])",
    )


_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_SET_TO = r"[\"'`*\])]{0,4}\s{0,3}(?:=>|:=|[=:]|is\s)\s{0,3}[\"'`*(]{0,4}"
_PEM = (
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[^-]*+(?:-(?!----)[^-]*+)*+-----END [A-Z0-9 ]{0,40}-----"
    r"|(?:(?:\s|\\[nr])*+[\w+/=]{16,}+)++)"  # cut off before its end
)


def _listed(section: str) -> tuple[Secret, ...]:
    rows = [row.split("\t") for row in _TABLE[section]]
    return tuple(
        [Secret(name, tuple(clues.split()), shape, _CHECKS.get(name, is_live)) for name, clues, shape in rows]
    )


_TABLE, _CHECKS = read_table(__file__, "formats.txt"), {"resend-key": is_token}

PREFIXED = _listed("prefixed")
"""Formats that start with letters of their own; they count where no letter or digit stands before."""

INSIDE = _listed("inside")
"""Formats whose telling letters stand in the middle."""

# One format a line reads as a table.
# fmt: off
NAMED = (
    Secret("google-service-account", ('"private_key"',),
         rf'"(?i:private_key)"\s{{0,4}}:\s{{0,4}}"({_PEM})', _holds_a_key),
    Secret("private-key", ("-----begin ",), _PEM, _holds_a_key),
    Secret("putty-private-key", ("putty-user-key-file-",),
         r"PuTTY-User-Key-File-\d:(?:[^\n]{0,200}\n){1,40}?Private-Lines: \d{1,4}\n(?:[\w+/=]++\n?)++"),
    Secret("aws-secret-key",
         ("secret_access_key", "secretaccesskey", "secret access key", "secret-access-key", "aws_secret"),
         rf"[\w -]{{4,32}}{_SET_TO}([A-Za-z0-9/+]{{40}})(?![A-Za-z0-9/+=])"),
    Secret("aws-session-token", ("session_token", "sessiontoken"),
         r"(?i:session_?token)[\"'`]{0,2}\s{0,3}[=:]\s{0,3}[\"'`]{0,2}([A-Za-z0-9/+=]{100,})"),
    _assigned("datadog-key", "datadog", "dd_api", "dd_app", "dd-api", value=r"[0-9a-f]{40}|[0-9a-f]{32}"),
    _assigned("fastly-token", "fastly", value=r"[\w-]{32}"),
    _assigned("vercel-token", "vercel", value=r"[A-Za-z0-9]{24}"),
    _assigned("heroku-key", "heroku", value=_UUID),
    _assigned("cloudflare-token", "cloudflare", "cf_api", value=r"[\w-]{40}|[0-9a-f]{37}"),
    _assigned("twilio-key", "twilio", value=r"[0-9a-f]{32}"),
    _assigned("vault-token", "vault", value=r"s\.[A-Za-z0-9]{24}"),
    _assigned("okta-token", "okta", value=r"00[\w-]{40}"),
    _assigned("azure-devops-token", "azure_devops", "azure devops", value=r"[a-z2-7]{52}"),
    _assigned("algolia-key", "algolia", value=r"[0-9a-f]{32}"),
    _assigned("snyk-token", "snyk", value=_UUID),
    _assigned("hetzner-token", "hetzner", "hcloud", value=r"[A-Za-z0-9]{64}"),
    _assigned("scaleway-key", "scaleway", "scw_", value=_UUID),
    Secret("netrc-password", ("machine",),
         r"(?i:machine)\s{1,9}[^\s]{1,255}\s{1,9}login\s{1,9}[^\s]{1,255}\s{1,9}password\s{1,9}([^\s]{4,255})",
         is_url_password),
    Secret("connection-string-password", ("password=", "pwd="),
         r"(?i:(?:password|pwd)=)(?:(?i:(?<=;password=)|(?<=; password=)|(?<=;pwd=)|(?<=; pwd=))"
         r"|(?=[^;\s]{4,128};[\w ]{2,30}=))[\"']?([^;\s\"']{4,128})", is_url_password),
    Secret("url-password", ("://",),
         r"://[^\s/:@\"'<>`]{0,128}:([^\s/@\"'<>`]{1,256})@[\w\[]", is_url_password),
    Secret("basic-auth", ("basic ",), r"(?i:basic) {1,3}([A-Za-z0-9+/]{8,}={0,2})", hides_a_login),
    Secret("basic-auth", ('"auth"', "_auth="),
         r"(?i:\"auth\"\s{0,3}:\s{0,3}\"|_auth=\"?)([A-Za-z0-9+/]{8,}={0,2})", hides_a_login),
    Secret("bearer-token", ("bearer ",), r"(?i:bearer) {1,3}[\"'`]?([\w.~+/=-]{15,}[\w~+/=-])", is_token),
    Secret("one-time-password-seed", ("otpauth://",),
         r"(?i:otpauth)://[^\s\"'<>`]{0,300}?[?&](?i:secret)=([A-Za-z2-7]{16,128})"),
    Secret("assigned-secret", ("token ", "secret ", "api key "),
         r"(?<![\w-])(?i:token|secret|api key) {1,2}[\"'`(]?([\w-]{32,128})(?![\w/+=-])", is_mixed_token),
    Secret("login-at-host", ("root:", "admin:", "ubuntu:", "deploy:", "postgres:", "ec2-user:", "user:"),
         r"(?<![\w/@.-])[\w-]{4,16}:([^\s/@:\"'<>`]{4,64})@(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|[a-z0-9.-]{1,60}"
         r"\.(?:internal|local|lan))(?![\w.]*\w)", is_url_password),
    Secret("command-line-login", ("mysql", "mariadb"),
         r"(?:mysql(?:dump|admin)?|mariadb(?:-dump)?)(?: {1,3}[^\s;|&]{1,60}){0,8}? {1,3}-p[\"']?"
         r"([^\s\"';|&]{4,128})", _firm_password),
    Secret("command-line-login", ("mysql", "mariadb"),
         r"(?:mysql(?:dump|admin)?|mariadb(?:-dump)?)(?: {1,3}[^\s;|&]{1,60}){0,6}? {1,3}(?:-u|--user)[= ]?"
         r"[^\s;|&]{1,64}(?: {1,3}[^\s;|&]{1,60}){0,6}? {1,3}-p[\"']?([^\s\"';|&]{4,128})", is_url_password),
    Secret("command-line-login", ("sshpass",),
         r"sshpass {1,3}-p {0,3}[\"']?([^\s\"']{4,128})", is_url_password),
    Secret("command-line-login", (" -u ", " --user "),
         r" -(?:u|-user) {1,3}[\"']?[^\s:\"'$]{1,64}:([^\s\"']{4,128})", _firm_password),
)
"""Formats that only their surroundings give away; the clue is looked for in lower case."""
# fmt: on
