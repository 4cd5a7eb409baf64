import Foundation

extension Product.SubscriptionInfo.RenewalInfo {
    /// Details of a subscription of the Advanced Commerce API.
    public var advancedCommerceInfo: AdvancedCommerceInfo? {
        content.details.advancedCommerceInfo.flatMap { AdvancedCommerceInfo($0) }
    }

    /// Details of a subscription of the Advanced Commerce API.
    ///
    /// Source: Apple, StoreKit documentation, "Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo".
    public struct AdvancedCommerceInfo: Equatable, Hashable, Sendable {
        /// Token that changes with the subscription's details.
        public let consistencyToken: String
        /// Description that the customer sees.
        public let description: String
        /// Name that the customer sees.
        public let displayName: String
        /// Items of the next renewal.
        public let items: [Item]
        /// Period of the subscription.
        public let period: Product.SubscriptionPeriod
        /// The seller's reference of the request.
        public let requestReferenceID: String
        /// Tax code.
        public let taxCode: String

        struct Message: Decodable, Sendable {
            struct Descriptors: Decodable, Sendable {
                var description: String?
                var displayName: String?
            }

            var consistencyToken: String?
            var descriptors: Descriptors?
            var description: String?
            var displayName: String?
            var items: [Item.Message]?
            var period: String?
            var requestReferenceId: String?
            var taxCode: String?
        }

        /// Returns `nil` without a reference or period, which every subscription has.
        init?(_ message: Message) {
            guard let reference = message.requestReferenceId,
                let period = message.period.flatMap({ Product.SubscriptionPeriod(iso8601: $0) })
            else { return nil }
            consistencyToken = message.consistencyToken ?? ""
            description = message.descriptors?.description ?? message.description ?? ""
            displayName = message.descriptors?.displayName ?? message.displayName ?? ""
            items = message.items?.map { Item($0) } ?? []
            self.period = period
            requestReferenceID = reference
            taxCode = message.taxCode ?? ""
        }

        /// An item of the next renewal.
        public struct Item: Equatable, Hashable, Sendable {
            /// SKU and names of the item.
            public typealias Details = Transaction.AdvancedCommerceInfo.Item.Details

            /// SKU and names of the item.
            public let details: Details
            /// Price increase of the item; `nil` without one.
            public let priceIncreaseInfo: PriceIncreaseInfo?

            struct Message: Decodable, Sendable {
                var details: Details.Message
                var priceIncreaseInfo: PriceIncreaseInfo.Message?

                private enum CodingKeys: CodingKey {
                    case priceIncreaseInfo
                }

                init(from decoder: any Decoder) throws {
                    details = try Details.Message(from: decoder)
                    priceIncreaseInfo = try decoder.container(keyedBy: CodingKeys.self)
                        .decodeIfPresent(PriceIncreaseInfo.Message.self, forKey: .priceIncreaseInfo)
                }
            }

            init(_ message: Message) {
                details = Details(message.details)
                priceIncreaseInfo = message.priceIncreaseInfo.map { PriceIncreaseInfo($0) }
            }

            /// Price increase of an item.
            public struct PriceIncreaseInfo: Equatable, Hashable, Sendable {
                /// SKUs of items whose prices depend on this one.
                public let dependentSKUs: [String]
                /// New price.
                public let price: Decimal
                /// Status of the increase.
                public let status: Status

                /// Status of a price increase.
                public struct Status: RawRepresentable, Equatable, Hashable, Sendable {
                    public let rawValue: String

                    public init(rawValue: String) {
                        self.rawValue = rawValue
                    }

                    /// The customer accepted.
                    public static let accepted = Status(rawValue: "ACCEPTED")
                    /// The customer has not answered.
                    public static let pending = Status(rawValue: "PENDING")
                    /// The increase comes without consent.
                    public static let scheduled = Status(rawValue: "SCHEDULED")
                }

                struct Message: Decodable, Sendable {
                    var dependentSKUs: [String]?
                    var price: Int64
                    var status: String
                }

                init(_ message: Message) {
                    dependentSKUs = message.dependentSKUs ?? []
                    price = Decimal(milliunits: message.price)
                    status = Status(rawValue: message.status)
                }
            }
        }
    }
}
