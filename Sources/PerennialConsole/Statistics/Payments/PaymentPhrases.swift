/// The words of Payments and Financial Reports.
enum PaymentPhrases {
    static let title = Phrase(
        "Payments and Financial Reports", fr: "Paiements et rapports financiers",
        pt: "Pagamentos e relatórios financeiros", zh: "付款與財務報告", de: "Zahlungen und Finanzberichte")
    static let owed = Phrase("Owed now", fr: "Dû maintenant", pt: "A receber", zh: "目前應付", de: "Jetzt offen")
    static let owedDefinition = Phrase(
        "Proceeds and adjustments of open fiscal months, before taxes on the commission and withholding.",
        fr: "Revenus et ajustements des mois fiscaux ouverts, avant les taxes sur la commission et les retenues.",
        pt: "Receitas e ajustes dos meses fiscais abertos, antes de impostos sobre a comissão e retenções.",
        zh: "未結算會計月份的收益與調整，未扣佣金稅與預扣稅。",
        de: "Erlöse und Anpassungen der offenen Fiskalmonate, vor Steuern auf die Provision und Quellensteuer.")
    static let nextPayout = Phrase(
        "Next payout", fr: "Prochain versement", pt: "Próximo pagamento", zh: "下次付款", de: "Nächste Auszahlung")
    static let lastPayout = Phrase(
        "Last payout", fr: "Dernier versement", pt: "Último pagamento", zh: "上次付款", de: "Letzte Auszahlung")
    static let payoutDefinition = Phrase(
        "33 days after the fiscal month’s end, if the total reaches the threshold.",
        fr: "33 jours après la fin du mois fiscal, si le total atteint le seuil.",
        pt: "33 dias após o fim do mês fiscal, se o total atingir o mínimo.",
        zh: "會計月份結束後第 33 天，且總額達到門檻時付款。",
        de: "33 Tage nach dem Ende des Fiskalmonats, wenn die Summe den Mindestbetrag erreicht.")
    static let balance = Phrase("Balance", fr: "Solde", pt: "Saldo", zh: "餘額", de: "Saldo")
    static let balanceDefinition = Phrase(
        "The amount below the threshold that is carried to the next month.",
        fr: "Le montant inférieur au seuil, reporté au mois suivant.",
        pt: "O valor abaixo do mínimo, levado para o mês seguinte.",
        zh: "未達門檻而結轉至下個月的金額。",
        de: "Der Betrag unter dem Mindestbetrag, der in den nächsten Monat übertragen wird.")
    static let fiscalMonth = Phrase("Fiscal month", fr: "Mois fiscal", pt: "Mês fiscal", zh: "會計月份", de: "Fiskalmonat")
    static let openMonths = Phrase(
        "Open months", fr: "Mois ouverts", pt: "Meses abertos", zh: "未結算月份", de: "Offene Monate")
    static let closedMonths = Phrase(
        "Closed months", fr: "Mois clôturés", pt: "Meses fechados", zh: "已結算月份", de: "Abgeschlossene Monate")
    static let noClosedMonths = Phrase(
        "No fiscal month is closed yet.", fr: "Aucun mois fiscal n’est encore clôturé.",
        pt: "Nenhum mês fiscal foi fechado ainda.", zh: "尚無已結算的會計月份。",
        de: "Noch ist kein Fiskalmonat abgeschlossen.")
    static let nothingOwed = Phrase(
        "Nothing is owed: there were no paid sales since the last closing.",
        fr: "Rien n’est dû : aucune vente payante depuis la dernière clôture.",
        pt: "Nada a receber: não houve vendas pagas desde o último fechamento.",
        zh: "目前沒有應付款項：上次結算後沒有付費銷售。",
        de: "Nichts ist offen: Seit dem letzten Abschluss gab es keine bezahlten Verkäufe.")
    static let byRegion = Phrase("By region", fr: "Par région", pt: "Por região", zh: "依地區", de: "Nach Region")
    static let earned = Phrase("Earned", fr: "Gagné", pt: "Ganho", zh: "收益", de: "Verdient")
    static let adjustments = Phrase("Adjustments", fr: "Ajustements", pt: "Ajustes", zh: "調整", de: "Anpassungen")
    static let withholding = Phrase(
        "Withholding tax", fr: "Retenue à la source", pt: "Imposto retido na fonte", zh: "預扣稅", de: "Quellensteuer")
    static let inputTax = Phrase(
        "Tax on the commission", fr: "Taxe sur la commission", pt: "Imposto sobre a comissão", zh: "佣金稅",
        de: "Steuer auf die Provision")
    static let tax = Phrase("Taxes", fr: "Taxes", pt: "Impostos", zh: "稅金", de: "Steuern")
    static let commission = Phrase("Commission", fr: "Commission", pt: "Comissão", zh: "佣金", de: "Provision")
    static let owedColumn = Phrase("Owed", fr: "Dû", pt: "Devido", zh: "應付", de: "Geschuldet")
    static let rate = Phrase(
        "Exchange rate", fr: "Taux de change", pt: "Taxa de câmbio", zh: "匯率", de: "Wechselkurs")
    static let inBankCurrency = Phrase("In %1", fr: "En %1", pt: "Em %1", zh: "以 %1 計", de: "In %1")
    static let paid = Phrase("Paid", fr: "Versé", pt: "Pago", zh: "已付款", de: "Ausgezahlt")
    static let paidOn = Phrase(
        "Payment date", fr: "Date du versement", pt: "Data do pagamento", zh: "付款日期", de: "Auszahlung am")
    static let reference = Phrase("Reference", fr: "Référence", pt: "Referência", zh: "參考編號", de: "Referenz")
    static let carried = Phrase(
        "Carried forward", fr: "Report du mois précédent", pt: "Saldo anterior", zh: "前期結轉", de: "Übertrag")
    static let threshold = Phrase("Threshold", fr: "Seuil", pt: "Mínimo", zh: "付款門檻", de: "Mindestbetrag")
    static let bank = Phrase("Bank", fr: "Banque", pt: "Banco", zh: "銀行", de: "Bank")
    static let closedOn = Phrase(
        "Closed on", fr: "Clôturé le", pt: "Fechado em", zh: "結算時間", de: "Abgeschlossen am")
    static let days = Phrase("Days", fr: "Jours", pt: "Dias", zh: "日期", de: "Tage")
    static let summary = Phrase(
        "Payments summary", fr: "Récapitulatif des paiements", pt: "Resumo de pagamentos", zh: "付款摘要",
        de: "Zahlungsübersicht")
    static let allRegions = Phrase(
        "All regions (ZZ)", fr: "Toutes les régions (ZZ)", pt: "Todas as regiões (ZZ)", zh: "所有地區（ZZ）",
        de: "Alle Regionen (ZZ)")
    static let details = Phrase(
        "Details (Z1)", fr: "Détails (Z1)", pt: "Detalhes (Z1)", zh: "明細（Z1）", de: "Einzelheiten (Z1)")
    static let reconcile = Phrase(
        "Reconcile", fr: "Rapprocher", pt: "Conciliar", zh: "對帳", de: "Abstimmen")
    static let reconciled = Phrase(
        "Sales, roll-ups and payments agree", fr: "Ventes, cumuls et paiements concordent",
        pt: "Vendas, totais e pagamentos conferem", zh: "銷售、彙總與付款一致",
        de: "Verkäufe, Summen und Zahlungen stimmen überein")
    static let position = Phrase(
        "Position %1 of the journal", fr: "Position %1 du journal", pt: "Posição %1 do diário", zh: "日誌中的位置 %1",
        de: "Position %1 des Journals")
    static let transaction = Phrase(
        "Transaction number %1", fr: "Transaction numéro %1", pt: "Transação número %1", zh: "交易編號 %1",
        de: "Transaktion Nummer %1")
    static let entriesRead = Phrase(
        "%1 journal entries were compared.", fr: "%1 écritures du journal ont été comparées.",
        pt: "%1 lançamentos do diário foram comparados.", zh: "已比對 %1 筆日誌記錄。",
        de: "%1 Journaleinträge wurden verglichen.")
    static let sales = Phrase(
        "Proceeds by the journal", fr: "Revenus selon le journal", pt: "Receitas pelo diário", zh: "日誌收益",
        de: "Erlöse laut Journal")
    static let rollUps = Phrase(
        "By the roll-ups", fr: "Selon les cumuls", pt: "Pelos totais", zh: "彙總收益", de: "Laut Summen")
    static let closed = Phrase("Closed", fr: "Clôturé", pt: "Fechado", zh: "已結算", de: "Abgeschlossen")
    static let open = Phrase("Open", fr: "Ouvert", pt: "Aberto", zh: "未結算", de: "Offen")
    static let payouts = Phrase("Payouts", fr: "Versements", pt: "Pagamentos", zh: "付款", de: "Auszahlungen")
    static let close = Phrase("Close %1", fr: "Clôturer %1", pt: "Fechar %1", zh: "結算 %1", de: "%1 abschließen")
    static let closeWarning = Phrase(
        "Fixes what was earned in each region, the exchange rates and the payout. A closed month can’t be opened again.",
        fr:
            "Fixe ce qui a été gagné dans chaque région, les taux de change et le versement. Un mois clôturé ne peut pas être rouvert.",
        pt:
            "Fixa o que foi ganho em cada região, as taxas de câmbio e o pagamento. Um mês fechado não pode ser reaberto.",
        zh: "確定各地區的收益、匯率與付款。已結算的月份無法再開啟。",
        de:
            "Legt fest, was in jeder Region verdient wurde, die Wechselkurse und die Auszahlung. Ein abgeschlossener Monat kann nicht wieder geöffnet werden."
    )
    static let wasClosed = Phrase(
        "%1 is closed.", fr: "%1 est clôturé.", pt: "%1 está fechado.", zh: "%1 已結算。", de: "%1 ist abgeschlossen.")
    static let notOver = Phrase(
        "The month ends on %1.", fr: "Le mois se termine le %1.", pt: "O mês termina em %1.", zh: "本月於 %1 結束。",
        de: "Der Monat endet am %1.")
    static let noMonth = Phrase(
        "There is no fiscal month of that name: 2027-01 is October 2026.",
        fr: "Il n’existe pas de mois fiscal de ce nom : 2027-01 est octobre 2026.",
        pt: "Não há mês fiscal com esse nome: 2027-01 é outubro de 2026.",
        zh: "沒有此會計月份：2027-01 為 2026 年 10 月。",
        de: "Es gibt keinen Fiskalmonat dieses Namens: 2027-01 ist Oktober 2026.")
}
