import Perennial
import PerennialStorage

/// A renewal date that was moved.
package struct ExtendedRenewal: Sendable {
    /// The subscription, with the transaction whose expiry moved.
    package var standing: SubscriptionStanding
    /// The renewal date from now on.
    package var effectiveDate: Instant
    /// Of the period that was extended.
    package var webOrderLineItemID: Int64?
}

extension Store {
    /// Moves a subscription's renewal date, after all that is due for it.
    ///
    /// A request identifier counts once a subscription: asked again, the answer is the one that was given, and nothing
    /// is extended twice.
    /// - Parameters:
    ///   - id: The original transaction's number.
    ///   - bundleID: The app that the subscription must belong to; `nil` for whoever may act on any.
    /// - Throws: ``ExtensionError``.
    package func extendRenewal(
        _ id: TransactionID, _ request: RenewalExtension, bundleID: App.BundleID? = nil
    ) async throws -> ExtendedRenewal {
        try request.checkIdentifier()
        return try await write { [self] connection in
            let (found, entry) = try extensible(id, bundleID, on: connection)
            let key = CustomerKey(environment: environment.id, app: entry.app.appleID, account: found.accountID)
            var revision = try CustomersTable.lock(key, on: connection)
            let now = try clock.now(on: connection).wholeSeconds
            let current = try settled(id, key, entry, until: now, revision: &revision, on: connection)
            if let granted = current.extensions.last(where: { $0.requestID == request.requestID }) {
                return try extended(current, until: granted.until, entry, on: connection)
            }
            do {
                let decision = try current.decide(
                    .extended(request), at: now, in: try context(of: current, entry, on: connection), id: numbers.next)
                try record(decision, key, revision: &revision, on: connection)
                let subscription = decision.subscription
                return try extended(subscription, until: subscription.paidUntil, entry, on: connection)
            } catch let error as SubscriptionError {
                throw ExtensionError(error) ?? error
            }
        }
    }

    /// An identifier for a request whose caller doesn't name one.
    package func freshRequestIdentifier() async throws -> String {
        try await write { [numbers] _ in "request-\(try numbers.next())" }
    }

    private func extensible(
        _ id: TransactionID, _ bundleID: App.BundleID?, on connection: any Connection
    ) throws -> (Subscription, CatalogCache.Entry) {
        do {
            let (found, entry) = try subscription(id, on: connection)
            if bundleID == nil || bundleID == entry.app.bundleID { return (found, entry) }
        } catch let error as StoreError where error.code == .transactionNotFound {}
        throw ExtensionError(
            .subscriptionNotFound, id.description, "the app has no subscription with that original transaction")
    }

    private func extended(
        _ subscription: Subscription, until date: Instant, _ entry: CatalogCache.Entry, on connection: any Connection
    ) throws -> ExtendedRenewal {
        let standing = try standing(of: subscription, entry, on: connection)
        return ExtendedRenewal(
            standing: standing, effectiveDate: date, webOrderLineItemID: standing.transaction.webOrderLineItemID)
    }
}
