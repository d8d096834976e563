"""Programs that run another one: which of their words come before it, as a table."""

from memdir.core.shell_invocation import program
from memdir.core.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Inner", "inner_command"]


@value_class(frozen=True, slots=True)
class Inner:
    """The command that a program runs."""

    words: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """Texts that it hands to a shell, instead of words."""
    reads: bool = False
    """Whether it starts a shell that reads its commands."""


_Wrapper = tuple[str, int, str, str]
"""Options that take the next word as their value; how many words of its own stand between the options and the
command; the options whose value is a text for a shell; and its ways: "joined" when the rest is joined and
handed to a shell, "dashes" when the command begins only after `--`, "reads" when it starts a shell if no
command is given. Plain constants: a hook loads the whole table to learn that a command is not in it.
"""

_SUDO = (
    "-u -g -p -C -h -r -t -T -U -D -R --user --group --prompt --chdir --host --role --type",
    0,
    "",
    "reads",
)
_RUN_VALUES = (
    "-v -e -p -w -u -l -h -m --name --network --net --mount --env --volume --workdir --user --platform "
    "--label --hostname --env-file --add-host --cpus --memory --gpus --device --cap-add --cap-drop "
    "--security-opt --ulimit --restart --pull --publish --volumes-from --shm-size --index --profile -f"
)
_RUN = (_RUN_VALUES, 1, "", "")
_SSH = ("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B", 1, "", "joined reads")
_PLAIN = ("", 0, "", "")
_DASHES = ("", 0, "", "dashes")
_ALL = 1 << 20
"""Words of a program that runs another only by an option."""
_TAR = "--to-command --use-compress-program -I --checkpoint-action --info-script --new-volume-script"
_FILTERS = "--tree-filter --index-filter --env-filter --msg-filter --commit-filter --parent-filter --setup"

