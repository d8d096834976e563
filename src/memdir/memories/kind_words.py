"""Patterns that suggest the kind of a memory, with weights, in eleven languages."""

__all__ = ["FOREIGN", "FOREIGN_SIGNS", "SIGNS"]

_DAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight"
    r"|(?:next|this|last) (?:week|month|quarter|sprint|year)"
)
_DATE = (
    r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d"
    r"|20\d\d\b|q[1-4]\b|end of (?:the )?\w+"
)
_PLACE = (
    r"(?:dashboards?|board|trackers?|tickets?|wiki|runbooks?|playbook|notion|confluence|linear|jira|grafana"
    r"|kibana|datadog|sentry|figma|slack|channel|spreadsheet|google docs?|drive folder|docs? site"
    r"|mailing list|pagerduty|opsgenie|sharepoint|metabase|looker|tableau|airtable|asana|trello|zendesk|miro"
    r"|backstage|honeycomb|splunk|new relic|prometheus|statuspage|postman|swagger|bigquery|snowflake"
    r"|bucket)\b"
)
_WORK = (
    r"(?:answers?|repl(?:y|ies)|responses?|summar\w+|explanations?|comments?|commits?|prs?|pull requests?"
    r"|diffs?|tests?|code|functions?|names?|messages?|you|output|bullet points?|emojis?|questions?|types?"
    r"|patch(?:es)?|branch names?|imports?|variables?|error messages|docstrings?|mocks?|snapshots?"
    r"|migrations?|plans?|refactor\w*|log lines|changes|examples|snippets?|comments?|endpoints?)\b"
)
_ORDER = (
    r"(?:always|never|do?n'?t(?! expect)|do not(?! expect)|stop|avoid|prefer|use|keep|make sure|ask|run"
    r"|write|put|skip|leave|give|show|check|read|commit(?! (?:[0-9a-f]{6,40}|signing|history|access)\b)|try"
    r"|explain|format|start|wait|go with|be|let me|remember to|only|quit|do|(?:add|answer|bump|call|cite"
    r"|confirm|delete|document|drop|ensure|fix|follow|handle|ignore|include|inline|install|limit|link|list"
    r"|log|mark|mention|merge|mock|move|name|open|pin|propose|push|rebase|remove|rename|reply|respond|return"
    r"|review|say|send|set|split|squash|stick|suggest|tag|tell|test|treat|update|validate|verify|work"
    r"|wrap)(?! (?:is|are|was|were|has|have|of|for|in|on|results?|data|suite|coverage|team|branch|plan"
    r"|files?|pages?|names?|runs?|takes?|lives?)\b))\b(?!['-])"
)
_GREETING = r"^(?:(?:please|pls|ok|no|yes|and|also|hi|hey|fyi|btw|nice|great|so),? )*"
_NO_PERSON = (
    r"(?! (?:services?|tables?|interfaces?|models?|stor(?:y|ies|e)|guides?|manual|ids?|accounts?|data|groups?"
    r"|apis?|pages?|profiles?|flows?|settings?|research|base|agents?)\b)"
)
_ME = rf"\b(?:i|user{_NO_PERSON}) (?:\w+ )?"
_ROLE = (
    r"^(?!(?:the|our|their|every|each|no|ask|one|any)\b)(?:\w+ ){0,2}(?:scientist|engineer|developer|designer"
    r"|manager|analyst|student|researcher|architect|programmer|consultant|teacher|founder|freelancer)"
    r"(?:,|\.?$| (?:with|who|at)\b)"
)
_KEPT = (
    r"(?:tracked|documented|described|kept|listed|found|filed|posted|lives?|stored|managed|recorded|collected|published"
    r"|hosted|maintained|archived)"
)
_PAPERS = (
    r"(?:docs|documentation|specs?|runbooks?|metrics|logs|traces|dashboards?|alerts?|bugs|issues|designs?"
    r"|mockups?|backups?|recordings?|minutes|notes|decisions|adrs?|glossary|contacts?|schedules?|rota"
    r"|templates?|reports?|assets|datasets?|feature flags|secrets|credentials|certificates|invoices"
    r"|contracts|guidelines?|guide|handbook|polic(?:y|ies)|inventory|roadmap|backlog|release notes"
    r"|postmortems?|schemas?|catalog|benchmarks|results|exports|screenshots)"
)
_CRAFT = (
    r"(?:branches|branch names|commits|messages|pull requests|prs|tests|fixtures|mocks|functions|methods|classes"
    r"|components|hooks|variables|constants|names|imports|exports|types|interfaces|errors|exceptions|log lines|comments"
    r"|docstrings|migrations|queries|endpoints|routes|handlers|responses|scripts|dependencies|styles|strings|dates"
    r"|timestamps|files|modules|schemas|enums|snippets|answers|replies|summaries|plans)"
)
_FILE = r"`?(?:\.?[\w@-]+/|[\w-]+\.(?:py|tsx?|jsx?|go|rs|java|rb|cpp|cs|sh|json|ya?ml|toml|sql|md)\b)"
# The part of a tool that holds the thing, in the languages that set words apart, and a limit on words.
_PART = (
    r"(?:projects?|queue|board|channel|dashboard|folder|space|workspace|domain|environment|page|wiki|tickets?|section"
    r"|category|collection|dataset|label|index|tab|portal|view|vault"
    r"|projekt|warteschlange|kanal|ordner|bereich|seite|umgebung|projet|file d'attente|tableau|canal|dossier|espace|page|domaine"
    r"|environnement|proyecto|cola|tablero|carpeta|espacio|página|dominio|entorno|projeto|fila|quadro|pasta|espaço|domínio"
    r"|progetto|coda|bacheca|cartella|spazio|pagina|sezione|map|wachtrij|ruimte"
    r"|проект|очередь|доска|канал|папка|раздел|пространство|страница|домен)"
)
_MOST = (
    r"(?:at most|not? (?:more|longer) than|under|less than|(?<!has )(?<!have )fewer than|max(?:imum(?: of)?)?(?! over\b)"
    r"|höchstens|maximal|unter|nicht mehr als|weniger als|moins de|au plus|pas plus de|máximo|menos de|n(?:o|ão) m[aá]i?s de"
    r"|massimo|meno di|non più di|hoogstens|maximaal|onder|minder dan|(?:niet meer|korter) dan|не более|не больше|не длиннее|максимум)"
)
_LENGTH = (
    r"(?:sentences?|words|paragraphs?|bullets?(?: points?)?|sätzen?|wörter[n]?|zeilen|absatz|absätzen?|phrases?|mots"
    r"|lignes|paragraphes?|frases?|palabras|líneas|párrafos?|palavras|linhas|parágrafos?|frasi|parole|righe|paragraf[oi]"
    r"|zinnen|woorden|regels|предложени\w+|слов\w*|строк\w*|абзац\w*)\b"
)
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"

