import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import OutboundHTTP
import PerennialSimulation

/// The nodes of a store over HTTP, for an exercise.
struct HTTPTransport: ExerciseTransport {
    private static let maximumAnswerBytes = 16 << 20
    /// Times the limit for a request that may take long.
    private static let longFactor: Int64 = 6

    let endpoints: [StoreEndpoint]
    let timeout: TimeAmount
    private let client: HTTPClient

    var nodes: [String] { endpoints.map(\.url) }

    /// Runs a body with a client of its own, and shuts the client down.
    ///
    /// - Parameter timeout: The limit for an answer in milliseconds.
    static func withTransport<Value: Sendable>(
        to endpoints: [StoreEndpoint], timeout: Int, _ body: (HTTPTransport) async throws -> Value
    ) async throws -> Value {
        var configuration = try StoreClient.configuration(endpoints[0])
        // A node that is cut off must not make the others' requests wait.
        configuration.timeout.connect = .milliseconds(Int64(timeout))
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 512
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let value = try await body(
                HTTPTransport(endpoints: endpoints, timeout: .milliseconds(Int64(timeout)), client: client))
            try await client.shutdown()
            return value
        } catch {
            // The first error is the one to report.
            try? await client.shutdown()
            throw error
        }
    }

    func send(_ request: ExerciseRequest) async -> ExerciseReply {
        let endpoint = endpoints[request.node % endpoints.count]
        let environment = request.environment.flatMap(EnvironmentName.init(argument:))?.path ?? ""
        var message = HTTPClientRequest(url: "\(endpoint.url)\(environment)/\(request.path)")
        message.method = HTTPMethod(rawValue: request.method)
        switch request.caller {
        case .control: endpoint.token.map { message.headers.add(name: "Authorization", value: "Bearer \($0)") }
        case .device(let token): message.headers.add(name: "Authorization", value: "Bearer \(token)")
        case .unknown: break
        }
        if let body = request.body {
            message.headers.add(name: "Content-Type", value: "application/json")
            message.body = .bytes(ByteBuffer(bytes: body))
        }
        let limit = request.isLong ? timeout * Self.longFactor : timeout
        do {
            return try await client.exchange(message, deadline: .now() + limit) { response in
                let body = try await response.body.collect(upTo: Self.maximumAnswerBytes)
                if response.status == .serviceUnavailable, response.headers.contains(name: "Retry-After") {
                    return .unavailable
                }
                return .answer(status: Int(response.status.code), body: Array(body.readableBytesView))
            }
        } catch let error as HTTPClientError {
            return .lost(reason: error.shortDescription)
        } catch is CancellationError {
            return .lost(reason: "cancelled")
        } catch {
            // The errors of sockets are many lines long.
            return .lost(reason: "connection failed")
        }
    }
}
