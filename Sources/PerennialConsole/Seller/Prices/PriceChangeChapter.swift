import Perennial
import PerennialConnect
import PerennialStore

/// A change of a price, now or later: the page says whom it touches before it is made.
struct PriceChangeChapter: ConsoleChapter {
    /// The subscriptions of an app that are counted before the page is shown: those of a larger one in the background.
    private static let countedAtOnce = 1_000

    func add(to routes: ConsoleRoutes) {
        routes.page("products/:product/prices/change", .editCatalog) { try await ask($0) }
        routes.form("products/:product/prices/change", .editCatalog) { try await change($0) }
    }

    /// The form; with a price in the query, the effect of the change and the form that confirms it.
    private func ask(_ request: PageRequest) async throws -> Page {
        let values = FormValues(request.query.mapValues { [$0] })
        guard values.optional("price") != nil, values.optional("step") != nil else {
            return try await form(request, request.query.isEmpty ? .new : FormState(values))
        }
        let found = try await request.foundProduct()
        do {
            let order = try Self.order(values, found)
            return try await confirmation(order, values, found, request)
        } catch {
            guard let refusal = Refusal(error) else { throw error }
            let state = FormState(values, refusal)
            var page = try await form(request, state)
            page.status = state.status
            return page
        }
    }

    private func form(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let found = try await request.foundProduct()
        let base = found.timeline.base
        let first = [Field.Option("", .phrase(PricePhrases.base, .data(base.rawValue)))]
        let current = found.timeline.price(
            in: Storefront(rawValue: state.value("storefront")).info?.storefront ?? base, at: request.now)
        var fields = [
            .hidden("step", "preview"),
            state.field(
                "storefront", Words.storefront, .storefronts(request.language, first: first),
                hint: .phrase(PricePhrases.storefrontHint)),
            state.field("price", Words.price, .text, current?.decimal ?? "", isRequired: true),
            state.box("equalize", PricePhrases.equalize),
        ]
        if found.product.product.isPriced {
            fields += [
                state.field("at", PricePhrases.date, .date, hint: .phrase(PricePhrases.dateHint)),
                state.field("time", Words.time, .time),
            ]
        }
        if found.product.product.type == .autoRenewable {
            fields += [
                state.box("preserve", PricePhrases.preserve),
                state.field(
                    "consent", PricePhrases.consent,
                    .choice([
                        Field.Option("", .phrase(PricePhrases.consentByRule)),
                        Field.Option("yes", .phrase(PriceChangePhrases.consentNeeded)),
                        Field.Option("no", .phrase(PriceChangePhrases.noConsent)),
                    ])),
            ]
        }
        if state.value("price").isEmpty == false, fields[2].value.isEmpty { fields[2].value = state.value("price") }
        return Page(
            .phrase(PricePhrases.change), .products, trail: trail(found, request),
            [
                .links([
                    Link(.phrase(PricePhrases.points), request.productPath("prices/points")),
                    Link(.phrase(PricePhrases.equal), request.productPath("prices/equal")),
                ]),
                .form(
                    state.form(
                        request.productPath("prices/change"), submit: PricePhrases.preview, isQuery: true, fields)),
            ])
    }

    /// - Throws: ``Refusal`` at a field.
    private static func order(_ values: FormValues, _ found: FoundProduct) throws -> PriceOrder {
        let storefront = try values.storefront("storefront")
        let product = found.product.product
        let base = product.isPriced ? product.basePrice.currency : found.app.defaultStorefront.currency
        let currency = storefront?.currency ?? base ?? .usd
        guard let price = try values.money("price", in: currency) else { throw Refusal("price", RefusalPhrases.needed) }
        var at: Instant?
        if let day = values.optional("at") {
            let time = values.optional("time") ?? "00:00"
            guard let instant = Instant(rfc3339: "\(day)T\(time):00Z") else { throw Refusal("at", RefusalPhrases.day) }
            at = instant
        }
        return PriceOrder(
            price, storefront: storefront, isEqualized: values.isTicked("equalize"), at: at,
            needsConsent: values["consent"].isEmpty ? nil : try values.answer("consent"),
            preservesSubscribers: values.isTicked("preserve"))
    }

    // MARK: - Confirmation

    /// The effect of the change, and the form that confirms it.
    private func confirmation(
        _ order: PriceOrder, _ values: FormValues, _ found: FoundProduct, _ request: PageRequest
    ) async throws -> Page {
        let (products, bundleID) = (request.store.products, found.app.bundleID)
        guard found.product.product.type == .autoRenewable,
            try await products.hasSubscriptions(moreThan: Self.countedAtOnce, of: bundleID)
        else {
            let preview = try await products.preview(order, of: found.id, bundleID: bundleID).preview
            return confirmation(preview, order, values, found, request)
        }
        // A clock that stands has its own count at each time.
        let time = request.environment.clock == .manual ? request.now.rfc3339(fraction: true) : ""
        return try await request.computed(
            "products/\(ConsolePath.encoded(found.id.rawValue))/prices/change",
            Page(.phrase(PricePhrases.change), .products, trail: trail(found, request), []),
            revision: "\(found.product.revision) \(time)", running: PriceChangePhrases.counting
        ) { progress in
            let preview = try await products.preview(order, of: found.id, bundleID: bundleID) {
                progress.add(entries: $0)
            }.preview
            return confirmation(preview, order, values, found, request)
        }
    }

