import StoreKit

/// The customer's subscription to the magazine.
public enum Subscription {
    public static let products = [
        "com.example.photomag.magazine.weekly", "com.example.photomag.magazine.monthly",
        "com.example.photomag.magazine.yearly",
    ]

    /// The subscription as the app shows it.
    public enum State: Equatable, Sendable {
        case none
        /// Paid up to a date; with the product of the next period, `nil` if it isn't renewed.
        case active(product: Product.ID, until: Date, next: Product.ID?)
        /// The payment failed; in the grace period the issues go on.
        case paymentFailed(product: Product.ID, hasGracePeriod: Bool)
        case expired(product: Product.ID)
        case refunded(product: Product.ID)

        /// True if new issues arrive.
        public var isSubscribed: Bool {
            switch self {
            case .active, .paymentFailed(_, hasGracePeriod: true): true
            case .none, .paymentFailed, .expired, .refunded: false
            }
        }
    }

    /// Products for sale, shortest period first.
    public static func offers() async throws -> [Product] {
        let order = Dictionary(uniqueKeysWithValues: products.enumerated().map { ($1, $0) })
        return try await Product.products(for: products).sorted { order[$0.id, default: 0] < order[$1.id, default: 0] }
    }

    /// Returns the state of the subscription: the best of the customer's own and those shared by the family.
    public static func state() async throws -> State {
        guard let subscription = try await offers().first?.subscription else { return .none }
        let states = try await subscription.status.compactMap(state(of:))
        return states.max { rank($0) < rank($1) } ?? .none
    }

    private static func state(of status: Product.SubscriptionInfo.Status) -> State? {
        guard case .verified(let transaction) = status.transaction, case .verified(let renewal) = status.renewalInfo
        else {
            return nil
        }
        let product = transaction.productID
        switch status.state {
        case .subscribed:
            return .active(
                product: product, until: transaction.expirationDate ?? .distantFuture,
                next: renewal.willAutoRenew ? renewal.autoRenewPreference ?? product : nil)
        case .inGracePeriod: return .paymentFailed(product: product, hasGracePeriod: true)
        case .inBillingRetryPeriod: return .paymentFailed(product: product, hasGracePeriod: false)
        case .revoked: return .refunded(product: product)
        default: return .expired(product: product)
        }
    }

    private static func rank(_ state: State) -> Int {
        switch state {
        case .none: 0
        case .refunded: 1
        case .expired: 2
        case .paymentFailed(_, hasGracePeriod: false): 3
        case .paymentFailed(_, hasGracePeriod: true): 4
        case .active: 5
        }
    }

    /// Buys a subscription, or changes to another one of the group.
    ///
    /// - Returns: False if the customer cancelled, or the purchase waits for approval.
    @MainActor
    public static func subscribe(to id: Product.ID) async throws -> Bool {
        guard let product = try await Product.products(for: [id]).first else { throw NewsstandError.notForSale(id) }
        guard case .success(let result) = try await product.purchase() else { return false }
        try await finish(result)
        return true
    }

    /// Finishes subscriptions that are bought, renewed or refunded elsewhere, until the task is cancelled.
    public static func listen() async {
        for await result in Transaction.updates { try? await finish(result) }
    }

    /// Finishes a transaction: a subscription is delivered by its issues, which the shelf asks for.
    private static func finish(_ result: VerificationResult<Transaction>) async throws {
        guard case .verified(let transaction) = result else { throw NewsstandError.unverified }
        await transaction.finish()
    }
}

/// An error of this app.
public enum NewsstandError: Error, CustomStringConvertible {
    case noStore
    case notForSale(Product.ID)
    case noIssue(String)
    case unverified

    public var description: String {
        switch self {
        case .noStore: "no store: set PERENNIAL_STORE_URL, PERENNIAL_BUNDLE_ID and PERENNIAL_ACCOUNT"
        case .notForSale(let id): "\(id) isn't for sale"
        case .noIssue(let id): "the shelf has no \(id)"
        case .unverified: "the purchase isn't signed by the store"
        }
    }
}
