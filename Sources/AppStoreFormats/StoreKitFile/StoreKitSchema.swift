import Perennial

/// The keys of each object in a `.storekit` file of the versions 1.0 to 5.0, from 22 public files.
enum StoreKitSchema {
    indirect enum Kind: Sendable {
        case string, bool, integer, number, any
        /// A decimal with a dot, or an empty string, which occurs in real files and means no price.
        case price
        /// An ISO 8601 duration of one unit.
        case period
        /// A product type of a set.
        case productType([String])
        case object(Shape)
        case array(Kind)
    }

    struct Shape: Sendable {
        var keys: [String: Kind]
        var required: Set<String> = []
        /// The values assumed, with a warning, for missing keys: hand-written files leave out the type of a product if
        /// its array can hold no other.
        var assumed: [String: String] = [:]
        /// True for values that errors don't quote.
        var isSecret = false
    }

    static let file = Shape(keys: [
        "identifier": .string,
        "version": .object(Shape(keys: ["major": .integer, "minor": .integer])),
        "products": .array(.object(product)),
        "nonRenewingSubscriptions": .array(.object(nonRenewing)),
        "subscriptionGroups": .array(.object(group)),
        "settings": .object(settings),
        "appPolicies": .object(
            Shape(keys: [
                "eula": .string,
                "policies": .array(
                    .object(Shape(keys: ["locale": .string, "policyText": .string, "policyURL": .string]))),
            ])),
        "subscriptionOffersKeyPair": .object(Shape(keys: ["id": .string, "privateKey": .string], isSecret: true)),
    ])

    private static let item: [String: Kind] = [
        "productID": .string, "referenceName": .string, "displayPrice": .price, "familyShareable": .bool,
        "internalID": .string, "localizations": .array(.object(localization)),
    ]

    private static let localization = Shape(keys: ["description": .string, "displayName": .string, "locale": .string])

    private static let productKeys = item.merging([
        "type": .productType(["Consumable", "NonConsumable", "NonRenewingSubscription"])
    ]) { $1 }
    private static let product = Shape(keys: productKeys, required: ["productID", "type"])
    private static let nonRenewing = Shape(
        keys: productKeys, required: ["productID"], assumed: ["type": "NonRenewingSubscription"])

    private static let group = Shape(keys: [
        "id": .string, "name": .string, "localizations": .array(.object(localization)),
        "subscriptions": .array(.object(subscription)),
    ])

    private static let subscription = Shape(
        keys: item.merging([
            "type": .productType(["RecurringSubscription"]), "subscriptionGroupID": .string, "groupNumber": .integer,
            "recurringSubscriptionPeriod": .period, "promotionalImageID": .string,
            "introductoryOffer": .object(Shape(keys: offer)),
            "introductoryOffers": .array(.object(Shape(keys: offer))),
            "adHocOffers": .array(.object(Shape(keys: offer.merging(named) { $1 }))),
            "codeOffers": .array(.object(Shape(keys: offer.merging(code) { $1 }))),
            "winbackOffers": .array(.object(Shape(keys: offer.merging(winBack) { $1 }))),
            "billingPlans": .array(.object(billingPlan)),
        ]) { $1 },
        required: ["productID", "recurringSubscriptionPeriod"], assumed: ["type": "RecurringSubscription"])

    private static let offer: [String: Kind] = [
        "internalID": .string, "paymentMode": .string, "subscriptionPeriod": .period, "numberOfPeriods": .integer,
        "displayPrice": .price, "billingPlanType": .string,
    ]
    private static let named: [String: Kind] = ["offerID": .string, "referenceName": .string]
    private static let code: [String: Kind] = [
        "referenceName": .string, "eligibility": .array(.string), "isStackable": .bool,
    ]
    private static let winBack: [String: Kind] = ["offerID": .string, "referenceName": .string, "isEligible": .bool]

    private static let billingPlan = Shape(keys: [
        "internalID": .string, "billingPlanType": .string, "displayPrice": .price, "commitmentDisplayPrice": .price,
        "isEnabled": .bool,
    ])

