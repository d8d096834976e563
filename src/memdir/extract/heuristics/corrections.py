"""Sentences that set right how the reader works."""

import re

__all__ = ["complains", "is_correction", "is_for_once", "is_norm", "is_standing_order", "reaches_far"]


def is_correction(bare: str, *, replies: bool) -> bool:
    """Whether a sentence sets right how the reader works; some forms count only as a reply to its words."""
    if _NOT_MEANT.search(bare):
        return False
    return any(pattern.search(bare) for pattern in (_PLAIN, _REPLY) if pattern is _PLAIN or replies)


def is_standing_order(bare: str) -> bool:
    """Whether a reply asks for something in a way that reaches beyond the thing at hand."""
    if _NOT_MEANT.search(bare) or not _DIRECTIVE.search(bare):
        return False
    return _REACHES_FAR.search(bare) is not None or (
        (_GENERAL_ORDER.match(bare) or _ALL_OF_A_KIND.match(bare)) is not None
        and _GROUNDED.search(bare) is not None
    )


def is_norm(bare: str) -> bool:
    """Whether a sentence beside a complaint can say how things should be done."""
    return any(_NORM.match(part) for part in re.split(r"[,:;] ", bare)) and not _NOT_MEANT.search(bare)


def complains(bare: str) -> bool:
    """Whether a sentence is displeased with what was done; how to do it then stands beside it."""
    return _COMPLAINT.search(bare) is not None


def reaches_far(bare: str) -> bool:
    """Whether a sentence reaches beyond the thing at hand, or gives a reason."""
    return bool(_REACHES_FAR.search(bare) or _GROUNDED.search(bare) or _EVERY_TIME.search(bare))


def is_for_once(bare: str) -> bool:
    """Whether a sentence is about the thing at hand rather than about how to work."""
    once = _ONCE.search(bare) or _ONE_THING.match(bare) or _POINTED_AT.search(bare)
    return once is not None and not _EVERY_TIME.search(bare)


