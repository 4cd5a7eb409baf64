import Perennial
import PerennialConnect

/// A product's review: notes, screenshot, submission.
struct ReviewChapter: ConsoleChapter {
    private static let fileField = "file"
    /// The length of the form beside the file: names of fields and boundaries.
    private static let formLength = 65_536

    func add(to routes: ConsoleRoutes) {
        let limit = Int(ListingAsset.maximumSize) + Self.formLength
        routes.page("products/:product/review", .view) { try await page($0) }
        routes.form("products/:product/review/note", .editCatalog) { try await setNote($0) }
        routes.form("products/:product/review/screenshot", .editCatalog, maximumLength: limit) {
            try await putScreenshot($0)
        }
        routes.file("products/:product/review/screenshot", .view) { try await screenshot($0) }
        routes.form("products/:product/review/submit", .editCatalog) { try await submit($0) }
        routes.form("products/:product/review/withdraw", .editCatalog) { try await withdraw($0) }
        routes.form("products/:product/review/removal", .administer) { try await remove($0) }
    }

    /// The button that submits the product.
    static func submit(_ product: CatalogProduct, _ request: PageRequest) -> Action {
        .post(
            .phrase(ReviewPhrases.submit), path: request.productPath("review/submit"), fields: product.fields(),
            same: request.same("products submit \(request.productID)", call: "submit"))
    }

