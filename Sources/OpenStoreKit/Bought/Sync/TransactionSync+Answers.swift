import AppStoreFormats
import Foundation
import Perennial
import Synchronization

/// Decoded and verified transactions and statuses, for repeated reads.
final class ResultCache: Sendable {
    /// Largest number of entries; the cache is emptied when it is full.
    private static let capacity = 4_000

    private struct State {
        var transactions: [UInt64: (stored: VaultTransaction, result: VerificationResult<Transaction>)] = [:]
        var statuses: [UInt64: (stored: VaultSubscription, status: Product.SubscriptionInfo.Status)] = [:]
    }

    private let state = Mutex(State())

    func transaction(
        _ stored: VaultTransaction, make: () -> VerificationResult<Transaction>?
    ) -> VerificationResult<Transaction>? {
        if let known = state.withLock({ $0.transactions[stored.id] }), known.stored.signed == stored.signed,
            known.stored.isVerified == stored.isVerified
        {
            return known.result
        }
        guard let made = make() else { return nil }
        state.withLock { state in
            if state.transactions.count >= Self.capacity { state.transactions = [:] }
            state.transactions[stored.id] = (stored, made)
        }
        return made
    }

    func status(
        _ stored: VaultSubscription, make: () -> Product.SubscriptionInfo.Status?
    ) -> Product.SubscriptionInfo.Status? {
        if let known = state.withLock({ $0.statuses[stored.id] }), known.stored == stored { return known.status }
        guard let made = make() else { return nil }
        state.withLock { state in
            if state.statuses.count >= Self.capacity { state.statuses = [:] }
            state.statuses[stored.id] = (stored, made)
        }
        return made
    }
}

extension TransactionSync {
    // MARK: Transactions

    /// Reason that a session simulates for all verification.
    var simulatedFailure: VerificationFailure? {
        simulatedErrors.error(for: .verification).map { VerificationFailure(simulated: $0) }
    }

    /// Returns a transaction of the vault with the outcome of its verification.
    ///
    /// - Parameter decoded: The decoded transaction, if it is at hand.
    func result(
        _ stored: VaultTransaction, decoded: DecodedTransaction? = nil
    ) -> VerificationResult<Transaction>? {
        let result = results.transaction(stored) {
            let transaction =
                if let decoded, decoded.signed == stored.signed {
                    Transaction(decoded, sync: self)
                } else {
                    Transaction(stored.signed, sync: self)
                }
            guard let transaction else { return nil }
            // A transaction is verified once.
            return VerificationResult(
                transaction, stored.isVerified ? nil : verification.failure(of: stored.jws) ?? .invalidSignature)
        }
        guard let result, let failure = simulatedFailure else { return result }
        return VerificationResult(result.unsafePayloadValue, failure)
    }

    /// Transactions for `Transaction.all`, newest first: finished consumables only if they were revoked, or if the app's Info.plist
    /// has `SKIncludeConsumableInAppPurchaseHistory`.
    ///
    /// Source: Apple, StoreKit documentation, "all".
    func history(of productID: String?) -> [VaultTransaction] {
        vault.contents.transactions.reversed().filter { transaction in
            guard productID == nil || transaction.productID == productID else { return false }
            return transaction.kind != .consumable || !transaction.isFinished || transaction.revocationDate != nil
                || Self.includesConsumables
        }
    }

    private static let includesConsumables =
        Bundle.main.object(forInfoDictionaryKey: "SKIncludeConsumableInAppPurchaseHistory") as? Bool ?? false

    func currentEntitlements(of productID: String?) -> [VaultTransaction] {
        vault.contents.currentEntitlements(at: storeTime).filter { productID == nil || $0.productID == productID }
    }

    /// Returns the products to which the customer is entitled by other purchases than some that were revoked. A non-renewing
    /// subscription whose term isn't known entitles to nothing here: only the app can tell.
    package func entitledProducts(without revoked: Set<String>) async -> Set<String> {
        await synchronize()
        let contents = vault.contents
        let others = vault.entitlements.filter { entitlement in
            guard !revoked.contains(String(entitlement.transactionID)) else { return false }
            return entitlement.expirationDate != nil
                || contents.transaction(entitlement.transactionID)?.kind != .nonRenewing
        }
        return Set(others.map(\.productID))
    }

