import AppStoreFormats
import Foundation
import Perennial
import Synchronization

/// Purchases of this process whose answers are expected, which are given to the caller and not to listeners.
struct PurchasesUnderWay: Sendable {
    var count = 0
    /// New transactions that wait for the end of the purchases.
    var held: [UInt64] = []
    /// Transactions that a purchase has returned.
    var returned: Set<UInt64> = []
}

extension TransactionSync {
    /// Changes the vault and tells listeners.
    ///
    /// - Parameters:
    ///   - returned: Transactions that the caller gets itself.
    ///   - clearing: Number of clearings at the request for the changes; `nil` for changes that are never out of date.
    /// - Returns: False, with nothing changed, if the store was emptied since the request.
    /// - Throws: `FileError` if the vault can't be read now; ``ReplayedChanges`` for a page of which only what is newer was taken.
    @discardableResult
    func apply(
        _ changes: VaultChanges, returning returned: Set<UInt64> = [], requestedIn clearing: Int? = nil
    ) throws -> Bool {
        // Before the first answer of the store, finished purchases are history and not news.
        let isFirst = vault.contents.revision == nil && changes.revision != nil
        var isReplay = false
        let isNews: Bool? = try delivery.withLock { purchases in
            guard clearing == nil || clearing == clearings.withLock({ $0 }) else { return nil }
            let delta = try vault.apply(changes)
            isReplay = !delta.replayed.isEmpty
            purchases.returned.formUnion(returned)
            var news = delta.changed.map(\.id)
            for added in delta.added where !returned.contains(added.id) {
                guard !added.isFinished || !(isFirst || added.kind == .consumable) else { continue }
                if purchases.count > 0 { purchases.held.append(added.id) } else { news.append(added.id) }
            }
            send(news)
            if !statuses.isEmpty { statuses.send(delta.subscriptions.compactMap { status($0) }) }
            if !(delta.added.isEmpty && delta.changed.isEmpty && delta.removed.isEmpty) { receipts.renewSoon() }
            return !(delta.added.isEmpty && delta.changed.isEmpty && delta.subscriptions.isEmpty)
        }
        guard let isNews else { return false }
        if isNews, let connection = connection.object {
            connection.wakeQueue()
            if !connection.messageListeners.isEmpty { Task { await connection.refreshMessages() } }
        }
        if isReplay { throw ReplayedChanges() }
        return true
    }

    /// Empties the vault, and makes answers to earlier requests out of date.
    func forgetPurchases() {
        delivery.withLock { _ in
            clearings.withLock { $0 += 1 }
            vault.removeAll()
        }
    }

    private func send(_ ids: [UInt64]) {
        guard !transactions.isEmpty else { return }
        let contents = vault.contents
        transactions.send(ids.compactMap { contents.transaction($0) }.compactMap { result($0) })
    }

