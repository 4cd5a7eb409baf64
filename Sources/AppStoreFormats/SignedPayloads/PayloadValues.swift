// The values that several payloads share. All are open sets: a name of tomorrow survives decoding and encoding.

/// The side of the App Store that signed something.
public struct AppStoreEnvironment: RawRepresentable, Hashable, Sendable, Codable {
    /// The name on the wire.
    public let rawValue: String

    /// Takes any name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Real money.
    public static let production = Self(rawValue: "Production")
    /// Testers.
    public static let sandbox = Self(rawValue: "Sandbox")
    /// Xcode's local testing.
    public static let xcode = Self(rawValue: "Xcode")
    /// A test of a server on its own machine.
    public static let localTesting = Self(rawValue: "LocalTesting")
}

/// The kind of offer that set a price.
public struct OfferType: RawRepresentable, Hashable, Sendable, Codable {
    /// The number on the wire.
    public let rawValue: Int32

    /// Takes any number, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// An offer for customers who are new to the group.
    public static let introductory = Self(rawValue: 1)
    /// Signed by the seller.
    public static let promotional = Self(rawValue: 2)
    /// Redeemed with a code.
    public static let offerCode = Self(rawValue: 3)
    /// An offer for customers who left.
    public static let winBack = Self(rawValue: 4)
}

/// The payment mode of an offer.
public struct OfferDiscountType: RawRepresentable, Hashable, Sendable, Codable {
    /// The name on the wire.
    public let rawValue: String

    /// Takes any name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Free of charge.
    public static let freeTrial = Self(rawValue: "FREE_TRIAL")
    /// A lower price in each period.
    public static let payAsYouGo = Self(rawValue: "PAY_AS_YOU_GO")
    /// A price for all periods, paid once.
    public static let payUpFront = Self(rawValue: "PAY_UP_FRONT")
    /// A price for a product that is not a subscription, paid once.
    public static let oneTime = Self(rawValue: "ONE_TIME")
}

/// The billing plan of a subscription.
public struct BillingPlanType: RawRepresentable, Hashable, Sendable, Codable {
    /// The name on the wire.
    public let rawValue: String

    /// Takes any name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The whole period at its beginning.
    public static let billedUpfront = Self(rawValue: "BILLED_UPFRONT")
    /// Billed monthly, with a commitment.
    public static let monthly = Self(rawValue: "MONTHLY")
}

/// The ownership of a product: bought, or shared by a family member.
public struct InAppOwnershipType: RawRepresentable, Hashable, Sendable, Codable {
    /// The name on the wire.
    public let rawValue: String

    /// Takes any name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Bought by the customer.
    public static let purchased = Self(rawValue: "PURCHASED")
    /// Bought by a member of the customer's family.
    public static let familyShared = Self(rawValue: "FAMILY_SHARED")
}
