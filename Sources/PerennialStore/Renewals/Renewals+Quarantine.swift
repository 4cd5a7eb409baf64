import Logging
import Perennial
import PerennialStorage

/// A quarantined subscription: its due work fails.
package struct QuarantinedSubscription: Hashable, Sendable {
    package var id: TransactionID
    package var bundleID: App.BundleID
    /// The beginning by the wall clock.
    package var since: Instant
    /// The error, for an operator.
    package var reason: String
}

/// The quarantine of subscriptions whose renewals fail because of their own data: the row can't be read, or the rules
/// refuse the step.
///
/// The work skips them so that they delay no others; log and metrics report them. A change of such a subscription
/// that succeeds releases it; so does an operator.
extension Renewals {
    /// The most subscriptions in one listing.
    static let maximumQuarantinedListed = 1_000

    /// Returns the quarantined subscriptions by app and ID: the first ``maximumQuarantinedListed``.
    package func quarantined() async throws -> [QuarantinedSubscription] {
        try await database.read { [self] connection in
            try SubscriptionsTable.quarantined(
                environment.id, limit: Self.maximumQuarantinedListed, on: connection
            ).compactMap { found in
                guard let entry = try catalog.entry(number: found.app, on: connection) else { return nil }
                return QuarantinedSubscription(
                    id: found.id, bundleID: entry.app.bundleID, since: found.since, reason: found.reason)
            }
        }
    }

    /// Releases a subscription from quarantine.
    ///
    /// - Throws: ``StoreError`` `.subscriptionNotQuarantined`; `.subscriptionUnreadable` if its row still can't be read.
    package func releaseFromQuarantine(_ id: TransactionID) async throws {
        try await database.write { [self] connection in
            guard let app = try SubscriptionsTable.quarantined(id, environment.id, on: connection) else {
                throw StoreError(
                    .subscriptionNotQuarantined, id.description, "no subscription of that ID is quarantined")
            }
            let found: Subscription?
            do {
                found = try SubscriptionsTable.subscription(id, app: app, environment.id, on: connection)
            } catch let error as StorageError where error.code == .corrupt {
                throw StoreError(.subscriptionUnreadable, id.description, error.reason)
            }
            guard let subscription = found else { return }
            let key = CustomerKey(environment: environment.id, app: app, account: subscription.accountID)
            _ = try CustomersTable.lock(key, on: connection)
            // Checked after taking the lock: a change may have released it meanwhile.
            guard try SubscriptionsTable.quarantined(id, environment.id, on: connection) != nil,
                let current = try SubscriptionsTable.subscription(id, app: app, environment.id, on: connection)
            else { return }
            try SubscriptionsTable.put(current, key, on: connection)
        }
    }

    func quarantine(_ failure: RenewalFailure, on connection: any Connection) throws {
        try SubscriptionsTable.quarantine(
            failure.id, dueAt: failure.due, app: failure.key.app, environment.id, at: clock.wallClockNow,
            reason: failure.reason, on: connection)
    }

    func quarantine(_ failure: RenewalFailure) async throws {
        try await database.write { [self] in try quarantine(failure, on: $0) }
        report([failure])
    }

    func report(_ failures: [RenewalFailure]) {
        for failure in failures {
            logger.error(
                "a subscription is quarantined: what is due for it can't be done",
                metadata: [
                    "environment": "\(environment.name)", "app": "\(failure.key.app)", "subscription": "\(failure.id)",
                    "due": "\(failure.due.rfc3339())", "error": "\(failure.reason)",
                ])
        }
    }

    func metadata(_ error: any Error) -> Logger.Metadata {
        ["environment": "\(environment.name)", "error": "\(error)"]
    }
}

extension Error {
    /// True if the data of single rows may have caused it. Other errors concern the database, the node or the task, and the
    /// work is tried again later.
    var isCausedByRowData: Bool {
        switch self {
        case let error as StorageError: [.corrupt, .constraint, .wrongType, .invalidText].contains(error.code)
        case is SubscriptionError, is FamilyError, is OfferError, is RecordDecodingError, is DecodingError: true
        default: false
        }
    }
}
