"""Detect a text that only repeats what the project shows: its code, its history, the current task."""

import re

__all__ = ["derivable"]

MOST = 0.6
"""Share of lines that makes a text a list of one thing, though it has a heading or a closing sentence."""
MAX_STATEMENT = 400
"""Characters of a plain statement: a longer text holds something besides."""


def derivable(body: str) -> str | None:
    """Return what of the project's state a text repeats, in words; None when it also argues or warns."""
    if _REASON.search(body.lower()):
        return None
    lines = [line for line in body.splitlines() if line.strip()]
    return _listed(body, lines) or _told(body) or _stated(body) or _defined(body, lines)


def _listed(body: str, lines: list[str]) -> str | None:
    """Return what a list of one kind of thing repeats."""
    if len(_TREE.findall(body)) > 1 or _share(_LISTED_PATH, lines) > MOST:
        return _LAYOUT
    if _share(_COMMIT_LINE, lines) > MOST:
        return _HISTORY
    return _RUNNING if _share(_CHECKBOX, lines) > MOST else None


def _told(body: str) -> str | None:
    """Return what a text repeats in which such a thing is told anywhere."""
    if _COMMIT_TOLD.search(body):
        return _HISTORY
    if _FIXED_BY.search(body):
        return _FIX
    return _RUNNING if _TASK.search(body) else None


def _stated(body: str) -> str | None:
    """Return what a short text repeats if each of its sentences states nothing else."""
    body = body.strip()
    if len(body) > MAX_STATEMENT or re.search(_MORE, body.lower()):
        return None
    sentences = [part for part in _SENTENCE_END.split(body) if part.strip()]
    found = [_statement(sentence.strip(" \t\n*-#")) for sentence in sentences]
    return found[0] if found and all(found) else None


def _statement(sentence: str) -> str | None:
    return next(
        (what for what, pattern in _STATEMENTS.items() if re.search(pattern, sentence, re.IGNORECASE)), None
    )


def _defined(body: str, lines: list[str]) -> str | None:
    return _STRUCTURE if len(lines) < 4 and _DEFINED_IN.search(body) else None


_LAYOUT = "the layout of files"
_STRUCTURE = "the structure of the code"
_HISTORY = "git history"
_FIX = "a fix that is already in the code"
_RUNNING = "the state of a running task"

