/// Differences that a reconciliation finds between sales, roll-ups and payments.
extension RefusalSentences {
    static let differences: [Phrase] =
        [
            Phrase(
                "its postings don't sum to zero", fr: "La somme de ses imputations n’est pas nulle.",
                pt: "Suas partidas não somam zero.", zh: "其分錄合計不為零。", de: "Die Summe der Buchungen ist nicht null."),
            Phrase(
                "its proceeds are %1 more than those of its sales",
                fr: "Ses revenus dépassent de %1 ceux de ses ventes.", pt: "Suas receitas excedem em %1 as das vendas.",
                zh: "其收益比銷售多 %1。", de: "Die Erlöse sind um %1 höher als die der Verkäufe."),
            Phrase(
                "app %1 has roll-ups and no journal", fr: "L’app %1 a des cumuls mais pas de journal.",
                pt: "O app %1 tem totais e nenhum diário.", zh: "App %1 有彙總但沒有日誌。",
                de: "Die App %1 hat Summen, aber kein Journal."),
            Phrase(
                "a row of the roll-ups that no transaction makes: %1",
                fr: "une ligne des cumuls sans transaction (%1)", pt: "uma linha dos totais sem transação (%1)",
                zh: "沒有對應交易的彙總列（%1）", de: "eine Zeile der Summen ohne Transaktion (%1)"),
            Phrase(
                "%1: the journal has %2, the roll-ups have %3",
                fr: "%1\u{202F}: le journal a %2, les cumuls ont %3.", pt: "%1: o diário tem %2, os totais têm %3.",
                zh: "%1：日誌為 %2，彙總為 %3。", de: "%1: Das Journal hat %2, die Summen haben %3."),
            Phrase(
                "sales of %1 in %2 on %3", fr: "ventes de %1 (%2) le %3", pt: "vendas de %1 (%2) em %3",
                zh: "%3 %1 在 %2 的銷售", de: "Verkäufe von %1 (%2) am %3"),
            Phrase(
                "refunds of %1 in %2 on %3", fr: "remboursements de %1 (%2) le %3", pt: "reembolsos de %1 (%2) em %3",
                zh: "%3 %1 在 %2 的退款", de: "Erstattungen von %1 (%2) am %3"),
            Phrase(
                "sales of %1 in %2 in the fiscal month %3", fr: "ventes de %1 (%2) du mois fiscal %3",
                pt: "vendas de %1 (%2) no mês fiscal %3", zh: "會計月份 %3 %1 在 %2 的銷售",
                de: "Verkäufe von %1 (%2) im Fiskalmonat %3"),
            Phrase(
                "refunds of %1 in %2 in the fiscal month %3", fr: "remboursements de %1 (%2) du mois fiscal %3",
                pt: "reembolsos de %1 (%2) no mês fiscal %3", zh: "會計月份 %3 %1 在 %2 的退款",
                de: "Erstattungen von %1 (%2) im Fiskalmonat %3"),
            Phrase(
                "sales of %1 in %2 in the fiscal month %3, late entries",
                fr: "ventes de %1 (%2) du mois fiscal %3, écritures tardives",
                pt: "vendas de %1 (%2) no mês fiscal %3, lançamentos tardios", zh: "會計月份 %3 %1 在 %2 的銷售（延遲記錄）",
                de: "Verkäufe von %1 (%2) im Fiskalmonat %3, späte Einträge"),
            Phrase(
                "refunds of %1 in %2 in the fiscal month %3, late entries",
                fr: "remboursements de %1 (%2) du mois fiscal %3, écritures tardives",
                pt: "reembolsos de %1 (%2) no mês fiscal %3, lançamentos tardios", zh: "會計月份 %3 %1 在 %2 的退款（延遲記錄）",
                de: "Erstattungen von %1 (%2) im Fiskalmonat %3, späte Einträge"),
            Phrase(
                "%1 units with proceeds of %2", fr: "%1 unités avec des revenus de %2",
                pt: "%1 unidades com receitas de %2", zh: "%1 件，收益 %2", de: "%1 Einheiten mit Erlösen von %2"),
        ] + closings

