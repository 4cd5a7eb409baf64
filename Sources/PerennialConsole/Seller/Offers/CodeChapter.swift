import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore

/// The codes of an offer: batches of one-time codes, and custom codes. Codes belong to an environment.
struct CodeChapter: ConsoleChapter {
    private static let pageSize = 50

    func add(to routes: ConsoleRoutes) {
        routes.page("products/:product/codes", .view) { try await page($0, .new) }
        routes.form("products/:product/codes", .editCatalog) { try await create($0) }
        routes.form("products/:product/codes/:batch/deactivate", .editCatalog) { try await deactivate($0) }
        routes.file("products/:product/codes/:batch/file", .editCatalog) { try await file($0) }
    }

    private func page(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let found = try await request.foundProduct()
        let offer = state.value("offer", request.query["offer"] ?? "")
        guard let isActive = found.product.isCodeOfferActive(offer) else {
            throw ConsoleError.notFound(.phrase(OfferPhrases.noOffer, .data(offer)))
        }
        let environment = request.environment.id
        let before = request.query["before"].flatMap { Int64($0) }
        let (rows, next) = try await request.services.catalog.read { reader in
            let page = try reader.codeBatches(
                ofOffer: offer, product: found.product.appleID, in: environment, before: before, limit: Self.pageSize)
            let rows = try page.batches.map {
                row($0, code: try $0.code ?? reader.firstCode(ofBatch: $0.id), request)
            }
            return (rows, page.next)
        }
        let table = Table(
            caption: .phrase(OfferPhrases.codes),
            columns: [
                Table.Column(.phrase(Words.type), .leading, .primary),
                Table.Column(.phrase(OfferPhrases.code), .leading, .primary),
                Table.Column(.phrase(OfferPhrases.codeCount), .trailing), Table.Column(.phrase(OfferPhrases.expires)),
                Table.Column(.phrase(Words.date)), Table.Column(.phrase(OfferPhrases.createdBy), .leading, .wideOnly),
                Table.Column(.phrase(Words.status)),
            ], rows: rows,
            next: next.map { request.productPath("codes", ["offer": offer, "before": "\($0)"]) },
            first: before.map { _ in request.productPath("codes", ["offer": offer]) },
            empty: EmptyState(text: .phrase(OfferPhrases.noCodes)))
        return Page(
            .joined([.phrase(OfferPhrases.codes), .data(": \(offer)")]), .products,
            trail: request.productTrail(found)
                + [Link(.phrase(ProductPhrases.offers), request.productPath("offers"))],
            [.table(table)] + (request.canEdit && isActive ? forms(offer, found, state, request) : []))
    }

    private func deactivation(of code: String, _ request: PageRequest) -> SameCommand {
        let bundleID = request.app?.bundleID.rawValue ?? ""
        return request.sameHere(
            "offer-codes deactivate \(code)", namesApp: true,
            .init("POST", "control/v1/apps/\(bundleID)/offer-codes/\(ConsolePath.encoded(code))/deactivate"))
    }

    /// - Parameter code: One of the batch's codes.
    private func row(
        _ batch: OfferCodeBatchesTable.Record, code: String?, _ request: PageRequest
    ) -> Table.Row {
        let isOneTime = batch.kind == .oneTime
        let file = request.productPath("codes/\(batch.id)/file")
        var actions: [Action] = []
        if request.canEdit {
            if isOneTime { actions.append(.download(Link(.phrase(Words.download), file))) }
            if batch.isActive {
                actions.append(
                    .post(
                        .phrase(OfferPhrases.deactivate), path: request.productPath("codes/\(batch.id)/deactivate"),
                        isDangerous: true, same: code.map { deactivation(of: $0, request) }))
            }
        }
        return Table.Row(
            [
                Cell(.phrase(isOneTime ? OfferPhrases.oneTimeCodes : OfferPhrases.customCode)),
                Cell(.data(batch.code ?? ""), isFixedWidth: true), Cell(batch.count.map { .number($0) } ?? .none),
                Cell(batch.expires.map { .exact($0) } ?? .none), Cell(.exact(batch.created)),
                Cell(.data(batch.createdBy)),
                Cell(
                    .phrase(batch.isActive ? OfferPhrases.active : OfferPhrases.ended),
                    status: batch.isActive ? .good : .neutral),
            ], actions: actions)
    }

