import AppStoreFormats
import Hummingbird
import Perennial
import PerennialStorage

/// The query of histories and statuses: each parameter that is wrong has a number of its own.
struct HistoryQuery {
    /// A limit of ours on the repetitions of a parameter.
    private static let maximumChoices = 100
    /// A limit of ours on the length of a parameter, in bytes.
    private static let maximumLength = 255

    private let parameters: [String: [String]]

    init(_ request: Request) {
        var parameters: [String: [String]] = [:]
        for parameter in request.uri.queryParameters {
            parameters[String(parameter.key), default: []].append(String(parameter.value))
        }
        self.parameters = parameters
    }

    var revision: String? { parameters["revision"]?.first }

    /// Reads the filter. Parameters that a version doesn't know are passed over, as unknown ones are.
    ///
    /// - Throws: ``ServerAPIError`` 4000015, 4000016, 4000021 to 4000026, 4000030.
    func filter(version: Int) throws -> TransactionsTable.HistoryFilter {
        var filter = TransactionsTable.HistoryFilter()
        filter.from = try instant("startDate", .invalidStartDate)
        filter.until = try instant("endDate", .invalidEndDate)
        if let from = filter.from, let until = filter.until, from >= until {
            throw ServerAPIError(.invalidEndDate, "endDate", "endDate is later than startDate")
        }
        filter.products = try texts("productId", .invalidProductID).map(Product.ID.init(rawValue:))
        filter.types = try choices("productType", Self.types, .invalidProductType).flatMap { $0 }
        filter.groups = try texts("subscriptionGroupIdentifier", .invalidSubscriptionGroupIdentifier)
        filter.isDescending = try choice("sort", ["ASCENDING": false, "DESCENDING": true], .invalidSort) ?? false
        filter.ownership = try choice(
            "inAppOwnershipType",
            Dictionary(uniqueKeysWithValues: Transaction.Ownership.allCases.map { ($0.rawValue, $0) }),
            .invalidInAppOwnershipType)
        filter.isRevoked = try flag("revoked", .invalidRevoked)
        if version == 1 {
            filter.omitsFinishedConsumables = true
            if try flag("excludeRevoked", .invalidExcludeRevoked) == true, filter.isRevoked == nil {
                filter.isRevoked = false
            }
        }
        return filter
    }

    /// - Returns: The empty set if all are asked for.
    /// - Throws: ``ServerAPIError`` 4000031.
    func statuses() throws -> Set<SubscriptionStatus> {
        let known = Dictionary(uniqueKeysWithValues: SubscriptionStatus.allCases.map { ("\($0.rawValue)", $0) })
        return Set(try choices("status", known, .invalidStatus))
    }

    /// A free subscription is an auto-renewable one in all that protocols say.
    private static let types: [String: [ProductType]] = [
        "AUTO_RENEWABLE": [.autoRenewable, .free], "NON_RENEWABLE": [.nonRenewing], "CONSUMABLE": [.consumable],
        "NON_CONSUMABLE": [.nonConsumable],
    ]

    private func instant(_ name: String, _ code: ServerAPIErrorCode) throws -> Instant? {
        guard let text = parameters[name]?.first else { return nil }
        guard text.utf8.count <= 18, let milliseconds = Int64(text), milliseconds >= 0 else {
            throw ServerAPIError(code, name, "\(name) is a number of milliseconds since 1970")
        }
        return Instant(milliseconds: milliseconds)
    }

    /// Reads true or false in any case: Apple's Python library writes `True`.
    private func flag(_ name: String, _ code: ServerAPIErrorCode) throws -> Bool? {
        guard let text = parameters[name]?.first else { return nil }
        switch text.lowercased() {
        case "true": return true
        case "false": return false
        default: throw ServerAPIError(code, name, "\(name) is true or false")
        }
    }

    private func choice<Value>(
        _ name: String, _ known: [String: Value], _ code: ServerAPIErrorCode
    ) throws -> Value? {
        guard parameters[name]?.first != nil else { return nil }
        return try choices(name, known, code).first
    }

    private func choices<Value>(
        _ name: String, _ known: [String: Value], _ code: ServerAPIErrorCode
    ) throws -> [Value] {
        try texts(name, code).map { text in
            guard let value = known[text] else {
                throw ServerAPIError(code, name, "\(name) is one of \(known.keys.sorted().joined(separator: ", "))")
            }
            return value
        }
    }

    private func texts(_ name: String, _ code: ServerAPIErrorCode) throws -> [String] {
        let texts = parameters[name] ?? []
        guard texts.count <= Self.maximumChoices else {
            throw ServerAPIError(code, name, "\(name) comes at most \(Self.maximumChoices) times")
        }
        guard texts.allSatisfy({ (1...Self.maximumLength).contains($0.utf8.count) && !$0.utf8.contains(0) }) else {
            throw ServerAPIError(code, name, "\(name) has 1 to \(Self.maximumLength) bytes")
        }
        return texts
    }
}
