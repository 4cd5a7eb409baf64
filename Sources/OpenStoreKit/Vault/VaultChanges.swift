import Perennial

/// Signed data of the store for the vault: a page of changes, or the answer of a purchase.
package struct VaultChanges: Sendable {
    package struct Transaction: Sendable {
        /// JWS in compact form.
        package var signed: String
        package var isFinished: Bool
        /// True if the signature and its chain were verified. An unverified transaction is kept, and grants nothing.
        package var isVerified: Bool
        /// The decoded form; `nil` if it wasn't decoded yet.
        var decoded: DecodedTransaction?

        package init(signed: String, isFinished: Bool, isVerified: Bool) {
            self.signed = signed
            self.isFinished = isFinished
            self.isVerified = isVerified
        }
    }

    package struct Subscription: Sendable {
        package var originalID: UInt64
        package var groupID: String
        /// 1…5, as in the App Store Server API; `nil` if the store's answer has none, and the signed data tells.
        package var status: Int?
        package var signedTransaction: String
        package var signedRenewalInfo: String
        package var isVerified: Bool

        package init(
            originalID: UInt64, groupID: String, status: Int?, signedTransaction: String, signedRenewalInfo: String,
            isVerified: Bool
        ) {
            self.originalID = originalID
            self.groupID = groupID
            self.status = status
            self.signedTransaction = signedTransaction
            self.signedRenewalInfo = signedRenewalInfo
            self.isVerified = isVerified
        }
    }

    package var transactions: [Transaction]
    package var subscriptions: [Subscription]
    /// The store's revision after these changes; `nil` keeps the last one.
    package var revision: String?
    /// True on the first page of a complete list: all that it doesn't mention is forgotten after its last page.
    package var isComplete: Bool
    /// True if further pages follow.
    package var hasMore: Bool
    /// Time of the answer by the store's clock; `nil` if it doesn't confirm everything.
    package var confirmedAt: Instant?
    /// The vault at the request: it has to know what the answer goes on from, and a complete list forgets nothing that was stored since.
    /// `nil` for the vault as it is.
    package var base: VaultBase?

    package init(
        transactions: [Transaction] = [], subscriptions: [Subscription] = [], revision: String? = nil,
        isComplete: Bool = false, hasMore: Bool = false, confirmedAt: Instant? = nil,
        base: VaultBase? = nil
    ) {
        self.transactions = transactions
        self.subscriptions = subscriptions
        self.revision = revision
        self.isComplete = isComplete
        self.hasMore = hasMore
        self.confirmedAt = confirmedAt
        self.base = base
    }
}

/// The vault at a request for the store's changes.
package struct VaultBase: Sendable {
    package let contents: VaultContents
    /// Mark of the last import of a backup, whose purchases only a complete list that was requested later confirms.
    let lastImport: Data?

    init(_ state: VaultState) {
        contents = state.contents
        lastImport = state.documents[PurchaseVault.importDocument]
    }

    /// True for a vault in which the answer to the request still applies.
    func isBase(of state: VaultState) -> Bool {
        contents.revision == state.contents.revision && lastImport == state.documents[PurchaseVault.importDocument]
    }
}

/// An answer that goes on from another state than the vault's: since the request a backup was imported, or another process has written.
package struct OutdatedChanges: Error {}

/// An answer with signed data that is older than the vault's: a proxy has repeated it.
package struct ReplayedChanges: Error {}

/// Differences in the vault after a change.
package struct VaultDelta: Sendable {
    /// Transactions that weren't known before.
    package var added: [VaultTransaction] = []
    /// Known transactions with other facts: revoked, upgraded, extended.
    package var changed: [VaultTransaction] = []
    /// Transactions that the store no longer has.
    package var removed: [UInt64] = []
    /// Known transactions that are finished now.
    package var finished: [UInt64] = []
    /// New and changed statuses.
    package var subscriptions: [VaultSubscription] = []
    /// Original transaction IDs of subscriptions that the store no longer has.
    package var removedSubscriptions: [UInt64] = []
    /// Signed texts whose payload isn't what it should be.
    package var rejected: [String] = []
    /// Transactions and original transactions of subscriptions whose signed data in a page was older than the known, and different.
    package var replayed: [UInt64] = []

    package var isEmpty: Bool {
        added.isEmpty && changed.isEmpty && removed.isEmpty && finished.isEmpty && subscriptions.isEmpty
            && removedSubscriptions.isEmpty && rejected.isEmpty
    }
}
