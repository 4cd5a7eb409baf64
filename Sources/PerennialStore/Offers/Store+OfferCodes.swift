import Perennial
import PerennialStorage

/// What codes a seller wants.
package struct OfferCodeOrder: Sendable {
    package enum Kind: Sendable {
        /// So many codes, each for one customer. The store makes their names.
        case oneTime(count: Int)
        /// One word for many customers.
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

extension Store {
    /// A limit of ours on how many codes are made or listed at once.
    package static let maximumOfferCodes = 1000
    /// A limit of ours on custom codes.
    package static let maximumCodeLength = 64
    /// As many letters and digits as Apple's one-time codes have.
    private static let oneTimeCodeLength = 18

    /// Makes codes for an offer of a product.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`, `.offerNotFound`, `.offerCodeExists`, `.malformed`.
    package func makeOfferCodes(
        _ order: OfferCodeOrder, of bundleID: App.BundleID
    ) async throws -> [OfferCodesTable.Record] {
        let names = try names(of: order.kind)
        return try await write { [self] connection in
            let entry = try app(bundleID, on: connection)
            guard entry.products[order.productID]?.referenceName(ofCodeOffer: order.offerID) != nil else {
                throw StoreError(.offerNotFound, order.offerID, "\(order.productID) has no offer of that ID for codes")
            }
            let now = try clock.now(on: connection)
            if let expires = order.expires, expires <= now {
                throw StoreError(.malformed, "expires", "codes end in the future")
            }
            return try names.map { name in
                let record = OfferCodesTable.Record(
                    code: order.code(name, created: now), productID: order.productID)
                guard
                    try OfferCodesTable.insert(record, app: entry.app.appleID, environment.id, on: connection)
                else { throw StoreError(.offerCodeExists, name, "the app has a code of that name") }
                return record
            }
        }
    }

    /// Codes of an app with how often they were redeemed, in the order of their names, after a given one.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`.
    package func offerCodes(
        of bundleID: App.BundleID, after name: String = ""
    ) async throws -> [OfferCodesTable.Record] {
        try await database.read { [self] connection in
            let entry = try app(bundleID, on: connection)
            return try OfferCodesTable.all(
                app: entry.app.appleID, after: name, limit: Self.maximumOfferCodes, environment.id, on: connection)
        }
    }

    /// Redeems a code: buys the product that it is for, under its offer.
    ///
    /// - Throws: `PurchaseRefusal`, ``StoreError``; then nothing was charged, and the code is as good as before.
    package func redeem(_ code: String, idempotencyKey: String?, by customer: Customer) async throws -> Transaction {
        let result = try await write { [self] connection in
            let request = try request(redeeming: code, key: idempotencyKey, customer, on: connection)
            return try sell(request, to: customer, on: connection)
        }
        return try result.get()
    }

    private func request(
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

    /// The offer of a code, if it can be redeemed now.
    ///
    /// - Throws: `OfferError`.
    func proven(
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
        return try record.code.redeem(before, at: purchase.now)
    }

    /// Codes are read off posters: neither case nor the space around them counts.
    static func normalized(_ code: String) -> String {
        code.filter { !$0.isWhitespace }.uppercased()
    }

    private func names(of kind: OfferCodeOrder.Kind) throws -> [String] {
        switch kind {
        case .oneTime(let count):
            guard (1...Self.maximumOfferCodes).contains(count) else {
                throw StoreError(.malformed, "count", "1 to \(Self.maximumOfferCodes) codes at once")
            }
            let characters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
            return (0..<count).map { _ in
                String(randomBytes(Self.oneTimeCodeLength).map { characters[Int($0) % characters.count] })
            }
        case .custom(let word, let maximum):
            let name = Self.normalized(word)
            guard (1...Self.maximumCodeLength).contains(name.utf8.count),
                name.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) })
            else {
                throw StoreError(.malformed, "code", "a code has 1 to \(Self.maximumCodeLength) letters and digits")
            }
            if let maximum, !(1...OfferCode.maximumPerQuarter).contains(maximum) {
                throw StoreError(.malformed, "maximumRedemptions", "1 to \(OfferCode.maximumPerQuarter)")
            }
            return [name]
        }
    }
}

extension OfferCodeOrder {
    fileprivate func code(_ name: String, created: Instant) -> OfferCode {
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
    /// The beginning of the quarter of the year, in UTC.
    fileprivate var quarterStart: Instant {
        let date = civil.date
        return Instant(CivilDate(year: date.year, month: (date.month - 1) / 3 * 3 + 1, day: 1))
    }
}
