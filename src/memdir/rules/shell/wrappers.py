"""Programs that run another one: which of their words come before it, as a table.

A host waits for this module: it does without `typing`.
"""

from memdir.rules.programs.command_line import takes_value
from memdir.rules.programs.options import spellings
from memdir.rules.shell.invocation import DISGUISED, current_form, program
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["InnerCommand", "inner_command"]


@value_class(frozen=True, slots=True)
class InnerCommand:
    """The command that a program runs."""

    words: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """Texts that it hands to a shell, instead of words."""
    reads: bool = False
    """Whether it starts a shell that reads its commands."""


_Wrapper = tuple[str, int, str, str]
"""Options that take the next word as their value, besides those in `program_options`; how many words of its
own stand between the options and the command; the options whose value is a text for a shell; and its ways:
"joined" when the rest is joined and handed to a shell, "dashes" when the command begins only after `--`,
"rest" when it is all that follows one of those options, "reads" when it starts a shell without a command.
Plain constants: a hook loads the whole table to learn that a command is not in it.
"""

_SUDO = (
    "-u -g -p -C -h -r -t -T -U -D -R --user --group --prompt --chdir --host --role --type",
    0,
    "",
    "reads",
)
_RUN = ("", 1, "", "")
_SSH = ("", 1, "", "joined reads")
_PLAIN = ("", 0, "", "")
_AFTER_ONE = ("", 1, "", "")
_DASHES = ("", 0, "", "dashes")
_ALL = 1 << 20
"""Words of a program that runs another only by an option."""
_TAR = "--to-command --use-compress-program -I --checkpoint-action --info-script --new-volume-script"
_FILTERS = "--tree-filter --index-filter --env-filter --msg-filter --commit-filter --parent-filter --setup"

_PREFIXES = (
    *("command", "builtin", "noglob", "nocorrect", "-", "nohup", "setsid", "unbuffer", "expect_unbuffer"),
    *("busybox", "toybox", "chronic", "ifne", "nocache", "retry", "tsp"),
    *("valgrind", "heaptrack", "catchsegv", "rr record", "git bisect run"),
    *("firejail", "torsocks", "torify", "eatmydata", "dbus-run-session", "dumb-init", "flatpak-spawn"),
    *("systemd-inhibit", "systemd-cat", "proot", "fakechroot", "chpst", "lima", "winpty", "rtk", "rtk proxy"),
    *("linux32", "linux64", "i386", "x86_64", "reattach-to-user-namespace"),
    *("poetry run", "pipenv run", "hatch run", "rye run", "pdm run", "pixi run", "devbox run", "corepack"),
    *("pnpm exec", "yarn exec", "bundle exec", "rbenv exec", "pyenv exec", "asdf exec", "nodenv exec"),
    *("with-env", "cross-env", "lerna exec", "tfenv exec", "railway run", "minikube", "microk8s"),
)
"""Programs whose own words are options without a value."""
_AFTER_DASHES = (
    *("distrobox enter", "lxc exec", "incus exec", "multipass exec", "op run"),
    *("aws-vault exec", "chamber exec", "colima ssh", "dotenvx run", "guix shell", "zellij run", "mise x"),
    *("gh codespace ssh", "nix run", "infisical run", "teller run", "onchange", "kubectl run"),
    *("vercel env run", "nx exec", "minikube ssh", "kubectl debug", "oc debug", "pct exec", "incus shell"),
    *("daemon", "bwrap", "schroot", "gnome-terminal"),
)
_POWERSHELLS = ("pwsh", "powershell")
_SHARED: tuple[tuple[tuple[str, ...], _Wrapper], ...] = (
    (_PREFIXES, _PLAIN),
    (_AFTER_DASHES, _DASHES),
    (("docker exec", "docker run", "podman exec", "podman run"), _RUN),
    (("nerdctl exec", "nerdctl run", "buildah run"), _RUN),
    (("docker compose exec", "docker compose run", "podman compose exec", "podman compose run"), _RUN),
    (("conda run", "mamba run", "micromamba run"), _PLAIN),
    (("npx", "pnpx", "bunx", "bun x", "pnpm dlx", "yarn dlx"), ("-p --package", 0, "-c --call", "")),
    (("npm exec",), ("", 0, "-c --call", "")),
    (("fnm exec", "volta run"), ("--using --node --npm --yarn --log-level", 0, "", "")),
    (("nvm exec", "rustup run", "n exec"), _AFTER_ONE),
    (("python -m", "coverage run -m", "cprofile -m", "pdb -m", "trace -m"), _PLAIN),
    (("uvx", "uv tool run"), ("--from --with --python -p", 0, "", "")),
    (("watch", "viddy", "hwatch"), ("-n --interval", 0, "", "joined")),
    (("ssh", "slogin", "rsh", "dbclient", "tsh ssh", "tailscale ssh", "docker-machine ssh"), _SSH),
    (("apptainer exec", "singularity exec"), ("-B -H --bind --env --home --pwd", 1, "", "")),
    (("chrt", "taskset", "chroot", "faketime", "setarch", "gosu", "su-exec", "setuidgid"), _AFTER_ONE),
    (("setlock", "envdir", "envchain", "dtach", "abduco", "direnv exec", "ip netns exec"), _AFTER_ONE),
    (("limactl shell", "machinectl shell", "launchctl asuser"), _AFTER_ONE),
    (("nix develop", "nix shell"), ("", _ALL, "-c --command", "rest")),
    (_POWERSHELLS, ("-ExecutionPolicy -ep -FileAccess", 0, "-c -Command -command", "joined reads")),
    (("xterm", "konsole", "alacritty"), ("", _ALL, "-e", "rest")),
)
"""Programs that are alike in this."""