    private func confirmation(
        _ preview: PricePreview, _ order: PriceOrder, _ values: FormValues, _ found: FoundProduct,
        _ request: PageRequest
    ) -> Page {
        let sum = preview.subscribers
        let names = ["storefront", "price", "equalize", "at", "time", "preserve", "consent"]
        let hidden = names.compactMap { name in values.optional(name).map { Field.hidden(name, $0) } }
        let touches = Text.phrase(
            PricePhrases.touches, .number(sum.count), .number(sum.lowered), .number(sum.announced), .number(sum.asked),
            .number(sum.preserved))
        let (command, body) = Self.same(order, found)
        let form = Form(
            request.productPath("prices/change"), submit: .phrase(PricePhrases.confirm),
            warning: found.product.product.type == .autoRenewable ? touches : nil, isDangerous: sum.asked > 0,
            same: request.same(command, call: "prices", body: body), [found.product.revisionField] + hidden)
        return Page(
            .phrase(PricePhrases.change), .products, trail: trail(found, request),
            [
                .paragraph(
                    order.at == nil
                        ? .phrase(PriceChangePhrases.atOnce) : .phrase(PricePhrases.willChange, .exact(preview.at))),
                .form(form), .table(table(preview, found, request)),
            ])
    }

    private func table(_ preview: PricePreview, _ found: FoundProduct, _ request: PageRequest) -> Table {
        let prices = PriceTable(found.product.product, in: found.app, request)
        return Table(
            caption: .phrase(PricePhrases.preview),
            columns: [
                Table.Column(.phrase(Words.storefront), .leading, .primary),
                Table.Column(.phrase(PricePhrases.previous), .trailing),
                Table.Column(.phrase(Words.price), .trailing, .primary),
            ] + prices.proceedsColumns + [Table.Column(.phrase(PricePhrases.subscribers), .trailing)],
            rows: preview.territories.map { territory in
                Table.Row(
                    [
                        Cell(.storefront(territory.storefront, request.language)),
                        Cell(territory.previous.map { .money($0) } ?? .none), Cell(.money(territory.price)),
                    ] + prices.proceeds(of: territory.price, in: territory.storefront) + [
                        Cell(.number(territory.subscribers.count))
                    ])
            })
    }

    private static func same(_ order: PriceOrder, _ found: FoundProduct) -> (command: String, body: String) {
        let verb = order.at == nil ? "set" : "schedule"
        var (command, body) = (
            "prices \(verb) \(found.id) \(order.price.decimal)", [#""price":\#(order.price.milliunits)"#]
        )
        func add(_ option: String, _ member: String) {
            command += " --\(option)"
            body.append(member)
        }
        if let storefront = order.storefront { add("storefront \(storefront)", #""storefront":"\#(storefront)""#) }
        if let at = order.at?.rfc3339() { add("at \(at)", #""at":"\#(at)""#) }
        if order.isEqualized { add("equalize", #""equalize":true"#) }
        if order.preservesSubscribers { add("preserve", #""preserve":true"#) }
        if let consent = order.needsConsent { add(consent ? "consent" : "no-consent", #""consent":\#(consent)"#) }
        return (command, "{" + body.joined(separator: ",") + "}")
    }

    private func change(_ request: FormRequest) async throws -> FormAnswer {
        let (page, values) = (request.page, request.values)
        return try await request.perform(again: form) {
            let found = try await page.foundProduct()
            let order = try Self.order(values, found)
            try await page.services.catalog.edit(by: page.catalogActor) { draft in
                try draft.changePrice(of: found.product.appleID, order, expecting: values.revision, now: page.now)
            }
            // A price that applies at once is announced to subscribers before the answer.
            try await page.store.performScheduledPrices()
            return .redirect(
                page.productPath("prices"),
                order.at.map { .phrase(PricePhrases.willChange, .exact($0)) } ?? .phrase(PricePhrases.changed))
        }
    }

    private func trail(_ found: FoundProduct, _ request: PageRequest) -> [Link] {
        request.productTrail(found) + [Link(.phrase(PricePhrases.prices), request.productPath("prices"))]
    }
}

/// Texts about a change of a price.
enum PriceChangePhrases {
    static let consentNeeded = Phrase(
        "They must agree", fr: "Leur accord est requis", pt: "Eles precisam aceitar", zh: "須經同意",
        de: "Sie müssen zustimmen")
    static let noConsent = Phrase(
        "They needn’t agree", fr: "Leur accord n’est pas requis", pt: "Eles não precisam aceitar", zh: "無須同意",
        de: "Sie müssen nicht zustimmen")
    static let counting = Phrase(
        "Counting the subscribers: %1 subscriptions read so far, %2 s.",
        fr: "Décompte des abonnés\u{202F}: %1 abonnements lus jusqu’ici, %2 s.",
        pt: "Contando os assinantes: %1 assinaturas lidas até agora, %2 s.", zh: "正在計算訂閱者：目前已讀取 %1 個訂閱，%2 秒。",
        de: "Die Abonnenten werden gezählt: bisher %1 Abos gelesen, %2 s.")
    static let atOnce = Phrase(
        "The price changes at once.", fr: "Le prix change tout de suite.", pt: "O preço muda imediatamente.",
        zh: "價格將立即變更。",
        de: "Der Preis ändert sich sofort.")
}
