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
    "REACH",
    "REASON",
    "SWITCHED",
    "UNUSED",
    "WITHOUT",
]

BACK = re.compile(
    r"(?i)[,;]?\s*(?:\b(?:and |but )?(?:no longer|not any ?more|instead of|rather than|nicht mehr|statt"
    r"|anstatt|ya no|en vez de|au lieu de)\b|,\s*(?:not|nicht|plus|pas|no)\b"
    r"|[\uff0c,]?不再(?:是)?)\s*([^,.;\n]{1,80})"
)
"""What is said to be no longer so, or to have given way."""
UNUSED = re.compile(
    r"(?i)\b(?:do not|don't|does not|doesn't|never|no) ([^,.;\n]{1,60}?) (?:any ?more|any longer)\b"
    r"|((?:[\w.+#'-]+\s){0,2}?[\w.+#'-]+)\s(?:is|are|ist|sind|wird|werden|n'est|ne sont|ya no"
    r"|não) (?:no longer|not any ?more|nicht mehr|plus|se|é|mais) ?(?:used|needed|required|supported"
    r"|available|valid|there|here|in use|necessary|da|genutzt|verwendet|utilisée?s?|usa|usad[oa])\b"
)
"""What is said to be used no more, where that stands before or around it."""
MOVED = re.compile(
    r"(?i)\b(?:moved?|moving|switch(?:ed)?|migrat(?:ed?|ing)|chang(?:ed?|ing)|went)(?: away"
    r"| over)? from (.{1,40}?) to\b|\breplac(?:ed|es) (?!by\b|with\b)([^,.;\n]{1,40}?)(?= (?:in|on|with|by"
    r"|for|since|everywhere)\b|[,.;]|$)|\b(?:sostituito|remplacé|reemplazado|substituído"
    r"|ersetzt) ([^,.;\n]{1,40}?) (?:con|par|por|durch|com)\b|从\s*(\S{1,20}?)\s*(?:换成|改为|迁移到)"
)
CHANGE = re.compile(
    r"(?i)\b(?:(?:has |have |had |was |were |is |been |being |got |just |will be )*(?:(?:re)?moved"
    r"|switch(?:ed|ing)|migrated|upgraded|downgraded|updated|rewritten|ported|converted|replaced|renamed"
    r"|relocated|transferred|extended|shortened|raised|lowered|reduced|increased|doubled|halved|changed"
    r"|brought forward|postponed|delayed|promoted|handed over|handed|taken over|took over|takes over|dropped"
    r"|lifted|cleared|reopened|closed|deleted|went (?:up|down|from)|pushed back|rescheduled|restored|resumed"
    r"|acquired|left|pulled out)(?: (?:forward|back|over|away|up|down|out))?|now|again|since|instead"
    r"|meanwhile|henceforth|nowadays|from now on|as of|no longer|any ?more|going forward|(?:jetzt|nun"
    r"|neuerdings|inzwischen|mittlerweile|seit(?:dem)?|ab sofort|wieder|nicht mehr|künftig)|(?:umgezogen"
    r"|umgestellt|gewechselt|verschoben|ersetzt|übernommen|umbenannt|geändert|verlegt|verlängert|verkürzt"
    r"|erhöht|gesenkt)|désormais|maintenant|dorénavant|depuis|passée?s?|migrée?s?|remplacée?s?|reportée?s?"
    r"|déplacée?s?|prolongée?s?|augmentée?s?|ahora|desde|ya no|(?:se )?(?:pasó|migró|cambió|movió|trasladó"
    r"|actualizó|reemplazó)|(?:hemos )?(?:pasado|migrado|cambiado|trasladado|actualizado|reemplazado)|agora"
    r"|não mais|(?:foi )?(?:atualizad|migrad|substituíd|alterad|adiad|movid|mudad)[oa]s?|mudou|passou|ora"
    r"|adesso|d'ora in poi|(?:è )?(?:passat|migrat|sostituit|spostat|aggiornat|rinviat|cambiat)[oaie])\b"
    r"|现在|已经|已|改用|改为|改成|改到|换成|换到|迁移|升级|搬到|推迟|提前|不再|今後|変わ|替わ|今は|現在"
    r"|変更|移行|切り替え|置き換え|延期|になった|になりました"
)
"""That something became otherwise, in so many words."""
OVER = re.compile(
    r"(?i)((?:[\w.+#'-]+\s){0,4}?[\w.+#'-]+?)\s?(?:\b(?:(?:(?P<now>is|are)|was|were|been|got|has|have"
    r"|contract|support|tap|now|finally|ist|sind|wurden?|a été|est|fue|se|foi|è stat[oa])\s){1,3}(?:gone"
    r"|removed|dropped|switched off|ended|archived|retired|cancell?ed|discontinued|shut down|replaced|closed"
    r"|abandoned|dead|deleted|lifted|cleared|fixed|resolved|solved|decommissioned|abolished|withdrawn"
    r"|revoked|over|deprecated|renamed|dissolved|disbanded|eliminó|abgeschafft|ersetzt|abgeschaltet"
    r"|eingestellt|gekündigt|abandonnée?s?|supprimée?s?|eliminad[oa]s?|cancelad[oa]s?"
    r"|eliminat[oaie])\b(?(now)(?! (?:after|on|every|each|when|if|before|at|during|by|over|for|within)\b))"
    r"|(?<!-)\b(?:has |have )?(?:left(?! out\b)|quit|resigned)\b(?!$)|\s?は廃止|已(?:废弃|停用|关闭|删除))"
    r"|\b(?:(?:we|they|you)(?: have|'ve| just)* (?:dropped|removed|abolished|retired|deleted|abandoned"
    r"|stopped|ended|cancell?ed|killed|shut down|scrapped|left)|gave up|got rid of|pulled out of"
    r"|withdrew from|moved away from|stopped (?:using|working with)) ([^,.;\n]{1,60}?)(?= (?:in|on|by|for"
    r"|since|altogether|entirely|completely|everywhere|last|this)\b|[,.;]|$)"
)
"""What is said to be over, in whatever words it is named."""
ADDS = re.compile(
    r"(?i)\b(?:also|too|as well|besides|in addition|additionally|another|auch|zusätzlich|außerdem|aussi"
    r"|également|también|además|também|anche|inoltre)\b|[也还も]"
)
REACH = re.compile(
    r"(?i)\b(?:(both|either|as well as|sowohl|beide|ambos|entrambi|les deux|everyone|everybody|anyone"
    r"|anybody|jeder|todos|tutti)|only|solely|exclusively|nur|ausschließlich|seulement|uniquement|solo|sólo"
    r"|solamente|apenas|soltanto)\b|只|のみ|だけ"
)
SWITCHED = re.compile(r"(?i)\b(?:has been |have been |was |were |is |are )?(?:switched|turned) (on|off)\b")
LIMIT = re.compile(
    r"(?i)\b(?:only|except|unless|if|when|whenever|until|outside|but|while|nur|außer|wenn|bis|sauf|solo"
    r"|salvo|by default)\b"
)
REASON = re.compile(r"(?i)\b(?:because|since|so that|as of|weil|damit|parce que|porque)\b")
NOT = re.compile(
    r"(?i)\b(?:(?:do|does) not (?:need|have) to|don't (?:need|have) to|(?:do|does|did|must|should|may|need"
    r"|is|are|will) not|(?:do|does|must|should|ca|need|is|are|wo)n't|no need to|nobody|no one|can ?not|not"
    r"|never|no|avoid(?:s|ed)?|stop(?:s|ped)?(?= \w+ing\b)|nicht|kein(?:e|en|er)?|nie|niemals|ne|pas|jamais"
    r"|nunca)\b(?![-\u2019])\s*|\bdis(?=likes?\b)|不要|不能|别"
)
FORBIDDEN = re.compile(
    r"(?i)\b(?:forbidden|prohibited|banned|disallowed|off limits|verboten|interdite?s?|prohibid[oa]s?"
    r"|proibid[oa]s?|vietat[oaie])\b|禁止"
)
PERMITS = re.compile(
    r"(?i)\b(?:may|can|allowed|permitted|fine|okay|ok|free to|welcome|darf|dürfen|erlaubt|autorisée?s?"
    r"|permitid[oa]s?|permess[oaie])\b|可以|允许"
)
WITHOUT = re.compile(r"(?i)\b(?:without|ohne|sans|sin|sem|senza)\b")
