import Perennial

/// The words for types, states and periods of products.
extension ProductType {
    var phrase: Phrase {
        switch self {
        case .consumable:
            Phrase("Consumable", fr: "Consommable", pt: "Consumível", zh: "消耗性項目", de: "Verbrauchbar")
        case .nonConsumable:
            Phrase(
                "Non-Consumable", fr: "Non consommable", pt: "Não consumível", zh: "非消耗性項目", de: "Nicht verbrauchbar")
        case .autoRenewable:
            Phrase(
                "Auto-Renewable Subscription", fr: "Abonnement à renouvellement automatique",
                pt: "Assinatura com renovação automática", zh: "自動續訂型訂閱項目", de: "Automatisch verlängertes Abonnement")
        case .free:
            Phrase(
                "Free Subscription", fr: "Abonnement gratuit", pt: "Assinatura gratuita", zh: "免費訂閱項目",
                de: "Kostenloses Abonnement")
        case .nonRenewing:
            Phrase(
                "Non-Renewing Subscription", fr: "Abonnement sans renouvellement", pt: "Assinatura não renovável",
                zh: "非續訂型訂閱項目", de: "Nicht verlängertes Abonnement")
        }
    }

    /// The use of the type, in a sentence.
    var definition: Phrase {
        switch self {
        case .consumable:
            Phrase(
                "Used up and bought again, such as coins.", fr: "S’épuise et s’achète à nouveau, comme des pièces.",
                pt: "É consumido e comprado de novo, como moedas.", zh: "用完後可再次購買，例如代幣。",
                de: "Wird verbraucht und neu gekauft, etwa Münzen.")
        case .nonConsumable:
            Phrase(
                "Bought once and kept, such as a filter.", fr: "Acheté une fois et conservé, comme un filtre.",
                pt: "Comprado uma vez e mantido, como um filtro.", zh: "購買一次即永久擁有，例如濾鏡。",
                de: "Wird einmal gekauft und bleibt, etwa ein Filter.")
        case .autoRenewable:
            Phrase(
                "Renews until the customer cancels.", fr: "Se renouvelle jusqu’à ce que le client l’annule.",
                pt: "Renova até o cliente cancelar.", zh: "會持續續訂，直到顧客取消。",
                de: "Verlängert sich, bis der Kunde kündigt.")
        case .free:
            Phrase(
                "Free issues of a Newsstand app.", fr: "Numéros gratuits d’une app de Kiosque.",
                pt: "Edições gratuitas de um app da Banca.", zh: "書報攤 App 的免費期刊。",
                de: "Kostenlose Ausgaben einer Zeitungskiosk-App.")
        case .nonRenewing:
            Phrase(
                "Access for a limited time, bought anew each time.",
                fr: "Accès pour une durée limitée, acheté à chaque fois.",
                pt: "Acesso por tempo limitado, comprado a cada vez.", zh: "限時使用，到期後須重新購買。",
                de: "Zugang auf Zeit, der jedes Mal neu gekauft wird.")
        }
    }
}

extension ProductListingState {
    var phrase: Phrase {
        switch self {
        case .missingMetadata:
            Phrase(
                "Missing Metadata", fr: "Métadonnées manquantes", pt: "Metadados ausentes", zh: "缺少中繼資料",
                de: "Fehlende Metadaten")
        case .waitingForUpload:
            Phrase(
                "Waiting for Upload", fr: "En attente de téléversement", pt: "Aguardando envio", zh: "等待上傳",
                de: "Wartet auf Upload")
        case .processingContent:
            Phrase(
                "Processing Content", fr: "Contenu en cours de traitement", pt: "Processando conteúdo", zh: "正在處理內容",
                de: "Inhalt wird verarbeitet")
        case .readyToSubmit:
            Phrase(
                "Ready to Submit", fr: "Prêt à être soumis", pt: "Pronto para envio", zh: "可供提交",
                de: "Bereit zum Übermitteln")
        case .waitingForReview:
            Phrase(
                "Waiting for Review", fr: "En attente de vérification", pt: "Aguardando revisão", zh: "等待審查",
                de: "Wartet auf Prüfung")
        case .inReview:
            Phrase("In Review", fr: "En cours de vérification", pt: "Em revisão", zh: "審查中", de: "Wird geprüft")
        case .developerActionNeeded:
            Phrase(
                "Developer Action Needed", fr: "Action du développeur requise", pt: "Ação do desenvolvedor necessária",
                zh: "需要開發者處理", de: "Entwickleraktion erforderlich")
        case .pendingBinaryApproval:
            Phrase(
                "Pending Binary Approval", fr: "Approbation du binaire en attente", pt: "Aprovação do binário pendente",
                zh: "等待二進位檔核准", de: "Genehmigung der Binärdatei ausstehend")
        case .approved: Phrase("Approved", fr: "Approuvé", pt: "Aprovado", zh: "已核准", de: "Genehmigt")
        case .developerRemovedFromSale:
            Phrase(
                "Developer Removed from Sale", fr: "Retiré de la vente par le développeur",
                pt: "Removido da venda pelo desenvolvedor", zh: "開發者已移除販售",
                de: "Vom Entwickler aus dem Verkauf entfernt")
        case .removedFromSale:
            Phrase(
                "Removed from Sale", fr: "Retiré de la vente", pt: "Removido da venda", zh: "已移除販售",
                de: "Aus dem Verkauf entfernt")
        case .rejected: Phrase("Rejected", fr: "Refusé", pt: "Rejeitado", zh: "已拒絕", de: "Abgelehnt")
        }
    }

