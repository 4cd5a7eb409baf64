/// The words of computations: the terms of a figure, and the meaning of the entries below it.
enum ComputationPhrases {
    static let title = Phrase(
        "How it is computed", fr: "Comment il est calculé", pt: "Como é calculado", zh: "計算方式",
        de: "So wird sie berechnet")
    static let value = Phrase("Value", fr: "Valeur", pt: "Valor", zh: "數值", de: "Wert")
    static let entriesOfChange = Phrase(
        "Journal entries of these days", fr: "Écritures du journal de ces jours",
        pt: "Lançamentos do diário destes dias",
        zh: "這段期間的日誌記錄", de: "Journaleinträge dieser Tage")
    static let subscriptions = Phrase(
        "Subscriptions, each with the sale of its newest period",
        fr: "Abonnements, chacun avec la vente de sa dernière période",
        pt: "Assinaturas, cada uma com a venda do período mais recente", zh: "訂閱，各附最新一期的銷售",
        de: "Abonnements, jeweils mit dem Verkauf ihres neuesten Zeitraums")
    static let entriesOfFirst = Phrase(
        "Journal entries of the first number", fr: "Écritures du journal du premier nombre",
        pt: "Lançamentos do diário do primeiro número", zh: "第一個數字的日誌記錄",
        de: "Journaleinträge der ersten Zahl")
    static let isRead = Phrase(
        "The list of entries is being made from the journal: %1 of %2 entries are read.",
        fr: "La liste des écritures est en cours d’établissement : %1 écritures du journal lues sur %2.",
        pt: "A lista de lançamentos está sendo feita a partir do diário: %1 de %2 lançamentos lidos.",
        zh: "正在從日誌建立記錄清單：已讀取 %2 筆中的 %1 筆。",
        de: "Die Liste der Einträge entsteht aus dem Journal: %1 von %2 Einträgen sind gelesen.")
    static let taxRate = Phrase("Tax rate", fr: "Taux de taxe", pt: "Alíquota", zh: "稅率", de: "Steuersatz")
    static let balanceBefore = Phrase(
        "Balance of the month before", fr: "Solde du mois précédent", pt: "Saldo do mês anterior", zh: "上個月的餘額",
        de: "Saldo des Vormonats")
    static let late = Phrase(
        "Late entries", fr: "Écritures tardives", pt: "Lançamentos tardios", zh: "遲到的記錄", de: "Späte Einträge")
    static let manual = Phrase(
        "Manual adjustments", fr: "Ajustements manuels", pt: "Ajustes manuais", zh: "手動調整",
        de: "Manuelle Anpassungen")
    static let exchanged = Phrase(
        "In the currency of the bank account", fr: "Dans la devise du compte bancaire",
        pt: "Na moeda da conta bancária",
        zh: "以銀行帳戶貨幣計", de: "In der Währung des Bankkontos")
    static let note = Phrase("Note", fr: "Note", pt: "Observação", zh: "備註", de: "Notiz")

    // MARK: - Payments

