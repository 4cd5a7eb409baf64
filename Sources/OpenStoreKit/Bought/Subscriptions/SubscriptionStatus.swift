import Foundation

/// Status of a subscription.
public typealias SubscriptionStatus = Product.SubscriptionInfo.Status
/// The next renewal of a subscription.
public typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo
/// Renewal state of a subscription.
public typealias SubscriptionRenewalState = Product.SubscriptionInfo.RenewalState

extension Product.SubscriptionInfo {
    /// Renewal state of a subscription.
    ///
    /// Source: Apple, StoreKit documentation, "Product.SubscriptionInfo.RenewalState". Raw values: App Store Server API, "status".
    public struct RenewalState: RawRepresentable, Equatable, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The customer is subscribed.
        public static let subscribed = RenewalState(rawValue: 1)
        /// The subscription has expired.
        public static let expired = RenewalState(rawValue: 2)
        /// The store tries to charge for a renewal that failed.
        public static let inBillingRetryPeriod = RenewalState(rawValue: 3)
        /// The store tries to charge for a renewal that failed, and the customer keeps access.
        public static let inGracePeriod = RenewalState(rawValue: 4)
        /// The store revoked the subscription.
        public static let revoked = RenewalState(rawValue: 5)

        /// A description for people, in English.
        public var localizedDescription: String {
            switch self {
            case .subscribed: "Subscribed"
            case .expired: "Expired"
            case .inBillingRetryPeriod: "In Billing Retry Period"
            case .inGracePeriod: "In Grace Period"
            case .revoked: "Revoked"
            default: "\(rawValue)"
            }
        }
    }

    /// Status of a subscription: state, newest transaction and next renewal.
    ///
    /// Source: Apple, StoreKit documentation, "Product.SubscriptionInfo.Status".
    public struct Status: Equatable, Hashable, Sendable {
        /// Renewal state.
        public let state: RenewalState
        /// Newest transaction.
        public let transaction: VerificationResult<Transaction>
        /// The next renewal.
        public let renewalInfo: VerificationResult<RenewalInfo>

        init(
            state: RenewalState, transaction: VerificationResult<Transaction>,
            renewalInfo: VerificationResult<RenewalInfo>
        ) {
            self.state = state
            self.transaction = transaction
            self.renewalInfo = renewalInfo
        }
    }
}

extension Product.SubscriptionInfo.Status {
    /// Statuses by subscription group, and then the end of the stream.
    ///
    /// Source: Apple, StoreKit documentation, "all".
    public static var all: AsyncStream<(groupID: String, statuses: [Product.SubscriptionInfo.Status])> {
        let connection = CurrentStore.connection
        return AsyncStream { continuation in
            let task = Task {
                if let connection {
                    let sync = connection.transactionSync
                    await sync.waitUntilCurrent()
                    for (group, statuses) in sync.statusesByGroup() {
                        continuation.yield((groupID: group, statuses: statuses))
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Statuses of subscriptions as they change.
    ///
    /// Follows the store of the task or the process. Several iterators get every status each. Ends when the task is cancelled.
    ///
    /// Source: Apple, StoreKit documentation, "updates".
    public static var updates: Statuses { Statuses() }

    /// Sequence of statuses.
    public struct Statuses: AsyncSequence, Sendable {
        public typealias Element = Product.SubscriptionInfo.Status

        /// Store of the task that made the sequence.
        private let taskConnection = CurrentStore.taskConnection

        init() {}

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(UpdateFeed(taskConnection ?? CurrentStore.taskConnection, { $0.statuses }))
        }

        /// Iterator of statuses.
        public struct AsyncIterator: AsyncIteratorProtocol {
            public typealias Element = Statuses.Element

            private let feed: UpdateFeed<Element>
            private var iterator: AsyncStream<Element>.AsyncIterator

            init(_ feed: UpdateFeed<Element>) {
                self.feed = feed
                self.iterator = feed.stream.makeAsyncIterator()
            }

            public mutating func next() async -> Statuses.Element? {
                await iterator.next()
            }
        }
    }
}
