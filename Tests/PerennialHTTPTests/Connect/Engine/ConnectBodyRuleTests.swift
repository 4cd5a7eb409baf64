import HTTPTypes
import TestSupport
import Testing

@testable import PerennialHTTP

/// The rules of request bodies, with every operation that creates. Members are checked before related resources are looked
/// for, so that any ID does.
struct ConnectBodyRuleTests {
    private static let directory = ConnectDirectory.current

    private static var creations: [(operation: ConnectOperation, type: ConnectType)] {
        directory.schema.operations.values.filter { $0.action == .create && directory.isServed($0) }
            .sorted { $0.path < $1.path }
            .compactMap { operation in directory.schema.type(operation.type).map { (operation, $0) } }
    }

    private static func run(
        _ test: @escaping @Sendable (ConnectServer, ConnectOperation, ConnectType) async throws -> Void
    ) async throws {
        try await ConnectServer.run(requestsPerHour: 1_000_000) { connect in
            for (operation, type) in creations { try await test(connect, operation, type) }
        }
    }

    // MARK: Bodies

    static func value(_ kind: ConnectAttribute.Kind) -> JSONValue {
        switch kind {
        case .text: "text"
        case .integer: 1
        case .boolean: true
        case .date: "2027-01-31"
        case .dateTime: "2027-01-31T08:00:00+00:00"
        case .object("IntegerRange"): ["minimum": 1, "maximum": 2]
        case .object: [:]
        case .oneOf(let members): .string(members.first ?? "")
        case .list(let element): [value(element)]
        }
    }

    private static func linkage(_ relationship: ConnectRelationship) -> JSONValue {
        let type = directory.schema.type(relationship.target ?? "")?.jsonType ?? relationship.target ?? ""
        let one: JSONValue = ["type": .string(type), "id": "none"]
        return ["data": relationship.isToMany ? [one] : one]
    }

    /// A body with the required members.
    private static func minimal(_ type: ConnectType) -> (
        attributes: [String: JSONValue], relationships: [String: JSONValue]
    ) {
        var (attributes, relationships): ([String: JSONValue], [String: JSONValue]) = ([:], [:])
        for attribute in type.attributes where attribute.uses[.post]?.contains(.required) == true {
            attributes[attribute.name] = value(attribute.kind)
        }
        for relationship in type.relationships where relationship.uses[.post]?.contains(.required) == true {
            relationships[relationship.name] = linkage(relationship)
        }
        return (attributes, relationships)
    }

    private static func body(
        _ type: ConnectType, _ attributes: [String: JSONValue], _ relationships: [String: JSONValue]
    ) -> JSONValue {
        [
            "data": [
                "type": .string(type.jsonType), "attributes": .object(attributes),
                "relationships": .object(relationships),
            ]
        ]
    }

    /// The codes and pointers of a refusal.
    static func errors(_ reply: StoreServer.Reply) -> [String] {
        (reply["errors"]?.elements ?? []).map {
            "\($0["code"]?.text ?? "") \($0["source"]?["pointer"]?.text ?? "")"
        }
    }

    // MARK: Rules

    @Test func `each required member is required`() async throws {
        try await Self.run { connect, operation, type in
            let (attributes, relationships) = Self.minimal(type)
            for name in attributes.keys {
                var fewer = attributes
                for missing in [nil, JSONValue.null] {
                    fewer[name] = missing
                    let reply = try await connect.ask(
                        .post, "/sandbox/\(operation.path)", Self.body(type, fewer, relationships))
                    #expect(reply.status == 409, "\(operation.name) \(name)")
                    #expect(Self.errors(reply) == ["ENTITY_ERROR.ATTRIBUTE.REQUIRED /data/attributes/\(name)"])
                }
            }
            for name in relationships.keys {
                var fewer = relationships
                fewer[name] = nil
                let reply = try await connect.ask(
                    .post, "/sandbox/\(operation.path)", Self.body(type, attributes, fewer))
                #expect(reply.status == 409, "\(operation.name) \(name)")
                #expect(Self.errors(reply) == ["ENTITY_ERROR.RELATIONSHIP.REQUIRED /data/relationships/\(name)"])
            }
        }
    }

