"""Sentences that belong to the work at hand: orders, state, fixes, and what the project itself shows."""

import re

from memdir.extract.heuristics.sentences import Sentence
from memdir.memories.review import derivable_hint

__all__ = ["is_derivable", "is_order", "is_recipe", "is_specification", "is_task_state"]


def is_order(bare: str) -> bool:
    """Whether a sentence asks for a piece of work."""
    return _ORDER.match(bare) is not None


def is_derivable(sentence: Sentence) -> bool:
    """Whether a sentence tells what files and history show at any time."""
    text = _ADDRESS.sub("https://elsewhere", sentence.text)
    return derivable_hint(text) is not None or _DERIVABLE.search(text) is not None


def is_recipe(sentence: Sentence) -> bool:
    """Whether a sentence tells how something was mended."""
    return _RECIPE.search(sentence.bare) is not None


def is_task_state(sentence: Sentence) -> bool:
    """Whether a sentence tells how far the work is."""
    return _TASK.search(sentence.bare) is not None


def is_specification(sentence: Sentence) -> bool:
    """Whether a sentence says what code shall do; also the second sentence of an order for code."""
    if _SPECIFICATION.search(sentence.bare):
        return True
    if _COMPOSE.search(sentence.before) or _COMPOSE.match(sentence.bare):
        return True
    is_part = _ORDER.match(sentence.before) or _ORDER.match(sentence.after)
    return (
        bool(is_part)
        and re.match(r"(?:it|the|they|this|that|these|each|every) ", sentence.bare, re.IGNORECASE) is not None
    )


