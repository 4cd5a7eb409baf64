import Perennial
import PerennialConnect

/// A product's prices in every storefront, now and later; price points and equal prices.
struct PriceChapter: ConsoleChapter {
    private static let pageSize = 50
    /// The most scheduled prices on the page.
    private static let scheduleLimit = 200

    func add(to routes: ConsoleRoutes) {
        routes.page("products/:product/prices", .view) { try await prices($0) }
        routes.page("products/:product/prices/points", .view) { try await points($0) }
        routes.page("products/:product/prices/equal", .view) { try await equal($0) }
        routes.form("products/:product/prices/cancel", .editCatalog) { try await cancel($0) }
    }

    private func prices(_ request: PageRequest) async throws -> Page {
        let found = try await request.foundProduct()
        let change = request.productPath("prices/change")
        let timeline = found.timeline
        let prices = LocalizedNames.sortedStorefronts(in: request.language).flatMap { storefront in
            timeline.intervals(in: storefront).filter { $0.isInForce(at: request.now) }.map { (storefront, $0) }
        }
        let (isPriced, canEdit) = (found.product.product.isPriced, request.canEdit)
        let table = PriceTable(found.product.product, in: found.app, request)
        let edit = { (storefront: Storefront) in
            request.productPath("prices/change", ["storefront": storefront.rawValue])
        }
        return Page(
            .phrase(PricePhrases.prices), .products, trail: request.productTrail(found),
            actions: canEdit ? [.link(Link(.phrase(PricePhrases.change), change), isProminent: true)] : [],
            [
                .links([
                    Link(.phrase(PricePhrases.points), request.productPath("prices/points")),
                    Link(.phrase(PricePhrases.equal), request.productPath("prices/equal")),
                    Link(.phrase(ProductPhrases.availability), request.productPath("availability")),
                ]),
                .section(.phrase(PricePhrases.scheduled), id: "scheduled", schedule(found, request)),
                isPriced
                    ? .table(table.table(prices, path: canEdit ? edit : nil))
                    : .empty(
                        EmptyState(
                            text: .phrase(PricePhrases.noPrice), same: request.same("prices set \(found.id) 0.99"))),
                .same(request.same("prices list \(found.id)", "GET", call: "prices")),
            ])
    }

    // MARK: - Scheduled changes

    private func schedule(_ found: FoundProduct, _ request: PageRequest) -> [Block] {
        let product = found.product.product
        let scheduled = product.priceSchedule.filter { $0.at > request.now }
        guard !scheduled.isEmpty else {
            return [.empty(EmptyState(text: .phrase(PricePhrases.noneScheduled)))]
        }
        let counts = Dictionary(scheduled.map { ($0.at, 1) }, uniquingKeysWith: +)
        let base = found.timeline.base
        let rows = scheduled.prefix(Self.scheduleLimit).map { price in
            let place: Text =
                price.storefront.map { .storefront($0, request.language) }
                ?? .phrase(PricePhrases.base, .data(base.rawValue))
            return Table.Row(
                [
                    Cell(.exact(price.at)), Cell(place), Cell(.money(price.price)),
                    Cell(.phrase(effect(of: price))),
                ], actions: request.canEdit ? actions(price, isOne: counts[price.at] == 1, found, request) : [])
        }
        return [
            .table(
                Table(
                    caption: .phrase(PricePhrases.scheduled),
                    columns: [
                        Table.Column(.phrase(PricePhrases.date), .leading, .primary),
                        Table.Column(.phrase(Words.storefront)),
                        Table.Column(.phrase(Words.price), .trailing, .primary),
                        Table.Column(.phrase(PricePhrases.subscribers)),
                    ], rows: rows))
        ]
    }

    private func effect(of price: ScheduledPrice) -> Phrase {
        if price.preservesSubscribers { return PricePhrases.preserve }
        guard let needsConsent = price.needsConsent else { return PricePhrases.consentByRule }
        return needsConsent ? PriceChangePhrases.consentNeeded : PriceChangePhrases.noConsent
    }

