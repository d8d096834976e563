"""Which options programs have: which take a value, which mean the same, and other sub-command names.

A row is a program, or one of its sub-commands, with options in one notation: `-f/--file=` is one option with
two spellings that takes a value, `-j/--jobs#` takes one only if that is a number, `-D>--delete/--force` is
both of those, `//` says that one dash and two are the same and letters never stand together, `+` that a first
word with a plus is no operand. A sub-command has its own options and those of the program. Plain constants: a
hook loads the table for one row of it.

A host waits for this module: it does without `typing`.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Spelling = tuple[tuple[str, ...], str]
    """The names that an option stands for, and `=`, `#` or nothing for what it takes."""

__all__ = ["ALSO_MEANS", "OTHER_COMMANDS", "PROGRAM_OPTIONS", "spellings"]

_DATABASE = "-h/--host= -p/--port= -U/--username= -w/--no-password -W/--password"
_AT_FOLDER = "-C/--directory= -p/--project= -q/--quiet -v/--verbose -n/--no-interaction --ansi --no-ansi"
_COPY = (
    "-r/-R/--recursive -f/--force -t/--target-directory= -S/--suffix= -i -v -a -p -n -u -T -L -P -l "
    "-s/--symbolic"
)
_SEARCH = (
    "-e/--regexp= -f/--file= -A= -B= -C= -m= -g/--glob= -t/--type= -T= -i -n -r -l -c -v -w -o -q -F -E -P "
    "-H -h -s"
)
_COMPOSE = (
    "-f/--file= -p/--project-name= --profile= --env-file= --project-directory= --ansi= --parallel= "
    "--progress= --compatibility --dry-run --all-resources --verbose"
)
_RUN_IN = (
    "-v/--volume= -e/--env= -p/--publish= -w/--workdir= -u/--user= -l/--label= -h/--hostname= -m/--memory= "
    "--name= --network= --net= --mount= --env-file= --platform= --add-host= --cpus= --gpus= --device= "
    "--cap-add= --cap-drop= --security-opt= --ulimit= --restart= --pull= --volumes-from= --shm-size= "
    "--index= --entrypoint= -d/--detach -i/--interactive -t/--tty --rm --init --privileged -T --no-TTY "
    "--no-deps --service-ports"
)
_UV = (
    "--project= --directory= --config-file= --cache-dir= -p/--python= --color= -q/--quiet -v/--verbose -n "
    "--offline"
)
PROGRAM_OPTIONS = {
    "alembic": "-c/--config= -n/--name= -x= --raiseerr -q/--quiet",
    "apt": "-o/--option= -c/--config-file= -t/--target-release= -y/--yes/--assume-yes -q/--quiet --purge",
    "aws": "--profile= --region= --output= --endpoint-url= --query= --ca-bundle= --color= "
    "--cli-read-timeout= --cli-connect-timeout= --debug --recursive",
    "az": "--subscription= -o/--output= --query= -n/--name= -g/--resource-group= --only-show-errors "
    "--verbose --debug -y/--yes",
    "bun": "--cwd= -c/--config= --silent -i",
    "bundle": "--gemfile=",
    "cargo": "+ --manifest-path= -C= --config= -Z= -p/--package= --target= --target-dir= --color= "
    "--features= -F= -j/--jobs= --profile= -q/--quiet -v/--verbose --release --locked --offline --frozen "
    "--workspace --all",
    "chmod": "-R/--recursive",
    "chown": "-R/--recursive",
    "conda": "-n/--name= -p/--prefix= --cwd= -q/--quiet -v --no-capture-output --live-stream",
    "cp": _COPY,
    "curl": "-X/--request= -d/--data= -H/--header= -o/--output= -u/--user= -A= -b= -c= -e= -F/--form= "
    "-T/--upload-file= -m= -x/--proxy= -w= -K= -E= -C= -r= -s -S -L -f -k -i -I -v -O -g -N -G",
    "docker": "-H/--host= -c/--context= --config= -l/--log-level= -D/--debug --tls --tlsverify",
    "docker compose": _COMPOSE,
    "docker compose down": "-v/--volumes -t/--timeout= --rmi= --remove-orphans",
    "docker compose exec": _RUN_IN,
    "docker compose logs": "-f/--follow -n/--tail= -t --since=",
    "docker compose rm": "-f/--force -s/--stop -v/--volumes",
    "docker compose run": _RUN_IN,
    "docker compose up": "-d/--detach -V/--renew-anon-volumes -t/--timeout= --scale= --build --wait",
    "docker exec": _RUN_IN,
    "docker rm": "-f/--force -v/--volumes -l/--link",
    "docker run": _RUN_IN,
    "docker system prune": "-a/--all -f/--force --volumes --filter=",
    "fly": "-a/--app= -c/--config= -t/--access-token= --verbose",
    "gcloud": "--project= --account= --configuration= --region= --zone= --format= --verbosity= "
    "--billing-project= --impersonate-service-account= --flags-file= -q/--quiet",
    "gh": "-R/--repo= -t/--title= -b/--body= -F/--body-file= -B/--base= -H/--head= -l/--label= "
    "-a/--assignee= -q/--jq= --json= -m/--milestone= -r/--reviewer= -L/--limit= --hostname= -s/--state= "
    "-w/--workflow=",
    "git": "-C= -c= --git-dir= --work-tree= --namespace= --exec-path= --config-env= --attr-source= "
    "-p/--paginate -P/--no-pager --bare",
    "git add": "-A/--all -f/--force -u/--update -p/--patch",
    "git branch": "-D>--delete/--force -d/--delete -f/--force -M>--move/--force -m/--move -a/--all "
    "-r/--remotes -u/--set-upstream-to= --list",
    "git checkout": "-f/--force -b= -B= --orphan= -q/--quiet",
    "git clean": "-f/--force -n/--dry-run -e/--exclude= -d -x -X -q/--quiet -i/--interactive",
    "git commit": "-n/--no-verify -m/--message= -F/--file= -C/--reuse-message= -c/--reedit-message= "
    "-t/--template= --author= --date= --fixup= --squash= --cleanup= --trailer= -a/--all -s/--signoff "
    "-q/--quiet -v/--verbose -e/--edit -S -u --amend --no-edit",
    "git fetch": "-f/--force -n/--no-tags -p/--prune -t/--tags -a/--all -j/--jobs=",
    "git grep": _SEARCH,
    "git log": "--grep= --author= --committer= --since= --until= --format= --pretty= -n/--max-count= -S= "
    "-G= -L=",
    "git merge": "-n/--no-stat -m/--message= -F= -s/--strategy= -X= -q/--quiet --no-verify --no-ff",
    "git push": "-f/--force -d/--delete -n/--dry-run -o/--push-option= --receive-pack= --exec= --repo= "
    "-u/--set-upstream -q/--quiet -v/--verbose",
    "git rebase": "-i/--interactive --onto= -s/--strategy= -X= -x/--exec= -f/--force-rebase -q/--quiet",
    "git reset": "-q/--quiet -N -p/--patch",
    "git rm": "-r/--recursive -f/--force -n/--dry-run -q/--quiet --cached",
    "git stash": "-m/--message= -u/--include-untracked -a/--all -k -q -p",
    "git switch": "-c/--create= --force-create/-C= -f/--discard-changes/--force -d/--detach -q/--quiet "
    "--orphan=",
    "git tag": "-d/--delete -f/--force -a/--annotate -m/--message= -F= -s/--sign -u= -l/--list -n",
    "go": "// -C= -run= -tags= -o= -ldflags= -gcflags= -mod= -count= -timeout= -p= -bench= -v -race",
    "grep": _SEARCH,
    "hatch": "-e/--env= -p/--project= -c/--color -q/--quiet -v/--verbose --data-dir= --cache-dir= --config=",
    "helm": "-n/--namespace= --kube-context= --kubeconfig= -f/--values= --set= --set-string= --set-file= "
    "--version= --timeout= --repo= --kube-apiserver= --kube-token= --registry-config= -o/--output= --debug "
    "--dry-run --wait --atomic -i/--install --create-namespace",
    "heroku": "-a/--app= -r/--remote=",
    "kubectl": "-n/--namespace= --context= --cluster= --kubeconfig= -s/--server= --token= --user= --as= "
    "-l/--selector= -f/--filename= -o/--output= -c/--container= --timeout= --grace-period= "
    "--request-timeout= -v/--v= --image= --field-selector= --cascade= --as-group= --cache-dir= --template= "
    "-k/--kustomize= -A/--all-namespaces --all --force --now --wait --ignore-not-found -R/--recursive "
    "-i/--stdin -t/--tty",
    "ln": _COPY,
    "make": "-C/--directory= -f/--file/--makefile= -I/--include-dir= -o/--old-file= -W/--what-if= "
    "-E/--eval= -j/--jobs# -l/--load-average# -s/--silent/--quiet -k/--keep-going -B/--always-make "
    "-n/--dry-run/--just-print -i -r -R -q -e -d -w -S -t -v --no-print-directory --trace --debug",
    "mise": "-C/--cd= -E/--env= -j/--jobs= -q/--quiet -v/--verbose -y/--yes",
    "mv": _COPY,
    "mysql": "-h/--host= -P/--port= -u/--user= -D/--database= -e/--execute= -S/--socket= -N -B -s -t -v -p",
    "npm": "--prefix= -C= -w/--workspace= --registry= --loglevel= --tag= --access= --otp= --userconfig= "
    "--cache= --omit= --include= --scope= --script-shell= --package= -c/--call= -s/--silent -q/--quiet "
    "-d/--verbose -g/--global -y/--yes -f/--force -D/--save-dev -S/--save -E/--save-exact -ws/--workspaces "
    "--if-present --json --offline --dry-run --legacy-peer-deps --ignore-scripts --production "
    "--include-workspace-root",
    "pip": "-r/--requirement= -c/--constraint= -i/--index-url= --extra-index-url= --cache-dir= --log= "
    "--proxy= -t/--target= --python= --timeout= --retries= --trusted-host= --cert= --root= --prefix= "
    "-f/--find-links= -q/--quiet -v/--verbose -U/--upgrade -e/--editable= --user --isolated "
    "--disable-pip-version-check -y/--yes --pre",
    "npx": "-p/--package= -c/--call= -w/--workspace= -y/--yes -q/--quiet --no --no-install",
    "pnpm": "-C/--dir= -F/--filter= --tag= --access= -w/--workspace-root -r/--recursive --loglevel= "
    "--reporter= -s/--silent --parallel --stream -c/--shell-mode",
    "poetry": "-C/--directory= -P/--project= -n/--no-interaction -q/--quiet -v/--verbose --no-ansi --ansi "
    "--no-plugins",
    "pdm": _AT_FOLDER,
    "psql": f"{_DATABASE} -d/--dbname= -c/--command= -f/--file= -v/--set/--variable= -o/--output= -P/--pset= "
    "-F= -R= -T= -L= -q/--quiet -l/--list -t -A -a -x -X -1 -n -E -b -e -s -S -H",
    **dict.fromkeys(
        ("pg_dump", "pg_restore", "dropdb", "createdb"), f"{_DATABASE} -d/--dbname= -f/--file= -F="
    ),
    "python": "-W= -X= -c= -m= -u -B -E -I -s -S -O -v -q -b -d -i",
    "redis-cli": "-h= -p= -n= -a= -u= -s= -r= -i= --user= --pass= --no-auth-warning --raw -c --tls "
    "--scan --pattern= --count= --eval= --rdb= --pipe --bigkeys --memkeys --hotkeys --latency --stat -x -X= "
    "-3",
    "rg": _SEARCH,
    "rm": "-r/-R/--recursive -f/--force -v/--verbose -i -I -d/--dir",
    "sed": "-i/--in-place -n/--quiet/--silent -e/--expression= -f/--file= -E/-r/--regexp-extended -s -z -u",
    "ssh": "-b= -c= -D= -E= -e= -F= -I= -i= -J= -L= -l= -m= -O= -o= -p= -Q= -R= -S= -W= -w= -B=",
    "systemctl": "-H/--host= -M/--machine= -t/--type= -p/--property= --root= -n= -o= -s/--signal= "
    "--kill-whom= -q/--quiet -f/--force -l/--full -a/--all --user --system --now --no-block --no-pager",
    "terraform": "// -chdir= -var= -var-file= -target= -out= -state= -backend-config= -lock-timeout= "
    "-parallelism= -replace= -auto-approve -json -destroy -refresh-only -input -upgrade -no-color "
    "-compact-warnings",
    "uv": _UV,
    "vercel": "-t/--token= --scope= --cwd= -A/--local-config= -Q= -T= -e/--env= -b/--build-env= --target= "
    "-d/--debug -y/--yes -p/--prod",
    "yarn": "--cwd= --tag= --access= --registry= --use-yarnrc= -s/--silent",
}
for _name in ("podman", "nerdctl", "buildah"):
    PROGRAM_OPTIONS |= {
        f"{_name} {_step}": _RUN_IN for _step in ("exec", "run", "compose exec", "compose run")
    }
for _name in ("mamba", "micromamba"):
    PROGRAM_OPTIONS[_name] = PROGRAM_OPTIONS["conda"]
for _name in ("slogin", "rsh", "dbclient"):
    PROGRAM_OPTIONS[_name] = PROGRAM_OPTIONS["ssh"]
PROGRAM_OPTIONS["tofu"] = PROGRAM_OPTIONS["terraform"]
PROGRAM_OPTIONS["oc"] = PROGRAM_OPTIONS["kubectl"]

OTHER_COMMANDS = {
    "docker container": "docker",
    "docker image push": "docker push",
    "docker image pull": "docker pull",
    **dict.fromkeys(("docker image build", "docker buildx build", "docker builder build"), "docker build"),
    "docker image rm": "docker rmi",
    "docker image remove": "docker rmi",
    "docker image list": "docker images",
    "docker image ls": "docker images",
    "docker remove": "docker rm",
    **dict.fromkeys(("docker ls", "docker list"), "docker ps"),
    **{f"docker {one} remove": f"docker {one} rm" for one in ("volume", "network", "context", "secret")},
    **{f"docker {one} list": f"docker {one} ls" for one in ("volume", "network", "context", "secret")},
    **dict.fromkeys(("brew rm", "brew remove"), "brew uninstall"),
    "brew up": "brew update",
    **dict.fromkeys(("bun i", "bun add", "bun a"), "bun install"),
    **dict.fromkeys(("bun rm", "bun r"), "bun remove"),
    "cargo b": "cargo build",
    "cargo c": "cargo check",
    "cargo d": "cargo doc",
    "cargo r": "cargo run",
    "cargo rm": "cargo remove",
    "cargo t": "cargo test",
    "conda uninstall": "conda remove",
    **{f"{one} erase": f"{one} remove" for one in ("dnf", "yum")},
    "gcloud alpha": "gcloud",
    "gcloud beta": "gcloud",
    **dict.fromkeys(("helm delete", "helm del", "helm un"), "helm uninstall"),
    **{f"gh {one} new": f"gh {one} create" for one in ("pr", "issue", "release", "repo", "project", "label")},
    "gh cs": "gh codespace",
    "gh pr co": "gh pr checkout",
    "git remote rm": "git remote remove",
    "git send-pack": "git push",
    "git stage": "git add",
    **dict.fromkeys(("kubectl rm", "oc rm"), "kubectl delete"),
    **dict.fromkeys(("npm i", "npm in", "npm ins", "npm add", "npm isntall"), "npm install"),
    **dict.fromkeys(("npm rm", "npm r", "npm un", "npm remove", "npm unlink"), "npm uninstall"),
    **dict.fromkeys(("npm clean-install", "npm ic", "npm install-clean", "npm isntall-clean"), "npm ci"),
    "npm run-script": "npm run",
    **dict.fromkeys(("npm t", "npm tst"), "npm test"),
    **dict.fromkeys(("npm up", "npm upgrade"), "npm update"),
    "npm verison": "npm version",
    "npm x": "npm exec",
    **dict.fromkeys(("pnpm i", "pnpm add"), "pnpm install"),
    **dict.fromkeys(("pnpm rm", "pnpm un", "pnpm uninstall"), "pnpm remove"),
    **dict.fromkeys(("pulumi down", "pulumi dn"), "pulumi destroy"),
    "pulumi update": "pulumi up",
    "vercel deploy": "vercel",
    "vercel rm": "vercel remove",
}
"""Sub-commands that mean the same as another one."""
for _name in ("podman", "nerdctl"):
    OTHER_COMMANDS |= {
        one.replace("docker", _name, 1): same.replace("docker", _name, 1)
        for one, same in OTHER_COMMANDS.items()
        if one.startswith("docker ")
    }

_TERRAFORM = (("apply", "-destroy", "destroy"), ("apply", "-refresh-only", "refresh"))
ALSO_MEANS = {
    "apt": (
        ("remove", "--purge", "purge"),
        ("purge", "", "remove"),
        ("purge", "", "remove --purge"),
        ("autoremove", "", "remove"),
    ),
    "docker": (("compose up", "--build", "compose build"),),
    "git": (
        ("switch", "--create", "checkout -b"),
        ("switch", "-C", "checkout -B"),
        ("switch", "--force", "checkout --force"),
    ),
    "helm": (("upgrade", "--install", "install"),),
    "npm": (
        *[(one, "", both) for one in ("install-test", "it") for both in ("install", "test")],
        *[(one, "", both) for one in ("clean-install-test", "cit") for both in ("ci", "test")],
    ),
    "systemctl": (
        ("disable", "--now", "stop"),
        ("mask", "--now", "stop"),
        ("enable", "--now", "start"),
    ),
    "terraform": _TERRAFORM,
    "tofu": _TERRAFORM,
    "yarn": (("workspace *", "", ""),),
}
"""Sub-commands, with `*` for any word; the option with which they do what another does, empty for always; and
that other one."""

_KNOWN: "dict[str, dict[str, Spelling]]" = {}


_DEEPEST = 8
"""Words of a sub-command that are looked at: no program has so many below each other."""


def spellings(path: str) -> "Mapping[str, Spelling] | None":
    """Return each spelling of the options of a program or sub-command; None for one that is not known."""
    path = " ".join(path.split(" ", _DEEPEST)[:_DEEPEST])
    if path not in _KNOWN:
        above = spellings(path.rpartition(" ")[0]) if " " in path else None
        if path.startswith("git "):
            above = {}  # its own options stand in front of the command
        if path not in PROGRAM_OPTIONS:
            return above
        _KNOWN[path] = {**(above or {}), **_row(PROGRAM_OPTIONS[path])}
    return _KNOWN[path]


def _row(text: str) -> "dict[str, Spelling]":
    found: dict[str, Spelling] = {}
    for one in text.split():
        taken = one[-1] if one[-1] in "=#" else ""
        names, means, all_of = one.rstrip("=#").partition(">")
        spelled = names.split("/") if one != "//" else [one]
        meant = tuple(all_of.split("/")) if means else (spelled[-1],)
        for name in spelled:
            found[name] = (meant, taken)
    return found
