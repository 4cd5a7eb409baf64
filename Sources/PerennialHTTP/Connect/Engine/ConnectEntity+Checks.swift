import HTTPTypes
import Perennial

/// Checks the resources in a body against the tables, and collects all that is wrong with them.
struct ConnectEntityCheck {
    private let schema: ConnectSchema
    private var errors: [ConnectError] = []
    /// The resources of `included` by their local IDs.
    private var included: [String: ConnectEntity] = [:]
    /// The local IDs that relationships refer to.
    private var referenced: Set<String> = []

    /// Checks a body.
    ///
    /// - Throws: ``ConnectFailure`` 409 with all errors.
    static func check(
        _ entity: ConnectEntity, as type: ConnectType, _ kind: ConnectBodyKind, _ schema: ConnectSchema
    ) throws {
        var check = ConnectEntityCheck(schema: schema)
        check.checkIDs(entity.included)
        check.check(entity, as: type, kind)
        for inline in entity.included { check.checkInline(inline) }
        guard check.errors.isEmpty else { throw ConnectFailure(.conflict, check.errors) }
    }

    private init(schema: ConnectSchema) { self.schema = schema }

    // MARK: Resources

    private mutating func check(_ entity: ConnectEntity, as type: ConnectType, _ kind: ConnectBodyKind) {
        for name in entity.attributes.keys.sorted() {
            guard let attribute = type.attribute(name), let use = attribute.uses[kind] else {
                add(
                    "ATTRIBUTE.UNKNOWN", "The provided entity includes an unknown attribute",
                    "'\(name)' is not an attribute on the resource '\(type.jsonType)'"
                        + (type.attribute(name) == nil ? "" : " that this request can set"),
                    entity.pointer(attribute: name))
                continue
            }
            check(entity.attributes[name] ?? .null, of: attribute, use, entity)
        }
        for attribute in type.attributes
        where attribute.uses[kind]?.contains(.required) == true && entity.attributes[attribute.name] == nil {
            addMissing(attribute.name, entity)
        }
        for name in entity.relationships.keys.sorted() {
            guard let relationship = type.relationship(name), let use = relationship.uses[kind] else {
                add(
                    "RELATIONSHIP.UNKNOWN", "The provided entity includes an unknown relationship",
                    "'\(name)' is not a relationship on the resource '\(type.jsonType)'"
                        + (type.relationship(name) == nil ? "" : " that this request can set"),
                    entity.pointer(relationship: name))
                continue
            }
            if let linkages = entity.relationships[name] { check(linkages, of: relationship, use, entity) }
        }
        for relationship in type.relationships
        where relationship.uses[kind]?.contains(.required) == true
            && entity.relationships[relationship.name] == nil
        {
            addMissing(relationship: relationship.name, entity)
        }
    }

    /// Checks the form of local IDs. Those of a client's own are accepted only in `${…}`, so that they never look like IDs.
    private mutating func checkIDs(_ entities: [ConnectEntity]) {
        for entity in entities {
            let id = entity.id ?? ""
            guard ConnectEntity.Linkage(type: entity.type, id: id).isLocal else {
                add(
                    "INCLUDED.INVALID_ID", "The provided included entity has an invalid id",
                    "The provided included entity id '\(id)' has invalid format: it is '${local-id}'",
                    "/included/\(entity.index ?? 0)/id")
                continue
            }
            guard included.updateValue(entity, forKey: id) != nil else { continue }
            add(
                "INCLUDED.INVALID_ID", "The provided included entity has an invalid id",
                "The provided included entity id '\(id)' is used more than once", "/included/\(entity.index ?? 0)/id")
        }
    }

    private mutating func checkInline(_ entity: ConnectEntity) {
        guard let id = entity.id, included[id] != nil else { return }
        guard let type = schema.type(entity.type), referenced.contains(id) else {
            add(
                "RELATIONSHIP.REQUIRED", "The provided entity is missing a required relationship",
                "The included entity '\(id)' of type '\(entity.type)' isn't referred to by a relationship that can "
                    + "create it", "/included/\(entity.index ?? 0)")
            return
        }
        check(entity, as: type, .inline)
    }

    // MARK: Attributes

    private mutating func check(
        _ value: ConnectValue, of attribute: ConnectAttribute, _ use: ConnectMemberUse, _ entity: ConnectEntity
    ) {
        let name = attribute.name
        if value == .null {
            if use.contains(.required) { addMissing(name, entity) }
            return
        }
        if let expected = Self.typeMismatch(value, attribute.kind) {
            add(
                "ATTRIBUTE.TYPE", "An attribute in the provided entity has the wrong type",
                "The attribute '\(name)' is \(expected)", entity.pointer(attribute: name))
        } else if let wrong = Self.invalidValue(value, attribute.kind) {
            add(
                "ATTRIBUTE.INVALID", "An attribute value is not valid.",
                "'\(wrong.value)' is not a valid value for the attribute '\(name)': \(wrong.rule)",
                entity.pointer(attribute: name))
        }
    }

