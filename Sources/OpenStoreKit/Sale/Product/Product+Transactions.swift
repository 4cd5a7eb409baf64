extension Product {
    /// The transactions that entitle the customer to the product now.
    ///
    /// Source: Apple, StoreKit documentation, "currentEntitlements".
    public var currentEntitlements: Transaction.Transactions {
        origin.reading { Transaction.currentEntitlements(for: id) }
    }

    /// The transaction that entitles the customer to the product now; `nil` without one.
    @available(iOS, deprecated: 18.4, message: "Use currentEntitlements")
    @available(macOS, deprecated: 15.4, message: "Use currentEntitlements")
    public var currentEntitlement: VerificationResult<Transaction>? {
        get async {
            for await result in currentEntitlements { return result }
            return nil
        }
    }

    /// The newest transaction of the product, also an expired or revoked one; `nil` without one.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await origin.reading { await Transaction.latest(for: id) } }
    }
}

extension Product.Origin {
    /// Runs `body` in the store of the product.
    func reading<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard CurrentStore.taskConnection == nil, let taskConnection else { return try body() }
        return try CurrentStore.$taskConnection.withValue(taskConnection, operation: body)
    }

    /// Runs `body` in the store of the product.
    func reading<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        guard CurrentStore.taskConnection == nil, let taskConnection else { return try await body() }
        return try await CurrentStore.$taskConnection.withValue(taskConnection, operation: body)
    }
}
