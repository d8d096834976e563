"""Sentences in which people say who they are and what they like."""

import re

__all__ = ["is_role", "is_taste"]


def is_role(bare: str) -> bool:
    """Whether a sentence says who its writer is: work, knowledge, language, goal."""
    return bool(_ROLE.search(bare) or _ELLIPTIC.search(bare)) and not _PASSING.search(bare)


def is_taste(bare: str) -> bool:
    """Whether a sentence says what its writer prefers, beyond the choice at hand."""
    return _TASTE.search(bare) is not None and not _CHOICE_AT_HAND.search(bare)


_JOB = (
    r"(?:\w{2,}(?:er|or|ist|ian|ant|ent|yst|eer|tect|rse|ico|smith|man|woman|wife)s?"
    r"|chef|cto|ceo|cfo|coo|pm|dba|sre|qa|intern|novice|lead|head|dev|devops|admin|student|pupil|newbie"
    r"|noob|expert|apprentice|trainee|pilot|judge|clerk|coach|scrum master|phd|postdoc|grad|undergrad"
    r"|undergraduate|hobbyist|civil servant|retiree|generalist|backend|frontend|monk|nun|priest|chief"
    r"|polymath|sysop|freelance|one (?:who|that) (?:runs|maintains|owns|signs|reviews|approves))"
)
_NO_JOB = (
    r"(?!(?:user|number|customer|little|matter|later|other|blocker|winner|loser|reader|caller|sender"
    r"|tester now)\b|bit\b|little\b|fan of (?:this|that|the)\b|lot\b|few\b|number\b|while\b|day\b|step\b"
    r"|big (?:fan|believer)\b|(?:huge |great )?(?:disaster|blocker|matter|winner|loser|idiot)\b)"
)
_ROLE = re.compile(
    r"\bi(?:'m| am|m) (?:\w+ ){0,2}?(?:an?|the|our|your|one of (?:the"
    rf"|our)) {_NO_JOB}(?:[\w/+#.-]+ ){{0,4}}?{_JOB}\b(?!\s+than\b)"
    r"|\bi(?:'m| am|m) (?:\w+ ){0,2}?(?:new to|fluent in|familiar with|comfortable with"
    r"|experienced (?:in|with)|responsible for|in charge of|based in|colou?r-?blind|dyslexic|deaf|blind\b"
    r"|left-handed|self-taught|a native|originally from|used to \w+|retired|not (?:a|an|very|that"
    rf"|really) (?:\w+ ){{0,2}}(?:{_JOB}|technical|familiar|experienced|good (?:at|with)))"
    r"|\bi (?:mostly |mainly |usually |also |only |currently )?work (?:as|at|for|in|mostly|mainly|nights"
    r"|part-?time|remotely|from|with|on the [\w -]{2,30}(?:team|desk|side))\b"
    r"|\bi(?:'ve| have|ve) (?:been (?:an? [\w -]{2,40}|\w+ing\b.{0,60}) (?:for|since)\b|(?:done|used"
    r"|worked|written|spent|run|taught|built|coded)\b.{0,60}\b(?:for (?:\w+ ){0,3}(?:years?|decades?"
    r"|months)|years|since|all my)\b|(?:never|hardly|barely|only ever|not really) (?:used|worked|touched"
    r"|written|done|programmed|learned|built|seen|set up)\b(?! (?:this|that|it)\b)"
    r"|(?:\w+ ){0,2}(?:years|decades) of\b|no (?:idea|experience|background|clue) (?:about|with|of"
    r"|in)\b)"
    r"|\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twenty|many)\+? years (?:of (?:experience"
    r"|\w+ing)|in |as an? )"
    rf"|\bmy first (?:time|project|week|month) (?:\w+ )?(?:with|using|touching|in|on|at|working)\b"
    rf"|\bfirst time (?:i'm |i am )?(?:using|touching|working with|writing)\b"
    r"|\bmy (?:\w+ )?(?:role|job|background|title|profession|trade|field|specialty|degree|(?:native|first"
    r"|mother|main|strongest) (?:language|tongue)|timezone|time zone|pronouns|goal|expertise|day job"
    r"|training|team) (?:here )?(?:is|are|was|has|at)\b"
    r"|\bi (?:do ?n'?t|do not|hardly|barely|really don'?t) (?:really )?(?:know|understand|speak|read"
    r"|write|code|program)\b(?: (?:much|a lot of|any|anything|very much))? (?:about )?(?!(?:why|how|what"
    r"|if|where|when|this|that|it|yet)\b)\w+"
    r"|\bmy (?:eyesight|hearing|vision|sight|hands?|english|french|german|spanish|spelling|handwriting"
    r"|accent) (?:is|are)\b|\bi (?:know|understand) (?:[\w+#.]+ ){1,4}(?:well|inside out|by heart"
    r"|nothing about|very little|a lot about|better than)\b"
    r"|\bi (?:lead|manage|maintain|teach|study|studied|supervise|coordinate|head|run|own|oversee"
    r"|look after|take care of|handle|do) (?:(?:the|a|an|our|all|of) )*(?:[\w/&-]+ ){0,4}(?:team|group"
    r"|department|lab|company|shop|store|clinic|school|class(?:es)?|course|university|college|newsletter"
    r"|desk|practice|farm|studio|bakery|restaurant|library|museum|product|platform|side|infrastructure"
    r"|payroll|accounting|bookkeeping|operations|support|hr|marketing|sales|design|physics|biology"
    r"|chemistry|medicine|law|economics|statistics|maths?|history|linguistics|engineering)\b"
    rf"|\bi (?:come|came) from (?!(?:the|a|this|that) (?:meeting|call|store|file|function|error))\w"
    rf"|\bi (?:speak|live in) \w+"
    rf"|\bcall me (?!back|when|if|later|crazy|stupid|old)\w+"
    rf"|\b(?:as|speaking as) an? {_NO_JOB}(?:[\w-]+ ){{0,3}}{_JOB},? i\b"
    rf"|\bi trained as\b|^(?:and |also )*my name is (?-i:[A-Z])\w"
    r"|\b(?:i use|i'm on|i am on|i run) (?:an? )?(?:screen reader|windows|macos|a mac|linux|ubuntu|fedora"
    r"|arch|nixos|vim|neovim|emacs|vs ?code|jetbrains|dvorak|colemak)\b",
    re.IGNORECASE,
)
_ELLIPTIC = re.compile(
    r"^(?:(?:a )?(?:little|bit|few words|something) about (?:me|myself)|for context|context|some context"
    r"|background|some background|about me|me"
    rf"|bit of background)\b[\s,:\u2013-]+(?:an? )?(?:[\w/+#.-]+ ){{0,4}}?{_JOB}\b|\bi can (?:read|write"
    r"|speak|do|use) [^.]{2,40}\bbut\b|\bwe(?:'re| are) an? (?:[\w-]+ ){0,4}(?:bakery|company"
    r"|start-?up|agency|team|studio|shop|family|charity|ngo|non-?profit|practice|clinic|school|lab"
    r"|cooperative|collective|farm|restaurant|publisher|museum|club|firm)\b|\bi (?:think|learn|work|focus"
    r"|understand things) (?:best|better|more easily|faster)\b|\bis (?:all )?new (?:for|to) me\b"
    r"|\bof my (?:phd|master'?s?|thesis|degree|apprenticeship|residency|bachelor'?s?|training)\b"
    r"|\bi (?:program|code|write) (?:mostly|mainly|only)\b|\bi have (?:an? )?(?:\w+ )?(?:background"
    r"|degree|phd|diploma|experience|training) (?:in|with|as)\b|\bas someone who\b[^.]*\bi\b"
    r"|^(?:currently |now |still )?(?:studying|training) (?:for|as|at|to)\b|^(?:\W|hi |hey |ok "
    r"|so )*been (?:an?|in|doing|\w+ing) [^.]{2,40}\b(?:since|for)\b|\bi (?:lead|manage|maintain|teach"
    r"|study|studied|supervise|coordinate|run|own|oversee|look after|take care of|organi[sz]e|edit|direct"
    r"|conduct) (?!(?:it|this|that|them|into|out|through|some|my|tests?|both|everything)\b|(?:the |a |an "
    r"|all (?:the )?|your |our )?(?:\w+ )?(?:tests?|build|script|command|app|server|migration|linter|code"
    r"|query|program|suite|file|container|pipeline|function|list|text|config|loop|benchmark"
    r"|it again)\b)\w+|\bi(?:'m| am) (?:learning|studying|training|on (?:parental|sick) leave"
    r"|in my \w+ year)\b",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"\bi(?:'m| am|m) (?:a bit|a little|not sure|sorry|afraid|the (?:one|only one)(?! (?:who"
    r"|that) (?:runs|maintains|owns|signs|reviews|approves)))\b|\bi(?:'m| am|m) (?:an?"
    r"|the) (?:\w+ )?(?:step|minute|moment|later|number|matter)\b"
    r"|\bi(?:'m| am|m) (?:running|writing|using|building|looking|trying|getting|seeing|fixing|testing"
    r"|reading) (?:this|that|it|the)\b(?!.*\b(?:data|engineer|years)\b)"
    r"|\bi do(?:n'?t| not) (?:know|understand) (?:why|how|what|if|where|when|which|who)\b",
    re.IGNORECASE,
)
_OFTEN = (
    r"(?:really |generally |usually |much |strongly |personally |always |honestly |definitely |tend to "
    r"|just |mostly |would always |do |still |vastly |greatly )*"
)
_OUTPUT = (
    r"(?:answers?|repl(?:y|ies)|responses?|explanations?|examples?|code|diffs?|tables?|lists?"
    r"|bullet ?points?|summaries|comments?|commits?|prs?|functions?|names?|tests?|messages?|prose"
    r"|sentences|charts?|plots?|units?|dates?|docs|paragraphs|headings|steps|commands?|units)"
)
_TASTE = re.compile(
    r"\bi(?:'d| would) (?:much )?rather (?:get|have|see|read|be|hear|know) (?!(?:this|that|it|the)\b)|"
    rf"\bi {_OFTEN}(?:prefer|favou?r|dislike|despise|can'?t stand|detest|hate|am a (?:big )?fan of"
    r"|swear by|live in|stick to) (?!it\b|them\b|this (?:one|way (?:for|in))|that one|not to say)\w"
    r"|\bi'?m (?:not )?(?:a )?(?:big |huge |great |more of an? )?(?:fan of |partial to )(?!(?:this|that"
    r"|the|it)\b)\w"
    rf"|\bi'?m (?:more of )?an? [\w-]+ (?:person|guy|type|fan|nerd|purist)\b"
    rf"|\bi {_OFTEN}(?:like|love|enjoy|want|need) (?!an? |the |this |that |some )(?:my \w+|all my \w+"
    r"|every \w+ (?:to|in|as)|it when you \w+|when you \w+|to (?:see|have|get|read|be (?:asked|told"
    rf"|shown)) (?!(?:the|this|that|what|if|how|it)\b)\w+|(?:[\w-]+ ){{0,3}}{_OUTPUT}\b(?! (?:for|of|that"
    r"|to|in) (?:this|the|that)\b))"
    r"|\bi (?:always|usually|never|mostly|only|rarely|generally) (?:use|work|write|read|review|start"
    r"|deploy|code|test|commit|check|run|think|do|type|look|answer|print)\b(?! (?:this|that|it)\b)"
    r"|\bmy (?:\w+ )?(?:preference|preferred \w+|favou?rite (?:editor|language|tool|shell|library"
    r"|framework|\w+)|go-to \w+) (?:is|are|for)\b"
    rf"|\b(?:works|easier|best|better|helps|clearer) (?:best |better |most )?for me (?:if|when|to)\b"
    rf"|\bhelps me (?:most )?(?:if|when) you\b",
    re.IGNORECASE,
)
_CHOICE_AT_HAND = re.compile(
    r"\bprefer (?:the )?(?:option|variant|version|solution|approach|proposal|number|your|this|that"
    r"|the (?:first|second|third|other|last|new|old|left|right|former|latter|blue|red|green)|[abc12]\b"
    r"|#)\b"
    r"|\bi(?:'d| would) (?:like|love|prefer|want) (?:you to |to |a |an |the |it )|\bhate (?:this|that|it"
    r"|mondays|when (?:this|that|it))\b|\bhate to\b|\b(?:like|love) (?:it|this|that|the (?:new|look"
    r"|idea))\b(?! when you)"
    r"|\bwant (?:all|every) (?:of )?(?:the |these |those )?(?:buttons?|rows?|columns?|fields?|items?"
    r"|users?|tests? to pass|files? in|labels?)\b",
    re.IGNORECASE,
)
