import AppStoreFormats
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// `perennial serve` with a small catalog, ready for requests.
struct RunningStore: Sendable {
    static let bundleID = "com.example.camera"
    static let catalog = """
        bundleId: com.example.camera
        name: Camera
        newsstand: true
        sharedSecret: 00112233445566778899aabbccddeeff
        products:
          - {id: film.roll, type: consumable, price: 0.99, localizations: {en_US: {name: Film, description: Film}}}
          - {id: filter.amber, type: non-consumable, price: 1.99, localizations: {en_US: {name: Amber, description: Light}}}
          - {id: pass.1week, type: non-renewing, price: 2.99, localizations: {en_US: {name: Pass, description: A week}}}
        """

    let process: PerennialProcess
    let readyFile: String
    let ready: JSONValue

    var url: String { ready["url"]?.text ?? "" }
    var sandbox: String { ready["environments"]?["Sandbox"]?.text ?? "" }
    var controlToken: String { ready["controlToken"]?.text ?? "" }

    /// Made once for all stores: RSA keys take a moment.
    private static let keys = Result {
        let folder = URL(filePath: "\(try TemporaryFolder.make())/keys")
        _ = try SigningFolder(folder)
        return folder.path
    }

    /// - Parameters:
    ///   - data: The folder with keys and database. One that is empty gets the keys of all tests, one that isn't there yet
    ///     its own, as does one that several nodes share.
    ///   - appendix: Further keys of the catalog's app.
    static func start(
        data: String, _ more: [String] = [], appendix: String = "", environment: [String: String] = [:]
    ) async throws -> RunningStore {
        let place = try TemporaryFolder.make()
        let readyFile = "\(place)/ready.json"
        let catalog = "\(place)/catalog.yaml"
        try Data("\(Self.catalog)\n\(appendix)".utf8).write(to: URL(filePath: catalog))
        let inMemory = more.contains("--in-memory")
        if !inMemory, !more.contains("--database"),
            (try? FileManager.default.contentsOfDirectory(atPath: data))?.isEmpty == true
        {
            try FileManager.default.copyItem(atPath: keys.get(), toPath: "\(data)/keys")
        }
        let process = try PerennialProcess(
            ["serve", "--port", "0", "--ready-file", readyFile, "--catalog", catalog]
                + (inMemory ? [] : ["--data", data])
                + more, environment: environment)
        try await process.untilReady()
        let ready = try JSONValue(Data(contentsOf: URL(filePath: readyFile)))
        return RunningStore(process: process, readyFile: readyFile, ready: ready)
    }

    /// Asks it to end, and waits until it has.
    @discardableResult
    func stop(_ signal: Int32 = SIGTERM) async -> PerennialProcess.Ended {
        process.signal(signal)
        return await process.ended()
    }

    // MARK: - Requests

    struct Reply: Sendable {
        let status: Int
        let json: JSONValue?
        subscript(_ key: String) -> JSONValue? { json?[key] }
    }

    /// - Parameter method: Of a request with a body.
    /// - Throws: Where no whole answer came.
    static func ask(
        _ client: HTTPClient, _ url: String, _ json: JSONValue? = nil, bearer: String? = nil,
        method: HTTPMethod = .POST, timeout: TimeAmount = .seconds(60)
    ) async throws -> Reply {
        var request = HTTPClientRequest(url: url)
        if let bearer { request.headers.add(name: "Authorization", value: "Bearer \(bearer)") }
        if let json {
            request.method = method
            request.body = .bytes(ByteBuffer(bytes: try json.encoded))
        }
        let response = try await client.execute(request, timeout: timeout)
        let body = try await response.body.collect(upTo: 1 << 24)
        return Reply(status: Int(response.status.code), json: try? JSONValue(body.readableBytesView))
    }

    static func signIn(_ client: HTTPClient, _ sandbox: String, _ account: String) async throws -> String {
        let reply = try await ask(
            client, "\(sandbox)/store/v1/devices",
            [
                "account": .string(account), "bundleId": .string(bundleID), "applicationVersion": "1.0",
                "deviceId": .string(UUID().uuidString),
            ])
        return try #require(reply["token"]?.text)
    }

    static func buy(
        _ client: HTTPClient, _ sandbox: String, _ product: String, token: String, key: String, quantity: Int64 = 1
    ) async throws -> Reply {
        try await ask(
            client, "\(sandbox)/store/v1/purchases",
            ["productId": .string(product), "quantity": .number(Double(quantity)), "idempotencyKey": .string(key)],
            bearer: token)
    }

    /// Runs a test with a client of its own.
    static func withClient<Value: Sendable>(
        _ body: @Sendable (HTTPClient) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(configuration: configuration)
        do {
            let value = try await body(client)
            try await client.shutdown()
            return value
        } catch {
            try await client.shutdown()
            throw error
        }
    }
}
