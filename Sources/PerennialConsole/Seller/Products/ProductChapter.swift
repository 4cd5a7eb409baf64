import Perennial
import PerennialConnect
import PerennialHTTP

/// A product's page: what to do next to get it on sale, and all that belongs to it.
struct ProductChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("products/:product", .view) { try await page($0) }
    }

    private func page(_ request: PageRequest) async throws -> Page {
        let found = try await request.foundProduct()
        let changes = try await request.services.catalog.read {
            try $0.latestChanges(
                of: .product, "\(found.product.appleID)", app: found.app.appleID, limit: 5)
        }
        let edit = Action.link(Link(.phrase(Words.edit), request.productPath("edit")), isProminent: true)
        return Page(
            .data(found.product.product.referenceName), .products, trail: request.productTrail(found, isBelow: false),
            actions: request.canEdit ? [edit] : [],
            next(found, request) + [
                .columns([
                    [.facts(facts(found, request))],
                    [
                        .links(Self.links(found, request)),
                        section(ProductPhrases.history, "history", request, ChangeTimeline.blocks(changes)),
                    ],
                ]),
                section(ProductPhrases.localizations, "localizations", request, [localizations(found)]),
                section(Words.price, "prices", request, [prices(found, request)]),
            ] + danger(found, request))
    }

    private func section(_ phrase: Phrase, _ page: String, _ request: PageRequest, _ blocks: [Block]) -> Block {
        .section(
            .phrase(phrase), id: page,
            actions: [.link(Link(.phrase(SellerPhrases.show), request.productPath(page)))], blocks)
    }

    static func links(_ found: FoundProduct, _ request: PageRequest) -> [Link] {
        let type = found.product.product.type
        var pages = [
            (ProductPhrases.localizations, "localizations"), (PricePhrases.prices, "prices"),
            (ProductPhrases.availability, "availability"), (ReviewPhrases.review, "review"),
            (ProductPhrases.offers, "offers"), (ProductPhrases.content, "content"), (ProductPhrases.history, "history"),
        ]
        if type == .free { pages.removeAll { ["prices", "offers"].contains($0.1) } }
        return pages.map { Link(.phrase($0.0), request.productPath($0.1)) }
    }

    // MARK: - What is next

    private func next(_ found: FoundProduct, _ request: PageRequest) -> [Block] {
        let (product, state) = (found.product, found.product.listingState)
        guard let advice = state.advice else { return [] }
        var blocks: [Block] = [
            .notice(Notice(status: state.status, text: .phrase(state.phrase), advice: .phrase(advice)))
        ]
        if let reason = product.listing.rejectionReason {
            blocks.append(.facts([Fact(.phrase(ProductPhrases.rejection), Cell(.data(reason)))]))
        }
        guard [.missingMetadata, .readyToSubmit, .rejected, .developerActionNeeded].contains(state) else {
            return blocks
        }
        let missing = Set(product.missingMetadata)
        let needed = MissingMetadata.allCases.filter { $0 != .period || product.product.type == .autoRenewable }
        blocks.append(
            .section(
                .phrase(ProductPhrases.toSale), id: "next",
                actions: missing.isEmpty && request.canEdit ? [ReviewChapter.submit(product, request)] : [],
                [
                    .checks(
                        needed.map { part in
                            let link = Link(.phrase(ProductPhrases.complete), request.productPath(Self.page(of: part)))
                            return Check(
                                outcome: missing.contains(part) ? .failed : .passed, name: .phrase(part.phrase),
                                details: missing.contains(part) && request.canEdit ? [.links([link])] : [])
                        })
                ]))
        return blocks
    }

    private static func page(of part: MissingMetadata) -> String {
        switch part {
        case .localization: "localizations/edit"
        case .period: "edit"
        case .price: "prices/change"
        case .availability: "availability"
        case .screenshot: "review"
        }
    }

    // MARK: - Facts

    private func facts(_ found: FoundProduct, _ request: PageRequest) -> [Fact] {
        let (product, listing, state) = (found.product.product, found.product.listing, found.product.listingState)
        var facts = [
            Fact(.phrase(Words.status), Cell(.phrase(state.phrase), status: state.status)),
            Fact(.phrase(Words.type), Cell(.phrase(product.type.phrase)), definition: .phrase(product.type.definition)),
            Fact(.phrase(ProductPhrases.productID), .id(product.id.rawValue)),
            Fact(.phrase(ProductPhrases.appleID), .id("\(product.appleID)")),
        ]
        if let subscription = product.subscription {
            let group = request.path("groups/\(ConsolePath.encoded(subscription.groupID))")
            facts += [
                Fact(.phrase(ProductPhrases.group), .id(subscription.groupID, path: group)),
                Fact(
                    .phrase(ProductPhrases.level), Cell(.number(subscription.level)),
                    definition: .phrase(ProductPhrases.levelHint)),
                Fact(
                    .phrase(ProductPhrases.period),
                    Cell(subscription.hasPeriod ? subscription.period.text : .phrase(SellerPhrases.none))),
            ]
        }
        if product.type == .nonRenewing {
            let term = found.app.nonRenewing.terms.term(of: product.id)
            facts.append(
                Fact(
                    .phrase(ProductPhrases.term), Cell(term?.text ?? .phrase(SellerPhrases.none)),
                    definition: .phrase(ProductPhrases.termDefinition)))
        }
        facts += [
            Fact(
                .phrase(ProductPhrases.availability),
                Cell(AvailabilityChapter.summary(product), path: request.productPath("availability"))),
            Fact(
                .phrase(ProductPhrases.familySharing), Cell(.phrase(product.isFamilyShareable ? Words.yes : Words.no))),
        ]
        if let category = listing.taxCategory {
            facts.append(Fact(.phrase(ProductPhrases.taxCategory), Cell(.data(category))))
        }
        if let content = listing.content?.versions.last {
            facts.append(
                Fact(
                    .phrase(ProductPhrases.content),
                    Cell(.data("\(content.fileName) \(content.version)"), path: request.productPath("content"))))
        }
        return facts
    }

    private func localizations(_ found: FoundProduct) -> Block {
        LocalizationChapter.table(found.product, request: nil)
    }

    private func prices(_ found: FoundProduct, _ request: PageRequest) -> Block {
        let app = found.app
        guard found.product.product.isPriced else {
            return .empty(EmptyState(text: .phrase(PricePhrases.noPrice)))
        }
        let intervals = found.timeline.intervals(in: app.defaultStorefront).filter {
            $0.end.map { $0 > request.now } ?? true
        }
        return .table(
            PriceTable(found.product.product, in: app, request).table(
                intervals.map { (app.defaultStorefront, $0) }, path: nil))
    }

    private func danger(_ found: FoundProduct, _ request: PageRequest) -> [Block] {
        var actions: [Action] = []
        if request.allows(.administer), found.product.wasApproved {
            actions.append(ReviewChapter.removal(found.product, request))
        }
        if request.canEdit {
            actions.append(.link(Link(.phrase(ProductPhrases.deleteProduct), request.productPath("delete"))))
        }
        return actions.isEmpty ? [] : [.actions(actions)]
    }
}
