import AppStoreFormats
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import OutboundHTTP
import PerennialStore

/// Posts server notifications over HTTP, and classifies the outcome.
package struct NotificationClient: NotificationSender {
    /// The `User-Agent`. Apple's is not documented; a receiver may tell ours from Apple's by it.
    package static let userAgent = "Perennial-Notifications/2.0"
    /// The most that is read of an answer's body, to see it end. Its beginning is kept, and means nothing.
    private static let maximumAnswerBytes = 65_536

    /// Shorter than receivers keep an idle connection (Node's servers: 5 seconds). A notification that is sent while the
    /// receiver closes is lost, and in Sandbox there is no second attempt.
    private static let idleTimeout = TimeAmount.seconds(4)

    /// The configuration of a client for notifications: redirects are followed here, since a POST stays one, and an
    /// attempt that fails to connect has failed.
    package static var clientConfiguration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 32
        configuration.connectionPool.idleTimeout = idleTimeout
        configuration.httpVersion = .http1Only
        configuration.tlsConfiguration = .outbound
        return configuration
    }

    private let client: HTTPClient
    private let elsewhere: RestrictedClient?

    /// - Parameters:
    ///   - client: Made with ``clientConfiguration``, and shut down by its maker.
    ///   - elsewhere: Follows redirects to other servers than the one that the operator has named; `client` where left out.
    package init(client: HTTPClient, elsewhere: RestrictedClient? = nil) {
        self.client = client
        self.elsewhere = elsewhere
    }

    package func post(_ body: [UInt8], to url: String, timeout: Int64) async -> NotificationOutcome {
        let deadline = NIODeadline.now() + .milliseconds(timeout)
        var trail = RedirectTrail()
        var target = url
        while true {
            switch await exchange(body, target, deadline, isElsewhere: !Self.isSameServer(target, url)) {
            case .outcome(let outcome): return outcome
            case .redirect(let status, let location):
                switch trail.follow(location, from: target) {
                case .next(let next): target = next
                case .noURL: return NotificationOutcome(.invalidResponse, httpStatus: status)
                case .circular: return NotificationOutcome(.circularRedirect, httpStatus: status)
                }
            }
        }
    }

    private static func isSameServer(_ one: String, _ other: String) -> Bool {
        guard one != other else { return true }
        guard let one = URL(string: one), let other = URL(string: other) else { return false }
        return one.scheme == other.scheme && one.host == other.host && one.port == other.port
    }

    private enum Answer: Sendable {
        case outcome(NotificationOutcome)
        case redirect(status: Int, location: String)
    }

    private func exchange(
        _ body: [UInt8], _ url: String, _ deadline: NIODeadline, isElsewhere: Bool
    ) async -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json; charset=UTF-8")
        request.headers.add(name: "User-Agent", value: Self.userAgent)
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            if isElsewhere, let elsewhere {
                return try await elsewhere.exchange(request, deadline: deadline, read: Self.read)
            }
            return try await client.exchange(request, deadline: deadline, read: Self.read)
        } catch {
            return .outcome(NotificationOutcome(SendFailure.result(of: error, hasAnswered: false)))
        }
    }

    @Sendable private static func read(_ response: HTTPClientResponse) async -> Answer {
        let status = Int(response.status.code)
        if let location = RedirectTrail.location(response) { return .redirect(status: status, location: location) }
        var beginning = ReceiverResponse(statusLine: "\(response.version) \(response.status)")
        let result: SendAttemptResult
        do {
            try await drain(response.body, into: &beginning)
            if AnswerCharset.isKnown(in: response.headers.first(name: "Content-Type")) {
                result = (200...206).contains(status) ? .success : .unsuccessfulHTTPResponseCode
            } else {
                result = .unsupportedCharset
            }
        } catch {
            result = SendFailure.result(of: error, hasAnswered: true)
        }
        return .outcome(NotificationOutcome(result, httpStatus: status, response: beginning.kept(result)))
    }

    /// Reads an answer to its end, or until there is no point in reading on.
    private static func drain(
        _ body: HTTPClientResponse.Body, into beginning: inout ReceiverResponse
    ) async throws {
        var count = 0
        for try await part in body {
            beginning.append(part.readableBytesView)
            count += part.readableBytes
            if count > maximumAnswerBytes { return }
        }
    }
}

extension TLSConfiguration {
    /// TLS 1.2 and above, as the App Store asks of its receivers.
    static var outbound: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        return configuration
    }
}
