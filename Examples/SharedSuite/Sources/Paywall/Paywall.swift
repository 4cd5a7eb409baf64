import StoreKit

/// The products of the app, and the customer's rights. Compiles with Apple's StoreKit and with this one.
public actor Paywall {
    public static let lifetime = "com.example.paywall.lifetime"
    public static let monthly = "com.example.paywall.pro.monthly"
    public static let exports = "com.example.paywall.exports"
    /// Exports in one purchase.
    public static let exportsInPurchase = 10

    /// Result of a purchase.
    public enum Outcome: Equatable, Sendable {
        case bought
        case cancelled
        case waitsForApproval
    }

    public enum Failure: Error, Equatable {
        case notForSale
        case unverified
    }

    /// Exports that were bought and not used.
    public private(set) var exportsLeft = 0
    private var listener: Task<Void, Never>?

    public init() {}

    /// Delivers transactions that arrive outside of `buy(_:)`, until `stop()`: approvals, renewals, refunds.
    public func start() {
        listener = Task {
            for await result in Transaction.updates { try? await deliver(result) }
        }
    }

    public func stop() {
        listener?.cancel()
        listener = nil
    }

    /// Products for sale by price.
    public func products() async throws -> [Product] {
        try await Product.products(for: [Self.lifetime, Self.monthly, Self.exports]).sorted { $0.price < $1.price }
    }

    /// True if the customer has everything: for ever, or as long as a subscription runs.
    public var isPro: Bool {
        get async {
            for await result in Transaction.currentEntitlements {
                guard case .verified(let transaction) = result else { continue }
                if [Self.lifetime, Self.monthly].contains(transaction.productID) { return true }
            }
            return false
        }
    }

    /// True if the subscription begins with a free week.
    public func hasTrial() async throws -> Bool {
        guard let subscription = try await Product.products(for: [Self.monthly]).first?.subscription else {
            return false
        }
        guard subscription.introductoryOffer?.paymentMode == .freeTrial else { return false }
        return await subscription.isEligibleForIntroOffer
    }

    /// Buys a product.
    ///
    /// - Throws: ``Failure``, `StoreKitError`, `Product.PurchaseError`.
    @MainActor
    public func buy(_ id: Product.ID, token: UUID? = nil) async throws -> Outcome {
        guard let product = try await Product.products(for: [id]).first else { throw Failure.notForSale }
        let options: Set<Product.PurchaseOption> = token.map { [.appAccountToken($0)] } ?? []
        switch try await product.purchase(options: options) {
        case .success(let result):
            try await deliver(result)
            return .bought
        case .userCancelled: return .cancelled
        case .pending: return .waitsForApproval
        @unknown default: return .cancelled
        }
    }

    /// Delivers what an earlier run of the app left.
    public func deliverUnfinished() async throws {
        for await result in Transaction.unfinished { try await deliver(result) }
    }

    private func deliver(_ result: VerificationResult<Transaction>) async throws {
        guard case .verified(let transaction) = result else { throw Failure.unverified }
        if transaction.productID == Self.exports, transaction.revocationDate == nil {
            exportsLeft += Self.exportsInPurchase * transaction.purchasedQuantity
        }
        await transaction.finish()
    }
}
