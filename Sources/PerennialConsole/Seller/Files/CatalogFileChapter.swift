import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStore

/// The catalog as files: export, import with a preview, and what the environment sells differently.
struct CatalogFileChapter: ConsoleChapter {
    /// The largest catalog in a form.
    private static let maximumLength = 16 << 20
    private static let fileField = "file"
    /// The most differences of an app on the page.
    private static let shownDifferences = 500

    func add(to routes: ConsoleRoutes) {
        routes.page("catalog", .view) { try await page($0, .new) }
        routes.file("catalog/yaml", .view) { try await yaml($0) }
        routes.file("catalog/storekit", .view) { try await storeKit($0) }
        routes.form("catalog/compare", .view, maximumLength: Self.maximumLength) { try await compare($0) }
        routes.form("catalog/import", .editCatalog, maximumLength: Self.maximumLength) { try await apply($0) }
    }

    private func page(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let (bundleID, environment) = (try request.bundleID(), request.environment)
        let overrides = try await request.services.catalog.read { reader in
            try reader.overrides(of: try reader.found(bundleID), in: environment)
        }
        let export = "control/v1/catalog/export?bundleId=\(bundleID)"
        let form = state.form(
            request.path("catalog/compare"), submit: FilePhrases.compare, sendsFiles: true,
            same: SameCommand(
                "catalog diff catalog.yaml",
                .init("POST", "control/v1/catalog/import", #"{"preview":true}"#, isGlobal: true)),
            [
                state.field(
                    Self.fileField, SellerPhrases.file, .file(accepting: ".yaml,.yml,.storekit"),
                    hint: .phrase(FilePhrases.compareHint), isRequired: true)
            ])
        return Page(
            .phrase(FilePhrases.files), .products, trail: [Link(.phrase(Words.products), request.path("products"))],
            [
                .section(
                    .phrase(FilePhrases.export), id: "export",
                    [
                        .actions([
                            .download(Link(.phrase(FilePhrases.yaml), request.path("catalog/yaml"))),
                            .download(Link(.phrase(FilePhrases.storeKit), request.path("catalog/storekit"))),
                        ]),
                        .paragraph(.phrase(FilePhrases.exportMeaning)),
                        .same(
                            SameCommand(
                                "catalog export --app \(bundleID) --output catalog.yaml",
                                .init("GET", export, isGlobal: true))),
                    ]),
                .section(.phrase(FilePhrases.compare), id: "import", [.form(form)]),
                .section(
                    .phrase(FilePhrases.overrides), id: "overrides",
                    overrides.isEmpty
                        ? [.empty(EmptyState(text: .phrase(FilePhrases.noOverrides)))]
                        : [.table(DifferenceTable.make(FilePhrases.overrides, overrides))]),
            ])
    }

    // MARK: - Export

    private func yaml(_ request: PageRequest) async throws -> ConsoleFile {
        let (bundleID, document) = try await export(request)
        return ConsoleFile(name: "\(bundleID).yaml", contentType: "application/yaml", bytes: Array(document.utf8))
    }

    private func storeKit(_ request: PageRequest) async throws -> ConsoleFile {
        let (bundleID, document) = try await export(request)
        let name = "\(bundleID).storekit"
        let (text, _) = try Catalog(document: document.utf8, name: bundleID.rawValue).storeKitFile(
            of: bundleID, path: name)
        return ConsoleFile(name: name, contentType: "application/json", bytes: Array(text.utf8))
    }

    private func export(_ request: PageRequest) async throws -> (App.BundleID, String) {
        let bundleID = try request.bundleID()
        let document = try await request.services.catalog.read { reader in
            _ = try reader.found(bundleID)
            return try reader.export(bundleID).first?.document ?? ""
        }
        return (bundleID, document)
    }

    // MARK: - Import

    private func compare(_ request: FormRequest) async throws -> FormAnswer {
        let page = request.page
        let bundleID = try page.bundleID()
        return try await request.perform(again: self.page) {
            guard let file = request.values.files[Self.fileField], !file.bytes.isEmpty else {
                throw Refusal(Self.fileField, RefusalPhrases.file)
            }
            let (app, free) = try await page.services.catalog.read { reader in
                let app = try reader.found(bundleID)
                let renewing = try reader.products(try reader.productIDs(app: app.appleID, renewing: true))
                return (app, renewing.filter { $0.product.type == .free })
            }
            do {
                let catalog = try Catalog(file: file.bytes, name: file.name, of: app, keeping: free)
                let report = try await importer(page).preview(catalog)
                return .page(preview(report, try catalog.document(), file.name, catalog.warnings, page, nil))
            } catch let error as CatalogError {
                throw Refusal(Self.fileField, try RefusalText.refusal(error))
            }
        }
    }

    private func importer(_ request: PageRequest) -> CatalogImporter {
        CatalogImporter(editor: request.services.catalog, randomBytes: request.services.randomBytes)
    }

    private func preview(
        _ report: CatalogImportReport, _ document: String, _ name: String, _ warnings: [CatalogWarning],
        _ request: PageRequest, _ refusal: Refusal?
    ) -> Page {
        var blocks: [Block] = warnings.map { .notice(Notice(status: .warning, text: RefusalText.text(of: $0))) }
        for app in report.apps { blocks += ImportReport.blocks(app, limit: Self.shownDifferences) }
        let hasConflicts = report.apps.contains { !$0.conflicts.isEmpty || !$0.contradictions.isEmpty }
        if report.isEmpty {
            blocks.append(.notice(Notice(status: .good, text: .phrase(FilePhrases.nothing))))
        } else if request.canEdit {
            let keep = FormState.new.field(
                "keep", FilePhrases.keep,
                .choice([
                    Field.Option(CatalogPreference.store.rawValue, .phrase(FilePhrases.keepStore)),
                    Field.Option(CatalogPreference.file.rawValue, .phrase(FilePhrases.keepFile)),
                ]))
            var form = FormState(nil, refusal).form(
                request.path("catalog/import"), submit: FilePhrases.apply,
                same: SameCommand(
                    "catalog import \(shellQuoted(name))", .init("POST", "control/v1/catalog/import", isGlobal: true)),
                [
                    .hidden("catalog", document), .hidden("name", name),
                    .hidden("revision", report.revision.map(String.init) ?? ""),
                ] + (hasConflicts ? [keep] : []))
            form.error = refusal?.text
            blocks.insert(.form(form), at: 0)
        }
        return Page(
            .data(name), .products, trail: [Link(.phrase(FilePhrases.files), request.path("catalog"))],
            status: FormState(nil, refusal).status, blocks)
    }

    private static func text(of error: CatalogImportError) -> Phrase {
        error.apps.values.contains { !$0.conflicts.isEmpty } ? FilePhrases.conflicts : FilePhrases.contradictions
    }

    private func apply(_ request: FormRequest) async throws -> FormAnswer {
        let (page, values) = (request.page, request.values)
        let (document, name) = (values["catalog"], values["name"])
        do {
            let keep = try values.choice("keep", CatalogPreference.self)
            var catalog = try Catalog(document: document.utf8, name: name)
            if Catalog.isStoreKitFile(named: name) { catalog.storeKitApps = Set(catalog.apps.map(\.bundleID)) }
            do {
                let report = try await importer(page).import(
                    catalog, by: page.catalogActor, from: name, preferring: keep,
                    // The choice for the file is about the conflicts that were shown.
                    expecting: keep == .file ? values.revision : nil)
                try await page.services.registry.redirect(report.notifications)
            } catch let error as CatalogEditError where error.code == .changedMeanwhile {
                var refusal = Refusal.conflict
                refusal.text = .phrase(RefusalPhrases.changedBeforeAction)
                let report = try await importer(page).preview(catalog)
                return .page(preview(report, document, name, [], page, refusal))
            } catch let error as CatalogImportError {
                let report = try await importer(page).preview(catalog)
                return .page(preview(report, document, name, [], page, Refusal(nil, Self.text(of: error))))
            }
            return .redirect(page.path("products"), .phrase(FilePhrases.applied))
        } catch let error as CatalogError {
            let state = FormState(values, Refusal(Self.fileField, try RefusalText.refusal(error)))
            var again = try await self.page(page, state)
            again.status = state.status
            return .page(again)
        }
    }
}
