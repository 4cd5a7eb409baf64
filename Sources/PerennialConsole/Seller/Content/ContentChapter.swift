import Hummingbird
import NIOCore
import Perennial
import PerennialConnect
import PerennialDelivery
import PerennialHTTP

/// The files that the seller's server delivers for a product.
struct ContentChapter: ConsoleChapter {
    /// The largest file of a form, which is held in memory; a script streams larger ones.
    private static let formLength = 64 << 20
    private static let uploadLength = 16 << 30
    private static let fileField = "file"

    func add(to routes: ConsoleRoutes) {
        routes.page("products/:product/content", .view) { try await page($0, .new) }
        routes.form("products/:product/content", .editCatalog, maximumLength: Self.formLength) { try await send($0) }
        routes.upload("products/:product/content", .editCatalog, maximumLength: Self.uploadLength) {
            try await upload($0, $1)
        }
        routes.form("products/:product/content/use", .editCatalog) { try await use($0) }
        routes.form("products/:product/content/remove", .editCatalog) { try await remove($0) }
    }

    private func content(_ request: PageRequest) -> ProductContent {
        ProductContent(editor: request.services.catalog, delivery: request.services.delivery)
    }

    private func page(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let found = try await request.foundProduct()
        let versions = found.product.listing.content?.versions ?? []
        var blocks: [Block] = [.paragraph(.phrase(ContentPhrases.meaning))]
        if !content(request).hasServer {
            blocks.append(
                .notice(
                    Notice(
                        status: .warning, text: .phrase(ContentPhrases.noServer),
                        advice: .phrase(ContentPhrases.startServer))))
        }
        blocks.append(.table(table(versions, found, request)))
        if request.canEdit, content(request).hasServer { blocks.append(.form(form(versions, found, state, request))) }
        return Page(.phrase(ProductPhrases.content), .products, trail: request.productTrail(found), blocks)
    }

    private func table(
        _ versions: [ContentListing.Version], _ found: FoundProduct, _ request: PageRequest
    ) -> Table {
        let used = versions.last?.version
        return Table(
            caption: .phrase(ProductPhrases.content),
            columns: [
                Table.Column(.phrase(SellerPhrases.version), .leading, .primary),
                Table.Column(.phrase(SellerPhrases.file), .leading, .primary),
                Table.Column(.phrase(ContentPhrases.size), .trailing),
                Table.Column(.phrase(ContentPhrases.digest), .leading, .wideOnly), Table.Column(.phrase(Words.status)),
            ],
            rows: versions.reversed().map { version in
                let isUsed = version.version == used
                return Table.Row(
                    [
                        Cell(.data(version.version)), Cell(.data(version.fileName)), Cell(.number(version.size)),
                        Cell(.data(version.sha256), isFixedWidth: true),
                        Cell(
                            .phrase(isUsed ? ContentPhrases.used : ContentPhrases.kept),
                            status: isUsed ? .good : .neutral),
                    ], actions: request.canEdit ? actions(version.version, isUsed: isUsed, found, request) : [])
            }, empty: EmptyState(text: .phrase(ContentPhrases.none)))
    }

    private func actions(
        _ version: String, isUsed: Bool, _ found: FoundProduct, _ request: PageRequest
    ) -> [Action] {
        func action(_ title: Phrase, _ verb: String, isDangerous: Bool) -> Action {
            .post(
                .phrase(title), path: request.productPath("content/\(verb)"), fields: ["version": version],
                isDangerous: isDangerous,
                same: request.same(
                    "products content \(verb == "remove" ? "delete" : verb) \(found.id) \(version)",
                    call: "content/\(verb)", body: #"{"version":"\#(version)"}"#))
        }
        let remove = action(SellerPhrases.remove, "remove", isDangerous: true)
        return isUsed ? [remove] : [action(ContentPhrases.use, "use", isDangerous: false), remove]
    }

    private func form(
        _ versions: [ContentListing.Version], _ found: FoundProduct, _ state: FormState, _ request: PageRequest
    ) -> Form {
        var form = state.form(
            request.productPath("content"), submit: SellerPhrases.upload, sendsFiles: true,
            same: request.same(
                "products content upload \(found.id) filters.zip --content-version 1.1", "PUT",
                call: "content?version=1.1&fileName=filters.zip"),
            [
                state.field(
                    "version", SellerPhrases.version, .text, versions.isEmpty ? "1.0" : "", isRequired: true,
                    maximumLength: ProductValidation.maximumIdentifierLength),
                state.field(
                    Self.fileField, SellerPhrases.file, .file(accepting: ""), hint: .phrase(ContentPhrases.fileHint),
                    isRequired: true),
            ])
        form.uploadPath = request.productPath("content")
        return form
    }

    // MARK: - Actions

    private func send(_ request: FormRequest) async throws -> FormAnswer {
        let page = request.page
        return try await request.perform(again: self.page, fields: ["fileName": Self.fileField]) {
            guard let file = request.values.files[Self.fileField], !file.name.isEmpty else {
                throw Refusal(Self.fileField, RefusalPhrases.file)
            }
            let chunks = AsyncStream<[UInt8]> { continuation in
                continuation.yield(file.bytes)
                continuation.finish()
            }
            return try await add(chunks, request.values["version"], file.name, page)
        }
    }

    private func upload(_ request: PageRequest, _ body: RequestBody) async throws -> FormAnswer {
        let values = FormValues(request.query.mapValues { [$0] })
        return try await FormRequest(page: request, values: values).perform(
            again: page, fields: ["fileName": Self.fileField]
        ) {
            try await add(
                body.map { Array($0.readableBytesView) }, values["version"], request.query["name"] ?? "", request)
        }
    }

    private func add<Chunks: AsyncSequence>(
        _ chunks: Chunks, _ version: String, _ name: String, _ request: PageRequest
    ) async throws -> FormAnswer where Chunks.Element: Sequence<UInt8> {
        do {
            _ = try await content(request).add(
                chunks, version: version, fileName: name, to: request.productID, of: try request.bundleID(),
                by: request.catalogActor)
        } catch is ProductContent.NoServer {
            throw Refusal(nil, ContentPhrases.noServer)
        } catch let error as DeliveryError {
            throw Refusal(Self.fileField, RefusalText.text(error.reason, otherwise: error.code.phrase))
        }
        return .redirect(request.productPath("content"), .phrase(SellerPhrases.uploaded))
    }

    private func use(_ request: FormRequest) async throws -> FormAnswer {
        let page = request.page
        _ = try await content(page).use(
            request.values["version"], of: page.productID, of: try page.bundleID(), by: page.catalogActor)
        return .redirect(page.productPath("content"), .phrase(SellerPhrases.saved))
    }

    private func remove(_ request: FormRequest) async throws -> FormAnswer {
        let page = request.page
        _ = try await content(page).remove(
            request.values["version"], of: page.productID, of: try page.bundleID(), by: page.catalogActor)
        return .redirect(page.productPath("content"), .phrase(SellerPhrases.removed))
    }
}
