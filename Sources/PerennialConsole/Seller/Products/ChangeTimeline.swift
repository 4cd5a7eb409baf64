import Perennial
import PerennialConnect
import PerennialHTTP

/// The catalog's journal on a page: what was changed, and who did it.
enum ChangeTimeline {
    static func blocks(_ changes: [CatalogChange], showsNames: Bool = false) -> [Block] {
        guard !changes.isEmpty else { return [.empty(EmptyState(text: .phrase(HistoryPhrases.empty)))] }
        return [.timeline(changes.map { entry($0, showsNames: showsNames) })]
    }

    private static func entry(_ change: CatalogChange, showsNames: Bool) -> TimelineEntry {
        let phrase =
            switch change.kind {
            case .created: HistoryPhrases.created
            case .changed: HistoryPhrases.changed
            case .deleted: HistoryPhrases.deleted
            }
        let fields = change.fields.prefix(3).map { Text.data($0.name) }
        var text = Text.phrase(phrase, showsNames ? .data(change.name) : .none, author(change.actor))
        if let file = change.importedFile {
            text = .joined([text, .data(" ("), .phrase(HistoryPhrases.file, .data(file)), .data(")")])
        }
        return TimelineEntry(
            time: change.at, text: fields.isEmpty ? text : .joined([text, .data(": "), .list(fields)]),
            status: change.kind == .deleted ? .warning : .neutral,
            details: change.fields.isEmpty ? [] : [.table(table(change.fields))])
    }

    private static func table(_ fields: [CatalogChange.Field]) -> Table {
        Table(
            caption: .phrase(HistoryPhrases.fields),
            columns: [
                Table.Column(.phrase(HistoryPhrases.field), .leading, .primary),
                Table.Column(.phrase(HistoryPhrases.before)), Table.Column(.phrase(HistoryPhrases.after)),
            ],
            rows: fields.map {
                Table.Row([
                    Cell(.data($0.name), isFixedWidth: true), Cell(.data($0.before ?? "")), Cell(.data($0.after ?? "")),
                ])
            })
    }

    /// Returns an author in words.
    static func author(_ actor: CatalogActor) -> Text {
        switch actor {
        case .key(let id): .phrase(HistoryPhrases.key, .data(id))
        case .user(let name), .commandLine(let name): .data(name)
        case .control: .phrase(HistoryPhrases.control)
        case .file(let path): .phrase(HistoryPhrases.file, .data(path))
        }
    }
}

/// The history of a product, and that of the whole app.
struct HistoryChapter: ConsoleChapter {
    private static let pageSize = 50

    func add(to routes: ConsoleRoutes) {
        routes.page("products/:product/history", .view) { try await product($0) }
        routes.page("catalog/history", .view) { try await app($0) }
    }

    private func product(_ request: PageRequest) async throws -> Page {
        let found = try await request.foundProduct()
        let before = request.query["before"].flatMap { Int64($0) }
        let changes = try await request.services.catalog.read {
            try $0.latestChanges(
                of: .product, "\(found.product.appleID)", app: found.app.appleID, before: before,
                limit: Self.pageSize + 1)
        }
        return Page(
            .phrase(ProductPhrases.history), .products, trail: request.productTrail(found),
            blocks(changes, false) { request.productPath("history", ["before": $0]) })
    }

    private func app(_ request: PageRequest) async throws -> Page {
        let (bundleID, before) = (try request.bundleID(), request.query["before"].flatMap { Int64($0) })
        let changes = try await request.services.catalog.read { reader in
            let app = try reader.found(bundleID).appleID
            return try reader.latestChanges(app: app, before: before, limit: Self.pageSize + 1)
        }
        return Page(
            .phrase(ProductPhrases.history), .products,
            trail: [Link(.phrase(Words.products), request.path("products"))],
            blocks(changes, true) { request.path("catalog/history", ["before": $0]) }
                + [.same(SameCommand("catalog changes list", .init("GET", "control/v1/catalog/changes")))])
    }

    private func blocks(
        _ changes: [CatalogChange], _ showsNames: Bool, next: (String) -> String
    ) -> [Block] {
        let shown = Array(changes.prefix(Self.pageSize))
        let more = changes.count > shown.count ? shown.last : nil
        return ChangeTimeline.blocks(shown, showsNames: showsNames)
            + (more.map { [.links([Link(.phrase(HistoryPhrases.earlier), next("\($0.position)"))])] } ?? [])
    }
}

/// Texts of the history.
private enum HistoryPhrases {
    static let empty = Phrase(
        "No changes yet.", fr: "Aucune modification.", pt: "Ainda não há alterações.", zh: "尚無更動。",
        de: "Noch keine Änderungen.")
    static let created = Phrase(
        "%1 created by %2", fr: "%1 créé par %2", pt: "%1 criado por %2", zh: "%1 由 %2 建立", de: "%1 angelegt von %2")
    static let changed = Phrase(
        "%1 changed by %2", fr: "%1 modifié par %2", pt: "%1 alterado por %2", zh: "%1 由 %2 更改",
        de: "%1 geändert von %2")
    static let deleted = Phrase(
        "%1 deleted by %2", fr: "%1 supprimé par %2", pt: "%1 excluído por %2", zh: "%1 由 %2 刪除",
        de: "%1 gelöscht von %2")
    static let key = Phrase("key %1", fr: "la clé %1", pt: "chave %1", zh: "金鑰 %1", de: "Schlüssel %1")
    static let control = Phrase(
        "control API", fr: "l’API de contrôle", pt: "API de controle", zh: "控制 API", de: "Steuer-API")
    static let file = Phrase("file %1", fr: "le fichier %1", pt: "arquivo %1", zh: "檔案 %1", de: "Datei %1")
    static let fields = Phrase(
        "Changed fields", fr: "Champs modifiés", pt: "Campos alterados", zh: "更動的欄位", de: "Geänderte Felder")
    static let field = Phrase("Field", fr: "Champ", pt: "Campo", zh: "欄位", de: "Feld")
    static let before = Phrase("Before", fr: "Avant", pt: "Antes", zh: "更改前", de: "Vorher")
    static let after = Phrase("After", fr: "Après", pt: "Depois", zh: "更改後", de: "Nachher")
    static let earlier = Phrase(
        "Earlier changes", fr: "Modifications antérieures", pt: "Alterações anteriores", zh: "較早的更動",
        de: "Frühere Änderungen")
}