    // MARK: Subscriptions

    /// Returns true if no transaction of a group had an introductory offer.
    func isEligibleForIntroductoryOffer(inGroup groupID: String) -> Bool {
        !vault.contents.transactions.contains { stored in
            guard stored.groupID == groupID, !stored.isFamilyShared, let result = result(stored) else { return false }
            return result.unsafePayloadValue.content.payload.offerType == .introductory
        }
    }

    func statusesByGroup() -> [(String, [Product.SubscriptionInfo.Status])] {
        let groups = Dictionary(grouping: vault.contents.subscriptions, by: \.groupID)
        return groups.keys.sorted().map { ($0, groups[$0, default: []].compactMap { status($0) }) }
    }

    func statuses(inGroup groupID: String) -> [Product.SubscriptionInfo.Status] {
        vault.contents.subscriptions(inGroup: groupID).compactMap { status($0) }
    }

    func status(ofTransaction id: UInt64) -> Product.SubscriptionInfo.Status? {
        let contents = vault.contents
        let originalID = contents.transaction(id)?.originalID ?? id
        return contents.subscription(originalID: originalID).flatMap { status($0) }
    }

    /// Returns a status of the vault with the outcomes of its verification.
    func status(_ stored: VaultSubscription) -> Product.SubscriptionInfo.Status? {
        let status = results.status(stored) {
            guard let transaction = Transaction(stored.transaction, sync: self),
                let content = RenewalContent(stored.renewalInfo)
            else { return nil }
            let info = Product.SubscriptionInfo.RenewalInfo(content: content)
            let isVerified = stored.isVerified
            return Product.SubscriptionInfo.Status(
                state: Product.SubscriptionInfo.RenewalState(rawValue: stored.status),
                transaction: VerificationResult(
                    transaction, isVerified ? nil : verification.failure(of: stored.signedTransaction)),
                renewalInfo: VerificationResult(
                    info, isVerified ? nil : verification.failure(of: stored.signedRenewalInfo)))
        }
        guard let status else { return nil }
        let failure = simulatedFailure
        let state = state(of: status, stored)
        guard failure != nil || state != status.state else { return status }
        return Product.SubscriptionInfo.Status(
            state: state,
            transaction: failure.map { VerificationResult(status.transaction.unsafePayloadValue, $0) }
                ?? status.transaction,
            renewalInfo: failure.map { VerificationResult(status.renewalInfo.unsafePayloadValue, $0) }
                ?? status.renewalInfo)
    }

    /// Returns the state by the store, except that a period which has ended while the store can't be reached is over.
    private func state(
        of status: Product.SubscriptionInfo.Status, _ stored: VaultSubscription
    ) -> Product.SubscriptionInfo.RenewalState {
        guard isOffline else { return status.state }
        let now = storeTime
        switch status.state {
        case .subscribed:
            guard let end = status.transaction.unsafePayloadValue.expirationDate, Instant(end) <= now else { break }
            return .expired
        case .inGracePeriod:
            guard let end = stored.gracePeriodExpirationDate, end <= now else { break }
            return .inBillingRetryPeriod
        default: break
        }
        return status.state
    }
}

extension Transaction {
    /// Decodes a transaction of the vault. Returns `nil` for a payload that isn't one.
    init?(_ signed: SignedText, sync: TransactionSync?) {
        guard let content = TransactionContent(signed, sync: sync) else { return nil }
        self.content = content
    }

    init?(_ decoded: DecodedTransaction, sync: TransactionSync?) {
        guard let content = TransactionContent(decoded, sync: sync) else { return nil }
        self.content = content
    }

    init?(jws: String, sync: TransactionSync?) {
        guard let signed = SignedText(jws) else { return nil }
        self.init(signed, sync: sync)
    }

    /// Decodes and verifies a signed transaction.
    ///
    /// - Throws: `VerificationFailure` for a text that isn't a transaction.
    package static func verified(
        signed jws: String, on connection: StoreConnection
    ) throws -> VerificationResult<Transaction> {
        guard let transaction = Transaction(jws: jws, sync: connection.transactionSync) else {
            throw VerificationFailure.invalidEncoding
        }
        let sync = connection.transactionSync
        return VerificationResult(transaction, sync.simulatedFailure ?? sync.verification.failure(of: jws))
    }
}
