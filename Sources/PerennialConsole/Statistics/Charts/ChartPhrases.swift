/// The words of charts.
enum ChartPhrases {
    static let other = Phrase("Other", fr: "Autres", pt: "Outros", zh: "其他", de: "Andere")
    static let before = Phrase(
        "Span before", fr: "Période précédente", pt: "Período anterior", zh: "前一期間", de: "Zeitraum davor")
    static let net = Phrase("Net", fr: "Net", pt: "Líquido", zh: "淨額", de: "Netto")
    static let nothing = Phrase(
        "%1: no figures yet.", fr: "%1 : aucun chiffre pour l’instant.", pt: "%1: ainda não há números.",
        zh: "%1：尚無數據。", de: "%1: noch keine Zahlen.")
    static let stock = Phrase(
        "%1: %2 on %3, %4 on %5.", fr: "%1 : %2 le %3, %4 le %5.", pt: "%1: %2 em %3, %4 em %5.",
        zh: "%1：%3 為 %2，%5 為 %4。", de: "%1: %2 am %3, %4 am %5.")
    static let total = Phrase(
        "%1 from %2 to %3: %4 in total; the highest is %6, on %5.",
        fr: "%1 du %2 au %3 : %4 au total ; le maximum est %6, le %5.",
        pt: "%1 de %2 a %3: %4 no total; o máximo é %6, em %5.",
        zh: "%2 至 %3 的%1：共 %4；最高為 %5 的 %6。",
        de: "%1 vom %2 bis %3: insgesamt %4; der höchste Wert ist %6 am %5.")
    static let totalWithChange = Phrase(
        "%1 from %2 to %3: %4 in total, %5 against the span before; the highest is %7, on %6.",
        fr: "%1 du %2 au %3 : %4 au total, %5 par rapport à la période précédente ; le maximum est %7, le %6.",
        pt: "%1 de %2 a %3: %4 no total, %5 em relação ao período anterior; o máximo é %7, em %6.",
        zh: "%2 至 %3 的%1：共 %4，與前一期間相比 %5；最高為 %6 的 %7。",
        de: "%1 vom %2 bis %3: insgesamt %4, %5 gegenüber dem Zeitraum davor; der höchste Wert ist %7 am %6.")
    static let subscriptions = Phrase(
        "Subscriptions", fr: "Abonnements", pt: "Assinaturas", zh: "訂閱數", de: "Abonnements")
    static let month = Phrase("Month", fr: "Mois", pt: "Mês", zh: "月份", de: "Monat")
    static let afterMonths = Phrase(
        "Month %1", fr: "Mois %1", pt: "Mês %1", zh: "第 %1 個月", de: "Monat %1")
    static let stillPaid = Phrase(
        "%1 of the subscriptions of %2 are still paid for after %3 months.",
        fr: "%1 des abonnements de %2 sont encore payés après %3 mois.",
        pt: "%1 das assinaturas de %2 ainda são pagas após %3 meses.",
        zh: "%2 的訂閱在 %3 個月後仍有 %1 付費。",
        de: "Von den Abonnements von %2 werden nach %3 Monaten noch %1 bezahlt.")
}
