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
            let isOfApp = result.bundleID.map(visible.contains)
            if [.product, .notification].contains(result.kind) { return isOfApp ?? false }
            return request.allows(.support) && (isOfApp ?? request.visitor.seesAllApps)
        }
        let rows = found.map { result in
            Table.Row([
                Cell(.data(result.id), path: path(result, request), isFixedWidth: true),
                Cell(.phrase(Self.name(result.kind))),
                Cell(.data(request.allows(.support) ? result.account ?? "" : "")),
                Cell(.data(result.detail ?? "")), Cell(.data(result.bundleID?.rawValue ?? "")),
            ])
        }
        let word = text.isEmpty ? "TEXT" : ShellWord.quoted(text)
        let field = Field("query", .phrase(Words.search), value: text, maximumLength: Search.maximumLength)
        let named = request.allows(.support) ? SearchPhrases.named : SearchPhrases.namedWithoutCustomers
        let nothing: Text =
            text.trimmed.isEmpty
            ? .phrase(named)
            : .joined([.phrase(SearchPhrases.nothing, .data(String(text.prefix(200)))), .data(" "), .phrase(named)])
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
                            text: nothing, same: request.sameHere("search \(word)", namesApp: true)))),
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

extension EmptyState {
    /// The state of a list whose filters admit nothing: what was not found, what to try, and the list without them.
    ///
    /// - Parameter path: Of the list without filters.
    static func noneMatch(_ text: Text, clearedAt path: String) -> EmptyState {
        EmptyState(
            text: .joined([text, .data(" "), .phrase(SearchPhrases.noneMatch)]),
            action: .link(Link(.phrase(SearchPhrases.clear), path)))
    }
}

enum SearchPhrases {
    static let detail = Phrase("Detail", fr: "Détail", pt: "Detalhe", zh: "詳細資訊", de: "Einzelheit")
    static let nothing = Phrase(
        "Nothing here is named “%1”.", fr: "Rien ne se nomme « %1 » ici.", pt: "Nada aqui se chama “%1”.",
        zh: "此處找不到「%1」。", de: "Nichts heißt hier „%1“.")
    static let named = Phrase(
        "Search for the beginning of a customer’s name, a part of a product ID, or the whole ID of a transaction, an order or a notification, in the app and environment that the bar shows.",
        fr:
            "Recherchez le début du nom d’un client, une partie d’un ID de produit ou l’ID entier d’une transaction, d’une commande ou d’une notification, dans l’app et l’environnement que la barre indique.",
        pt:
            "Busque o início do nome de um cliente, uma parte do ID de um produto ou o ID completo de uma transação, de um pedido ou de uma notificação, no app e no ambiente que a barra mostra.",
        zh: "請搜尋顧客名稱的開頭、產品 ID 的一部分，或交易、訂單、通知的完整 ID；範圍為上方列所示的 App 與環境。",
        de:
            "Suchen Sie den Anfang eines Kundennamens, einen Teil einer Produkt-ID oder die ganze ID einer Transaktion, Bestellung oder Mitteilung, in der App und Umgebung, die die Leiste zeigt."
    )
    static let namedWithoutCustomers = Phrase(
        "Search for a part of a product ID, or the whole ID of a notification. Your role finds no customers and no transactions.",
        fr:
            "Recherchez une partie d’un ID de produit ou l’ID entier d’une notification. Votre rôle ne trouve ni clients ni transactions.",
        pt:
            "Busque uma parte do ID de um produto ou o ID completo de uma notificação. Sua função não encontra clientes nem transações.",
        zh: "請搜尋產品 ID 的一部分，或通知的完整 ID。你的職務無法搜尋顧客與交易。",
        de:
            "Suchen Sie einen Teil einer Produkt-ID oder die ganze ID einer Mitteilung. Ihre Funktion findet weder Kunden noch Transaktionen."
    )
    static let noneMatch = Phrase(
        "Check the spelling: names and IDs are compared letter by letter. Or take a filter away.",
        fr: "Vérifiez l’orthographe : noms et ID sont comparés lettre par lettre. Ou retirez un filtre.",
        pt: "Confira a grafia: nomes e IDs são comparados letra por letra. Ou remova um filtro.",
        zh: "請檢查拼字：名稱與 ID 須逐字相符。或移除篩選條件。",
        de:
            "Prüfen Sie die Schreibweise: Namen und IDs werden Buchstabe für Buchstabe verglichen. Oder entfernen Sie einen Filter."
    )
    static let clear = Phrase(
        "Clear the filters", fr: "Effacer les filtres", pt: "Limpar os filtros", zh: "清除篩選條件",
        de: "Filter entfernen")
}
