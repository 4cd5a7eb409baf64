import Testing

@testable import Perennial

/// The state of a product in App Store Connect's words, and its way through review.
struct ListingStateTests {
    @Test(arguments: [
        (Product.State.readyToSubmit, ProductListingState.missingMetadata), (.waitingForReview, .waitingForReview),
        (.inReview, .inReview), (.developerActionNeeded, .developerActionNeeded), (.rejected, .rejected),
        (.removedFromSale, .removedFromSale), (.approved, .approved),
    ])
    func `an imported product has the state of its review`(state: Product.State, listing: ProductListingState) {
        #expect(CatalogProduct.imported(state: state).listingState == listing)
    }

    @Test(arguments: [ProductType.nonConsumable, .autoRenewable])
    func `each missing part keeps a product from READY_TO_SUBMIT`(type: ProductType) throws {
        let complete = try CatalogProduct.complete(type)
        #expect(complete.listingState == .readyToSubmit && complete.missingMetadata.isEmpty)
        let removals: [(MissingMetadata, (inout CatalogProduct) -> Void)] = [
            (.localization, { $0.replaceLocalizations([]) }), (.price, { $0.product.isPriced = false }),
            (.availability, { ($0.product.availability, $0.listing.availabilityWasSet) = (nil, false) }),
            (.screenshot, { $0.listing.screenshot?.state = .awaitingUpload }),
            (.period, { $0.product.subscription?.hasPeriod = false }),
        ]
        for (part, remove) in removals where part != .period || type == .autoRenewable {
            var product = complete
            remove(&product)
            #expect(product.missingMetadata == [part] && product.listingState == .missingMetadata)
            let error = refusal { try product.review(.submit) }
            #expect(error?.code == .stateInvalid)
            #expect(error?.associated.map(\.place) == [part.place(renews: type.renews)])
        }
    }

    @Test func `an approved product without a storefront is removed from sale`() throws {
        var product = CatalogProduct.imported()
        try product.setAvailability([], includesNew: false)
        #expect(product.listingState == .developerRemovedFromSale && product.storefronts.isEmpty)
        try product.setAvailability([.usa], includesNew: false)
        #expect(product.listingState == .approved && product.storefronts == [.usa])
        product.product.isClearedForSale = false
        #expect(product.listingState == .developerRemovedFromSale && product.storefronts.isEmpty)
    }

    @Test func `a new product goes through review to its approval`() throws {
        var product = try CatalogProduct.complete()
        let steps: [(ReviewStep, Product.State, MetadataVersion.State)] = [
            (.addToSubmission, .readyToSubmit, .readyForReview),
            (.removeFromSubmission, .readyToSubmit, .prepareForSubmission),
            (.submit, .waitingForReview, .waitingForReview), (.startReview, .inReview, .inReview),
            (.accept, .inReview, .accepted), (.approve, .approved, .approved),
        ]
        for (step, state, version) in steps {
            try product.review(step)
            #expect(product.product.state == state && product.currentVersion.state == version, "\(step)")
        }
        #expect(product.wasApproved)
    }

    @Test func `a rejected product is submitted again as a new version`() throws {
        var product = try CatalogProduct.complete()
        try product.review(.submit)
        try product.review(.reject, reason: "The screenshot shows another app.")
        #expect(product.listingState == .rejected)
        #expect(product.listing.rejectionReason == "The screenshot shows another app.")
        try product.review(.submit)
        #expect(product.textVersions.map(\.state) == [.rejected, .waitingForReview])
        #expect(product.listing.rejectionReason == nil && product.listingState == .waitingForReview)
        try product.review(.withdraw)
        #expect(product.currentVersion.state == .developerRejected && product.listingState == .readyToSubmit)
    }

    @Test(arguments: ReviewStep.allCases)
    func `a step is refused from every other state`(step: ReviewStep) throws {
        for state in MetadataVersion.State.allCases where !step.from.contains(state) {
            var group = SubscriptionGroup(
                id: "21", referenceName: "G", versions: [GroupVersion(number: 1, id: "v", state: state)])
            #expect(refusal { try group.take(step) }?.code == .stateInvalid)
            #expect(group.versions[0].state == state)
        }
    }

    @Test func `a new version of an approved product is sold only after its approval`() throws {
        var product = CatalogProduct.imported()
        _ = try product.add("de-DE", "Münzen")
        #expect(product.product.localizations.map(\.locale) == ["en_US"] && product.listingState == .approved)
        try product.review(.submit)
        #expect(product.product.state == .approved)
        try product.review(.approve)
        #expect(product.textVersions.map(\.state) == [.replacedWithNewVersion, .approved])
        #expect(product.product.localizations.map(\.locale) == ["en_US", "de_DE"])
    }

    @Test func `the operator removes only approved products`() throws {
        var product = CatalogProduct.imported()
        try product.setRemovedFromSale(true)
        #expect(product.listingState == .removedFromSale)
        try product.setRemovedFromSale(false)
        #expect(product.listingState == .approved)
        var draft = CatalogProduct.imported(state: .readyToSubmit)
        #expect(refusal { try draft.setRemovedFromSale(true) }?.code == .stateInvalid)
    }
}
