import Perennial

/// The names and descriptions that customers see.
struct LocalizationChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("products/:product/localizations", .view) { try await list($0) }
        routes.page("products/:product/localizations/edit", .editCatalog) { try await editPage($0, .new) }
        routes.form("products/:product/localizations/edit", .editCatalog) { try await save($0) }
        routes.form("products/:product/localizations/delete", .editCatalog) { try await delete($0) }
    }

    private func list(_ request: PageRequest) async throws -> Page {
        let found = try await request.foundProduct()
        let version = found.product.currentVersion
        let add = Action.link(
            Link(.phrase(SellerPhrases.add), request.productPath("localizations/edit")), isProminent: true)
        var blocks: [Block] = [
            .paragraph(
                .phrase(ProductPhrases.versionState, .number(version.number), .phrase(version.state.phrase)))
        ]
        if found.product.approvedVersion != nil, version.state != .approved {
            blocks.append(.notice(Notice(status: .neutral, text: .phrase(ProductPhrases.draftOpens))))
        }
        return Page(
            .phrase(ProductPhrases.localizations), .products, trail: request.productTrail(found),
            actions: request.canEdit ? [add] : [],
            blocks + [
                Self.table(found.product, request: request.canEdit ? request : nil),
                .same(request.same("products edit \(found.id) --display-name de-DE=Münzen --description de-DE=Text")),
            ])
    }

    /// - Parameter request: `nil` for a table without actions.
    static func table(_ product: CatalogProduct, request: PageRequest?) -> Block {
        let rows = product.currentVersion.localizations.map { text in
            let edit = request.map { $0.productPath("localizations/edit", ["locale": text.locale]) }
            return Table.Row(
                [
                    Cell(.data(text.name), path: edit), Cell(.data(text.locale)), Cell(.data(text.description ?? "")),
                ],
                actions: request.map {
                    [
                        .post(
                            .phrase(Words.delete), path: $0.productPath("localizations/delete"),
                            fields: product.fields(["localization": text.id]), isDangerous: true,
                            same: $0.same("products edit \(product.id) --remove-locale \(text.locale)"))
                    ]
                } ?? [])
        }
        return .table(
            Table(
                caption: .phrase(ProductPhrases.localizations),
                columns: [
                    Table.Column(.phrase(ProductPhrases.displayName), .leading, .primary),
                    Table.Column(.phrase(SellerPhrases.language), .leading, .primary),
                    Table.Column(.phrase(ProductPhrases.description)),
                ],
                rows: rows, empty: EmptyState(text: .phrase(ProductPhrases.noLocalizations))))
    }

    private func editPage(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let found = try await request.foundProduct()
        let texts = found.product.currentVersion.localizations
        let known = texts.first { $0.locale == state.value("known", request.query["locale"] ?? "") }
        let used = Set(texts.map { AppStoreLocale.connect($0.locale) })
        let free = AppStoreLocale.all.filter { !used.contains($0) }
        let main = AppStoreLocale.connect(found.app.defaultLocale)
        let locale: [Field] =
            if let known {
                [.hidden("known", known.locale)]
            } else {
                [
                    state.field(
                        "locale", SellerPhrases.language, .locales(request.language, free),
                        free.contains(main) ? main : "")
                ]
            }
        let title = Text.phrase(ProductPhrases.localization)
        return Page(
            known.map { .data(LocalizedNames.locale($0.locale, in: request.language)) } ?? title, .products,
            trail: request.productTrail(found)
                + [Link(.phrase(ProductPhrases.localizations), request.productPath("localizations"))],
            [
                .form(
                    state.form(
                        request.productPath("localizations/edit"), submit: Words.save,
                        same: request.same(
                            "products edit \(found.id) --display-name \(known?.locale ?? "de-DE")=Text",
                            body: #"{"localizations":[{"locale":"\#(known?.locale ?? "de-DE")","name":"Text"}]}"#),
                        [found.product.revisionField] + locale + [
                            state.field(
                                "name", ProductPhrases.displayName, .text, known?.name ?? "",
                                hint: .phrase(ProductPhrases.customersSee), isRequired: true,
                                maximumLength: ListingLimits.displayName.upperBound),
                            state.field(
                                "description", ProductPhrases.description, .text, known?.description ?? "",
                                maximumLength: ListingLimits.description.upperBound),
                        ]))
            ])
    }

    private func save(_ request: FormRequest) async throws -> FormAnswer {
        let values = request.values
        return try await request.perform(again: editPage) {
            try await request.editProduct { product in
                let (name, description) = (values["name"], values.optional("description"))
                let texts = product.currentVersion.localizations
                if let known = values.optional("known"), let text = texts.first(where: { $0.locale == known }) {
                    try product.updateLocalization(text.id, .first) {
                        $0.name = name
                        $0.description = description
                    }
                } else {
                    let locale = values.optional("known") ?? values["locale"]
                    _ = try product.addLocalization(locale: locale) {
                        ListingLocalization(id: $0, locale: locale, name: name, description: description)
                    }
                }
            }
            return .redirect(request.page.productPath("localizations"), .phrase(SellerPhrases.saved))
        }
    }

    private func delete(_ request: FormRequest) async throws -> FormAnswer {
        let id = request.values["localization"]
        return try await request.perform(on: list) {
            try await request.editProduct { try $0.deleteLocalization(id, .first) }
            return .redirect(request.page.productPath("localizations"), .phrase(SellerPhrases.removed))
        }
    }
}

extension MetadataVersion.State {
    var phrase: Phrase {
        switch self {
        case .prepareForSubmission:
            Phrase(
                "Prepare for Submission", fr: "Préparer pour la soumission", pt: "Preparar para envio", zh: "準備提交",
                de: "Vorbereiten zum Übermitteln")
        case .readyForReview:
            Phrase(
                "Ready for Review", fr: "Prêt pour la vérification", pt: "Pronto para revisão", zh: "可供審查",
                de: "Bereit zur Prüfung")
        case .waitingForReview: ProductListingState.waitingForReview.phrase
        case .inReview: ProductListingState.inReview.phrase
        case .accepted: Phrase("Accepted", fr: "Accepté", pt: "Aceito", zh: "已接受", de: "Akzeptiert")
        case .approved: ProductListingState.approved.phrase
        case .rejected: ProductListingState.rejected.phrase
        case .developerRejected:
            Phrase(
                "Developer Rejected", fr: "Refusé par le développeur", pt: "Rejeitado pelo desenvolvedor", zh: "開發者已拒絕",
                de: "Vom Entwickler zurückgezogen")
        case .replacedWithNewVersion:
            Phrase(
                "Replaced with New Version", fr: "Remplacé par une nouvelle version", pt: "Substituído por nova versão",
                zh: "已由新版本取代", de: "Durch neue Version ersetzt")
        }
    }
}
