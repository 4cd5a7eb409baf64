extension CatalogChange.Field {
    /// Returns the fields in which two states of a resource differ.
    ///
    /// Values that have parts are compared part by part: subscriptions, listings, prices by storefront, texts by locale.
    package static func differences<Resource>(between before: Resource, and after: Resource) -> [CatalogChange.Field] {
        var comparison = Comparison()
        comparison.compareMembers(before, after, prefix: "")
        return comparison.fields.sorted { $0.name < $1.name }
    }
}

/// Compares two values member by member.
private struct Comparison {
    var fields: [CatalogChange.Field] = []

    /// Stored properties that are another property's storage.
    private static let names = [
        "oneTimeOffers": "codeOffers", "lacksPrice": "isPriced", "laterPrices": "priceSchedule",
        "ownPrices": "prices",
        "equalized": "equalizesPrices", "preserved": "preservesSubscribers",
    ]
    /// Members of a listing that have the name of a product's member.
    private static let listingNames = ["prices": "priceListing", "offers": "offerListing", "content": "contentListing"]
    /// The revision changes with every edit. A product has the Apple ID for good.
    private static let ignored: Set<String> = ["revision", "appleID", "products"]
    /// Members whose own members are compared without their name.
    private static let transparent: Set<String> = ["product", "listing"]

    mutating func compareMembers(_ before: Any, _ after: Any, prefix: String) {
        let names = before is ProductListing ? Self.listingNames : Self.names
        for (one, other) in zip(Mirror(reflecting: before).children, Mirror(reflecting: after).children) {
            guard let label = one.label, !Self.ignored.contains(label) else { continue }
            if prefix.isEmpty, Self.transparent.contains(label) {
                compareMembers(one.value, other.value, prefix: "")
            } else {
                compare(one.value, other.value, prefix + (names[label] ?? label))
            }
        }
    }

    private mutating func compare(_ before: Any, _ after: Any, _ name: String) {
        let (before, after) = (Self.unwrapped(before), Self.unwrapped(after))
        if Self.isEqual(before, after) { return }
        switch (before, after) {
        case (let before as StorefrontPriceTexts, let after as StorefrontPriceTexts):
            compare(before.prices.keyed(\.rawValue), after.prices.keyed(\.rawValue), name)
        case (let before as [Storefront: Money], let after as [Storefront: Money]):
            compare(before.keyed(\.rawValue), after.keyed(\.rawValue), name)
        case (let before as [Product.Localization], let after as [Product.Localization]):
            compare(before.keyed(\.locale), after.keyed(\.locale), name)
        case (let before as Product.Subscription, let after as Product.Subscription):
            compareMembers(before, after, prefix: "\(name).")
        default:
            fields.append(CatalogChange.Field(name: name, before: Self.text(before), after: Self.text(after)))
        }
    }

    private mutating func compare<Value: Hashable>(
        _ before: [String: Value], _ after: [String: Value], _ name: String
    ) {
        for key in Set(before.keys).union(after.keys).sorted() where before[key] != after[key] {
            fields.append(
                CatalogChange.Field(
                    name: "\(name).\(key)", before: Self.text(before[key]), after: Self.text(after[key])))
        }
    }

    /// Returns the value in an optional; `nil` for an empty one.
    private static func unwrapped(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { unwrapped($0.value) }
    }

    private static func isEqual(_ one: Any?, _ other: Any?) -> Bool {
        switch (one, other) {
        case (nil, nil): true
        case (let one as any Hashable, let other as any Hashable): AnyHashable(one) == AnyHashable(other)
        default: false
        }
    }

    /// Returns the text of a value without parts; `nil` for others.
    private static func text(_ value: Any?) -> String? {
        switch value {
        // First what a change has hundreds of: a cast to a protocol takes as long as all others together.
        case let money as Money: money.description
        case let text as String: text
        case let flag as Bool: flag ? "true" : "false"
        case let number as any BinaryInteger: "\(number)"
        case let period as Period: period.iso8601
        case let text as Product.Localization: "\(text.displayName) – \(text.description)"
        case let value as any RawRepresentable<String>: value.rawValue
        default: nil
        }
    }
}

extension Sequence {
    fileprivate func keyed(_ key: (Element) -> String) -> [String: Element] {
        Dictionary(map { (key($0), $0) }) { first, _ in first }
    }
}

extension Dictionary {
    fileprivate func keyed(_ name: (Key) -> String) -> [String: Value] {
        Dictionary<String, Value>(map { (name($0.key), $0.value) }) { first, _ in first }
    }
}
