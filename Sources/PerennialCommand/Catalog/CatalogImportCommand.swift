import ArgumentParser
import Perennial
import PerennialConnect

extension CatalogCommand {
    struct Import: StoreCommand {
        static let configuration = CommandConfiguration(
            "import", "Import files into the catalog of a running store.",
            """
            Fields that changed in the files since their last import are applied; what was edited in the store stays. A field that
            both have changed refuses the import: --keep says which side holds. On a terminal the command asks. Nothing is done by
            half.
            """,
            examples: [
                "catalog import Examples/Magazine/catalog.yaml",
                "catalog import Examples/Magazine/catalog.yaml --keep store",
            ])

        @OptionGroup var files: CatalogFileArguments

        @Option(
            help: ArgumentHelp(
                "Which side wins where the files and the store have changed the same field: store or file.",
                valueName: "side"))
        var keep: CatalogPreference?

        @OptionGroup var store: OperatorOptions

        func validate() throws {
            guard !files.files.isEmpty else { throw ValidationError("Name a file to import.") }
        }

        func report(from client: StoreClient) async throws -> Report {
            let catalog = try files.loaded()
            for warning in catalog.warnings { Terminal.warn("\(warning)") }
            var request = try CatalogImportRequest(catalog, files.files, keep)
            if keep == nil, Terminal.isInteractive, !store.server.json {
                let preview = try await request.preview(client)
                let conflicts = preview.value.apps.flatMap(\.conflicts).map(\.text)
                if !conflicts.isEmpty {
                    Terminal.error("The files and the store have changed the same fields:")
                    Terminal.error(CatalogImportText.list(conflicts))
                    guard Terminal.confirms("Replace the store's values by those of the files?") else {
                        throw CommandError("Nothing was imported. --keep store imports the rest.")
                    }
                    request.keep = CatalogPreference.file.rawValue
                    // The answer is about the conflicts that were shown.
                    request.revision = preview.value.revision
                }
            }
            let answer = try await request.post(client)
            return answer.report { $0.text(whenEmpty: "The files change nothing") }
        }
    }

    struct Diff: StoreCommand {
        static let configuration = CommandConfiguration(
            "diff", "Compare files with the catalog of a running store, or an environment with its catalog.",
            """
            With files: what an import would change and refuse, and the products that only the store has. Without: where the environment differs from the
            catalog, by prices, sale or billing of its own. The exit code is 1 for differences.
            """,
            examples: [
                "catalog diff Examples/Magazine/catalog.yaml", "catalog diff --environment Sandbox",
            ])

        @OptionGroup var files: CatalogFileArguments
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: files.bundleID) }

        func report(from client: StoreClient) async throws -> Report {
            guard !files.files.isEmpty else { return try await overrides(client) }
            let request = try CatalogImportRequest(try files.loaded(), files.files, nil)
            let answer = try await request.preview(client)
            var report = answer.report {
                $0.text(whenEmpty: "The files and the store say the same", listsOthers: true)
            }
            report.succeeded = answer.value.isEmpty && answer.value.apps.allSatisfy { ($0.onlyInStore ?? []).isEmpty }
            return report
        }

        private func overrides(_ client: StoreClient) async throws -> Report {
            let apps = if let named = files.bundleID { [named] } else { try await client.bundleIDs() }
            var lines: [String] = []
            var json: [UInt8] = []
            for app in apps {
                let answer: StoreAnswer<Overrides> = try await client.get(
                    "control/v1/apps/\(app.percentEncoded)/catalog/overrides")
                lines += answer.value.overrides.map { "\(app): \($0.text)" }
                json += answer.report { _ in "" }.json + (json.isEmpty ? [] : [0x0A])
            }
            let environment = client.endpoint.environment.name
            let words = lines.isEmpty ? "\(environment) sells what the catalog says" : lines.joined(separator: "\n")
            return Report(words: words, json: json, succeeded: lines.isEmpty)
        }

        private struct Overrides: Decodable {
            struct Item: Decodable { var text: String }
            var overrides: [Item]
        }
    }
}

/// A request to control/v1/catalog/import.
private struct CatalogImportRequest: Encodable {
    var catalog: String
    var file: String?
    var storeKitApps: [String]?
    var keep: String?
    /// Revision of the preview that a person has seen.
    var revision: Int64?
    var preview: Bool?

    /// - Parameter files: The paths, which the catalog's journal names.
    init(_ catalog: Catalog, _ files: [String], _ keep: CatalogPreference?) throws {
        self.catalog = try catalog.document()
        self.keep = keep?.rawValue
        if !catalog.storeKitApps.isEmpty { storeKitApps = catalog.storeKitApps.map(\.rawValue).sorted() }
        file = String(files.joined(separator: ", ").filter { !$0.isNewline }.prefix(1_000))
    }

    func post(_ client: StoreClient) async throws -> StoreAnswer<CatalogImportAnswer> {
        try await client.at(.production).post("control/v1/catalog/import", self, timeout: StoreClient.advanceTimeout)
    }

    func preview(_ client: StoreClient) async throws -> StoreAnswer<CatalogImportAnswer> {
        var request = self
        request.preview = true
        return try await request.post(client)
    }
}

/// The answer of control/v1/catalog/import.
private struct CatalogImportAnswer: Decodable, Sendable {
    struct App: Decodable, Sendable {
        var bundleId: String
        var isNew: Bool
        var changes: [Item]
        var conflicts: [Item]
        var kept: [Item]
        var contradictions: [Item]
        var leftOut: [Item]
        /// Missing in the answers of earlier versions.
        var onlyInStore: [String]?
    }

    struct Item: Decodable, Sendable { var text: String }

    var isApplied: Bool
    var apps: [App]
    /// The revision of a preview.
    var revision: Int64?

    /// True if the store's catalog and the files say the same.
    var isEmpty: Bool {
        apps.allSatisfy { !$0.isNew && $0.changes.isEmpty && $0.conflicts.isEmpty && $0.contradictions.isEmpty }
    }

    /// - Parameter listsOthers: True to list the products that only the store has.
    func text(whenEmpty empty: String, listsOthers: Bool = false) -> String {
        let parts = apps.compactMap { app -> String? in
            let lines =
                (app.isNew ? ["new app"] : app.changes.map(\.text)) + app.conflicts.map { "conflict: \($0.text)" }
                + app.contradictions.map { "refused: \($0.text)" } + (app.kept + app.leftOut).map { "kept: \($0.text)" }
                + (listsOthers ? app.onlyInStore ?? [] : []).map { "only in the store: product \($0)" }
            return lines.isEmpty ? nil : "\(app.bundleId):\n" + lines.map { "  \($0)" }.joined(separator: "\n")
        }
        return parts.isEmpty ? empty : parts.joined(separator: "\n")
    }
}
