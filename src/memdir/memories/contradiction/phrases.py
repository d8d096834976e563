"""The phrases that say how a memory's statement is meant: taken back, changed, over, forbidden, limited."""

import re

__all__ = [
    "ADDS",
    "BACK",
    "CHANGE",
    "FORBIDDEN",
    "LIMIT",
    "MOVED",
    "NOT",
    "OVER",
    "PERMITS",
    "PLACED",
    "REACH",
    "REASON",
    "SWITCHED",
    "UNUSED",
    "WITHOUT",
]

BACK = re.compile(
    r"[,;]?\s*(?:\b(?:and |but )?(?:no longer|not any ?more|instead of|rather than|nicht mehr|statt|anstatt"
    r"|ya no|en vez de|au lieu de)\b|,\s*(?:not|nicht|plus|pas|no)\b|[\uff0c,]?不再(?:是)?)"
    r"\s*([^,.;\n]{1,80})",
    re.IGNORECASE,
)
"""What is said to be no longer so, or to have given way."""
UNUSED = re.compile(
    r"\b(?:do not|don't|does not|doesn't|never|no) ([^,.;\n]{1,60}?) (?:any ?more|any longer)\b"
    r"|((?:[\w.+#'-]+\s){0,2}?[\w.+#'-]+)\s(?:is|are|ist|sind|wird|werden|n'est|ne sont|ya no|não)"
    r" (?:no longer|not any ?more|nicht mehr|plus|se|é|mais) ?"
    r"(?:used|needed|required|supported|available|valid|there|here|in use|necessary|da|genutzt|verwendet"
    r"|utilisée?s?"
    r"|usa|usad[oa])\b",
    re.IGNORECASE,
)
"""What is said to be used no more, where that stands before or around it."""
MOVED = re.compile(
    r"\b(?:moved?|moving|switch(?:ed)?|migrat(?:ed?|ing)|chang(?:ed?|ing)|went)(?: away| over)?"
    r" from (.{1,40}?) to\b"
    r"|\breplac(?:ed|es) (?!by\b|with\b)([^,.;\n]{1,40}?)(?= (?:in|on|with|by|for|since|everywhere)\b"
    r"|[,.;]|$)"
    r"|\b(?:sostituito|remplacé|reemplazado|substituído|ersetzt) ([^,.;\n]{1,40}?) (?:con|par|por|durch"
    r"|com)\b"
    r"|从\s*(\S{1,20}?)\s*(?:换成|改为|迁移到)",
    re.IGNORECASE,
)
CHANGE = re.compile(
    r"\b(?:(?:has |have |had |was |were |is |been |being |got |just |will be )*"
    r"(?:(?:re)?moved|switch(?:ed|ing)|migrated|upgraded|downgraded|updated|rewritten|ported|converted"
    r"|replaced"
    r"|renamed|relocated|transferred|extended|shortened|raised|lowered|reduced|increased|doubled|halved"
    r"|changed|brought forward|postponed|delayed|promoted|handed over|handed|taken over|took over"
    r"|takes over"
    r"|dropped|lifted|cleared|reopened|closed|deleted|went (?:up|down|from)|pushed back|rescheduled"
    r"|restored|resumed|acquired|left|pulled out)"
    r"(?: (?:forward|back|over|away|up|down|out))?"
    r"|now|again|since|instead|meanwhile|henceforth|nowadays|from now on|as of|no longer|any ?more"
    r"|going forward"
    r"|(?:jetzt|nun|neuerdings|inzwischen|mittlerweile|seit(?:dem)?|ab sofort|wieder|nicht mehr|künftig)"
    r"|(?:umgezogen|umgestellt|gewechselt|verschoben|ersetzt|übernommen|umbenannt|geändert|verlegt"
    r"|verlängert|verkürzt|erhöht|gesenkt)"
    r"|désormais|maintenant|dorénavant|depuis|passée?s?|migrée?s?|remplacée?s?"
    r"|reportée?s?|déplacée?s?|prolongée?s?|augmentée?s?"
    r"|ahora|desde|ya no|(?:se )?(?:pasó|migró|cambió|movió|trasladó|actualizó|reemplazó)"
    r"|(?:hemos )?(?:pasado|migrado|cambiado|trasladado|actualizado|reemplazado)"
    r"|agora|não mais|(?:foi )?(?:atualizad|migrad|substituíd|alterad|adiad|movid|mudad)[oa]s?|mudou|passou"
    r"|ora|adesso|d'ora in poi|(?:è )?(?:passat|migrat|sostituit|spostat|aggiornat|rinviat"
    r"|cambiat)[oaie])\b"
    r"|现在|已经|已|改用|改为|改成|改到|换成|换到|迁移|升级|搬到|推迟|提前|不再"
    r"|今後|変わ|替わ|今は|現在|変更|移行|切り替え|置き換え|延期|になった|になりました",
    re.IGNORECASE,
)
"""That something became otherwise, in so many words."""
OVER = re.compile(
    r"((?:[\w.+#'-]+\s){0,4}?[\w.+#'-]+?)\s?(?:\b(?:(?:(?P<now>is|are)|was|were|been|got|has|have"
    r"|contract|support|tap"
    r"|now|finally|ist|sind|wurden?|a été|est|fue|se|foi|è stat[oa])\s){1,3}"
    r"(?:gone|removed|dropped|switched off|ended|archived|retired|cancell?ed|discontinued|shut down"
    r"|replaced|closed"
    r"|abandoned|dead|deleted|lifted|cleared|fixed|resolved|solved|decommissioned|abolished|withdrawn"
    r"|revoked|over|deprecated|renamed"
    r"|dissolved|disbanded|eliminó|abgeschafft|ersetzt|abgeschaltet|eingestellt|gekündigt|abandonnée?s?"
    r"|supprimée?s?|eliminad[oa]s?|cancelad[oa]s?|eliminat[oaie])\b"
    r"(?(now)(?! (?:after|on|every|each|when|if|before|at|during|by|over|for|within)\b))"
    r"|(?<!-)\b(?:has |have )?(?:left(?! out\b)|quit|resigned)\b(?!$)"
    r"|\s?は廃止|已(?:废弃|停用|关闭|删除))"
    r"|\b(?:(?:we|they|you)(?: have|'ve| just)* (?:dropped|removed|abolished|retired|deleted|abandoned"
    r"|stopped|ended"
    r"|cancell?ed|killed|shut down|scrapped|left)|gave up|got rid of|pulled out of|withdrew from"
    r"|moved away from"
    r"|stopped (?:using|working with)) ([^,.;\n]{1,60}?)"
    r"(?= (?:in|on|by|for|since|altogether|entirely|completely|everywhere|last|this)\b|[,.;]|$)",
    re.IGNORECASE,
)
"""What is said to be over, in whatever words it is named."""
ADDS = re.compile(
    r"\b(?:also|too|as well|besides|in addition|additionally|another|auch|zusätzlich|außerdem|aussi"
    r"|également"
    r"|también|además|também|anche|inoltre)\b|[也还も]",
    re.IGNORECASE,
)
REACH = re.compile(
    r"\b(?:(both|either|as well as|sowohl|beide|ambos|entrambi|les deux|everyone|everybody|anyone|anybody"
    r"|jeder|todos"
    r"|tutti)|only|solely|exclusively|nur|ausschließlich"
    r"|seulement|uniquement|solo|sólo|solamente|apenas|soltanto)\b|只|のみ|だけ",
    re.IGNORECASE,
)
SWITCHED = re.compile(
    r"\b(?:has been |have been |was |were |is |are )?(?:switched|turned) (on|off)\b", re.IGNORECASE
)
PLACED = re.compile(r"\blives? (?:in|at|on)\b", re.IGNORECASE)
LIMIT = re.compile(
    r"\b(?:only|except|unless|if|when|whenever|until|outside|but|while|nur|außer|wenn|bis|sauf|solo|salvo"
    r"|by default)"
    r"\b",
    re.IGNORECASE,
)
REASON = re.compile(r"\b(?:because|since|so that|as of|weil|damit|parce que|porque)\b", re.IGNORECASE)
NOT = re.compile(
    r"\b(?:(?:do|does) not (?:need|have) to|don't (?:need|have) to"
    r"|(?:do|does|did|must|should|may|need|is|are|will) not|(?:do|does|must|should|ca|need|is|are|wo)n't"
    r"|no need to|nobody|no one|can ?not|not|never|no|avoid(?:s|ed)?|stop(?:s|ped)?(?= \w+ing\b)"
    r"|nicht|kein(?:e|en|er)?|nie|niemals|ne|pas|jamais|nunca)\b(?![-\u2019])\s*|\bdis(?=likes?\b)"
    r"|不要|不能|别",
    re.IGNORECASE,
)
FORBIDDEN = re.compile(
    r"\b(?:forbidden|prohibited|banned|disallowed|off limits|verboten|interdite?s?|prohibid[oa]s?"
    r"|proibid[oa]s?|vietat[oaie])\b"
    r"|禁止",
    re.IGNORECASE,
)
PERMITS = re.compile(
    r"\b(?:may|can|allowed|permitted|fine|okay|ok|free to|welcome|darf|dürfen|erlaubt|autorisée?s?"
    r"|permitid[oa]s?|permess[oaie])\b|可以|允许",
    re.IGNORECASE,
)
WITHOUT = re.compile(r"\b(?:without|ohne|sans|sin|sem|senza)\b", re.IGNORECASE)
