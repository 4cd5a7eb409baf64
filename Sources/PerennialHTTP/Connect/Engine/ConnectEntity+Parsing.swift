import Hummingbird
import NIOCore

extension ConnectEntity {
    /// Long enough for prices in all storefronts with several changes each.
    private static let maximumBodyLength = 2_097_152
    private static let maximumIncluded = 10_000

    /// Reads a body: `{"data": {"type", "id", "attributes", "relationships"}, "included": […]}`.
    ///
    /// - Parameters:
    ///   - type: The resource's JSON type.
    ///   - id: The ID in the path of an update, which the body repeats; `nil` for a creation, whose body has none.
    /// - Throws: ``ConnectFailure`` 422 for another form.
    init(_ request: Request, type: String, id: String? = nil) async throws {
        let body = try await request.collected(upTo: Self.maximumBodyLength)
        guard case .object(let document)? = Self.value(body), case .object(let data)? = document["data"] else {
            throw Self.unexpected("data")
        }
        if let name = document.keys.sorted().first(where: { !["data", "included"].contains($0) }) {
            throw Self.unexpected(name)
        }
        try self.init(data, at: "data", type: type)
        guard self.id == id else { throw Self.unexpected("data.id") }
        switch document["included"] {
        case nil: break
        case .array(let entries) where entries.count <= Self.maximumIncluded:
            included = try entries.enumerated().map { index, entry in
                guard case .object(let members) = entry else { throw Self.unexpected("included[\(index)]") }
                var entity = try ConnectEntity(members, at: "included[\(index)]", type: nil)
                entity.index = index
                return entity
            }
        default: throw Self.unexpected("included")
        }
    }

    private init(_ members: [String: ConnectValue], at place: String, type: String?) throws {
        guard case .text(let given)? = members["type"], type == nil || given == type else {
            throw Self.unexpected("\(place).type")
        }
        self.init(type: given)
        switch members["id"] {
        case nil: break
        case .text(let id): self.id = id
        default: throw Self.unexpected("\(place).id")
        }
        let known = ["type", "id", "attributes", "relationships"]
        if let name = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw Self.unexpected("\(place).\(name)")
        }
        attributes = try Self.members(members["attributes"], at: "\(place).attributes")
        for (name, value) in try Self.members(members["relationships"], at: "\(place).relationships") {
            let place = "\(place).relationships.\(name)"
            guard case .object(let relationship) = value, let data = relationship["data"] else {
                throw Self.unexpected("\(place).data")
            }
            relationships[name] = try Self.relationship(data, at: "\(place).data")
        }
    }

    /// Reads the body of a change of a relationship: `{"data": [{"type", "id"}…]}`, or one of them.
    static func linkages(_ request: Request) async throws -> Relationship {
        let body = try await request.collected(upTo: maximumBodyLength)
        guard case .object(let document)? = value(body), let data = document["data"], document.count == 1 else {
            throw unexpected("data")
        }
        return try relationship(data, at: "data")
    }

    private static func value(_ body: ByteBuffer) -> ConnectValue? {
        try? ConnectValueParser.value(of: Array(body.readableBytesView))
    }

    private static func relationship(_ data: ConnectValue, at place: String) throws -> Relationship {
        switch data {
        case .null: return .one(nil)
        case .object(let members): return .one(try linkage(members, at: place))
        case .array(let values):
            return .many(
                try values.enumerated().map { index, value in
                    guard case .object(let members) = value else { throw unexpected("\(place)[\(index)]") }
                    return try linkage(members, at: "\(place)[\(index)]")
                })
        default: throw unexpected(place)
        }
    }

    private static func linkage(_ members: [String: ConnectValue], at place: String) throws -> Linkage {
        guard case .text(let id)? = members["id"] else { throw unexpected("\(place).id") }
        guard case .text(let type)? = members["type"] else { throw unexpected("\(place).type") }
        return Linkage(type: type, id: id)
    }

    private static func members(_ value: ConnectValue?, at place: String) throws -> [String: ConnectValue] {
        switch value {
        case .object(let members): return members
        case nil: return [:]
        default: throw unexpected(place)
        }
    }

    private static func unexpected(_ place: String) -> ConnectFailure {
        .unprocessable("Unexpected or invalid value at '\(place)'.")
    }
}
