"""What a project's own manifests define as commands, each with the words it runs.

A host waits for this module: it imports late.
"""

import re
from collections.abc import Callable, Mapping
from itertools import islice

__all__ = [
    "EVERYWHERE",
    "MANIFESTS",
    "is_manifest",
    "lost_words",
    "makefile_includes",
    "scripts_in",
    "words_of",
]

MANIFESTS = {
    "package": ("package.json",),
    "make": ("Makefile", "makefile", "GNUmakefile"),
    "just": ("justfile", "Justfile", ".justfile"),
    "python": ("pyproject.toml",),
    "cargo": (".cargo/config.toml", ".cargo/config"),
    "compose": ("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"),
    "gradle": ("build.gradle.kts", "build.gradle"),
    "composer": ("composer.json",),
    "poe": ("pyproject.toml", "poe_tasks.toml"),
    "task": (
        "Taskfile.yml",
        "Taskfile.yaml",
        "taskfile.yml",
        "taskfile.yaml",
        "Taskfile.dist.yml",
        "pyproject.toml",
    ),
    "tox": ("tox.ini", "tox.toml", "setup.cfg", "pyproject.toml"),
    "nox": ("noxfile.py",),
    "rake": ("Rakefile", "rakefile", "Rakefile.rb"),
}
"""For each family of programs the files that define its commands."""


def is_manifest(path: str, runner: str) -> bool:
    """Tell whether a file can define commands for this family."""
    names = MANIFESTS[runner]
    own = any(path == name or path.endswith(f"/{name}") for name in names)
    return own or path.endswith(_OTHERS.get(runner, "\0"))


_OTHERS = {"make": (".mk",), "gradle": (".gradle", ".gradle.kts"), "rake": (".rake",)}
"""Endings of further files that can define commands."""


def makefile_includes(text: str) -> list[str]:
    """Return the files that a Makefile takes in, as it names them: with stars and variables."""
    return [name for line in _INCLUDE.findall(text.replace("\\\n", " ")) for name in line.split()]


def scripts_in(text: str, runner: str) -> dict[str, str]:
    """Return every command that a manifest defines; a broken manifest defines none."""
    try:
        return _READERS[runner](text)
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}


def words_of(script: str) -> list[str]:
    """Return what a script runs and on what, each word once; options change too little to count."""
    words = (word.strip("\"'`();@-+") for word in _BREAK.split(script) if not word.startswith("-"))
    return list(dict.fromkeys(word for word in words if word))


def lost_words(before: str, after: str) -> list[str]:
    """Return the words of the old script that the new one lacks: with none it still does what it did."""
    kept = {*words_of(after), *EVERYWHERE}
    return [word for word in words_of(before) if word not in kept]


EVERYWHERE = (".", "./", "./...")
"""Words for the whole folder: a script that names a part of it instead still does what it did."""
_BREAK = re.compile(r"[\s;&|=]+")
_RULE = re.compile(r"^([\w./@-][\w./@ \t-]*):(?![=:])[ \t]*(.*)$")
_INCLUDE = re.compile(r"^[ ]*[-s]?include[ \t]+([^\n#]+)", re.MULTILINE)
_RECIPE = re.compile(
    r"^@?([A-Za-z_][\w-]*)((?:\s+(?![\s=])(?:[^:\n\"'`]|\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`)*+)?):(?!=)\s*(.*)$"
)


def _json_scripts(text: str) -> dict[str, str]:
    """Return the scripts of a `package.json` or `composer.json`."""
    import json  # a prompt waits for this module, and few claims need it

    return _lines_of(json.loads(text).get("scripts"))


def _make_targets(text: str) -> dict[str, str]:
    targets: dict[str, str] = {}
    current: list[str] = []
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("\t"):
            for name in current:
                targets[name] += f"\n{line.strip()}"
        elif rule := _RULE.match(line.partition("#")[0].rstrip()):
            current = [name for name in rule[1].split() if not name.startswith(".")]
            for name in current:
                targets[name] = f"{targets.get(name, '')}\n{rule[2]}"
        elif line.strip() and not line.startswith("#"):
            current = []
    return {name: lines.strip() for name, lines in targets.items()}


def _just_recipes(text: str) -> dict[str, str]:
    recipes: dict[str, str] = {}
    current = ""
    for line in text.splitlines():
        if line[:1] in {" ", "\t"}:
            if current:
                recipes[current] += f"\n{line.strip()}"
        elif rule := _RECIPE.match(line):
            current = rule[1]
            recipes[current] = rule[3]
    return recipes


