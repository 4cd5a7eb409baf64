import Foundation
import Perennial
import Synchronization

extension QueueEngine {
    func processPayments() async {
        guard await waitForFiles() else { return }
        await announceWithContents()
        await rebuildRecords()
        await offerPromotedPurchases()
        while let entry = journal.state.nextPayment, !callbacks.observers.isEmpty {
            guard await pay(entry) else { return }
        }
        // Without observers the request stays for the next one.
        guard !callbacks.observers.isEmpty else { return }
        let isWanted = flags.withLock { flags in
            defer { flags.isSynchronizationWanted = false }
            return flags.isSynchronizationWanted
        }
        if isWanted { await fetchUnfinished() }
    }

    /// Processes a payment. Returns false if the queue is closed before its end.
    private func pay(_ entry: QueueEntry) async -> Bool {
        do {
            let key = try await confirmedKey(of: entry)
            try await send(entry, key: key)
        } catch is CancellationError {
            return false
        } catch {
            let error = StoreFailure(wrapping: error)
            let isOpen = !error.decidesPurchase && journal.state.entry(entry.id)?.mayHaveBeenSent == true
            journal.record { $0.fail(entry.id, with: error, isDecided: !isOpen) }
            // The payment may have been carried out: fetch the store's unfinished transactions.
            if isOpen { flags.withLock { $0.isSynchronizationWanted = true } }
        }
        return !journal.isClosed
    }

    /// Returns the payment's idempotency key after all checks and the customer's confirmation.
    private func confirmedKey(of entry: QueueEntry) async throws -> String {
        guard case .waiting(let key, let isConfirmed) = entry.stage else { throw CancellationError() }
        // A payment that was confirmed before a crash may be paid: only the store knows.
        guard !isConfirmed else { return key }
        if let error = connection?.simulatedErrors.error(for: .purchase) { throw StoreFailure(wrapping: error) }
        try checkRunningTerm(entry.order.productIdentifier)
        guard await sheet.confirm(details(of: entry.order)) == .buy else {
            throw StoreFailure(.paymentCancelled, message: "the customer cancelled the payment")
        }
        try await continueInStorefront(entry)
        try journal.write {
            $0.confirm(entry.id)
            return []
        }
        return key
    }

    private func send(_ entry: QueueEntry, key: String) async throws {
        let answer: PurchaseAnswer
        do {
            answer = try await store.purchase(request(entry.order, key: key))
        } catch let error as StoreFailure where entry.repeatsKey && error.decidesPurchase {
            // The key was refused for good, and this payment is a new one.
            return try await sendWithNewKey(entry)
        }
        guard let transaction = answer.transaction else {
            guard answer.state == "deferred" else {
                throw StoreFailure(.unknown, message: "the store's answer has no transaction")
            }
            return journal.record { $0.deferPayment(entry.id) }
        }
        if isDelivered(transaction) {
            // The earlier payment without an answer was delivered, and this payment is a new one.
            if entry.repeatsKey { return try await sendWithNewKey(entry) }
            // Another device has delivered this payment since a crash.
            return journal.record { $0.remove(entry.id) }
        }
        await connection?.received([transaction])
        await announceWithReceipt { $0.purchased(entry.id, transaction) }
    }

    private func request(_ order: PaymentOrder, key: String) -> PurchaseOrder {
        var request = PurchaseOrder(order, key: key)
        if let asksToBuy = connection?.asksToBuy { request.simulatesAskToBuy = asksToBuy }
        return request
    }

    /// Sends a payment under a new key in place of a used one.
    private func sendWithNewKey(_ entry: QueueEntry) async throws {
        let key = dependencies.uniqueName()
        try journal.write {
            $0.replaceKey(of: entry.id, by: key)
            return []
        }
        guard let entry = journal.state.entry(entry.id) else { return }
        try await send(entry, key: key)
    }

    private func isDelivered(_ transaction: StoreTransaction) -> Bool {
        transaction.isFinished == true || records.hasFinished(transaction)
            || journal.state.knows(transaction)
    }

    // MARK: Checks of a payment

    private func checkRunningTerm(_ productIdentifier: String) throws {
        guard let terms else { return }
        let transactions = journal.state.entries.compactMap(\.stage.transaction)
        let records = records.records + transactions.compactMap { PurchaseRecord($0) }
        // The device's clock may be behind the store's, whose purchase dates are never ahead of its clock.
        let now = records.map { Instant($0.purchaseDate) }.reduce(dependencies.now(), max)
        let bought = records.filter {
            $0.productIdentifier == productIdentifier && $0.productType == "nonRenewing"
        }.map { Instant($0.purchaseDate) }
        guard let end = terms.end(of: productIdentifier, bought: bought, runningAt: now) else { return }
        throw StoreFailure(
            .paymentInvalid, message: "the subscription runs until \(end.rfc3339())", storeErrorCode: "termStillRunning"
        )
    }

    private func continueInStorefront(_ entry: QueueEntry) async throws {
        guard let before = entry.countryCode, let storefront, storefront.countryCode != before else { return }
        let continues = await callbacks.ask { delegate, queue in
            delegate.paymentQueue(queue, shouldContinue: SKPaymentTransaction(entry), in: storefront)
        }
        guard continues != false else {
            throw StoreFailure(.storeProductNotAvailable, message: "the customer's storefront changed")
        }
    }

    private func details(of order: PaymentOrder) -> StoreConnection.PaymentDetails {
        StoreConnection.PaymentDetails(
            productIdentifier: order.productIdentifier, quantity: order.quantity,
            product: knownProducts[order.productIdentifier], offerIdentifier: order.discount?.identifier)
    }
}