    private func actions(
        _ price: ScheduledPrice, isOne: Bool, _ found: FoundProduct, _ request: PageRequest
    ) -> [Action] {
        let (path, at) = (request.productPath("prices/cancel"), price.at.rfc3339())
        let place = price.storefront.map { " --storefront \($0)" } ?? ""
        var body = ["at": at]
        body["storefront"] = price.storefront?.rawValue
        let one = Action.post(
            .phrase(PricePhrases.cancel), path: path,
            fields: found.product.fields(["at": at, "storefront": price.storefront?.rawValue ?? ""]), isDangerous: true,
            same: request.same(
                "prices cancel \(found.id) --at \(at)\(place)", call: "prices/cancel", body: JSONText.sorted(body)))
        let all = Action.post(
            .phrase(PricePhrases.cancelAll), path: path, fields: found.product.fields(["at": at, "all": "on"]),
            isDangerous: true,
            same: request.same(
                "prices cancel \(found.id) --at \(at) --all", call: "prices/cancel",
                body: #"{"all":true,"at":"\#(at)"}"#))
        return isOne ? [one] : [one, all]
    }

    private func cancel(_ request: FormRequest) async throws -> FormAnswer {
        let (page, values) = (request.page, request.values)
        let found = try await page.foundProduct()
        guard let at = Instant(rfc3339: values["at"]) else {
            throw ConsoleError.badRequest(.phrase(RefusalPhrases.day))
        }
        let storefront = try values.storefront("storefront")
        let isAll = values.isTicked("all")
        return try await request.perform(on: prices) {
            try await page.services.catalog.edit(by: page.catalogActor) { draft in
                let number = found.product.appleID
                try draft.expect(values.revision, of: number)
                if isAll {
                    try draft.cancelPrices(of: number, at: at, now: page.now)
                } else {
                    try draft.cancelPrice(of: number, in: storefront, at: at, now: page.now)
                }
            }
            return .redirect(page.productPath("prices"), .phrase(PricePhrases.cancelled))
        }
    }

    // MARK: - Price points and equal prices

    private func points(_ request: PageRequest) async throws -> Page {
        let found = try await request.foundProduct()
        let asked = Storefront(rawValue: request.query["storefront"] ?? "")
        let storefront = asked.info == nil ? found.app.defaultStorefront : asked
        let points = PricePoint.all(in: storefront.currency ?? .usd)
        let after = request.query["after"].flatMap { Int($0) } ?? 0
        let page = points.filter { $0.number > after }.prefix(Self.pageSize)
        let table = PriceTable(found.product.product, in: found.app, request)
        let more = page.last.flatMap { $0.number < points.last?.number ?? 0 ? $0.number : nil }
        let path = { (after: String) in
            request.productPath("prices/points", ["storefront": storefront.rawValue, "after": after])
        }
        return Page(
            .phrase(PricePhrases.points), .products, trail: trail(found, request),
            [
                storefronts("prices/points", storefront, request),
                .table(
                    Table(
                        caption: .phrase(PricePhrases.points),
                        columns: [
                            Table.Column(.phrase(PricePhrases.point)),
                            Table.Column(.phrase(Words.price), .trailing, .primary),
                        ] + table.proceedsColumns + [
                            Table.Column(.phrase(PricePhrases.onRequest), .leading, .wideOnly)
                        ],
                        rows: page.map { point in
                            let change = request.productPath(
                                "prices/change",
                                ["storefront": storefront.rawValue, "price": point.price.decimal])
                            return Table.Row(
                                [
                                    Cell(.data("\(point.number)"), isFixedWidth: true),
                                    Cell(.money(point.price), path: request.canEdit ? change : nil),
                                ] + table.proceeds(of: point.price, in: storefront) + [
                                    Cell(.phrase(point.isOnRequest ? Words.yes : Words.no))
                                ])
                        }, next: more.map { path("\($0)") }, first: after > 0 ? path("") : nil)),
                .same(
                    request.sameHere(
                        "prices points list --storefront \(storefront)", namesApp: true,
                        .init("GET", "control/v1/apps/\(found.app.bundleID)/price-points?storefront=\(storefront)"))),
            ])
    }

    private func equal(_ request: PageRequest) async throws -> Page {
        let found = try await request.foundProduct()
        let asked = Storefront(rawValue: request.query["storefront"] ?? "")
        let base = asked.info == nil ? found.timeline.base : asked
        let currency = base.currency ?? .usd
        let values = FormValues(request.query.mapValues { [$0] })
        let current = found.timeline.price(in: base, at: request.now)
        var (price, refusal): (Money?, Refusal?)
        do { price = try values.money("price", in: currency) ?? current } catch let error as Refusal { refusal = error }
        let state = FormState(request.query.isEmpty ? nil : values, refusal)
        let table = PriceTable(found.product.product, in: found.app, request)
        let rows = price.map { price in
            LocalizedNames.sortedStorefronts(in: request.language).map { storefront in
                let equal = PricePoint.equalization(of: price, in: storefront.currency ?? .usd)
                return Table.Row(
                    [Cell(.storefront(storefront, request.language)), Cell(.money(equal))]
                        + table.proceeds(of: equal, in: storefront))
            }
        }
        return Page(
            .phrase(PricePhrases.equal), .products, trail: trail(found, request), status: state.status,
            [
                .form(
                    state.form(
                        request.productPath("prices/equal"), submit: SellerPhrases.show, isQuery: true,
                        [
                            state.field(
                                "storefront", Words.storefront, .storefronts(request.language), base.rawValue),
                            state.field("price", Words.price, .text, price?.decimal ?? ""),
                        ])),
                .table(
                    Table(
                        caption: .phrase(PricePhrases.equal),
                        columns: [
                            Table.Column(.phrase(Words.storefront), .leading, .primary),
                            Table.Column(.phrase(Words.price), .trailing, .primary),
                        ] + table.proceedsColumns, rows: rows ?? [])),
            ])
    }

    private func trail(_ found: FoundProduct, _ request: PageRequest) -> [Link] {
        request.productTrail(found) + [Link(.phrase(PricePhrases.prices), request.productPath("prices"))]
    }

    private func storefronts(_ page: String, _ selected: Storefront, _ request: PageRequest) -> Block {
        .form(
            FormState.new.form(
                request.productPath(page), submit: SellerPhrases.show, isQuery: true,
                [
                    FormState.new.field(
                        "storefront", Words.storefront, .storefronts(request.language), selected.rawValue)
                ]))
    }
}
