import StoreKit

/// Sells credits, and delivers what was bought: here, elsewhere, or before a crash.
public final class Shop: Sendable {
    public static let typewriter = "com.example.monkey.typewriter"
    /// Credits by product.
    public static let credits = [
        "com.example.monkey.credits.100": 100,
        "com.example.monkey.credits.550": 550,
    ]

    private let wallet: Wallet

    public init(wallet: Wallet) {
        self.wallet = wallet
    }

    /// Products for sale, cheapest first.
    public func products() async throws -> [Product] {
        try await Product.products(for: Self.credits.keys + [Self.typewriter]).sorted { $0.price < $1.price }
    }

    /// Buys a product.
    ///
    /// - Returns: False if the customer cancelled.
    /// - Throws: ``MonkeyError``, `StoreKitError`, `Product.PurchaseError`.
    @MainActor
    public func buy(_ id: Product.ID, quantity: Int = 1) async throws -> Bool {
        guard let product = try await Product.products(for: [id]).first else { throw MonkeyError.unknownProduct(id) }
        switch try await product.purchase(options: [.quantity(quantity)]) {
        case .success(let result):
            try await deliver(result)
            return true
        case .userCancelled: return false
        case .pending: throw MonkeyError.waitsForApproval
        @unknown default: return false
        }
    }

    /// Delivers purchases that weren't finished, such as those before a crash. Call it at launch.
    public func deliverUnfinished() async throws {
        for await result in Transaction.unfinished { try await deliver(result) }
    }

    /// Delivers purchases that are made elsewhere, until the task is cancelled: approvals, refunds, other devices.
    public func listen() async {
        for await result in Transaction.updates { try? await deliver(result) }
    }

    /// Credits a purchase, then finishes it.
    private func deliver(_ result: VerificationResult<Transaction>) async throws {
        guard case .verified(let transaction) = result else { throw MonkeyError.unverified }
        // The vault takes back the credits of a refunded purchase by itself.
        if transaction.revocationDate == nil { try wallet.credit(transaction) }
        await transaction.finish()
    }
}
