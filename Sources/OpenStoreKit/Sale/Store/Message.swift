/// A message of the store to the customer, such as about a price increase.
///
/// Source: Apple, StoreKit documentation, "Message".
public struct Message: Sendable, Equatable, Hashable {
    /// Reason of the message.
    public let reason: Reason

    /// Product of the message; `nil` if it is about no product.
    package let productID: String?
    /// The first transaction of the message's subscription; `nil` if it is about none.
    package let originalTransactionID: String?

    /// Reasons of messages: the known ones, or a later one.
    public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
        /// Number of the reason.
        public let rawValue: Int

        /// Makes a reason from its number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Any other reason.
        public static let generic = Reason(rawValue: 0)
        /// The customer has to agree to a price increase.
        public static let priceIncreaseConsent = Reason(rawValue: 1)
        /// A renewal could not be charged.
        public static let billingIssue = Reason(rawValue: 2)
        /// The customer may come back at a win-back offer.
        public static let winBackOffer = Reason(rawValue: 3)

        /// Name of the reason in the language of the process.
        public var localizedDescription: String {
            switch self {
            case .generic: "Generic"
            case .priceIncreaseConsent: "Price Increase Consent"
            case .billingIssue: "Billing Issue"
            case .winBackOffer: "Win-Back Offer"
            default: "\(rawValue)"
            }
        }

        /// Reads the name of a reason in store/v1.
        init(storeName: String) {
            switch storeName {
            case "priceIncreaseConsent": self = .priceIncreaseConsent
            case "billingIssue": self = .billingIssue
            case "winBackOffer": self = .winBackOffer
            default: self = .generic
            }
        }
    }

    /// The messages of the store, those that are there now first.
    ///
    /// Source: Apple, StoreKit documentation, "messages".
    public static var messages: Messages { Messages() }

    /// Messages of the store. Each iterator gets each message once for as long as it stands.
    public struct Messages: AsyncSequence, Sendable {
        public typealias Element = Message

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(
                ConnectionFeed { connection, continuation in
                    // An iterator starts with the messages that are there.
                    defer { Task { await connection.refreshMessages() } }
                    return connection.messageListeners.add(continuation, on: connection.transactionSync)
                })
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            public typealias Element = Message

            private let feed: ConnectionFeed<Message>
            private var base: AsyncStream<Message>.AsyncIterator

            init(_ feed: ConnectionFeed<Message>) {
                self.feed = feed
                self.base = feed.stream.makeAsyncIterator()
            }

            /// Waits for the next message; `nil` after the task was cancelled.
            public mutating func next() async -> Message? {
                await base.next()
            }
        }
    }
}