    /// Runs a purchase whose transaction goes to the caller and not to `Transaction.updates`.
    ///
    /// Transactions that arrive meanwhile from elsewhere are sent to listeners when it has ended.
    package func duringPurchase<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        delivery.withLock { $0.count += 1 }
        defer {
            delivery.withLock { purchases in
                purchases.count -= 1
                if purchases.count == 0 {
                    send(purchases.held.filter { !purchases.returned.contains($0) })
                    purchases = PurchasesUnderWay()
                }
            }
        }
        return try await body()
    }

    /// Stores the transaction of a purchase's answer, for its caller.
    func record(_ sold: SoldTransaction) async throws -> VerificationResult<Transaction> {
        guard let jws = sold.signed else {
            delivery.withLock { _ = $0.returned.insert(sold.id) }
            await synchronize()
            return try stored(sold.id)
        }
        return try await record(jws, of: sold.id) { [self] in changes(of: [sold]) }
    }

    /// Stores a signed transaction for the caller of a purchase.
    package func record(signed jws: String) async throws -> VerificationResult<Transaction> {
        guard let id = Transaction(jws: jws, sync: nil)?.id else { throw Self.malformed }
        return try await record(jws, of: id) { [self] in
            VaultChanges(transactions: [change(jws, isFinished: false)])
        }
    }

    private func record(
        _ jws: String, of id: UInt64, changes: @Sendable () -> VaultChanges
    ) async throws -> VerificationResult<Transaction> {
        try? await verification.prepare()
        let changes = changes()
        do {
            try apply(changes, returning: [id])
        } catch {
            // A vault that can't be written now doesn't hide the purchase: the store lists it as unfinished until it is.
            guard let transaction = Transaction(jws: jws, sync: self) else { throw Self.malformed }
            return VerificationResult(transaction, simulatedFailure ?? verification.failure(of: jws))
        }
        return try stored(id, decoded: changes.transactions.first?.decoded)
    }

    private static var malformed: StoreFailure {
        StoreFailure(.unknown, message: "the store's signed transaction is malformed")
    }

    private func stored(
        _ id: UInt64, decoded: DecodedTransaction? = nil
    ) throws -> VerificationResult<Transaction> {
        guard let stored = vault.contents.transaction(id), let result = result(stored, decoded: decoded) else {
            throw StoreFailure(.unknown, message: "the store's answer has no signed transaction")
        }
        return result
    }

    /// Stores transactions that the queue of StoreKit 1 received, and tells listeners. Transactions that came without their signed form are
    /// fetched with it, since the vault credits and grants nothing that isn't signed.
    func receive(_ transactions: [StoreTransaction]) async {
        let sold = transactions.compactMap { try? SoldTransaction($0) }
        let signed = sold.filter { $0.signed != nil }
        if !signed.isEmpty {
            try? await verification.prepare()
            _ = try? apply(changes(of: signed))
        }
        let contents = vault.contents
        if sold.contains(where: { contents.transaction($0.id) == nil }) { await synchronize() }
    }

    // MARK: Signed data for the vault

    private func changes(of transactions: [SoldTransaction]) -> VaultChanges {
        var changes = VaultChanges()
        for sold in transactions {
            guard let jws = sold.signed else { continue }
            let transaction = change(jws, isFinished: sold.isFinished)
            changes.transactions.append(transaction)
            guard let info = sold.renewalInfo, let group = transaction.decoded?.payload.subscriptionGroupIdentifier
            else { continue }
            changes.subscriptions.append(
                VaultChanges.Subscription(
                    originalID: sold.originalID, groupID: group, status: nil,
                    signedTransaction: jws, signedRenewalInfo: info,
                    isVerified: transaction.isVerified && areValid([info])))
        }
        return changes
    }

    func change(_ jws: String, isFinished: Bool) -> VaultChanges.Transaction {
        let (transaction, failure) = verification.read(jws)
        var change = VaultChanges.Transaction(signed: jws, isFinished: isFinished, isVerified: failure == nil)
        change.decoded = transaction
        return change
    }

    func change(_ message: ChangesAnswer.Subscription) -> VaultChanges.Subscription? {
        guard let original = UInt64(message.originalTransactionId, radix: 10) else { return nil }
        return VaultChanges.Subscription(
            originalID: original, groupID: message.subscriptionGroupId, status: message.status,
            signedTransaction: message.signedTransaction, signedRenewalInfo: message.signedRenewalInfo,
            isVerified: areValid([message.signedTransaction, message.signedRenewalInfo]))
    }

    private func areValid(_ texts: [String]) -> Bool {
        texts.allSatisfy { verification.failure(of: $0) == nil }
    }
}

extension TransactionSync {
    /// Number of iterators of `Transaction.updates`.
    package var transactionListeners: Int { transactions.count }
}

extension StoreConnection {
    /// Stores the transaction of a purchase's answer and returns it verified. Listeners of `Transaction.updates` don't get it.
    ///
    /// - Throws: `StoreFailure` for an answer without a signed transaction.
    func recordPurchase(_ sold: SoldTransaction) async throws -> VerificationResult<Transaction> {
        try await transactionSync.record(sold)
    }

    /// Stores transactions that the queue of StoreKit 1 received, before its observers are called.
    func received(_ transactions: [StoreTransaction]) async {
        await transactionSync.receive(transactions)
    }
}
