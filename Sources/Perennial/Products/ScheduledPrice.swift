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

    /// A time and a storefront, for which one price at most is scheduled.
    package struct Place: Hashable {
        package var at: Instant
        package var storefront: Storefront?

        package init(at: Instant, storefront: Storefront?) {
            self.at = at
            self.storefront = storefront
        }
    }

    var place: Place { Place(at: at, storefront: storefront) }

    /// Returns true if this price takes effect first. Of prices at one instant, the base price comes first, so that a
    /// storefront's own price holds.
    package static func isBefore(_ one: ScheduledPrice, _ other: ScheduledPrice) -> Bool {
        guard one.at == other.at else { return one.at < other.at }
        guard let second = other.storefront else { return false }
        return one.storefront.map { $0 < second } ?? true
    }
}

/// A row on its own is one text: the milliseconds, the storefront or `-`, the currency, the milliunits, and the flags or
/// `-`. Those of a schedule are stored together (``ScheduledPriceTexts``).
extension ScheduledPrice: Codable {
    /// `p` for subscribers who keep their price, `c` for consent, `n` for no consent.
    var flags: String {
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
            storefront: parts[1] == "-" ? nil : Storefront(rawValue: String(parts[1])), flags: String(parts[4]))
    }

    init(at: Instant, _ price: Money, storefront: Storefront?, flags: String) {
        self.init(
            at: at, price, storefront: storefront,
            needsConsent: flags.utf8.contains(UInt8(ascii: "c"))
                ? true : flags.utf8.contains(UInt8(ascii: "n")) ? false : nil,
            preservesSubscribers: flags.utf8.contains(UInt8(ascii: "p")))
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