    private static let settings = Shape(keys: [
        "_applicationInternalID": .string, "_developerTeamID": .string, "_lastSynchronizedDate": .number,
        "_askToBuyEnabled": .bool, "_billingGracePeriodEnabled": .bool, "_billingIssuesEnabled": .bool,
        "_renewalBillingIssuesEnabled": .bool, "_disableDialogs": .bool, "_failTransactionsEnabled": .bool,
        "_locale": .string, "_storefront": .string, "_timeRate": .integer, "_compatibilityTimeRate": .any,
        "_storeKitErrors": .array(
            .object(
                Shape(keys: [
                    "current": .object(Shape(keys: ["index": .integer, "type": .string])), "enabled": .bool,
                    "name": .string,
                ]))),
    ])
}

/// Compares a file with the schema: wrong types are errors, unknown keys are warnings.
struct StoreKitSchemaCheck {
    private(set) var warnings: [StoreKitFileWarning] = []

    mutating func check(
        _ object: StoreKitJSON.Object, _ shape: StoreKitSchema.Shape, path: String, isSecret: Bool = false
    ) throws {
        let prefix = path.isEmpty ? "" : "\(path)."
        let isSecret = isSecret || shape.isSecret
        for key in shape.required.sorted() where (object[key] ?? .null) == .null {
            throw StoreKitFileError(.missingKey, path: path, expected: "the key \(key)", found: "none")
        }
        for (key, value) in shape.assumed.sorted(by: { $0.key < $1.key }) where (object[key] ?? .null) == .null {
            warnings.append(
                StoreKitFileWarning(code: .typeAssumed, path: prefix + key, message: "is missing: \(value) is assumed"))
        }
        for member in object.members {
            guard let kind = shape.keys[member.key] else {
                warnings.append(
                    StoreKitFileWarning(
                        code: .unknownKey, path: prefix + member.key.prefix(120),
                        message: "not understood: kept in the file, not applied"))
                continue
            }
            guard member.value != .null else { continue }
            try check(member.value, kind, path: prefix + member.key, isSecret: isSecret)
        }
    }

    private mutating func check(
        _ value: StoreKitJSON, _ kind: StoreKitSchema.Kind, path: String, isSecret: Bool
    ) throws {
        func wrong(_ code: StoreKitFileError.Code, _ expected: String) -> StoreKitFileError {
            StoreKitFileError(code, path: path, expected: expected, found: value.summary(quoting: !isSecret))
        }
        switch (kind, value) {
        case (.any, _), (.bool, .bool), (.number, .number): break
        case (.string, .string(let text)):
            guard !text.unicodeScalars.contains("\0") else { throw wrong(.wrongType, "a string without NUL") }
        case (.integer, .number(let text)):
            guard Int(text) != nil else { throw wrong(.wrongType, "a whole number") }
        case (.price, .string(let text)):
            guard text.isEmpty || Money(decimal: text, .usd) != nil else {
                throw wrong(.malformedPrice, "a price such as \"4.99\"")
            }
        case (.period, .string(let text)):
            guard Period(iso8601: text) != nil else {
                throw wrong(.malformedPeriod, "a period such as \"P1M\"")
            }
        case (.productType(let words), .string(let text)):
            guard words.contains(text) else {
                throw wrong(.unknownProductType, words.joined(separator: ", "))
            }
        case (.object(let shape), .object(let object)):
            try check(object, shape, path: path, isSecret: isSecret)
        case (.array(let kind), .array(let elements)):
            for (index, element) in elements.enumerated() {
                try check(element, kind, path: "\(path)[\(index)]", isSecret: isSecret)
            }
        default: throw wrong(.wrongType, kind.name)
        }
    }
}

extension StoreKitSchema.Kind {
    fileprivate var name: String {
        switch self {
        case .string, .productType: "a string"
        case .bool: "true or false"
        case .integer: "a whole number"
        case .number: "a number"
        case .price: "a price in quotes such as \"4.99\""
        case .period: "a period in quotes such as \"P1M\""
        case .object: "an object"
        case .array: "an array"
        case .any: "a value"
        }
    }
}

extension StoreKitJSON {
    /// Describes a value for an error: its kind, and its text if that is short and may be shown.
    fileprivate func summary(quoting: Bool) -> String {
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .number(let text): return quoting ? "the number \(text.prefix(40))" : "a number"
        case .string(let text):
            guard quoting else { return "a string" }
            return StoreKitFileText.compact(.string(text.count > 40 ? "\(text.prefix(40))…" : text))
        case .array: return "an array"
        case .object: return "an object"
        }
    }
}