    static let owedDefinition = Phrase(
        "What was earned, with adjustments, less the taxes on the commission and withheld taxes, in the region’s currency.",
        fr:
            "Ce qui a été gagné, avec les ajustements, moins les taxes sur la commission et les retenues, dans la devise de la région.",
        pt:
            "O que foi ganho, com ajustes, menos os impostos sobre a comissão e os retidos, na moeda da região.",
        zh: "收益加調整，扣除佣金稅與預扣稅，以地區貨幣計。",
        de:
            "Das Verdiente mit Anpassungen, abzüglich der Steuern auf die Provision und der Quellensteuer, in der Währung der Region."
    )
    static let proceedsDefinition = Phrase(
        "Proceeds of the month’s paid sales less refunds, with late entries of closed months.",
        fr:
            "Revenus des ventes payantes du mois, moins les remboursements, avec les écritures tardives de mois clôturés.",
        pt: "Receitas das vendas pagas do mês menos reembolsos, com lançamentos tardios de meses fechados.",
        zh: "該月付費銷售的收益扣除退款，含已結算月份的遲到記錄。",
        de:
            "Erlöse der bezahlten Verkäufe des Monats abzüglich Erstattungen, mit späten Einträgen abgeschlossener Monate."
    )
    static let unitsDefinition = Phrase(
        "Paid units less refunded ones, late entries included.",
        fr: "Unités payées moins les unités remboursées, écritures tardives comprises.",
        pt: "Unidades pagas menos as reembolsadas, inclusive lançamentos tardios.",
        zh: "付費件數扣除退款件數，含遲到的記錄。", de: "Bezahlte abzüglich erstatteter Einheiten, mit späten Einträgen.")
    static let earnedDefinition = Phrase(
        "Proceeds of the sales and refunds of the month’s own days.",
        fr: "Revenus des ventes et remboursements des jours du mois.",
        pt: "Receitas das vendas e reembolsos dos dias do próprio mês.", zh: "該月份各日銷售與退款的收益。",
        de: "Erlöse der Verkäufe und Erstattungen der eigenen Tage des Monats.")
    static let lateDefinition = Phrase(
        "Proceeds of entries whose month was closed before they came.",
        fr: "Revenus des écritures dont le mois était clôturé à leur arrivée.",
        pt: "Receitas de lançamentos cujo mês já estava fechado quando chegaram.",
        zh: "到達時所屬月份已結算之記錄的收益。",
        de: "Erlöse von Einträgen, deren Monat bei ihrem Eintreffen abgeschlossen war.")
    static let manualDefinition = Phrase(
        "Amounts that an operator added or took away, each with a note.",
        fr: "Montants ajoutés ou retirés par un opérateur, chacun avec une note.",
        pt: "Valores que um operador somou ou subtraiu, cada um com uma observação.", zh: "操作者增減的金額，各附備註。",
        de: "Beträge, die ein Betreiber hinzufügte oder abzog, jeweils mit einer Notiz.")
    static let adjustmentsDefinition = Phrase(
        "Late entries of closed months and manual adjustments.",
        fr: "Écritures tardives de mois clôturés et ajustements manuels.",
        pt: "Lançamentos tardios de meses fechados e ajustes manuais.", zh: "已結算月份的遲到記錄與手動調整。",
        de: "Späte Einträge abgeschlossener Monate und manuelle Anpassungen.")
    static let commissionDefinition = Phrase(
        "The store’s share of the paid sales, less refunds.",
        fr: "La part de la boutique dans les ventes payantes, moins les remboursements.",
        pt: "A parte da loja nas vendas pagas, menos reembolsos.", zh: "商店在付費銷售中的份額，扣除退款。",
        de: "Der Anteil des Stores an den bezahlten Verkäufen, abzüglich Erstattungen.")
    static let taxDefinition = Phrase(
        "Sales tax in the customers’ payments, less that of refunds.",
        fr: "Taxe sur les ventes comprise dans les paiements des clients, moins celle des remboursements.",
        pt: "Imposto sobre vendas nos pagamentos dos clientes, menos o dos reembolsos.",
        zh: "顧客付款中的銷售稅，扣除退款的部分。",
        de: "Umsatzsteuer in den Zahlungen der Kunden, abzüglich der von Erstattungen.")
    static let inputTaxDefinition = Phrase(
        "The commission times the region’s tax rate on it, as set when the month was closed.",
        fr: "La commission multipliée par le taux de taxe de la région, tel que fixé à la clôture du mois.",
        pt: "A comissão vezes a alíquota da região, como definida no fechamento do mês.",
        zh: "佣金乘以該地區的稅率，以結算時的設定為準。",
        de: "Die Provision mal dem Steuersatz der Region, wie er beim Abschluss des Monats galt.")
    static let withholdingDefinition = Phrase(
        "Positive earnings with adjustments, times the region’s rate of withholding when the month was closed.",
        fr: "Gains positifs avec ajustements, multipliés par le taux de retenue de la région à la clôture du mois.",
        pt: "Ganhos positivos com ajustes, vezes a alíquota de retenção da região no fechamento do mês.",
        zh: "正數收益加調整，乘以結算時該地區的預扣稅率。",
        de: "Positives Verdientes mit Anpassungen, mal dem Quellensteuersatz der Region beim Abschluss des Monats.")
    static let rateDefinition = Phrase(
        "The fiscal month’s rate from the region’s currency to that of the bank account, fixed by the closing.",
        fr: "Le taux du mois fiscal de la devise de la région vers celle du compte, fixé par la clôture.",
        pt: "A taxa do mês fiscal da moeda da região para a da conta bancária, fixada pelo fechamento.",
        zh: "會計月份中地區貨幣兌銀行帳戶貨幣的匯率，於結算時確定。",
        de:
            "Der Kurs des Fiskalmonats von der Währung der Region zu der des Bankkontos, durch den Abschluss festgelegt."
    )
    static let exchangedDefinition = Phrase(
        "What is owed in the region’s currency times the exchange rate, rounded to the smallest coin.",
        fr:
            "Ce qui est dû dans la devise de la région, multiplié par le taux de change, arrondi à la plus petite pièce.",
        pt: "O devido na moeda da região vezes a taxa de câmbio, arredondado à menor moeda.",
        zh: "以地區貨幣計的應付金額乘以匯率，捨入至最小幣值。",
        de: "Das Geschuldete in der Währung der Region mal dem Wechselkurs, auf die kleinste Münze gerundet.")
    static let carriedDefinition = Phrase(
        "The balance of the month before, in the currency of the bank account.",
        fr: "Le solde du mois précédent, dans la devise du compte bancaire.",
        pt: "O saldo do mês anterior, na moeda da conta bancária.", zh: "上個月的餘額，以銀行帳戶貨幣計。",
        de: "Der Saldo des Vormonats, in der Währung des Bankkontos.")
    static let totalDefinition = Phrase(
        "The balance carried forward and the amounts of all regions in the currency of the bank account.",
        fr: "Le solde reporté et les montants de toutes les régions dans la devise du compte bancaire.",
        pt: "O saldo anterior e os valores de todas as regiões na moeda da conta bancária.",
        zh: "前期結轉與所有地區的金額，以銀行帳戶貨幣計。",
        de: "Der Übertrag und die Beträge aller Regionen in der Währung des Bankkontos.")
}