_WRAPPERS: dict[str, _Wrapper] = {
    **{name: wrapper for names, wrapper in _SHARED for name in names},
    "sudo": _SUDO,
    "doas": _SUDO,
    "env": ("-u --unset -C --chdir", 0, "-S --split-string", "joined"),
    "env-cmd": ("-f -e -r --file --environments --rc-file", 0, "", ""),
    "doppler run": ("", 0, "--command", "dashes"),
    "sops exec-env": ("", 1, "", "joined"),
    "entr": ("", 0, "-s", ""),
    "exec": ("-a", 0, "", ""),
    "wsl": ("-d -u --distribution --user --cd --shell-type", 0, "", "reads"),
    "cmd": ("", 0, "", "joined"),
    "gdb": ("", _ALL, "--args -args", "rest"),
    "lldb": ("", _ALL, "--", "rest"),
    "time": ("-f -o --format --output", 0, "", ""),
    "nice": ("-n --adjustment", 0, "", ""),
    "ionice": ("-c -n --class --classdata", 0, "", ""),
    "timeout": ("-s -k --signal --kill-after", 1, "", ""),
    "stdbuf": ("-i -o -e --input --output --error", 0, "", ""),
    "strace": ("-e -o -s -p -u -E", 0, "", ""),
    "ltrace": ("-e -o -s -p -u", 0, "", ""),
    "caffeinate": ("-t -w", 0, "", ""),
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
    "pipx run": ("--spec --python", 0, "", ""),
    "hyperfine": ("-w -m -M -r -n -N --warmup --runs --min-runs --max-runs", 0, "", "joined"),
    "nix-shell": ("-p -I -A", 9, "--run --command", ""),
    "kubectl exec": ("", 0, "", "dashes"),
    "oc exec": ("", 0, "", "dashes"),
    "uv run": ("--with --python -p --extra --group --env-file --project --directory", 0, "", ""),
    "mise exec": ("", 0, "", "dashes"),
    "mosh": ("-p --ssh --port", 1, "", ""),
    "autossh": ("-M -p -i -l -o -L -R -D -F -J", 1, "", "joined"),
    "sshpass": ("-p -f -d -P", 0, "", ""),
    "perf stat": ("-e -o -p -r -C -I", 0, "", ""),
    "perf record": ("-e -o -p -F -c -C", 0, "", ""),
    "fakeroot": ("-l -i -s -b", 0, "", ""),
    "proxychains": ("-f", 0, "", ""),
    "proxychains4": ("-f", 0, "", ""),
    "nsenter": ("-t -S -G --target --setuid --setgid", 0, "", ""),
    "pkexec": ("--user", 0, "", ""),
    "tini": ("-p", 0, "", ""),
    "rlwrap": ("-f -H -C", 0, "", ""),
    "toolbox run": ("-c --container", 0, "", ""),
    "ansible": ("-i -m -u -e -f -l -t --inventory --module-name --user --extra-vars", 1, "-a --args", ""),
    "aws ssm send-command": ("--targets --instance-ids --document-name", _ALL, "--parameters", ""),
    "az vm run-command invoke": ("--command-id --parameters", _ALL, "--scripts", ""),
    "aws ecs execute-command": ("--cluster --task --container", _ALL, "--command", ""),
    "fly ssh console": ("", _ALL, "-C --command", ""),
    "gcloud compute ssh": ("--ssh-flag --ssh-key-file", 1, "--command", "reads"),
    "oc rsh": ("-c -f --shell --container", 1, "", "reads"),
    "adb shell": ("", 0, "", "joined"),
    "heroku run": ("-a --app", 0, "", "joined"),
    "vagrant ssh": ("", _ALL, "-c --command", ""),
    "dotenv": ("-f -e", 0, "", ""),
    "tar": ("", _ALL, _TAR, ""),
    "split": ("", _ALL, "--filter", ""),
    "run0": ("-u -g -p -D --user --group --property --chdir --setenv --unit --nice", 0, "", "reads"),
    "setpriv": ("--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits", 0, "", ""),
    "numactl": ("-N -m -C -i -p --cpunodebind --membind --physcpubind --interleave", 0, "", ""),
    "cpulimit": ("-l -e -p -P -c --limit --cpu", 0, "", ""),
    "timelimit": ("-t -T -s -S -p", 0, "", ""),
    "sem": ("-j --id --jobs", 0, "", "joined"),
    "lockf": ("-t", 1, "", ""),
    "arch": ("-arch -e -d", 0, "", ""),
    "pueue add": ("-g -w -d -l --group --working-directory --delay --label", 0, "", "joined"),
    "watchexec": ("-w -e -f -i -d -s --watch --exts --filter --ignore --debounce --signal", 0, "", "joined"),
    "nodemon": ("", _ALL, "-x --exec", "rest"),
    "mpirun": ("-n -np -N -H --host --hostfile", 0, "", ""),
    "srun": ("-n -N -c -p -t -A -J -w", 0, "", ""),
    "sort": ("", _ALL, "--compress-program", ""),
    "bat": ("", _ALL, "--pager", ""),
    "git filter-branch": ("", _ALL, _FILTERS, ""),
    "git difftool": ("", _ALL, "-x --extcmd", ""),
    "git submodule foreach": ("", 0, "", "joined"),
    "git rebase": ("--onto -s -X", 9, "-x --exec", ""),
}

