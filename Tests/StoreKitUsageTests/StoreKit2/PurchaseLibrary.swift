import StoreKit

/// Follows StoreKit 2's transactions and keeps what the customer may use.
actor PurchaseLibrary {
    enum Event: Equatable, Sendable {
        case unlocked(String)
        case revoked(String)
        case unverified(String)
    }

    enum Outcome: Equatable {
        case bought
        case cancelled
        case pending
    }

    nonisolated let events: AsyncStream<Event>
    private(set) var unlocked: Set<String> = []
    private let continuation: AsyncStream<Event>.Continuation
    private var listener: Task<Void, Never>?

    init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    /// Starts to listen, and reads what the customer owns already.
    func start() async {
        listener = Task { [weak self] in
            for await result in Transaction.updates {
                await self?.handle(result)
            }
        }
        for await result in Transaction.currentEntitlements {
            if case .verified(let transaction) = result { unlocked.insert(transaction.productID) }
        }
    }

    func stop() {
        listener?.cancel()
        continuation.finish()
    }

    func buy(_ product: Product, options: Set<Product.PurchaseOption> = []) async throws -> Outcome {
        switch try await product.purchase(options: options) {
        case .success(let result):
            await handle(result)
            return .bought
        case .userCancelled: return .cancelled
        case .pending: return .pending
        @unknown default: return .pending
        }
    }

    /// Redeems a promotional offer with the signature of the app's server.
    func redeem(
        _ offer: String, of product: Product, token: UUID, signature: OfferSigner.Signature
    ) async throws -> Outcome {
        try await buy(
            product,
            options: [
                .promotionalOffer(
                    offerID: offer, keyID: signature.keyID, nonce: signature.nonce, signature: signature.bytes,
                    timestamp: signature.timestamp),
                .appAccountToken(token),
            ])
    }

    /// Redeems a promotional offer with the JWS of the app's server.
    func redeem(_ offer: String, of product: Product, jws: String) async throws -> Outcome {
        try await buy(product, options: Set(Product.PurchaseOption.promotionalOffer(offer, compactJWS: jws)))
    }

    private func handle(_ result: VerificationResult<StoreKit.Transaction>) async {
        guard case .verified(let transaction) = result else {
            continuation.yield(.unverified(result.unsafePayloadValue.productID))
            return
        }
        if transaction.revocationDate != nil {
            unlocked.remove(transaction.productID)
            continuation.yield(.revoked(transaction.productID))
        } else {
            unlocked.insert(transaction.productID)
            continuation.yield(.unlocked(transaction.productID))
        }
        await transaction.finish()
    }
}
