import Perennial
import PerennialConnect

/// The audit log: actions through the console, sign-ins and refusals.
struct AuditChapter: ConsoleChapter {
    private static let pageSize = 50

    func add(to routes: ConsoleRoutes) {
        routes.page("audit", .administer) { try await page($0) }
    }

    private func page(_ request: PageRequest) async throws -> Page {
        let place = Self.place(request.query["before"] ?? "")
        let audit = ConsoleAudit(
            database: request.services.catalog.database, wallClock: request.services.wallClock,
            randomBytes: request.services.randomBytes)
        let entries = try await audit.entries(before: place, limit: Self.pageSize + 1)
        let rows = entries.prefix(Self.pageSize).map { entry in
            Table.Row([
                Cell(.exact(entry.at)), Cell(.data(entry.actor)), Cell(.data(entry.action)),
                .id(entry.path), Cell(.data(entry.address), isFixedWidth: true),
                Cell(.phrase(Self.name(entry.outcome)), status: Self.status(entry.outcome)),
            ])
        }
        let last = entries.count > Self.pageSize ? entries[Self.pageSize - 1] : nil
        return Page(
            .phrase(HealthPhrases.audit), .health,
            trail: [Link(.phrase(HealthPhrases.title), request.path("health"))],
            [
                .paragraph(.phrase(AuditPhrases.about)),
                .table(
                    Table(
                        caption: .phrase(HealthPhrases.audit),
                        columns: [
                            .init(.phrase(Words.time), .leading, .primary),
                            .init(.phrase(AuditPhrases.actor), .leading, .primary),
                            .init(.phrase(AuditPhrases.action)), .init(.phrase(AuditPhrases.path)),
                            .init(.phrase(AuditPhrases.address), .leading, .wideOnly),
                            .init(.phrase(AuditPhrases.outcome)),
                        ], rows: Array(rows),
                        next: last.map { request.path("audit", ["before": "\($0.at.milliseconds)-\($0.id)"]) },
                        first: place == nil ? nil : request.path("audit"),
                        empty: EmptyState(text: .phrase(AuditPhrases.empty)))),
            ])
    }

    private static func place(_ text: String) -> (at: Instant, id: String)? {
        let parts = text.split(separator: "-")
        guard parts.count == 2, let milliseconds = Int64(parts[0]) else { return nil }
        return (Instant(milliseconds: milliseconds), String(parts[1]))
    }

    private static func name(_ outcome: AuditEntry.Outcome) -> Phrase {
        switch outcome {
        case .done: Phrase("done", fr: "fait", pt: "feito", zh: "完成", de: "getan")
        case .refused: Phrase("refused", fr: "refusé", pt: "recusado", zh: "遭拒", de: "abgelehnt")
        case .denied: Phrase("denied", fr: "interdit", pt: "negado", zh: "無權限", de: "verweigert")
        case .failed: Phrase("failed", fr: "échoué", pt: "falhou", zh: "失敗", de: "gescheitert")
        }
    }

    private static func status(_ outcome: AuditEntry.Outcome) -> Status {
        switch outcome {
        case .done: .good
        case .refused: .neutral
        case .denied: .warning
        case .failed: .bad
        }
    }
}

enum AuditPhrases {
    static let about = Phrase(
        "What was done through the console, by whom and from where; kept for 400 days, at most 100,000 entries.",
        fr: "Ce qui a été fait dans la console, par qui et d’où ; conservé 400 jours, 100 000 entrées au plus.",
        pt: "O que foi feito no console, por quem e de onde; guardado por 400 dias, no máximo 100.000 entradas.",
        zh: "透過主控台進行的操作、操作者與來源；保留 400 天，最多 100,000 筆。",
        de: "Was über die Konsole getan wurde, von wem und von wo; 400 Tage lang, höchstens 100.000 Einträge.")
    static let actor = Phrase("Who", fr: "Qui", pt: "Quem", zh: "操作者", de: "Wer")
    static let action = Phrase("What", fr: "Quoi", pt: "O quê", zh: "操作", de: "Was")
    static let path = Phrase("Path", fr: "Chemin", pt: "Caminho", zh: "路徑", de: "Pfad")
    static let address = Phrase("From", fr: "Depuis", pt: "De", zh: "來源", de: "Von")
    static let outcome = Phrase("Outcome", fr: "Résultat", pt: "Resultado", zh: "結果", de: "Ergebnis")
    static let empty = Phrase(
        "Nothing yet.", fr: "Rien pour l’instant.", pt: "Nada ainda.", zh: "尚無記錄。", de: "Noch nichts.")
}