# A host and a path on it: outside the project, though it is written like a file in it.
_ADDRESS = re.compile(
    r"(?<![\w/.@-])(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|internal|local|lan|corp|intra|example|app|cloud|edu|gov|de"
    r"|fr|es|cn|eu|uk)(?::\d+)?/[^\s)>\],]*",
    re.IGNORECASE,
)
_PATH = (
    r"`?(?<![\w/:.])(?:\.{0,2}/)?(?:[\w.@*-]+/)+[\w.@*-]*`?|`?\b[\w-]+\.(?:py|tsx?|jsx?|go|rs|java|rb|cpp"
    r"|cs|sh|json|ya?ml|toml|sql|html|css|ipynb|kt|swift|php|lock|cfg|ini|env)\b`?"
)
_DERIVABLE = re.compile(
    r"\b(?:is|are|lives?|sits?|located|defined|declared|implemented|kept|stored|found|goes?"
    rf"|go) (?:\w+ )?(?:in|at|under|inside) (?:the )?(?:{_PATH})(?!\S*://)"
    r"|\b(?:the|this|our) (?:project|repo(?:sitory)?|codebase|app|backend|frontend|monorepo|package"
    r"|service|library|site) (?:is (?:written|built|using|based|a)|uses?|has|consists|contains|depends"
    r"|imports|requires (?:node|python|java))\b(?!.*\b(?:because|since|legal|deadline|contract)\b)"
    r"|\bwe (?:use|run|are on|'re on) [\w.]+ v?\d[\d.]*\b(?!.*\b(?:because|since|until)\b)|\b(?:folder"
    r"|directory|project|file|code) (?:structure|layout|tree)\b|\b(?:is|are|lives?|sits?|stored"
    r"|kept) in the \w+ (?:folder|directory|module|package)\b|\b(?:our|the) (?:ci|pipeline|build|makefile"
    r"|dockerfile|api|schema|database|db|server|cluster|monorepo|test suite|test setup|workflow"
    r"|compose file) (?:has|have|uses?|runs? (?:on|in|with)|consists?|contains?|is (?:an?|written|built"
    r"|split))\b(?!.*\b(?:because|until|deadline)\b)|\bwe have (?:\d+|two|three|four|five|six|seven|eight"
    r"|nine|ten|a few|several|some) (?:\w+ )?(?:packages?|modules?|services?|tests?|files?|tables?"
    r"|endpoints?|components?|migrations?|branches|models?|classes|routes?)\b|\bthe (?:last|latest"
    r"|previous|first|recent) (?:commit|merge|release|pr|pull request|tag)\b|\b(?:commit|sha"
    r"|hash) [0-9a-f]{6,40}\b"
    r"|\b[\w-]+\.(?:py|tsx?|jsx?|go|rs|java|rb|cpp|cs|sh|ya?ml|toml|sql|html|css)\b (?:starts?|is|has"
    r"|holds|contains|defines|runs|loads)\b"
    r"|\b(?:class|struct|interface|enum|function|method|module) \w+ (?:has|is|takes|returns|extends|calls"
    r"|uses|lives)\b"
    r"|(?-i:\b(?:[A-Z]?[a-z]+[A-Z]\w+|[a-z]+_[a-z_]+)) (?:extends|inherits|implements|has|calls|returns"
    r"|takes|uses|wraps|imports|is (?:a|an|the|called|defined|used|set|in|passed)|are)\b"
    r"|\bthe (?:entry ?point|main (?:file|function|class|module)|function|class|method|module|component"
    r"|schema|table|config(?:uration)?|makefile|dockerfile|package\.json|pyproject|readme|variable|field"
    r"|column|constant|interface|enum|endpoint|route|handler|hook|script)\b[^.]{0,40}\b(?:is|are|takes?"
    r"|returns?|has|contains|calls?|inherits?|extends|imports?|exports?|accepts?|defines?|lives?|uses?"
    r"|named|called)\b(?!.*\b(?:because|deadline|legal|customer|wiki|confluence|notion|https?:))"
    r"|\b(?:python|node) (?:version )?(?:is|>=) ?\d|\bv?\d+\.\d+\.\d+ (?:is|was) (?:the )?(?:current"
    r"|latest|installed)|\bgit (?:log|blame|status|diff)\b|\bon branch\b|\bcurrent branch\b"
    r"|\bwas (?:renamed|added|merged|introduced|refactored) (?:in|by|with) (?:commit|pr|#\d|the last)",
    re.IGNORECASE,
)
_RECIPE = re.compile(
    r"\b(?:the |my )?(?:fix|solution|trick|workaround|culprit|root cause|cause|problem|issue|bug|error"
    r"|answer|crash|leak)(?: (?:for|of|to|with|behind|in) [^.,;]{1,60})? (?:was|is|were|turned out"
    r"|turns out|came from|went away|disappear\w*|is gone|comes from)\b|\bturn(?:s|ed) out\b|\b(?:solved"
    r"|fixed|resolved|sorted|cured) (?:it|this|that|the \w+)?(?: \w+){0,4} ?(?:by|with|after|via|:)"
    r"|\b(?:solved|fixed) it\b|\bwent away (?:after|when|once)\b|\bto (?:fix|solve|resolve|get rid of"
    r"|work around) (?:this|that|it|the)\b|\b(?:you|i|we) (?:just )?(?:have|had|need|needed) to (?:set"
    r"|add|delete|remove|clear|restart|reinstall|rebuild|upgrade|downgrade|bump|pin|run|rerun|install"
    r"|change|increase|reset|flush|kill|export|unset)\b|\b(?:works|worked|working) (?:now "
    r"|again )?(?:after|once|if|when) (?:you |i |we )?(?:\w+ing|clear|delet|restart|add|remov|set|chang"
    r"|reinstall|upgrad|downgrad)|\bafter (?:clearing|deleting|restarting|reinstalling|adding|removing"
    r"|upgrading|downgrading|rebuilding|pinning|bumping)\b.*\b(?:works?|worked|passes|passed|gone|fixed"
    r"|fine)\b|\bthe (?:null ?pointer|stack ?trace|race condition|off-by-one|segfault|deadlock"
    r"|memory leak)\b",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"\b(?:currently|right now|at the moment|atm|just now) (?:i'?m |i am |we'?re |we are )?(?:\w+ing"
    r"|halfway|stuck|blocked|on)\b|\b(?:i'?m|i am|we'?re|we are|im) (?:currently |still |now |just "
    r"|almost |nearly |in the middle of |about to )*(?:working on|implementing|fixing|refactoring"
    r"|debugging|writing (?:the|a|this|tests)|halfway|done with|finished|stuck|blocked|waiting (?:for|on)"
    r"|about to|looking (?:at|into) (?:the|this|that|a) (?:bug|error|issue|failing|test|crash|pr|log)"
    r"|trying to|rebasing|testing (?:the|this|it)|running (?:the|this|it))\b(?!.*\b(?:i'?m|i am) an? )"
    r"|\bnext (?:steps?|up|i'?ll|we'?ll|is|task)\b(?! (?:monday|tuesday|week))|\b(?:to-?dos?|in progress"
    r"|wip|remaining|left to do|still to do|done so far|so far)\b|\b(?:tests?|ci|build|pipeline"
    r"|lint(?:er)?|branch|pr|merge request)(?: \w+)? (?:is|are|was|were|has|have|still"
    r"|now) (?:\w+ )?(?:green|red|passing|failing|running|broken|merged|pushed|rebased|open|done|ready"
    r"|failed|passed|stuck|flaky)\b|\blet'?s (?:begin|go|proceed|continue|pick|resume|start|stop|do"
    r"|get back|call it|move on|finish|leave it|take a break|switch to the)\b|\bi(?:'ll| will|'ve| have"
    r"| just)? (?:just )?(?:push|pushed|merge|merged|commit|committed|rebase|rebased|open|opened|finish"
    r"|finished|start|started|deploy|deployed|rename|renamed|continue|be back|come back|look at (?:it"
    r"|this|that)|check (?:it|this|that))\b"
    r"|,? now (?:generate|write|add|do|make|implement|create|fix|let'?s|please|can|on to|build)\b"
    r"|\b(?:above|below)\b(?!\s+(?:\d|the\b|a\b|zero|freezing|sea))|\bso (?:start|begin|go|continue)\b"
    r"|\bstart (?:there|with (?:that|it|this|the))\b|\bstep \d+\b|\b(?:halfway|half way"
    r"|50%|80%|90%) (?:done|through|there)\b|\b\d+ (?:of|out of|/) ?\d+ (?:tests|files|tasks|steps"
    r"|tickets|items)\b|\b(?:still|only) need(?:s)? to\b|\bwe left off\b|\bwhere (?:we|i) (?:left"
    r"|stopped)\b",
    re.IGNORECASE,
)
_SPECIFICATION = re.compile(
    r"\b(?:always|never) (?:returns?|throws?|raises?|renders?|emits?|yields?|mutates?|modif(?:y|ies)"
    r"|be (?:visible|hidden|null|empty|none|called|centered|aligned|positive|negative|sorted)|overlaps?"
    r"|exceeds?|null|fails?|happens?|works?|crash(?:es)?|fires?|triggers?|true|false|retries|scrolls?"
    r"|loads?|logs? (?:in|out))\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:\W|(?:ok|so|now|and|also|then)\b)*(?:we|i) (?:need|want) (?:an? |the |some |more |new )*"
    r"(?:\w+ ){0,2}"
    r"(?:tests?|script|page|endpoint|function|button|field|table|report|component|class|job|service|api|form"
    r"|parser|query|migration|chart|filter|view|diagram|list|summary|draft)\b|"
    r"^(?:\W|(?:ok|so|now|please|pls|hey|hi|and|then|next|also|first|no|nope|actually|wait|yes|yeah"
    r"|looks good|good|great|nice|but|just|instead)\b)*(?:(?:(?:can|could|would|will) (?:you|u)|i(?: need"
    r"| want|'d like| would like)(?: you)? to) (?:please |pls |just |maybe |quickly )*)?(?:mention"
    r"|say that|include|tell (?:them|him|her)|state that|insert|append|write|implement|create|add|build"
    r"|fix|refactor|rename|convert|generate|extract|rewrite|port|migrate (?:this|the)|move (?:this|the)"
    r"|delete (?:this|the)|remove (?:this|the)|update (?:this|the)|change (?:this|the)|make (?:the|this|a"
    r"|it|sure (?:the|it|that))|wrap|parse|sort|parse|debug|optimi[sz]e|replace (?:this|the|all))\b",
    re.IGNORECASE,
)
# An order for a text: what follows is its content.
_COMPOSE = re.compile(
    r"^(?:\W|(?:please|pls|ok|now|and|can you|could you|help me)\b)*(?:draft|compose|write|translate"
    r"|rewrite|create|invent|make up|summari[sz]e|rephrase|proofread|reply"
    r"|answer)\b[^.:]{0,40}\b(?:e?-?mails?|letter|ad|advert|posts?|persona|story|dialog(?:ue)?|scene|text"
    r"|tweet|announcement|speech|bio|message|article|poem|reply|answer|invitation|poster|flyer|novel"
    r"|chapter|to (?:french|german|english|spanish|chinese|italian|dutch))\b|^(?:please )?translate\b",
    re.IGNORECASE,
)