_LOOKUPS = frozenset({"-v", "-V", "-l", "--list", "-K", "-k"})
"""Options with which `command` and `sudo` only look something up."""


def inner_command(words: "Sequence[str]") -> InnerCommand | None:
    """Return the command inside this one, or None when it runs no other."""
    words = _as_module(_of_windows(current_form(words)))
    path, at = program(words[0]), 1
    found = (path, at) if path in _WRAPPERS else None
    while at < len(words) and path in _STEPS:
        word = words[at]
        step = f"{path} {word}"
        if step in _WRAPPERS or step in _STEPS:
            path, at = step, at + 1
            found = (path, at) if path in _WRAPPERS else found
        elif word.startswith("-") and word != "--":
            at += 2 if takes_value(path, word) else 1
        else:
            break
    if found is None:
        return None
    values = [name for name, (_, taken) in (spellings(found[0]) or {}).items() if taken == "="]
    return _inside(words, _WRAPPERS[found[0]], found[1], values)


_STEPS = frozenset(
    [" ".join(name.split()[:count]) for name in _WRAPPERS for count in range(1, 1 + name.count(" "))]
)
"""What the name of a wrapper begins with."""


def _of_windows(words: "Sequence[str]") -> "Sequence[str]":
    """Return a command of cmd without its switches; PowerShell's encoded code becomes a mark."""
    name = program(words[0])
    if name == "cmd":
        at = 1
        while at < len(words) and words[at].strip("/").lower() in _SWITCHES:
            at += 1
        return [name, *words[at:]]
    if name in _POWERSHELLS and any(
        word[1:2].lower() == "e" and _ENCODED.startswith(word[1:].lower()) for word in words
    ):
        return [name, "-c", DISGUISED]
    return words