    @Test func `unknown members are refused, all at once`() async throws {
        try await Self.run { connect, operation, type in
            var (attributes, relationships) = Self.minimal(type)
            attributes["colour"] = "red"
            relationships["friend"] = ["data": ["type": "apps", "id": "1"]]
            let reply = try await connect.ask(
                .post, "/sandbox/\(operation.path)", Self.body(type, attributes, relationships))
            #expect(
                Self.errors(reply) == [
                    "ENTITY_ERROR.ATTRIBUTE.UNKNOWN /data/attributes/colour",
                    "ENTITY_ERROR.RELATIONSHIP.UNKNOWN /data/relationships/friend",
                ], "\(operation.name)")
        }
    }

    @Test func `a value of another type or of no member is refused`() async throws {
        try await Self.run { connect, operation, type in
            let (attributes, relationships) = Self.minimal(type)
            for attribute in type.attributes where attribute.uses[.post] != nil {
                var wrong: [(value: JSONValue, code: String)] = [([["nested": 1]], "TYPE")]
                switch attribute.kind {
                case .oneOf: wrong.append(("NONE_OF_THESE", "INVALID"))
                case .list(.oneOf): wrong.append((["NONE_OF_THESE"], "INVALID"))
                case .date, .dateTime: wrong.append(("2027-02-30", "INVALID"))
                default: break
                }
                for (value, code) in wrong {
                    let changed = attributes.merging([attribute.name: value]) { $1 }
                    let reply = try await connect.ask(
                        .post, "/sandbox/\(operation.path)", Self.body(type, changed, relationships))
                    #expect(reply.status == 409, "\(operation.name) \(attribute.name)")
                    #expect(
                        Self.errors(reply) == ["ENTITY_ERROR.ATTRIBUTE.\(code) /data/attributes/\(attribute.name)"])
                }
            }
        }
    }

    @Test func `a related resource of another type or of another number is refused`() async throws {
        try await Self.run { connect, operation, type in
            let (attributes, relationships) = Self.minimal(type)
            for relationship in type.relationships where relationship.uses[.post] != nil {
                let pointer = "/data/relationships/\(relationship.name)/data"
                let one: JSONValue = ["type": "colours", "id": "1"]
                for (data, place) in [
                    (relationship.isToMany ? [one] : one, relationship.isToMany ? "/0/type" : "/type"),
                    (relationship.isToMany ? one : [one], ""),
                ] {
                    let changed = relationships.merging([relationship.name: ["data": data]]) { $1 }
                    let reply = try await connect.ask(
                        .post, "/sandbox/\(operation.path)", Self.body(type, attributes, changed))
                    #expect(
                        Self.errors(reply) == ["ENTITY_ERROR.RELATIONSHIP.INVALID \(pointer)\(place)"],
                        "\(operation.name) \(relationship.name)")
                }
            }
        }
    }

    @Test func `related resources exist`() async throws {
        try await Self.run { connect, operation, type in
            let (attributes, relationships) = Self.minimal(type)
            guard !relationships.isEmpty else { return }
            let reply = try await connect.ask(
                .post, "/sandbox/\(operation.path)", Self.body(type, attributes, relationships))
            #expect(reply.status == 409, "\(operation.name)")
            #expect(reply.connectCode == "ENTITY_ERROR.RELATIONSHIP.INVALID", "\(operation.name)")
        }
    }

    // MARK: Inline creation

    private static func schedule(_ included: [JSONValue], prices: [String]) -> JSONValue {
        [
            "data": [
                "type": "inAppPurchasePriceSchedules",
                "relationships": [
                    "inAppPurchase": ["data": ["type": "inAppPurchases", "id": "101"]],
                    "baseTerritory": ["data": ["type": "territories", "id": "USA"]],
                    "manualPrices": [
                        "data": .array(prices.map { ["type": "inAppPurchasePrices", "id": .string($0)] })
                    ],
                ],
            ], "included": .array(included),
        ]
    }

    private static func price(_ id: String, _ attributes: [String: JSONValue] = ["startDate": .null]) -> JSONValue {
        ["type": "inAppPurchasePrices", "id": .string(id), "attributes": .object(attributes)]
    }

    static let inline: [(body: JSONValue, error: String)] = [
        (schedule([price("USA")], prices: ["${a}"]), "ENTITY_ERROR.INCLUDED.INVALID_ID /included/0/id"),
        (
            schedule([price("${a}"), price("${a}")], prices: ["${a}"]),
            "ENTITY_ERROR.INCLUDED.INVALID_ID /included/1/id"
        ),
        (schedule([price("${a}"), price("${b}")], prices: ["${a}"]), "ENTITY_ERROR.RELATIONSHIP.REQUIRED /included/1"),
        (
            schedule([price("${a}")], prices: ["${a}", "${b}"]),
            "ENTITY_ERROR.RELATIONSHIP.INVALID /data/relationships/manualPrices/data/1/id"
        ),
        (
            schedule([price("${a}", ["startDate": "soon"])], prices: ["${a}"]),
            "ENTITY_ERROR.ATTRIBUTE.INVALID /included/0/attributes/startDate"
        ),
        (
            schedule([price("${a}", ["manual": true])], prices: ["${a}"]),
            "ENTITY_ERROR.ATTRIBUTE.UNKNOWN /included/0/attributes/manual"
        ),
    ]

    @Test(arguments: inline.indices)
    func `resources that are created inline are checked with their place`(index: Int) async throws {
        let given = Self.inline[index]
        try await ConnectServer.run { connect in
            let reply = try await connect.ask(.post, "/v1/inAppPurchasePriceSchedules", given.body)
            #expect(reply.status == 409)
            #expect(Self.errors(reply).contains(given.error), "\(Self.errors(reply))")
        }
    }
}
