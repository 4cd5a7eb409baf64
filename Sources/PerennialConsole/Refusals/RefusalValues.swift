import Perennial

/// The words of protocols that stand in refusals: names of fields and states.
enum RefusalValues {
    /// Returns the console's word for a word of a protocol; `nil` for any other text.
    static func phrase(_ word: String) -> Phrase? { fields[word] ?? states[word] }

    /// The names of fields of the App Store Connect API and the control API.
    static let fields: [String: Phrase] = [
        "name": Words.name, "referenceName": ProductPhrases.referenceName, "description": ProductPhrases.description,
        "displayName": ProductPhrases.displayName, "productId": ProductPhrases.productID,
        "group": ProductPhrases.group, "groupLevel": ProductPhrases.level,
        "subscriptionPeriod": ProductPhrases.period, "reviewNote": ProductPhrases.reviewNote,
        "taxCategory": ProductPhrases.taxCategory,
        "familySharable": ProductPhrases.familySharing, "price": Words.price, "prices": Words.price,
        "subscriptionPricePoint": Words.price, "pricePoint": Words.price, "inAppPurchasePricePoint": Words.price,
        "duration": OfferPhrases.duration, "periodCount": OfferPhrases.count, "numberOfPeriods": OfferPhrases.count,
        "startDate": OfferPhrases.starts, "endDate": OfferPhrases.ends, "storefront": Words.storefront,
        "territory": Words.storefront, "locale": SellerPhrases.language, "type": Words.type,
        "offerCode": OfferPhrases.offerID, "offerId": OfferPhrases.offerID,
        "customAppName": Phrase(
            "App name", fr: "Nom de l’app", pt: "Nome do app", zh: "App 名稱", de: "Name der App"),
        "firstName": TesterPhrases.firstName, "lastName": TesterPhrases.lastName,
        // The parts that a product lacks for its review.
        MissingMetadata.localization.rawValue: MissingMetadata.localization.phrase,
        MissingMetadata.period.rawValue: MissingMetadata.period.phrase,
        MissingMetadata.availability.rawValue: MissingMetadata.availability.phrase,
        MissingMetadata.screenshot.rawValue: MissingMetadata.screenshot.phrase,
        "the app": Phrase("the app", fr: "l’app", pt: "o app", zh: "App", de: "die App"),
        "the closing": Phrase(
            "the closing", fr: "la clôture", pt: "o encerramento", zh: "結算", de: "der Abschluss"),
        "no such line": Phrase(
            "no such line", fr: "aucune ligne de ce genre", pt: "nenhuma linha assim", zh: "無此列",
            de: "keine solche Zeile"),
        "nothing": Phrase("nothing", fr: "rien", pt: "nada", zh: "無", de: "nichts"),
        "all territories": ProductPhrases.everywhere, "product": Words.product, "app": Words.app,
    ]

    /// States of versions, submissions, their items and assets.
    static let states: [String: Phrase] = {
        var states = Dictionary(uniqueKeysWithValues: MetadataVersion.State.allCases.map { ($0.rawValue, $0.phrase) })
        for state in ReviewSubmission.Item.State.allCases { states[state.rawValue] = state.phrase }
        for state in ReviewSubmission.State.allCases where states[state.rawValue] == nil {
            states[state.rawValue] = phrase(of: state)
        }
        states[ListingAsset.State.awaitingUpload.rawValue] = ProductListingState.waitingForUpload.phrase
        states[ListingAsset.State.uploadComplete.rawValue] = SellerPhrases.uploaded
        states[ListingAsset.State.failed.rawValue] = failed
        return states
    }()

    private static let failed = Phrase("Failed", fr: "Échec", pt: "Falhou", zh: "失敗", de: "Fehlgeschlagen")

    private static func phrase(of state: ReviewSubmission.State) -> Phrase {
        switch state {
        case .readyForReview: MetadataVersion.State.readyForReview.phrase
        case .waitingForReview: MetadataVersion.State.waitingForReview.phrase
        case .inReview: MetadataVersion.State.inReview.phrase
        case .unresolvedIssues:
            Phrase(
                "Unresolved Issues", fr: "Problèmes en suspens", pt: "Problemas não resolvidos", zh: "待解決的問題",
                de: "Ungelöste Probleme")
        case .canceling:
            Phrase("Canceling", fr: "Annulation en cours", pt: "Cancelando", zh: "正在取消", de: "Wird abgebrochen")
        case .completing:
            Phrase("Completing", fr: "Finalisation en cours", pt: "Concluindo", zh: "即將完成", de: "Wird abgeschlossen")
        case .complete: Phrase("Complete", fr: "Terminée", pt: "Concluída", zh: "已完成", de: "Abgeschlossen")
        }
    }
}
