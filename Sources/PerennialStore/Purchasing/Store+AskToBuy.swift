import Perennial
import PerennialStorage

/// A purchase that waits for approval, as a parent sees it.
package struct PurchaseApproval: Sendable {
    package var id: Int64
    package var bundleID: App.BundleID
    package var account: String
    package var request: PurchaseRequest
    package var pending: PendingPurchase
}

extension Store {
    /// How many requests a listing holds.
    private static let approvalsPageSize = 1000

    /// Ask to Buy: writes down that a child wants to buy. Nothing is charged and no transaction exists until a parent approves;
    /// a request lives 24 hours, and asking again for the same product under the same key, or without one, starts them
    /// anew. Another key is another request.
    ///
    /// - Returns: The transaction, where the request was approved before.
    /// - Throws: `PurchaseRefusal` where it could not be bought even with approval.
    @discardableResult
    package func askToBuy(_ request: PurchaseRequest, token: String) async throws -> Transaction? {
        let (digest, identity) = (Self.digest(token), PurchaseRequestsTable.Identity(of: request))
        return try await write { [self] connection in
            let child = try customer(tokenDigest: digest, on: connection)
            let entry = try app(child.bundleID, on: connection)
            _ = try CustomersTable.lock(child.key, on: connection)
            if let identity,
                let sold = try sold(under: identity.key, request.productID, to: child, on: connection)
            {
                return sold
            }
            guard let product = entry.products[request.productID], environment.sells(product) else {
                throw PurchaseRefusal(.productNotAvailable, request.productID, "this app sells no product with that ID")
            }
            let now = try clock.now(on: connection)
            let waiting = try PendingPurchasesTable.waiting(of: child.key, .approval, at: now, on: connection).last {
                $0.request.productID == request.productID
                    && $0.request.idempotencyKey == request.idempotencyKey
            }
            var record =
                try waiting
                ?? PendingPurchasesTable.Record(
                    id: numbers.next(), customer: child.key, request: request,
                    pending: PendingPurchase(request.productID, by: child.key.account, .approval, at: now))
            record.pending.ask(at: now)
            try PendingPurchasesTable.put(record, on: connection)
            return nil
        }
    }

    /// The requests that wait for an answer.
    package func approvals(bundleID: App.BundleID) async throws -> [PurchaseApproval] {
        try await database.read { [self] connection in
            let entry = try app(bundleID, on: connection)
            let now = try clock.now(on: connection)
            return try PendingPurchasesTable.waiting(
                app: entry.app.appleID, environment.id, .approval, at: now, limit: Self.approvalsPageSize,
                on: connection
            ).map { try approval($0, entry, on: connection) }
        }
    }

    /// A parent's answer. Approval buys, and the transaction is delivered to the child's devices as an unfinished one; only the
    /// first answer in time counts.
    ///
    /// - Returns: The transaction, where one was made.
    /// - Throws: ``StoreError`` `.approvalNotFound`, `PurchaseRefusal`.
    package func answerApproval(_ id: Int64, approved: Bool) async throws -> Transaction? {
        try await answer(id, .approval, approved: approved)
    }

    /// Answers a purchase that waits: the first answer counts, however many come at once.
    ///
    /// - Throws: ``StoreError`` `.approvalNotFound`, `PurchaseRefusal`.
    func answer(_ id: Int64, _ cause: PendingPurchase.Cause, approved: Bool) async throws -> Transaction? {
        let result = try await write { [self] connection -> Result<Transaction, PurchaseRefusal>? in
            guard let (found, entry) = try pending(id, cause, on: connection) else {
                throw StoreError(.approvalNotFound, "\(id)", "no purchase waits under that number")
            }
            _ = try CustomersTable.lock(found.customer, on: connection)
            // Read again behind the lock: somebody may have answered it meanwhile.
            let current = try PendingPurchasesTable.record(
                id, app: entry.app.appleID, environment.id, on: connection)
            guard var record = current else {
                throw StoreError(.approvalNotFound, "\(id)", "no purchase waits under that number any more")
            }
            let isBought = record.pending.answer(approved: approved, at: try clock.now(on: connection))
            try PendingPurchasesTable.put(record, on: connection)
            guard isBought else { return nil }
            let customer = Customer(
                key: record.customer, bundleID: entry.app.bundleID, device: "", applicationVersion: entry.app.version)
            return try sell(record.request, to: customer, isResumed: cause == .interruption, on: connection)
        }
        return try result?.get()
    }

    private func pending(
        _ id: Int64, _ cause: PendingPurchase.Cause, on connection: any Connection
    ) throws -> (PendingPurchasesTable.Record, CatalogCache.Entry)? {
        for entry in try catalog.all(on: connection) {
            let found = try PendingPurchasesTable.record(id, app: entry.app.appleID, environment.id, on: connection)
            if let found, found.pending.cause == cause { return (found, entry) }
        }
        return nil
    }

    func approval(
        _ record: PendingPurchasesTable.Record, _ entry: CatalogCache.Entry, on connection: any Connection
    ) throws -> PurchaseApproval {
        let account = try AccountsTable.account(record.customer.account, environment.id, on: connection)
        return PurchaseApproval(
            id: record.id, bundleID: entry.app.bundleID, account: account?.name ?? "", request: record.request,
            pending: record.pending)
    }
}
