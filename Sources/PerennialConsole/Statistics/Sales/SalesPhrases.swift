import Perennial

/// The words of Sales and Trends.
enum SalesPhrases {
    static let title = Phrase(
        "Sales and Trends", fr: "Ventes et tendances", pt: "Vendas e tendências", zh: "銷售與趨勢",
        de: "Verkäufe und Trends")
    static let by = Phrase("By", fr: "Par", pt: "Por", zh: "依", de: "Nach")
    static let device = Phrase("Device", fr: "Appareil", pt: "Dispositivo", zh: "裝置", de: "Gerät")
    static let show = Phrase("Amounts", fr: "Montants", pt: "Valores", zh: "金額", de: "Beträge")
    static let change = Phrase("Change", fr: "Évolution", pt: "Variação", zh: "變化", de: "Veränderung")
    static let changeDefinition = Phrase(
        "%1 against the span before, which is as long.",
        fr: "%1 par rapport à la période précédente, de même durée.",
        pt: "%1 em relação ao período anterior, de mesma duração.", zh: "%1與長度相同的前一期間相比。",
        de: "%1 gegenüber dem gleich langen Zeitraum davor.")
    static let unknown = Phrase("Unknown", fr: "Inconnu", pt: "Desconhecido", zh: "未知", de: "Unbekannt")
    static let theApp = Phrase(
        "The app itself", fr: "L’app elle-même", pt: "O próprio app", zh: "App 本身", de: "Die App selbst")
    static let byCurrency = Phrase(
        "%1 by currency", fr: "%1 par devise", pt: "%1 por moeda", zh: "各貨幣的%1", de: "%1 nach Währung")
    static let byValue = Phrase("By %1", fr: "Par %1", pt: "Por %1", zh: "依%1", de: "Nach %1")
    static let noSales = Phrase(
        "There were no sales from %1.", fr: "Il n’y a pas eu de ventes (%1).", pt: "Não houve vendas (%1).",
        zh: "%1 沒有銷售。", de: "Es gab keine Verkäufe (%1).")
    static let downloads = Phrase(
        "Apple’s files", fr: "Fichiers d’Apple", pt: "Arquivos da Apple", zh: "Apple 格式檔案", de: "Apples Dateien")
    static let report = Phrase("Report", fr: "Rapport", pt: "Relatório", zh: "報告", de: "Bericht")
    static let frequency = Phrase("Frequency", fr: "Fréquence", pt: "Frequência", zh: "頻率", de: "Häufigkeit")
    static let daily = Phrase("Daily", fr: "Quotidien", pt: "Diário", zh: "每日", de: "Täglich")
    static let weekly = Phrase("Weekly", fr: "Hebdomadaire", pt: "Semanal", zh: "每週", de: "Wöchentlich")
    static let monthly = Phrase("Monthly", fr: "Mensuel", pt: "Mensal", zh: "每月", de: "Monatlich")
    static let yearly = Phrase("Yearly", fr: "Annuel", pt: "Anual", zh: "每年", de: "Jährlich")
    static let dateHint = Phrase(
        "2026-10-03; of a week its Sunday, of a month 2026-10, of a year 2026. Empty: the newest.",
        fr: "2026-10-03 ; le dimanche d’une semaine, 2026-10 pour un mois, 2026 pour une année. Vide : le plus récent.",
        pt: "2026-10-03; o domingo da semana, 2026-10 para um mês, 2026 para um ano. Vazio: o mais recente.",
        zh: "2026-10-03；週報填該週的週日，月報填 2026-10，年報填 2026。留空則為最新一期。",
        de: "2026-10-03; für eine Woche ihr Sonntag, für einen Monat 2026-10, für ein Jahr 2026. Leer: der neueste.")
    static let salesReport = Phrase("Sales", fr: "Ventes", pt: "Vendas", zh: "銷售", de: "Verkäufe")
    static let subscriptionReport = Phrase(
        "Subscription", fr: "Abonnement", pt: "Assinatura", zh: "訂閱", de: "Abonnement")
    static let eventReport = Phrase(
        "Subscription Event", fr: "Événement d’abonnement", pt: "Evento de assinatura", zh: "訂閱事件",
        de: "Abonnementereignis")
    static let subscriberReport = Phrase("Subscriber", fr: "Abonné", pt: "Assinante", zh: "訂閱者", de: "Abonnent")
    static let codeReport = Phrase(
        "Offer Code Redemption", fr: "Utilisation de codes promo", pt: "Resgate de códigos de oferta",
        zh: "優惠代碼兌換", de: "Einlösung von Angebotscodes")
    static let autoRenewable = ProductType.autoRenewable.phrase
    static let consumable = ProductType.consumable.phrase
    static let nonConsumable = ProductType.nonConsumable.phrase
    static let nonRenewing = ProductType.nonRenewing.phrase
    static let free = ProductType.free.phrase
}
