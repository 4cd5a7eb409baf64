import Perennial

/// A resource in the body of a request: the one in `data`, or one that is created together with it, from `included`.
///
/// The engine has checked names, types, enum members and required members against the tables before a binding gets it.
struct ConnectEntity: Sendable {
    /// A related resource as the body names it.
    struct Linkage: Hashable, Sendable {
        var type: String
        var id: String

        /// True for the local ID of a resource that the same request creates: `${price-1}`.
        var isLocal: Bool { id.hasPrefix("${") && id.hasSuffix("}") }
    }

    enum Relationship: Hashable, Sendable {
        case one(Linkage?)
        case many([Linkage])

        var linkages: [Linkage] {
            switch self {
            case .one(let linkage): linkage.map { [$0] } ?? []
            case .many(let linkages): linkages
            }
        }
    }

    let type: String
    /// The ID in the body; a local one in `included`.
    var id: String?
    /// The position in `included`; `nil` for the resource in `data`.
    var index: Int?
    var attributes: [String: ConnectValue] = [:]
    var relationships: [String: Relationship] = [:]
    /// The resources of `included`, in order; empty in those themselves.
    var included: [ConnectEntity] = []

    // MARK: Attributes

    /// Returns true if the body has an attribute or a relationship, be it null.
    func has(_ name: String) -> Bool { attributes[name] != nil || relationships[name] != nil }

    /// Returns true if the body sets an attribute to null.
    func isNull(_ name: String) -> Bool { attributes[name] == .null }

    /// The text of an attribute; `nil` without one and for null.
    ///
    /// - Throws: ``ConnectFailure`` 409 for another type, as the other accessors do.
    func text(_ name: String) throws -> String? {
        switch attributes[name] {
        case .text(let text): return text
        case .null, nil: return nil
        default: throw wrongType(name, "a string")
        }
    }

    /// The text of an attribute that is required.
    func requiredText(_ name: String) throws -> String {
        guard let text = try text(name) else { throw missing(name) }
        return text
    }

    func integer(_ name: String) throws -> Int64? {
        switch attributes[name] {
        case .integer(let number): return number
        case .null, nil: return nil
        default: throw wrongType(name, "an integer")
        }
    }

    func requiredInteger(_ name: String) throws -> Int64 {
        guard let number = try integer(name) else { throw missing(name) }
        return number
    }

    func bool(_ name: String) throws -> Bool? {
        switch attributes[name] {
        case .bool(let isTrue): return isTrue
        case .null, nil: return nil
        default: throw wrongType(name, "a boolean")
        }
    }

    func texts(_ name: String) throws -> [String]? {
        switch attributes[name] {
        case .array(let values):
            return try values.map {
                guard case .text(let text) = $0 else { throw wrongType(name, "a list of strings") }
                return text
            }
        case .null, nil: return nil
        default: throw wrongType(name, "a list of strings")
        }
    }

    func object(_ name: String) throws -> [String: ConnectValue]? {
        switch attributes[name] {
        case .object(let members): return members
        case .null, nil: return nil
        default: throw wrongType(name, "an object")
        }
    }

    /// The day of an attribute of the form `2026-10-03`.
    func day(_ name: String) throws -> PacificDay? {
        guard let text = try text(name) else { return nil }
        guard let day = PacificDay(text) else {
            throw ConnectFailure.entity(
                "ATTRIBUTE.INVALID", "An attribute value is not valid.",
                "'\(text)' is not a valid date for the attribute '\(name)': its form is YYYY-MM-DD",
                pointer: pointer(attribute: name))
        }
        return day
    }

    // MARK: Relationships

    /// The ID of a related resource; `nil` without one and for null.
    func one(_ name: String) -> String? { relationships[name]?.linkages.first?.id }

    /// The ID of a related resource that is required.
    func requiredOne(_ name: String) throws -> String {
        guard let id = one(name) else {
            throw ConnectFailure.entity(
                "RELATIONSHIP.REQUIRED", "The provided entity is missing a required relationship",
                "You must provide a value for the relationship '\(name)' with this request",
                pointer: pointer(relationship: name))
        }
        return id
    }

    /// The IDs of related resources in order, local ones as well; `nil` without the relationship.
    func many(_ name: String) -> [String]? { relationships[name]?.linkages.map(\.id) }

    /// The resources that the request creates with a relationship, in the order of the relationship.
    func inline(_ name: String) -> [ConnectEntity] {
        guard let linkages = relationships[name]?.linkages else { return [] }
        let entities = Dictionary(included.map { ($0.id ?? "", $0) }) { first, _ in first }
        return linkages.compactMap { linkage in
            guard linkage.isLocal, var entity = entities[linkage.id] else { return nil }
            // An offer that is created inline has prices that are created inline.
            if !entity.relationships.isEmpty { entity.included = included }
            return entity
        }
    }

    // MARK: Pointers

    private var place: String { index.map { "/included/\($0)" } ?? "/data" }

    func pointer(attribute name: String) -> String { "\(place)/attributes/\(name)" }
    func pointer(relationship name: String) -> String { "\(place)/relationships/\(name)" }

    /// The place of an attribute in a refusal of the rules.
    func place(attribute name: String) -> CatalogEditError.Place {
        index.map { .includedAttribute($0, name) } ?? .attribute(name)
    }

    func place(relationship name: String) -> CatalogEditError.Place {
        index.map { .includedRelationship($0, name) } ?? .relationship(name)
    }

    // MARK: Failures

    private func missing(_ name: String) -> ConnectFailure {
        .entity(
            "ATTRIBUTE.REQUIRED", "The provided entity is missing a required attribute",
            "You must provide a value for the attribute '\(name)' with this request",
            pointer: pointer(attribute: name))
    }

    private func wrongType(_ name: String, _ kind: String) -> ConnectFailure {
        .entity(
            "ATTRIBUTE.TYPE", "An attribute in the provided entity has the wrong type",
            "The attribute '\(name)' is \(kind)", pointer: pointer(attribute: name))
    }

    /// Refuses a related resource that doesn't exist.
    func unknownRelated(_ name: String) -> ConnectFailure {
        let linkage = relationships[name]?.linkages.first
        return .entity(
            "RELATIONSHIP.INVALID", "The provided entity includes a relationship with an invalid value",
            "There is no resource of type '\(linkage?.type ?? name)' with id '\(linkage?.id ?? "")'",
            pointer: "\(pointer(relationship: name))/data/id")
    }
}
