/// The words of the clock's page.
enum ClockPhrases {
    static let title = Phrase("Clock", fr: "Horloge", pt: "Relógio", zh: "時鐘", de: "Uhr")
    static let timeDefinition = Phrase(
        "All that happens in this environment happens at this time, in UTC.",
        fr: "Tout ce qui se passe dans cet environnement a lieu à cette heure, en UTC.",
        pt: "Tudo o que acontece neste ambiente acontece nesta hora, em UTC.", zh: "此環境中的一切皆以此時間（UTC）發生。",
        de: "Alles in dieser Umgebung geschieht zu dieser Zeit, in UTC.")
    static let advance = Phrase(
        "Advance the clock", fr: "Avancer l’horloge", pt: "Avançar o relógio", zh: "快轉時鐘", de: "Uhr vorstellen")
    static let by = Phrase("By", fr: "De", pt: "Em", zh: "快轉幅度", de: "Um")
    static let byHint = Phrase(
        "A duration in ISO 8601: P1M, P2W, P1DT12H, PT5M.", fr: "Une durée ISO 8601 : P1M, P2W, P1DT12H, PT5M.",
        pt: "Uma duração em ISO 8601: P1M, P2W, P1DT12H, PT5M.", zh: "ISO 8601 時間長度：P1M、P2W、P1DT12H、PT5M。",
        de: "Eine Dauer nach ISO 8601: P1M, P2W, P1DT12H, PT5M.")
    static let to = Phrase("To", fr: "Jusqu’à", pt: "Até", zh: "快轉至", de: "Auf")
    static let toHint = Phrase(
        "Instead of a duration: 2026-12-31T00:00:00Z.", fr: "À la place d’une durée : 2026-12-31T00:00:00Z.",
        pt: "Em vez de uma duração: 2026-12-31T00:00:00Z.", zh: "可代替時間長度：2026-12-31T00:00:00Z。",
        de: "Anstelle einer Dauer: 2026-12-31T00:00:00Z.")
    static let both = Phrase(
        "Say either a duration or a time.", fr: "Indiquez soit une durée, soit une heure.",
        pt: "Informe uma duração ou uma data e hora.", zh: "請擇一輸入時間長度或時間。",
        de: "Geben Sie entweder eine Dauer oder eine Zeit an.")
    static let badDuration = Phrase(
        "This is no duration: P1M, P2W, P1DT12H, PT5M.", fr: "Ce n’est pas une durée : P1M, P2W, P1DT12H, PT5M.",
        pt: "Isso não é uma duração: P1M, P2W, P1DT12H, PT5M.", zh: "這不是時間長度：P1M、P2W、P1DT12H、PT5M。",
        de: "Das ist keine Dauer: P1M, P2W, P1DT12H, PT5M.")
    static let advanced = Phrase(
        "It is %1 now. Events on the way: %2.", fr: "Il est maintenant %1. Événements survenus : %2.",
        pt: "Agora são %1. Eventos no caminho: %2.", zh: "現在時間是 %1。期間發生的事件：%2。",
        de: "Es ist jetzt %1. Ereignisse unterwegs: %2.")
    static let runs = Phrase(
        "This clock runs on real time and can’t be moved.",
        fr: "Cette horloge suit le temps réel et ne peut être déplacée.",
        pt: "Este relógio segue o tempo real e não pode ser movido.", zh: "此時鐘依實際時間運行，無法調整。",
        de: "Diese Uhr geht nach der wirklichen Zeit und lässt sich nicht stellen.")
    static let runsAdvice = Phrase(
        "Create an environment with a manual clock to see what time brings.",
        fr: "Créez un environnement à horloge manuelle pour voir ce que le temps apporte.",
        pt: "Crie um ambiente com relógio manual para ver o que o tempo traz.", zh: "建立具手動時鐘的環境，即可查看時間推移的結果。",
        de: "Legen Sie eine Umgebung mit gestellter Uhr an, um zu sehen, was die Zeit bringt.")
    static let happened = Phrase(
        "What happened on the way", fr: "Ce qui s’est passé entre-temps", pt: "O que aconteceu no caminho",
        zh: "期間發生的事件",
        de: "Was unterwegs geschah")
    static let allHappened = Phrase("All of it", fr: "Tout voir", pt: "Ver tudo", zh: "查看全部", de: "Alles")
    static let next = Phrase(
        "What falls due next", fr: "Prochaines échéances", pt: "Próximos vencimentos", zh: "接下來到期的項目",
        de: "Was als Nächstes fällig wird")
    static let due = Phrase("Due", fr: "Échéance", pt: "Vencimento", zh: "到期時間", de: "Fällig")
    static let advanceTo = Phrase(
        "Advance to it", fr: "Avancer jusque-là", pt: "Avançar até lá", zh: "快轉至此", de: "Dorthin vorstellen")
    static let nothingDue = Phrase(
        "Nothing falls due. Sell a subscription or schedule a price first.",
        fr: "Aucune échéance. Vendez d’abord un abonnement ou planifiez un prix.",
        pt: "Nada está por vencer. Venda primeiro uma assinatura ou agende um preço.",
        zh: "沒有到期項目。請先售出訂閱或排定價格。",
        de: "Nichts wird fällig. Verkaufen Sie zuerst ein Abonnement, oder planen Sie einen Preis.")
    static let storefronts = Phrase(
        "in %1 storefronts", fr: "dans %1 boutiques", pt: "em %1 lojas", zh: "%1 個店面", de: "in %1 Stores")
    static let attempt = Phrase(
        "attempt %1", fr: "tentative n° %1", pt: "tentativa %1", zh: "第 %1 次嘗試", de: "Versuch %1")
    static let event = Phrase("Event", fr: "Événement", pt: "Evento", zh: "事件", de: "Ereignis")
}
