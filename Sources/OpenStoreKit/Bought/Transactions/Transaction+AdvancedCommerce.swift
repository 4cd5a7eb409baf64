import Foundation

extension Transaction {
    /// Details of a transaction of the Advanced Commerce API.
    public var advancedCommerceInfo: AdvancedCommerceInfo? {
        content.details.advancedCommerceInfo.flatMap { AdvancedCommerceInfo($0) }
    }

    /// Details of a transaction of the Advanced Commerce API.
    ///
    /// Source: Apple, StoreKit documentation, "Transaction.AdvancedCommerceInfo".
    public struct AdvancedCommerceInfo: Equatable, Hashable, Sendable {
        /// Description that the customer sees.
        public let description: String?
        /// Name that the customer sees.
        public let displayName: String?
        /// Estimated tax.
        public let estimatedTax: Decimal
        /// Items of the purchase.
        public let items: [Item]
        /// Period of a subscription.
        public let period: Product.SubscriptionPeriod?
        /// The seller's reference of the request.
        public let requestReferenceID: String
        /// Tax code.
        public let taxCode: String
        /// Price without tax.
        public let taxExclusivePrice: Decimal
        /// Tax rate.
        public let taxRate: Decimal

        struct Message: Decodable, Sendable {
            var description: String?
            var displayName: String?
            var estimatedTax: Int64?
            var items: [Item.Message]?
            var period: String?
            var requestReferenceId: String?
            var taxCode: String?
            var taxExclusivePrice: Int64?
            var taxRate: DecimalText?
        }

        /// Returns `nil` without a reference, which every request has.
        init?(_ message: Message) {
            guard let reference = message.requestReferenceId else { return nil }
            description = message.description
            displayName = message.displayName
            estimatedTax = Decimal(milliunits: message.estimatedTax ?? 0)
            items = message.items?.map { Item($0) } ?? []
            period = message.period.flatMap { Product.SubscriptionPeriod(iso8601: $0) }
            requestReferenceID = reference
            taxCode = message.taxCode ?? ""
            taxExclusivePrice = Decimal(milliunits: message.taxExclusivePrice ?? 0)
            taxRate = message.taxRate?.value ?? 0
        }

        /// An item of a purchase.
        public struct Item: Equatable, Hashable, Sendable {
            /// SKU and names of the item.
            public let details: Details
            /// Refunds of the item; `nil` without any.
            public let refunds: [Refund]?
            /// Date of the item's revocation.
            public let revocationDate: Date?

            struct Message: Decodable, Sendable {
                var details: Details.Message
                var refunds: [Refund.Message]?
                var revocationDate: Double?

                private enum CodingKeys: CodingKey {
                    case refunds, revocationDate
                }

                init(from decoder: any Decoder) throws {
                    details = try Details.Message(from: decoder)
                    let container = try decoder.container(keyedBy: CodingKeys.self)
                    refunds = try container.decodeIfPresent([Refund.Message].self, forKey: .refunds)
                    revocationDate = try container.decodeIfPresent(Double.self, forKey: .revocationDate)
                }
            }

            init(_ message: Message) {
                details = Details(message.details)
                refunds = message.refunds?.map { Refund($0) }
                revocationDate = message.revocationDate.map { Date(milliseconds: $0) }
            }

            /// SKU and names of the item.
            public struct Details: Equatable, Hashable, Sendable {
                /// The seller's SKU.
                public let sku: String
                /// Name that the customer sees.
                public let displayName: String
                /// Description that the customer sees.
                public let description: String
                /// Price of the item.
                public let price: Decimal
                /// Offer of the item.
                public let offer: Offer?
                /// Partners of the item.
                public let partners: [Partner]
                /// Prices of seats.
                public let seatPriceTiers: [SeatPriceTier]

                struct Message: Decodable, Sendable {
                    var SKU: String
                    var displayName: String?
                    var description: String?
                    var price: Int64?
                    var offer: Offer.Message?
                    var partners: [Partner.Message]?
                    var seatPriceTiers: [SeatPriceTier.Message]?
                }

                init(_ message: Message) {
                    sku = message.SKU
                    displayName = message.displayName ?? ""
                    description = message.description ?? ""
                    price = Decimal(milliunits: message.price ?? 0)
                    offer = message.offer.flatMap { Offer($0) }
                    partners = message.partners?.map { Partner(id: $0.id, name: $0.name) } ?? []
                    seatPriceTiers = message.seatPriceTiers?.map { SeatPriceTier($0) } ?? []
                }
            }
        }
    }
}

/// A decimal number that JSON holds as a number or as text.
struct DecimalText: Decodable, Sendable {
    let value: Decimal

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self), let number = Decimal(string: text) {
            value = number
        } else {
            value = try container.decode(Decimal.self)
        }
    }
}

extension Date {
    /// Makes a date from milliseconds since 1970.
    init(milliseconds: Double) {
        self.init(timeIntervalSince1970: milliseconds / 1000)
    }
}