def _python_scripts(text: str) -> dict[str, str]:
    import tomllib

    data = tomllib.loads(text)
    tool = data.get("tool", {})
    hatch = {name: env.get("scripts", {}) for name, env in tool.get("hatch", {}).get("envs", {}).items()}
    tables = [data.get("project", {}).get("scripts", {})]
    tables += [tool.get(name, {}).get("scripts", {}) for name in ("poetry", "pdm", "rye")]
    tables += hatch.values()
    tables += [{f"{env}:{name}": line for name, line in own.items()} for env, own in hatch.items()]
    return {str(name): str(line) for table in tables for name, line in table.items()}


def _cargo_aliases(text: str) -> dict[str, str]:
    import tomllib

    return _lines_of(tomllib.loads(text).get("alias"))


def _compose_services(text: str) -> dict[str, str]:
    names = re.findall(r"^(?:  |\t|    )([\w.-]+):[ \t]*$", _lines_below("services", text), re.MULTILINE)
    return dict.fromkeys(names, "")


def _lines_below(key: str, text: str) -> str:
    """Return the lines below a key of a YAML file, empty without it."""
    found = re.search(rf"^{key}:[^\n]*\n((?:[ \t#][^\n]*\n?|\n)*)", text, re.MULTILINE)
    return found[1] if found else ""


def _gradle_tasks(text: str) -> dict[str, str]:
    return {
        match[1] or match[2] or match[3]: _block(text, match.end())
        for match in islice(_TASK.finditer(text), _MOST_TASKS)
    }


