import Perennial
import PerennialConnect
import PerennialStore

/// The seller's edits, by the rules and use cases of App Store Connect.
extension Deployment {
    /// The author of the edits in the catalog's journal.
    static let seller = CatalogActor.user("seller@example.com")

    /// Makes an edit concrete. Its time is chosen before the first attempt, so that a repeat asks for the same.
    func edit(_ action: SimulatedAction, _ edit: CatalogEdit) async throws -> Operation? {
        let now = try await actingNode.store().now()
        let seller = clients.seller
        switch edit {
        case .price(let product, _, _, _, _), .availability(let product, _), .setForSale(let product, _),
            .delete(let product):
            guard seller.products[product] != nil else { return nil }
        case .withdrawPrice(let product, let storefront):
            guard seller.waiting(product, in: storefront, at: now) != nil else { return nil }
        case .publish: break
        }
        let change = CatalogEditing(edit: edit, now: now, before: seller)
        return Operation(action) { node in
            try await node.editor.edit(by: Self.seller) { try change.perform(in: $0) }
            return .edited(edit, at: now)
        }
    }
}

/// An edit with what the seller knew before it. A repeat of an edit that was written changes nothing.
private struct CatalogEditing: Sendable {
    let edit: CatalogEdit
    let now: Instant
    let before: SellerModel

    func perform(in draft: CatalogDraft) throws {
        switch edit {
        case .price(let product, let point, let storefront, let days, let preserves):
            let start = days == 0 ? nil : PacificDay(now).adding(days)
            try update(product, in: draft) { product in
                if product.product.type == .autoRenewable {
                    try addPrice(to: &product, point, storefront, start, preserves)
                } else {
                    try replaceSchedule(of: &product, point, storefront, start)
                }
            }
        case .withdrawPrice(let product, let storefront):
            guard let start = before.waiting(product, in: storefront, at: now) else { return }
            try update(product, in: draft) { product in
                guard product.product.priceSchedule.contains(where: { $0.at == start && $0.storefront == storefront })
                else { return }
                try product.withdrawPrice(in: storefront, at: start, now: now)
            }
        case .availability(let product, let storefronts):
            try update(product, in: draft) { try $0.setAvailability(storefronts, includesNew: false) }
        case .setForSale(let product, let isForSale):
            try update(product, in: draft) { $0.product.isClearedForSale = isForSale }
            var after = before
            after.apply(edit, at: now)
            let terms = SimulatedCatalog.terms(after.offSale)
            try draft.update(app: SimulatedCatalog.appleID) { $0.saleTerms = terms }
        case .publish(let product): try publish(product, in: draft)
        case .delete(let product):
            guard let known = try draft.product(product, app: SimulatedCatalog.appleID) else { return }
            try draft.update(known.appleID) { try $0.setAvailability([], includesNew: false) }
            try draft.deleteProduct(known.appleID)
        }
    }

    private func update(
        _ product: Product.ID, in draft: CatalogDraft, _ change: (inout CatalogProduct) throws -> Void
    ) throws {
        guard let known = try draft.product(product, app: SimulatedCatalog.appleID) else {
            throw CatalogEditError(.notFound, "\(product) is gone")
        }
        try draft.update(known.appleID, expecting: known.revision, change)
    }

    private func addPrice(
        to product: inout CatalogProduct, _ point: Int, _ storefront: Storefront, _ start: PacificDay?,
        _ preserves: Bool
    ) throws {
        let price = SimulatedCatalog.price(point, in: storefront)
        let isWritten = product.product.priceSchedule.contains {
            $0.at == start?.start && $0.storefront == storefront && $0.price == price
                && $0.preservesSubscribers == preserves
        }
        guard !isWritten else { return }
        try product.addPrice(
            NewSubscriptionPrice(storefront: storefront, price: price, start: start, preservesSubscribers: preserves),
            at: now)
    }

    private func replaceSchedule(
        of product: inout CatalogProduct, _ point: Int, _ storefront: Storefront, _ start: PacificDay?
    ) throws {
        let base = SimulatedCatalog.storefronts[0]
        let schedule = SimulatedCatalog.baseSchedule(
            point, from: start?.start, before: before.price(of: product.id, in: base, at: now))
        var prices = schedule.enumerated().map { index, price in
            ManualPrice(
                index: index, storefront: base, price: price.price, start: price.start == nil ? nil : start,
                end: index + 1 < schedule.count ? start : nil)
        }
        if storefront != base {
            prices.append(
                ManualPrice(
                    index: prices.count, storefront: storefront,
                    price: SimulatedCatalog.price(point, in: storefront)))
        }
        try product.replacePriceSchedule(prices, base: base, at: now)
    }

    /// Creates a product and passes its review.
    private func publish(_ id: Product.ID, in draft: CatalogDraft) throws {
        guard let wanted = SimulatedCatalog.products[id] else { return }
        let app = SimulatedCatalog.appleID
        guard try draft.product(id, app: app) == nil else { return }
        var new = NewProduct(id, wanted.type, referenceName: wanted.referenceName)
        new.groupID = wanted.subscription?.groupID
        new.level = wanted.subscription.map { Int64($0.level) }
        new.period = wanted.subscription?.period
        let appleID = try draft.createProduct(new, app: app)
        let point = SimulatedCatalog.firstPoint(of: id)
        try draft.update(appleID) { product in
            _ = try product.addLocalization(locale: "en-US") {
                ListingLocalization(id: $0, locale: "en-US", name: wanted.referenceName, description: "Published")
            }
            try product.setAvailability(SimulatedCatalog.storefronts, includesNew: false)
            let prices = SimulatedCatalog.storefronts.map { ($0, SimulatedCatalog.price(point, in: $0)) }
            if wanted.type == .autoRenewable {
                for (storefront, price) in prices {
                    try product.addPrice(NewSubscriptionPrice(storefront: storefront, price: price), at: now)
                }
            } else {
                let manual = prices.enumerated().map {
                    ManualPrice(index: $0.offset, storefront: $0.element.0, price: $0.element.1)
                }
                try product.replacePriceSchedule(manual, base: SimulatedCatalog.storefronts[0], at: now)
            }
            product.listing.screenshot = ListingAsset(
                id: "00000000-0000-4000-8000-000000000000", fileName: "screen.png", size: 1, state: .complete,
                token: "")
            for step in [ReviewStep.submit, .startReview, .approve] { try product.review(step) }
        }
    }
}

extension SimulatedAction {
    /// True for an edit of the catalog.
    var isEdit: Bool {
        if case .edit = self { true } else { false }
    }
}

extension CatalogEdit {
    /// True if the rules may refuse the edit with an error of this kind.
    func mayBeRefused(_ code: CatalogEditError.Code) -> Bool {
        switch self {
        // Another change waits in the storefront; or time has passed since the day was chosen.
        case .price(let product, _, _, let days, _):
            SimulatedCatalog.isSubscription(product) ? [.state, .invalid].contains(code) : code == .invalid && days > 0
        // The price has started meanwhile.
        case .withdrawPrice: [.state, .notFound].contains(code)
        // IDs are never used again.
        case .publish: code == .duplicate
        case .availability, .setForSale, .delete: false
        }
    }
}