# Tables read better with one sign a line.
# fmt: off
# What the other languages say: about oneself, how to work, why and when, and where to look. Each sign settles it.
FOREIGN_SIGNS: dict[str, tuple[tuple[int, str], ...]] = {
    "user": (
        (4, r"^ich (?:bin|arbeite|kenne|spreche|wohne|lebe|lerne|komme|studiere|leite|habe \w+ jahre|heiße|programmiere)\b"),
        (4, r"^mein(?:e)? (?:rolle|job|name|beruf|englisch|muttersprache|zeitzone|ziel|aufgabe)\b"),
        (4, r"^je (?:suis|travaille|connais|parle|vis|habite|réside|viens|débute|gère|dirige|code)\b|^j'(?:ai|habite|apprends)\b"),
        (4, r"^(?:mon|ma) (?:rôle|métier|nom|poste|langue|fuseau)\b"),
        (4, r"^(?:yo )?(?:soy|trabajo|vivo|hablo|conozco|no conozco|llevo|estudio|vengo|estoy aprendiendo|me llamo)\b"),
        (4, r"^mi (?:rol|trabajo|nombre|idioma|puesto|zona horaria)\b"),
        (4, r"^(?:eu )?(?:sou|trabalho|moro|falo|conheço|estou aprendendo|tenho|me chamo)\b"),
        (4, r"^meu (?:nome|cargo|trabalho|papel|fuso)\b|^minha (?:função|língua)\b"),
        (4, r"^(?:io )?(?:sono|lavoro|vivo|parlo|conosco|sto imparando|ho \w+ anni|mi chiamo)\b|^il mio (?:ruolo|lavoro|nome)\b"),
        (4, r"^ik (?:ben|werk|woon|spreek|ken|leer|heb \w+ jaar|heet)\b|^mijn (?:rol|baan|naam|moedertaal)\b"),
        (4, r"^я (?!предпочитаю|хочу|люблю|не люблю|говорю,)\w|^меня зовут|^мо[йяё] (?:роль|опыт|родной|должность|имя)"),
        (4, r"^我(?:是|在|叫|住|会|不会|刚|正在学|来自|负责|熟悉|不熟悉|用.*年)|^我的(?:角色|工作|名字|母语|背景|时区)"),
        (4, r"^(?:私|僕|俺)[はの]|^\S{1,20}を\S{1,6}年(?:使|やっ|書)|(?:エンジニア|デザイナー|初心者|出身)です$|に住んで"),
        (4, r"^(?:저는|나는|제|내) (?!.*(?:주세요|마세요|하지 마))"),
    ),
    "feedback": (
        (5, r"\b(?:antworte|schreibe?|nutze|benutze|verwende|nimm|frage?|halte|mache?|lass|vermeide|lösche|teste|bleibe?)\b(?! (?:sich|wir))"),
        (5, r"^(?:bitte|immer|nie(?:mals)?|keine?n?)\b|\bdürfen nicht\b|\b(?:du )?sollst\b|\bstatt (?:npm|\w+)$"),
        (6, r"\bich (?:mag|will|möchte|hätte|bevorzuge|hasse)\b.*\b(?:antworten?|zusammenfassung\w*|kommentare?|code|commits?|tests?|du|dass)\b"),
        (6, r"\bwenn ich\b.*\bsage\b"),
        (5, r"^(?:réponds|reste|utilise|n'utilise|n'ajoute|ajoute|évite|écris|garde|demande|ne|pas de|fais|mets|lance|vérifie)\b"),
        (6, r"\bje (?:préfère|veux|voudrais|n'aime pas|déteste)\b.*\b(?:réponses?|commentaires?|code|tests?|tu|que|commits?)\b"),
        (5, r"^(?:sé|sii|seja|sois|sei|fass dich) (?:breve|bref|kurz|concis\w*)\b"),
        (6, r"\bquand je dis\b|\bil (?:faut|ne faut pas)\b|^(?:toujours|jamais)\b"),
        (5, r"^(?:responde|usa|no uses|no hagas|no añadas|no pongas|no toques|nunca|siempre|evita|escribe|pregunta|haz)\b"),
        (6, r"\b(?:prefiero|quiero|no me gustan?|odio)\b.*\b(?:respuestas?|comentarios?|que|código|tests?|commits?|mensajes)\b"),
        (6, r"\bcuando diga?o?\b|\b(?:tienen?|hay) que (?:estar|ser|usar|escribir|ir|pedir)\b"),
        (5, r"^(?:responda|use|não (?:use|faça|adicione|mexa|escreva)|nunca|sempre|evite|escreva|pergunte|faça)\b"),
        (6, r"\b(?:prefiro|quero|não gosto)\b.*\b(?:respostas?|comentários?|que|código|testes?|commits?)\b|\bquando eu (?:disser|digo)\b"),
        (5, r"^(?:rispondi|usa|non (?:usare|fare|toccare|aggiungere|scrivere|mettere)|mai|sempre|evita|scrivi|chiedi|fai)\b"),
        (6, r"\b(?:preferisco|voglio|non mi piac\w+)\b.*\b(?:risposte?|commenti|che|codice|test|commit)\b|\bquando dico\b"),
        (5, r"^(?:antwoord|gebruik|schrijf|vraag|vermijd|maak|geen)\b|\b(?:nooit|altijd)\b"),
        (6, r"\bik (?:wil|heb liever|haat)\b.*\b(?:antwoord\w*|dat je|code|commits?|tests?|commentaar)\b|\bals ik\b.*\bzeg\b"),
        (5, r"^(?:не )?(?:отвечай|используй|пиши|спрашивай|избегай|делай|добавляй|трогай|пушь|меняй|запускай|проверяй)(?:те)?\b"),
        (6, r"^(?:всегда|никогда|пожалуйста)\b|\bкогда я говорю\b|\bя (?:предпочитаю|хочу|люблю|не люблю)\b"),
        (6, r"^(?:请|不要|别|务必|总是|永远|一律|优先|尽量|以后|始终|禁止|先)|不要|务必|必须|先问我|而不是"),
        (6, r"我(?:更)?(?:喜欢|希望|想要|不喜欢|讨厌|偏好)|我说.*(?:意思|就是)|用.{1,6}(?:回答|回复)"),
        (6, r"(?:て|で)(?:ください|下さい|ほしい)|ないで|しないこと|お願いし|お願いいた|の代わりに|が(?:好き|いい)です|と言ったら|禁止"),
        (6, r"세요$|주세요|해 ?줘|하지 ?마|말아|^항상|절대|대신|부탁|(?:답변|대답|코드|커밋)\S* (?:좋|싫)"),
    ),
    "project": (
        (4, r"\b(?:wir haben (?:uns )?(?:\S+ ){0,3}entschieden|entschieden|übernimmt|läuft (?:\S+ ){0,2}aus|geplant|weil|verschoben|bis märz)\b"),
        (4, r"\b(?:nous avons décidé|reportée?|parce que|reprend|prévue?|échéance)\b"),
        (4, r"\b(?:decidimos|hemos decidido|porque|se encarga|termina|vence|aplazad[oa])\b"),
        (4, r"\b(?:decidiram|custa|adiad[oa]|termina|assume|vence)\b"),
        (4, r"\b(?:abbiamo deciso|perché|scade|rinviat[oa]|si occupa)\b"),
        (4, r"\b(?:we hebben besloten|omdat|loopt (?:\S+ ){0,2}af|uitgesteld|neemt (?:\S+ ){0,3}over)\b"),
        (4, r"\b(?:мы решили|потому что|заканчивается|отложен|отвечает за)\b"),
        (4, r"我们决定|决定|因为|到期|接手|推迟|截止|上线"),
        (4, r"ことにし|ので|契約|延期|終わ|担当"),
        (4, r"기로 했|계약|연기|끝납|때문|담당"),
    ),
    "reference": (
        (4, rf"\b(?:steht|stehen|liegt|liegen|findest|findet|erfasst|gibt es|dokumentiert)\b.*\b{_PLACE}|\b{_PLACE}.*\b(?:steht|liegt|erfasst)\b"),
        (4, rf"\b(?:se trouve|se trouvent|sont suivis|est sur|est dans|sont dans|voir)\b.*\b{_PLACE}|\b(?:está|están|se registran|se encuentra|ver)\b.*\b{_PLACE}"),
        (4, rf"\b(?:fica|ficam|está|registrados|encontra)\b.*\b{_PLACE}|\b(?:si trova|tracciati|è su|sono su|sono in)\b.*\b{_PLACE}"),
        (4, rf"\b(?:staat|staan|bijgehouden|vind je)\b.*\b{_PLACE}|(?:лежит|лежат|ведутся|ведём|находится|смотри).*\b{_PLACE}"),
        (5, (r"在[^，。]{1,20}的?\S*(?:项目|队列|看板|频道|文件夹|空间|页面)|の\S{1,20}(?:プロジェクト|キュー|ボード|チャンネル|フォルダ|スペース)[でに]"
             r"|(?:의|에) ?\S+ ?(?:프로젝트|큐|보드|채널|폴더|페이지)에")),
        (5, rf"(?:在|到|见).{{0,16}}{_PLACE.removesuffix(chr(92) + 'b')}|(?:文档|看板|手册|仪表盘|工单|问题).{{0,12}}(?:在|见)"),
        (5, rf"{_PLACE.removesuffix(chr(92) + 'b')}(?:に|で|を)|(?:ドキュメント|手順書|ダッシュボード).*(?:に|で)(?:あり|ある|管理|まとめ)"),
        (5, r"(?:노션|컨플루언스|지라|슬랙|위키|대시보드|그라파나|피그마|문서)\S* (?:있|관리|확인|올|참고|.*(?:에|에서) (?:있|관리))"),
    ),
}

