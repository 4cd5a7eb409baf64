import PerennialStore

/// The names of the kinds of events.
enum EventWords {
    static func name(_ kind: LiveKind) -> Phrase {
        switch kind {
        case .purchase: Phrase("Purchase", fr: "Achat", pt: "Compra", zh: "購買", de: "Kauf")
        case .renewal: Phrase("Renewal", fr: "Renouvellement", pt: "Renovação", zh: "續訂", de: "Verlängerung")
        case .refund: Words.refund
        case .failedCharge:
            Phrase(
                "Failed charge", fr: "Échec de paiement", pt: "Falha na cobrança", zh: "扣款失敗",
                de: "Fehlgeschlagene Abbuchung")
        case .change: Phrase("Change", fr: "Modification", pt: "Alteração", zh: "變更", de: "Änderung")
        case .expiration: Phrase("Expiration", fr: "Expiration", pt: "Expiração", zh: "到期", de: "Ablauf")
        case .extension: Phrase("Extension", fr: "Prolongation", pt: "Extensão", zh: "延長", de: "Aufschub")
        case .sharing:
            Phrase(
                "Family Sharing", fr: "Partage familial", pt: "Compartilhamento Familiar", zh: "家人共享",
                de: "Familienfreigabe")
        case .download: Words.download
        case .finish: Phrase("Finished", fr: "Terminé", pt: "Concluída", zh: "已完成", de: "Abgeschlossen")
        case .finance: Phrase("Finance", fr: "Finance", pt: "Finanças", zh: "財務", de: "Finanzen")
        case .other: Phrase("Other", fr: "Autre", pt: "Outro", zh: "其他", de: "Sonstiges")
        case .request: Phrase("Request", fr: "Requête", pt: "Solicitação", zh: "要求", de: "Anfrage")
        case .refusal: Phrase("Refusal", fr: "Refus", pt: "Recusa", zh: "拒絕", de: "Ablehnung")
        case .notification: Words.notification
        case .failedNotification:
            Phrase(
                "Failed notification", fr: "Échec de notification", pt: "Falha na notificação", zh: "通知失敗",
                de: "Fehlgeschlagene Mitteilung")
        case .skipped: Phrase("Skipped", fr: "Ignoré", pt: "Ignorado", zh: "略過", de: "Übersprungen")
        case .emptied: Phrase("Emptied", fr: "Vidé", pt: "Esvaziado", zh: "已清空", de: "Geleert")
        }
    }
}
