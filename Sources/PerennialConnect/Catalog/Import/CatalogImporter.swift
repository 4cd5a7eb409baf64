import AppStoreFormats
import BaseEncoding
import Perennial
import PerennialStorage

/// Imports files into the catalog, and keeps what was edited in the store since the last import.
package struct CatalogImporter: Sendable {
    private let editor: CatalogEditor
    private let randomBytes: @Sendable (Int) -> [UInt8]

    /// - Parameter randomBytes: A cryptographically secure source for the shared secrets of new apps.
    package init(editor: CatalogEditor, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.editor = editor
        self.randomBytes = randomBytes
    }

    /// Imports the apps of a catalog in one transaction.
    ///
    /// Each field that changed in the files since their last import is applied. Fields that were edited in the store stay.
    /// - Parameters:
    ///   - actor: The person or key that imports, for the catalog's journal.
    ///   - file: The name of the imported file, which the journal has beside the author; `nil` for an app without a file.
    ///   - preference: The side that wins where both have changed a field; `nil` to refuse the import.
    ///   - revision: The revision of a preview that the caller has seen, after which nothing may have changed; `nil` to import
    ///     in any case.
    /// - Throws: ``CatalogImportError`` with all conflicts and contradictions, ``CatalogError`` for merged products that
    ///   break a rule, ``CatalogEditError``. Then nothing is changed.
    package func `import`(
        _ catalog: Catalog, by actor: CatalogActor, from file: String? = nil,
        preferring preference: CatalogPreference? = nil, expecting revision: Int64? = nil
    ) async throws -> CatalogImportReport {
        RequestDeadline.liftCurrent()
        return try await editor.edit(by: actor) { [randomBytes] draft in
            draft.importedFile = file
            try draft.expect(catalogRevision: revision)
            let plans = try Self.plans(catalog, preference, from: draft)
            try CatalogImportError.check(plans)
            var report = CatalogImportReport(plans)
            for (plan, app) in zip(plans, catalog.apps) {
                try CatalogImportWriter(plan: plan, app: app, secret: { randomBytes(Apps.sharedSecretBytes) })
                    .write(to: draft, &report)
            }
            return report
        }
    }

    /// Returns what an import would change and what it would refuse, without a change.
    package func preview(
        _ catalog: Catalog, preferring preference: CatalogPreference? = nil
    ) async throws -> CatalogImportReport {
        try await editor.read { reader in
            var report = CatalogImportReport(try Self.plans(catalog, preference, from: reader))
            report.revision = try reader.revision()
            return report
        }
    }

    private static func plans(
        _ catalog: Catalog, _ preference: CatalogPreference?, from reader: CatalogReader
    ) throws -> [CatalogImportPlan] {
        try catalog.apps.map { try CatalogImportPlan($0, in: catalog, preferring: preference, from: reader) }
    }
}

/// The effect of an import, app by app.
package struct CatalogImportReport: Sendable {
    package struct App: Sendable {
        package var bundleID: Perennial.App.BundleID
        /// True for an app that the store didn't have.
        package var isNew: Bool
        package var changes: [CatalogDifference]
        /// The fields that stay as in the store although the files have changed them.
        package var kept: [CatalogConflict]
        /// The fields that both sides have changed. They refuse the import.
        package var conflicts: [CatalogConflict]
        /// The changes of sold products that the files would make. They refuse the import.
        package var contradictions: [CatalogContradiction]
        /// The changes for sold products that were left out, because the store is preferred.
        package var leftOut: [CatalogContradiction]
        /// The products that the store has, the files don't, and the import leaves alone.
        package var onlyInStore: [String]
    }

    package var apps: [App]
    /// The catalog's revision at the time of a preview; `nil` for an import.
    package var revision: Int64?
    /// The receivers of notifications that have changed. The caller sets them, because the store's notifications depend on
    /// them.
    package var notifications: [Perennial.App.BundleID: CatalogFile.Notifications] = [:]

    init(_ plans: [CatalogImportPlan]) {
        apps = plans.map { plan in
            let keepsStore = plan.merge.preference == .store
            return App(
                bundleID: plan.bundleID, isNew: plan.appleID == nil, changes: plan.changes, kept: plan.merge.kept,
                conflicts: plan.merge.conflicts, contradictions: keepsStore ? [] : plan.contradictions,
                leftOut: keepsStore ? plan.contradictions : [], onlyInStore: plan.onlyInStore)
        }
    }

    /// True if the import changes nothing and nothing stands against it.
    package var isEmpty: Bool {
        apps.allSatisfy { !$0.isNew && $0.changes.isEmpty && $0.conflicts.isEmpty && $0.contradictions.isEmpty }
    }
}

/// The refusal of an import.
package struct CatalogImportError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Reasons: Hashable, Sendable {
        package var conflicts: [CatalogConflict]
        package var contradictions: [CatalogContradiction]
    }

    package var apps: [App.BundleID: Reasons]

    static func check(_ plans: [CatalogImportPlan]) throws {
        var apps: [App.BundleID: Reasons] = [:]
        for plan in plans {
            let contradictions = plan.merge.preference == .store ? [] : plan.contradictions
            guard !plan.merge.conflicts.isEmpty || !contradictions.isEmpty else { continue }
            apps[plan.bundleID] = Reasons(conflicts: plan.merge.conflicts, contradictions: contradictions)
        }
        if !apps.isEmpty { throw CatalogImportError(apps: apps) }
    }

    package var description: String {
        var lines: [String] = []
        let sorted = apps.sorted { $0.key < $1.key }.map(\.value)
        let conflicts = sorted.flatMap(\.conflicts)
        if !conflicts.isEmpty {
            lines.append("the files and the store have changed the same fields since the last import:")
            lines += conflicts.map { "  \($0)" }
            lines.append("--keep store keeps the store's values, --keep file takes those of the files")
        }
        let contradictions = sorted.flatMap(\.contradictions)
        if !contradictions.isEmpty {
            lines.append("the files contradict what was sold:")
            lines += contradictions.map { "  \($0)" }
            lines.append("--keep store leaves these products as they are")
        }
        return lines.joined(separator: "\n")
    }
}