    /// Returns the words for the right type of a value; `nil` if it has it.
    private static func typeMismatch(_ value: ConnectValue, _ kind: ConnectAttribute.Kind) -> String? {
        switch (kind, value) {
        case (.text, .text), (.oneOf, .text), (.date, .text), (.dateTime, .text), (.integer, .integer),
            (.boolean, .bool), (.object, .object):
            nil
        case (.list(let element), .array(let values)):
            values.contains { typeMismatch($0, element) != nil } ? words(kind) : nil
        default: words(kind)
        }
    }

    private static func words(_ kind: ConnectAttribute.Kind) -> String {
        switch kind {
        case .text, .oneOf: "a string"
        case .integer: "an integer"
        case .boolean: "a boolean"
        case .date: "a date: a string of the form YYYY-MM-DD"
        case .dateTime: "a date-time: a string of the form YYYY-MM-DDThh:mm:ss±hh:mm"
        case .object("IntegerRange"): "an object with the integers 'minimum' and 'maximum'"
        case .object: "an object"
        case .list(let element):
            switch element {
            case .text, .oneOf: "a list of strings"
            default: "a list"
            }
        }
    }

    private static func invalidValue(
        _ value: ConnectValue, _ kind: ConnectAttribute.Kind
    ) -> (value: String, rule: String)? {
        switch (kind, value) {
        case (.oneOf(let members), .text(let text)):
            members.contains(text) ? nil : (text, "it is one of \(members.joined(separator: ", "))")
        case (.date, .text(let text)):
            PacificDay(text) == nil ? (text, "its form is YYYY-MM-DD") : nil
        case (.dateTime, .text(let text)):
            Instant(rfc3339: text) == nil ? (text, "its form is YYYY-MM-DDThh:mm:ss±hh:mm") : nil
        case (.list(let element), .array(let values)):
            values.lazy.compactMap { invalidValue($0, element) }.first
        case (.object("IntegerRange"), .object(let members)):
            members.contains { name, value in
                if case .integer = value { return !["minimum", "maximum"].contains(name) }
                return value != .null
            } ? (members.keys.sorted().joined(separator: ", "), "it has the integers 'minimum' and 'maximum'") : nil
        default: nil
        }
    }

    // MARK: Relationships

    private mutating func check(
        _ value: ConnectEntity.Relationship, of relationship: ConnectRelationship, _ use: ConnectMemberUse,
        _ entity: ConnectEntity
    ) {
        let (name, pointer) = (relationship.name, entity.pointer(relationship: relationship.name))
        switch value {
        case .one(nil) where use.contains(.required): addMissing(relationship: name, entity)
        case .one where relationship.isToMany:
            addInvalid("The relationship '\(name)' is to many resources: 'data' is a list", "\(pointer)/data")
        case .many where !relationship.isToMany:
            addInvalid("The relationship '\(name)' is to one resource: 'data' is an object", "\(pointer)/data")
        default:
            let type = relationship.target.flatMap { schema.type($0)?.jsonType } ?? relationship.target ?? ""
            for (index, linkage) in value.linkages.enumerated() {
                let place = relationship.isToMany ? "\(pointer)/data/\(index)" : "\(pointer)/data"
                check(linkage, type: type, relationship, use, entity, at: place)
            }
        }
    }

    private mutating func check(
        _ linkage: ConnectEntity.Linkage, type: String, _ relationship: ConnectRelationship, _ use: ConnectMemberUse,
        _ entity: ConnectEntity, at place: String
    ) {
        guard linkage.type == type else {
            addInvalid("The relationship '\(relationship.name)' is to a resource of type '\(type)'", "\(place)/type")
            return
        }
        guard linkage.isLocal else { return }
        // The prices of an offer that is itself created inline are created with it.
        guard use.contains(.inline) || entity.index != nil, included[linkage.id]?.type == type else {
            addInvalid(
                use.contains(.inline)
                    ? "There is no included entity of type '\(type)' with id '\(linkage.id)'"
                    : "The relationship '\(relationship.name)' is to resources that exist", "\(place)/id")
            return
        }
        guard !referenced.insert(linkage.id).inserted else { return }
        addInvalid("The included entity '\(linkage.id)' is referred to more than once", "\(place)/id")
    }

    // MARK: Errors

    private mutating func add(_ code: String, _ title: String, _ detail: String, _ pointer: String) {
        errors.append(
            ConnectError(
                status: "409", code: "ENTITY_ERROR.\(code)", title: title, detail: detail,
                source: ConnectError.Source(pointer: pointer)))
    }

    private mutating func addMissing(_ name: String, _ entity: ConnectEntity) {
        add(
            "ATTRIBUTE.REQUIRED", "The provided entity is missing a required attribute",
            "You must provide a value for the attribute '\(name)' with this request", entity.pointer(attribute: name))
    }

    private mutating func addMissing(relationship name: String, _ entity: ConnectEntity) {
        add(
            "RELATIONSHIP.REQUIRED", "The provided entity is missing a required relationship",
            "You must provide a value for the relationship '\(name)' with this request",
            entity.pointer(relationship: name))
    }

    private mutating func addInvalid(_ detail: String, _ pointer: String) {
        add(
            "RELATIONSHIP.INVALID", "The provided entity includes a relationship with an invalid value", detail, pointer
        )
    }
}
