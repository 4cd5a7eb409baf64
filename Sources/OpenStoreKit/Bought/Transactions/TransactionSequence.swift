import Foundation

extension Transaction {
    /// All transactions of the customer in this app, newest first.
    ///
    /// Leaves out finished consumables, unless they were refunded or revoked, or the app's Info.plist has
    /// `SKIncludeConsumableInAppPurchaseHistory`.
    ///
    /// Source: Apple, StoreKit documentation, "all".
    public static var all: Transactions { Transactions(kind: .all(nil)) }

    /// All transactions of a product, newest first; as ``all``.
    public static func all(for productID: String) -> Transactions { Transactions(kind: .all(productID)) }

    /// The transactions that entitle the customer to products now, oldest first.
    ///
    /// Source: Apple, StoreKit documentation, "currentEntitlements".
    public static var currentEntitlements: Transactions { Transactions(kind: .currentEntitlements(nil)) }

    /// The transactions that entitle the customer to a product now, oldest first.
    public static func currentEntitlements(for productID: String) -> Transactions {
        Transactions(kind: .currentEntitlements(productID))
    }

    /// The transactions that the app has not finished, oldest first.
    ///
    /// Source: Apple, StoreKit documentation, "unfinished".
    public static var unfinished: Transactions { Transactions(kind: .unfinished) }

    /// Transactions from outside of the app's own purchases: renewals, approvals, refunds, offer codes, other devices; unfinished ones
    /// first.
    ///
    /// Follows the store of the task or the process. Several iterators get every transaction each. Ends when the task is cancelled.
    ///
    /// Source: Apple, StoreKit documentation, "updates".
    public static var updates: Transactions { Transactions(kind: .updates) }

    /// Returns the transaction that entitles the customer to a product now.
    ///
    /// Source: Apple, StoreKit documentation, "currentEntitlement(for:)".
    @available(iOS, introduced: 15.0, deprecated: 18.4, renamed: "currentEntitlements(for:)")
    public static func currentEntitlement(for productID: String) async -> VerificationResult<Transaction>? {
        guard let sync = CurrentStore.connection?.transactionSync else { return nil }
        await sync.waitUntilCurrent()
        return sync.currentEntitlements(of: productID).last.flatMap { sync.result($0) }
    }

    /// Returns the newest transaction of a product, also an expired or revoked one.
    ///
    /// Source: Apple, StoreKit documentation, "latest(for:)".
    public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
        guard let sync = CurrentStore.connection?.transactionSync else { return nil }
        await sync.waitUntilCurrent()
        return sync.history(of: productID).first.flatMap { sync.result($0) }
    }

    /// Status of the subscription that the transaction belongs to; `nil` without one.
    ///
    /// Source: Apple, StoreKit documentation, "subscriptionStatus".
    public var subscriptionStatus: Product.SubscriptionInfo.Status? {
        get async {
            guard let sync = content.sync.object else { return nil }
            await sync.waitUntilCurrent()
            return sync.status(ofTransaction: originalID)
        }
    }

    /// Sequence of transactions.
    ///
    /// Source: Apple, StoreKit documentation, "Transaction.Transactions".
    public struct Transactions: AsyncSequence, Sendable {
        public typealias Element = VerificationResult<Transaction>

        enum Kind: Sendable {
            case all(String?)
            case currentEntitlements(String?)
            case unfinished
            case updates
        }

        let kind: Kind
        /// Store of the task that made the sequence.
        private let taskConnection = CurrentStore.taskConnection

        init(kind: Kind) {
            self.kind = kind
        }

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(kind, taskConnection ?? CurrentStore.taskConnection)
        }

        /// Iterator of transactions.
        public struct AsyncIterator: AsyncIteratorProtocol {
            public typealias Element = VerificationResult<Transaction>

            private enum Source {
                case updates(UpdateFeed<Element>, AsyncStream<Element>.AsyncIterator)
                case query(Kind, StoreConnection?)
                case found(ArraySlice<VaultTransaction>, TransactionSync)
                case ended
            }

            private var source: Source

            init(_ kind: Kind, _ taskConnection: StoreConnection?) {
                if case .updates = kind {
                    let feed = UpdateFeed<Element>(
                        taskConnection, { $0.transactions }, replay: { $0.unfinishedResults })
                    source = .updates(feed, feed.stream.makeAsyncIterator())
                } else {
                    source = .query(kind, taskConnection ?? CurrentStore.connection)
                }
            }

            public mutating func next() async -> VerificationResult<Transaction>? {
                if case .updates(let feed, var iterator) = source {
                    let next = await iterator.next()
                    source = .updates(feed, iterator)
                    return next
                }
                if case .query(let kind, let connection) = source { await find(kind, connection) }
                // A cancelled task gets no more.
                guard case .found(var rest, let sync) = source, !Task.isCancelled else { return nil }
                while let stored = rest.popFirst() {
                    source = .found(rest, sync)
                    if let result = sync.result(stored) { return result }
                }
                source = .ended
                return nil
            }

            private mutating func find(_ kind: Kind, _ connection: StoreConnection?) async {
                guard let sync = connection?.transactionSync else {
                    source = .ended
                    return
                }
                await sync.waitUntilCurrent()
                let found: [VaultTransaction] =
                    switch kind {
                    case .all(let productID): sync.history(of: productID)
                    case .currentEntitlements(let productID): sync.currentEntitlements(of: productID)
                    case .unfinished, .updates: sync.vault.undelivered
                    }
                source = .found(found[...], sync)
            }
        }
    }
}

extension TransactionSync {
    /// Unfinished transactions, for a new listener.
    var unfinishedResults: [VerificationResult<Transaction>] {
        vault.undelivered.compactMap { result($0) }
    }
}
