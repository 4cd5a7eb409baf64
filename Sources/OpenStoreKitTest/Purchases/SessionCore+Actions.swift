import OpenStoreKit
import Perennial
import PerennialStore

extension SessionCore {
    func refund(_ identifier: UInt) async throws {
        let transaction = try await transaction(identifier)
        _ = try await store.refunds.refund(transaction.id, Refund(reason: .other))
    }

    func delete(_ identifier: UInt) async throws {
        _ = try await transaction(identifier)
        try await store.transactions.delete(TransactionID(rawValue: Int64(clamping: identifier)))
    }

    func perform(_ action: Subscriptions.Action, onTransaction identifier: UInt) async throws {
        _ = try await store.subscriptions.perform(action, on: try await subscription(ofTransaction: identifier))
    }

    /// Decides a purchase that waits for approval.
    func decide(_ identifier: UInt, approved: Bool) async throws {
        let number = Int64(clamping: identifier)
        guard try await store.purchases.isWaiting(number, for: .approval, bundleID: bundleID) else {
            throw SKTestError(.noTransactionFound, "\(identifier): no such purchase waits for approval")
        }
        _ = try await store.askToBuy.answer(number, approved: approved)
    }

    /// Ends a subscription as its customer's decision not to renew.
    func expire(product productID: String) async throws {
        try await perform(.setAutoRenew(false), onProduct: productID)
        try await perform(.expire, onProduct: productID)
    }

    func perform(_ action: Subscriptions.Action, onProduct productID: String) async throws {
        try await schedule.bringUpToDate()
        _ = try await store.subscriptions.perform(action, on: try await subscription(toProduct: productID))
    }

    func resolveIssue(_ identifier: UInt) async throws {
        let number = Int64(clamping: identifier)
        if try await store.purchases.isWaiting(number, for: .interruption, bundleID: bundleID) {
            _ = try await store.purchases.resolveInterruption(number, completed: true)
            return
        }
        let id = try await subscription(ofTransaction: identifier)
        guard try await store.subscriptions.snapshot(of: id).subscription.isInBillingRetry == true else {
            throw SKTestError(.invalidAction, "\(identifier): the transaction has no issue")
        }
        // This payment succeeds; later renewals fail again if the session says so.
        var settings = try await store.renewals.billingSettings(for: nil)
        let fails = settings.renewalsFail
        settings.renewalsFail = false
        _ = try await store.renewals.setBillingSettings(settings, for: nil)
        let resolved: Result<SubscriptionSnapshot, any Error>
        do {
            resolved = .success(try await store.subscriptions.setPaymentMethod(.valid, of: id))
        } catch {
            resolved = .failure(error)
        }
        settings.renewalsFail = fails
        _ = try await store.renewals.setBillingSettings(settings, for: nil)
        _ = try resolved.get()
    }
}
