"""The modules that a host waits for: only these may import inside functions and do without `typing`.

A test fails when a hook loads a module that is not named here, and when any other module imports late. Then
either name the module here, because a host waits for it, or import it elsewhere.
"""

__all__ = [
    "CLAIM",
    "CONTRADICTIONS",
    "HEAVY",
    "HOST_WRITES",
    "LATE",
    "NOTHING_TO_SAY",
    "OTHER_EVENTS",
    "PROMPT",
    "RECORDING",
    "TOOL_CALL",
    "WAITED_FOR",
    "WRITERS",
]

NOTHING_TO_SAY = """
memdir
memdir.hooks
memdir.hooks.entry
memdir.hooks.reply_cache
memdir.hook_paths
gc
zlib
_json
"""
"""What the reply cache answers alone: a prompt without memories, a tool call without rules."""

TOOL_CALL = """
memdir.disk
memdir.disk.append_log
memdir.hosts
memdir.hosts.protocol
memdir.memories
memdir.memories.enforce
memdir.prompt
memdir.prompt.templates
memdir.resources
memdir.rules
memdir.rules.store
memdir.rules.command_check
memdir.rules.decisions
memdir.rules.fast_check
memdir.rules.git
memdir.rules.judge
memdir.rules.match
memdir.rules.paths
memdir.rules.command_line
memdir.rules.shell.nested_commands
memdir.rules.self_protection
memdir.rules.shell
memdir.rules.shell.expansion
memdir.rules.shell.files
memdir.rules.shell.interpreter
memdir.rules.invocation
memdir.rules.shell.parser
memdir.rules.shell.builtins
memdir.rules.shell.scanner
memdir.rules.shell.bulk_changes
memdir.text
memdir.text.escape
memdir.text.fast_escape
memdir.text.globs
memdir.text.invisible_characters
memdir.text.program_names
memdir.text.secrets
memdir.text.secrets.fast_search
memdir.text.templates
memdir.text.value
memdir.text.wildmatch
"""
"""What is loaded besides for a call that rules allow, deny or ask about."""

PROMPT = """
memdir.build
memdir.config
memdir.config.location
memdir.config.identity
memdir.config.keys
memdir.config.layout
memdir.config.location
memdir.config.safe_path
memdir.config.settings
memdir.config.world
memdir.config.world
memdir.conversation
memdir.conversation.logs
memdir.conversation.receipts
memdir.conversation.state
memdir.disk.append_log
memdir.disk.files
memdir.disk.lock
memdir.disk.regular_file
memdir.errors
memdir.handles
memdir.handles.jobs
memdir.hooks.full_answer
memdir.hosts.protocol
memdir.hosts.session
memdir.memories.catalog
memdir.memories.catalog.header_cache
memdir.memories.catalog.derived
memdir.memories.directory
memdir.memories.history
memdir.memories.history.authorship_cache
memdir.memories.names
memdir.memories.scan
memdir.memories.topic
memdir.progress
memdir.recall
memdir.recall.fusion
memdir.recall.lexical
memdir.recall.lexical.bm25
memdir.recall.lexical.corpus
memdir.recall.lexical.terms
memdir.recall.limits
memdir.recall.ranker
memdir.recall.recaller
memdir.recall.relevance
memdir.recall.selector
memdir.recall.semantic
memdir.recall.semantic.encoder
memdir.recall.semantic.vectors
memdir.recall.semantic.weights
memdir.recall.surface
memdir.text.clip
memdir.text.dates
memdir.text.dates.calendar
memdir.text.frontmatter
memdir.text.frontmatter.header
memdir.text.word_starts
memdir.workers
memdir.workers.queue
"""
"""What is loaded besides for a prompt with memories to rank."""

OTHER_EVENTS = """
memdir.extract
memdir.extract.gate
memdir.hosts.tool_calls
memdir.rules.compiler
memdir.team
memdir.team.audience
"""
"""What is loaded besides for a call that no cache answers, after a call, at a turn's end, and with a team."""

