import HTTPTypes
import TestSupport
import Testing

@testable import PerennialHTTP

/// The rules of query parameters, with every operation that reads. Queries are checked before the resource is looked for, so
/// that any ID does.
struct ConnectQueryRuleTests {
    private static let directory = ConnectDirectory.current

    /// The reading operations that the engine serves, without those with a handler of their own for files.
    private static var operations: [ConnectOperation] {
        directory.schema.operations.values.filter {
            $0.action.isReading && directory.isServed($0) && $0.type != "salesReports" && $0.type != "financeReports"
                && !$0.path.hasSuffix("/values")
        }.sorted { $0.path < $1.path }
    }

    private static func path(_ operation: ConnectOperation, _ query: String) -> String {
        let path = "/sandbox/\(operation.path.replacing("{id}", with: "none"))"
        let required = operation.requiredFilters.map { "filter[\($0)]=none" }.filter {
            !query.hasPrefix($0.prefix { $0 != "=" })
        }
        return "\(path)?\(([query] + required).filter { !$0.isEmpty }.joined(separator: "&"))"
    }

    private static func run(
        _ test: @escaping @Sendable (ConnectServer, ConnectOperation) async throws -> Void
    ) async throws {
        try await ConnectServer.run(requestsPerHour: 1_000_000) { connect in
            for operation in operations { try await test(connect, operation) }
        }
    }

    @Test func `an unknown parameter is illegal`() async throws {
        try await Self.run { connect, operation in
            let reply = try await connect.get(Self.path(operation, "colour=red"))
            #expect((reply.status, reply.connectCode) == (400, "PARAMETER_ERROR.ILLEGAL"), "\(operation.name)")
            #expect(reply.connectError?["source"]?["parameter"] == "colour")
        }
    }

    @Test func `a parameter with a wrong value is invalid`() async throws {
        try await Self.run { connect, operation in
            for (name, rule) in Self.directory.parameters(operation).rules {
                let wrong: String? =
                    switch rule {
                    case .oneOf, .relationships, .order: "NONE_OF_THESE"
                    case .boolean: "maybe"
                    case .limit(let maximum): String(maximum + 1)
                    case .cursor: "nowhere"
                    case .values: nil
                    }
                guard let wrong else { continue }
                let reply = try await connect.get(Self.path(operation, "\(name)=\(wrong)"))
                #expect(
                    (reply.status, reply.connectCode) == (400, "PARAMETER_ERROR.INVALID"), "\(operation.name) \(name)")
                #expect(reply.connectError?["source"]?["parameter"]?.text == name)
            }
        }
    }

    @Test func `a parameter with any right value is accepted`() async throws {
        try await Self.run { connect, operation in
            for (name, rule) in Self.directory.parameters(operation).rules {
                // All members in one request prove each of them.
                let values: [String] =
                    switch rule {
                    case .oneOf(let members), .relationships(let members):
                        members.prefix(1) + [members.joined(separator: ",")]
                    case .order(let members):
                        [members.joined(separator: ","), members.map { "-\($0)" }.joined(separator: ",")]
                    case .boolean: ["true", "false"]
                    case .limit(let maximum): ["1", String(maximum)]
                    case .cursor: [ConnectCursor.text(0)]
                    case .values: ["any"]
                    }
                for value in values {
                    let reply = try await connect.get(Self.path(operation, "\(name)=\(value)"))
                    #expect(reply.status == 200 || reply.status == 404, "\(operation.name) \(name)=\(value)")
                }
            }
        }
    }

    @Test func `only a leading hyphen of a sort order is its direction`() async throws {
        try await Self.run { connect, operation in
            for (name, rule) in Self.directory.parameters(operation).rules {
                guard case .order(let members) = rule, let member = members.first else { continue }
                for wrong in ["\(member.prefix(1))-\(member.dropFirst())", "--\(member)", "-", "\(member)-"] {
                    let reply = try await connect.get(Self.path(operation, "\(name)=\(wrong)"))
                    #expect(
                        (reply.status, reply.connectCode) == (400, "PARAMETER_ERROR.INVALID"),
                        "\(operation.name) \(wrong)")
                }
            }
        }
    }

    @Test func `a parameter comes once`() async throws {
        try await Self.run { connect, operation in
            let values = Self.directory.parameters(operation).rules.compactMap { name, rule -> (String, String)? in
                switch rule {
                case .oneOf(let members): members.first.map { (name, $0) }
                case .limit, .values: (name, "1")
                case .boolean, .relationships, .order, .cursor: nil
                }
            }
            guard let (name, value) = values.min(by: { $0 < $1 }) else { return }
            let reply = try await connect.get(Self.path(operation, "\(name)=\(value)&\(name)=\(value)"))
            #expect((reply.status, reply.connectCode) == (400, "PARAMETER_ERROR.INVALID"), "\(operation.name) \(name)")
            #expect(reply.connectError?["source"]?["parameter"]?.text == name)
            #expect(reply.connectError?["detail"]?.text?.contains("more than once") == true)
        }
    }

    @Test func `a cursor beyond a list leads to an empty page without a next one`() async throws {
        try await ConnectServer.run { connect in
            for offset in [7, 8, 1_000_000, Int.max] {
                let cursor = ConnectCursor.text(offset).replacing("=", with: "%3D")
                let reply = try await connect.get(
                    "/sandbox/v1/apps/1234567/inAppPurchasesV2?limit=3&cursor=\(cursor)")
                #expect(reply.status == 200 && reply.data == [])
                #expect(reply["meta"]?["paging"]?["total"] == 7 && reply["links"]?["next"] == nil)
            }
        }
    }

    @Test func `a required filter is required`() async throws {
        try await Self.run { connect, operation in
            guard let name = operation.requiredFilters.first else { return }
            let reply = try await connect.get("/sandbox/\(operation.path)")
            #expect((reply.status, reply.connectCode) == (400, "PARAMETER_ERROR.REQUIRED"), "\(operation.name)")
            #expect(reply.connectError?["source"]?["parameter"]?.text == "filter[\(name)]")
        }
    }
}
