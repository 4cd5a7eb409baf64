import Perennial

/// The names of the journal's events.
enum EventPhrases {
    static func name(_ kind: JournalEntry.Kind) -> Phrase {
        switch kind {
        case .purchased, .subscription(.oneTimeCharged): purchased
        case .boughtAgain:
            Phrase("Bought again", fr: "Acheté à nouveau", pt: "Comprado de novo", zh: "再次購買", de: "Erneut gekauft")
        case .finished: Phrase("Finished", fr: "Terminé", pt: "Concluída", zh: "已完成", de: "Abgeschlossen")
        case .refunded, .subscription(.subscriptionRefunded): refunded
        case .purchaseRefundRequested, .subscription(.refundRequested): refundRequested
        case .purchaseRefundDeclined, .subscription(.subscriptionRefundDeclined): refundDeclined
        case .purchaseRefundReversed, .subscription(.subscriptionRefundReversed): refundReversed
        case .freeSubscriptionEnded:
            Phrase(
                "Free subscription ended", fr: "Abonnement gratuit terminé", pt: "Assinatura gratuita encerrada",
                zh: "免費訂閱已結束", de: "Kostenloses Abonnement beendet")
        case .shared:
            Phrase(
                "Shared with family", fr: "Partagé avec la famille", pt: "Compartilhado com a família", zh: "已與家人共享",
                de: "Mit Familie geteilt")
        case .sharingEnded, .subscription(.familyAccessRevoked): sharingEnded
        case .appDownloaded:
            Phrase("App downloaded", fr: "App téléchargée", pt: "App baixado", zh: "已下載 App", de: "App geladen")
        case .appRedownloaded:
            Phrase(
                "App downloaded again", fr: "App téléchargée à nouveau", pt: "App baixado de novo", zh: "再次下載 App",
                de: "App erneut geladen")
        case .appUpdated:
            Phrase("App updated", fr: "App mise à jour", pt: "App atualizado", zh: "已更新 App", de: "App aktualisiert")
        case .subscription(let event): name(event)
        case .finance(let event): name(event)
        }
    }

    private static func name(_ event: FinanceEvent) -> Phrase {
        switch event {
        case .monthClosed:
            Phrase("Month closed", fr: "Mois clôturé", pt: "Mês encerrado", zh: "已結算月份", de: "Monat abgeschlossen")
        case .adjusted: Phrase("Adjusted", fr: "Ajusté", pt: "Ajustado", zh: "已調整", de: "Angepasst")
        case .withheld:
            Phrase("Tax withheld", fr: "Impôt retenu", pt: "Imposto retido", zh: "已預扣稅款", de: "Steuer einbehalten")
        case .exchanged: Phrase("Exchanged", fr: "Converti", pt: "Convertido", zh: "已兌換貨幣", de: "Umgerechnet")
        case .paidOut: Phrase("Paid out", fr: "Versé", pt: "Pago ao vendedor", zh: "已支付款項", de: "Ausgezahlt")
        }
    }

    static let purchased = Phrase("Purchased", fr: "Acheté", pt: "Comprado", zh: "已購買", de: "Gekauft")
    static let refunded = Phrase("Refunded", fr: "Remboursé", pt: "Reembolsado", zh: "已退款", de: "Erstattet")
    static let refundRequested = Phrase(
        "Refund requested", fr: "Remboursement demandé", pt: "Reembolso solicitado", zh: "已要求退款",
        de: "Erstattung angefragt")
    static let refundDeclined = Phrase(
        "Refund declined", fr: "Remboursement refusé", pt: "Reembolso recusado", zh: "退款遭拒", de: "Erstattung abgelehnt")
    static let refundReversed = Phrase(
        "Refund reversed", fr: "Remboursement annulé", pt: "Reembolso revertido", zh: "退款已撤銷",
        de: "Erstattung zurückgenommen")
    static let sharingEnded = Phrase(
        "Family access ended", fr: "Accès familial terminé", pt: "Acesso familiar encerrado", zh: "家人存取權已結束",
        de: "Familienzugriff beendet")
}
