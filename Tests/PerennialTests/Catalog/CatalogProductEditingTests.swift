import Testing

@testable import Perennial

/// The values that a seller may give a product, and their time.
struct CatalogProductEditingTests {
    private static func made(
        _ type: ProductType = .consumable, _ id: String = "com.example.coins",
        _ change: (inout NewProduct) -> Void = { _ in }
    ) throws -> CatalogProduct {
        var new = NewProduct(Product.ID(rawValue: id), type, referenceName: "Coins")
        new.groupID = type == .autoRenewable ? "21" : nil
        change(&new)
        return try CatalogProduct(new, appleID: 7_000_000_101, currency: .usd)
    }

    @Test(arguments: ProductType.allCases)
    func `a new product lacks its metadata`(type: ProductType) throws {
        let product = try Self.made(type)
        #expect(product.product.state == .readyToSubmit && product.listingState == .missingMetadata)
        #expect(product.product.type == type && product.product.isPriced == (type == .free))
        #expect(product.missingMetadata.contains(.period) == (type == .autoRenewable))
        #expect(
            ProductValidation.problems(
                in: App(
                    bundleID: .init(rawValue: "a"), appleID: 1, name: "A", isNewsstand: true,
                    products: [product.product])
            ).isEmpty)
    }

    @Test(arguments: [
        ("", CatalogEditError.Code.required), ("-a", .invalid), ("a b", .invalid), ("ä", .invalid),
        (String(repeating: "a", count: 101), .invalid),
    ])
    func `a bad product ID is refused`(id: String, code: CatalogEditError.Code) {
        let error = refusal { _ = try Self.made(.consumable, id) }
        #expect(error?.code == code && error?.place == .attribute("productId"))
    }

    @Test(arguments: [
        ("Books", true), ("", true), (String(repeating: "ä", count: 64), true),
        (String(repeating: "a", count: 65), false),
        ("a\nb", false), ("a\r\nb", false), ("a\tb", false), ("a\u{2028}b", false), ("a\u{85}b", false),
        ("a\u{7F}", false), ("a\u{0}", false),
    ])
    func `a tax category is one line of up to 64 characters`(category: String, isValid: Bool) throws {
        var product = try Self.made()
        let error = refusal { try product.setTaxCategory(category) }
        #expect(error?.code == (isValid ? nil : .invalid))
        #expect(error == nil || error?.place == .attribute("taxCategory"))
        #expect(product.listing.taxCategory == (isValid && !category.isEmpty ? category : nil))
    }

    @Test func `a name that changes the direction of text is refused, as App Store Connect does`() throws {
        for value in Array(0x202A...0x202E) + Array(0x2066...0x2069) {
            let name = "Coins \(Character(try #require(Unicode.Scalar(value))))gnp"
            var product = try Self.made()
            var group = SubscriptionGroup(id: "21", referenceName: "a")
            let errors = [
                refusal { try product.rename(name) }, refusal { try product.setReviewNote(name) },
                refusal { _ = try Self.made { $0.referenceName = name } }, refusal { try group.rename(name) },
            ]
            #expect(errors.allSatisfy { $0?.code == .invalidCharacters })
            #expect(errors[0]?.place == .attribute("name"))
        }
        var product = try Self.made()
        // Marks and joiners are parts of names in Arabic, Hebrew, Persian and Hindi.
        try product.rename("\u{200F}שם \u{200E}می\u{200C}خواهم")
    }

    @Test(arguments: [
        (0, CatalogEditError.Code?.some(.required)), (1, nil), (64, nil), (65, .invalid),
    ])
    func `a reference name has up to 64 characters`(length: Int, code: CatalogEditError.Code?) throws {
        var product = try Self.made()
        let name = String(repeating: "n", count: length)
        #expect(refusal { try product.rename(name) }?.code == code)
        var group = SubscriptionGroup(id: "21", referenceName: "G")
        #expect(refusal { try group.rename(name) }?.code == code)
        #expect(refusal { _ = try Self.made { $0.referenceName = name } }?.code == code)
    }

    @Test func `a review note is cleared by null and by an empty text`() throws {
        var product = try Self.made { $0.reviewNote = "Use demo / demo." }
        #expect(product.listing.reviewNote == "Use demo / demo.")
        try product.setReviewNote("")
        #expect(product.listing.reviewNote == nil)
        #expect(refusal { try product.setReviewNote(String(repeating: "n", count: 4001)) }?.code == .invalid)
    }

    @Test(arguments: ProductType.allCases)
    func `only two types can be shared with the family`(type: ProductType) throws {
        let isAllowed = type == .nonConsumable || type == .autoRenewable
        let error = refusal { _ = try Self.made(type) { $0.isFamilyShareable = true } }
        #expect(error?.place == (isAllowed ? nil : .attribute("familySharable")))
    }

    @Test func `Family Sharing isn't turned off, nor on for an approved non-consumable`() throws {
        var shared = try Self.made(.nonConsumable) { $0.isFamilyShareable = true }
        #expect(refusal { try shared.setFamilyShareable(false) }?.code == .invalid)
        try shared.setFamilyShareable(true)
        var approved = CatalogProduct.imported(.nonConsumable)
        #expect(refusal { try approved.setFamilyShareable(true) }?.code == .invalid)
        var subscription = CatalogProduct.imported(.autoRenewable)
        try subscription.setFamilyShareable(true)
        #expect(subscription.product.isFamilyShareable)
    }

    @Test func `the period of a subscription is final once it was submitted`() throws {
        var product = try Self.made(.autoRenewable)
        #expect(product.product.subscription?.hasPeriod == false)
        #expect(refusal { try product.setPeriod(Period(5, .month)) }?.place == .attribute("subscriptionPeriod"))
        try product.setPeriod(.month)
        try product.setPeriod(.year)
        #expect(product.product.subscription?.period == .year && product.product.subscription?.hasPeriod == true)
        product.product.state = .waitingForReview
        #expect(refusal { try product.setPeriod(.month) }?.code == .invalid)
        try product.setPeriod(.year)
        var other = try Self.made()
        #expect(refusal { try other.setPeriod(.month) }?.code == .invalid)
    }

    @Test(arguments: [(Int64(0), false), (1, true), (1000, true), (1001, false), (.max, false), (.min, false)])
    func `a level is 1 to 1000`(level: Int64, isValid: Bool) throws {
        var product = CatalogProduct.imported(.autoRenewable)
        #expect((refusal { try product.setLevel(level) } == nil) == isValid)
    }

    @Test func `a product is sold where the seller says`() throws {
        var product = CatalogProduct.imported()
        #expect(product.storefronts.count == Storefront.all.count && product.product.availability == nil)
        try product.setAvailability([Storefront(rawValue: "DEU"), .usa, .usa], includesNew: false)
        #expect(
            product.storefronts.map(\.rawValue) == ["DEU", "USA"]
                && !product.product.isAvailable(in: Storefront(rawValue: "FRA")))
        try product.setAvailability(Storefront.all.map(\.storefront), includesNew: false)
        #expect(product.product.availability != nil)
        try product.setAvailability(Storefront.all.map(\.storefront), includesNew: true)
        #expect(product.product.availability == nil && product.listing.availabilityWasSet)
        let error = refusal { try product.setAvailability([Storefront(rawValue: "XYZ")], includesNew: true) }
        #expect(error?.code == .relationshipInvalid && error?.place == .relationship("availableTerritories"))
    }

    @Test func `a product off sale stays so until storefronts are given`() throws {
        var product = CatalogProduct.imported()
        try product.setAvailability([.usa], includesNew: false)
        product.product.isClearedForSale = false
        try product.changeAvailability(nil, includesNew: true)
        #expect(product.storefronts == [] && product.product.availability?.storefronts == [.usa])
        #expect(product.product.availability.includesNew)
        try product.changeAvailability([.usa], includesNew: nil)
        #expect(product.storefronts == [.usa] && product.product.availability.includesNew)
    }

    @Test func `an environment sells a product only in its storefronts`() throws {
        var product = CatalogProduct.imported()
        try product.setAvailability([.usa], includesNew: true)
        let (usa, germany) = (Storefront.usa, Storefront(rawValue: "DEU"))
        for environment in [StoreEnvironment.production, .sandbox] {
            #expect(environment.sells(product.product, in: usa) && !environment.sells(product.product, in: germany))
        }
        product.product.state = .waitingForReview
        #expect(!StoreEnvironment.production.sells(product.product, in: usa))
        #expect(StoreEnvironment.sandbox.sells(product.product, in: usa))
        var subscription = CatalogProduct.imported(.autoRenewable)
        #expect(StoreEnvironment.sandbox.sells(subscription.product, in: usa))
        subscription.product.subscription?.hasPeriod = false
        #expect(!StoreEnvironment.sandbox.sells(subscription.product, in: usa))
    }

    @Test(arguments: [
        (Product.State.approved, false), (.waitingForReview, false), (.inReview, false), (.readyToSubmit, true),
        (.rejected, true), (.developerActionNeeded, true), (.removedFromSale, true),
    ])
    func `a product is deleted unless it is on sale or in review`(state: Product.State, isAllowed: Bool) throws {
        var product = CatalogProduct.imported(state: state)
        #expect((refusal { try product.checkDeletion() } == nil) == isAllowed)
        if state == .readyToSubmit {
            var submitted = try CatalogProduct.complete()
            try submitted.review(.addToSubmission)
            #expect(refusal { try submitted.checkDeletion() }?.code == .stateInvalid)
        }
        guard state == .approved else { return }
        try product.setAvailability([], includesNew: false)
        #expect(refusal { try product.checkDeletion() } == nil)
    }
}
