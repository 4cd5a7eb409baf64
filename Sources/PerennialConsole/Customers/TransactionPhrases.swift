import Perennial
import PerennialStore

/// The words of transactions' pages.
enum TransactionPhrases {
    static let purchased = Phrase("Purchased", fr: "Achat le", pt: "Comprado em", zh: "購買時間", de: "Gekauft")
    static let expires = Phrase("Expires", fr: "Expire le", pt: "Expira em", zh: "到期時間", de: "Läuft ab")
    static let original = Phrase(
        "Original transaction", fr: "Transaction d’origine", pt: "Transação original", zh: "原始交易",
        de: "Ursprüngliche Transaktion")
    static let order = Phrase("Order", fr: "Commande", pt: "Pedido", zh: "訂單", de: "Bestellung")
    static let offer = Phrase("Offer", fr: "Offre", pt: "Oferta", zh: "優惠", de: "Angebot")
    static let token = Phrase(
        "App account token", fr: "Jeton de compte d’app", pt: "Token de conta do app", zh: "App 帳號代碼",
        de: "App-Account-Token")
    static let finished = Phrase("Finished", fr: "Terminé", pt: "Concluída", zh: "已完成", de: "Abgeschlossen")
    static let revokedOn = Phrase("Revoked", fr: "Révoquée le", pt: "Revogada em", zh: "撤銷時間", de: "Widerrufen")
    static let span = Phrase("Span of time", fr: "Période", pt: "Intervalo de tempo", zh: "時間範圍", de: "Zeitraum")
    static let day = Phrase("24 hours", fr: "24 heures", pt: "24 horas", zh: "24 小時", de: "24 Stunden")
    static let week = Phrase("7 days", fr: "7 jours", pt: "7 dias", zh: "7 天", de: "7 Tage")
    static let month = Phrase("30 days", fr: "30 jours", pt: "30 dias", zh: "30 天", de: "30 Tage")
    static let none = Phrase(
        "No transaction yet.", fr: "Aucune transaction pour l’instant.", pt: "Nenhuma transação ainda.", zh: "尚無交易。",
        de: "Noch keine Transaktionen.")
    static let noneMatch = Phrase(
        "No transaction matches.", fr: "Aucune transaction ne correspond.", pt: "Nenhuma transação corresponde.",
        zh: "沒有相符的交易。", de: "Keine Transaktion passt.")
    static let noneMatchHere = Phrase(
        "No transaction matches on this page. Older ones may follow.",
        fr: "Aucune transaction ne correspond sur cette page. De plus anciennes peuvent suivre.",
        pt: "Nenhuma transação corresponde nesta página. Pode haver mais antigas.", zh: "此頁沒有相符的交易，後面可能還有較早的交易。",
        de: "Auf dieser Seite passt keine Transaktion. Ältere können folgen.")
    static let noSubscriptions = Phrase(
        "No subscription matches.", fr: "Aucun abonnement ne correspond.", pt: "Nenhuma assinatura corresponde.",
        zh: "沒有相符的訂閱。", de: "Kein Abonnement passt.")
    static let noSubscriptionsHere = Phrase(
        "No subscription matches on this page. Older ones may follow.",
        fr: "Aucun abonnement ne correspond sur cette page. De plus anciens peuvent suivre.",
        pt: "Nenhuma assinatura corresponde nesta página. Pode haver mais antigas.", zh: "此頁沒有相符的訂閱，後面可能還有較早的訂閱。",
        de: "Auf dieser Seite passt kein Abonnement. Ältere können folgen.")

    // MARK: The three columns

