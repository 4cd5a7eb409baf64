import Foundation
import Hummingbird
import NIOCore

/// The resource in the body of a request: `{"data": {"type", "attributes", "relationships"}}`.
struct ConnectEntity: Sendable {
    private static let maximumBodyLength = 65_536

    private let attributes: [String: ConnectValue]
    /// The related resources, each by its ID; to-one relationships only.
    let relationships: [String: String]
    private let types: [String: String]

    /// Reads a body.
    ///
    /// - Throws: ``ConnectFailure`` 422 for another form.
    init(_ request: Request, type: String) async throws {
        let body = try await request.collected(upTo: Self.maximumBodyLength)
        guard
            case .object(let document)? = try? JSONDecoder().decode(
                ConnectValue.self, from: Data(body.readableBytesView)),
            case .object(let data)? = document["data"]
        else { throw Self.unexpected("data") }
        guard data["type"] == .text(type) else { throw Self.unexpected("data.type") }
        if let name = data.keys.sorted().first(where: { !["type", "attributes", "relationships"].contains($0) }) {
            throw Self.unexpected("data.\(name)")
        }
        attributes = try Self.members(data, "attributes")
        var (ids, types): ([String: String], [String: String]) = ([:], [:])
        for (name, value) in try Self.members(data, "relationships") {
            guard case .object(let relationship) = value, case .object(let linkage)? = relationship["data"],
                case .text(let id)? = linkage["id"], case .text(let type)? = linkage["type"]
            else { throw Self.unexpected("data.relationships.\(name).data") }
            (ids[name], types[name]) = (id, type)
        }
        (relationships, self.types) = (ids, types)
    }

    /// Checks the names of all members, and the types of related resources.
    ///
    /// - Parameter related: The types by the names of the relationships.
    /// - Throws: ``ConnectFailure`` 409.
    func check(attributes known: Set<String>, relationships related: [String: String]) throws {
        if let name = attributes.keys.sorted().first(where: { !known.contains($0) }) {
            throw ConnectFailure.entity(
                "ATTRIBUTE.UNKNOWN", "The provided entity includes an unknown attribute",
                "'\(name)' is not an attribute on the resource", pointer: "/data/attributes/\(name)")
        }
        for name in relationships.keys.sorted() {
            guard let type = related[name] else {
                throw ConnectFailure.entity(
                    "RELATIONSHIP.UNKNOWN", "The provided entity includes an unknown relationship",
                    "'\(name)' is not a relationship on the resource", pointer: "/data/relationships/\(name)")
            }
            guard types[name] == type else {
                throw ConnectFailure.entity(
                    "RELATIONSHIP.INVALID", "The provided entity includes a relationship with an invalid value",
                    "The relationship '\(name)' is to a resource of type '\(type)'",
                    pointer: "/data/relationships/\(name)/data/type")
            }
        }
    }

    /// The text of an attribute; `nil` without one and for null.
    ///
    /// - Throws: ``ConnectFailure`` 409 for another type.
    func attribute(_ name: String) throws -> String? {
        switch attributes[name] {
        case .text(let text): return text
        case .null, nil: return nil
        default:
            throw ConnectFailure.entity(
                "ATTRIBUTE.TYPE", "An attribute in the provided entity has the wrong type",
                "The attribute '\(name)' is a string", pointer: "/data/attributes/\(name)")
        }
    }

    private static func members(_ data: [String: ConnectValue], _ name: String) throws -> [String: ConnectValue] {
        switch data[name] {
        case .object(let members): return members
        case nil: return [:]
        default: throw unexpected("data.\(name)")
        }
    }

    private static func unexpected(_ place: String) -> ConnectFailure {
        .unprocessable("Unexpected or invalid value at '\(place)'.")
    }
}