    private static let closings: [Phrase] = [
        Phrase(
            "the line %1 (%2) of the closing of %3: the journal has %4, the closing has %5",
            fr: "Ligne %1 (%2) de la clôture de %3\u{202F}: le journal a %4, la clôture a %5.",
            pt: "Linha %1 (%2) do encerramento de %3: o diário tem %4, o encerramento tem %5.",
            zh: "%3 結算的 %1（%2）列：日誌為 %4，結算為 %5。",
            de: "Zeile %1 (%2) des Abschlusses von %3: Das Journal hat %4, der Abschluss hat %5."),
        Phrase(
            "%1 units, %2 earned, %3 late and %4 adjusted", fr: "%1 unités, %2 gagnés, %3 tardifs et %4 d’ajustements",
            pt: "%1 unidades, %2 ganhos, %3 tardios e %4 ajustados", zh: "%1 件，賺取 %2，延遲 %3，調整 %4",
            de: "%1 Einheiten, %2 verdient, %3 spät und %4 angepasst"),
        Phrase(
            "the line %1 (%2) of the closing of %3: %4 at %5 isn't %6",
            fr: "Ligne %1 (%2) de la clôture de %3\u{202F}: %4 au taux de %5 ne fait pas %6.",
            pt: "Linha %1 (%2) do encerramento de %3: %4 à taxa de %5 não é %6.",
            zh: "%3 結算的 %1（%2）列：%4 以匯率 %5 換算並非 %6。",
            de: "Zeile %1 (%2) des Abschlusses von %3: %4 zum Kurs %5 ist nicht %6."),
        Phrase(
            "the closing of %1 carries %2, and that of %3 left %4",
            fr: "La clôture de %1 reporte %2, celle de %3 a laissé %4.",
            pt: "O encerramento de %1 transporta %2, e o de %3 deixou %4.", zh: "%1 的結算結轉 %2，而 %3 的結算餘 %4。",
            de: "Der Abschluss von %1 überträgt %2, der von %3 ließ %4."),
        Phrase(
            "the payout %1 is %2, and the total is %3", fr: "Le versement %1 est de %2, et le total de %3.",
            pt: "O pagamento %1 é de %2, e o total é %3.", zh: "付款 %1 為 %2，而總計為 %3。",
            de: "Die Auszahlung %1 ist %2, die Summe %3."),
        Phrase(
            "the closing of %1 has %2, which reaches the threshold, and no payout",
            fr: "La clôture de %1 a %2, ce qui atteint le seuil, mais aucun versement.",
            pt: "O encerramento de %1 tem %2, o que atinge o mínimo, e nenhum pagamento.",
            zh: "%1 的結算為 %2，已達門檻但沒有付款。",
            de: "Der Abschluss von %1 hat %2, was den Mindestbetrag erreicht, und keine Auszahlung."),
        Phrase(
            "%1 of %2 isn't what the entry %3 of the seller's own journal has posted",
            fr: "%1 de %2 diffère de l’écriture %3 du journal du vendeur.",
            pt: "%1 de %2 difere do lançamento %3 do diário do vendedor.", zh: "%2 的%1與賣方日誌的記錄 %3 不符。",
            de: "%1 von %2 weicht vom Eintrag %3 des Journals des Verkäufers ab."),
        Phrase(
            "the line %1 of the closing of %2 isn't what the entry %3 of the seller's own journal has posted",
            fr: "La ligne %1 de la clôture de %2 diffère de l’écriture %3 du journal du vendeur.",
            pt: "A linha %1 do encerramento de %2 difere do lançamento %3 do diário do vendedor.",
            zh: "%2 結算的 %1 列與賣方日誌的記錄 %3 不符。",
            de: "Die Zeile %1 des Abschlusses von %2 weicht vom Eintrag %3 des Journals des Verkäufers ab."),
        Phrase(
            "the entry %1 of the seller's own journal doesn't sum to zero",
            fr: "La somme de l’écriture %1 du journal du vendeur n’est pas nulle.",
            pt: "O lançamento %1 do diário do vendedor não soma zero.", zh: "賣方日誌的記錄 %1 合計不為零。",
            de: "Die Summe des Eintrags %1 des Journals des Verkäufers ist nicht null."),
        Phrase(
            "the adjustment %1 of %2 isn't posted like that",
            fr: "L’ajustement %1 de %2 n’est pas comptabilisé ainsi.", pt: "O ajuste %1 de %2 não está lançado assim.",
            zh: "調整 %1（%2）未如此入帳。", de: "Die Anpassung %1 über %2 ist so nicht gebucht."),
        Phrase(
            "the entry %1 of the seller's own journal belongs to no closing and no adjustment",
            fr: "L’écriture %1 du journal du vendeur n’appartient à aucune clôture ni à aucun ajustement.",
            pt: "O lançamento %1 do diário do vendedor não pertence a nenhum encerramento nem ajuste.",
            zh: "賣方日誌的記錄 %1 不屬於任何結算或調整。",
            de: "Der Eintrag %1 des Journals des Verkäufers gehört zu keinem Abschluss und keiner Anpassung."),
        Phrase(
            "the closing of %1 has %2 entries, and other positions",
            fr: "La clôture de %1 a %2 écritures, et d’autres positions.",
            pt: "O encerramento de %1 tem %2 lançamentos, e outras posições.", zh: "%1 的結算有 %2 筆記錄，但位置不同。",
            de: "Der Abschluss von %1 hat %2 Einträge, aber andere Positionen."),
        Phrase(
            "the ledger has %1 payable, and the last closing carried %2",
            fr: "Le grand livre a %1 à payer, et la dernière clôture a reporté %2.",
            pt: "O razão tem %1 a pagar, e o último encerramento transportou %2.",
            zh: "總帳的應付款為 %1，而上次結算結轉 %2。",
            de: "Das Hauptbuch hat %1 zahlbar, der letzte Abschluss übertrug %2."),
        Phrase(
            "the ledger owes %1 of months that aren't closed, their sales and adjustments are %2",
            fr: "Le grand livre doit %1 pour les mois non clôturés\u{202F}; leurs ventes et ajustements sont de %2.",
            pt: "O razão deve %1 de meses não encerrados; suas vendas e ajustes são %2.",
            zh: "總帳對未結算月份的應付為 %1，而其銷售與調整為 %2。",
            de: "Das Hauptbuch schuldet %1 aus offenen Monaten; deren Verkäufe und Anpassungen sind %2."),
    ]
}