# A sign weighs 2 when it leans, 3 when it mostly settles the matter, 4 when it does alone; a taste in how
# work is done weighs more than the two signs of a personal taste that it brings along. Patterns are compiled
# when first used: reading a directory needs the kinds, not these.
SIGNS: dict[str, tuple[tuple[int, str], ...]] = {
    "reference": (
        (4, r"https?://|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}/"),
        (3, rf"\b{_PLACE}.*\b(?:is|are|lives?|sits?|has|shows?|holds?|where|for|under|at)\b"),
        (3, rf"\b(?:in|on|at|to|see|check|via|under) (?:the |our |their )?(?:[\w#'-]+ ){{0,3}}{_PLACE}"),
        (3, r"\b(?:in|on) (?:the|our|a|their) (?:[\w'-]+ ){0,3}(?:repo|bucket|folder|sheet|drive)\b"),
        (5, r"(?:^|\s)#[a-z][\w-]+"),
        (2, r"\b(?:in|on|to) (?:the )?#[a-z]"),
        (3, rf"\b{_KEPT} (?:in|on|at|under|inside)\b(?! sync\b| (?:the )?{_FILE})"),
        (2, r"\b(?:docs|documentation|manual|handbook|spec) (?:of|for|on|is|are)\b"),
        (4, r"\b(?:in|on) [\w'-]+(?: [\w'-]+)?,? (?:under|project|dataset|board|space|label|workspace|index|tab|section)\b"),
        (5, (r"\b(?:(?<!run )(?<!runs )(?:in|on)|through|via|im|über|auf|dans|sur|par|en|por|no|na|nel|su|tramite|bij|op|в|на|через)"
             rf" (?!\d|q[1-4]\b|{_MONTH})[^,.;(]{{2,40}}, {_PART}:? [^\s,.;]+(?: [^\s,.;]+){{0,2}}(?:[,.;)]|$)")),
        (4, rf"\w (?:goe?s?|runs?|requested|booked|ordered|filed) (?:through|via) (?:the |our )?(?:[\w'-]+ ){{1,2}}{_PART}\b"),
        (4, r"\b[a-z0-9-]+\.(?:com|org|net|io|dev|app|internal|local|corp|cloud)\b|\bgo/\w|\S@[\w-]+\.\w"),
        (5, (r"\b(?:ask|contact|ping|talk to|write to|reach out to) (?!me\b|before|first|the user|us\b)[\w#' -]{1,30}"
             r"\b(?:about|for|when)\b")),
        (3, (r"\b(?:available|accessible|reachable|seen|requested|reported|exported|looked up)"
             r" (?:in|on|at|under|via|through|to)\b")),
        (4, r"\bsource of truth\b|\b(?<!ask )(?<!asking )for (?:questions|details|help|access)\b|^(?:look|see) (?:at|in|up)?\b"),
        (4, rf"\b{_PAPERS}\b.{{0,60}}\b(?:is|are|lives?|sits?|goe?s?|can be found|come) (?:in|on|at|under|from) (?!{_FILE})"),
    ),
    "user": (
        (4, rf"{_GREETING}(?:i am|i'm|im|(?:the )?user is) "),
        (4, r"\b(?:vivo|moro|abito|resido|risiedo) (?:en|em|n[oa]|ad?|in)\b"),
        (4, (r"\b(?:mother tongue|native (?:language|speaker|tongue)|first language|muttersprach\w*|langue maternelle"
             r"|lengua materna|idioma materno|língua materna|lingua madre|madrelingua|moedertaal|родной язык)|母[语語]|모국어")),
        (4, r"\bmy (?:\w+ )?(?:role|job|background|title|name|timezone|goal|language)\b|\bcall me\b"),
        (4, r"\b(?:i've|i have|ive|user has) (?:been |never |only |always )?(?:\w+ing|done|used|worked)\b"),
        (4, rf"{_ME}(?:knows?|understand|studied|learned|speaks?|live|works?|leads?|manage|teach|code)\b"),
        (4, rf"{_ME}(?:come from|to (?:learn|understand|become|get))\b"),
        (4, r"\b(?:i've|i have|ive) (?:never|only|always|mostly) (?:\w+ed|written|built|seen|run|made)\b"),
        (4, rf"\bi (?:\w+ )?(?:wrote|built|designed|created|founded)\b|{_ROLE}"),
        (4, r"\bbeen \w+ing\b.*\b(?:since|for)\b"),
        (3, r"\b(?:new to|fluent in|experience with|years of|familiar with|comfortable with|expert in)\b"),
        (4, r"^(?:prefers|likes|loves|hates|knows|works|speaks|lives) "),
        (3, rf"{_ME}(?:likes?|loves?|prefers?|enjoy|hates?|uses?)\b"),
        (3, rf"^(?:the )?user{_NO_PERSON} (?:\w+ly )?(?!wants|expects|insists)\w+s\b|^(?:the )?user's "),
        (2, rf"{_GREETING}(?:i|my|the user{_NO_PERSON}) |\b(?:to|for) me\b"),
    ),
    "feedback": (
        (4, rf"{_GREETING}(?:{_ORDER}|(?:answer|reply|respond)\b(?= in\b))"),
        (3, rf"\b{_MOST} (?:\w+ ){{1,3}}{_LENGTH}|\b{_LENGTH} (?:\S+ )?(?:or less|or fewer|at most|max|como (?:máximo|mucho)|no máximo|maximum)"),
        (3, r"[句字行文](?:话|字)?(?:以内|之内)|(?:不要?超过|最多).{1,4}[句字行段]|(?:문장|단어|줄) ?(?:이내|이하)"),
        (4, rf"{_GREETING}(?:no|less|fewer|more|short(?:er)?|small(?:er)?) (?:\w+ )?{_WORK}"),
        (6, rf"{_ME}(?:likes?|prefers?|wants?|hates?)\b.*\b{_WORK}|\bhow i (?:want|like)\b"),
        (4, rf"^(?:\w+ )?{_WORK}.*\b(?:ha(?:ve|s) to|must|should|needs? to)\b|^your\b"),
        (5, (rf"{_ME}(?:wants?|expects?|insists?|do(?:es)? ?n[o']t want) "
            r"(?!to (?:learn|understand|become|get|know|see|work|build|move)\b)")),
        (3, r"^no (?!one\b)\w|[.;:,] (?:so |and |then |please )?(?:always|never|(?:don'?t|do not)(?! expect)|use|keep|avoid|ask|run|stop)\b"),
        (3, rf"^(?:\w+ ){{0,2}}{_WORK}.*\b(?:always|never|only|not|without|no|in english|instead|real)\b"),
        (3, (rf"^(?:\w+ )?{_CRAFT} (?:are (?:written|named|kept|sorted|formatted|grouped|placed|stored|always|never|squashed)"
             r"|follow|start with|end with|stay|belong|go (?:in|into|next|under)|use|need|begin)\b")),
        (2, r", not (?:in|by|on|with|as|the|a|\w+$)|\bnot \w+ but\b"),
        (4, r"\bwhen(?:ever)? i (?:say|write|type|ask|call)\b.*\b(?:i mean|means?|i want|you)\b"),
        (2, r"\b(?:must|should|needs? (?:an?|to)) (?!wait\b)|\bwithout (?:asking|approval|emojis?)\b"),
        (3, r"\bwhenever\b|\bbefore (?:you )?(?:\w+ing|every|each|merg|commit|push)"),
        (5, r"\bi(?:'d| would) (?:rather|prefer)\b(?! (?:work|live|be)\b)"),
        (4, r"\b(?:please|pls|bitte|por favor)[.!]*$|^bitte\b|s'il (?:te|vous) pla[iî]t|^请|不要|务必"),
        (4, r"(?:て|で)(?:ください|下さい|ほしい)|お願いし|お願いいた"),
        (4, r"^it'?s (?:fine|ok|okay|all right|alright) (?:to|if|that)\b|\bi (?:already )?told you\b"),
        (4, r"^(?:nobody|no one) (?:ever )?(?:force-)?(?:push|commit|merge|rebase|deploy)"),
        (3, r"\b(?:instead of|rather than|from now on|next time|in future|when(?:ever)? you)\b"),
        (3, r"\byou (?:should|must|need to|keep|always|did|forgot|were)|\bstop \w+ing\b"),
        (3, r"\b(?:was|is) (?:exactly )?(?:(?:the )?right|perfect|wrong|what i)\b|\bkeep (?:doing|it)\b"),
        (2, r"\b(?:always|never|(?:do?n'?t|do not)(?! expect)|must not|should not|no more)\b"),
        (2, r"\btoo (?:long|much|verbose)\b"),
    ),
    "project": (
        (3, rf"\b(?:{_DAY}|{_DATE})"),
        (2, rf"\b(?:by|until|before|since|in) {_MONTH}\b"),
        (3, r"\b(?:deadline|freez\w+|frozen|release|launch\w*|ships?|cutover|go-?live|sunset|rollout)\b"),
        (3, r"\b(?:decided|agreed|chose|owns?|owner|in charge|responsible for|takes? over|on leave)\b"),
        (2, r"\b(?:because|since (?!\d)|due to|so that|reason|legal|compliance|customers?|contract)\b"),
    ),
}
# fmt: on

FOREIGN = (
    r"[^\0-\x7f]|\b(?:ich|bitte|immer|nie|niemals|wir|wird|werden|die|der|das|wenn|mein|meine|nutze|schreib|antworte|frag"
    r"|je|les|nous|il|mon|ma|ne|soy|conozco|el|la|los|las|mi|usa|cuando|trabajo|llevo|prefiero|nunca|siempre|responde|pregunta"
    r"|decidimos|os|meu|sou|prefiro|responda|sempre|trabalho|quando|estou|sono|lavoro|non|preferisco|rispondi|abbiamo"
    r"|est|sont|dans|une|des|fais|maximum|es|ist|bleib|mia|del|con|che|por|ik|het|een|geen|mijn|nooit|altijd|gebruik|antwoord|vraag|we hebben|bugs worden|de|sto)\b"
)
"""A text without a match of this is not in one of the other languages."""
