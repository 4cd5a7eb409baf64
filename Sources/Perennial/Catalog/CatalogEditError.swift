/// The refusal of an edit of the catalog.
///
/// The App Store Connect API maps code and place to Apple's codes and pointers. The control API and the command line print
/// them.
package struct CatalogEditError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, Codable, CaseIterable {
        /// A value is missing.
        case required
        /// A value breaks a rule.
        case invalid
        /// A text has characters that it may not have.
        case invalidCharacters
        /// Another resource has the value.
        case duplicate
        case unknownMember
        case relationshipRequired
        case relationshipInvalid
        /// A schedule has a gap or an overlap.
        case invalidInterval
        /// A schedule has no price for its base territory.
        case baseTerritoryRequired
        /// The resource itself is in a state that forbids the edit.
        case stateInvalid
        /// Another resource is in a state that forbids the edit.
        case state
        case notFound
        /// Another writer changed the resource after it was read.
        case changedMeanwhile
        /// The limit of a count is reached.
        case limit
    }

    /// The part of a request that is refused.
    package enum Place: Hashable, Sendable, CustomStringConvertible {
        case attribute(String)
        case relationship(String)
        /// An attribute of a resource that is created inline, by its place in the request.
        case includedAttribute(Int, String)
        case includedRelationship(Int, String)
        case none

        package var description: String {
            switch self {
            case .attribute(let name), .relationship(let name): name
            case .includedAttribute(let index, let name), .includedRelationship(let index, let name):
                "\(name) of entry \(index + 1)"
            case .none: ""
            }
        }
    }

    package var code: Code
    package var place: Place
    /// A message for people: the finding and the rule.
    package var detail: String
    /// The reasons behind this one.
    package var associated: [CatalogEditError]

    package init(_ code: Code, at place: Place = .none, _ detail: String, associated: [CatalogEditError] = []) {
        self.code = code
        self.place = place
        self.detail = detail
        self.associated = associated
    }

    package var description: String {
        let reasons = associated.map { "; \($0)" }.joined()
        return (place == .none ? detail : "\(place): \(detail)") + reasons
    }
}
