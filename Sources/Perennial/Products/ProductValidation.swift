/// A problem of a product definition.
package struct ProductProblem: Hashable, Sendable, CustomStringConvertible {
    package enum Severity: String, Sendable, CaseIterable {
        /// The store sells the product nevertheless.
        case warning
        /// The catalog is refused.
        case error
    }

    package enum Code: String, Sendable, CaseIterable {
        case malformedID, duplicateID, nameTooLong, descriptionTooLong, negativePrice, priceFinerThanCurrency
        case textDirection
        case freeWithPrice, freeOutsideNewsstand, subscriptionMissing, subscriptionUnexpected
        case levelTooLow, periodNotOffered, malformedOffer, duplicateOfferID, offerDearerThanPrice
    }

    package let code: Code
    package let severity: Severity
    package let product: Product.ID
    package let reason: String

    package var description: String { "\(product): \(reason)" }
}

/// The App Store's rules for products (App Store Connect help: in-app purchase information).
package enum ProductValidation {
    package static let maximumIdentifierLength = 100
    package static let maximumNameLength = 30
    package static let maximumDescriptionLength = 45
    /// A limit of ours, which keeps a typing error from granting years.
    package static let maximumOfferPeriodCount = 365

    /// The rule for product IDs, in words.
    package static let identifierRule =
        "letters, digits, '.', '_' and '-' of ASCII, first a letter or digit, at most \(maximumIdentifierLength)"

    /// The periods of auto-renewable subscriptions on the App Store.
    package static let offeredPeriods: [Period] = [
        .week, .month, Period(2, .month), Period(3, .month), Period(6, .month), .year,
    ]

    package static func isWellFormed(identifier: String) -> Bool {
        let bytes = identifier.utf8
        guard let first = bytes.first, bytes.count <= maximumIdentifierLength, isAlphanumeric(first) else {
            return false
        }
        return bytes.allSatisfy {
            isAlphanumeric($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    /// Returns the problems of an app's products, in their order; empty if there are none.
    package static func problems(in app: App) -> [ProductProblem] {
        var seen: Set<Product.ID> = []
        return app.products.flatMap { product in
            let isNew = seen.insert(product.id).inserted
            return identity(product, isNew: isNew) + names(product) + prices(product) + kind(product, in: app)
        }
    }

    private static func identity(_ product: Product, isNew: Bool) -> [ProductProblem] {
        var problems: [ProductProblem] = []
        if !isWellFormed(identifier: product.id.rawValue) {
            problems.append(.error(.malformedID, product, "the product ID must be \(identifierRule)"))
        }
        if !isNew { problems.append(.error(.duplicateID, product, "the product ID names another product as well")) }
        return problems
    }

    private static func names(_ product: Product) -> [ProductProblem] {
        let texts = [product.referenceName] + product.localizations.flatMap { [$0.displayName, $0.description] }
        let controls = texts.lazy.compactMap(\.directionControl).prefix(1).map { found in
            let name = "U+" + String(found.value, radix: 16, uppercase: true)
            return ProductProblem.error(
                .textDirection, product, "a text has the character \(name), which changes the direction of text")
        }
        return controls
            + product.localizations.flatMap { localization in
                var problems: [ProductProblem] = []
                let (name, text) = (localization.displayName.count, localization.description.count)
                if name > maximumNameLength {
                    let reason =
                        "the name in \(localization.locale) has \(name) characters; the App Store takes "
                        + "\(maximumNameLength)"
                    problems.append(.warning(.nameTooLong, product, reason))
                }
                if text > maximumDescriptionLength {
                    let reason =
                        "the description in \(localization.locale) has \(text) characters; the App Store takes "
                        + "\(maximumDescriptionLength)"
                    problems.append(.warning(.descriptionTooLong, product, reason))
                }
                return problems
            }
    }

    private static func prices(_ product: Product) -> [ProductProblem] {
        let byStorefront = product.prices.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
        return ([product.basePrice] + byStorefront + product.priceSchedule.map(\.price)).flatMap { price in
            var problems: [ProductProblem] = []
            if price.milliunits < 0 {
                problems.append(.error(.negativePrice, product, "the price \(price) is below zero"))
            } else if price.milliunits % price.currency.smallestAmount != 0 {
                let reason = "the price \(price.milliunits) thousandths is finer than \(price.currency) can be paid"
                problems.append(.warning(.priceFinerThanCurrency, product, reason))
            }
            return problems
        }
    }

    private static func kind(_ product: Product, in app: App) -> [ProductProblem] {
        var problems: [ProductProblem] = []
        if product.type == .free {
            if ([product.basePrice] + product.prices.values).contains(where: { $0.milliunits != 0 }) {
                problems.append(.error(.freeWithPrice, product, "a free subscription has no price"))
            }
            if !app.isNewsstand {
                let reason = "free subscriptions are sold in Newsstand apps only, and this app is none"
                problems.append(.error(.freeOutsideNewsstand, product, reason))
            }
        }
        switch (product.type, product.subscription) {
        case (.autoRenewable, let subscription?): problems += OfferValidation.problems(of: subscription, product)
        case (.autoRenewable, nil):
            problems.append(
                .error(.subscriptionMissing, product, "an auto-renewable subscription needs group and period"))
        case (_, .some):
            let reason = "only an auto-renewable subscription has group, level and period"
            problems.append(.error(.subscriptionUnexpected, product, reason))
        case (_, nil): break
        }
        return problems + OfferValidation.problems(ofCodeOffersOf: product)
    }
}

extension ProductProblem {
    static func error(_ code: Code, _ product: Product, _ reason: String) -> ProductProblem {
        ProductProblem(code: code, severity: .error, product: product.id, reason: reason)
    }

    static func warning(_ code: Code, _ product: Product, _ reason: String) -> ProductProblem {
        ProductProblem(code: code, severity: .warning, product: product.id, reason: reason)
    }
}
