import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

/// A transaction after an Advanced Commerce request, with its subscription if it has one.
package struct AdvancedCommerceOutcome: Sendable {
    package var transaction: Transaction
    package var subscription: Subscription?
}

/// The Advanced Commerce API for products of the catalog.
///
/// The store sells products of its catalog, not items that a request describes. So a request can cancel or revoke a
/// subscription and refund a transaction, but can't change items, prices or descriptions.
package struct AdvancedCommerce: StoreChapter {
    let context: StoreContext
    let refunds: Refunds
    let subscriptions: Subscriptions
    let transactions: Transactions

    /// Turns off a subscription's renewal.
    ///
    /// - Throws: ``ServerAPIError`` 4000097, 4000133, 4030008, 4030015, 4040010.
    package func cancel(
        _ request: AdvancedCommerceCancelRequest, _ id: TransactionID, in app: App
    ) async throws -> AdvancedCommerceOutcome {
        try await change(id, request.requestInfo, storefront: request.storefront, in: app) {
            [self] subject, connection in
            guard var subscription = subject.subscription else { throw Self.noSubscription }
            subscription = try broughtUpToDate(subject, connection)
            guard subscription.isRunning else {
                throw ServerAPIError(.inactiveSubscription, "transactionId", "the subscription has ended")
            }
            try decide(.setAutoRenew(false), subscription, subject, connection)
        }
    }

    /// Ends a subscription at once and refunds its current period.
    ///
    /// - Throws: ``ServerAPIError`` 4000097, 4000133, 4000158, 4000186, 4030008, 4030021, 4040010.
    package func revoke(
        _ request: AdvancedCommerceRevokeRequest, _ id: TransactionID, in app: App
    ) async throws -> AdvancedCommerceOutcome {
        try await change(id, request.requestInfo, storefront: request.storefront, in: app) {
            [self] subject, connection in
            guard subject.subscription != nil else { throw Self.noSubscription }
            let subscription = try broughtUpToDate(subject, connection)
            guard subscription.isRunning else {
                throw ServerAPIError(
                    .revokeOnInactiveSubscription, "transactionId", "only an active subscription can be revoked")
            }
            let current = try transactions.transaction(subscription.current.transactionID, in: app, on: connection)
            guard try isGranted(request.refundReason) else { return try decline(current, subject, connection) }
            let refund = Refund(request.refundType == .prorated ? .prorated : .full, reason: .other)
            try decide(.refunded(current, refund), subscription, subject, connection)
        }
    }

    /// Refunds a transaction, whose only item is its product.
    ///
    /// - Throws: ``ServerAPIError`` 4000000, 4000097, 4000133, 4000135, 4000158, 4000182, 4030021, 4030024, 4040010,
    ///   4040016.
    package func refund(
        _ request: AdvancedCommerceRefundRequest, _ id: TransactionID, in app: App
    ) async throws -> AdvancedCommerceOutcome {
        try await change(id, request.requestInfo, storefront: request.storefront, in: app) {
            [self] subject, connection in
            let item = try Self.item(of: request, subject.transaction)
            let currency = subject.transaction.price.currency
            guard request.currency == nil || request.currency == currency.rawValue else {
                throw ServerAPIError(.generalBadRequest, "currency", "the transaction's is \(currency)")
            }
            guard try isGranted(item.refundReason) else {
                return try decline(subject.transaction, subject, connection)
            }
            let refund = try Self.refund(item, of: subject.transaction)
            guard subject.subscription != nil else {
                var revision = try CustomersTable.lock(subject.key, on: connection)
                _ = try refunds.refundPurchase(
                    subject.transaction, refund, subject.key, at: try clock.now(on: connection), revision: &revision,
                    on: connection)
                return
            }
            let subscription = try broughtUpToDate(subject, connection)
            let isNewest = subscription.current.transactionID == subject.transaction.id
            guard item.refundType != .prorated || isNewest else {
                throw ServerAPIError(
                    .proratedOnlyLatestTransaction, "refundType", "only the newest period can be refunded in proportion"
                )
            }
            try decide(.refunded(subject.transaction, refund), subscription, subject, connection)
        }
    }

    /// Refuses a change of items, price or description.
    ///
    /// - Throws: ``ServerAPIError`` 4030010 always; 4030008 and 4040010 before that.
    package func refuseChange(_ id: TransactionID, in app: App) async throws -> Never {
        try await database.read { [self] connection in
            let found = try transactions.oneTransaction(id, in: app, on: connection)
            guard found.type == .autoRenewable else { throw Self.noSubscription }
        }
        throw ServerAPIError(
            .subscriptionNotEligible, "transactionId", "the subscription is of a product of the catalog: change that")
    }
}

/// The subject of a request.
private struct Subject {
    var transaction: Transaction
    var subscription: Subscription?
    var key: CustomerKey
    var entry: CatalogCache.Entry
}