    /// The operator's button that removes an approved product from sale, or puts it back.
    static func removal(_ product: CatalogProduct, _ request: PageRequest) -> Action {
        let isRemoved = product.product.state == .removedFromSale
        return .post(
            .phrase(isRemoved ? ReviewPhrases.restore : ReviewPhrases.remove),
            path: request.productPath("review/removal"), fields: product.fields(["removed": isRemoved ? "" : "on"]),
            isDangerous: !isRemoved,
            same: request.same(
                "reviews \(isRemoved ? "restore" : "remove") \(product.id)", call: "removal",
                body: #"{"removed":\#(!isRemoved)}"#))
    }

    /// The parts of the page that a refusal may belong to.
    private enum Part { case note, screenshot, submission }

    private func page(_ request: PageRequest) async throws -> Page { try await page(request, .new, of: .submission) }

    /// - Parameters:
    ///   - state: Of the form that was sent; the others show the stored values.
    ///   - part: The part that was sent.
    private func page(_ request: PageRequest, _ state: FormState, of part: Part) async throws -> Page {
        let found = try await request.foundProduct()
        let (product, listing) = (found.product, found.product.listing)
        // The refusal of a submission belongs to none of the forms.
        let notice = state.refusal.flatMap { part == .submission ? Notice(status: .bad, text: $0.text) : nil }
        let note = part == .note ? state : .new
        var blocks: [Block] = (notice.map { [.notice($0)] } ?? []) + [.facts(facts(product, request))]
        if request.canEdit {
            blocks.append(.actions(actions(product, request)))
            blocks.append(
                .form(
                    note.form(
                        request.productPath("review/note"), submit: Words.save,
                        same: request.same("products edit \(found.id) --review-note Text"),
                        [
                            product.revisionField,
                            note.field(
                                "reviewNote", ProductPhrases.reviewNote, .multiline(rows: 6), listing.reviewNote ?? "",
                                maximumLength: ListingLimits.reviewNote.upperBound),
                        ])))
            blocks.append(.form(upload(part == .screenshot ? state : .new, found, request)))
        }
        return Page(.phrase(ReviewPhrases.review), .products, trail: request.productTrail(found), blocks)
    }

    private func upload(_ state: FormState, _ found: FoundProduct, _ request: PageRequest) -> Form {
        state.form(
            request.productPath("review/screenshot"), submit: SellerPhrases.upload, sendsFiles: true,
            same: request.same(
                "products screenshot upload \(found.id) screen.png", "PUT", call: "screenshot?fileName=screen.png"),
            [
                found.product.revisionField,
                state.field(
                    Self.fileField, ProductPhrases.screenshot, .file(accepting: "image/png,image/jpeg"),
                    hint: .phrase(ReviewPhrases.screenshotHint), isRequired: true),
            ])
    }

    private func facts(_ product: CatalogProduct, _ request: PageRequest) -> [Fact] {
        let (state, listing) = (product.listingState, product.listing)
        var facts = [
            Fact(.phrase(Words.status), Cell(.phrase(state.phrase), status: state.status)),
            Fact(.phrase(SellerPhrases.version), Cell(.phrase(product.currentVersion.state.phrase))),
        ]
        if let reason = listing.rejectionReason {
            facts.append(Fact(.phrase(ProductPhrases.rejection), Cell(.data(reason), status: .bad)))
        }
        if !product.missingMetadata.isEmpty {
            let missing = product.missingMetadata.map { Text.phrase($0.phrase) }
            facts.append(Fact(.phrase(ReviewPhrases.missing), Cell(.list(missing), status: .warning)))
        }
        if let screenshot = listing.screenshot {
            let size = "\(screenshot.fileName), \(screenshot.width ?? 0) × \(screenshot.height ?? 0)"
            facts.append(
                Fact(
                    .phrase(ProductPhrases.screenshot),
                    Cell(.data(size), path: request.productPath("review/screenshot"))))
        }
        return facts
    }

    private func actions(_ product: CatalogProduct, _ request: PageRequest) -> [Action] {
        switch product.currentVersion.state {
        case .prepareForSubmission, .rejected, .developerRejected: [Self.submit(product, request)]
        case .readyForReview, .waitingForReview, .inReview, .accepted:
            [
                .post(
                    .phrase(ReviewPhrases.withdraw), path: request.productPath("review/withdraw"), isDangerous: true,
                    same: request.same("products withdraw \(product.id)", call: "withdraw"))
            ]
        case .approved, .replacedWithNewVersion: []
        }
    }

    // MARK: - Actions

    private func setNote(_ request: FormRequest) async throws -> FormAnswer {
        let note = request.values["reviewNote"]
        return try await request.perform(again: { try await page($0, $1, of: .note) }) {
            try await request.editProduct { try $0.setReviewNote(note) }
            return .redirect(request.page.productPath("review"), .phrase(SellerPhrases.saved))
        }
    }

    private func putScreenshot(_ request: FormRequest) async throws -> FormAnswer {
        let page = request.page
        let (found, revision) = (try await page.foundProduct(), request.values.revision)
        return try await request.perform(
            again: { try await self.page($0, $1, of: .screenshot) }, conflict: RefusalPhrases.changedBeforeAction
        ) {
            guard let file = request.values.files[Self.fileField], !file.bytes.isEmpty else {
                throw Refusal(Self.fileField, RefusalPhrases.file)
            }
            do {
                try await page.services.catalog.edit(by: page.catalogActor) { draft in
                    try draft.expect(revision, of: found.product.appleID)
                    let product = try draft.product(found.product.appleID)
                    if let known = product?.listing.screenshot { try draft.deleteAsset(known.id) }
                    _ = try draft.putScreenshot(of: found.product.appleID, fileName: file.name, file.bytes)
                }
            } catch let error as CatalogEditError where error.code == .invalid {
                throw Refusal(Self.fileField, RefusalText.reasons(of: error))
            }
            return .redirect(page.productPath("review"), .phrase(SellerPhrases.uploaded))
        }
    }

    private func screenshot(_ request: PageRequest) async throws -> ConsoleFile {
        let found = try await request.foundProduct()
        let id = found.product.listing.screenshot?.id ?? ""
        guard let file = try await request.services.catalog.read({ try $0.file(ofAsset: id) }) else {
            throw ConsoleError.notFound(.phrase(ReviewPhrases.noScreenshot))
        }
        let type = ImageHeader(file.bytes)?.format == .png ? "image/png" : "image/jpeg"
        return ConsoleFile(name: file.name, contentType: type, bytes: file.bytes)
    }

    private func submit(_ request: FormRequest) async throws -> FormAnswer {
        let page = request.page
        let (found, revision) = (try await page.foundProduct(), request.values.revision)
        return try await request.perform(
            again: { try await self.page($0, $1, of: .submission) }, conflict: RefusalPhrases.changedBeforeAction
        ) {
            let mode = try await page.services.catalog.edit(by: page.catalogActor) { draft in
                try draft.expect(revision, of: found.product.appleID)
                let product = try draft.product(found.product.appleID) ?? found.product
                let missing = product.wasApproved ? [] : product.missingMetadata
                guard missing.isEmpty else {
                    throw Refusal(nil, .phrase(ReviewPhrases.incomplete, .list(missing.map { .phrase($0.phrase) })))
                }
                _ = try draft.submitForReview(.product(product.appleID, version: product.currentVersion.id))
                return try draft.reviewMode()
            }
            let text = mode == .automatic ? ReviewPhrases.approved : ReviewPhrases.submitted
            return .redirect(page.productPath(), .phrase(text))
        }
    }

    private func withdraw(_ request: FormRequest) async throws -> FormAnswer {
        let page = request.page
        let found = try await page.foundProduct()
        return try await request.perform(again: { try await self.page($0, $1, of: .submission) }) {
            try await page.services.catalog.edit(by: page.catalogActor) {
                try $0.withdrawFromReview(.product(found.product.appleID, version: ""))
            }
            return .redirect(page.productPath("review"), .phrase(ReviewPhrases.withdrawn))
        }
    }

    private func remove(_ request: FormRequest) async throws -> FormAnswer {
        let isRemoved = request.values.isTicked("removed")
        return try await request.perform(on: page) {
            try await request.editProduct { try $0.setRemovedFromSale(isRemoved) }
            return .redirect(request.page.productPath(), .phrase(SellerPhrases.saved))
        }
    }
}