CLAIM = """
memdir.memories.history.git
memdir.verify
memdir.verify.anchors
memdir.verify.branches
memdir.verify.check
memdir.verify.claims
memdir.verify.claims.branches
memdir.verify.claims.commands
memdir.verify.claims.dates
memdir.verify.claims.definitions
memdir.verify.claims.literals
memdir.verify.claims.mentions
memdir.verify.claims.parser
memdir.verify.claims.past_tense
memdir.verify.claims.scripts
memdir.verify.claims.versions
memdir.verify.commands
memdir.verify.literals
memdir.verify.paths
memdir.verify.project
memdir.verify.repository
memdir.verify.symbols
memdir.verify.verdicts
memdir.verify.versions
"""
"""What is loaded besides when a memory that is shown claims something about code."""

WRITERS = """
memdir.disk.trees
memdir.memories.change
memdir.memories.history.authorship
memdir.memories.history.git
memdir.memories.history.commits
memdir.memories.history.recorder
memdir.text.numbers
memdir.text.secrets.search
memdir.text.secrets.values
"""
"""What is loaded besides for a memory or a rule seen for the first time: history says who wrote it."""

CONTRADICTIONS = """
memdir.memories.contradiction
memdir.memories.contradiction.judge
memdir.memories.contradiction.paraphrase
memdir.memories.contradiction.statement
memdir.memories.contradiction.values
"""
"""What is loaded besides when several memories are shown: a newer one may contradict an older one."""

RECORDING = """
memdir.conversation.messages
memdir.extract.memory_use
memdir.memories.draft
memdir.memories.history.external_changes
memdir.memories.history.masks
memdir.memories.history.versions
memdir.memories.index
memdir.memories.index.file
memdir.memories.index.hubs
memdir.memories.index.pointer
memdir.memories.index.text
memdir.memories.plans
memdir.memories.proposed_names
memdir.memories.refusals
memdir.memories.repetition
memdir.memories.writer
memdir.text.dates.habits
memdir.text.dates.languages
memdir.text.dates.phrases
memdir.text.dates.relative_dates
memdir.text.diff
memdir.text.frontmatter.edits
memdir.text.frontmatter.lines
memdir.text.markdown
"""
"""What is loaded besides after a call that may have changed memories: a shell command that no cache answers,
or a file that the host wrote. The change is recorded, and the index brought up to date."""

HOST_WRITES = """
memdir.hosts.memory_writes
memdir.memories.contradiction.candidates
memdir.team.admission
memdir.text.frontmatter.lines
"""
"""What is loaded besides before and after a call that writes a memory file."""

WAITED_FOR = frozenset(f"{NOTHING_TO_SAY} {TOOL_CALL} {PROMPT} {OTHER_EVENTS} {CLAIM}".split())
"""What hosts wait for again and again; the other modules are loaded once, or for few answers."""

HEAVY = {
    "click": "completion of shells, which few command lines ask for",
    "httpx2": "takes longer to import than most commands take",
    "jinja2": "the extra of the viewer, which many copies do without",
    "memdir.cli.app": "the command line itself; its entry point loads it when it is called",
    "memdir.mcp.http": "an HTTP server, which a server on standard input does not need",
    "numpy": "takes longer to import than most commands take",
    "ssl": "half of what httpx2 takes to import",
    "subprocess": "few calls start a program",
    "urllib.request": "loads http, email and ssl for one address",
    "yaml": "only headers that are not flat need it",
}
"""What any module may import inside a function, with the reason."""

LATE = {
    "memdir.extract.extractor": "most turns are extracted without a model and used no tool",
    "memdir.handles.recalls": "a process that ranks loads no evaluation, no transcripts and no search",
    "memdir.cli.target": "a host waits for `memdir mcp`, which opens a memory at the first call",
    "memdir.memory": "`import memdir` loads no feature, and a verb its own alone",
    "memdir.mcp.server": "a host waits for its start, which needs no answers yet",
    "memdir.models.build": "without a model nothing of the vendors is loaded, with one its vendor alone",
}
"""Modules that import our own modules late although no host waits for them, with the reason."""
