import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import OutboundHTTP
import PerennialDelivery
import PerennialHTTP

/// Speaks control/v1 to a running store (docs/protocols/control.md).
struct StoreClient: Sendable {
    /// For one request and its whole answer.
    static let timeout = TimeAmount.seconds(30)
    /// A clock that is advanced answers when all that fell due on the way is done.
    static let advanceTimeout = TimeAmount.minutes(30)
    private static let maximumAnswerBytes = VerifyReceiptAnswer.maximumBodySize

    var endpoint: StoreEndpoint
    private let http: HTTPClient

    /// Lends a client for as long as a body runs.
    static func withClient<Value>(
        of endpoint: StoreEndpoint, _ body: (StoreClient) async throws -> Value
    ) async throws -> Value {
        let http = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: VerifyReceiptClient.clientConfiguration)
        do {
            let value = try await body(StoreClient(endpoint: endpoint, http: http))
            try await http.shutdown()
            return value
        } catch {
            // What went wrong first is what is told.
            try? await http.shutdown()
            throw error
        }
    }

    /// The same client of another environment.
    func at(_ environment: EnvironmentName) -> StoreClient {
        var other = self
        other.endpoint.environment = environment
        return other
    }

    /// - Throws: ``StoreClientError``.
    func get<Value: Decodable>(_ path: String) async throws -> StoreAnswer<Value> {
        try StoreAnswer(try await send(.GET, path, body: nil, Self.timeout), from: endpoint)
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

    /// - Throws: ``StoreClientError``.
    func delete<Value: Decodable>(_ path: String) async throws -> StoreAnswer<Value> {
        try StoreAnswer(try await send(.DELETE, path, body: nil, Self.timeout), from: endpoint)
    }

    /// For what is answered by nothing but success.
    ///
    /// - Throws: ``StoreClientError``.
    func delete(_ path: String) async throws {
        _ = try await send(.DELETE, path, body: nil, Self.timeout)
    }

    /// For what is answered by nothing but success.
    ///
    /// - Throws: ``StoreClientError``.
    func post(_ path: String) async throws {
        _ = try await send(.POST, path, body: nil, Self.timeout)
    }

    private func send(
        _ method: HTTPMethod, _ path: String, body: Data?, _ timeout: TimeAmount
    ) async throws -> [UInt8] {
        var request = HTTPClientRequest(url: "\(endpoint.base)/\(path)")
        request.method = method
        if let token = endpoint.token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let (status, answer) = try await exchange(request, timeout)
        guard (200..<300).contains(status) else {
            throw StoreClientError(status: status, answer: answer, from: endpoint.base)
        }
        return answer
    }

    private func exchange(
        _ request: HTTPClientRequest, _ timeout: TimeAmount
    ) async throws -> (status: Int, answer: [UInt8]) {
        do {
            return try await http.exchange(request, deadline: .now() + timeout) { response in
                let answer = try await response.body.collect(upTo: Self.maximumAnswerBytes)
                return (Int(response.status.code), Array(answer.readableBytesView))
            }
        } catch let error as CancellationError {
            throw error
        } catch is NIOTooManyBytesError {
            throw StoreClientError(
                .notUnderstood, endpoint.url, "the answer is longer than \(Self.maximumAnswerBytes) bytes")
        } catch let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout {
            throw StoreClientError(
                .timedOut, endpoint.url,
                "no answer within \(timeout.nanoseconds / 1_000_000_000) seconds; it may be done all the same")
        } catch {
            // The reasons of sockets are many lines long, and the way out of them is the same.
            throw StoreClientError(
                .unreachable, endpoint.url,
                "no store answers there: start one with perennial serve, or say where it is with --url")
        }
    }
}

/// What a store answered: understood, and as it came.
struct StoreAnswer<Value: Decodable> {
    let value: Value
    let json: [UInt8]

    init(_ json: [UInt8], from endpoint: StoreEndpoint) throws {
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(json)) else {
            throw StoreClientError(.notUnderstood, endpoint.base, "the answer is not what a Perennial store says")
        }
        (self.value, self.json) = (value, json)
    }

    func report(isGood: Bool = true, _ words: (Value) throws -> String) rethrows -> Report {
        Report(words: try words(value), json: json, isGood: isGood)
    }
}
