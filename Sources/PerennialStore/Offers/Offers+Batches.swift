import Perennial
import PerennialStorage

/// Batches of codes: one order of one-time codes, or a custom code.
extension Offers {
    /// The most one-time codes of a batch (App Store Connect help, "Create offer codes").
    package static let maximumCodesInBatch = 25_000
    /// The length of Apple's one-time codes.
    private static let oneTimeCodeLength = 18

    /// Makes the codes of an order in a transaction that holds the catalog's lock.
    ///
    /// - Parameters:
    ///   - app: The app's Apple ID.
    ///   - target: The environment in which the codes are redeemed.
    /// - Throws: ``StoreError`` `.malformed` or `.offerCodeExists`.
    package func insertBatch(
        _ order: OfferCodeOrder, of product: Product, app: Int64, by actor: CatalogActor,
        in target: StoreEnvironment.ID, on connection: any Connection
    ) throws -> OfferCodeBatchesTable.Record {
        try check(order.kind, most: Self.maximumCodesInBatch)
        return try insert(order, of: product, app: app, by: actor, in: target, on: connection).batch
    }

    func insert(
        _ order: OfferCodeOrder, of product: Product, app: Int64, by actor: CatalogActor,
        in target: StoreEnvironment.ID, on connection: any Connection
    ) throws -> (batch: OfferCodeBatchesTable.Record, records: [OfferCodesTable.Record]) {
        let now = try clock.now(on: connection)
        if let expires = order.expires, expires <= now {
            throw StoreError(.malformed, "expires", "codes end in the future")
        }
        var batch = OfferCodeBatchesTable.Record(
            id: try OfferCodeBatchesTable.nextID(on: connection), environment: target, app: app,
            product: product.appleID, offerID: order.offerID, kind: .oneTime, count: nil, expires: order.expires,
            created: now, createdBy: actor.description)
        switch order.kind {
        case .oneTime(let count): batch.count = count
        case .custom(let word, let maximum):
            (batch.kind, batch.code, batch.count) = (.custom, Self.normalized(word), maximum)
        }
        try OfferCodeBatchesTable.insert(batch, on: connection)
        let records = names(of: order.kind).map { name in
            OfferCodesTable.Record(code: order.code(name, created: now), productID: product.id, batch: batch.id)
        }
        if batch.kind == .oneTime {
            try OfferCodesTable.insert(records, app: app, target, on: connection)
        } else if let record = records.first {
            guard try OfferCodesTable.insert(record, app: app, target, on: connection) else {
                throw StoreError(.offerCodeExists, record.code.code, "the app has a code of that name")
            }
        }
        return (batch, records)
    }

    /// True unless the seller has ended the offer.
    static func isActive(_ offerID: String, of product: Product) -> Bool {
        CatalogProduct(product).isCodeOfferActive(offerID) ?? true
    }

    func check(_ kind: OfferCodeOrder.Kind, most: Int) throws {
        switch kind {
        case .oneTime(let count):
            guard (1...most).contains(count) else {
                throw StoreError(.malformed, "count", "1 to \(most) codes at once")
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
        }
    }

    private func names(of kind: OfferCodeOrder.Kind) -> [String] {
        switch kind {
        case .oneTime(let count):
            let characters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
            let random = randomBytes(count * Self.oneTimeCodeLength)
            return (0..<count).map { number in
                let bytes = random[(number * Self.oneTimeCodeLength)..<((number + 1) * Self.oneTimeCodeLength)]
                return String(bytes.map { characters[Int($0) % characters.count] })
            }
        case .custom(let word, _): return [Self.normalized(word)]
        }
    }
}
