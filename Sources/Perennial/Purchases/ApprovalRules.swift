extension PendingPurchase {
    /// Returns true if a parent must approve a purchase first.
    ///
    /// Sandbox and test sessions ask if the device simulates Ask to Buy (`SKMutablePayment.simulatesAskToBuyInSandbox`). Production
    /// ignores the simulation.
    package static func needsApproval(simulated: Bool, in environment: StoreEnvironment.Kind) -> Bool {
        simulated && environment.isForTests
    }
}

extension PurchaseRequest {
    /// Returns true if this request for approval repeats an earlier one: the same product under the same idempotency
    /// key, or both without a key. Another key is another request.
    package func isRepeat(of earlier: PurchaseRequest) -> Bool {
        productID == earlier.productID && idempotencyKey == earlier.idempotencyKey
    }
}
