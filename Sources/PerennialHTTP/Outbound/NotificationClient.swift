import AppStoreFormats
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import PerennialStore

/// Posts server notifications over HTTP, and tells apart what can become of that.
package struct NotificationClient: NotificationSender {
    /// What Apple's calls itself is not documented; a receiver may tell ours from Apple's by it.
    package static let userAgent = "Perennial-Notifications/2.0"
    /// A receiver that moves on and on is taken for one that moves in a circle.
    private static let maximumRedirects = 5
    /// The body of an answer means nothing; so much of it is read to see it end.
    private static let maximumAnswerBytes = 65_536

    /// Less than what receivers keep an idle connection for (Node's servers 5 seconds): what is sent while the receiver closes is
    /// lost, and in Sandbox there is no second attempt.
    private static let idleTimeout = TimeAmount.seconds(4)

    /// How a client for this purpose is made: redirects are followed here, since a POST stays one, and an attempt that fails
    /// to connect has failed.
    package static var clientConfiguration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 32
        configuration.connectionPool.idleTimeout = idleTimeout
        configuration.httpVersion = .http1Only
        return configuration
    }

    private let client: HTTPClient

    /// - Parameter client: Made with ``clientConfiguration``, and shut down by whoever made it.
    package init(client: HTTPClient) {
        self.client = client
    }

    package func post(_ body: [UInt8], to url: String, timeout: Int64) async -> NotificationOutcome {
        let deadline = NIODeadline.now() + .milliseconds(timeout)
        var visited: Set<String> = []
        var target = url
        while true {
            switch await exchange(body, target, deadline) {
            case .outcome(let outcome): return outcome
            case .redirect(let status, let location):
                guard let next = URL(string: location, relativeTo: URL(string: target))?.absoluteString else {
                    return NotificationOutcome(.invalidResponse, httpStatus: status)
                }
                visited.insert(target)
                guard visited.count <= Self.maximumRedirects, !visited.contains(next) else {
                    return NotificationOutcome(.circularRedirect, httpStatus: status)
                }
                target = next
            }
        }
    }

    private enum Answer {
        case outcome(NotificationOutcome)
        case redirect(status: Int, location: String)
    }

    private func exchange(_ body: [UInt8], _ url: String, _ deadline: NIODeadline) async -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json; charset=UTF-8")
        request.headers.add(name: "User-Agent", value: Self.userAgent)
        request.body = .bytes(ByteBuffer(bytes: body))
        let response: HTTPClientResponse
        do {
            response = try await client.execute(request, deadline: deadline)
        } catch {
            return .outcome(NotificationOutcome(SendFailure.result(of: error, hasAnswered: false)))
        }
        let status = Int(response.status.code)
        if [301, 302, 307, 308].contains(status), let location = response.headers.first(name: "Location") {
            return .redirect(status: status, location: location)
        }
        do {
            try await drain(response.body)
        } catch {
            return .outcome(
                NotificationOutcome(SendFailure.result(of: error, hasAnswered: true), httpStatus: status))
        }
        guard AnswerCharset.isKnown(in: response.headers.first(name: "Content-Type")) else {
            return .outcome(NotificationOutcome(.unsupportedCharset, httpStatus: status))
        }
        let result: SendAttemptResult = (200...206).contains(status) ? .success : .unsuccessfulHTTPResponseCode
        return .outcome(NotificationOutcome(result, httpStatus: status))
    }

    /// Reads an answer to its end, or until there is no point in reading on.
    private func drain(_ body: HTTPClientResponse.Body) async throws {
        var count = 0
        for try await part in body {
            count += part.readableBytes
            if count > Self.maximumAnswerBytes { return }
        }
    }
}
