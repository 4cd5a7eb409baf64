import Perennial

/// Texts about reviews.
enum ReviewPhrases {
    static let review = Phrase(
        "App Review", fr: "Vérification des apps", pt: "Revisão de apps", zh: "App 審查", de: "App-Prüfung")
    static let reviews = Phrase("Reviews", fr: "Vérifications", pt: "Revisões", zh: "審查", de: "Prüfungen")
    static let submit = Phrase(
        "Submit for Review", fr: "Soumettre à vérification", pt: "Enviar para revisão", zh: "送交審查",
        de: "Zur Prüfung einreichen")
    static let submitted = Phrase(
        "Submitted for review.", fr: "Soumis à vérification.", pt: "Enviado para revisão.", zh: "已送交審查。",
        de: "Zur Prüfung eingereicht.")
    static let approved = Phrase(
        "Submitted and approved.", fr: "Soumis et approuvé.", pt: "Enviado e aprovado.", zh: "已送交並核准。",
        de: "Eingereicht und genehmigt.")
    static let withdraw = Phrase(
        "Withdraw from Review", fr: "Retirer de la vérification", pt: "Retirar da revisão", zh: "撤回審查",
        de: "Aus der Prüfung zurückziehen")
    static let withdrawn = Phrase(
        "Withdrawn from review.", fr: "Retiré de la vérification.", pt: "Retirado da revisão.", zh: "已撤回審查。",
        de: "Aus der Prüfung zurückgezogen.")
    static let remove = Phrase(
        "Remove from Sale as Operator", fr: "Retirer de la vente en tant qu’exploitant",
        pt: "Remover da venda como operador", zh: "以營運者身分移除販售", de: "Als Betreiber aus dem Verkauf nehmen")
    static let restore = Phrase(
        "Put Back on Sale as Operator", fr: "Remettre en vente en tant qu’exploitant",
        pt: "Recolocar à venda como operador", zh: "以營運者身分恢復販售", de: "Als Betreiber wieder verkaufen")
    static let missing = Phrase("Missing", fr: "Manquant", pt: "Ausente", zh: "缺少", de: "Fehlt")
    static let incomplete = Phrase(
        "Not submitted yet. Still missing: %1.", fr: "Pas encore soumis. Il manque\u{202F}: %1.",
        pt: "Ainda não enviado. Falta: %1.", zh: "尚未提交，仍缺少：%1。", de: "Noch nicht eingereicht. Es fehlt: %1.")
    static let screenshotHint = Phrase(
        "PNG or JPEG. Only App Review sees it.", fr: "PNG ou JPEG. Visible par la vérification seulement.",
        pt: "PNG ou JPEG. Só a revisão vê.", zh: "PNG 或 JPEG，僅供審查人員檢視。", de: "PNG oder JPEG. Nur die Prüfung sieht ihn."
    )
    static let noScreenshot = Phrase(
        "The product has no screenshot.", fr: "Le produit n’a pas de capture d’écran.",
        pt: "O produto não tem captura de tela.",
        zh: "此產品沒有截圖。", de: "Das Produkt hat keinen Screenshot.")
    static let approve = Phrase("Approve", fr: "Approuver", pt: "Aprovar", zh: "核准", de: "Genehmigen")
    static let reject = Phrase("Reject", fr: "Refuser", pt: "Rejeitar", zh: "拒絕", de: "Ablehnen")
    static let start = Phrase(
        "Start Review", fr: "Commencer la vérification", pt: "Iniciar revisão", zh: "開始審查", de: "Prüfung beginnen")
    static let reason = Phrase(
        "Reason, which the seller reads", fr: "Motif, lu par le vendeur", pt: "Motivo, que o vendedor lê",
        zh: "原因（賣家會看到）",
        de: "Grund, den der Verkäufer liest")
    static let item = Phrase("Item", fr: "Élément", pt: "Item", zh: "項目", de: "Objekt")
    static let nothing = Phrase(
        "Nothing waits for a review.", fr: "Rien n’attend de vérification.", pt: "Nada aguarda revisão.",
        zh: "沒有等待審查的項目。",
        de: "Nichts wartet auf eine Prüfung.")
    static let submittedBy = Phrase(
        "Submitted by", fr: "Soumis par", pt: "Enviado por", zh: "提交者", de: "Eingereicht von")
    static let done = Phrase("Decided.", fr: "Décidé.", pt: "Decidido.", zh: "已決定。", de: "Entschieden.")
    static let mode = Phrase(
        "Who Reviews", fr: "Qui vérifie", pt: "Quem revisa", zh: "審查方式", de: "Wer prüft")
    static let automatic = Phrase(
        "The store approves at once", fr: "Le store approuve tout de suite", pt: "A loja aprova imediatamente",
        zh: "商店立即核准",
        de: "Der Store genehmigt sofort")
    static let manual = Phrase(
        "The operator decides", fr: "L’exploitant décide", pt: "O operador decide", zh: "由營運者決定",
        de: "Der Betreiber entscheidet")
}

extension ReviewSubmission.Item.State {
    var phrase: Phrase {
        switch self {
        case .readyForReview: MetadataVersion.State.readyForReview.phrase
        case .accepted: MetadataVersion.State.accepted.phrase
        case .approved: MetadataVersion.State.approved.phrase
        case .rejected: MetadataVersion.State.rejected.phrase
        case .removed: Phrase("Removed", fr: "Retiré", pt: "Removido", zh: "已移除", de: "Entfernt")
        }
    }
}
