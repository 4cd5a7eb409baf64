import Perennial
import PerennialStorage

/// The state of a transaction in lists: one for each transaction.
package enum TransactionState: String, Sendable, CaseIterable {
    /// Paid and neither ended nor taken back.
    case paid
    case refunded
    /// Access was revoked without a refund: a family's share has ended.
    case revoked
    /// The end of the period has passed.
    case expired
    /// The customer has changed to another product of the group.
    case upgraded

    package init(_ transaction: Transaction, at now: Instant) {
        self =
            switch transaction.revocation?.kind {
            case .familyRevoke: .revoked
            case .some: .refunded
            case nil where transaction.isUpgraded: .upgraded
            case nil: transaction.expiresDate.map { $0 <= now } ?? false ? .expired : .paid
            }
    }
}

/// Conditions on the refunds of transactions.
package struct RefundFilter: Sendable, Hashable {
    package var reason: Transaction.Revocation.Reason?
    /// The earliest date of a refund.
    package var from: Instant?
    /// The end of the dates of refunds, itself excluded.
    package var until: Instant?

    package init(reason: Transaction.Revocation.Reason? = nil, from: Instant? = nil, until: Instant? = nil) {
        (self.reason, self.from, self.until) = (reason, from, until)
    }

    func matches(_ revocation: Transaction.Revocation?) -> Bool {
        guard let revocation else { return false }
        return (reason == nil || revocation.reason == reason) && revocation.date >= from ?? .beginningOfTime
            && until.map { revocation.date < $0 } ?? true
    }
}

/// Conditions on the transactions of a list: those match that meet all that are set.
package struct TransactionFilter: Sendable, Hashable {
    /// The account's name.
    package var account: String?
    package var product: Product.ID?
    package var type: ProductType?
    package var state: TransactionState?
    /// The earliest purchase date.
    package var from: Instant?
    /// The end of purchase dates, itself excluded.
    package var until: Instant?
    /// Conditions on the refund, which the transactions need to have.
    package var refund: RefundFilter?

    package init(
        account: String? = nil, product: Product.ID? = nil, type: ProductType? = nil, state: TransactionState? = nil,
        from: Instant? = nil, until: Instant? = nil, refund: RefundFilter? = nil
    ) {
        (self.account, self.product, self.type, self.state) = (account, product, type, state)
        (self.from, self.until, self.refund) = (from, until, refund)
    }

    /// Returns true if a transaction of the account meets the conditions.
    func matches(_ transaction: Transaction, at now: Instant) -> Bool {
        (product == nil || transaction.productID == product) && (type == nil || transaction.type == type)
            && (state == nil || TransactionState(transaction, at: now) == state)
            && refund?.matches(transaction.revocation) != false
    }

    /// The transactions that an index finds, among which the conditions are checked.
    func range(account: Account.ID?) -> TransactionsTable.ListRange {
        if let account { return .account(account) }
        if state == .refunded || state == .revoked { return .revoked }
        return product.map { .product($0) } ?? .all
    }

    /// Returns true if all transactions of a range meet the conditions.
    func isMet(by range: TransactionsTable.ListRange) -> Bool {
        guard type == nil, state == nil, refund == nil else { return false }
        if case .product = range { return true }
        return product == nil
    }
}

extension Transactions {
    /// Returns transactions of an app, the newest purchase dates first.
    ///
    /// A page reads no more than ``PageReader/maximumRows`` rows: if few of them meet the filter, it is shorter than its limit
    /// and has a cursor.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`, `.accountNotFound`; `.malformed` for a cursor that isn't one.
    package func list(
        of bundleID: App.BundleID, _ filter: TransactionFilter = TransactionFilter(), after cursor: String? = nil,
        limit: Int
    ) async throws -> (page: ListPage<Listed<Transaction>>, now: Instant) {
        let limit = ListLimit.clamped(limit)
        var start = try cursor.map { try Self.place($0) } ?? .end
        if let until = filter.until {
            start = min(start, .init(purchased: until, id: TransactionID(rawValue: .min)))
        }
        return try await database.read { [self, start] connection in
            let app = try app(bundleID, on: connection).app.appleID
            let account = try filter.account.map { try accountID(named: $0, on: connection) }
            let now = try clock.now(on: connection)
            let range = filter.range(account: account)
            let reader = PageReader(
                limit: limit,
                read: { place, count in
                    try TransactionsTable.newest(
                        range, before: place, from: filter.from ?? .beginningOfTime, limit: count, app: app,
                        environment.id, on: connection)
                }, place: TransactionsTable.ListPlace.init)
            let (found, next) = try reader.page(
                after: start, filter.isMet(by: range) ? nil : { filter.matches($0, at: now) })
            return (
                ListPage(
                    try named(found, \.accountID, on: connection),
                    next: next.map { ListCursor.text($0.purchased.milliseconds, $0.id.rawValue) }), now
            )
        }
    }

    private static func place(_ cursor: String) throws -> TransactionsTable.ListPlace {
        let numbers = try ListCursor.numbers(cursor, count: 2)
        return .init(purchased: Instant(milliseconds: numbers[0]), id: TransactionID(rawValue: numbers[1]))
    }
}