_OPENING = (
    r"(?:(?:no+|nope|nah|wrong|hm+|ugh|argh|ok(?:ay)?|hey|please|pls|plz|and|also|but|so|well|oh|look"
    r"|again|actually|wait|sorry|uh|um"
    r"|btw|fyi|one thing|another thing|yes|yeah|not (?:quite|again|like that)|come on|seriously|honestly"
    r"|really|just|quick note|for the (?:nth|third|second|hundredth) time)"
    r"[\s,.:;!\u2013\u2014-]+)"
)
_WHERE = r"(?:(?:in|for|when|with|on|while|if) [^,;:]{2,50}[\s,.:;!\u2013\u2014-]+)"
# Two clauses of free words at the most: with more, a text of nothing but "in" takes seconds.
_OPEN = rf"^{_OPENING}{{0,5}}(?:{_WHERE}{_OPENING}{{0,3}}){{0,2}}"
_AGAIN = r"(?:can|could|would|will) (?:you|u) (?:please |pls |maybe |just )*"
_NEVER_MIND = (
    r"(?!worry|bother|mind|know|think|see|get|understand|forget|have|need|want|care|remember|you\b"
    r"|be (?:silly|sorry|shy)|sweat|panic|feel)"
)
_WORKING = (
    r"answers?|repl(?:y|ies)|responses?|explanations?|messages?|summar(?:y|ies)|comments?|commits?|diffs?"
    r"|prs?|pull requests?|reports?"
    r"|docstrings?|emails?|changelogs?|descriptions?|text|tone|output|write-?ups?"
)
_PLAIN = re.compile(
    rf"{_OPEN}(?:{_AGAIN})?(?:stop|quit|cut out) (?:with )?(?:(?:the|all|those|these|your|always"
    r"|constantly) )*(?:\w+ing\b(?!\s+(?:the )?(?:server|container|process|service)\b)|emojis?|jokes?"
    r"|summar\w+|apolog\w+|comments?|preambles?|bullet points)"
    rf"|{_OPEN}(?:{_AGAIN})?(?:do ?n'?t|do not|never|avoid|refrain from|no need to"
    rf"|not necessary to) {_NEVER_MIND}(?:ever |always |just |please |keep )?[a-z]{{3,}}"
    rf"|{_OPEN}no more \w+"
    rf"|\b(?:you|u) (?:keep|kept|always|constantly|still) \w+ing\b"
    rf"|\bwhy do (?:you|u) (?:keep|always)\b"
    r"|\b(?:i|we) (?:already )?(?:said|told you|asked (?:you|for))\b.{0,40}\b(?:not|no|without|before"
    r"|already|never|only|to \w+)\b"
    r"|\b(?:that'?s|this is|that is|thats|this isn'?t|that isn'?t) (?:not )?(?:how|what|the way) (?:we"
    r"|i) (?:do|want|work|write|like|asked|test|deploy|name|ship)"
    r"|\bwe (?:try to|tend to|prefer to|prefer|like to|aim to|usually|generally|normally"
    r"|mostly) (?:avoid |keep |use |write |do |put )?\w+|\bi (?:actually |really )?do (?:want|like"
    r"|need) (?!to\b)\w+|\b(?:is|are) (?:banned|forbidden|off[- ]limits|taboo|not allowed|mandatory"
    r"|compulsory)\b|\bwe (?:do ?n'?t|do not|never|only|always) (?:do|use|write|put|commit|mock|document"
    r"|test|ship|deploy|merge|push|log|add|name|squash|rebase|allow|hard-?code|indent)\b"
    rf"|\b(?:i'?d|i would) (?:much )?(?:rather|prefer (?:it )?if) (?:you|we)\b"
    rf"|\b(?:your|the|these|those) (?:\w+ )?(?:{_WORKING}) (?:are|is|get|were|was) (?:\w+ )?(?:too|way too"
    r"|far too|so)\b"
    rf"|{_OPEN}(?:be|make it|keep (?:it|them|your \w+|the \w+)) (?:\w+ )?(?:more )?(?:concise|shorter"
    r"|brief|short|terse|direct|formal|informal|specific|honest|critical|to the point|small|simple"
    r"|minimal)\b"
    rf"|{_OPEN}(?:less|fewer|shorter|smaller|more) (?:\w+ )?(?:{_WORKING}|words|prose|fluff|text|jargon"
    r"|detail)\b"
    rf"|{_OPEN}(?:only|just) (?:change|touch|edit|fix|do|answer|show|give) (?:what|the (?:part|line"
    r"|thing)s? (?:that )?i)\b"
    rf"|{_OPEN}(?:ask|check with|warn|tell) me (?:first )?(?:before|first|when|if|whenever)\b",
    re.IGNORECASE,
)
_REPLY = re.compile(
    r"^(?:no+|nope|nah|wrong|actually)\b[\s,.:;!\u2013\u2014-]+(?:please )?(?:use|go with|stick (?:to"
    r"|with)|switch to|prefer|write|say|run|do|format) .{1,80}?\binstead\b|"
    r"(?:[,;:\u2013\u2014] |\band )(?:please )?(?:do ?n'?t|do not|never|no more"
    rf"|avoid) {_NEVER_MIND}[a-z]{{3,}}|{_OPEN}(?:skip|drop|spare me|leave out|cut|lose|omit) (?:the|all"
    r"|those|these|any|your) \w+|\byou(?:'re| are) (?:not )?supposed to\b|\byou (?:must|may|should|can"
    r"|are) (?:not|never|only)\b|\byou (?:mustn'?t|shouldn'?t|can't)\b|\bstick to what (?:i|we|the)\b"
    rf"|{_OPEN}short(?:er)? (?:answers|replies|sentences|texts|messages)\b|{_OPEN}no \w+ (?:\w+ )?(?:in|at"
    r"|for|on|when|unless|without|please|ever)\b|"
    rf"{_OPEN}(?:please )?(?:use|go with|stick (?:to|with)|switch to|prefer|take|write|say|call (?:it"
    r"|them)|name (?:it|them)|run|put|do|import|format|return to|go back to) .{1,80}?(?:\binstead of\b"
    r"|\brather than\b|,? not \w+|\bover\b \w+)"
    r"|^(?:no+|nope|nah|wrong|incorrect|not (?:like that|that way|quite|again)|that'?s (?:wrong"
    r"|not (?:right|it|correct)))[\s,.:;!\u2013\u2014-]+(?:\w+ ){0,3}?(?:use|we|always|never|please|our"
    r"|in this (?:project|repo|team|company|lab)|here we|it (?:has|needs) to|keep|write|put|only"
    r"|you (?:should|must|need)|i (?:want|need|asked))\b"
    rf"|\b(?:should|must|need to|needs to|has to|have to) (?:always|never|only)\b.*\b(?:you|me|i|us|we)\b"
    rf"|{_OPEN}(?:\w+ )?(?:refactors?|fix(?:es)?|tests?|commits?|comments?|migrations?|changes|prs?|names"
    r"|errors?|dates|numbers|amounts|titles|headings|queries|strings) (?:\w+ )?(?:go|goes|belong|belongs"
    r"|must|should|need|always|are always|are never|never)\b",
    re.IGNORECASE,
)
_NOT_MEANT = re.compile(
    r"\b(?:do ?n'?t (?:you think|we)|don'?t (?:work|compile|build|match|exist|show|load|pass)\b)"
    r"|\bnever ?mind\b|^stop\W*$|\?\?",
    re.IGNORECASE,
)
_ITEM = (
    r"(?:one|file|function|line|branch|commit|pr|time|class|variable|method|loop|page|button|column"
    r"|component|endpoint|ticket|issue|test"
    r"|query|field|paragraph|section|row|cell|chart|icon|image|script|change|part|bit|block|case"
    r"|param(?:eter)?|argument|import|migration|module|slide|sentence|word|title|heading|step)"
)
_ONCE = re.compile(
    r"\b(?:yet|for now|right now|this time|just this once|until (?:i|we|the)|before (?:i|we) (?:push"
    rf"|merge|check|look)|(?:this|that) {_ITEM}"
    r"|in here|line \d+|the (?:first|second|third|last|other|next|left|right|top|bottom"
    rf"|same) (?:\w+ )?{_ITEM}|in step \d|(?:tuple|list|dict|set|int|string|float|array) here|over there"
    r"|for this(?! (?:project|repo|team|client|customer|company|journal|paper|magazine))|for today"
    r"|today)\b"
    r"|^(?:\W|(?:no|actually|please|and|just|ok|now|also|so|but)\b)*(?:use|put|do|add|call|make|write"
    r"|return|name|try|go with|insert|set|pass|keep|leave)\b.*\bhere\b|, not a \w+\W*$|, and (?:add|fix"
    r"|write|make|create|change|remove|put|move|rename|start|run|show|then)\b|\bin the (?:solution"
    r"|function|answer|code|output|query|file|script|form|table|header|footer|sidebar)\b|`[^`]+`\W*$",
    re.IGNORECASE,
)
_ONE_THING = re.compile(
    r"^(?:\W|(?:no|ok|and|but|also|so|nice|good|great)\b)*(?:the|this|that|its?|her"
    rf"|his) (?:\w+ )?\w+ (?:should|must|needs?|has to|have to|is|are|can|could) |{_OPEN}(?:do ?n'?t"
    r"|do not) \w+ (?:the|this|that|it|my|these|those|them)\b ?\w*\W*$",
    re.IGNORECASE,
)
# A number, an identifier or a pronoun: one thing that both have before their eyes.
_POINTED_AT = re.compile(
    r"\b(?:clause|section|paragraph|slide|figure|chapter|step|line|row|question|point|item|page|version"
    r"|option|number|part|verse|scene|column|table) \d|\b(?-i:[a-z]+_[a-z_]+|[a-z]+[A-Z]\w+)\b"
    r"|\b(?:failing|missing|other|first|last|new|old|same) ones?\b"
    r"|^(?:\W|(?:no|nope|too \w+|please|and|but|so|just|ok|actually|also|then)\b)*(?:call|make|cut|put"
    r"|move|set|change|give|do|try|run|name|keep|leave|use|write|turn|split|shorten|rename) (?:it|them)\b",
    re.IGNORECASE,
)
_EVERY_TIME = re.compile(
    r"\b(?:every (?:\w+ )?time|always|any ?more|each time|ever|whenever|in general|generally|you keep"
    r"|all the time|at the end of|from now on|in future|never|again and again|as a rule|how we do)\b",
    re.IGNORECASE,
)
_COMPLAINT = re.compile(
    r"\bi can'?t (?:see|read|hear|use|open)\b|^(?:ugh|argh|no+|nope|nah|wrong|sigh|come on"
    r"|again)\b.{0,60}$|\b(?:way |far |much |a bit |still )?too \w+\b|\bnot (?:\w+ ){1,4}again\b"
    r"|\bwrong\b|\bnot what i (?:asked|wanted|meant)\b|\bi(?:'ve| have|ve)? (?:already )?(?:told|asked"
    r"|said|mentioned)\b.{0,20}\b(?:before|already|twice|times|you)\b"
    r"|\bsupposed to\b|\bhow many times\b|\bwhy (?:did|do|are|would) (?:you|u)\b|\byou (?:forgot|ignored"
    r"|missed|skipped|keep)\b|\bunreadable\b|\bplease not\b|\bthat's not\b|\bthis isn'?t\b|\bnot (?:ok"
    r"|okay|acceptable|helpful|great|good|like that|how)\b|\b(?:annoying|confusing|useless|painful"
    r"|hate (?:this|that|it|these|those))\b",
    re.IGNORECASE,
)
_VERBS = (
    r"leave|keep|put|write|use|take|give|mark|list|cite|quote|name|spell|round|sort|start|end|ask|wait"
    r"|check|tell|send|mention|exclude|avoid|skip|cut|answer|reply|test|run|say|call|stick|prefer|show"
    r"|explain|treat|assume|format|quote|translate|stay|stop|limit|measure|label|report|speak|talk|phrase"
    r"|refer|address"
)
_DIRECTIVE = re.compile(
    rf"{_OPEN}(?:{_VERBS}|do ?n'?t|do not|never|always|only|no|not|less|fewer|more|max(?:imum)?|at most"
    r"|one|two|three|four|five|plain|just|everything|nothing|all|every|each|any)\b|\b(?:i|we) (?:do ?n'?t"
    r"|do not|never|only|always) (?:want|like|need|do|use|write|cite|say|put|allow|accept|send|have)\b"
    r"|\b(?:should|must|has to|have to|need to|needs to|can'?t|cannot|not allowed|goes?|are written"
    r"|is written|belongs?|are called|is called|is spelled|are spelled|isn'?t|aren'?t|needs? (?:the|a|an"
    r"|to|their|its)|(?:is|are|gets?) (?:never|always|only))\b|\b\w+ (?:max|at most|tops)\b|(?:[,;] "
    r"|\bso |\band )(?:please )?(?:never|always|only|no more)\b",
    re.IGNORECASE,
)
_REACHES_FAR = re.compile(
    r"\b(?:always|never|every (?!one)\w+|everything|everyone|no exceptions?|without exception|in (?:this"
    r"|our|all|any) (?:project|repo|codebase|team|company|house|lab|school|office|texts?|reports?"
    r"|documents?)|unless (?:i|we|you)|the last (?:\w+ )?times?|any ?more|ever|max|at most|tops"
    r"|same (?:for|goes)|for us|as a rule|by default|in general|generally|whenever|each time|next time"
    r"|(?:is|are)n'?t (?:a |an )?\w+ we|we (?:can|cannot|can't|may|don't|never|only|always)|whoever"
    r"|all (?:our|the time|texts|reports|commits)|house style|everywhere|in (?:all|every|any|our) \w+"
    r"|only (?:if|when) i (?:ask|say|want)"
    r"|if i ask|first and|around here|like (?:everyone|everybody)|less \w+,? please|fewer \w+,? please"
    r"|nothing|nobody|no one|our \w+ (?:do ?n'?t|can'?t|cannot|never|only|always|are|have)|(?:is|are"
    r"|gets?) (?:never|always|only) \w+|on this machine|when(?:ever)? (?:you|we) (?:write|talk|speak"
    r"|answer|send|work|reply)|i (?:don'?t|do not|never) (?:want|need|like) (?!any help|it\b|the |this "
    r"|that |to |you ))\b|\bhere\b[.,!]|\?\?",
    re.IGNORECASE,
)
_GENERAL_ORDER = re.compile(
    rf"{_OPEN}(?:{_VERBS}|only|no|not|less|fewer|more) (?!(?:the|this|that|it|them|me|my|these|those|a|an"
    r"|one)\b)",
    re.IGNORECASE,
)
_ALL_OF_A_KIND = re.compile(
    r"(?:\w+ ){0,2}\w+s (?:need|must|should|have to|go|belong|are|get|come)\b", re.IGNORECASE
)
_GROUNDED = re.compile(
    r"\b(?:because|since|bc|cuz|so that|otherwise)\b|(?:,|\s[\u2013\u2014-]|\() ?(?=(?:we|they|people"
    r"|nobody|everyone|users?|readers?|clients?|customers?|our|the \w+|it's|that's|patients|students|kids"
    r"|parents|auditors?|legal) )",
    re.IGNORECASE,
)
_NORM = re.compile(
    r"(?:(?:so|and|please|pls|also|but|well|just|instead|remember|in this \w+|here|for us"
    r"|for me)[\s,:]+)*(?:we|we're|our|no|not|use|write|keep|only|always|never|don'?t|do not|stop|avoid"
    r"|ask|wait|check|give|show|put|say|name|call|test|run|leave|skip|cut|prefer|stick|go with|start|read"
    r"|send|be|metric|plain|short|shorter|simple|simpler|less|fewer|more|one|you(?:'re| are)? (?:should"
    r"|must|need|have to|supposed)|i(?:'d)? (?:want|need|prefer|like|rather|expect|listen|read)"
    r"|\w+s? (?:should|must|need to|has to|have to|go|goes|belong|belongs) )\b",
    re.IGNORECASE,
)
