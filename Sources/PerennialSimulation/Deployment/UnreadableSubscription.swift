import Perennial
import PerennialStorage
import PerennialStore

/// A subscription whose row can't be read, as after a mistake of an operator or of an older version. It must hold up no other
/// subscription, and nothing else may be quarantined.
struct UnreadableSubscription: Sendable {
    private static let accountName = "unreadable@example.com"
    private static let product = Product.ID(rawValue: "bronze.week")

    let id: TransactionID
    let account: Account.ID
    /// End of the only period, by which its renewal was due.
    let expires: Instant

    /// Sells a subscription and overwrites its document.
    static func make(on node: Node) async throws -> UnreadableSubscription {
        let store = try await node.store()
        _ = try await store.accounts.put(
            accountName, storefront: SimulatedCatalog.storefronts[0], paymentMethod: nil, canMakePayments: nil,
            password: nil)
        let customer = try await store.accounts.customer(account: accountName, bundleID: SimulatedCatalog.bundleID)
        let sold = try await store.purchases.buy(PurchaseRequest(productID: product), by: customer)
        try await node.database.write {
            try $0.execute(
                "UPDATE subscriptions SET document = 'unreadable' WHERE original_id = $1",
                [.integer(sold.originalID.rawValue)])
        }
        return UnreadableSubscription(
            id: sold.originalID, account: customer.key.account, expires: sold.expiresDate ?? sold.purchaseDate)
    }
}
