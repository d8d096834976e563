"""What a rule has to know about other programs than git: their options, and which run code of their own."""

from memdir.core.shell_invocation import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["NAMED_BY_KIND", "SAME", "VALUED", "starts_programs"]

VALUED = {
    "docker": "-H --host -c --context --config -l --log-level",
    "podman": "-c --connection --url --log-level",
    "kubectl": "-n --namespace --context --cluster --kubeconfig -s --server --token --user --as -l "
    "--selector -f --filename -o --output -c --container --timeout --grace-period",
    "helm": "-n --namespace --kube-context --kubeconfig -f --values --set --version",
    "terraform": "",
    "npm": "--prefix -w --workspace --registry --loglevel -C --tag --access --otp",
    "pnpm": "-C --dir --filter -F --tag --access",
    "yarn": "--cwd --tag --access",
    "cargo": "-C --config -Z --manifest-path -p --package --target --color",
    "gh": "-R --repo",
    "aws": "--profile --region --output --endpoint-url --query",
    "gcloud": "--project --account --configuration --region --zone --format",
    "make": "-C -f -I -o -W",
    "pip": "-r -c -i --index-url --cache-dir --log --proxy -t --target",
    "psql": "-h -p -U -d -c -f -v -o -F -R -T -P --host --port --username --dbname --command --file",
    "mysql": "-h -P -u -D -e --host --port --user --database --execute",
    "git": "",
    "rm": "",
}
"""Options that take the next word, of programs that many rules are about; of other programs, any might."""

SAME = {
    "rm": {"-R": "-r", "--recursive": "-r", "--force": "-f"},
    "cp": {"-R": "-r", "--recursive": "-r", "--force": "-f"},
    "git": {"-f": "--force", "-d": "--delete"},
    "chmod": {"--recursive": "-R"},
    "chown": {"--recursive": "-R"},
}
"""Options that mean the same."""

NAMED_BY_KIND = frozenset({"kubectl", "oc"})
"""Programs that write the kind of a thing before its name: `namespace/prod`."""


def starts_programs(words: "Sequence[str]", stdin: str) -> str:
    """Return the code that an interpreter is given in the command itself, if that starts other programs."""
    name = program(words[0]).rstrip("0123456789.")
    if name == "sed":
        return _run_by_sed(words[1:])
    options = _INLINE.get(name)
    if options is None:
        return ""
    code = "\n".join([*words[1:], stdin]) if options == "" or {*options.split()} & {*words} else stdin
    starts = (*_STARTS, *_PIPES) if name in _PIPING else _STARTS
    return code if any(start in code for start in starts) else ""


_INLINE = {
    **dict.fromkeys(("python", "pypy", "ipython"), "-c"),
    "perl": "-e -E -ne -pe",
    **dict.fromkeys(("ruby", "jruby"), "-e"),
    "node": "-e -p --eval --print",
    "bun": "-e",
    "deno": "eval",
    "php": "-r",
    **dict.fromkeys(("lua", "luajit"), "-e"),
    "osascript": "-e",
    "awk": "",
    "emacs": "",
    **dict.fromkeys(("vi", "vim", "nvim", "ex", "view", "gvim"), ""),
    **dict.fromkeys(("pwsh", "powershell"), ""),
    "rscript": "-e",
    "julia": "-e -E",
    "groovy": "-e",
    "elixir": "-e",
    "expect": "-c",
}
"""Interpreters, and the options after which code stands in the command; empty where it always does."""

_CALLS = ("system", "popen", "spawn", "exec", "subprocess", "child_process", "check_call", "check_output")
_SAYS = ("shell-command", "call-process", "start-process", "invoke-", "Start-Process", "Invoke-", "iex ")
_STARTS = (*_CALLS, *_SAYS, "`", "qx", "%x", "do shell")
_PIPING = frozenset({"awk", "perl"})
_PIPES = ('| "', '|"', '" |', '"|', "'|", "|'")
"""How a text beside a pipe is a command in their language."""


def _run_by_sed(words: "Sequence[str]") -> str:
    """Return the scripts of sed that run a command: `e` after an address, or as a flag of `s`."""
    scripts = [word.removeprefix("--expression=").removeprefix("-e") for word in words]
    return "\n".join([script for script in scripts if any(map(_runs, _steps(script)))])


def _steps(script: str) -> list[str]:
    return script.replace("\n", ";").replace("{", ";").split(";") if "e" in script else []


def _runs(step: str) -> bool:
    """Tell whether one step of a script, behind the lines it is for, runs a command."""
    step = step.lstrip(_ADDRESS)
    while step.startswith("/") and "/" in step[1:]:
        step = step[1:].partition("/")[2].lstrip(_ADDRESS)
    if step[:1] == "s" and len(step) > 3:
        flags = step[2:].split(step[1])[2:3]
        return bool(flags) and "e" in flags[0].partition("w")[0] and flags[0].partition("w")[0].isalnum()
    return step[:2] in ("e", "e ", "e\t")


_ADDRESS = "0123456789,$~!+I \t"
