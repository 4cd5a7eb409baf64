import Foundation
import OpenStoreKit
import Perennial
import PerennialStore

extension SessionCore {
    /// Returns the transactions by purchase date, oldest first, with purchases that wait.
    func allTransactions() async throws -> [TestTransactionFacts] {
        try await schedule.bringUpToDate()
        var transactions: [Perennial.Transaction] = []
        var cursor: String?
        repeat {
            let page = try await store.transactions.list(of: bundleID, after: cursor, limit: 1000).page
            transactions += page.items.map(\.value)
            cursor = page.next
        } while cursor != nil
        let subscriptions = try await allSubscriptions()
        let facts = transactions.map { TestTransactionFacts($0, subscriptions[$0.originalID]) }
        let waiting =
            try await store.askToBuy.approvals(bundleID: bundleID)
            .map { TestTransactionFacts($0, state: .deferred) }
            + store.purchases.interruptions(bundleID: bundleID).map { TestTransactionFacts($0, state: .failed) }
        return (facts + waiting).sorted {
            ($0.purchaseDate, $0.identifier) < ($1.purchaseDate, $1.identifier)
        }
    }

    /// Returns all subscriptions by original transaction ID.
    func allSubscriptions() async throws -> [TransactionID: Subscription] {
        var subscriptions: [TransactionID: Subscription] = [:]
        var cursor: String?
        repeat {
            let page = try await store.subscriptions.list(of: bundleID, after: cursor, limit: 1000).page
            for item in page.items { subscriptions[item.value.id] = item.value }
            cursor = page.next
        } while cursor != nil
        return subscriptions
    }

    /// Returns a transaction.
    ///
    /// - Throws: ``SKTestError`` `.noTransactionFound`.
    func transaction(_ identifier: UInt) async throws -> Perennial.Transaction {
        do {
            return try await store.transactions.transaction(
                TransactionID(rawValue: Int64(clamping: identifier)), of: try await store.app(bundleID))
        } catch {
            throw SKTestError(.noTransactionFound, "\(identifier): the session has no transaction with this identifier")
        }
    }

    /// Returns the original transaction ID of a subscription's transaction.
    ///
    /// - Throws: ``SKTestError`` `.noTransactionFound`, `.invalidProductType`.
    func subscription(ofTransaction identifier: UInt) async throws -> TransactionID {
        let transaction = try await transaction(identifier)
        guard transaction.type == .autoRenewable else {
            throw SKTestError(
                .invalidProductType, "\(identifier): \(transaction.productID) is not an auto-renewable subscription")
        }
        return transaction.originalID
    }

    /// Returns the original transaction ID of the newest subscription to a product.
    ///
    /// - Throws: ``SKTestError`` `.invalidProductIdentifier`, `.noSubscriptionFound`.
    func subscription(toProduct productID: String) async throws -> TransactionID {
        guard let product = configuration.app.products.first(where: { $0.id.rawValue == productID }) else {
            throw SKTestError(.invalidProductIdentifier, "\(productID): the configuration file has no such product")
        }
        guard product.type == .autoRenewable else {
            throw SKTestError(.invalidProductType, "\(productID) is not an auto-renewable subscription")
        }
        let found = try await allSubscriptions().values.filter { $0.product.id == product.id }.max { $0.id < $1.id }
        guard let found else {
            throw SKTestError(.noSubscriptionFound, "\(productID): the customer has not subscribed")
        }
        return found.id
    }
}

extension TestTransactionFacts {
    init(_ transaction: Perennial.Transaction, _ subscription: Subscription?) {
        let isNewest = subscription?.current.transactionID == transaction.id
        self.init(
            identifier: UInt(clamping: transaction.id.rawValue),
            originalIdentifier: UInt(clamping: transaction.originalID.rawValue),
            productID: transaction.productID.rawValue, state: .purchased, purchaseDate: transaction.purchaseDate.date,
            expirationDate: transaction.expiresDate?.date, cancelDate: transaction.revocation?.date.date,
            renewsAutomatically: subscription?.renewalInfo.autoRenewStatus == 1,
            hasIssue: isNewest && subscription?.isInBillingRetry == true,
            awaitsPriceConsent: isNewest && subscription?.renewal.priceIncrease == .awaitingConsent)
    }

    init(_ waiting: PurchaseApproval, state: SKPaymentTransactionState) {
        var date = Date.distantPast
        if case .waiting(let since) = waiting.pending.state { date = since.date }
        self.init(
            identifier: UInt(clamping: waiting.id), originalIdentifier: UInt(clamping: waiting.id),
            productID: waiting.request.productID.rawValue, state: state, purchaseDate: date,
            hasIssue: state == .failed, awaitsApproval: state == .deferred)
    }
}
