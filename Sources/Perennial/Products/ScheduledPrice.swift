/// A price of a product that takes effect at an instant of the store's clock.
package struct ScheduledPrice: Hashable, Sendable {
    package var at: Instant
    package var price: Money
    /// `nil` for the base price and all prices in its currency.
    package var storefront: Storefront?
    /// True if subscribers must agree to an increase; `nil` to decide by ``PriceIncreaseRule``.
    package var needsConsent: Bool?
    /// True if subscribers keep their price.
    package var preservesSubscribers: Bool {
        get { preserved == true }
        set { preserved = newValue ? true : nil }
    }
    private var preserved: Bool?

    package init(
        at: Instant, _ price: Money, storefront: Storefront? = nil, needsConsent: Bool? = nil,
        preservesSubscribers: Bool = false
    ) {
        self.at = at
        self.price = price
        self.storefront = storefront
        self.needsConsent = needsConsent
        self.preservesSubscribers = preservesSubscribers
    }

    /// What one price at most is scheduled for.
    struct Place: Hashable {
        var at: Instant
        var storefront: Storefront?
    }

    var place: Place { Place(at: at, storefront: storefront) }

    /// Returns true if this price takes effect first. Of prices at one instant, the base price comes first, so that a
    /// storefront's own price holds.
    package static func isBefore(_ one: ScheduledPrice, _ other: ScheduledPrice) -> Bool {
        (one.at, one.storefront?.rawValue ?? "") < (other.at, other.storefront?.rawValue ?? "")
    }
}

/// A schedule has a row for each storefront of each change, so a row is one text, which is read five times as fast as a
/// document: the milliseconds, the storefront or `-`, the currency, the milliunits, and the flags or `-`.
extension ScheduledPrice: Codable {
    /// `p` for subscribers who keep their price, `c` for consent, `n` for no consent.
    private var flags: String {
        let flags = (preservesSubscribers ? "p" : "") + (needsConsent.map { $0 ? "c" : "n" } ?? "")
        return flags.isEmpty ? "-" : flags
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(
            "\(at.milliseconds) \(storefront?.rawValue ?? "-") \(price.currency.rawValue) \(price.milliunits) \(flags)")
    }

    /// The members of the rows of earlier versions.
    private enum Member: String, CodingKey {
        case at, price, storefront, needsConsent, preserved
    }

    package init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            guard let price = Self(text) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "\(text) is no scheduled price"))
            }
            self = price
        } else {
            let container = try decoder.container(keyedBy: Member.self)
            self.init(
                at: try container.decode(Instant.self, forKey: .at), try container.decode(Money.self, forKey: .price),
                storefront: try container.decodeIfPresent(Storefront.self, forKey: .storefront),
                needsConsent: try container.decodeIfPresent(Bool.self, forKey: .needsConsent),
                preservesSubscribers: try container.decodeIfPresent(Bool.self, forKey: .preserved) ?? false)
        }
    }

    private init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 5)
        guard parts.count == 5, let at = Int64(parts[0]), let milliunits = Int64(parts[3]) else { return nil }
        self.init(
            at: Instant(milliseconds: at), Money(milliunits: milliunits, Currency(rawValue: String(parts[2]))),
            storefront: parts[1] == "-" ? nil : Storefront(rawValue: String(parts[1])),
            needsConsent: parts[4].contains("c") ? true : parts[4].contains("n") ? false : nil,
            preservesSubscribers: parts[4].contains("p"))
    }
}

/// A change of a product's price that has taken effect.
package struct PerformedPriceChange: Hashable, Sendable {
    package var at: Instant
    /// `nil` for the base price and all prices in its currency.
    package var storefront: Storefront?
    package var previous: Money
    package var price: Money
    /// True if subscribers keep the previous price.
    package var preservesSubscribers: Bool

    package init(
        at: Instant, storefront: Storefront?, previous: Money, price: Money, preservesSubscribers: Bool
    ) {
        self.at = at
        self.storefront = storefront
        self.previous = previous
        self.price = price
        self.preservesSubscribers = preservesSubscribers
    }
}
