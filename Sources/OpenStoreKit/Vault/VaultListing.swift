/// A complete list of the store that comes in several pages. All that it doesn't mention is removed after the last one.
///
/// It is in memory only: after a crash the list starts again.
struct VaultListing: Sendable {
    private(set) var transactions: Set<UInt64>
    private(set) var subscriptions: Set<UInt64>
    /// The revision of the last page.
    var revision: String?

    init(_ contents: VaultContents) {
        transactions = Set(contents.transactions.map(\.id))
        subscriptions = Set(contents.subscriptions.map(\.id))
    }

    mutating func mention(_ patch: VaultPatch, unchanged: [UInt64], unchangedSubscriptions: [UInt64]) {
        transactions.subtract(patch.transactions.map(\.id))
        transactions.subtract(unchanged)
        subscriptions.subtract(patch.subscriptions.map(\.id))
        subscriptions.subtract(unchangedSubscriptions)
    }
}
