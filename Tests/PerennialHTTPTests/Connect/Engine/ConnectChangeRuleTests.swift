import HTTPTypes
import TestSupport
import Testing

@testable import PerennialHTTP

/// The rules of bodies, with every operation that changes a resource or a relationship. Bodies are checked before the resource
/// is looked for, so that any ID does.
struct ConnectChangeRuleTests {
    private static let directory = ConnectDirectory.current
    private static let id = "none"

    private static func operations(_ isMeant: (ConnectOperation.Action) -> Bool) -> [ConnectOperation] {
        directory.schema.operations.values.filter { isMeant($0.action) && directory.isServed($0) }
            .sorted { $0.name < $1.name }
    }

    private static let updates = operations { $0 == .update }
    private static let linkages = operations {
        switch $0 {
        case .setLinkages, .addLinkages, .removeLinkages: true
        default: false
        }
    }

    private static func run(
        _ operations: [ConnectOperation],
        _ test: @escaping @Sendable (ConnectServer, ConnectOperation, ConnectType) async throws -> Void
    ) async throws {
        #expect(!operations.isEmpty)
        try await ConnectServer.run(requestsPerHour: 1_000_000) { connect in
            for operation in operations {
                try await test(connect, operation, try #require(directory.schema.type(operation.type)))
            }
        }
    }

    private static func ask(
        _ connect: ConnectServer, _ operation: ConnectOperation, _ body: JSONValue?
    ) async throws -> StoreServer.Reply {
        let method = try #require(HTTPRequest.Method(rawValue: operation.method))
        return try await connect.ask(
            method, "/sandbox/\(operation.path.replacing("{id}", with: Self.id))", body)
    }

    private static func body(
        _ type: ConnectType, id: String? = id, attributes: [String: JSONValue] = [:],
        relationships: [String: JSONValue] = [:]
    ) -> JSONValue {
        var members: [String: JSONValue] = ["type": .string(type.jsonType)]
        members["id"] = id.map { .string($0) }
        if !attributes.isEmpty { members["attributes"] = .object(attributes) }
        if !relationships.isEmpty { members["relationships"] = .object(relationships) }
        return ["data": .object(members)]
    }

    // MARK: Resources

    @Test func `a change names the resource of its path`() async throws {
        try await Self.run(Self.updates) { connect, operation, type in
            for wrong in [Self.body(type, id: nil), Self.body(type, id: "other"), ["data": []], [:]] {
                let reply = try await Self.ask(connect, operation, wrong)
                #expect((reply.status, reply.connectCode) == (422, "ENTITY_UNPROCESSABLE"), "\(operation.name)")
            }
            let other = try await Self.ask(connect, operation, ["data": ["type": "colours", "id": "none"]])
            #expect((other.status, other.connectCode) == (422, "ENTITY_UNPROCESSABLE"), "\(operation.name)")
        }
    }

    @Test func `a change of a resource that isn't there is answered 404`() async throws {
        try await Self.run(Self.updates) { connect, operation, type in
            let reply = try await Self.ask(connect, operation, Self.body(type))
            #expect((reply.status, reply.connectCode) == (404, "NOT_FOUND"), "\(operation.name)")
        }
    }

    @Test func `unknown members of a change are refused, all at once`() async throws {
        try await Self.run(Self.updates) { connect, operation, type in
            let reply = try await Self.ask(
                connect, operation,
                Self.body(
                    type, attributes: ["colour": "red"],
                    relationships: ["friend": ["data": ["type": "apps", "id": "1"]]]))
            #expect(reply.status == 409, "\(operation.name)")
            #expect(
                ConnectBodyRuleTests.errors(reply) == [
                    "ENTITY_ERROR.ATTRIBUTE.UNKNOWN /data/attributes/colour",
                    "ENTITY_ERROR.RELATIONSHIP.UNKNOWN /data/relationships/friend",
                ], "\(operation.name)")
        }
    }

    @Test func `an attribute that only a creation sets is unknown to a change`() async throws {
        try await Self.run(Self.updates) { connect, operation, type in
            for attribute in type.attributes where attribute.uses[.patch] == nil {
                let reply = try await Self.ask(
                    connect, operation,
                    Self.body(type, attributes: [attribute.name: ConnectBodyRuleTests.value(attribute.kind)]))
                #expect(
                    ConnectBodyRuleTests.errors(reply) == [
                        "ENTITY_ERROR.ATTRIBUTE.UNKNOWN /data/attributes/\(attribute.name)"
                    ], "\(operation.name) \(attribute.name)")
            }
        }
    }

    @Test func `a changed value of another type or of no member is refused`() async throws {
        try await Self.run(Self.updates) { connect, operation, type in
            for attribute in type.attributes where attribute.uses[.patch] != nil {
                var wrong: [(value: JSONValue, code: String)] = [([["nested": 1]], "TYPE")]
                if case .oneOf = attribute.kind { wrong.append(("NONE_OF_THESE", "INVALID")) }
                for (value, code) in wrong {
                    let reply = try await Self.ask(
                        connect, operation, Self.body(type, attributes: [attribute.name: value]))
                    #expect(
                        ConnectBodyRuleTests.errors(reply) == [
                            "ENTITY_ERROR.ATTRIBUTE.\(code) /data/attributes/\(attribute.name)"
                        ], "\(operation.name) \(attribute.name)")
                }
            }
        }
    }

    // MARK: Relationships

    @Test func `a change of a relationship names resources of its type`() async throws {
        try await Self.run(Self.linkages) { connect, operation, _ in
            let target = try #require(Self.directory.schema.answered(by: operation)?.jsonType)
            let right: JSONValue = ["type": .string(target), "id": "1"]
            let wrong = try await Self.ask(connect, operation, ["data": [right, ["type": "colours", "id": "1"]]])
            #expect(
                ConnectBodyRuleTests.errors(wrong) == ["ENTITY_ERROR.RELATIONSHIP.INVALID /data/1/type"],
                "\(operation.name)")
            for body: JSONValue in [[:], ["data": "1"], ["data": [["type": .string(target)]]], ["data": [1]]] {
                let reply = try await Self.ask(connect, operation, body)
                #expect((reply.status, reply.connectCode) == (422, "ENTITY_UNPROCESSABLE"), "\(operation.name)")
            }
            let absent = try await Self.ask(connect, operation, ["data": [right]])
            #expect((absent.status, absent.connectCode) == (404, "NOT_FOUND"), "\(operation.name)")
        }
    }
}
