import Foundation

/// The storefront of a customer: country and currency.
///
/// Source: Apple, StoreKit documentation, "Storefront".
public struct Storefront: Identifiable, Sendable {
    /// Type of identifiers.
    public typealias ID = String

    /// Country code of ISO 3166-1 alpha-3, such as `USA`.
    public let countryCode: String
    /// Apple's identifier of the storefront, such as `143441`.
    public let id: String
    /// Currency code of ISO 4217; `nil` if it isn't known.
    private let currencyCode: String?

    package init(id: String, countryCode: String, currencyCode: String?) {
        self.id = id
        self.countryCode = countryCode
        self.currencyCode = currencyCode
    }

    init(_ storefront: StoreSession.Storefront) {
        self.init(
            id: storefront.identifier, countryCode: storefront.countryCode,
            currencyCode: storefront.currency.isEmpty ? nil : storefront.currency)
    }

    /// Currency of the storefront; `nil` if it isn't known.
    public var currency: Locale.Currency? { currencyCode.map { Locale.Currency($0) } }

    /// The customer's storefront, as of now or, if the store can't be reached, as last known; `nil` without either. A
    /// store that doesn't answer in a few seconds is one that can't be reached.
    ///
    /// Source: Apple, StoreKit documentation, "current".
    public static var current: Storefront? {
        get async {
            guard let connection = CurrentStore.connection else { return nil }
            await connection.transactionSync.withLimit { [store = connection.store] in
                try? await store.refreshStorefront()
            }
            return connection.store.storefront.map { Storefront($0) }
        }
    }

    /// The changes of the customer's storefront, from now on.
    ///
    /// Changes are noticed with any answer of the store that has the storefront. A store over a network is asked every half minute
    /// while there are listeners.
    ///
    /// Source: Apple, StoreKit documentation, "updates".
    public static var updates: Storefronts { Storefronts() }

    /// Changes of the customer's storefront. Each iterator gets all.
    public struct Storefronts: AsyncSequence, Sendable {
        public typealias Element = Storefront

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(
                ConnectionFeed { connection, continuation in
                    let watch = Watch(connection.listenForStorefronts())
                    connection.store.storefrontWatch.observe { [weak watch] _, storefront in
                        guard watch != nil else { return false }
                        continuation.yield(Storefront(storefront))
                        return true
                    }
                    return watch
                })
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            public typealias Element = Storefront

            private let feed: ConnectionFeed<Storefront>
            private var base: AsyncStream<Storefront>.AsyncIterator

            init(_ feed: ConnectionFeed<Storefront>) {
                self.feed = feed
                self.base = feed.stream.makeAsyncIterator()
            }

            /// Waits for the next change; `nil` after the task was cancelled.
            public mutating func next() async -> Storefront? {
                await base.next()
            }
        }

        /// An observation, which lives as long as its iterator's attachment.
        private final class Watch: Sendable {
            private let listening: StorefrontPoll.Listening

            init(_ listening: StorefrontPoll.Listening) {
                self.listening = listening
            }
        }
    }
}
