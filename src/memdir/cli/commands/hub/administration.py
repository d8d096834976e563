"""Commands for administrators of a hub: space, token, usage, prune, audit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

import click

from memdir.cli.arguments import example, json_option
from memdir.cli.commands.hub.serve import database_option, hub_extra, prune_options
from memdir.cli.output import columns, confirmed, hint, moment, one_line, say, say_json
from memdir.errors import Rejected
from memdir.text.dates.calendar import utc_stamp

if TYPE_CHECKING:
    from memdir.hub.administration import AuditEntry, HubToken, PrunedSpace, Spaces, SpaceUsage, Tokens

__all__ = ["hub"]


@click.group(
    epilog=example(
        "memdir hub space create team-a",
        "memdir hub token create team-a my-laptop --scope write",
        "memdir hub usage",
    )
)
def hub() -> None:
    """Administer a hub: spaces, tokens, use, and who changed what.

    These commands work on the database itself, which --database or MEMDIR_DATABASE names.
    """


@hub.group(epilog=example("memdir hub space create team-a"))
def space() -> None:
    """Make, list and delete spaces; one space holds one memory directory."""


@space.command(epilog=example("memdir hub space create team-a"))
@click.argument("name")
@database_option
@json_option
def create(name: str, *, database: str, as_json: bool) -> None:
    """Make an empty space: a-z, 0-9, dots, dashes and underscores."""
    made = _spaces(database).create(name)
    if as_json:
        say_json({"name": name, "id": str(made)})
    else:
        say(f"Made the space {name}.")
        hint(f"Next: memdir hub token create {name} NAME")


@space.command("list", epilog=example("memdir hub space list"))
@database_option
@json_option
def list_spaces(*, database: str, as_json: bool) -> None:
    """List the spaces."""
    names = _spaces(database).names()
    if as_json:
        say_json({"spaces": names})
    else:
        say(*(names or ["No spaces."]))


@space.command(epilog=example("memdir hub space delete team-a"))
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@database_option
@json_option
def delete(name: str, *, yes: bool, database: str, as_json: bool) -> None:
    """Delete a space with every version that it holds and its tokens; this cannot be undone."""
    spaces = _spaces(database)
    if not yes and not confirmed(f"Delete the space {one_line(name)} for ever?"):
        raise Rejected("Nothing was deleted.")
    spaces.delete(name)
    if as_json:
        say_json({"deleted": name})
    else:
        say(f"Deleted the space {one_line(name)}.")


@hub.group(epilog=example("memdir hub token create team-a my-laptop"))
def token() -> None:
    """Make, list and revoke tokens; a token opens one space."""


@token.command("create", epilog=example("memdir hub token create team-a ci --scope read --days 30"))
@click.argument("space")
@click.argument("name")
@click.option(
    "--scope",
    type=click.Choice(["read", "write", "admin"]),
    default="write",
    help="What it allows; each includes the one before it.",
)
@click.option("--days", type=click.IntRange(1, 36_500), help="Let it expire after so many days.")
@database_option
@json_option
def create_token(
    space: str, name: str, *, scope: str, days: int | None, database: str, as_json: bool
) -> None:
    """Make a token for a space and print it, this once: only its hash is kept.

    NAME says whose it is: a person, a machine or an agent.
    """
    expires = datetime.now(UTC) + timedelta(days=days) if days else None
    secret = _tokens(database).create(space, name, [scope], expires)
    if as_json:
        say_json({"token": secret, "space": space, "name": name, "scope": scope, "expires": _stamp(expires)})
    else:
        say(secret)
        hint("Nobody can see it again. Keep it where secrets are kept.")


@token.command("list", epilog=example("memdir hub token list", "memdir hub token list team-a"))
@click.argument("space", required=False)
@database_option
@json_option
def list_tokens(space: str | None, *, database: str, as_json: bool) -> None:
    """List the tokens of a space, or of all, without what opens with them."""
    found = _tokens(database).known(space)
    if as_json:
        say_json({"tokens": [_token_shape(one) for one in found]})
    elif found:
        say(*columns([_token_row(one) for one in found], bold=2))
    else:
        say("No tokens.")


@token.command(epilog=example("memdir hub token revoke 3f0c6a1e-5f0e-4a53-9b5e-0d6b6c1f7a10"))
@click.argument("id", metavar="ID")
@database_option
@json_option
def revoke(id: str, *, database: str, as_json: bool) -> None:  # noqa: A002 - how the page calls the argument
    """Make a token worth nothing, at once and on every node. ID is what `memdir hub token list` shows."""
    try:
        which = UUID(id)
    except ValueError:
        raise Rejected(f"{id!r} is not the id of a token. List them with: memdir hub token list") from None
    _tokens(database).revoke(which)
    if as_json:
        say_json({"revoked": id})
    else:
        say(f"Revoked {id}.")


@hub.command(epilog=example("memdir hub usage"))
@database_option
@json_option
def usage(*, database: str, as_json: bool) -> None:
    """Show what each space holds: memories, versions, bytes, tokens."""
    found = _spaces(database).usage()
    if as_json:
        say_json({"spaces": [_usage_shape(one) for one in found]})
    elif found:
        say(*columns([_usage_row(one) for one in found], bold=0))
    else:
        say("No spaces.")


@hub.command(epilog=example("memdir hub prune", "memdir hub prune team-a --version-days 30"))
@click.argument("space", required=False)
@prune_options
@database_option
@json_option
def prune(
    space: str | None, *, version_days: int, versions: int, request_days: int, database: str, as_json: bool
) -> None:
    """Remove what is old from a space, or from all: replaced versions, answers to requests, ended jobs.

    Workers do the same once a day. The newest version of each memory always stays.
    """

    def done() -> list[PrunedSpace]:
        from memdir.hub.database import PruneRule

        return _spaces(database).prune(PruneRule(version_days, versions, request_days), space)

    found = hub_extra(done)
    if as_json:
        say_json({"spaces": [_pruned_shape(one) for one in found]})
    else:
        counts = [(one.space, *(f"{n:,} {kind}" for kind, n in _pruned_counts(one))) for one in found]
        say(*(columns(counts, bold=0) if found else ["No spaces."]))


@hub.command(epilog=example("memdir hub audit --limit 20"))
@click.option("--limit", type=click.IntRange(1), default=100, help="Only the newest so many.")
@database_option
@json_option
def audit(*, limit: int, database: str, as_json: bool) -> None:
    """List who administered what, newest first; memory text is never in it."""
    found = _spaces(database).audit(limit)
    if as_json:
        say_json({"entries": [_audit_shape(one) for one in found]})
    elif found:
        say(*columns([_audit_row(one) for one in found], bold=1))
    else:
        say("Nothing yet.")


def _spaces(database: str) -> Spaces:
    def made() -> Spaces:
        from memdir.hub.administration import Spaces
        from memdir.hub.database import Database

        return Spaces(Database(database))

    return hub_extra(made)


def _tokens(database: str) -> Tokens:
    def made() -> Tokens:
        from memdir.hub.administration import Tokens
        from memdir.hub.database import Database

        return Tokens(Database(database))

    return hub_extra(made)


def _stamp(at: datetime | None) -> str:
    return utc_stamp(at) if at else ""


def _token_shape(one: HubToken) -> dict[str, Any]:
    times = {"created": one.created_at, "expires": one.expires_at, "revoked": one.revoked_at}
    about = {"id": str(one.id), "space": one.space, "name": one.name, "scopes": list(one.scopes)}
    return about | {name: _stamp(at) for name, at in times.items()}


def _token_row(one: HubToken) -> tuple[str, ...]:
    state = f"revoked {moment(one.revoked_at)}" if one.revoked_at else ""
    expires = f"expires {moment(one.expires_at)}" if one.expires_at else "does not expire"
    return str(one.id), one.space, one_line(one.name), one.scopes[-1], state or expires


def _usage_shape(one: SpaceUsage) -> dict[str, Any]:
    about = {"name": one.name, "id": str(one.id), "seq": one.seq, "created": _stamp(one.created_at)}
    return about | {"memories": one.files, "versions": one.versions, "bytes": one.bytes, "tokens": one.tokens}


def _usage_row(one: SpaceUsage) -> tuple[str, ...]:
    return (
        one.name,
        f"{one.files:,} memories",
        f"{one.versions:,} versions",
        f"{one.bytes:,} bytes",
        f"{one.tokens} tokens",
    )


def _pruned_counts(one: PrunedSpace) -> list[tuple[str, int]]:
    return [("versions", one.versions), ("requests", one.requests), ("jobs", one.jobs)]


def _pruned_shape(one: PrunedSpace) -> dict[str, Any]:
    return {"name": one.space, **dict(_pruned_counts(one))}


def _audit_shape(one: AuditEntry) -> dict[str, Any]:
    names = {"space": str(one.space or ""), "token": str(one.token or "")}
    return {"at": _stamp(one.at), "action": one.action, **names, "detail": one.detail}


def _audit_row(one: AuditEntry) -> tuple[str, ...]:
    detail = ", ".join(f"{name} {_told(value)}" for name, value in one.detail.items())
    return moment(one.at), one.action, str(one.space or ""), one_line(detail)


def _told(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
