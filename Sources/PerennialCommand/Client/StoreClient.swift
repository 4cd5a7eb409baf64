import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOSSL
import OutboundHTTP
import PerennialDelivery
import PerennialHTTP

/// A client of a running store's control/v1 (docs/reference/control.md).
struct StoreClient: Sendable {
    /// The limit for a request and its whole answer.
    static let timeout = TimeAmount.seconds(30)
    /// The limit for an advance of a clock, which answers when all the work that fell due is done.
    static let advanceTimeout = TimeAmount.minutes(30)
    private static let maximumAnswerBytes = VerifyReceiptAnswer.maximumBodySize

    var endpoint: StoreEndpoint
    private let http: HTTPClient

    /// Runs a body with a client, and shuts the client down.
    static func withClient<Value>(
        of endpoint: StoreEndpoint, _ body: (StoreClient) async throws -> Value
    ) async throws -> Value {
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: try configuration(endpoint))
        do {
            let value = try await body(StoreClient(endpoint: endpoint, http: http))
            try await http.shutdown()
            return value
        } catch {
            // The first error is the one to report.
            try? await http.shutdown()
            throw error
        }
    }

    /// Trusts the store's root certificate over TLS, besides those of the system.
    static func configuration(_ endpoint: StoreEndpoint) throws -> HTTPClient.Configuration {
        var configuration = VerifyReceiptClient.clientConfiguration
        guard endpoint.url.lowercased().hasPrefix("https:"), let root = endpoint.rootCertificate else {
            return configuration
        }
        do {
            let certificate = try NIOSSLCertificate.fromDERFile(root)
            configuration.tlsConfiguration?.additionalTrustRoots.append(.certificates([certificate]))
        } catch {
            throw StoreClientError(.notReady, root, "the store's root certificate can't be read")
        }
        return configuration
    }

    /// The same client of another environment.
    func at(_ environment: EnvironmentName) -> StoreClient {
        var other = self
        other.endpoint.environment = environment
        return other
    }

    /// - Throws: ``StoreClientError``.
    func get<Value: Decodable>(
        _ path: String, timeout: TimeAmount = Self.timeout
    ) async throws -> StoreAnswer<Value> {
        try StoreAnswer(try await send(.GET, path, body: nil, timeout), from: endpoint)
    }

    /// Passes on the parts of an answer of any length.
    ///
    /// - Throws: ``StoreClientError``.
    func stream(
        _ path: String, timeout: TimeAmount, _ write: @escaping @Sendable (ByteBuffer) throws -> Void
    ) async throws {
        var request = HTTPClientRequest(url: "\(endpoint.base)/\(path)")
        if let token = endpoint.token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        let base = endpoint.base
        _ = try await exchange(request, timeout) { response in
            guard (200..<300).contains(response.status.code) else {
                let answer = try await response.body.collect(upTo: Self.maximumAnswerBytes)
                throw StoreClientError(
                    status: Int(response.status.code), answer: Array(answer.readableBytesView), from: base)
            }
            for try await part in response.body { try write(part) }
        }
    }

    /// - Throws: ``StoreClientError``.
    func post<Value: Decodable>(
        _ path: String, _ body: some Encodable, timeout: TimeAmount = Self.timeout
    ) async throws -> StoreAnswer<Value> {
        try StoreAnswer(
            try await send(.POST, path, body: JSONEncoder().encode(body), timeout), from: endpoint)
    }

    /// - Throws: ``StoreClientError``.
    func put<Value: Decodable>(_ path: String, _ body: some Encodable) async throws -> StoreAnswer<Value> {
        try StoreAnswer(
            try await send(.PUT, path, body: JSONEncoder().encode(body), Self.timeout), from: endpoint)
    }

    /// Puts something; the answer has no body.
    ///
    /// - Throws: ``StoreClientError``.
    func put(_ path: String, _ body: some Encodable) async throws {
        _ = try await send(.PUT, path, body: JSONEncoder().encode(body), Self.timeout)
    }

    /// Sends a file as it is.
    ///
    /// - Throws: ``StoreClientError``.
    func upload<Value: Decodable>(_ path: String, _ file: Data) async throws -> StoreAnswer<Value> {
        try StoreAnswer(
            try await send(.PUT, path, body: file, .minutes(30), type: "application/octet-stream"), from: endpoint)
    }

    /// - Throws: ``StoreClientError``.
    func delete<Value: Decodable>(_ path: String) async throws -> StoreAnswer<Value> {
        try StoreAnswer(try await send(.DELETE, path, body: nil, Self.timeout), from: endpoint)
    }

    /// Deletes something; the answer has no body.
    ///
    /// - Throws: ``StoreClientError``.
    func delete(_ path: String) async throws {
        _ = try await send(.DELETE, path, body: nil, Self.timeout)
    }

    /// Posts without a body; the answer has none either.
    ///
    /// - Throws: ``StoreClientError``.
    func post(_ path: String) async throws {
        _ = try await send(.POST, path, body: nil, Self.timeout)
    }

    private func send(
        _ method: HTTPMethod, _ path: String, body: Data?, _ timeout: TimeAmount, type: String = "application/json"
    ) async throws -> [UInt8] {
        var request = HTTPClientRequest(url: "\(endpoint.base)/\(path)")
        request.method = method
        if let token = endpoint.token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        // The catalog's journal names the author of a change.
        let user = OperatingSystemUser.name
        if method != .GET, !user.isEmpty {
            request.headers.add(name: HTTPField.Name.perennialUser.rawName, value: user)
        }
        if let body {
            request.headers.add(name: "Content-Type", value: type)
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let (status, answer) = try await exchange(request, timeout) { response in
            let answer = try await response.body.collect(upTo: Self.maximumAnswerBytes)
            return (Int(response.status.code), Array(answer.readableBytesView))
        }
        guard (200..<300).contains(status) else {
            throw StoreClientError(status: status, answer: answer, from: endpoint.base)
        }
        return answer
    }

    private func exchange<Value: Sendable>(
        _ request: HTTPClientRequest, _ timeout: TimeAmount,
        _ read: @escaping @Sendable (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        do {
            return try await http.exchange(request, deadline: .now() + timeout, read: read)
        } catch let error as CancellationError {
            throw error
        } catch let error as StoreClientError {
            throw error
        } catch is NIOTooManyBytesError {
            throw StoreClientError(
                .notUnderstood, endpoint.url, "the answer is longer than \(Self.maximumAnswerBytes) bytes")
        } catch let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout {
            throw StoreClientError(
                .timedOut, endpoint.url,
                "no answer within \(timeout.nanoseconds / 1_000_000_000) seconds; it may be done all the same")
        } catch let error as NIOSSLError {
            throw StoreClientError(
                .unreachable, endpoint.url,
                "its certificate is not trusted: name the store's --ready-file, which has its root certificate (\(error))"
            )
        } catch {
            // The errors of sockets are many lines long, and the remedy is the same.
            throw StoreClientError(
                .unreachable, endpoint.url,
                "no store answers there: start one with perennial serve, or say where it is with --url")
        }
    }
}

/// A store's answer, decoded and as it came.
struct StoreAnswer<Value: Decodable> {
    let value: Value
    let json: [UInt8]

    init(_ json: [UInt8], from endpoint: StoreEndpoint) throws {
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(json)) else {
            throw StoreClientError(.notUnderstood, endpoint.base, "the answer is not what a Perennial store says")
        }
        (self.value, self.json) = (value, json)
    }

    func report(_ words: (Value) throws -> String) rethrows -> Report {
        Report(words: try words(value), json: json)
    }
}
