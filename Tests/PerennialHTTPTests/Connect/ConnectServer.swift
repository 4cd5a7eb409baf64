import AppStoreFormats
import HTTPTypes
import Perennial
import PerennialHTTP
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// The App Store Connect API as the seller's programs ask it.
struct ConnectServer: Sendable {
    let server: StoreServer
    /// A key with the role ADMIN.
    let key: TestServerAPIKey
    let vendor: String

    var shop: TestStore { server.shop }

    static func run<Value: Sendable>(
        on engine: Engine = .sqliteInMemory, app: App = TestCatalog.magazine(), requestsPerHour: Int? = nil,
        _ test: @escaping @Sendable (ConnectServer) async throws -> Value
    ) async throws -> Value {
        try await StoreServer.run(on: engine, app: app) { server in
            try await test(
                ConnectServer(
                    server: server, key: try await TestServerAPIKey(of: server.shop, roles: [.admin]),
                    vendor: try await server.shop.database.read { try Vendor.vendorNumber(on: $0) }))
        } configure: { router in
            if let requestsPerHour { router.connectRequestsPerHour = requestsPerHour }
        }
    }

    /// Asks with a token of a key.
    func ask(
        _ method: HTTPRequest.Method, _ path: String, _ json: JSONValue? = nil, as other: TestServerAPIKey? = nil,
        claims: [String: JSONValue?] = [:], headers: HTTPFields = [:]
    ) async throws -> StoreServer.Reply {
        let claims = claims.merging(["bid": nil]) { own, _ in own }
        let token = try (other ?? key).token(at: shop.clock.now, claims: claims)
        let reply = try await server.ask(method, path, json, bearer: token, headers: headers)
        if let document = AppleDocument.current, method != .head,
            reply.headers[.contentType] == "application/json"
        {
            #expect(document.problems(method.rawValue, path, status: reply.status, reply.json) == [])
        }
        return reply
    }

    func get(
        _ path: String, as other: TestServerAPIKey? = nil, claims: [String: JSONValue?] = [:]
    ) async throws -> StoreServer.Reply {
        try await ask(.get, path, as: other, claims: claims)
    }

    /// The path of a daily report of Sales and Trends in Sandbox.
    func salesReport(_ date: String? = "2025-12-31", _ changes: [String: String?] = [:]) -> String {
        var filters: [String: String] = [
            "vendorNumber": vendor, "reportType": "SALES", "reportSubType": "SUMMARY", "frequency": "DAILY",
        ]
        filters["reportDate"] = date
        for (name, value) in changes { filters[name] = value }
        let query = filters.sorted { $0.key < $1.key }.map { "filter[\($0.key)]=\($0.value)" }
        return "/sandbox/v1/salesReports?\(query.joined(separator: "&"))"
    }
}

extension StoreServer.Reply {
    /// The first error of the App Store Connect API.
    var connectError: JSONValue? { self["errors"]?.elements?.first }
    var connectCode: String? { connectError?["code"]?.text }
    var data: JSONValue? { self["data"] }

    /// The cells of a report by line.
    func table() throws -> [[String]] {
        let text = String(decoding: try Gzip.decompress(body, limit: 1 << 24), as: UTF8.self)
        return text.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// The cells of a report's rows by the header of their column.
    func rows() throws -> [[String: String]] {
        let table = try table()
        guard let header = table.first else { return [] }
        return table.dropFirst().map { Dictionary(zip(header, $0)) { first, _ in first } }
    }
}
