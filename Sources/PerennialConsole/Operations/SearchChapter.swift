import Perennial
import PerennialStore

/// The frame's search: leads to the one thing that a text names, or lists several.
struct SearchChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("search", .view) { try await page($0) }
    }

    private func page(_ request: PageRequest) async throws -> Page {
        let text = request.query["query"] ?? request.query["q"] ?? ""
        let visible = Set(request.apps.map(\.bundleID))
        let found = try await request.store.search.find(text, in: request.app?.bundleID).filter { result in
            guard result.kind != .product else { return result.bundleID.map(visible.contains) ?? false }
            return request.allows(.support) && (result.bundleID.map(visible.contains) ?? request.visitor.seesAllApps)
        }
        let rows = found.map { result in
            Table.Row([
                Cell(.data(result.id), path: path(result, request), isFixedWidth: true),
                Cell(.phrase(Self.name(result.kind))), Cell(.data(result.account ?? "")),
                Cell(.data(result.detail ?? "")), Cell(.data(result.bundleID?.rawValue ?? "")),
            ])
        }
        let word = text.isEmpty ? "TEXT" : ShellWord.quoted(text)
        let field = Field("query", .phrase(Words.search), value: text, maximumLength: Search.maximumLength)
        return Page(
            .phrase(Words.search), .overview,
            [
                .form(
                    Form(request.path("search"), submit: .phrase(Words.search), isQuery: true, [field])),
                .table(
                    Table(
                        caption: .phrase(Words.search),
                        columns: [
                            .init(.phrase(Words.name), .leading, .primary),
                            .init(.phrase(Words.type), .leading, .primary), .init(.phrase(Words.customer)),
                            .init(.phrase(SearchPhrases.detail)), .init(.phrase(Words.app), .leading, .wideOnly),
                        ], rows: rows,
                        empty: EmptyState(
                            text: .phrase(SearchPhrases.nothing, .data(text)),
                            same: request.sameHere("search \(word)", namesApp: true)))),
            ])
    }

    private func path(_ result: SearchResult, _ request: PageRequest) -> String {
        ConsolePath.page(
            result.page.map(ConsolePath.encoded).joined(separator: "/"), environment: request.environment.name,
            app: (result.bundleID ?? request.app?.bundleID)?.rawValue)
    }

    private static func name(_ kind: SearchResult.Kind) -> Phrase {
        switch kind {
        case .account: Words.customer
        case .transaction: Words.transaction
        case .order: Phrase("Order", fr: "Commande", pt: "Pedido", zh: "訂單", de: "Bestellung")
        case .product: Words.product
        case .notification: Words.notification
        case .appAccountToken:
            Phrase(
                "App account token", fr: "Jeton de compte d’app", pt: "Token de conta do app", zh: "App 帳號代碼",
                de: "App-Account-Token")
        case .appTransaction:
            Phrase(
                "App transaction", fr: "Transaction d’app", pt: "Transação do app", zh: "App 交易", de: "App-Transaktion")
        }
    }
}

enum SearchPhrases {
    static let detail = Phrase("Detail", fr: "Détail", pt: "Detalhe", zh: "詳細資訊", de: "Einzelheit")
    static let nothing = Phrase(
        "Nothing is named “%1”. Search for a customer, a product, or the ID of a transaction, an order or a notification.",
        fr:
            "Rien ne se nomme « %1 ». Recherchez un client, un produit ou l’ID d’une transaction, d’une commande ou d’une notification.",
        pt:
            "Nada se chama “%1”. Busque um cliente, um produto ou o ID de uma transação, de um pedido ou de uma notificação.",
        zh: "找不到「%1」。請搜尋顧客、產品，或交易、訂單、通知的 ID。",
        de:
            "Nichts heißt „%1“. Suchen Sie einen Kunden, ein Produkt oder die ID einer Transaktion, Bestellung oder Mitteilung."
    )
}
