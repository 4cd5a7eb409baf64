import HTTPTypes
import Perennial

extension ConnectFailure {
    /// Describes the refusal of an edit in Apple's codes and pointers.
    ///
    /// - Parameter path: Of the request: the key of the reasons that have no place of their own.
    init(_ error: CatalogEditError, path: String) {
        let status: HTTPResponse.Status = error.code == .notFound ? .notFound : .conflict
        self.init(status, [ConnectError(error, path: path)])
    }
}

extension ConnectError {
    fileprivate init(_ error: CatalogEditError, path: String) {
        let (code, title) = Self.code(error)
        self.init(
            status: error.code == .notFound ? "404" : "409", code: code, title: title, detail: error.detail,
            source: Self.pointer(error.place).map { Source(pointer: $0) })
        if !error.associated.isEmpty {
            let reasons = Dictionary(grouping: error.associated) { Self.pointer($0.place) ?? path }
            meta = Meta(associatedErrors: reasons.mapValues { $0.map { ConnectError($0, path: path) } })
        }
    }

    private static func pointer(_ place: CatalogEditError.Place) -> String? {
        switch place {
        case .attribute(let name): "/data/attributes/\(name)"
        case .relationship(let name): "/data/relationships/\(name)"
        case .includedAttribute(let index, let name): "/included/\(index)/attributes/\(name)"
        case .includedRelationship(let index, let name): "/included/\(index)/relationships/\(name)"
        case .none: nil
        }
    }

    private static func code(_ error: CatalogEditError) -> (code: String, title: String) {
        let isRelationship =
            switch error.place {
            case .relationship, .includedRelationship: true
            default: false
            }
        let state = "The request cannot be fulfilled because of the state of another resource."
        return switch error.code {
        case .required where !isRelationship:
            ("ENTITY_ERROR.ATTRIBUTE.REQUIRED", "The provided entity is missing a required attribute")
        case .required, .relationshipRequired:
            ("ENTITY_ERROR.RELATIONSHIP.REQUIRED", "The provided entity is missing a required relationship")
        case .invalid where !isRelationship: ("ENTITY_ERROR.ATTRIBUTE.INVALID", "An attribute value is not valid.")
        case .invalid, .relationshipInvalid:
            (
                "ENTITY_ERROR.RELATIONSHIP.INVALID",
                "The provided entity includes a relationship with an invalid value"
            )
        case .invalidCharacters:
            ("ENTITY_ERROR.ATTRIBUTE.INVALID.INVALID_CHARACTERS", "An attribute value has invalid characters.")
        case .duplicate:
            (
                "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE",
                "The provided entity includes an attribute with a value that has already been used"
            )
        case .unknownMember where !isRelationship:
            ("ENTITY_ERROR.ATTRIBUTE.UNKNOWN", "The provided entity includes an unknown attribute")
        case .unknownMember:
            ("ENTITY_ERROR.RELATIONSHIP.UNKNOWN", "The provided entity includes an unknown relationship")
        case .invalidInterval:
            ("ENTITY_ERROR.INVALID_INTERVAL", "The provided entity includes an invalid interval")
        case .baseTerritoryRequired:
            (
                "ENTITY_ERROR.BASE_TERRITORY_INTERVAL_REQUIRED",
                "The provided entity has no price for its base territory"
            )
        case .stateInvalid: ("STATE_ERROR.ENTITY_STATE_INVALID", "The resource is not in valid state.")
        case .state, .limit, .changedMeanwhile: ("STATE_ERROR", state)
        case .notFound: ("NOT_FOUND", "The specified resource does not exist")
        }
    }
}
