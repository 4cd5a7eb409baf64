import Logging
import Perennial
import PerennialStorage

/// A subscription that is left alone, because what is due for it can't be done.
package struct QuarantinedSubscription: Hashable, Sendable {
    package var id: TransactionID
    package var bundleID: App.BundleID
    /// By the clock of the world.
    package var since: Instant
    /// The error, for an operator.
    package var reason: String
}

/// Subscriptions whose renewals fail for a reason that lies in them: their row can't be read, or the rules refuse what is due.
/// They are taken out of the work, so that they hold up no other, and told of in the log and in the metrics. Whatever changes
/// such a subscription, and succeeds, puts it back; so does an operator.
extension Store {
    /// How many are listed.
    static let maximumQuarantinedListed = 1_000

    /// All that are quarantined, by app and number: the first ``maximumQuarantinedListed``.
    package func quarantinedSubscriptions() async throws -> [QuarantinedSubscription] {
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

    /// Puts a quarantined subscription back among those whose work is done when it is due.
    ///
    /// - Throws: ``StoreError`` `.subscriptionNotQuarantined`; `.subscriptionUnreadable` where its row still can't be read.
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
            // Behind the lock: a change may have put it back meanwhile.
            guard try SubscriptionsTable.quarantined(id, environment.id, on: connection) != nil,
                let current = try SubscriptionsTable.subscription(id, app: app, environment.id, on: connection)
            else { return }
            try SubscriptionsTable.put(current, key, on: connection)
        }
    }

    func quarantine(_ failure: RenewalFailure, on connection: any Connection) throws {
        try SubscriptionsTable.quarantine(
            failure.id, dueAt: failure.due, app: failure.key.app, environment.id, at: clock.world,
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
    /// Whether it may be due to what single rows hold. Everything else concerns the database, the node or the task, and is tried
    /// again later.
    var isOfRows: Bool {
        switch self {
        case let error as StorageError: [.corrupt, .constraint, .wrongType, .invalidText].contains(error.code)
        case is SubscriptionError, is FamilyError, is OfferError, is DocumentError, is DecodingError: true
        default: false
        }
    }
}