_SWITCHES = ("c", "k", "s", "d", "q")
_ENCODED = "encodedcommand"


def _as_module(words: "Sequence[str]") -> "Sequence[str]":
    """Return `python -m pip` for all ways to say that a module is run."""
    if program(words[0]) not in _PYTHONS:
        return words
    at = 1
    while at < len(words) and words[at][:1] == "-" and words[at][:2] != "--":
        letters, module, glued = words[at].partition("m")
        if module and not set(letters[1:]) - _PYTHON_LETTERS:
            return ["python", "-m", *([glued] if glued else []), *words[at + 1 :]]
        at += 2 if words[at] in ("-W", "-X") else 1
    return words


_PYTHONS = frozenset({"python", "pypy", "py", "pythonw", "ipython"})
_PYTHON_LETTERS = frozenset("bBdEhiIOqsSuvxP0123456789.")


def _inside(words: "Sequence[str]", wrapper: _Wrapper, at: int, values: list[str]) -> InnerCommand | None:
    values, texts_after, dashes = [*values, *wrapper[0].split()], wrapper[2].split(), "dashes" in wrapper[3]
    skip, texts, first = wrapper[1], list[str](), at
    while at < len(words):
        word = words[at]
        name, assigned, value = word.partition("=")
        if word == "--":
            at += 1
            return _found(words[at + (0 if dashes else skip) :], texts, wrapper)
        if name in texts_after and "rest" in wrapper[3]:
            return _found(words[at + 1 :], texts, wrapper)
        if word.startswith("-") and len(word) > 1:
            if at == first and word in _LOOKUPS and program(words[0]) in ("command", "sudo"):
                return None
            option, value, glued = (
                (name, value, True) if assigned else _with_value(word, (*values, *texts_after))
            )
            if option in texts_after:
                text = value if glued else " ".join(words[at + 1 : at + 2])
                texts.append(text.removeprefix("exec=").removeprefix("commands="))  # as tar and aws write it
            at += 2 if not glued and option in (*values, *texts_after) else 1
        elif skip:
            skip, at = skip - 1, at + 1
        elif dashes or (assigned and name.isidentifier()):
            at += 1
        else:
            break
    return _found(words[at:], texts, wrapper)


def _with_value(word: str, valued: "Sequence[str]") -> tuple[str, str, bool]:
    """Return the option of a word that takes a value, the value, and whether that is in the word too."""
    if word not in valued and word[1] != "-":
        for at, letter in enumerate(word[1:], 2):
            if f"-{letter}" in valued:
                return f"-{letter}", word[at:], at < len(word)
    return word, "", False


def _found(words: "Sequence[str]", texts: list[str], wrapper: _Wrapper) -> InnerCommand | None:
    joined, reads = "joined" in wrapper[3], "reads" in wrapper[3]
    if len(words) == 1 and " " in words[0] and not texts:
        return InnerCommand(texts=(words[0],))  # a shell must be meant
    if texts:
        return InnerCommand(texts=tuple([" ".join([text, *words]) if joined else text for text in texts]))
    if joined and not wrapper[2] and words:
        return InnerCommand(texts=(" ".join(words),))
    return InnerCommand(tuple(words), reads=reads and not words) if words or reads else None
