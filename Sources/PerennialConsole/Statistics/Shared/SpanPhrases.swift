/// The words of spans of days.
enum SpanPhrases {
    static let span = Phrase("Span", fr: "Période", pt: "Período", zh: "期間", de: "Zeitraum")
    static let week = Phrase("7 days", fr: "7 jours", pt: "7 dias", zh: "7 天", de: "7 Tage")
    static let thirtyDays = Phrase("30 days", fr: "30 jours", pt: "30 dias", zh: "30 天", de: "30 Tage")
    static let month = Phrase("This month", fr: "Ce mois-ci", pt: "Este mês", zh: "本月", de: "Dieser Monat")
    static let lastMonth = Phrase("Last month", fr: "Mois dernier", pt: "Mês passado", zh: "上個月", de: "Letzter Monat")
    static let quarter = Phrase("3 months", fr: "3 mois", pt: "3 meses", zh: "3 個月", de: "3 Monate")
    static let year = Phrase("12 months", fr: "12 mois", pt: "12 meses", zh: "12 個月", de: "12 Monate")
    static let days = Phrase("Days", fr: "Jours", pt: "Dias", zh: "日期", de: "Tage")
    static let fromTo = Phrase("%1 – %2", fr: "%1 – %2", pt: "%1 – %2", zh: "%1 – %2", de: "%1 – %2")
    static let from = Phrase("From", fr: "Du", pt: "De", zh: "從", de: "Von")
    static let to = Phrase("To", fr: "Au", pt: "Até", zh: "到", de: "Bis")
    static let show = Phrase("Show", fr: "Afficher", pt: "Mostrar", zh: "顯示", de: "Zeigen")
    static let order = Phrase(
        "The last day isn’t before the first.", fr: "Le dernier jour ne précède pas le premier.",
        pt: "O último dia não é anterior ao primeiro.", zh: "結束日不得早於開始日。",
        de: "Der letzte Tag liegt nicht vor dem ersten.")
    static let tooMany = Phrase(
        "At most %1 days at a time.", fr: "%1 jours au plus à la fois.", pt: "No máximo %1 dias por vez.",
        zh: "一次最多 %1 天。", de: "Höchstens %1 Tage auf einmal.")
    static let currency = Phrase("Currency", fr: "Devise", pt: "Moeda", zh: "貨幣", de: "Währung")
    static let behind = Phrase(
        "The figures lack the newest entries, the oldest of which is from %1. They follow within seconds.",
        fr:
            "Il manque à ces chiffres les écritures les plus récentes, dont la plus ancienne date de %1. Elles suivent en quelques secondes.",
        pt:
            "Faltam a estes números os lançamentos mais recentes; o mais antigo deles é de %1. Eles chegam em segundos.",
        zh: "這些數字尚未包含最新的記錄，其中最早的一筆是 %1 的。數秒內會補上。",
        de: "In den Zahlen fehlen die neuesten Einträge; der älteste davon ist von %1. Sie folgen in Sekunden.")
    static let pacificDays = Phrase(
        "Days are days in Pacific time, as in Apple’s reports.",
        fr: "Les jours sont ceux de l’heure du Pacifique, comme dans les rapports d’Apple.",
        pt: "Os dias são os do horário do Pacífico, como nos relatórios da Apple.",
        zh: "日期以太平洋時間為準，與 Apple 的報告相同。",
        de: "Tage sind Tage nach pazifischer Zeit, wie in Apples Berichten.")
}