_WRAPPERS: dict[str, _Wrapper] = {
    "sudo": _SUDO,
    "doas": _SUDO,
    "env": ("-u --unset -C --chdir", 0, "-S --split-string", "joined"),
    "command": _PLAIN,
    "builtin": _PLAIN,
    "exec": ("-a", 0, "", ""),
    "nohup": _PLAIN,
    "setsid": _PLAIN,
    "time": ("-f -o --format --output", 0, "", ""),
    "nice": ("-n --adjustment", 0, "", ""),
    "ionice": ("-c -n --class --classdata", 0, "", ""),
    "timeout": ("-s -k --signal --kill-after", 1, "", ""),
    "gtimeout": ("-s -k --signal --kill-after", 1, "", ""),
    "stdbuf": ("-i -o -e --input --output --error", 0, "", ""),
    "chrt": ("", 1, "", ""),
    "taskset": ("", 1, "", ""),
    "strace": ("-e -o -s -p -u -E", 0, "", ""),
    "ltrace": ("-e -o -s -p -u", 0, "", ""),
    "caffeinate": ("-t -w", 0, "", ""),
    "unbuffer": _PLAIN,
    "busybox": _PLAIN,
    "chroot": ("", 1, "", ""),
    "unshare": ("-R -w -S -G", 0, "", ""),
    "systemd-run": ("-u -p -E --unit --property --uid --gid --setenv", 0, "", ""),
    "runuser": ("-u -g", 0, "-c --command", ""),
    "su": ("-s -g --shell", 9, "-c --command", "reads"),
    "script": ("-T -O -I -B", 1, "-c --command", ""),
    "flock": ("-w -E --timeout", 1, "-c --command", ""),
    "sg": ("", 1, "", "joined"),
    "prlimit": ("-p -o --pid --output", 0, "", ""),
    "xvfb-run": (
        "-e -f -n -p -s -w --error-file --auth-file --server-num --server-args --wait --xauth-protocol",
        0,
        "",
        "",
    ),
    "uvx": ("--from --with --python -p", 0, "", ""),
    "pipx run": ("--spec --python", 0, "", ""),
    "watch": ("-n --interval", 0, "", "joined"),
    "entr": _PLAIN,
    "ssh": _SSH,
    "hyperfine": ("-w -m -M -r -n -N --warmup --runs --min-runs --max-runs", 0, "", "joined"),
    "nix-shell": ("-p -I -A", 9, "--run --command", ""),
    "docker exec": _RUN,
    "docker run": _RUN,
    "podman exec": _RUN,
    "podman run": _RUN,
    "docker compose": ("-f -p --file --project-name --profile -e -u -w --env --user --workdir", 2, "", ""),
    "docker-compose": ("-f -p --file --project-name --profile -e -u -w --env --user --workdir", 2, "", ""),
    "kubectl exec": ("", 0, "", "dashes"),
    "oc exec": ("", 0, "", "dashes"),
    "npm exec": ("-c --call", 0, "-c --call", "dashes"),
    "pnpm exec": _PLAIN,
    "yarn exec": _PLAIN,
    "npx": ("-p --package", 0, "-c --call", ""),
    "uv run": ("--with --python -p --extra --group --env-file --project --directory", 0, "", ""),
    "poetry run": _PLAIN,
    "pipenv run": _PLAIN,
    "hatch run": _PLAIN,
    "bundle exec": _PLAIN,
    "rbenv exec": _PLAIN,
    "pyenv exec": _PLAIN,
    "mise exec": ("", 0, "", "dashes"),
    "direnv exec": ("", 1, "", ""),
    "conda run": ("-n -p --name --prefix --cwd", 0, "", ""),
    "mosh": ("-p --ssh --port", 1, "", ""),
    "autossh": ("-M -p -i -l -o -L -R -D -F -J", 1, "", "joined"),
    "sshpass": ("-p -f -d -P", 0, "", ""),
    "valgrind": _PLAIN,
    "heaptrack": _PLAIN,
    "perf stat": ("-e -o -p -r -C -I", 0, "", ""),
    "perf record": ("-e -o -p -F -c -C", 0, "", ""),
    "rr record": _PLAIN,
    "fakeroot": ("-l -i -s -b", 0, "", ""),
    "firejail": _PLAIN,
    "torsocks": _PLAIN,
    "torify": _PLAIN,
    "proxychains": ("-f", 0, "", ""),
    "proxychains4": ("-f", 0, "", ""),
    "faketime": ("", 1, "", ""),
    "eatmydata": _PLAIN,
    "setarch": ("", 1, "", ""),
    "nsenter": ("-t -S -G --target --setuid --setgid", 0, "", ""),
    "ip netns exec": ("", 1, "", ""),
    "pkexec": ("--user", 0, "", ""),
    "gosu": ("", 1, "", ""),
    "su-exec": ("", 1, "", ""),
    "dbus-run-session": _PLAIN,
    "tini": ("-p", 0, "", ""),
    "dumb-init": _PLAIN,
    "rlwrap": ("-f -H -C", 0, "", ""),
    "toolbox run": ("-c --container", 0, "", ""),
    "distrobox enter": _DASHES,
    "flatpak-spawn": _PLAIN,
    "lxc exec": _DASHES,
    "incus exec": _DASHES,
    "multipass exec": _DASHES,
    "adb shell": ("", 0, "", "joined"),
    "heroku run": ("-a --app", 0, "", "joined"),
    "vagrant ssh": ("", _ALL, "-c --command", ""),
    "op run": _DASHES,
    "doppler run": _DASHES,
    "aws-vault exec": _DASHES,
    "chamber exec": _DASHES,
    "dotenv": ("-f -e", 0, "", ""),
    "tar": ("", _ALL, _TAR, ""),
    "gtar": ("", _ALL, _TAR, ""),
    "split": ("", _ALL, "--filter", ""),
    "git filter-branch": ("", _ALL, _FILTERS, ""),
    "git difftool": ("", _ALL, "-x --extcmd", ""),
    "git bisect run": _PLAIN,
    "git submodule foreach": ("", 0, "", "joined"),
    "git rebase": ("--onto -s -X", 9, "-x --exec", ""),
}

_LOOKUPS = frozenset({"-v", "-V", "-l", "--list", "-K", "-k"})
"""Options with which `command` and `sudo` only look something up."""


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
    values, texts_after, dashes = wrapper[0].split(), wrapper[2].split(), "dashes" in wrapper[3]
    skip, texts, at = wrapper[1] + own, list[str](), 1
    while at < len(words):
        word = words[at]
        name, assigned, value = word.partition("=")
        if word == "--":
            at += 1
            return _found(words[at + (0 if dashes else wrapper[1]) :], texts, wrapper)
        if name in texts_after:
            text = value if assigned else " ".join(words[at + 1 : at + 2])
            texts.append(text.removeprefix("exec="))  # as tar writes it
            at += 1 if assigned else 2
        elif word.startswith("-") and len(word) > 1:
            if at == 1 and word in _LOOKUPS and program(words[0]) in ("command", "sudo"):
                return None
            at += 2 if word in values else 1
        elif skip:
            skip, at = skip - 1, at + 1
        elif dashes or (assigned and name.isidentifier()):
            at += 1
        else:
            break
    return _found(words[at:], texts, wrapper)


def _found(words: "Sequence[str]", texts: list[str], wrapper: _Wrapper) -> Inner | None:
    joined, reads = "joined" in wrapper[3], "reads" in wrapper[3]
    if texts:
        return Inner(texts=tuple([" ".join([text, *words]) if joined else text for text in texts]))
    if joined and not wrapper[2] and words:
        return Inner(texts=(" ".join(words),))
    return Inner(tuple(words), reads=reads and not words) if words or reads else None
