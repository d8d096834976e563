"""Sentences that say where outside the project something can be found."""

import re

__all__ = ["is_pointer"]


def is_pointer(bare: str) -> bool:
    """Whether a sentence says where outside the project something can be found."""
    if _TASK_WITH_ADDRESS.search(bare) or (_SYMPTOM.search(bare) and not _CONDITION.match(bare)):
        return False
    if re.search(_ADDRESS, bare) and _PURPOSE.search(bare):
        return True
    return any(pattern.search(bare) for pattern in _WHERE)


_ADDRESS = (
    r"https?://[^\s)>\]]+|\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|internal|local|corp|example|app|cloud"
    r"|edu|gov|de|fr|es|cn|eu|uk)\b(?:/[^\s)>\],]*)?|\b(?:go|g|wiki|intranet|jira"
    r"|confluence)/[a-z0-9][\w/-]+"
)
_PURPOSE = re.compile(
    r"\b(?:track|collect|keep|publish|host|maintain|store|post|document)s?\b|\b(?:to|at|on|in|under"
    r"|via) https?://|\b(?:is|are|'s|has|have|shows?|lives?|sits?|kept|tracked|documented|described|found"
    r"|filed|posted|listed|stored|hosted|published|collected|logged|recorded|for|where|from|comes?|source"
    r"|docs?|documentation|dashboards?|board|tracker|wiki|runbook|spec|manual|reference|guidelines?"
    r"|status|api|check|see|look|consult|ask|bookmark)\b|:\s*https?",
    re.IGNORECASE,
)
_TOOL = (
    r"(?:notion|confluence|linear|jira|grafana|kibana|datadog|sentry|figma|slack|discord|ms teams"
    r"|microsoft teams|sharepoint|google (?:docs?|drive|sheets?|calendar)|gdrive|dropbox|airtable|trello"
    r"|asana|miro|zendesk|intercom|statuspage|github (?:issues|projects?|discussions|wiki)|gitlab"
    r"|bitbucket|looker|tableau|metabase|power ?bi|superset|new relic|honeycomb|splunk|pagerduty|opsgenie"
    r"|onepassword|1password|bitwarden|vault|zotero|overleaf|basecamp|monday\.com|youtrack|redmine"
    r"|bugzilla|shortcut|clickup|hubspot|salesforce|postman|swagger|storybook|zeplin|coda|obsidian"
    r"|evernote|onenote|mixpanel|amplitude|snowflake|bigquery|databricks|mattermost|zulip|matrix|telegram"
    r"|whatsapp)"
)
_PLACE = (
    rf"(?:{_TOOL}|dashboards?|(?:kanban |project |task |jira |sprint )?board|(?:bug |issue )?tracker|wiki"
    r"|runbooks?|playbooks?|spreadsheet|(?:shared|network|team|google|company|common) (?:\w+ )?(?:drive"
    r"|folder|mailbox|inbox|calendar|sheet|doc)|mailing list|intranet|handbook|portal|knowledge base"
    r"|forum|newsgroup|channel|(?:s3 )?bucket|binder|filing cabinet|whiteboard|data catalog(?:ue)?"
    r"|status page|service desk|help ?desk|lab notebook|ticket system|ticketing system|archive|library"
    r"|registry|bulletin board)"
)
_SITS = (
    r"(?:is|are|'s|'re|re|lives?|live|sits?|(?:is|are|gets?|get|was|were|be) (?:\w+ly |all |now |also "
    r"|always )?(?:kept|tracked|documented|described|found|filed|posted|listed|stored|hosted|published"
    r"|collected|logged|recorded|reported|announced|discussed|managed|archived|planned|maintained"
    r"|written down|defined)|goes?|go|happens?|belongs?|ends? up|lands?|come|comes|arrives?|shows? up)"
)
_WHERE = (
    re.compile(
        rf"\b{_SITS} (?:all |now |only |always |in fact )?(?:in|on|at|under|inside|via|to|into|through"
        rf"|from) (?:the |our |a |their |my )?(?:[\w\"\u00b7'&/#-]+ ){{0,4}}?{_PLACE}\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b{_TOOL}(?: [\w\"\u00b7-]+){{0,4}} (?:is|has|holds|shows|contains|lists|tracks) (?:where|the|all"
        r"|our|every|what)\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b{_PLACE}\b[^.]{{0,60}}\b(?:is|has|shows|holds|contains|lists|tells)\b (?:the place|where"
        r"|what (?:on-?call|we|they|everyone)|all (?:the|our)|everything|the (?:source of truth|canonical"
        r"|official|authoritative|up-?to-?date))",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:check|look(?: it)? up|look|see|ask|search|consult|ping|post|report|file|go to|head to|refer to"
        r"|raise|use)\b[^.]{0,50}?\b(?:in|on|at|the|our|to|into|via|under) (?:the |our |a "
        rf"|their )?(?:[\w\"\u00b7'&/-]+ ){{0,3}}?(?:{_TOOL}|wiki|runbook|playbook|tracker|mailing list"
        r"|intranet|handbook|knowledge base|status page|service desk|help ?desk|shared (?:drive|folder"
        r"|mailbox|calendar))\b[^.]{0,60}\b(?:for|if|when|whenever|before|about|to (?:see|find|know)|where"
        r"|as)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:for|if|when|whenever)\b[^.]{3,80}?\b(?:check|look|see|ask|search|consult|ping|post|go to"
        r"|head to|refer to|use)\b[^.]{0,40}?\b(?:in|on|at|the|our|to|into|via|under)? ?(?:the |our "
        rf"|their )?(?:[\w\"\u00b7'&/-]+ ){{0,3}}?(?:{_TOOL}|#[a-z][\w-]+|wiki|runbook|playbook|tracker"
        r"|mailing list|intranet|handbook|knowledge base|status page|service desk|help ?desk)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:\b(?:ask|post|ping|questions?|announce\w*|alerts?|report\w*|discuss\w*|happens?|goes?|go|in|on"
        r"|via|to|channel is|see|check)\b[^.]{0,40})(?<!\w)#[a-z][a-z0-9_-]{2,}",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:you(?:'ll| will| can)? |can be |to be )(?:find|found|look up|see)\b[^.]{2,60}? (?:in|on|at"
        rf"|under|via) (?:the |our |a )?(?:[\w'&/#\"\u00b7-]+ ){{0,4}}?{_PLACE}\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:we|they|people|everyone|the \w+(?: team| group)?|i) (?:\w+ )?(?:collect|keep|track|post"
        r"|publish|store|file|put|log|write|share|discusse?|manage|document|archive|list|announce|report|plan"
        r"|maintain|record)s?\b[^.]{0,50}? (?:in|on|at|under|via|to|through|into) (?:the |our |a "
        rf"|an )?(?:[\w'&/#\"\u00b7-]+ ){{0,3}}?{_PLACE}\b",
        re.IGNORECASE,
    ),
    re.compile(rf"^[^:,.]{{3,60}}: (?:the |our )?{_PLACE}\b", re.IGNORECASE),
    re.compile(
        r"^(?:the |our )?(?:[\w'-]+ ){1,5}?(?:docs?|documentation|manual|guidelines?|specs?|runbooks?"
        r"|dashboard|tracker|tickets?|board|designs?|mockups?|minutes|roadmap|logs"
        rf"|metrics)\b[^.:]{{0,40}}:\s*(?:{_TOOL}|https?://)",
        re.IGNORECASE,
    ),
)
_TASK_WITH_ADDRESS = re.compile(
    r"(?:^|\b(?:please|pls|can you|could you|and|then|now|to)\s+)(?:fetch|open|scrape|download|read"
    r"|summari[sz]e|clone|curl|call|parse|visit|crawl|ping https?|hit|try|connect|deploy"
    r"|redirect|proxy|embed|render|add|implement|write|create|make|build|fix|change|update|replace"
    r"|integrate|get|(?:test|point|link|set|query|request|post) (?:an?|the|this|that|it|my|our|all|to"
    r"|https?))\b"
    r"|^(?:please )?use (?:the|this|that) [^.]{0,20}https?|\b(?:look at|check|see|use) (?:this|that"
    r"|https?://\S+) (?:and|as|then|to (?:fix|implement"
    r"|write))\b|\band (?:tell|give|show|implement|write|fix|add|summari[sz]e)\b",
    re.IGNORECASE,
)
# "When the printer fails, look in the wiki" is where to look, and no complaint.
_CONDITION = re.compile(r"(?:if|when|whenever|once|in case)\b", re.IGNORECASE)
_SYMPTOM = re.compile(
    r"\b(?:returns?|throws?|gives? (?:me|a)|responds?|fails?|failing|broken|crash\w*|404|500|502|503"
    r"|timeouts?|times out|unreachable|down|doesn'?t (?:load|work|open|render)|is (?:slow|empty|blank|red"
    r"|misaligned|overlapping)|component|css|props?)\b",
    re.IGNORECASE,
)