extension AdvancedCommerce {
    /// Looks up a request's subject, stores its reference ID and runs it, all in one commit.
    private func change(
        _ id: TransactionID, _ info: AdvancedCommerceRequestInfo, storefront: String?, in app: App,
        _ body: @escaping @Sendable (Subject, any Connection) throws -> Void
    ) async throws -> AdvancedCommerceOutcome {
        try await subscriptions.write { [self] connection in
            let key = try transactions.customer(of: id, in: app, on: connection)
            _ = try CustomersTable.lock(key, on: connection)
            guard let entry = try catalog.entry(number: app.appleID, on: connection) else { throw Self.noSubscription }
            let subject = try subject(id, key, entry, on: connection)
            guard storefront == nil || storefront == subject.transaction.storefront.rawValue else {
                throw ServerAPIError(
                    .mismatchedStorefront, "storefront", "the customer's is \(subject.transaction.storefront.rawValue)")
            }
            guard
                try AdvancedCommerceRequestsTable.insert(
                    info.requestReferenceId.name, at: try clock.now(on: connection), self.key(of: app), on: connection)
            else {
                throw ServerAPIError(
                    .repeatedRequestReferenceID, "requestReferenceId", "a request is named once")
            }
            do {
                try body(subject, connection)
            } catch let error as RefundError {
                throw ServerAPIError(error)
            } catch let error as SubscriptionError {
                throw ServerAPIError(.subscriptionNotEligible, "transactionId", error.reason)
            }
            let changed = try self.subject(id, key, entry, on: connection)
            return AdvancedCommerceOutcome(transaction: changed.transaction, subscription: changed.subscription)
        }
    }

    private func subject(
        _ id: TransactionID, _ key: CustomerKey, _ entry: CatalogCache.Entry, on connection: any Connection
    ) throws -> Subject {
        let transaction = try transactions.transaction(id, in: entry.app, on: connection)
        let subscription = try SubscriptionsTable.subscription(
            transaction.originalID, app: key.app, environment.id, on: connection)
        return Subject(transaction: transaction, subscription: subscription, key: key, entry: entry)
    }

    private func broughtUpToDate(_ subject: Subject, _ connection: any Connection) throws -> Subscription {
        var revision = try CustomersTable.lock(subject.key, on: connection)
        let now = try clock.now(on: connection).wholeSeconds
        return try subscriptions.broughtUpToDate(
            subject.transaction.originalID, subject.key, subject.entry, until: now, revision: &revision, on: connection)
    }

    private func decide(
        _ event: SubscriptionEvent, _ subscription: Subscription, _ subject: Subject, _ connection: any Connection
    ) throws {
        var revision = try CustomersTable.lock(subject.key, on: connection)
        let now = try clock.now(on: connection).wholeSeconds
        var context = try subscriptions.renewalContext(of: subscription, subject.entry, on: connection)
        if case .refunded(let period, _) = event {
            context.sales[period.id] = try transactions.salePostings(of: period.id, subject.key, on: connection)
        }
        let decision = try subscription.decide(event, at: now, in: context, id: ids.next)
        try subscriptions.record(decision, subject.key, revision: &revision, on: connection)
    }

    private func decline(_ transaction: Transaction, _ subject: Subject, _ connection: any Connection) throws {
        let refused = RefundSubject(transaction: transaction, key: subject.key, entry: subject.entry)
        try refunds.notifyRefundDeclined(refused, at: try clock.now(on: connection), on: connection)
    }

    private func isGranted(_ reason: AdvancedCommerceRefundReason) throws -> Bool {
        guard reason == .simulateRefundDecline else { return true }
        guard environment.kind.isForTests else {
            throw ServerAPIError(
                .simulateRefundDeclineOnlyInSandbox, "refundReason", "SIMULATE_REFUND_DECLINE is for Sandbox")
        }
        return false
    }

    private static func item(
        of request: AdvancedCommerceRefundRequest, _ transaction: Transaction
    ) throws -> AdvancedCommerceRefundRequest.Item {
        guard let item = request.items.first, request.items.count == 1,
            item.SKU == transaction.productID.rawValue
        else {
            throw ServerAPIError(
                .productNotFound, "SKU", "the transaction's one item is \(transaction.productID)")
        }
        guard item.revoke else {
            throw ServerAPIError(
                .operationNotAllowed, "revoke", "in this store access ends with a refund: revoke is true")
        }
        return item
    }

    private static func refund(
        _ item: AdvancedCommerceRefundRequest.Item, of transaction: Transaction
    ) throws -> Refund {
        switch item.refundType {
        case .full: return Refund(.full, reason: .other)
        case .prorated: return Refund(.prorated, reason: .other)
        case .custom:
            let price = transaction.price.milliunits
            let amount = item.refundAmount ?? 0
            guard price > 0, amount <= price else {
                throw ServerAPIError(
                    .transactionNotRefundable, "refundAmount", "no more than \(price) was paid")
            }
            guard amount < price else { return Refund(.full, reason: .other) }
            let share = price.dividingFullWidth(Refund.wholePercentage.multipliedFullWidth(by: amount)).quotient
            return Refund(.percentage(milliunits: max(share, 1)), reason: .other)
        }
    }

    private static var noSubscription: ServerAPIError {
        ServerAPIError(.subscriptionDoesNotExist, "transactionId", "the transaction is of no subscription")
    }
}

extension Subscription {
    /// True if it can be cancelled or revoked: it is active, or a charge is being retried.
    fileprivate var isRunning: Bool {
        switch state {
        case .active, .gracePeriod, .billingRetry: true
        case .expired, .revoked: false
        }
    }
}

extension ServerAPIError {
    fileprivate init(_ error: RefundError) {
        switch error.code {
        case .alreadyRefunded: self.init(.alreadyRefunded, "transactionId", error.reason)
        case .alreadyRequested, .notRefunded, .notRequested, .invalidPercentage, .nothingUnused, .familyShared,
            .periodNotSaid:
            self.init(.transactionNotRefundable, "transactionId", error.reason)
        }
    }
}
