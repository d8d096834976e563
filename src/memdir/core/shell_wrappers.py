"""Programs that run another one: which of their words come before it, as a table."""

from memdir.core.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Inner", "inner_command", "program"]


@value_class(frozen=True, slots=True)
class Inner:
    """The command that a program runs."""

    words: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """Texts that it hands to a shell, instead of words."""
    reads: bool = False
    """Whether it starts a shell that reads its commands."""


@value_class(frozen=True, slots=True)
class _Wrapper:
    values: str = ""
    """Its options that take the next word as their value."""
    skip: int = 0
    """Words of its own that stand between the options and the command."""
    text: str = ""
    """The option whose value is a text for a shell."""
    joined: bool = False
    """Whether the rest is joined and handed to a shell."""
    dashes: bool = False
    """Whether the command begins only after `--`."""
    reads: bool = False
    """Whether it starts a shell when no command is given."""


_SUDO = _Wrapper(
    "-u -g -p -C -h -r -t -T -U -D -R --user --group --prompt --chdir --host --role --type", reads=True
)
_RUN = _Wrapper(
    "-v -e -p -w -u -l -h -m --name --network --net --mount --env --volume --workdir --user --platform "
    "--label --hostname --env-file --add-host --cpus --memory --gpus --device --cap-add --cap-drop "
    "--security-opt --ulimit --restart --pull --publish --volumes-from --shm-size --index --profile -f",
    skip=1,
)
_SSH = _Wrapper(
    "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B", skip=1, joined=True, reads=True
)
_PLAIN = _Wrapper()

_WRAPPERS = {
    "sudo": _SUDO,
    "doas": _SUDO,
    "env": _Wrapper("-u --unset -C --chdir", text="-S --split-string", joined=True),
    "command": _PLAIN,
    "builtin": _PLAIN,
    "exec": _Wrapper("-a"),
    "nohup": _PLAIN,
    "setsid": _PLAIN,
    "time": _Wrapper("-f -o --format --output"),
    "nice": _Wrapper("-n --adjustment"),
    "ionice": _Wrapper("-c -n --class --classdata"),
    "timeout": _Wrapper("-s -k --signal --kill-after", skip=1),
    "gtimeout": _Wrapper("-s -k --signal --kill-after", skip=1),
    "stdbuf": _Wrapper("-i -o -e --input --output --error"),
    "chrt": _Wrapper(skip=1),
    "taskset": _Wrapper(skip=1),
    "strace": _Wrapper("-e -o -s -p -u -E"),
    "ltrace": _Wrapper("-e -o -s -p -u"),
    "caffeinate": _Wrapper("-t -w"),
    "unbuffer": _PLAIN,
    "busybox": _PLAIN,
    "chroot": _Wrapper(skip=1),
    "unshare": _Wrapper("-R -w -S -G"),
    "systemd-run": _Wrapper("-u -p -E --unit --property --uid --gid --setenv"),
    "runuser": _Wrapper("-u -g", text="-c --command"),
    "su": _Wrapper("-s -g --shell", skip=9, text="-c --command", reads=True),
    "script": _Wrapper("-T -O -I -B", skip=1, text="-c --command"),
    "flock": _Wrapper("-w -E --timeout", skip=1, text="-c --command"),
    "sg": _Wrapper(skip=1, joined=True),
    "prlimit": _Wrapper("-p -o --pid --output"),
    "xvfb-run": _Wrapper(
        "-e -f -n -p -s -w --error-file --auth-file --server-num --server-args --wait --xauth-protocol"
    ),
    "uvx": _Wrapper("--from --with --python -p"),
    "pipx run": _Wrapper("--spec --python"),
    "watch": _Wrapper("-n --interval", joined=True),
    "entr": _PLAIN,
    "ssh": _SSH,
    "hyperfine": _Wrapper("-w -m -M -r -n -N --warmup --runs --min-runs --max-runs", joined=True),
    "nix-shell": _Wrapper("-p -I -A", skip=9, text="--run --command"),
    "docker exec": _RUN,
    "docker run": _RUN,
    "podman exec": _RUN,
    "podman run": _RUN,
    "docker compose": _Wrapper(
        "-f -p --file --project-name --profile -e -u -w --env --user --workdir", skip=2
    ),
    "docker-compose": _Wrapper(
        "-f -p --file --project-name --profile -e -u -w --env --user --workdir", skip=2
    ),
    "kubectl exec": _Wrapper(dashes=True),
    "oc exec": _Wrapper(dashes=True),
    "npm exec": _Wrapper("-c --call", dashes=True, text="-c --call"),
    "pnpm exec": _PLAIN,
    "yarn exec": _PLAIN,
    "npx": _Wrapper("-p --package", text="-c --call"),
    "uv run": _Wrapper("--with --python -p --extra --group --env-file --project --directory"),
    "poetry run": _PLAIN,
    "pipenv run": _PLAIN,
    "hatch run": _PLAIN,
    "bundle exec": _PLAIN,
    "rbenv exec": _PLAIN,
    "pyenv exec": _PLAIN,
    "mise exec": _Wrapper(dashes=True),
    "direnv exec": _Wrapper(skip=1),
    "conda run": _Wrapper("-n -p --name --prefix --cwd"),
    "git bisect run": _PLAIN,
    "git submodule foreach": _Wrapper(joined=True),
    "git rebase": _Wrapper("--onto -s -X", skip=9, text="-x --exec"),
}

_LOOKUPS = frozenset({"-v", "-V", "-l", "--list", "-K", "-k"})
"""Options with which `command` and `sudo` only look something up."""


def program(word: str) -> str:
    """Return the name of a program without its folder; on some disks case does not count."""
    return word.rpartition("/")[2].lower().removesuffix(".exe")


def inner_command(words: "Sequence[str]") -> Inner | None:
    """Return the command inside this one, or None when it runs no other."""
    plain = [word for word in words[1:] if not word.startswith("-")][:2]
    names = [program(words[0])]
    names += [f"{names[0]} {' '.join(plain[: count + 1])}" for count in range(len(plain))]
    for name in reversed(names):
        if (wrapper := _WRAPPERS.get(name)) is not None:
            return _inside(words, wrapper, own=name.count(" "))
    return None


def _inside(words: "Sequence[str]", wrapper: _Wrapper, own: int) -> Inner | None:
    values, texts_after = wrapper.values.split(), wrapper.text.split()
    skip, texts, at = wrapper.skip + own, list[str](), 1
    while at < len(words):
        word = words[at]
        name, assigned, value = word.partition("=")
        if word == "--":
            at += 1
            return _found(words[at + max(0, wrapper.skip if not wrapper.dashes else 0) :], texts, wrapper)
        if name in texts_after:
            texts.append(value if assigned else " ".join(words[at + 1 : at + 2]))
            at += 1 if assigned else 2
        elif word.startswith("-") and len(word) > 1:
            if at == 1 and word in _LOOKUPS and program(words[0]) in ("command", "sudo"):
                return None
            at += 2 if word in values else 1
        elif skip:
            skip, at = skip - 1, at + 1
        elif wrapper.dashes or (assigned and name.isidentifier()):
            at += 1
        else:
            break
    return _found(words[at:], texts, wrapper)


def _found(words: "Sequence[str]", texts: list[str], wrapper: _Wrapper) -> Inner | None:
    if texts:
        return Inner(texts=tuple([" ".join([text, *words]) if wrapper.joined else text for text in texts]))
    if wrapper.joined and not wrapper.text and words:
        return Inner(texts=(" ".join(words),))
    return Inner(tuple(words), reads=wrapper.reads and not words) if words or wrapper.reads else None
