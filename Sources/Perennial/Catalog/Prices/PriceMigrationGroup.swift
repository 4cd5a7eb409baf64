/// Subscribers whom new prices touch together: at one instant, by one rule of consent.
package struct PriceMigrationGroup: Hashable, Sendable {
    package var at: Instant
    /// True if subscribers must agree to an increase; `nil` to decide by ``PriceIncreaseRule``.
    package var needsConsent: Bool?
    /// The storefronts of the subscribers; `nil` for all.
    package var storefronts: Set<Storefront>?

    /// Returns the subscribers whom prices touch, in order. A storefront whose price preserves its subscribers isn't among
    /// them.
    ///
    /// - Parameters:
    ///   - prices: In order.
    ///   - list: The prices before.
    package static func groups(of prices: [ScheduledPrice], in list: PriceList) -> [PriceMigrationGroup] {
        var groups: [PriceMigrationGroup] = []
        for price in prices {
            let touched = list.storefronts(touchedBy: price)
            // The last price of an instant decides.
            for index in groups.indices where groups[index].at == price.at {
                groups[index].remove(touched)
            }
            guard !price.preservesSubscribers else { continue }
            if let index = groups.firstIndex(where: { $0.at == price.at && $0.needsConsent == price.needsConsent }) {
                groups[index].add(touched)
            } else {
                groups.append(
                    PriceMigrationGroup(at: price.at, needsConsent: price.needsConsent, storefronts: touched))
            }
        }
        return groups.filter { $0.storefronts != [] }
    }

    private mutating func add(_ touched: Set<Storefront>?) {
        storefronts = storefronts.flatMap { known in touched.map { known.union($0) } }
    }

    private mutating func remove(_ touched: Set<Storefront>?) {
        guard let touched else {
            storefronts = []
            return
        }
        let known = storefronts ?? Set(Storefront.all.map(\.storefront))
        storefronts = known.subtracting(touched)
    }
}

extension PriceList {
    /// Returns the storefronts whose price a change sets; `nil` for all.
    package func storefronts(touchedBy price: ScheduledPrice) -> Set<Storefront>? {
        if let storefront = price.storefront {
            guard isEqualized, storefront == baseStorefront else { return [storefront] }
            return Set(Storefront.all.map(\.storefront).filter { own[$0] == nil || $0 == storefront })
        }
        let others = own.filter { $0.value.currency != price.price.currency }
        if requiresOwn { return Set(own.keys).subtracting(others.keys) }
        return others.isEmpty ? nil : Set(Storefront.all.map(\.storefront).filter { others[$0] == nil })
    }
}
