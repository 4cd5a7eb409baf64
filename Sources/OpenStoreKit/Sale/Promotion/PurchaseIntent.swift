/// A purchase that the customer began outside of the app, such as of a promoted product.
///
/// Source: Apple, StoreKit documentation, "PurchaseIntent".
public struct PurchaseIntent: Sendable, Identifiable {
    /// Type of identifiers.
    public typealias ID = Product.ID

    /// The product, which the app buys by ``Product/purchase(options:)`` when it is ready.
    public let product: Product
    /// Offer that the customer chose; `nil` without one.
    public let offer: Product.SubscriptionOffer?

    /// Identifier of the product.
    public var id: Product.ID { product.id }

    /// The purchases that customers begin outside of the app, also before the app listens.
    ///
    /// Source: Apple, StoreKit documentation, "intents".
    public static var intents: PurchaseIntents { PurchaseIntents() }

    /// Purchases that the customer begins outside of the app. Each iterator gets all from its start; those before the first one go to
    /// that.
    public struct PurchaseIntents: AsyncSequence {
        public typealias Element = PurchaseIntent

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(
                ConnectionFeed { connection, continuation in connection.purchaseIntents.listeners.add(continuation) })
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            public typealias Element = PurchaseIntent

            private let feed: ConnectionFeed<PurchaseIntent>
            private var base: AsyncStream<PurchaseIntent>.AsyncIterator

            init(_ feed: ConnectionFeed<PurchaseIntent>) {
                self.feed = feed
                self.base = feed.stream.makeAsyncIterator()
            }

            /// Waits for the next purchase; `nil` after the task was cancelled.
            public mutating func next() async -> PurchaseIntent? {
                await base.next()
            }
        }
    }
}

extension PurchaseIntent: Equatable {}

extension PurchaseIntent {
    /// Hands a purchase from outside of the app to the app.
    ///
    /// - Throws: ``StoreKitError``, or ``Product/PurchaseError`` if the product isn't for sale or has no such offer.
    package static func receive(productID: String, offerID: String?, on connection: StoreConnection) async throws {
        let product = try await connection.saleProduct(productID)
        var offer: Product.SubscriptionOffer?
        if let offerID {
            let offers = (product.subscription?.winBackOffers ?? []) + (product.subscription?.promotionalOffers ?? [])
            offer = offers.first { $0.id == offerID }
            guard offer != nil else { throw Product.PurchaseError.invalidOfferIdentifier }
        }
        connection.purchaseIntents.listeners.send(PurchaseIntent(product: product, offer: offer))
    }
}

/// Listeners for purchases from outside of the app.
final class PurchaseIntentListeners: Sendable {
    let listeners = ListenerList<PurchaseIntent>(keepsElements: true)
}

extension StoreConnection {
    var purchaseIntents: PurchaseIntentListeners { part { _ in PurchaseIntentListeners() } }
}