    var status: Status {
        switch self {
        case .approved: .good
        case .readyToSubmit, .waitingForReview, .inReview, .waitingForUpload, .processingContent,
            .pendingBinaryApproval:
            .neutral
        case .missingMetadata, .developerActionNeeded, .developerRemovedFromSale: .warning
        case .removedFromSale, .rejected: .bad
        }
    }

    /// The next step.
    var advice: Phrase? {
        switch self {
        case .missingMetadata: StatePhrases.missingMetadata
        case .readyToSubmit: StatePhrases.readyToSubmit
        case .waitingForReview, .inReview: StatePhrases.inReview
        case .rejected, .developerActionNeeded: StatePhrases.rejected
        case .removedFromSale: StatePhrases.removedFromSale
        case .developerRemovedFromSale: StatePhrases.developerRemovedFromSale
        case .approved, .waitingForUpload, .processingContent, .pendingBinaryApproval: nil
        }
    }
}

/// The next steps of states.
private enum StatePhrases {
    static let missingMetadata = Phrase(
        "Complete what is missing below, then submit the product for review. In Sandbox it is sold as soon as it has a price.",
        fr:
            "Complétez ce qui manque ci-dessous, puis soumettez le produit à vérification. Dans la Sandbox, il est vendu dès qu’il a un prix.",
        pt:
            "Complete o que falta abaixo e envie o produto para revisão. Na Sandbox, ele é vendido assim que tem um preço.",
        zh: "請補齊下列缺少的項目，再將產品送交審查。在 Sandbox 中，只要設定價格即可販售。",
        de:
            "Ergänzen Sie, was unten fehlt, und reichen Sie das Produkt dann zur Prüfung ein. In der Sandbox wird es verkauft, sobald es einen Preis hat."
    )
    static let readyToSubmit = Phrase(
        "Submit the product for review to sell it in Production.",
        fr: "Soumettez le produit à vérification pour le vendre en production.",
        pt: "Envie o produto para revisão para vendê-lo em produção.", zh: "將產品送交審查，即可在正式環境販售。",
        de: "Reichen Sie das Produkt zur Prüfung ein, um es in der Produktion zu verkaufen.")
    static let inReview = Phrase(
        "The reviewer decides next. Texts can’t be edited until then.",
        fr: "C’est au vérificateur de décider. Les textes ne sont pas modifiables d’ici là.",
        pt: "O revisor decide a seguir. Os textos não podem ser editados até lá.", zh: "等待審查人員決定，在此之前無法編輯文字。",
        de: "Als Nächstes entscheidet die Prüfung. Bis dahin lassen sich die Texte nicht ändern.")
    static let rejected = Phrase(
        "Change what the reviewer names, then submit the product again.",
        fr: "Modifiez ce qu’indique le vérificateur, puis soumettez à nouveau le produit.",
        pt: "Altere o que o revisor indica e envie o produto de novo.", zh: "請依審查人員的說明修改，再重新提交產品。",
        de: "Ändern Sie, was die Prüfung nennt, und reichen Sie das Produkt erneut ein.")
    static let removedFromSale = Phrase(
        "The store’s operator has removed it. Customers keep what they bought.",
        fr: "L’exploitant du store l’a retiré. Les clients conservent leurs achats.",
        pt: "O operador da loja o removeu. Os clientes mantêm o que compraram.", zh: "商店營運者已將其移除，顧客仍保有已購買的項目。",
        de: "Der Betreiber des Stores hat es entfernt. Kunden behalten, was sie gekauft haben.")
    static let developerRemovedFromSale = Phrase(
        "Choose a storefront under Availability to sell it again.",
        fr: "Choisissez une boutique sous Disponibilité pour le vendre à nouveau.",
        pt: "Escolha uma loja em Disponibilidade para vendê-lo de novo.", zh: "在「供應狀況」中選擇店面，即可重新販售。",
        de: "Wählen Sie unter „Verfügbarkeit“ einen Store, um es wieder zu verkaufen.")
}

extension MissingMetadata {
    var phrase: Phrase {
        switch self {
        case .localization: ProductPhrases.localizations
        case .period: ProductPhrases.period
        case .price: Words.price
        case .availability: ProductPhrases.availability
        case .screenshot: ProductPhrases.screenshot
        }
    }
}

extension Period {
    /// A text such as *2 months*.
    var text: Text {
        let isOne = count == 1
        let phrase =
            switch unit {
            case .day:
                isOne
                    ? Phrase("1 day", fr: "1 jour", pt: "1 dia", zh: "1 天", de: "1 Tag")
                    : Phrase("%1 days", fr: "%1 jours", pt: "%1 dias", zh: "%1 天", de: "%1 Tage")
            case .week:
                isOne
                    ? Phrase("1 week", fr: "1 semaine", pt: "1 semana", zh: "1 週", de: "1 Woche")
                    : Phrase("%1 weeks", fr: "%1 semaines", pt: "%1 semanas", zh: "%1 週", de: "%1 Wochen")
            case .month:
                isOne
                    ? Phrase("1 month", fr: "1 mois", pt: "1 mês", zh: "1 個月", de: "1 Monat")
                    : Phrase("%1 months", fr: "%1 mois", pt: "%1 meses", zh: "%1 個月", de: "%1 Monate")
            case .year:
                isOne
                    ? Phrase("1 year", fr: "1 an", pt: "1 ano", zh: "1 年", de: "1 Jahr")
                    : Phrase("%1 years", fr: "%1 ans", pt: "%1 anos", zh: "%1 年", de: "%1 Jahre")
            }
        return isOne ? .phrase(phrase) : .phrase(phrase, .number(count))
    }

    static func options(_ periods: [Period]) -> [Field.Option] {
        periods.map { Field.Option($0.iso8601, $0.text) }
    }
}
