import Perennial
import PerennialStorage

/// A pending purchase, as the parent sees it.
package struct PurchaseApproval: Sendable {
    package var id: Int64
    package var bundleID: App.BundleID
    package var account: String
    package var request: PurchaseRequest
    package var pending: PendingPurchase
}

/// Ask to Buy: children's requests, and parents' answers.
package struct AskToBuy: StoreChapter {
    let context: StoreContext
    let accounts: Accounts
    let purchases: Purchases

    /// The most requests in one listing.
    private static let approvalsPageSize = 1000

    /// The outcome of a device's purchase.
    package enum DevicePurchase: Sendable {
        /// - Parameter customer: `nil` if a parent had approved it before.
        case sold(Transaction, customer: Customer?)
        case waiting
    }

    /// Buys a product for the customer of a device's token, or asks for approval where the device simulates Ask to Buy or the
    /// tester's account asks to buy.
    ///
    /// Only Sandbox asks.
    ///
    /// - Parameter isSimulated: True if the device simulates Ask to Buy (`SKMutablePayment.simulatesAskToBuyInSandbox`).
    /// - Throws: `PurchaseRefusal`, ``StoreError``.
    package func buy(_ request: PurchaseRequest, token: String, isSimulated: Bool) async throws -> DevicePurchase {
        guard PendingPurchase.needsApproval(simulated: isSimulated, in: environment.kind) else {
            do {
                let (transaction, customer) = try await purchases.buy(request, token: token)
                return .sold(transaction, customer: customer)
            } catch is ApprovalNeeded {
                return try await ask(request, token: token)
            }
        }
        return try await ask(request, token: token)
    }

    private func ask(_ request: PurchaseRequest, token: String) async throws -> DevicePurchase {
        guard let approved = try await self.request(request, token: token) else { return .waiting }
        return .sold(approved, customer: nil)
    }

    /// Stores a child's request to buy. Nothing is charged and there is no transaction until a parent approves.
    ///
    /// A request lasts 24 hours. Another request for the same product under the same idempotency key, or without one,
    /// restarts them; another key is another request.
    ///
    /// - Returns: The transaction if the request has been approved.
    /// - Throws: `PurchaseRefusal` if the product can't be bought even with approval.
    @discardableResult
    package func request(_ request: PurchaseRequest, token: String) async throws -> Transaction? {
        let (digest, identity) = (Accounts.digest(token), PurchaseRequestsTable.Identity(of: request))
        return try await context.write { [self] connection in
            let child = try accounts.customer(tokenDigest: digest, on: connection)
            let entry = try app(child.bundleID, on: connection)
            _ = try CustomersTable.lock(child.key, on: connection)
            if let identity,
                let sold = try purchases.sold(under: identity.key, request.productID, to: child, on: connection)
            {
                return sold
            }
            let account = try AccountsTable.account(child.key.account, environment.id, on: connection)
            let storefront = account?.storefront ?? entry.app.defaultStorefront
            guard let product = entry.products[request.productID], environment.sells(product, in: storefront) else {
                throw PurchaseRefusal(.productNotAvailable, request.productID, "this app sells no product with that ID")
            }
            let now = try clock.now(on: connection)
            let waiting = try PendingPurchasesTable.waiting(of: child.key, .approval, at: now, on: connection).last {
                request.isRepeat(of: $0.request)
            }
            var record =
                try waiting
                ?? PendingPurchasesTable.Record(
                    id: ids.next(), customer: child.key, request: request,
                    pending: PendingPurchase(request.productID, by: child.key.account, .approval, at: now))
            record.pending.ask(at: now)
            try PendingPurchasesTable.put(record, on: connection)
            return nil
        }
    }

    /// Returns the requests that wait for an answer.
    package func approvals(bundleID: App.BundleID) async throws -> [PurchaseApproval] {
        try await database.read { [self] connection in
            let entry = try app(bundleID, on: connection)
            let now = try clock.now(on: connection)
            return try PendingPurchasesTable.waiting(
                app: entry.app.appleID, environment.id, .approval, at: now, limit: Self.approvalsPageSize,
                on: connection
            ).map { try purchases.approval($0, entry, on: connection) }
        }
    }

    /// Returns a page of the requests that wait for an answer, oldest first.
    ///
    /// - Parameter cursor: Of the page before; `nil` for the first.
    /// - Throws: ``StoreError`` `.appNotFound`; `.malformed` for a cursor that isn't one.
    package func approvals(
        bundleID: App.BundleID, after cursor: String?, limit: Int
    ) async throws -> ListPage<PurchaseApproval> {
        try await purchases.waiting(for: .approval, bundleID, after: cursor, limit: limit)
    }

    /// Answers a request for the parent. Approval buys the product, and the child's devices get the transaction as an
    /// unfinished one. Only the first answer in time counts.
    ///
    /// - Returns: The transaction if one was made.
    /// - Throws: ``StoreError`` `.approvalNotFound`, `PurchaseRefusal`.
    package func answer(_ id: Int64, approved: Bool) async throws -> Transaction? {
        try await purchases.answer(id, .approval, approved: approved)
    }
}
