/// The values of a new product.
package struct NewProduct: Hashable, Sendable {
    package var id: Product.ID
    package var type: ProductType
    package var referenceName: String
    package var reviewNote: String?
    package var isFamilyShareable = false
    /// The group of an auto-renewable subscription.
    package var groupID: String?
    /// `nil` for the level below all others of the group.
    package var level: Int64?
    /// `nil` to set it later.
    package var period: Period?

    package init(_ id: Product.ID, _ type: ProductType, referenceName: String) {
        self.id = id
        self.type = type
        self.referenceName = referenceName
    }
}

extension CatalogProduct {
    /// Creates a product that is not reviewed yet, without texts and price.
    ///
    /// - Parameters:
    ///   - level: The level of a subscription, if the values have none.
    ///   - currency: The currency of the base price.
    /// - Throws: ``CatalogEditError`` for a value that breaks a rule.
    package init(_ new: NewProduct, appleID: Int64, level: Int64 = 1, currency: Currency) throws {
        guard ProductValidation.isWellFormed(identifier: new.id.rawValue) else {
            guard !new.id.rawValue.isEmpty else {
                throw CatalogEditError(
                    .required, at: .attribute("productId"),
                    "You must provide a value for the attribute 'productId' with this request")
            }
            throw CatalogEditError(
                .invalid, at: .attribute("productId"),
                "The product ID '\(new.id)' must be \(ProductValidation.identifierRule).")
        }
        var product = Product(
            id: new.id, appleID: appleID, type: new.type, referenceName: "", state: .readyToSubmit,
            basePrice: .zero(currency))
        product.isPriced = new.type == .free
        if new.type == .autoRenewable {
            guard let groupID = new.groupID else {
                throw CatalogEditError(
                    .relationshipRequired, at: .relationship("group"),
                    "You must provide a value for the relationship 'group' with this request")
            }
            product.subscription = Product.Subscription(groupID: groupID, level: 1, period: .month)
            product.subscription?.hasPeriod = false
        }
        self.init(product)
        try rename(new.referenceName)
        try setReviewNote(new.reviewNote)
        try setFamilyShareable(new.isFamilyShareable)
        if new.type == .autoRenewable {
            try setLevel(new.level ?? level)
            if let period = new.period { try setPeriod(period) }
        }
    }

    /// Changes the reference name, which only the seller sees.
    ///
    /// - Throws: ``CatalogEditError`` `.required` or `.invalid`.
    package mutating func rename(_ name: String) throws {
        try ListingLimits.check(name, ListingLimits.referenceName, "name")
        product.referenceName = name
    }

    /// Changes the note to App Review.
    ///
    /// - Throws: ``CatalogEditError`` `.invalid`.
    package mutating func setReviewNote(_ note: String?) throws {
        try ListingLimits.check(note ?? "", ListingLimits.reviewNote, "reviewNote")
        listing.reviewNote = note?.isEmpty == true ? nil : note
    }

    /// Changes the tax category; an empty one removes it.
    ///
    /// - Throws: ``CatalogEditError`` `.invalid`.
    package mutating func setTaxCategory(_ category: String?) throws {
        try ListingLimits.check(taxCategory: category ?? "")
        listing.taxCategory = category?.isEmpty == true ? nil : category
    }

    /// Turns Family Sharing on. It can't be turned off; of non-consumables it is decided before the first approval ("Managing
    /// in-app purchases").
    ///
    /// - Throws: ``CatalogEditError`` `.invalid`.
    package mutating func setFamilyShareable(_ isShareable: Bool) throws {
        guard isShareable != product.isFamilyShareable else { return }
        func refusal(_ detail: String) -> CatalogEditError {
            CatalogEditError(.invalid, at: .attribute("familySharable"), detail)
        }
        guard isShareable else { throw refusal("Family Sharing can't be turned off.") }
        switch product.type {
        case .nonConsumable:
            guard !wasApproved else {
                throw refusal("Family Sharing can't be turned on after the product was approved.")
            }
        case .autoRenewable: break
        case .consumable, .nonRenewing, .free:
            throw refusal("Only non-consumables and auto-renewable subscriptions can be shared with the family.")
        }
        product.isFamilyShareable = true
    }

    /// Changes the level in the subscription group, 1 for the highest service.
    ///
    /// - Throws: ``CatalogEditError`` `.invalid`.
    package mutating func setLevel(_ level: Int64) throws {
        try requireSubscription("groupLevel")
        guard ListingLimits.subscriptionLevels.contains(level) else {
            let range = ListingLimits.subscriptionLevels
            throw CatalogEditError(
                .invalid, at: .attribute("groupLevel"),
                "A level is \(range.lowerBound), the highest service, to \(range.upperBound), not \(level).")
        }
        product.subscription?.level = Int(clamping: level)
    }

