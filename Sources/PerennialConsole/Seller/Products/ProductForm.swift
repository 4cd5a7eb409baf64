import Perennial
import PerennialConnect
import PerennialHTTP

/// The fields of a product of each type. They have the names of the App Store Connect API's attributes, so that a refusal
/// finds its field.
struct ProductForm: Sendable {
    let type: ProductType
    let state: FormState
    let language: Language

    /// The fields of a product that exists.
    func fields(of found: CatalogProduct) -> [Field] {
        let (product, listing) = (found.product, found.listing)
        var fields = [found.revisionField, name(product.referenceName)]
        if let subscription = product.subscription {
            fields += [level("\(subscription.level)"), period(subscription.hasPeriod ? subscription.period : nil)]
        }
        fields += sharing(product.isFamilyShareable)
        return fields + [
            state.field(
                "taxCategory", ProductPhrases.taxCategory, .text, listing.taxCategory ?? "",
                hint: .phrase(SellerPhrases.optional), maximumLength: ListingLimits.taxCategory.upperBound),
            note(listing.reviewNote ?? ""),
        ]
    }

    /// The fields of a new product.
    func fields(in app: App, groups: [(id: String, name: String)]) -> [Field] {
        var fields = [
            .hidden("type", type.rawValue), name(""),
            state.field(
                "productId", ProductPhrases.productID,
                hint: .phrase(ProductPhrases.productIDHint, .data("\(app.bundleID.rawValue).coins")), isRequired: true,
                maximumLength: ProductValidation.maximumIdentifierLength),
        ]
        if type == .autoRenewable {
            let options =
                [Field.Option("", .phrase(SellerPhrases.none))] + groups.map { Field.Option($0.id, .data($0.name)) }
            fields += [
                state.field("group", ProductPhrases.group, .choice(options), groups.first?.id ?? ""),
                state.field(
                    "referenceName", ProductPhrases.newGroup, hint: .phrase(ProductPhrases.newGroupHint),
                    maximumLength: ListingLimits.referenceName.upperBound),
                level(""), period(.month),
            ]
        }
        fields += sharing(false)
        if type != .free { fields.append(price(of: app)) }
        return fields + texts(locale: AppStoreLocale.connect(app.defaultLocale)) + [note("")]
    }

    private func name(_ stored: String) -> Field {
        state.field(
            "name", ProductPhrases.referenceName, .text, stored, hint: .phrase(ProductPhrases.referenceNameHint),
            isRequired: true, maximumLength: ListingLimits.referenceName.upperBound)
    }

    private func level(_ stored: String) -> Field {
        state.field("groupLevel", ProductPhrases.level, .number, stored, hint: .phrase(ProductPhrases.levelHint))
    }

    private func period(_ stored: Period?) -> Field {
        let none = [Field.Option("", .phrase(SellerPhrases.none))]
        return state.field(
            "subscriptionPeriod", ProductPhrases.period,
            .choice(none + Period.options(ProductValidation.offeredPeriods)), stored?.iso8601 ?? "")
    }

    private func sharing(_ stored: Bool) -> [Field] {
        guard type == .nonConsumable || type == .autoRenewable else { return [] }
        return [
            state.box(
                "familySharable", ProductPhrases.familySharing, stored, hint: .phrase(ProductPhrases.familySharingHint))
        ]
    }

    private func note(_ stored: String) -> Field {
        state.field(
            "reviewNote", ProductPhrases.reviewNote, .multiline(rows: 4), stored, hint: .phrase(SellerPhrases.optional),
            maximumLength: ListingLimits.reviewNote.upperBound)
    }

    private func price(of app: App) -> Field {
        let currency = app.defaultStorefront.currency ?? .usd
        return state.field(
            "price", Words.price,
            hint: .phrase(
                ProductPhrases.priceHint, .data(currency.rawValue), .storefront(app.defaultStorefront, language)))
    }

    private func texts(locale: String) -> [Field] {
        let hint = Text.data(LocalizedNames.locale(locale, in: language))
        return [
            .hidden("locale", locale),
            state.field(
                "displayName", ProductPhrases.displayName, hint: hint,
                maximumLength: ListingLimits.displayName.upperBound),
            state.field(
                "description", ProductPhrases.description, hint: hint,
                maximumLength: ListingLimits.description.upperBound),
        ]
    }
}

/// The values of a new product's form.
struct NewProductOrder: Sendable {
    var new: NewProduct
    /// The reference name of a group that is made for it.
    var newGroup: String?
    var price: Money?
    var locale: String
    var displayName: String?
    var description: String?

    /// - Throws: ``Refusal`` at a field.
    init(_ values: FormValues, in app: App) throws {
        let type = try values.chosen("type", ProductType.self)
        new = NewProduct(Product.ID(rawValue: values["productId"]), type, referenceName: values["name"])
        new.reviewNote = values.optional("reviewNote")
        new.isFamilyShareable = values.isTicked("familySharable")
        new.groupID = values.optional("group")
        new.level = try values.integer("groupLevel")
        new.period = try values.period("subscriptionPeriod")
        newGroup = values.optional("referenceName")
        price = type == .free ? nil : try values.money("price", in: app.defaultStorefront.currency ?? .usd)
        locale = values["locale"]
        (displayName, description) = (values.optional("displayName"), values.optional("description"))
    }

    /// Makes the product, which is sold everywhere, with its first text and price.
    ///
    /// - Parameter now: The time of the environment in which the seller works.
    /// - Throws: ``CatalogEditError``, ``Refusal``.
    func make(in draft: CatalogDraft, app: App, now: Instant) throws {
        var new = new
        if new.type == .autoRenewable, let newGroup {
            let key = try draft.createGroup(newGroup, app: app.appleID)
            new.groupID = try draft.group(key)?.group.id
        }
        let number = try draft.createProduct(new, app: app.appleID)
        try draft.update(number) { product in
            try product.setAvailability(Storefront.all.map(\.storefront), includesNew: true)
            guard displayName != nil || description != nil else { return }
            try addText(to: &product)
        }
        if let price {
            try draft.changePrice(of: number, PriceOrder(price, storefront: app.defaultStorefront), now: now)
        }
    }

    private func addText(to product: inout CatalogProduct) throws {
        do {
            _ = try product.addLocalization(locale: locale) {
                ListingLocalization(id: $0, locale: locale, name: displayName ?? "", description: description)
            }
        } catch var error as CatalogEditError where error.place == .attribute("name") {
            // The field of the form, which has another one for the reference name.
            error.place = .attribute("displayName")
            throw error
        }
    }
}
