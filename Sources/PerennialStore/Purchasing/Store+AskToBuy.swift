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
    /// a request lives 24 hours, and asking again for the same product starts them anew.
    ///
    /// - Throws: `PurchaseRefusal` where it could not be bought even with approval.
    package func askToBuy(_ request: PurchaseRequest, token: String) async throws {
        let digest = Self.digest(token)
        try await write { [self] connection in
            let child = try customer(tokenDigest: digest, on: connection)
            let entry = try app(child.bundleID, on: connection)
            _ = try CustomersTable.lock(child.key, on: connection)
            guard let product = entry.products[request.productID], environment.sells(product) else {
                throw PurchaseRefusal(.productNotAvailable, request.productID, "this app sells no product with that ID")
            }
            let now = try clock.now(on: connection)
            let waiting = try PendingPurchasesTable.all(of: child.key, on: connection).last {
                $0.pending.cause == .approval && $0.request.productID == request.productID
                    && $0.pending.isWaiting(at: now)
            }
            var record =
                try waiting
                ?? PendingPurchasesTable.Record(
                    id: numbers.next(), customer: child.key, request: request,
                    pending: PendingPurchase(request.productID, by: child.key.account, .approval, at: now))
            record.pending.ask(at: now)
            try PendingPurchasesTable.put(record, on: connection)
        }
    }

    /// The requests that wait for an answer.
    package func approvals(bundleID: App.BundleID) async throws -> [PurchaseApproval] {
        try await database.read { [self] connection in
            let entry = try app(bundleID, on: connection)
            let now = try clock.now(on: connection)
            return try PendingPurchasesTable.all(
                app: entry.app.appleID, environment.id, limit: Self.approvalsPageSize, on: connection
            ).filter { $0.pending.cause == .approval && $0.pending.isWaiting(at: now) }.map {
                try approval($0, entry, on: connection)
            }
        }
    }

    /// A parent's answer. Approval buys, and the transaction is delivered to the child's devices as an unfinished one; only the
    /// first answer in time counts.
    ///
    /// - Returns: The transaction, where one was made.
    /// - Throws: ``StoreError`` `.approvalNotFound`, `PurchaseRefusal`.
    package func answerApproval(_ id: Int64, approved: Bool) async throws -> Transaction? {
        let result = try await write { [self] connection -> Result<Transaction, PurchaseRefusal>? in
            for entry in try catalog.all(on: connection) {
                guard
                    var record = try PendingPurchasesTable.record(
                        id, app: entry.app.appleID, environment.id, on: connection),
                    record.pending.cause == .approval
                else { continue }
                _ = try CustomersTable.lock(record.customer, on: connection)
                let isBought = record.pending.answer(approved: approved, at: try clock.now(on: connection))
                try PendingPurchasesTable.put(record, on: connection)
                guard isBought else { return nil }
                let child = Customer(
                    key: record.customer, bundleID: entry.app.bundleID, device: "",
                    applicationVersion: entry.app.version)
                return try sell(record.request, to: child, on: connection)
            }
            throw StoreError(.approvalNotFound, "\(id)", "no purchase waits for approval under that number")
        }
        return try result?.get()
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

extension PendingPurchase {
    /// Whether it still waits for an answer.
    func isWaiting(at now: Instant) -> Bool {
        var current = self
        current.lapse(at: now)
        if case .waiting = current.state { return true }
        return false
    }
}