    /// Sets the period, which is final from the first submission on, and while there are offers that have it too.
    ///
    /// - Throws: ``CatalogEditError`` `.invalid` or `.state`.
    package mutating func setPeriod(_ period: Period) throws {
        try requireSubscription("subscriptionPeriod")
        guard ProductValidation.offeredPeriods.contains(period) else {
            let offered = ProductValidation.offeredPeriods.map(\.iso8601).joined(separator: ", ")
            throw CatalogEditError(
                .invalid, at: .attribute("subscriptionPeriod"), "The period \(period) is none of \(offered).")
        }
        guard product.subscription?.hasPeriod == false || product.subscription?.period != period else { return }
        switch product.state {
        case .readyToSubmit, .rejected, .developerActionNeeded: break
        case .waitingForReview, .inReview, .approved, .removedFromSale:
            throw CatalogEditError(
                .invalid, at: .attribute("subscriptionPeriod"),
                "The period of a subscription can't be changed after it was submitted.")
        }
        if let other = product.subscription?.periodOfOffers, other != period {
            throw CatalogEditError(
                .state, at: .attribute("subscriptionPeriod"),
                "Offers paid as you go have the subscription's period \(other): delete them before you change it.")
        }
        product.subscription?.period = period
        product.subscription?.hasPeriod = true
    }

    private func requireSubscription(_ attribute: String) throws {
        guard product.subscription != nil else {
            throw CatalogEditError(
                .invalid, at: .attribute(attribute),
                "Only an auto-renewable subscription has the attribute '\(attribute)'.")
        }
    }

    /// Sets the storefronts in which the product is sold. Without any it is removed from sale.
    ///
    /// - Throws: ``CatalogEditError`` `.relationshipInvalid` for an unknown storefront.
    package mutating func setAvailability(_ storefronts: [Storefront], includesNew: Bool) throws {
        product.availability = try Availability.checked(storefronts, includesNew: includesNew)
        if !storefronts.isEmpty { product.isClearedForSale = true }
        listing.availabilityWasSet = true
    }

    /// Changes the availability. A product that isn't cleared for sale stays so unless storefronts are given.
    ///
    /// - Parameters:
    ///   - storefronts: `nil` to keep them.
    ///   - includesNew: `nil` to keep it.
    /// - Throws: ``CatalogEditError`` `.relationshipInvalid` for an unknown storefront.
    package mutating func changeAvailability(_ storefronts: [Storefront]?, includesNew: Bool?) throws {
        let includesNew = includesNew ?? product.availability.includesNew
        if let storefronts {
            try setAvailability(storefronts, includesNew: includesNew)
        } else {
            product.availability = try Availability.checked(product.availability.storefronts, includesNew: includesNew)
            listing.availabilityWasSet = true
        }
    }

    /// Sets the storefronts of the monthly plan, whose customers commit themselves for a year. This store sells upfront only,
    /// and keeps them for the seller's programs.
    ///
    /// - Throws: ``CatalogEditError`` `.relationshipInvalid` for an unknown storefront, `.invalid` for a subscription of
    ///   another length.
    package mutating func setMonthlyAvailability(_ storefronts: [Storefront], includesNew: Bool) throws {
        guard product.subscription?.hasPeriod == true, product.subscription?.period == .year else {
            throw CatalogEditError(
                .invalid, at: .attribute("planType"), "Only a subscription of one year has a monthly plan.")
        }
        _ = try Availability.checked(storefronts, includesNew: includesNew)
        listing.monthlyAvailability = Availability(storefronts: Set(storefronts), includesNew: includesNew)
    }

    /// The storefronts in which the product is sold, in alphabetical order.
    package var storefronts: [Storefront] { product.isClearedForSale ? product.availability.storefronts : [] }

    /// Checks that the product may be deleted: not while it is approved and on sale, nor in review.
    ///
    /// - Throws: ``CatalogEditError`` `.stateInvalid`.
    package func checkDeletion() throws {
        guard !currentVersion.state.isInFlight, product.state != .waitingForReview, product.state != .inReview else {
            throw CatalogEditError(
                .stateInvalid, "The product \(id) is in a submission: withdraw it before you delete it.")
        }
        guard listingState != .approved else {
            throw CatalogEditError(
                .stateInvalid,
                "The product \(id) is approved: remove it from sale in all storefronts before you delete it.")
        }
    }
}

extension Product.Subscription {
    /// The period of the offers that are paid as you go; `nil` without any. Offers for codes that were ended stay in the
    /// catalog and don't count.
    fileprivate var periodOfOffers: Period? {
        [introductoryOffers, promotionalOffers, codeOffers, winBackOffers].joined().first {
            $0.paymentMode == .payAsYouGo && $0.availability?.isActive != false
        }?.period
    }
}
