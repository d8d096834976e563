"""How a sentence is meant: asked, supposed, reported, mocked, or not to be kept."""

import re

from memdir.extract.heuristics.sentences import Sentence

__all__ = [
    "beside_refusal",
    "is_asked",
    "is_for_this_once",
    "is_hedged",
    "is_mocking",
    "is_reported",
    "is_supposed",
    "is_unwanted",
]


def is_unwanted(bare: str) -> bool:
    """Whether a sentence says that this is not to be kept."""
    return _UNWANTED.search(bare) is not None


def beside_refusal(bare: str) -> tuple[str, str]:
    """Return what stands before and after the words that say that something is not to be kept."""
    if not (match := _UNWANTED.search(bare)):
        return bare, ""
    # "My" belongs to what is named: "don't save my birthday".
    own = re.search(r"\b(?:my |me)\Z", match[0], re.IGNORECASE)
    return bare[: match.start()], (own[0] if own else "") + bare[match.end() :]


def is_hedged(bare: str) -> bool:
    """Whether the writer is not sure."""
    return _HEDGED.search(bare) is not None


def is_asked(sentence: Sentence) -> bool:
    """Whether a sentence is a question and no request in the form of one."""
    asks = sentence.bare.rstrip("\"') ").endswith(("?", "\uff1f", "吗", "呢")) or _ASKS.match(sentence.bare)
    return bool(asks) and not _POLITE.search(sentence.bare)


def is_supposed(sentence: Sentence) -> bool:
    """Whether a sentence only imagines something."""
    return _HYPOTHETICAL.search(sentence.bare) is not None


def is_reported(sentence: Sentence) -> bool:
    """Whether a sentence gives what somebody else says."""
    return _REPORTED.search(sentence.bare) is not None


def is_mocking(sentence: Sentence) -> bool:
    """Whether a sentence is mockery, or praise where something just went wrong."""
    if _SARCASM.search(sentence.bare) or _SARCASM.search(sentence.before):
        return True
    around = f"{sentence.before} {sentence.bare}"
    praises = _CHEER.match(sentence.before) or _CHEER.match(sentence.bare)
    return bool(praises) and _MISHAP.search(around) is not None


def is_for_this_once(sentence: Sentence) -> bool:
    """Whether a sentence says that it does not count later."""
    return _PASSING.search(sentence.bare) is not None


