import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// HTTP through async-http-client. All connections of a process share one client, as the operating system's would.
package struct AsyncHTTPTransport: Transport {
    /// The longest wait for an answer, as a device on a poor network would have it.
    package static let answerTimeout = TimeAmount.seconds(30)
    /// The longest silence within an answer.
    package static let silenceTimeout = TimeAmount.seconds(30)

    /// Never shut down: it lives as long as the process, on the shared event loops.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: HTTPClient.Configuration.Timeout(connect: .seconds(10), read: silenceTimeout))
        // We retry ourselves, with a bound.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }()

    package init() {}

    package func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
        try await translating(call.url) {
            let response = try await Self.client.execute(request(call), timeout: Self.answerTimeout)
            let body = try await response.body.collect(upTo: maximumBytes)
            return HTTPAnswer(status: Int(response.status.code), headers: response.headers, body: Data(buffer: body))
        }
    }

    package func stream(_ call: HTTPCall) async throws -> StreamedAnswer {
        let response = try await translating(call.url) {
            // No deadline for the whole: a large file takes as long as it takes. Silence ends it.
            try await Self.client.execute(request(call), deadline: .distantFuture)
        }
        return StreamedAnswer(
            status: Int(response.status.code), headers: response.headers,
            body: TranslatedBody(body: response.body, url: call.url))
    }

    private func request(_ call: HTTPCall) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: call.url.absoluteString)
        request.method = call.method
        request.headers = call.headers
        if let body = call.body { request.body = .bytes(ByteBuffer(data: body)) }
        return request
    }

    private func translating<Value>(_ url: URL, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            throw translated(error, url: url)
        }
    }
}

/// A body that throws our errors.
private struct TranslatedBody: AsyncSequence, Sendable {
    let body: HTTPClientResponse.Body
    let url: URL

    struct AsyncIterator: AsyncIteratorProtocol {
        var iterator: HTTPClientResponse.Body.AsyncIterator
        let url: URL

        mutating func next() async throws -> ByteBuffer? {
            do {
                return try await iterator.next()
            } catch {
                throw translated(error, url: url)
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: body.makeAsyncIterator(), url: url)
    }
}

private func translated(_ error: any Error, url: URL) -> any Error {
    switch error {
    case is CancellationError: return error
    case is NIOTooManyBytesError: return TransportError(.answerTooLarge, url: url, reason: "the answer is too large")
    case let error as HTTPClientError where error == .cancelled: return CancellationError()
    case let error as HTTPClientError where [.connectTimeout, .readTimeout, .deadlineExceeded].contains(error):
        return TransportError(.timedOut, url: url, reason: "no answer in time")
    default: return TransportError(.noConnection, url: url, reason: String(describing: error))
    }
}