    private func forms(
        _ offer: String, _ found: FoundProduct, _ state: FormState, _ request: PageRequest
    ) -> [Block] {
        let (path, call) = (
            request.productPath("codes"), "offer-codes create \(shellQuoted(offer)) --product \(found.id)"
        )
        func body(_ kind: OfferCode.Kind) -> String {
            let order = JSONText.object([
                "productId": found.id.rawValue, "offerId": offer, "kind": kind.rawValue,
            ])
            return order.dropLast() + (kind == .oneTime ? #","count":10}"# : #","code":"SPRING"}"#)
        }
        func form(_ kind: OfferCode.Kind, _ title: Phrase, _ options: String, _ fields: (FormState) -> [Field]) -> Block
        {
            let state = state.value("kind") == kind.rawValue ? state : .new
            return .section(
                .phrase(title), id: kind.rawValue,
                [
                    .form(
                        state.form(
                            path, submit: OfferPhrases.createCodes,
                            same: request.sameHere(
                                "\(call) \(options)", namesApp: true,
                                .init("POST", "control/v1/apps/\(found.app.bundleID)/offer-codes", body(kind))),
                            [.hidden("offer", offer), .hidden("kind", kind.rawValue)] + fields(state) + [
                                state.field(
                                    "expires", OfferPhrases.expires, .date, hint: .phrase(SellerPhrases.optional))
                            ]))
                ])
        }
        return [
            .columns([
                [
                    form(.oneTime, OfferPhrases.oneTimeCodes, "--count 10") { state in
                        [state.field("count", OfferPhrases.codeCount, .number, "10", isRequired: true)]
                    }
                ],
                [
                    form(.custom, OfferPhrases.customCode, "--code SPRING") { state in
                        [
                            state.field(
                                "code", OfferPhrases.code, isRequired: true, maximumLength: Offers.maximumCodeLength),
                            state.field(
                                "maximumRedemptions", OfferPhrases.maximumRedemptions, .number,
                                hint: .phrase(SellerPhrases.optional)),
                        ]
                    }
                ],
            ])
        ]
    }

    private func create(_ request: FormRequest) async throws -> FormAnswer {
        let (page, values) = (request.page, request.values)
        let found = try await page.foundProduct()
        return try await request.perform(again: self.page) {
            let offer = values["offer"]
            guard found.product.isCodeOfferActive(offer) == true else { throw Refusal(nil, RefusalPhrases.choice) }
            let kind: OfferCodeOrder.Kind =
                try values.chosen("kind", OfferCode.Kind.self) == .custom
                ? .custom(values["code"], maximumRedemptions: try values.count("maximumRedemptions"))
                : .oneTime(count: try values.count("count") ?? 1)
            var expires: Instant?
            if let day = values.optional("expires") {
                guard let end = Instant(rfc3339: "\(day)T00:00:00Z") else {
                    throw Refusal("expires", RefusalPhrases.day)
                }
                expires = end
            }
            let order = OfferCodeOrder(productID: found.id, offerID: offer, kind: kind, expires: expires)
            let (store, actor) = (page.store, page.catalogActor)
            try await page.services.catalog.edit(by: actor) { draft in
                _ = try store.offers.insertBatch(
                    order, of: found.product.product, app: found.app.appleID, by: actor, in: store.environment.id,
                    on: draft.connection)
            }
            return .redirect(page.productPath("codes", ["offer": offer]), .phrase(OfferPhrases.codesCreated))
        }
    }

    /// Returns the batch that the path names.
    private func batch(_ request: PageRequest, _ reader: CatalogReader, of product: Int64) throws
        -> OfferCodeBatchesTable.Record
    {
        guard let number = Int64(request.parameter("batch")), let batch = try reader.codeBatch(number),
            batch.product == product, batch.environment == request.environment.id
        else { throw ConsoleError.notFound(.phrase(OfferPhrases.noCodes)) }
        return batch
    }

    private func deactivate(_ request: FormRequest) async throws -> FormAnswer {
        let page = request.page
        let found = try await page.foundProduct()
        let offer = try await page.services.catalog.edit(by: page.catalogActor) { draft in
            let batch = try batch(page, draft, of: found.product.appleID)
            try draft.deactivateCodeBatch(batch.id)
            return batch.offerID
        }
        return .redirect(page.productPath("codes", ["offer": offer]), .phrase(SellerPhrases.saved))
    }

    /// The codes, one in each line.
    private func file(_ request: PageRequest) async throws -> ConsoleFile {
        let found = try await request.foundProduct()
        let (name, codes) = try await request.services.catalog.read { reader in
            let batch = try batch(request, reader, of: found.product.appleID)
            return ("codes-\(batch.id).txt", try reader.codes(ofBatch: batch.id))
        }
        let text = codes.map { $0 + "\n" }.joined()
        return ConsoleFile(name: name, contentType: "text/plain; charset=utf-8", bytes: Array(text.utf8))
    }
}