def _block(text: str, start: int) -> str:
    """Return the body in braces that begins on this line, empty when none does."""
    opening = text.find("{", start)
    if opening < 0 or "\n" in text[start:opening]:
        return ""
    text, depth = text[: opening + _LONGEST_TASK], 0
    for at in range(opening, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return text[opening + 1 : at].strip()
    return text[opening + 1 :].strip()


def _rake_tasks(text: str) -> dict[str, str]:
    """Return the tasks of a Rakefile under their full names; the indent tells what a namespace holds."""
    tasks: dict[str, str] = {}
    inside: list[tuple[int, str]] = []
    for line in islice(_RAKE.finditer(text), _MOST_TASKS):
        indent = len(line[1])
        inside = [one for one in inside if one[0] < indent]
        names = [*(name for _, name in inside), line[3]]
        if line[2] == "namespace":
            inside.append((indent, line[3]))
        else:
            tasks[":".join(names)] = ""
    return tasks


_RAKE = re.compile(r"^([ \t]*)(task|namespace|multitask)[ (]+[:\"']?(\w+)", re.MULTILINE)
_LONGEST_TASK, _MOST_TASKS, _LONGEST_NAME = 2_000, 300, 200
"""Characters of a task that are compared, tasks of one file that are read, characters of a name."""
_TASK = re.compile(
    r"""^[ \t]*(?:val\s+(\w+)(?:\s*:[^\n=]*)?\s+by\s+tasks\.(?:registering|creating)"""
    r"""|(?:(?:val|def)\s+\w+\s*=\s*)?tasks\.(?:register|create)(?:<[^>\n]+>)?\s*\(\s*["'](\w+)["']"""
    r"""|task[ (]+["']?(\w+))""",
    re.MULTILINE,
)


def _poe_tasks(text: str) -> dict[str, str]:
    import tomllib

    data = tomllib.loads(text)
    return _lines_of(data.get("tool", {}).get("poe", data).get("tasks"))


def _tasks(text: str) -> dict[str, str]:
    """Return the tasks of a Taskfile, or of taskipy in a `pyproject.toml`."""
    block = _lines_below("tasks", text)
    indent = re.search(r"^[ \t]+(?=[^\s#])", block, re.MULTILINE)
    if indent:
        name = rf"^{indent[0]}[\"']?([A-Za-z_][\w:./-]*)[\"']?"
        rule = rf"{name}:(?!\S)(.*(?:\n(?:{indent[0]}[ \t].*|[ \t]*$))*)"
        return {name: _task_commands(body) for name, body in re.findall(rule, block, re.MULTILINE)}
    import tomllib

    return _lines_of(tomllib.loads(text).get("tool", {}).get("taskipy", {}).get("tasks"))


def _task_commands(body: str) -> str:
    """Return what a task runs: the lines below `cmds`, or the one line that it is."""
    found = _TASK_COMMANDS.search(body)
    return re.sub(r"(?:\b(?:cmd|task):)?[\[\]\"',]*", "", found[1] if found else body.partition("\n")[0])


def _tox_environments(text: str) -> dict[str, str]:
    """Return the environments of tox; any `py312` is one without being named."""
    import tomllib

    try:
        data = tomllib.loads(text)
        tox = data.get("tool", {}).get("tox", {}) if "tool" in data else data
    except tomllib.TOMLDecodeError:
        tox = {"legacy_tox_ini": text}
    found, base = _ini_environments(tox.get("legacy_tox_ini", ""))
    base += _words_in(tox.get("env_run_base", {}).get("commands", ""))
    found |= _lines_of({name: env.get("commands", base) for name, env in tox.get("env", {}).items()})
    return dict.fromkeys(map(str, tox.get("env_list", ())), base) | found


def _ini_environments(text: str) -> tuple[dict[str, str], str]:
    """Return the environments of a `tox.ini` with their commands, and the commands of all others."""
    commands = {names: _TOX_COMMANDS.search(body) for names, body in _TESTENV.findall(text)}
    own = commands.pop("", None)
    base = own[1] if own else ""
    listed = [name for one in _ENVLIST.findall(text) for name in _expand_braces(one)]
    found = {name: base for name in listed if not re.match(r"py(?:py)?\d", name)}
    for names, line in commands.items():
        found |= dict.fromkeys(_expand_braces(names), line[1] if line else base)
    return found, base


def _expand_braces(names: str) -> list[str]:
    """Return the names of a list in which braces stand for each of their words: `{a,b}-x`."""
    done: list[str] = []
    words = re.findall(r"(?:\{[^{}]*\}|[^\s,{}])+", re.sub(r"#.*", "", names))
    waiting = [word for word in words if len(word) <= _LONGEST_NAME]
    while waiting and len(done) < _MOST_TASKS:
        name = waiting.pop()
        braces = re.search(r"\{([^{}]*)\}", name)
        if braces:
            waiting += [name.replace(braces[0], word.strip(), 1) for word in braces[1].split(",")]
        else:
            done.append(name)
    return done


def _nox_sessions(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for options, function, body in islice(_SESSION.findall(text), _MOST_TASKS):
        name = re.search(r"\bname\s*=\s*[\"']([\w.:-]+)", options)
        found[name[1] if name else function] = body
    return found


def _lines_of(table: Mapping[str, object] | None) -> dict[str, str]:
    return {str(name): _words_in(value) for name, value in (table or {}).items()}


def _words_in(value: object) -> str:
    """Return what a task runs, however it is written: a line, a list of them, a table with more about it."""
    if isinstance(value, Mapping):
        return " ".join(_words_in(one) for name, one in value.items() if name not in {"help", "env", "args"})
    return " ".join(map(_words_in, value)) if isinstance(value, list) else str(value)


_TESTENV = re.compile(r"^\[testenv(?::([^\]\n]+))?\]((?:\n(?!\[).*)*)", re.MULTILINE)
_TOX_COMMANDS = re.compile(r"^commands[ \t]*=(.*(?:\n[ \t]+.*)*)", re.MULTILINE)
_ENVLIST = re.compile(r"^env_?list[ \t]*=(.*(?:\n[ \t]+.*)*)", re.MULTILINE)
_TASK_COMMANDS = re.compile(r"^\s*cmds?:(.*(?:\n[ \t]*(?:-|(?!\w+:)).*)*)", re.MULTILINE)
_SESSION = re.compile(
    r"^@(?:nox\.)?session\b((?:(?!def ).*\n){1,40}?)def (\w+)\(.*\n((?:[ \t]+.*\n?|\n)*)", re.MULTILINE
)
_READERS: dict[str, Callable[[str], dict[str, str]]] = {
    "package": _json_scripts,
    "make": _make_targets,
    "just": _just_recipes,
    "python": _python_scripts,
    "cargo": _cargo_aliases,
    "compose": _compose_services,
    "gradle": _gradle_tasks,
    "rake": _rake_tasks,
    "composer": _json_scripts,
    "poe": _poe_tasks,
    "task": _tasks,
    "tox": _tox_environments,
    "nox": _nox_sessions,
}
