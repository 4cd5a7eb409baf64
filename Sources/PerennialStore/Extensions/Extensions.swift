import Perennial
import PerennialStorage

/// The result of an extension.
package struct ExtendedRenewal: Sendable {
    /// The subscription with the transaction whose expiry moved.
    package var snapshot: SubscriptionSnapshot
    /// The new renewal date.
    package var effectiveDate: Instant
    /// The order line item of the extended period.
    package var webOrderLineItemID: Int64?
}

/// Extensions of renewal dates: of one subscription, and of all subscribers of a product.
package struct Extensions: StoreChapter {
    let context: StoreContext
    let outbox: NotificationOutbox
    let subscriptions: Subscriptions

    /// Extends a subscription's renewal date, after bringing it up to date.
    ///
    /// A request identifier is used once a subscription: a second request gets the first one's answer, and extends nothing.
    ///
    /// - Parameters:
    ///   - id: The original transaction ID.
    ///   - bundleID: The app that the subscription must belong to; `nil` for callers who may act on any.
    /// - Throws: ``ExtensionError``.
    package func extend(
        _ id: TransactionID, _ request: RenewalExtension, bundleID: App.BundleID? = nil
    ) async throws -> ExtendedRenewal {
        try request.checkIdentifier()
        return try await subscriptions.write { [self] connection in
            let (found, entry) = try extensible(id, bundleID, on: connection)
            let key = customerKey(of: found.accountID, in: entry.app)
            var revision = try CustomersTable.lock(key, on: connection)
            let now = try clock.now(on: connection).wholeSeconds
            let current = try subscriptions.broughtUpToDate(
                id, key, entry, until: now, revision: &revision, on: connection)
            if let granted = current.extensions.last(where: { $0.requestID == request.requestID }) {
                return try extended(current, until: granted.until, entry, on: connection)
            }
            do {
                let decision = try current.decide(
                    .extended(request), at: now,
                    in: try subscriptions.renewalContext(of: current, entry, on: connection), id: ids.next)
                try subscriptions.record(decision, key, revision: &revision, on: connection)
                let subscription = decision.subscription
                return try extended(subscription, until: subscription.paidUntil, entry, on: connection)
            } catch let error as SubscriptionError {
                throw ExtensionError(error) ?? error
            }
        }
    }

    /// Returns an identifier for a request without one.
    package func freshRequestIdentifier() async throws -> String {
        try await context.write { [ids] _ in "request-\(try ids.next())" }
    }

    private func extensible(
        _ id: TransactionID, _ bundleID: App.BundleID?, on connection: any Connection
    ) throws -> (Subscription, CatalogCache.Entry) {
        do {
            let (found, entry) = try subscriptions.subscription(id, on: connection)
            if bundleID == nil || bundleID == entry.app.bundleID { return (found, entry) }
        } catch let error as StoreError where error.code == .transactionNotFound {}
        throw ExtensionError(
            .subscriptionNotFound, id.description, "the app has no subscription with that original transaction")
    }

    private func extended(
        _ subscription: Subscription, until date: Instant, _ entry: CatalogCache.Entry, on connection: any Connection
    ) throws -> ExtendedRenewal {
        let snapshot = try subscriptions.snapshot(of: subscription, entry, on: connection)
        return ExtendedRenewal(
            snapshot: snapshot, effectiveDate: date, webOrderLineItemID: snapshot.transaction.webOrderLineItemID)
    }
}
