/// The query parameters that an operation takes, by name.
struct ConnectParameters: Sendable {
    enum Rule: Hashable, Sendable {
        case values
        case oneOf([String])
        case boolean
        case limit(Int)
        case relationships([String])
        case order([String])
        case cursor
    }

    /// The largest page of price points; other lists have ``ConnectQuery/maximumLimit``.
    private static let maximumPricePoints = 8000
    private static let typesOfLongPages: Set<String> = ["inAppPurchasePricePoints", "subscriptionPricePoints"]

    private(set) var rules: [String: Rule] = [:]

    init(_ operation: ConnectOperation, _ schema: ConnectSchema) {
        guard operation.action.isReading else { return }
        let answered = schema.answered(by: operation)
        for filter in operation.filters {
            rules["filter[\(filter)]"] = Self.members(filter, of: answered, schema).map { .oneOf($0) } ?? .values
        }
        for name in operation.existences { rules["exists[\(name)]"] = .boolean }
        if !operation.sorts.isEmpty { rules["sort"] = .order(operation.sorts) }
        // Reports are files.
        guard let answered, !answered.fields.isEmpty else { return }
        if Self.isList(operation, schema) {
            rules["limit"] = .limit(Self.limit(of: answered.name))
            rules["cursor"] = .cursor
        }
        if case .linkages = operation.action { return }
        rules["fields[\(answered.jsonType)]"] = .oneOf(answered.fields)
        let includable = schema.includable(operation)
        guard !includable.isEmpty else { return }
        rules["include"] = .relationships(includable.map(\.name))
        for relationship in includable {
            let target = relationship.target.flatMap { schema.type($0) }
            if let name = target?.jsonType ?? relationship.target, rules["fields[\(name)]"] == nil {
                // The members of types that the store doesn't have are unknown.
                rules["fields[\(name)]"] = target.map { .oneOf($0.fields) } ?? .values
            }
            guard relationship.isToMany else { continue }
            let isLong = relationship.name == "pricePoints"
            rules["limit[\(relationship.name)]"] = .limit(
                isLong ? Self.maximumPricePoints : ConnectQuery.maximumIncluded)
        }
    }

    static func isList(_ operation: ConnectOperation, _ schema: ConnectSchema) -> Bool {
        switch operation.action {
        case .list: true
        case .related(let name), .linkages(let name):
            schema.type(operation.type)?.relationship(name)?.isToMany ?? false
        default: false
        }
    }

    private static func limit(of type: String) -> Int {
        typesOfLongPages.contains(type) ? maximumPricePoints : ConnectQuery.maximumLimit
    }

    /// The values of a filter; `nil` if it takes any.
    private static func members(_ filter: String, of type: ConnectType?, _ schema: ConnectSchema) -> [String]? {
        let parts = filter.split(separator: ".").map(String.init)
        guard parts.count == 2 else { return type?.attribute(filter)?.members }
        let target = type?.relationship(parts[0])?.target.flatMap { schema.type($0) }
        return target?.attribute(parts[1])?.members
    }
}
