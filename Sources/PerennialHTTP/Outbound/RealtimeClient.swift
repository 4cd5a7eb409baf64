import AppStoreFormats
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import PerennialStore

/// Asks sellers' servers for retention messages over HTTP.
package struct RealtimeClient: RealtimeEndpoint {
    private let client: @Sendable () -> RestrictedClient

    package init(client: RestrictedClient) {
        self.client = { client }
    }

    /// Reaches any address, and follows redirects as the client does.
    ///
    /// - Parameter client: Made at the first request. Its maker shuts it down; the process's own needs no shutdown.
    package init(client: @autoclosure @escaping @Sendable () -> HTTPClient = .shared) {
        self.client = { RestrictedClient(client: client(), addresses: .any) }
    }

    package func post(_ body: [UInt8], to url: String, within milliseconds: Int64) async -> RealtimeExchange {
        let begun = NIODeadline.now()
        let outcome = await outcome(body, url, deadline: begun + .milliseconds(milliseconds))
        return RealtimeExchange(outcome, milliseconds: (NIODeadline.now() - begun).nanoseconds / 1_000_000)
    }

    private func outcome(_ body: [UInt8], _ url: String, deadline: NIODeadline) async -> RealtimeExchange.Outcome {
        var trail = RedirectTrail()
        var target = url
        do {
            while true {
                let answer = try await client().exchange(Self.request(body, target), deadline: deadline) {
                    response -> Answer in
                    if let location = RedirectTrail.location(response) { return .redirect(location) }
                    let body = try await response.body.collect(upTo: RealtimeResponse.maximumBytes)
                    return .outcome(.answered(status: Int(response.status.code), body: Array(body.readableBytesView)))
                }
                switch answer {
                case .outcome(let outcome): return outcome
                case .redirect(let location):
                    switch trail.follow(location, from: target) {
                    case .next(let next): target = next
                    case .noURL: return .failed("INVALID_RESPONSE")
                    case .circular: return .failed("CIRCULAR_REDIRECT")
                    }
                }
            }
        } catch {
            return .failed(Self.word(for: error))
        }
    }

    private enum Answer: Sendable {
        case outcome(RealtimeExchange.Outcome)
        case redirect(String)
    }

    private static func request(_ body: [UInt8], _ url: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "Accept", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: body))
        return request
    }

    /// The word of App Store Server Notifications for an error (`sendAttemptResult`).
    private static func word(for error: any Error) -> String {
        switch error {
        case let error as HTTPClientError:
            switch error {
            case .deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout, .getConnectionFromPoolTimeout:
                "TIMED_OUT"
            case .tlsHandshakeTimeout: "TLS_ISSUE"
            case .redirectLimitReached, .redirectCycleDetected: "CIRCULAR_REDIRECT"
            case .remoteConnectionClosed: "PREMATURE_CLOSE"
            default: "OTHER"
            }
        case is NIOConnectionError, is HostResolver.UnknownHost: "NO_RESPONSE"
        case let error as IOError where [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode):
            "NO_RESPONSE"
        case ChannelError.connectTimeout: "TIMED_OUT"
        case is NIOTooManyBytesError, is HTTPParserError: "INVALID_RESPONSE"
        case is IOError, is ChannelError, is ForbiddenAddress: "SOCKET_ISSUE"
        default: "OTHER"
        }
    }
}
