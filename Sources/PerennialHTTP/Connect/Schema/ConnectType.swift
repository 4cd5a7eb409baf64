import FastJSON

/// A resource type of the App Store Connect API.
struct ConnectType: Sendable {
    /// The name in the tables and of the binding.
    let name: String
    /// The name in documents: without the suffix of a version.
    let jsonType: String
    /// The path of its operations: `v1/apps`.
    let path: String
    var attributes: [ConnectAttribute] = []
    var relationships: [ConnectRelationship] = []
    var operations: [ConnectOperation] = []

    init(name: String, version: String) {
        self.name = name
        jsonType = String(name.prefix { $0 != "." })
        path = "\(version)/\(jsonType)"
    }

    func attribute(_ name: String) -> ConnectAttribute? { attributes.first { $0.name == name } }
    func relationship(_ name: String) -> ConnectRelationship? { relationships.first { $0.name == name } }

    /// The names that `fields[…]` of the type takes.
    var fields: [String] {
        attributes.filter(\.isReadable).map(\.name) + relationships.filter(\.isReadable).map(\.name)
    }
}

/// The use of a member in the body of one kind of request.
struct ConnectMemberUse: OptionSet, Hashable, Sendable {
    let rawValue: Int

    static let allowed = ConnectMemberUse(rawValue: 1)
    static let required = ConnectMemberUse(rawValue: 2)
    /// Related resources may be created by the same request.
    static let inline = ConnectMemberUse(rawValue: 4)
}

/// A kind of request body that describes a resource.
enum ConnectBodyKind: String, Sendable, CaseIterable {
    case post, patch
    /// A resource in `included`.
    case inline
}

struct ConnectAttribute: Sendable {
    indirect enum Kind: Hashable, Sendable {
        case text, integer, boolean, date, dateTime
        /// An object, by the name of its form; `object` for any.
        case object(String)
        /// The members of an enumeration.
        case oneOf([String])
        case list(Kind)
    }

    let name: String
    let kind: Kind
    /// False for an attribute that only requests have.
    let isReadable: Bool
    let uses: [ConnectBodyKind: ConnectMemberUse]

    let key: JSONKey

    init(name: String, kind: Kind, isReadable: Bool, uses: [ConnectBodyKind: ConnectMemberUse]) {
        (self.name, self.kind, self.isReadable, self.uses) = (name, kind, isReadable, uses)
        key = JSONKey(name)
    }

    /// The members of the enumeration, or of the elements of the list; `nil` for other kinds.
    var members: [String]? {
        switch kind {
        case .oneOf(let members), .list(.oneOf(let members)): members
        default: nil
        }
    }
}

struct ConnectRelationship: Sendable {
    let name: String
    let isToMany: Bool
    /// The name of the related type; `nil` if no served operation leads to it.
    let target: String?
    /// True if the relationship has a path of its own, and links to it in documents.
    let hasLinks: Bool
    /// True if `include` takes it.
    let isIncludable: Bool
    let uses: [ConnectBodyKind: ConnectMemberUse]

    let key: JSONKey

    init(
        name: String, isToMany: Bool, target: String?, hasLinks: Bool, isIncludable: Bool,
        uses: [ConnectBodyKind: ConnectMemberUse]
    ) {
        (self.name, self.isToMany, self.target) = (name, isToMany, target)
        (self.hasLinks, self.isIncludable, self.uses) = (hasLinks, isIncludable, uses)
        key = JSONKey(name)
    }

    /// False for a relationship that only requests have.
    var isReadable: Bool { hasLinks || isIncludable }
}