# A text that argues or warns, here in lower case, holds what no file shows.
_REASON = re.compile(
    r"\b(?:why|because|surpris\w+|unexpected\w*|despite|although|even though|gotcha|beware|careful|on purpose"
    r"|intentional\w*|deliberate\w*|never|must|don't|do not|avoid|instead of|prefers?|asked|agreed|decided"
    r"|weil|warum|parce que|porque)\b|因为|不要"
)
# In a plain statement these go beyond the code: who decides, how long, what to heed.
_MORE = (
    r"\b(?:not|no|only|but|until|unless|ask|always|every|each|should|may|needs?|keeps?|stays?|please"
    r"|make sure|first|own(?:s|ed|er)?|vendor|upstream|legal|customers?|clients?(?!\.)|audit\w*|agency"
    r"|teams?|legacy|frozen|protected|wrong|by hand|generated|source of truth|expect|due|blocked|approv\w+"
    r"|tickets?|secrets?|wiki|before|when|if|stale|paid|slow\w*|minutes?|hours?|seconds?|days?|limits?"
    r"|partners?|plugins?|outside|public|costs?|breaks?|fails?)\b"
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")

_ENDINGS = "py|tsx?|jsx?|go|rs|java|kt|rb|c|h|cpp|cs|sh|php|md|json|ya?ml|toml|sql|css|html"
_NO_HOST = r"(?!(?:[a-z0-9-]+\.)+[a-z]{2,}/)"
_FILE = rf"{_NO_HOST}[\w.@/-]*[\w-]\.(?:{_ENDINGS})\b"
_FOLDER = rf"{_NO_HOST}(?:[\w.@-]+/)+(?![\w/])"
_PLACE = (
    rf"(?:(?<![\w/~:.@-])`?(?:{_FILE}|{_FOLDER}|(?:[\w@-]+/){{2,}}[\w.@-]+)`?"
    r"|(?:the )?root(?: (?:folder|directory))?(?: of the (?:repo(?:sitory)?|project))?)[.!]?\Z"
)
_NAME = r"(?:`[\w.:]+(?:\(\))?`|\w+\(\)|(?-i:[A-Z]?[a-z]+[A-Z]\w+)|[a-z]+_[a-z_]+)"
_NOUN = "(?:function|method|class|struct|interface|component|hook|constructor|endpoint|trait|enum|module)"
_NOUN_NAME = rf"\b{_NOUN} (?!(?:of|to|for|and|in|that|which|is|are|has|we|must)\b)`?\w+`?(?:\(\))?"
_COMMIT = r"`?(?=[a-f]{0,40}\d)[0-9a-f]{7,40}`?"
_DID = (
    r"(?:add(?:ed|s)|fix(?:ed|es)|renamed|removed|merged|introduced|refactored|bumped|changed|changes|moved|touched"
    r"|rewrote|reverted|deleted|replaced|split|updated|dropped)\b"
)
_DOING = (
    r"(?:working on|implementing|fixing|refactoring|debugging|writing|adding|building|rewriting|cleaning up)"
)
_WORK = (
    r"(?:form|page|parser|bug|endpoint|login|function|component|tests?|branch|pr|validation|query|refactoring|screen"
    r"|button|dialog|handler|pagination)"
)
_NOW = r"(?:currently|right now|at the moment|just now|presently)"
_I_AM = r"^(?:i am|i'm|im|we are|we're)"
_NO_TASK = r"(?!.*\b(?:degree|thesis|book)\b)"

_STATEMENTS = {
    _RUNNING: (
        rf"{_I_AM} (?:{_NOW}|still) {_DOING} {_NO_TASK}"
        rf"|{_I_AM} (?:(?:now|just) )?{_DOING} {_NO_TASK}.*\b(?:{_WORK}|{_NOW})\b|\bin the middle of {_DOING}"
        r"|^(?:the |our )?current (?:task|step) is\b|^(?:done|left|remaining|still open)\s*:"
        rf"|\b(?:tests?|build|ci) (?:is|are) (?:failing|red|broken|green|passing)\b.*\b(?:{_NOW}|now)\b"
        r"|^(?:today|yesterday) (?:i|we) (?:finished|did|started|wrote|added|implemented|fixed)\b"
    ),
    _HISTORY: (
        rf"\b{_COMMIT} {_DID}|\b(?:in|with|by) commit {_COMMIT}[.!]?\Z|^merged (?:pr|mr) #?\d+\b"
        rf"|\bthe (?:last|latest|previous) (?:commit|merge|pr) {_DID}"
    ),
    _FIX: (
        r"\b(?:fixed|solved|resolved) (?:in|with|by) (?:pr|mr|commit|#)\s?#?\w+[.!]?\Z"
        r"|\b(?:bug|crash|error|failure|tests?|exception)\b.{1,60}\b(?:caused by|came from|due to|since"
        r"|failed)\b.{1,80}[;,] (?:(?:i|we|it is|it was) )?(?:now )?(?:fixed|added|solved|resolved|changed)\b"
    ),
    _LAYOUT: (
        rf"^(?:the )?(?:folder |directory )?`?{_FOLDER}`? (?:contains|holds|mirrors)\b"
        rf"|\b(?:repo|project|repository|codebase)\b.*{_FOLDER}.*{_FOLDER}"
    ),
    _STRUCTURE: (
        rf"^(?:the )?(?:file |module )?`?{_FILE}`? (?:contains|holds|defines|exports|implements|has)\b"
        rf"|^(?:the )?(?:main )?entry ?point\b.{{0,40}} is (?:in )?{_PLACE}"
        r"|^[^,;:]{2,70} (?:is|are|lives?|sits?)"
        r"(?: (?:defined|declared|implemented|registered|configured|loaded|read|stored|found|located|called"
        rf"|handled))? (?:in|at|under|inside|from|by) (?:the )?(?:file )?{_PLACE}"
        rf"|(?:{_NOUN_NAME}|^(?:the )?{_NAME})"
        r" (?:takes|accepts|returns|expects|extends|inherits|implements|wraps|calls|is called (?:from|by))\b"
        r"|^(?:the )?\w+ (?:table |model |class )?has (?:\d+|two|three|four|five|six|the) "
        r"(?:fields?|columns?|methods?|attributes?|arguments?|param(?:eter)?s?|props|properties)\b(?::|[^,;]*\Z)"
    ),
}
"""What one sentence repeats; most forms reach to its end, so that one that goes on is left alone."""

_PATH = (
    r"`?(?:[\w.@-]+/)+[\w.@-]*`?"
    r"|`?[\w-]+\.(?:py|tsx?|jsx?|go|rs|java|rb|c|h|cpp|cs|sh|md|json|ya?ml|toml|sql)\b`?"
)
_TREE = re.compile(r"^[ \t│|]*+[├└]──", re.MULTILINE)
_LISTED_PATH = re.compile(rf"\s*+(?:[-*+]|\d{{1,3}}\.)?+\s*+(?:{_PATH})(?:\s|:|$)")
_DEFINED_IN = re.compile(
    r"\b(?:function|class|method|module|component|struct|interface|constant|endpoint|route|handler|table|tests?)\b"
    r"[^.\n]{0,80}\b(?:is|are|lives?|sits?|located|defined|declared|implemented)\b[^.\n]{0,30}\b(?:in|at|under)"
    rf"\s+(?:{_PATH})",
    re.IGNORECASE,
)
_COMMIT_LINE = re.compile(r"\s*+(?:[-*+]|\d{1,3}\.)?+\s*+`?[0-9a-f]{7,40}`?[\s:]++\w")
_COMMIT_TOLD = re.compile(
    r"\b(?:commit|PR|MR|pull request)\s+#?`?[0-9a-f]{1,40}`?[^.\n]{0,20}"
    r"\b(?:added|adds|fixed|fixes|renamed|removed|merged|introduced|refactored|bumped)\b",
    re.IGNORECASE,
)
_FIXED_BY = re.compile(
    r"\b(?:fixed|solved|resolved|fix(?:es)?)\b[^.\n]{0,80}\bby\s+"
    r"(?:adding|changing|replacing|removing|renaming|moving|updating|importing|setting|wrapping|casting)\b",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"^[ \t*#-]*+(?:(?:currently|right now|at the moment)\b[ ,]*(?:i am |i'm |we are |we're )?(?:working"
    r"|implementing|fixing|refactoring|debugging|writing|on step)\b|(?:next steps?|remaining(?: steps?"
    r"| tasks?| work)?|still to do|to-?do|in progress|done so far)\**+[ \t]*+:)",
    re.IGNORECASE | re.MULTILINE,
)
_CHECKBOX = re.compile(r"\s*[-*+] \[[ xX]\] ")


def _share(pattern: re.Pattern[str], lines: list[str]) -> float:
    """Return how much of a text of three lines or more is of one form."""
    return sum(1 for line in lines if pattern.match(line)) / len(lines) if len(lines) >= 3 else 0
