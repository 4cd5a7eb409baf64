/// The ID of a transaction, unique in its environment.
package struct TransactionID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    package let rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// Parses the decimal form of the protocols.
    package init?(_ text: some StringProtocol) {
        var (value, digits): (Int64, Int) = (0, 0)
        for byte in text.utf8 {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), digits < Self.maximumDigits else {
                return nil
            }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            digits += 1
        }
        guard digits > 0 else { return nil }
        rawValue = value
    }

    /// The most digits that always fit into 64 bits.
    private static let maximumDigits = 18

    package var description: String { String(rawValue) }
    package static func < (one: TransactionID, other: TransactionID) -> Bool { one.rawValue < other.rawValue }
}

/// A purchase, or one period of a subscription.
package struct Transaction: Hashable, Sendable {
    package enum Ownership: String, Sendable, CaseIterable {
        case purchased = "PURCHASED"
        case familyShared = "FAMILY_SHARED"
    }

    package enum Reason: String, Sendable, CaseIterable {
        case purchase = "PURCHASE"
        case renewal = "RENEWAL"
    }

    /// The date and reason of a revocation of access.
    package struct Revocation: Hashable, Sendable {
        /// The App Store Server API's `revocationReason`: 1 for an issue with the app, 0 for any other.
        package enum Reason: Int64, Sendable, CaseIterable {
            case other = 0
            case issueWithApp = 1
        }

        package var date: Instant
        package var reason: Reason
        package var kind: RevocationTerms.Kind
        /// The refunded share in thousandths of a percent; `nil` if unknown.
        package var percentage: Int64?

        package init(
            date: Instant, reason: Reason, kind: RevocationTerms.Kind = .fullRefund, percentage: Int64? = nil
        ) {
            self.date = date
            self.reason = reason
            self.kind = kind
            self.percentage = percentage
        }

        package init(_ terms: RevocationTerms) {
            self.init(date: terms.date, reason: terms.reason, kind: terms.kind, percentage: terms.percentage)
        }
    }

    package var id: TransactionID
    package var originalID: TransactionID
    package var accountID: Account.ID
    package var productID: Product.ID
    package var type: ProductType
    package var quantity: Int
    package var purchaseDate: Instant
    package var originalPurchaseDate: Instant
    /// The end of a subscription period; `nil` for other types. A free subscription has one only after its end.
    package var expiresDate: Instant?
    /// The ID of the order line, one for each paid period; auto-renewable subscriptions only.
    package var webOrderLineItemID: Int64?
    package var subscriptionGroupID: String?
    @Boxed package var revocation: Revocation?
    /// The charged amount, with quantity and offer.
    package var price: Money
    package var storefront: Storefront
    package var ownership: Ownership
    package var reason: Reason
    @Boxed package var offer: AppliedOffer?
    package var isUpgraded: Bool
    /// The app's name for the customer, stored as it was given.
    package var applicationUsername: String?
    /// True if the app has finished the transaction.
    package var isFinished: Bool

    package init(
        id: TransactionID, originalID: TransactionID, accountID: Account.ID, productID: Product.ID, type: ProductType,
        quantity: Int = 1, purchaseDate: Instant, originalPurchaseDate: Instant, expiresDate: Instant? = nil,
        webOrderLineItemID: Int64? = nil, subscriptionGroupID: String? = nil, revocation: Revocation? = nil,
        price: Money, storefront: Storefront, ownership: Ownership = .purchased, reason: Reason = .purchase,
        offer: AppliedOffer? = nil, isUpgraded: Bool = false, applicationUsername: String? = nil,
        isFinished: Bool = false
    ) {
        self.id = id
        self.originalID = originalID
        self.accountID = accountID
        self.productID = productID
        self.type = type
        self.quantity = quantity
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.expiresDate = expiresDate
        self.webOrderLineItemID = webOrderLineItemID
        self.subscriptionGroupID = subscriptionGroupID
        self.revocation = revocation
        self.price = price
        self.storefront = storefront
        self.ownership = ownership
        self.reason = reason
        self.offer = offer
        self.isUpgraded = isUpgraded
        self.applicationUsername = applicationUsername
        self.isFinished = isFinished
    }

    /// Returns true if the transaction gives access now or later, as far as the store can tell; the term of a
    /// non-renewing subscription is up to the seller. A period that was ended before it began never gives access.
    package func isInForce(at now: Instant) -> Bool {
        guard revocation == nil, !isUpgraded else { return false }
        guard let expiresDate else { return true }
        return now < expiresDate && purchaseDate < expiresDate
    }
}

/// The offer of a transaction.
package struct AppliedOffer: Hashable, Sendable {
    /// App Store Server API `offerType`.
    package enum Kind: Int64, Sendable, CaseIterable {
        case introductory = 1
        case promotional = 2
        case code = 3
        case winBack = 4
    }

    /// App Store Server API `offerDiscountType`.
    package enum PaymentMode: String, Sendable, CaseIterable {
        case freeTrial, payAsYouGo, payUpFront
        /// One price for one purchase of a product that doesn't renew.
        case oneTime

        package init(_ mode: Offer.PaymentMode) {
            self =
                switch mode {
                case .freeTrial: .freeTrial
                case .payAsYouGo: .payAsYouGo
                case .payUpFront: .payUpFront
                }
        }
    }

    package var kind: Kind
    package var id: String?
    package var paymentMode: PaymentMode
    /// The offer's length; `nil` for ``PaymentMode/oneTime``, because the product lasts as long as at its regular
    /// price.
    package var period: Period?

    package init(kind: Kind, id: String?, paymentMode: PaymentMode, period: Period?) {
        self.kind = kind
        self.id = id
        self.paymentMode = paymentMode
        self.period = period
    }
}
