import Perennial
import PerennialStorage

/// An order of offer codes.
package struct OfferCodeOrder: Sendable {
    package enum Kind: Sendable {
        /// Codes for one customer each, with names made by the store.
        case oneTime(count: Int)
        /// One code for many customers.
        case custom(String, maximumRedemptions: Int?)
    }

    package var productID: Product.ID
    package var offerID: String
    package var kind: Kind
    package var expires: Instant?

    package init(productID: Product.ID, offerID: String, kind: Kind, expires: Instant? = nil) {
        self.productID = productID
        self.offerID = offerID
        self.kind = kind
        self.expires = expires
    }
}

/// Offer codes, and the proofs that a purchase may have an offer.
package struct Offers: StoreChapter {
    let context: StoreContext
    let randomBytes: @Sendable (Int) -> [UInt8]

    /// A limit of this store on codes in one order or listing.
    package static let maximumCodes = 1000
    /// A limit of this store on custom codes.
    package static let maximumCodeLength = 64

    /// Creates codes for an offer of a product.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`, `.offerNotFound`, `.offerCodeExists`, `.malformed`.
    package func makeCodes(
        _ order: OfferCodeOrder, of bundleID: App.BundleID
    ) async throws -> [OfferCodesTable.Record] {
        try check(order.kind, most: Self.maximumCodes)
        return try await context.write { [self] connection in
            // Orders the makers of batches.
            _ = try CatalogHeadTable.lock(on: connection)
            let entry = try app(bundleID, on: connection)
            guard let product = entry.products[order.productID],
                product.referenceName(ofCodeOffer: order.offerID) != nil
            else {
                throw StoreError(.offerNotFound, order.offerID, "\(order.productID) has no offer of that ID for codes")
            }
            return try insert(
                order, of: product, app: entry.app.appleID, by: .control, in: environment.id, on: connection
            ).records
        }
    }

    /// Returns an app's codes with their redemptions, by name, after a given one.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`.
    package func codes(
        of bundleID: App.BundleID, after name: String = ""
    ) async throws -> [OfferCodesTable.Record] {
        try await database.read { [self] connection in
            let entry = try app(bundleID, on: connection)
            return try OfferCodesTable.all(
                app: entry.app.appleID, after: name, limit: Self.maximumCodes, environment.id, on: connection)
        }
    }

    /// Returns the purchase that redeems a code.
    ///
    /// - Throws: `PurchaseRefusal` for a code that the app doesn't have.
    func request(
        redeeming code: String, key: String?, _ customer: Customer, on connection: any Connection
    ) throws -> PurchaseRequest {
        let name = Self.normalized(code)
        guard name.utf8.count <= Self.maximumCodeLength, !name.utf8.contains(0),
            let record = try OfferCodesTable.lock(name, app: customer.key.app, environment.id, on: connection)
        else {
            throw PurchaseRefusal(.codeNotRedeemable, Product.ID(rawValue: ""), "this app has no such code")
        }
        return PurchaseRequest(productID: record.productID, claim: .code(name), idempotencyKey: key)
    }

    /// Returns the offer of a code if it can be redeemed now.
    ///
    /// - Throws: `OfferError`.
    func verified(
        code name: String, _ purchase: OfferPurchase, on connection: any Connection
    ) throws -> OfferRequest {
        let key = purchase.customer.key
        guard let record = try OfferCodesTable.lock(name, app: key.app, environment.id, on: connection),
            record.productID == purchase.product.id
        else { throw OfferError(.unknownCode, name, "the product has no such code") }
        let before = OfferCode.Redemptions(
            ofCode: record.redemptions,
            ofAppThisQuarter: try OfferCodesTable.redemptions(
                since: purchase.now.quarterStart, limit: OfferCode.maximumPerQuarter, app: key.app, environment.id,
                on: connection),
            byCustomer: try OfferCodesTable.redemptions(of: name, by: key, on: connection))
        guard record.isActive, Self.isActive(record.code.offerID, of: purchase.product) else {
            throw OfferError(.codeExpired, name, "the seller has deactivated the code")
        }
        return try record.code.redeem(before, at: purchase.now)
    }

    /// Normalizes a code that a customer typed: ignores case and white space.
    package static func normalized(_ code: String) -> String {
        code.filter { !$0.isWhitespace }.uppercased()
    }
}

extension OfferCodeOrder {
    func code(_ name: String, created: Instant) -> OfferCode {
        switch kind {
        case .oneTime: OfferCode(code: name, offerID: offerID, kind: .oneTime, created: created, expires: expires)
        case .custom(_, let maximum):
            OfferCode(
                code: name, offerID: offerID, kind: .custom, created: created, expires: expires,
                maximumRedemptions: maximum)
        }
    }
}

extension Instant {
    /// The start of the quarter in UTC.
    fileprivate var quarterStart: Instant {
        let date = civil.date
        return Instant(CivilDate(year: date.year, month: (date.month - 1) / 3 * 3 + 1, day: 1))
    }
}
