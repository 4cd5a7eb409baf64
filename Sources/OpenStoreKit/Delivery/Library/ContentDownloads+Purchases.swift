import Foundation

extension ContentDownloads {
    /// The moment when a purchase of content is finished.
    public enum FinishRule: Sendable, Hashable {
        /// Finishes when all of its content is on this device.
        case contentIsSafe
        /// Finishes when its receipt is on this device, with which the content can be downloaded later.
        case receiptIsSafe
    }

    /// Delivers the content of a purchase, then finishes the purchase.
    ///
    /// Repeat it for a purchase that is still unfinished in a later run of the app: content that is already on this device isn't
    /// downloaded again. With ``FinishRule/receiptIsSafe`` the downloads go on after it returns, and ``resume()`` continues them
    /// in later runs.
    ///
    /// - Parameters:
    ///   - transactionID: ID of the transaction.
    ///   - productID: ID of the product.
    ///   - originalID: ID of the original of a restored transaction.
    ///   - rule: The moment of finishing.
    ///   - finish: Finishes the purchase. Not called if an error is thrown.
    /// - Throws: ``DeliveryError``: `contentNotFound` if the content server has nothing for the purchase; `receiptOutdated` if the
    ///   receipt to store doesn't have it; errors of `receipt` and `finish`.
    public func deliver(
        transactionID: String, productID: String, originalID: String? = nil,
        finishing rule: FinishRule = .contentIsSafe,
        finish: @Sendable () async throws -> Void
    ) async throws {
        let ids = [transactionID] + (originalID.map { [$0] } ?? [])
        let purchase = DeliveredPurchase(transactionIDs: ids, productID: productID)
        switch rule {
        case .contentIsSafe:
            for id in try await requestContents(of: purchase) { _ = try await finished(id) }
            try await finishPurchase(finish)
        case .receiptIsSafe:
            try await storeReceipt(of: purchase)
            try await finishPurchase(finish)
            isStarted = true
            processStoredReceipts()
        }
    }

    private nonisolated func finishPurchase(_ finish: @Sendable () async throws -> Void) async throws {
        try files.willChange(.finishPurchase)
        try await finish()
    }

    /// Requests the contents of a purchase and returns their IDs.
    private func requestContents(of purchase: DeliveredPurchase) async throws -> [String] {
        let known = purchase.contents(among: journal.entries.map(\.content)).map(\.contentId)
        let isNamed = journal.entries.contains { purchase.transactionIDs.contains($0.content.transactionId) }
        // Without a network, a purchase whose content is here is finished all the same.
        if isNamed, known.allSatisfy({ journal[$0]?.isCurrent == true }) { return known }
        var opened: [GrantedContent] = []
        // A grant that was in flight may be from before the purchase.
        for _ in 0..<2 where opened.isEmpty {
            let grant = try await grants.renewed(.current)
            try take(grant)
            opened = purchase.contents(among: grant.content)
        }
        guard !opened.isEmpty else {
            throw DeliveryError(.contentNotFound, reason: "the content server has nothing for \(purchase.productID)")
        }
        let ids = opened.map(\.contentId)
        try request(ids)
        return ids
    }

    // MARK: Stored receipts

    private func storeReceipt(of purchase: DeliveredPurchase) async throws {
        guard !storedReceipts.contains(where: { $0.purchase == purchase }) else { return }
        let record = StoredReceipts.Record(purchase: purchase, receipt: try await receipt())
        guard hasPurchase(record.receipt, purchase.transactionIDs) else {
            throw DeliveryError(
                .receiptOutdated,
                reason: "the receipt doesn't have the purchase of \(purchase.productID); fetch it from the store again")
        }
        do {
            try receipts.write(record)
        } catch {
            throw DeliveryError(wrapping: error)
        }
        storedReceipts.append(record)
    }

    /// Requests the contents of stored receipts, with increasing delays as long as the content server can't be reached.
    func processStoredReceipts() {
        removeFulfilledReceipts()
        let pending = storedReceipts.filter { !$0.isRequested }
        guard !pending.isEmpty else { return }
        let previous = receiptTask
        previous?.cancel()
        receiptTask = Task {
            await previous?.value
            for record in pending { await process(record) }
        }
    }

    private func process(_ record: StoredReceipts.Record) async {
        guard let id = record.purchase.transactionIDs.first else { return }
        for failures in 1...max(configuration.maximumRetries, 1) {
            do {
                let grant = try await grants.grant(.stored(transactionID: id))
                try take(grant)
                let contents = record.purchase.contents(among: grant.content)
                guard !contents.isEmpty else { return }
                try request(contents.map(\.contentId))
                return try markRequested(record)
            } catch {
                guard !Task.isCancelled, DeliveryError(wrapping: error).isTemporary else { return }
                let delay = configuration.retry.delay(afterFailures: failures)
                guard (try? await client.dependencies.sleep(delay)) != nil else { return }
            }
        }
    }

    private func markRequested(_ record: StoredReceipts.Record) throws {
        guard let index = storedReceipts.firstIndex(where: { $0.purchase == record.purchase }) else { return }
        var requested = record
        requested.isRequested = true
        try receipts.write(requested)
        storedReceipts[index] = requested
    }

    /// Removes the receipts of purchases whose content is on this device.
    func removeFulfilledReceipts() {
        storedReceipts.removeAll { record in
            guard record.isRequested else { return false }
            let known = record.purchase.contents(among: journal.entries.map(\.content))
            guard !known.isEmpty, known.allSatisfy({ journal[$0.contentId]?.isCurrent == true }) else { return false }
            receipts.remove(record)
            return true
        }
    }
}
