"""Sentences in eleven languages as people say them, each with the kind that it is about."""

__all__ = ["SENTENCES_BY_LANGUAGE"]

SENTENCES_BY_LANGUAGE: dict[str, dict[str, tuple[str, ...]]] = {
    "English": {
        "user": (
            "I work as a nurse and learn Python in the evenings",
            "I've got about eight years of Kotlin behind me",
            "The user maintains the billing service alone",
            "I'm left-handed and use a split keyboard",
            "my timezone is UTC+9",
        ),
        "feedback": (
            "when I say 'ship it' I mean open a draft PR",
            "Add a changelog entry to every pull request",
            "Ask before installing a new dependency",
            "Squash commits before merging",
            "Test against a real database, not against mocks",
            "Migrations must be reversible",
            "Error messages should say what to do next",
            "Log lines are written in English, without emojis",
            "Do not rename public functions without asking",
            "New endpoints need an integration test",
            "Wrap lines at 100 columns",
            "Whenever a test is flaky, open an issue instead of retrying",
        ),
        "project": (
            "The payments rewrite is on hold until the audit is done",
            "We chose Postgres over Mongo because of transactions",
            "Legal wants the export feature before the end of the quarter",
            "Two customers still depend on the XML endpoint",
            "The mobile team is short of two people this summer",
        ),
        "reference": (
            "The traces for checkout live in Honeycomb, dataset checkout-prod",
            "Load test results are stored in the perf-results bucket",
            "On-call schedules are managed in Opsgenie",
            "Meeting minutes can be found in SharePoint under Platform",
            "The data dictionary is kept in Metabase",
            "Ask the #infra channel when runners hang",
            "Architecture decisions are recorded in the adr repo",
        ),
    },
    "German": {
        "user": (
            "Ich bin Backend-Entwickler und neu in React",
            "Ich arbeite seit zehn Jahren mit Java",
            "Mein Englisch ist nicht so gut",
            "Ich kenne mich mit Kubernetes kaum aus",
            "Ich leite das Plattform-Team",
        ),
        "feedback": (
            "Antworte immer auf Deutsch",
            "Bitte keine Kommentare in den Code schreiben",
            "Schreib Commit-Nachrichten im Imperativ",
            "Ich mag keine langen Antworten",
            "Nutze pnpm statt npm",
            "Frag mich, bevor du Dateien löschst",
            "Wenn ich 'fertig' sage, meine ich: öffne einen Pull Request",
            "Tests dürfen nicht auf das Netz zugreifen",
            "Ich möchte lieber kurze Zusammenfassungen",
        ),
        "project": (
            "Die Umstellung auf Postgres ist bis März geplant",
            "Wir haben uns gegen Kafka entschieden, weil der Betrieb zu teuer ist",
            "Das Mobil-Team übernimmt den Login",
            "Der Vertrag mit dem Anbieter läuft im Juni aus",
        ),
        "reference": (
            "Die Doku zur Schnittstelle steht im Confluence",
            "Fehler werden in Jira unter OPS erfasst",
            "Das Dashboard für die Latenz liegt in Grafana",
        ),
    },
    "French": {
        "user": (
            "Je suis développeuse front depuis cinq ans",
            "Je travaille surtout avec Go",
            "Je débute en Rust",
            "Mon rôle est de gérer l'équipe data",
        ),
        "feedback": (
            "Réponds toujours en français",
            "N'ajoute jamais de commentaires inutiles",
            "Utilise pnpm plutôt que npm",
            "Je préfère des réponses courtes",
            "Quand je dis « c'est bon », je veux dire que tu peux fusionner",
            "Demande avant de supprimer un fichier",
            "Il faut écrire les tests avant le code",
        ),
        "project": (
            "La migration est reportée à mars parce que l'audit n'est pas fini",
            "Nous avons décidé d'abandonner Kafka",
            "L'équipe mobile reprend le module de paiement",
        ),
        "reference": (
            "La documentation de l'API se trouve dans Confluence",
            "Les incidents sont suivis dans Jira",
            "Le tableau de bord des latences est sur Grafana",
        ),
    },
    "Spanish": {
        "user": (
            "Soy ingeniera de datos y llevo poco con Rust",
            "Trabajo desde Chile, en otra zona horaria",
            "Llevo diez años programando en Java",
            "No conozco bien Kubernetes",
        ),
        "feedback": (
            "Prefiero respuestas cortas y sin emojis",
            "Responde siempre en español",
            "No uses mocks en los tests",
            "Usa pnpm en lugar de npm",
            "Cuando digo 'listo' quiero que abras un PR",
            "Nunca hagas push a main",
            "Pregunta antes de borrar archivos",
            "Los mensajes de commit tienen que estar en inglés",
        ),
        "project": (
            "Decidimos dejar Kafka porque es demasiado caro",
            "El contrato con el proveedor termina en junio",
            "El equipo móvil se encarga del login",
        ),
        "reference": (
            "La documentación está en Confluence",
            "Los errores se registran en Jira, proyecto OPS",
            "El panel de latencia está en Grafana",
        ),
    },
    "Portuguese": {
        "user": (
            "Sou desenvolvedor backend há oito anos",
            "Trabalho principalmente com Elixir",
            "Estou aprendendo Kubernetes",
            "Meu cargo é líder de dados",
        ),
        "feedback": (
            "Responda sempre em português",
            "Não use mocks nos testes",
            "Prefiro respostas curtas",
            "Quando eu disser 'manda', quero que você abra um PR",
            "Use pnpm em vez de npm",
            "Nunca faça push direto na main",
        ),
        "project": (
            "Decidimos abandonar o Kafka porque custa caro",
            "O contrato com o fornecedor termina em junho",
        ),
        "reference": (
            "A documentação fica no Confluence",
            "Os bugs são registrados no Jira",
        ),
    },
    "Italian": {
        "user": (
            "Sono uno sviluppatore backend",
            "Lavoro con Java da dieci anni",
            "Sto imparando Rust",
            "Il mio ruolo è responsabile dei dati",
        ),
        "feedback": (
            "Rispondi sempre in italiano",
            "Non usare mock nei test",
            "Preferisco risposte brevi",
            "Quando dico 'vai' intendo che puoi aprire la PR",
            "Usa pnpm invece di npm",
            "Non fare mai push su main",
        ),
        "project": (
            "Abbiamo deciso di abbandonare Kafka perché costa troppo",
            "Il contratto con il fornitore scade a giugno",
        ),
        "reference": (
            "La documentazione si trova su Confluence",
            "I bug sono tracciati in Jira",
        ),
    },
    "Dutch": {
        "user": (
            "Ik ben data-engineer en nieuw met Rust",
            "Ik werk al tien jaar met Java",
            "Mijn rol is teamlead van platform",
        ),
        "feedback": (
            "Antwoord altijd in het Nederlands",
            "Gebruik geen mocks in de tests",
            "Ik wil liever korte antwoorden",
            "Als ik 'klaar' zeg, bedoel ik dat je een PR mag openen",
            "Vraag het eerst voordat je bestanden verwijdert",
            "Push nooit direct naar main",
        ),
        "project": (
            "We hebben besloten om Kafka te laten vallen omdat het te duur is",
            "Het contract met de leverancier loopt in juni af",
        ),
        "reference": (
            "De documentatie staat in Confluence",
            "Bugs worden bijgehouden in Jira",
        ),
    },
    "Russian": {
        "user": (
            "Я бэкенд-разработчик и плохо знаю React",
            "Я работаю с Java десять лет",
            "Мой родной язык — русский",
            "Меня зовут капитан",
        ),
        "feedback": (
            "Отвечай всегда по-русски",
            "Не используй моки в тестах",
            "Пиши сообщения коммитов на английском",
            "Когда я говорю «готово», я имею в виду открыть PR",
            "Никогда не пушь в main",
            "Я предпочитаю короткие ответы",
            "Спрашивай перед удалением файлов",
        ),
        "project": (
            "Мы решили отказаться от Kafka, потому что это дорого",
            "Контракт с поставщиком заканчивается в июне",
        ),
        "reference": (
            "Документация лежит в Confluence",
            "Баги ведутся в Jira, проект OPS",
        ),
    },
    "Chinese": {
        "user": (
            "我是后端工程师，刚开始学 React",
            "我用 Java 已经十年了",
            "我负责数据平台团队",
            "我的母语是中文",
        ),
        "feedback": (
            "请用中文回答",
            "不要在测试里用 mock",
            "我喜欢简短的回答",
            "我说“可以了”的意思是开一个草稿 PR",
            "用 pnpm 而不是 npm",
            "提交信息必须用英文写",
            "删除文件之前先问我",
            "别改公共接口",
            "以后先写测试再写代码",
        ),
        "project": (
            "我们决定放弃 Kafka，因为成本太高",
            "和供应商的合同六月到期",
            "移动团队接手登录模块",
        ),
        "reference": (
            "接口文档在 Confluence 上",
            "线上问题都记录在 Jira 的 OPS 项目里",
            "延迟的看板在 Grafana",
        ),
    },
    "Japanese": {
        "user": (
            "私はバックエンドエンジニアです",
            "Javaを十年使っています",
            "僕はReactの初心者です",
        ),
        "feedback": (
            "返事は必ず日本語でお願いします",
            "テストでモックを使わないでください",
            "短い回答が好きです",
            "「出して」と言ったら、ドラフトPRを開くという意味です",
            "npmの代わりにpnpmを使ってください",
            "mainに直接pushしないこと",
        ),
        "project": (
            "コストが高いのでKafkaをやめることにしました",
            "ベンダーとの契約は六月に終わります",
        ),
        "reference": (
            "APIのドキュメントはConfluenceにあります",
            "バグはJiraで管理しています",
        ),
    },
    "Korean": {
        "user": (
            "저는 백엔드 개발자입니다",
            "저는 자바를 십 년 동안 써 왔습니다",
            "제 역할은 데이터 팀장입니다",
        ),
        "feedback": (
            "항상 한국어로 답해 주세요",
            "테스트에서 목을 쓰지 마세요",
            "짧은 답변이 좋아요",
            "npm 대신 pnpm을 쓰세요",
            "파일을 지우기 전에 먼저 물어봐 주세요",
            "main에 직접 푸시하지 마",
        ),
        "project": (
            "비용이 커서 카프카를 그만두기로 했습니다",
            "공급업체와의 계약은 유월에 끝납니다",
        ),
        "reference": (
            "API 문서는 컨플루언스에 있습니다",
            "버그는 지라에서 관리합니다",
        ),
    },
}
