import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import OutboundHTTP

/// HTTP through async-http-client. All connections of a process share one client, as the operating system's would.
package struct AsyncHTTPTransport: Transport {
    /// How long a server may take.
    package struct Limits: Sendable {
        /// For a request and its whole answer, or the head of one that is streamed, as a device on a poor network would
        /// have it.
        package var answer = TimeAmount.seconds(30)
        /// How long the next ``leastProgress`` of a streamed body may be waited for.
        package var progress = Duration.seconds(60)
        /// In bytes.
        package var leastProgress = 4_096

        package init() {}
    }

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

    private let limits: Limits

    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    package func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
        try await translating(call.url) {
            try await Self.client.exchange(request(call), deadline: .now() + limits.answer) { response in
                let body = try await response.body.collect(upTo: maximumBytes)
                return HTTPAnswer(
                    status: Int(response.status.code), headers: response.headers, body: Data(buffer: body))
            }
        }
    }

    package func stream(_ call: HTTPCall) async throws -> StreamedAnswer {
        let response = try await translating(call.url) {
            try await Self.client.exchange(request(call), deadline: .now() + limits.answer) { $0 }
        }
        // No deadline for the whole: a large file takes as long as it takes. Silence ends it, and too little progress.
        return StreamedAnswer(
            status: Int(response.status.code), headers: response.headers,
            body: TranslatedBody(body: response.body, url: call.url, limits: limits))
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

/// A body that throws our errors, also where it arrives too slowly.
private struct TranslatedBody: AsyncSequence, Sendable {
    let body: HTTPClientResponse.Body
    let url: URL
    let limits: AsyncHTTPTransport.Limits

    struct AsyncIterator: AsyncIteratorProtocol {
        var iterator: HTTPClientResponse.Body.AsyncIterator
        let url: URL
        let limits: AsyncHTTPTransport.Limits
        /// Since the last ``AsyncHTTPTransport/Limits/leastProgress``; the reader's own time doesn't count.
        private var waited = Duration.zero
        private var received = 0

        init(iterator: HTTPClientResponse.Body.AsyncIterator, url: URL, limits: AsyncHTTPTransport.Limits) {
            (self.iterator, self.url, self.limits) = (iterator, url, limits)
        }

        mutating func next() async throws -> ByteBuffer? {
            let begun = ContinuousClock.now
            do {
                // Silence of one piece is the client's to end.
                guard let piece = try await iterator.next() else { return nil }
                waited += begun.duration(to: .now)
                received += piece.readableBytes
                if received >= limits.leastProgress {
                    (waited, received) = (.zero, 0)
                } else if waited > limits.progress {
                    throw HTTPClientError.readTimeout
                }
                return piece
            } catch {
                throw translated(error, url: url)
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: body.makeAsyncIterator(), url: url, limits: limits)
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
