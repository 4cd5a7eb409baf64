import Perennial

/// The events of the journal in words: `%1` is the product, `%2` the amount.
enum TimelinePhrases {
    static let bought = Phrase(
        "Bought %1 for %2", fr: "Achat de %1 pour %2", pt: "Comprou %1 por %2", zh: "以 %2 購買 %1",
        de: "%1 für %2 gekauft")
    static let granted = Phrase(
        "%1 granted by %2", fr: "%1 offert par %2", pt: "%1 concedido por %2", zh: "%2 贈送了 %1",
        de: "%1 geschenkt von %2")
    static let grantedFor = Phrase(
        "%1 granted by %2: %3", fr: "%1 offert par %2 : %3", pt: "%1 concedido por %2: %3", zh: "%2 贈送了 %1：%3",
        de: "%1 geschenkt von %2: %3")
    static let boughtAgain = Phrase(
        "Bought %1 again, for nothing", fr: "Nouvel achat de %1, gratuit", pt: "Comprou %1 de novo, sem custo",
        zh: "再次免費購買 %1", de: "%1 erneut gekauft, kostenlos")
    static let subscribed = Phrase(
        "Subscribed to %1 for %2", fr: "Abonnement à %1 pour %2", pt: "Assinou %1 por %2", zh: "以 %2 訂閱 %1",
        de: "%1 für %2 abonniert")
    static let renewed = Phrase(
        "%1 renewed for %2", fr: "%1 renouvelé pour %2", pt: "%1 renovada por %2", zh: "%1 以 %2 續訂",
        de: "%1 für %2 verlängert")
    static let recovered = Phrase(
        "%1 recovered for %2, after failed charges", fr: "%1 rétabli pour %2, après des échecs de paiement",
        pt: "%1 recuperada por %2, após falhas na cobrança", zh: "%1 在扣款失敗後以 %2 恢復",
        de: "%1 nach gescheiterten Abbuchungen für %2 fortgesetzt")
    static let changed = Phrase(
        "Changed to %1 for %2", fr: "Passage à %1 pour %2", pt: "Mudou para %1 por %2", zh: "以 %2 改訂 %1",
        de: "Zu %1 für %2 gewechselt")
    static let changeScheduled = Phrase(
        "Change to %1 at the next renewal", fr: "Passage à %1 au prochain renouvellement",
        pt: "Mudança para %1 na próxima renovação", zh: "下次續訂時改為 %1", de: "Wechsel zu %1 bei der nächsten Verlängerung")
    static let changeCancelled = Phrase(
        "Change of %1 cancelled", fr: "Changement de %1 annulé", pt: "Mudança de %1 cancelada", zh: "已取消 %1 的變更",
        de: "Wechsel bei %1 abgesagt")
    static let refunded = Phrase(
        "Refund of %1", fr: "Remboursement de %1", pt: "Reembolso de %1", zh: "%1 退款", de: "Erstattung von %1")
    static let refundRequested = Phrase(
        "Refund of %1 requested", fr: "Remboursement de %1 demandé", pt: "Reembolso de %1 solicitado", zh: "已申請 %1 退款",
        de: "Erstattung von %1 beantragt")
    static let refundDeclined = Phrase(
        "Refund of %1 declined", fr: "Remboursement de %1 refusé", pt: "Reembolso de %1 recusado", zh: "%1 退款遭拒",
        de: "Erstattung von %1 abgelehnt")
    static let refundReversed = Phrase(
        "Refund of %1 reversed", fr: "Remboursement de %1 annulé", pt: "Reembolso de %1 revertido", zh: "已撤銷 %1 退款",
        de: "Erstattung von %1 zurückgenommen")
    static let chargeFailed = Phrase(
        "Charge for %1 failed", fr: "Échec du prélèvement pour %1", pt: "A cobrança de %1 falhou", zh: "%1 扣款失敗",
        de: "Abbuchung für %1 gescheitert")
    static let graceEnded = Phrase(
        "Grace period of %1 ended", fr: "Délai de grâce de %1 terminé", pt: "O período de carência de %1 terminou",
        zh: "%1 的寬限期結束", de: "Schonfrist von %1 beendet")
    static let expired = Phrase(
        "%1 expired", fr: "%1 a expiré", pt: "%1 expirou", zh: "%1 已到期", de: "%1 ist abgelaufen")
    static let renewalOn = Phrase(
        "Auto-renew of %1 turned on", fr: "Renouvellement de %1 activé", pt: "Renovação de %1 ativada",
        zh: "%1 自動續訂已開啟",
        de: "Automatische Verlängerung von %1 eingeschaltet")
    static let renewalOff = Phrase(
        "Auto-renew of %1 turned off", fr: "Renouvellement de %1 désactivé", pt: "Renovação de %1 desativada",
        zh: "%1 自動續訂已關閉", de: "Automatische Verlängerung von %1 ausgeschaltet")
    static let priceAsked = Phrase(
        "Price increase of %1: consent asked", fr: "Hausse du prix de %1 : accord demandé",
        pt: "Aumento do preço de %1: consentimento pedido", zh: "%1 調漲價格：徵求同意",
        de: "Preiserhöhung von %1: Zustimmung erbeten")
    static let priceAccepted = Phrase(
        "Price increase of %1 accepted", fr: "Hausse du prix de %1 acceptée", pt: "Aumento do preço de %1 aceito",
        zh: "已同意 %1 調漲價格", de: "Preiserhöhung von %1 angenommen")
    static let priceDeclined = Phrase(
        "Price increase of %1 declined", fr: "Hausse du prix de %1 refusée", pt: "Aumento do preço de %1 recusado",
        zh: "已拒絕 %1 調漲價格", de: "Preiserhöhung von %1 abgelehnt")
    static let extended = Phrase(
        "%1 extended", fr: "%1 prolongé", pt: "%1 estendida", zh: "%1 已延長", de: "%1 freigiebig verlängert")
    static let shared = Phrase(
        "%1 shared by the family", fr: "%1 partagé par la famille", pt: "%1 compartilhada pela família", zh: "家人共享 %1",
        de: "%1 von der Familie geteilt")
    static let sharingEnded = Phrase(
        "Sharing of %1 ended", fr: "Partage de %1 terminé", pt: "Compartilhamento de %1 encerrado", zh: "%1 的共享已結束",
        de: "Teilen von %1 beendet")
    static let paymentUpdated = Phrase(
        "Payment method updated", fr: "Moyen de paiement mis à jour", pt: "Forma de pagamento atualizada",
        zh: "已更新付款方式",
        de: "Zahlungsmethode aktualisiert")
    static let downloaded = Phrase(
        "App downloaded", fr: "App téléchargée", pt: "App baixado", zh: "已下載 App", de: "App geladen")
    static let redownloaded = Phrase(
        "App downloaded again", fr: "App téléchargée à nouveau", pt: "App baixado de novo", zh: "再次下載 App",
        de: "App erneut geladen")
    static let updated = Phrase(
        "App updated", fr: "App mise à jour", pt: "App atualizado", zh: "已更新 App", de: "App aktualisiert")
    static let other = Phrase(
        "%3: %1", fr: "%3 : %1", pt: "%3: %1", zh: "%3：%1", de: "%3: %1")
}

