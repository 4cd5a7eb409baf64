import Perennial

/// The ID of a subscription's availability for a plan: `7000000201_UPFRONT`.
struct PlanAvailabilityID: Hashable, Sendable {
    enum Plan: String, Sendable, CaseIterable {
        case upfront = "UPFRONT"
        case monthly = "MONTHLY"
    }

    /// The subscription's Apple ID.
    let product: Int64
    let plan: Plan

    init(_ product: Int64, _ plan: Plan) {
        (self.product, self.plan) = (product, plan)
    }

    init?(_ text: String) {
        let parts = text.split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let product = Int64(connectID: String(parts[0])),
            let plan = Plan(rawValue: String(parts[1]))
        else { return nil }
        self.init(product, plan)
    }

    var text: String { "\(product)_\(plan.rawValue)" }
}

/// The availability of a subscription for a plan.
struct PlanAvailability: Sendable {
    let id: PlanAvailabilityID
    let storefronts: [Storefront]
    let includesNew: Bool
}

extension CatalogProduct {
    /// The plans whose availability the seller has set.
    var planAvailabilities: [PlanAvailability] {
        PlanAvailabilityID.Plan.allCases.compactMap { plan(PlanAvailabilityID(appleID, $0)) }
    }

    /// Returns the availability for a plan; `nil` if the seller hasn't set it.
    func plan(_ id: PlanAvailabilityID) -> PlanAvailability? {
        switch id.plan {
        case .upfront:
            guard hasAvailability else { return nil }
            return PlanAvailability(
                id: id, storefronts: storefronts, includesNew: product.availability.includesNew)
        case .monthly:
            guard let availability = listing.monthlyAvailability else { return nil }
            return PlanAvailability(
                id: id, storefronts: Availability?.some(availability).storefronts, includesNew: availability.includesNew
            )
        }
    }

    /// Sets the availability for a plan.
    ///
    /// - Parameters:
    ///   - storefronts: `nil` to keep them.
    ///   - includesNew: `nil` to keep it.
    mutating func setPlan(_ id: PlanAvailabilityID, _ storefronts: [Storefront]?, includesNew: Bool?) throws {
        let before = plan(id)
        switch id.plan {
        case .upfront:
            // Before the seller has set an availability, none is kept.
            try changeAvailability(storefronts ?? (before == nil ? [] : nil), includesNew: includesNew)
        case .monthly:
            try setMonthlyAvailability(
                storefronts ?? before?.storefronts ?? [], includesNew: includesNew ?? before?.includesNew ?? true)
        }
    }
}
