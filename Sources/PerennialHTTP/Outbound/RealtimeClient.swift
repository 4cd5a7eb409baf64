import AppStoreFormats
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import PerennialStore

/// Asks sellers' servers for retention messages over HTTP.
package struct RealtimeClient: RealtimeEndpoint {
    private let client: HTTPClient

    /// - Parameter client: Shut down by whoever made it; the process's own needs none.
    package init(client: HTTPClient = .shared) {
        self.client = client
    }

    package func post(_ body: [UInt8], to url: String, within milliseconds: Int64) async -> RealtimeExchange {
        let begun = NIODeadline.now()
        let outcome = await outcome(body, url, deadline: begun + .milliseconds(milliseconds))
        return RealtimeExchange(outcome, milliseconds: (NIODeadline.now() - begun).nanoseconds / 1_000_000)
    }

    private func outcome(_ body: [UInt8], _ url: String, deadline: NIODeadline) async -> RealtimeExchange.Outcome {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "Accept", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            let response = try await client.execute(request, deadline: deadline)
            let answer = try await response.body.collect(upTo: RealtimeResponse.maximumBytes)
            return .answered(status: Int(response.status.code), body: Array(answer.readableBytesView))
        } catch {
            return .failed(Self.word(for: error))
        }
    }

    /// What App Store Server Notifications call it (`sendAttemptResult`).
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
        case is NIOConnectionError: "NO_RESPONSE"
        case let error as IOError where [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode):
            "NO_RESPONSE"
        case ChannelError.connectTimeout: "TIMED_OUT"
        case is NIOTooManyBytesError, is HTTPParserError: "INVALID_RESPONSE"
        case is IOError, is ChannelError: "SOCKET_ISSUE"
        default: "OTHER"
        }
    }
}