    static let sold = Phrase(
        "What was sold", fr: "Ce qui a été vendu", pt: "O que foi vendido", zh: "售出內容", de: "Was verkauft wurde")
    static let wire = Phrase(
        "What the app and servers see", fr: "Ce que voient l’app et les serveurs",
        pt: "O que o app e os servidores veem",
        zh: "App 與伺服器所見", de: "Was App und Server sehen")
    static let form = Phrase(
        "Shown as", fr: "Affiché comme", pt: "Mostrado como", zh: "顯示形式", de: "Gezeigt als")
    static let became = Phrase(
        "What became of it", fr: "Ce qu’il en est advenu", pt: "O que aconteceu depois", zh: "後續情況",
        de: "Was daraus wurde")
    static let signedTransaction = Phrase(
        "Signed transaction (JWS)", fr: "Transaction signée (JWS)", pt: "Transação assinada (JWS)", zh: "已簽署的交易（JWS）",
        de: "Signierte Transaktion (JWS)")
    static let signedRenewal = Phrase(
        "Signed renewal information (JWS)", fr: "Informations de renouvellement signées (JWS)",
        pt: "Informações de renovação assinadas (JWS)", zh: "已簽署的續訂資訊（JWS）", de: "Signierte Verlängerungsdaten (JWS)")
    static let receipt = Phrase("App receipt", fr: "Reçu de l’app", pt: "Recibo do app", zh: "App 收據", de: "App-Beleg")
    static let transactionReceipt = Phrase(
        "Transaction receipt of StoreKit 1", fr: "Reçu de transaction de StoreKit 1",
        pt: "Recibo de transação do StoreKit 1", zh: "StoreKit 1 交易收據", de: "Transaktionsbeleg von StoreKit 1")
    static let header = Phrase("Header", fr: "En-tête", pt: "Cabeçalho", zh: "標頭", de: "Kopf")
    static let bytes = Phrase(
        "As it is sent", fr: "Tel qu’il est envoyé", pt: "Como é enviado", zh: "實際傳送內容", de: "Wie es gesendet wird")
    static let access = Phrase("Access", fr: "Accès", pt: "Acesso", zh: "使用權", de: "Zugang")
    static let sums = Phrase(
        "Sums of all postings", fr: "Sommes des écritures", pt: "Somas dos lançamentos", zh: "分錄總和",
        de: "Summen aller Buchungen")
    static let sumsMeaning = Phrase(
        "The sale and its refunds together. In each currency they sum to zero.",
        fr: "La vente et ses remboursements. Dans chaque devise, la somme est nulle.",
        pt: "A venda e seus reembolsos. Em cada moeda, a soma é zero.", zh: "銷售與退款合計。各幣別總和為零。",
        de: "Der Verkauf mit seinen Erstattungen. In jeder Währung ist die Summe null.")

    // MARK: States

    static func name(of state: TransactionState) -> Phrase {
        switch state {
        case .paid: Phrase("Paid", fr: "Payée", pt: "Paga", zh: "已付款", de: "Bezahlt")
        case .refunded: Phrase("Refunded", fr: "Remboursée", pt: "Reembolsada", zh: "已退款", de: "Erstattet")
        case .revoked:
            Phrase("Access revoked", fr: "Accès révoqué", pt: "Acesso revogado", zh: "已撤銷使用權", de: "Zugang widerrufen")
        case .expired: Phrase("Expired", fr: "Expirée", pt: "Expirada", zh: "已到期", de: "Abgelaufen")
        case .upgraded: Phrase("Upgraded", fr: "Remplacée", pt: "Substituída", zh: "已升級", de: "Höhergestuft")
        }
    }

    static func status(of state: TransactionState) -> Status {
        switch state {
        case .paid: .good
        case .expired, .upgraded: .neutral
        case .refunded, .revoked: .bad
        }
    }

    static func name(of status: SubscriptionStatus) -> Phrase {
        switch status {
        case .active: Phrase("Active", fr: "Actif", pt: "Ativa", zh: "有效", de: "Aktiv")
        case .expired: Phrase("Ended", fr: "Terminé", pt: "Encerrada", zh: "已結束", de: "Beendet")
        case .billingRetry:
            Phrase(
                "Billing retry", fr: "Nouvelle tentative de facturation", pt: "Nova tentativa de cobrança", zh: "重試扣款",
                de: "Erneuter Abbuchungsversuch")
        case .gracePeriod:
            Phrase("Grace period", fr: "Délai de grâce", pt: "Período de carência", zh: "寬限期", de: "Schonfrist")
        case .revoked: name(of: TransactionState.revoked)
        }
    }

    static func status(of status: SubscriptionStatus) -> Status {
        switch status {
        case .active: .good
        case .billingRetry, .gracePeriod: .warning
        case .expired: .neutral
        case .revoked: .bad
        }
    }
}