/// An event's phrase and the kind of its status.
struct EventWording {
    let phrase: Phrase
    let status: Status

    init(_ kind: JournalEntry.Kind) {
        (phrase, status) =
            switch kind {
            case .purchased: (TimelinePhrases.bought, .good)
            case .boughtAgain: (TimelinePhrases.boughtAgain, .neutral)
            case .refunded: (TimelinePhrases.refunded, .bad)
            case .purchaseRefundRequested: (TimelinePhrases.refundRequested, .warning)
            case .purchaseRefundDeclined: (TimelinePhrases.refundDeclined, .neutral)
            case .purchaseRefundReversed: (TimelinePhrases.refundReversed, .neutral)
            case .freeSubscriptionEnded: (TimelinePhrases.expired, .neutral)
            case .shared: (TimelinePhrases.shared, .good)
            case .sharingEnded: (TimelinePhrases.sharingEnded, .neutral)
            case .appDownloaded: (TimelinePhrases.downloaded, .neutral)
            case .appRedownloaded: (TimelinePhrases.redownloaded, .neutral)
            case .appUpdated: (TimelinePhrases.updated, .neutral)
            case .finished, .finance: (TimelinePhrases.other, .neutral)
            case .subscription(let event): Self.wording(of: event)
            }
    }

    private static func wording(of event: DomainEvent.Kind) -> (Phrase, Status) {
        switch event {
        case .subscribed, .resubscribed, .offerRedeemed: (TimelinePhrases.subscribed, .good)
        case .renewed: (TimelinePhrases.renewed, .good)
        case .recovered: (TimelinePhrases.recovered, .good)
        case .upgraded, .upgradedWithOffer: (TimelinePhrases.changed, .good)
        case .downgradeScheduled, .downgradeScheduledWithOffer: (TimelinePhrases.changeScheduled, .neutral)
        case .changeCancelled: (TimelinePhrases.changeCancelled, .neutral)
        case .autoRenewEnabled: (TimelinePhrases.renewalOn, .good)
        case .autoRenewDisabled, .autoRenewEnded: (TimelinePhrases.renewalOff, .warning)
        case .renewalFailed, .renewalFailedWithGrace, .attemptDeclined: (TimelinePhrases.chargeFailed, .bad)
        case .gracePeriodEnded: (TimelinePhrases.graceEnded, .bad)
        case .expiredByChoice, .expiredAfterBillingRetry, .expiredForPriceIncrease, .expiredProductNotForSale, .expired:
            (TimelinePhrases.expired, .warning)
        case .priceIncreasePending: (TimelinePhrases.priceAsked, .neutral)
        case .priceIncreaseAccepted: (TimelinePhrases.priceAccepted, .good)
        case .priceIncreaseDeclined: (TimelinePhrases.priceDeclined, .warning)
        case .subscriptionRefunded, .upgradeRefunded: (TimelinePhrases.refunded, .bad)
        case .refundRequested: (TimelinePhrases.refundRequested, .warning)
        case .subscriptionRefundDeclined: (TimelinePhrases.refundDeclined, .neutral)
        case .subscriptionRefundReversed: (TimelinePhrases.refundReversed, .neutral)
        case .familyAccessRevoked: (TimelinePhrases.sharingEnded, .neutral)
        case .renewalExtended: (TimelinePhrases.extended, .good)
        case .paymentMethodUpdated: (TimelinePhrases.paymentUpdated, .neutral)
        default: (TimelinePhrases.other, .neutral)
        }
    }
}
