/// The places and times in which an offer is available, as its seller has set them.
package struct OfferAvailability: Hashable, Sendable {
    /// The storefronts; `nil` for all.
    package var storefronts: Set<Storefront>?
    /// The first instant; `nil` for an offer without a start.
    package var starts: Instant?
    /// The end, exclusive; `nil` for an offer without an end.
    package var ends: Instant?
    /// False after the seller has ended the offer for good.
    package var isActive: Bool

    package init(
        storefronts: Set<Storefront>? = nil, starts: Instant? = nil, ends: Instant? = nil, isActive: Bool = true
    ) {
        self.storefronts = storefronts
        self.starts = starts
        self.ends = ends
        self.isActive = isActive
    }

    package func includes(_ storefront: Storefront) -> Bool { storefronts?.contains(storefront) ?? true }

    package func includes(_ now: Instant) -> Bool {
        isActive && starts.map { $0 <= now } ?? true && ends.map { now < $0 } ?? true
    }
}

extension OfferAvailability: Codable {
    private enum CodingKeys: String, CodingKey {
        case storefronts, starts, ends, isActive
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        storefronts = try fields.decodeIfPresent([Storefront].self, forKey: .storefronts).map { Set($0) }
        starts = try fields.decodeIfPresent(Instant.self, forKey: .starts)
        ends = try fields.decodeIfPresent(Instant.self, forKey: .ends)
        isActive = try fields.decodeIfPresent(Bool.self, forKey: .isActive) ?? true
    }

    /// Encodes the storefronts in alphabetical order, so that equal values have equal texts.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(storefronts?.sorted { $0.rawValue < $1.rawValue }, forKey: .storefronts)
        try fields.encodeIfPresent(starts, forKey: .starts)
        try fields.encodeIfPresent(ends, forKey: .ends)
        if !isActive { try fields.encode(false, forKey: .isActive) }
    }
}

extension Offer {
    /// True if customers of a storefront can take it now, as far as its seller's dates and storefronts say.
    package func isAvailable(in storefront: Storefront, at now: Instant) -> Bool {
        availability.map { $0.includes(storefront) && $0.includes(now) } ?? true
    }
}

extension OneTimeOffer {
    /// True if customers of a storefront can take it now, as far as its seller's dates and storefronts say.
    package func isAvailable(in storefront: Storefront, at now: Instant) -> Bool {
        availability.map { $0.includes(storefront) && $0.includes(now) } ?? true
    }
}

extension Product.Subscription {
    /// Returns the introductory offer of a storefront now: its own before the one of all storefronts.
    package func introductoryOffer(in storefront: Storefront, at now: Instant) -> Offer? {
        let available = introductoryOffers.filter { $0.isAvailable(in: storefront, at: now) }
        return available.first { $0.availability?.storefronts != nil } ?? available.first
    }

    /// All introductory offers: those with storefronts or dates, and the one of all storefronts without dates.
    package var introductoryOffers: [Offer] { limitedIntroductoryOffers + [introductoryOffer].compactMap(\.self) }
}
