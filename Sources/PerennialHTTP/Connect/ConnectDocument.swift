import Foundation
import HTTPTypes
import Hummingbird

/// A resource of the App Store Connect API (JSON:API).
struct ConnectResource: Sendable {
    /// A relationship with a path of its own.
    struct Relationship: Sendable {
        var name: String
        /// The related resources that the answer includes; `nil` if it doesn't.
        var included: [ConnectResource]?
        /// The number of all related resources.
        var total = 0
        var limit = 0
    }

    let type: String
    let id: String
    let attributes: [String: ConnectValue]
    var relationships: [Relationship] = []

    /// The members, with only some attributes and relationships.
    ///
    /// - Parameter fields: Their names by type; those of other types are all there.
    func value(_ links: ConnectLinks, fields: [String: Set<String>] = [:]) -> ConnectValue {
        let chosen = fields[type]
        func isChosen(_ name: String) -> Bool { chosen?.contains(name) ?? true }
        let url = links.url("/v1/\(type)/\(id)")
        var members: [String: ConnectValue] = [
            "type": .text(type), "id": .text(id), "links": .object(["self": .text(url)]),
        ]
        let attributes = attributes.filter { isChosen($0.key) }
        if !attributes.isEmpty { members["attributes"] = .object(attributes) }
        let related = relationships.filter { isChosen($0.name) }
        if !related.isEmpty {
            members["relationships"] = .object(
                Dictionary(uniqueKeysWithValues: related.map { ($0.name, Self.value($0, of: url)) }))
        }
        return .object(members)
    }

    /// The type and ID alone.
    var linkage: ConnectValue { .object(["type": .text(type), "id": .text(id)]) }

    private static func value(_ relationship: Relationship, of url: String) -> ConnectValue {
        var members: [String: ConnectValue] = [
            "links": .object([
                "self": .text("\(url)/relationships/\(relationship.name)"),
                "related": .text("\(url)/\(relationship.name)"),
            ])
        ]
        if let included = relationship.included {
            members["data"] = .array(included.map(\.linkage))
            members["meta"] = .paging(total: relationship.total, limit: relationship.limit)
        }
        return .object(members)
    }
}

extension ConnectValue {
    fileprivate static func paging(total: Int, limit: Int) -> ConnectValue {
        .object(["paging": .object(["total": .integer(Int64(total)), "limit": .integer(Int64(limit))])])
    }
}

/// An answer of a handler of its own, with one resource or a page of them.
struct ConnectDocument: Sendable {
    private var members: [String: ConnectValue]

    init(_ resource: ConnectResource, _ call: ConnectCall) {
        self.init(resource, call.links, fields: call.query.allFields)
    }

    init(_ page: ConnectPage<ConnectResource>, _ call: ConnectCall) {
        let fields = call.query.allFields
        self.init(page, call.links, values: page.elements.map { $0.value(call.links, fields: fields) })
        include(page.elements, call.links, fields)
    }

    /// A page of types and IDs.
    init(linkages page: ConnectPage<ConnectResource>, _ call: ConnectCall) {
        self.init(page, call.links, values: page.elements.map(\.linkage))
    }

    init(_ resource: ConnectResource, _ links: ConnectLinks, fields: [String: Set<String>] = [:]) {
        members = [
            "data": resource.value(links, fields: fields), "links": .object(["self": .text(links.url(links.path))]),
        ]
        include([resource], links, fields)
    }

    private init(_ page: ConnectPage<ConnectResource>, _ links: ConnectLinks, values: [ConnectValue]) {
        var urls: [String: ConnectValue] = ["self": .text(links.requested)]
        if let next = page.next {
            urls["first"] = .text("\(links.url(links.path))?\(page.query.text(at: 0))")
            urls["next"] = .text("\(links.url(links.path))?\(page.query.text(at: next))")
        }
        members = [
            "data": .array(values), "links": .object(urls),
            "meta": .paging(total: page.total, limit: page.query.limit),
        ]
    }

    /// Adds the resources that are included, each once.
    private mutating func include(
        _ resources: [ConnectResource], _ links: ConnectLinks, _ fields: [String: Set<String>]
    ) {
        var seen: Set<String> = []
        let relationships = resources.flatMap(\.relationships).filter { $0.included != nil }
        guard !relationships.isEmpty else { return }
        members["included"] = .array(
            relationships.flatMap { $0.included ?? [] }.filter { seen.insert("\($0.type) \($0.id)").inserted }.map {
                $0.value(links, fields: fields)
            })
    }

    /// Encodes the answer.
    func response(_ status: HTTPResponse.Status = .ok) throws -> Response {
        JSONResponse.bytes(try JSONResponse.encode(ConnectValue.object(members)), status: status)
    }
}