_UNWANTED = re.compile(
    r"\b(?:do ?n'?t|do not|no need to|don't need to|needn'?t|not worth|never|please not|without"
    r"|you (?:shouldn'?t|don'?t have to|needn'?t)|wouldn'?t) (?:you )?(?:please |ever |bother |to "
    r"|even )*(?:remember(?:ing)?|memori[sz]e|memori[sz]ing|sav(?:e|ing)|stor(?:e|ing)|record(?:ing)?"
    r"|not(?:e|ing)) (?:this|that|it|any of (?:this|that|it)|anything|these|what i|my |me\b"
    r"|down)(?!\s+(?:file|function|class|variable|branch|button|to (?:the|a) (?:db|database|file|disk"
    r"|table)|(?:in|into|to) (?:the )?(?:db|database|file|table|repo|logs?|state|cache|session|cookie)))"
    r"|\b(?:do ?n'?t|not|needn'?t|no need)\b[^.]{0,25}\b(?:remember|memori[sz]e|save|store|note) (?:this"
    r"|that|it)\b(?! (?:in|to|into|as|file)\b)|\b(?:off|not for) the record\b"
    r"|\b(?:do ?n'?t|do not|never) (?:memori[sz]e|remember|save|store|record|note)\s*[:\u2013\u2014]"
    r"|\b(?:do ?n'?t|do not"
    r"|never) (?:keep (?:this|that|it)\W*$|(?:write|put|note) (?:this|that|it|any of this) (?:down"
    r"|anywhere|in(?:to)? (?:your )?(?:memory|notes)))|\bkeep (?:this|that|it) to yourself\b"
    r"|\bout of (?:your|the) (?:notes|memory|memories)\b|\bnot a general (?:rule|preference)\b|\b(?:just"
    r"|only) for (?:this|the) (?:one|screenshot|demo|text|time)\b|\bnothing to (?:note|remember|save"
    r"|keep)\b|\b(?:just|only) (?:me )?(?:venting|ranting|thinking out loud)\b|\bbetween (?:us"
    r"|you and me)\b|\b(?:keep|leave) (?:this|that|it) (?:out of|off) (?:your |the )?(?:memory|memories"
    r"|notes|record)"
    r"|\b(?:not|nothing) (?:for|to go in(?:to)?) (?:your |the )?(?:memory|memories|notes)\b"
    r"|\bnot (?:something )?to (?:be )?remember(?:ed)?\b|\bno need to (?:remember|save|store|note|keep"
    r"|memori[sz]e)\b|\bforget i (?:said|mentioned|asked)|\bignore (?:what i just said|that last message)"
    r"|\bthis (?:stays|is) (?:confidential|private|between)|\b(?:ephemeral|incognito)\b"
    r"|不要记|别记|不用记|不必记|无需记|请勿记|merk dir das nicht"
    r"|nicht merken|nicht speichern|ne (?:retiens|note|mémorise"
    r"|enregistre|garde) pas|no (?:lo |la )?(?:recuerdes|guardes|anotes|apuntes|memorices)",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"\bjust (?:for )?(?:this (?:once|time|session|conversation|chat)|today|now|the moment)\b"
    r"|\bonly (?:for )?(?:this (?:once|time|session|conversation|chat)|today)\b|\bfor (?:this"
    r"|the current) (?:session|conversation|chat|task|one) only\b|\bfor (?:this|the rest of this"
    r"|the current) (?:session|conversation|chat)\b|\bone-?off\b|\bthis one time\b|\bas an exception\b"
    r"|\bexceptionally\b|\btemporar(?:y|ily)\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:i think|i guess|i believe|i suppose|probably|not (?:100% |entirely |totally |completely "
    r"|quite |really )?sure|might|may be|maybe|perhaps|possibly|if i remember|iirc|afaik|supposedly"
    r"|apparently|i heard|rumou?r|likely|unconfirmed|tentative(?:ly)?|not (?:yet )?(?:confirmed|final"
    r"|official)|tbc|tbd|could be|seems?(?: to)?)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:so |and |ok |hey |hi |but |well |btw )*(?:(?:how|what|why|when|where|who|which)(?:'s|s)? (?:is"
    r"|are|was|were|do|does|did|can|could|should|would|will|about|come|many|much|the|if)\b(?! you do)"
    r"|what'?s\b|(?:do|does|did|have|has) (?:you|u|we|i|they|he|she|anyone|someone)\b|(?:does|did|is|are"
    r"|was|were|should|would|shall|has) (?:it|there|this|that|the|any|you|we|i|they|he|she|anyone"
    r"|someone)\b"
    r"|any (?:idea|thoughts|chance)|(?:wo|was|wie|warum|wann|wer|welche\w*) (?:ist|sind|war|soll\w*|kann"
    r"|muss|wird|machen|hat|haben)\b|(?:est-ce|qu'est|pourquoi|comment|quand|quel\w*|où)\b|¿)",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"\b(?:can|could|would|will) (?:you|u) (?:please |pls |maybe |also |just |kindly )*(?:remember|keep"
    r"|note|make a note|always|never|stop|not|avoid|save|memori[sz]e|only|from now on|start"
    r"|use .* instead|bear)\b"
    r"|\b(?:ok|okay|alright|please|got it|deal|thanks|understood|clear|agreed|capisce|cool|d'accord|vale"
    r"|klar|好吗|可以吗|行吗)\s*[?\uff1f]+\W*$|(?:好吗|可以吗|行吗|好不好)[?\uff1f]?$",
    re.IGNORECASE,
)
_SARCASM = re.compile(
    r"(?:^|\s)/s\b|\U0001f644|\U0001f643|\b(?:oh|ah|wow|yay|woohoo)[,!]? (?:great|perfect|wonderful"
    r"|lovely|brilliant|fantastic|nice|good|joy|yes please|sure|thanks)\b|\byeah,? right\b"
    r"|\bsure,? (?:let's|why not|because|go ahead and|just|whatever)\b"
    r"|\bwhat could (?:possibly |ever )?go wrong\b|\b(?:because|cause|since) (?:that|it) (?:always |has "
    r"|really )?(?:work(?:s|ed)|went|goes|helps) (?:so|out so|out) \w+|\bi (?:just |absolutely |really "
    r"|totally |so )*(?:love|adore|enjoy|live for) (?:it )?(?:when|how) (?:everything|the|nothing|my|it"
    r"|you (?:delete|break|ignore|forget|remove|destroy|crash))"
    r"|\bi love (?:that|this)\W*$|\bexactly what i (?:needed|wanted|always wanted"
    r"|was hoping for) (?:today|on a|at|right now|this)|\bjust what i (?:needed|always wanted)\b"
    r"|\b(?:genius|brilliant|bravo|slow clap|how (?:original|nice of|thoughtful|lovely|convenient))\b"
    r"|\bas if\b|\bas usual\b.*\bthanks\b|\bobviously\b.*\b(?:great|genius|best|smart|love)\b|\b(?:great"
    r"|good|nice|fantastic|wonderful|lovely|brilliant|excellent) (?:idea|plan|job|work|one)\b.*\b(?:delet"
    r"|drop|crash|break|broke|ignor|los[et]|prod|fire)\w*"
    r"|\bclearly (?:the best|a genius|nobody)\b|\bthanks for (?:nothing|breaking|deleting|ignoring"
    r"|crashing)\b|\bwho needs\b|\bi (?:simply|just|absolutely|truly|really) (?:adore|love)\b|\b(?:gives"
    r"|adds) (?:my|our) (?:day|life)\b|\bhow i like my (?:mondays|mornings|weekends|fridays|evenings)\b"
    r"|\b(?:my boss|everyone|everybody|the customers?) (?:adores?|loves?) (?:it|that)\b|\bpromise\?"
    r"|\byeah,? sure\b|\bworks (?:great|wonders)\W*$|\bignore everything\b|\b(?:lol|lmao|haha+"
    r"|rofl)\b.{0,30}\b(?:always|never|prefer|love)\b|\b(?:always|never)\b.{0,60}\b(?:lol|lmao|haha+"
    r"|rofl)\b|\bthat'?ll (?:definitely|surely|totally)\b|\b(?:totally|definitely) (?:normal|fine|safe"
    r"|not)\b|\bkeep (?:up|doing) (?:that|the).{0,30}\b(?:break|crash|delet|fail|bugs)\w*",
    re.IGNORECASE,
)
_CHEER = re.compile(
    r"\W*(?:oh|wow|great|nice|fantastic|perfect|love|lovely|brilliant|sure|yay|wonderful|awesome|cool"
    r"|excellent|super|bravo|congrats|amazing|beautiful)\b",
    re.IGNORECASE,
)
_MISHAP = re.compile(
    r"\b(?:prod(?:uction)? is|is down|went down|down again|broke|broken|breaks|crash\w*|fail(?:ed|ing"
    r"|s)? (?:again|build)|null ?pointer|another (?:bug|error|crash|outage|null|failing|failed|meeting"
    r"|warning|conflict)|deleted|dropped the|lost (?:my|the|all)|wiped|on fire|\w+th time"
    r"|for the \w+ time|again!|hours of|forty minutes|without asking)\b",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(
    r"^(?:\W|so |ok |but |and |well |hmm+ )*(?:had (?:we|i|they|you)|suppose|supposing|imagine|assume"
    r"|assuming|let'?s (?:say|assume|pretend|imagine)|say (?:we|i|you|that|they)|what if|hypothetically"
    r"|in theory|theoretically|if (?:i|we|they|he|she|it|you|someone|somebody|everyone|the \w+|a \w+"
    r"|only) (?:were|had|ever|could|would|was|decided|chose|moved|switched|used|wanted|went|did|should"
    r"|dropped|agreed|said|told|never|always|got)|would (?:it|you|we|that)|(?:maybe|perhaps) (?:we|i|you"
    r"|one)|in an ideal|ideally,? we'd|wenn wir|angenommen|falls wir|stell dir vor|supposons|imagine que"
    r"|si (?:on|nous|j'|je) |supongamos|imagina|si (?:fuera|tuviéramos|usáramos)|如果|假如|假设|要是)"
    r"|\b(?:i|we|they|you|he|she)(?:'d| would| might| could)(?!n't)(?! (?:like|love) (?:you"
    r"|it if) )\b(?! (?:rather|prefer|much prefer|appreciate|like it if))(?!.*\bbecause\b)|\bwere (?:i"
    r"|we) to\b|\bfor example,? (?:a|one|someone)\b|\bit would be\b|\bthinking (?:about|of|whether)\b"
    r"|\bwonder(?:ing)? (?:if|whether|how)\b|\bconsidering\b|\b(?:haven'?t|have not"
    r"|not) (?:yet )?(?:decided|agreed|settled)\b|\bundecided\b|\bin a perfect world\b|\bonce upon\b"
    r"|\bpretend\b|\brole-?play\b",
    re.IGNORECASE,
)
_SPEAKER = (
    r"(?:he|she|they|it|people|someone|somebody|some (?:people|folks|devs)|everyone"
    r"|the (?:[\w'-]+ ){0,3}(?:docs?|documentation|article|blog|post|readme|manual|book|tutorial|guide"
    r"|video|talk|page|site|comment|linter|compiler|error|warning|message|log|output|prompt|spec|rfc"
    r"|paper|author|answer|poster|sign|banner|tooltip|novel|character|song|movie|quote|slogan|vendor"
    r"|style ?guide|template|email|mail|ticket|issue|review(?:er)?|changelog|tweet|thread|forum)|(?:a|an"
    r"|this|that|one|another|my old|my former|their|his|her) (?:[\w'-]+ ){0,3}(?:docs?|article|blog|post"
    r"|readme|book|tutorial|guide|video|talk|page|comment|teacher|professor|colleague|coworker|friend"
    r"|boss|company|team|author|answer|style ?guide|user|customer|poster|sign|ticket|email|thread"
    r"|neighbou?r|brother|sister|wife|husband|dad|mom|mother|father|uncle|aunt|grandma|job))"
)
_REPORTED = re.compile(
    rf"\b{_SPEAKER}(?: \w+){{0,3}}? (?:says?|said|tells?|told|wr(?:ites?|ote)|recommends?|recommended"
    r"|suggests?|suggested|claims?|claimed|states?|stated|reads?(?=\W*\u201c|\W*\")|insists?|insisted"
    r"|advises?|advised|warns?|warned|argues?|argued|preaches|advocates?|used to (?:say|tell|claim"
    r"|preach)|printed|prints|wants? (?:me|us|you|everyone))\b"
    r"|\baccording to\b|\b(?:(?:there'?s|there is) an? (?:\w+ )?(?:article|blog|post|rule|saying|quote"
    r"|proverb|book|talk|thread|tweet|video|paper)|i (?:just )?read|i saw|i (?:just )?watched"
    r"|i heard) (?:a|an|this|that|in|somewhere|about|on(?! (?:a|my) (?:phone|mobile|screen)))\b"
    r"|\b(?:quote|quoting|unquote|and i quote)\b"
    r"|\bin (?:the|that|this|an?) (?:article|blog ?post|book|tutorial|video|talk|novel|movie|song"
    r"|paper)\b|\bit says\b|\bwhere (?:they|he|she|it) (?:writes?|wrote|says?|said|claims?)\b"
    r"|\btranslate\b",
    re.IGNORECASE,
)
