import Perennial
import PerennialStore

/// The form that gives a customer a product without charge, in any environment. The audit log has the product and the reason.
struct CustomerGrant: ConsoleChapter {
    /// The most characters of a reason.
    private static let maximumReasonLength = 200

    func add(to routes: ConsoleRoutes) {
        routes.form("customers/:account/grant", .support) { try await grant($0) }
    }

    /// Returns the form; `nil` if the app sells nothing that can be granted to the customer.
    static func form(_ page: CustomerPage, _ app: App) -> Form? {
        let (request, account) = (page.request, page.overview.account)
        let products = app.products.filter {
            $0.type != .autoRenewable && request.environment.sells($0, in: account.storefront)
        }.sorted { $0.id.rawValue < $1.id.rawValue }
        guard let first = products.first?.id.rawValue else { return nil }
        let isRefused = page.error?.form == .grant
        let reasonError = page.error?.form == .grantReason ? page.error?.text : nil
        let values = isRefused || reasonError != nil ? page.values : nil
        return Form(
            request.customerPath(account.name, "/grant"), submit: .phrase(GrantPhrases.grant),
            error: isRefused ? page.error?.text : nil,
            same: request.sameHere(
                "buy \(first) --account \(ShellWord.quoted(account.name)) --free --reason goodwill", namesApp: true,
                .init(
                    "POST", "control/v1/purchases",
                    JSONText.grant(app: app.bundleID.rawValue, account: account.name, product: first))),
            [
                Field(
                    "product", .phrase(Words.product),
                    .choice(products.map { .init($0.id.rawValue, .data($0.id.rawValue)) }),
                    value: values?["product"] ?? "", hint: .phrase(GrantPhrases.hint), isRequired: true),
                Field(
                    "quantity", .phrase(ActionPhrases.quantity), .number, value: values?.optional("quantity") ?? "1"),
                Field(
                    "reason", .phrase(ActionPhrases.reason), .text, value: values?["reason"] ?? "",
                    hint: .phrase(GrantPhrases.reasonHint), error: reasonError, isRequired: true),
            ])
    }

    private func grant(_ form: FormRequest) async throws -> FormAnswer {
        let (request, product, reason) = (form.page, form.values["product"], form.values["reason"])
        let (name, bundleID) = (request.parameter("account"), try request.bundleID())
        do {
            guard let quantity = Int(form.values.optional("quantity") ?? "1") else {
                throw PurchaseRefusal(.quantityOutOfRange, Product.ID(rawValue: product), "a quantity is 1 to 10")
            }
            guard !reason.isEmpty, reason.count <= Self.maximumReasonLength else {
                let text = Text.phrase(GrantPhrases.reasonNeeded, .number(Self.maximumReasonLength))
                return .page(try await CustomerPage.page(request, error: (.grantReason, text), values: form.values))
            }
            // A form makes no account.
            _ = try await CustomerPage.found { try await request.store.accounts.account(named: name) }
            let customer = try await request.store.accounts.customer(account: name, bundleID: bundleID)
            _ = try await request.store.purchases.buy(
                PurchaseRequest(
                    productID: Product.ID(rawValue: product), quantity: quantity, isGrant: true,
                    grantNote: GrantNote(actor: request.catalogActor, reason: reason)),
                by: customer)
            return .audited(
                request.customerPath(name), .phrase(GrantPhrases.granted, .data(product)),
                action: "grant \(product)\(quantity == 1 ? "" : " ×\(quantity)"): \(reason)")
        } catch {
            let text = try CustomerPage.text(of: error)
            return .page(try await CustomerPage.page(request, error: (.grant, text), values: form.values))
        }
    }
}

/// The words of grants.
enum GrantPhrases {
    static let grant = Phrase("Grant", fr: "Offrir", pt: "Conceder", zh: "贈送", de: "Schenken")
    static let hint = Phrase(
        "Free of charge; reports count it at the price 0. To give more of a subscription, extend it.",
        fr: "Sans frais\u{202F}; les rapports le comptent au prix 0. Pour offrir du temps d’abonnement, prolongez-le.",
        pt: "Sem cobrança; os relatórios contam com preço 0. Para dar mais de uma assinatura, estenda-a.",
        zh: "不收費；報告以價格 0 計入。若要贈送訂閱時間，請延長訂閱。",
        de: "Ohne Berechnung; Berichte zählen es zum Preis 0. Ein Abo verschenken Sie, indem Sie es verlängern.")
    static let reasonHint = Phrase(
        "Stands in the customer’s timeline and in the audit log.",
        fr: "Figure dans la chronologie du client et dans le journal d’audit.",
        pt: "Fica na linha do tempo do cliente e no registro de auditoria.", zh: "會記錄在顧客的時間軸與稽核記錄中。",
        de: "Steht im Verlauf des Kunden und im Prüfprotokoll.")
    static let reasonNeeded = Phrase(
        "Say why, in 1 to %1 characters.", fr: "Dites pourquoi, en 1 à %1 caractères.",
        pt: "Diga o motivo, em 1 a %1 caracteres.", zh: "請以 1 到 %1 個字元說明原因。",
        de: "Sagen Sie warum, in 1 bis %1 Zeichen.")
    static let granted = Phrase(
        "%1 was granted.", fr: "%1 a été offert.", pt: "%1 foi concedido.", zh: "已贈送 %1。", de: "%1 wurde geschenkt.")
}
