#if AsyncHTTPClient
    import AsyncHTTPClient
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOFoundationCompat
    import NIOHTTP1
    import OutboundHTTP

    /// A transport over async-http-client. All connections of a process share one client.
    package struct AsyncHTTPTransport: Transport {
        /// Time limits of answers.
        package struct Limits: Sendable {
            /// Limit for a whole exchange, or up to the head of a streamed answer.
            package var answer = TimeAmount.seconds(30)
            /// Limit for each ``leastProgress`` bytes of a streamed body.
            package var progress = Duration.seconds(60)
            /// Bytes that a streamed body has to make within ``progress``.
            package var leastProgress = 4_096

            package init() {}
        }

        /// Limit for silence within an answer.
        package static let silenceTimeout = TimeAmount.seconds(30)

        /// Client on the shared event loops, which lives as long as the process.
        private static let client: HTTPClient = {
            var configuration = HTTPClient.Configuration(
                redirectConfiguration: .disallow,
                timeout: HTTPClient.Configuration.Timeout(connect: .seconds(10), read: silenceTimeout))
            // `RequestRetrier` retries.
            configuration.connectionPool.retryConnectionEstablishment = false
            return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
        }()

        private let limits: Limits

        package init(limits: Limits = Limits()) {
            self.limits = limits
        }

        package var isRemote: Bool { true }

        package func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
            try await translating(call.url) {
                try await Self.client.exchange(request(call), deadline: .now() + limits.answer) { response in
                    let body = try await response.body.collect(upTo: maximumBytes)
                    return HTTPAnswer(
                        status: Int(response.status.code), headers: HTTPFields(response.headers),
                        body: Data(buffer: body))
                }
            }
        }

        package func stream(_ call: HTTPCall) async throws -> StreamedAnswer {
            let response = try await translating(call.url) {
                try await Self.client.exchange(request(call), deadline: .now() + limits.answer) { $0 }
            }
            // No deadline for the whole body, which may be large. Silence and too little progress end it.
            return StreamedAnswer(
                status: Int(response.status.code), headers: HTTPFields(response.headers),
                body: TranslatedBody(body: response.body, url: call.url, limits: limits))
        }

        private func request(_ call: HTTPCall) -> HTTPClientRequest {
            var request = HTTPClientRequest(url: call.url.absoluteString)
            request.method = HTTPMethod(rawValue: call.method.rawValue)
            for field in call.headers { request.headers.add(name: field.name.rawName, value: field.value) }
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

    /// A body that throws ``TransportError``, also if it is too slow.
    private struct TranslatedBody: AsyncSequence, Sendable {
        let body: HTTPClientResponse.Body
        let url: URL
        let limits: AsyncHTTPTransport.Limits

        struct AsyncIterator: AsyncIteratorProtocol {
            var iterator: HTTPClientResponse.Body.AsyncIterator
            let url: URL
            let limits: AsyncHTTPTransport.Limits
            /// Time waited since the last ``AsyncHTTPTransport/Limits/leastProgress`` bytes, without the reader's own time.
            private var waited = Duration.zero
            private var received = 0

            init(iterator: HTTPClientResponse.Body.AsyncIterator, url: URL, limits: AsyncHTTPTransport.Limits) {
                (self.iterator, self.url, self.limits) = (iterator, url, limits)
            }

            mutating func next() async throws -> Data? {
                let begun = ContinuousClock.now
                do {
                    // The client's read timeout ends silence.
                    guard let piece = try await iterator.next() else { return nil }
                    waited += begun.duration(to: .now)
                    received += piece.readableBytes
                    if received >= limits.leastProgress {
                        (waited, received) = (.zero, 0)
                    } else if waited > limits.progress {
                        throw HTTPClientError.readTimeout
                    }
                    return Data(buffer: piece)
                } catch {
                    throw translated(error, url: url)
                }
            }
        }

        func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(iterator: body.makeAsyncIterator(), url: url, limits: limits)
        }
    }

    extension HTTPFields {
        /// Takes the fields over, without those whose names aren't tokens (RFC 9110, 5.1).
        fileprivate init(_ headers: HTTPHeaders) {
            self.init()
            reserveCapacity(headers.count)
            for (name, value) in headers {
                guard let name = HTTPField.Name(name) else { continue }
                append(HTTPField(name: name, value: value))
            }
        }
    }

    private func translated(_ error: any Error, url: URL) -> any Error {
        switch error {
        case is CancellationError: return error
        case is NIOTooManyBytesError:
            return TransportError(.answerTooLarge, url: url, reason: "the answer is too large")
        case let error as HTTPClientError where error == .cancelled: return CancellationError()
        case let error as HTTPClientError where [.connectTimeout, .readTimeout, .deadlineExceeded].contains(error):
            return TransportError(.timedOut, url: url, reason: "no answer in time")
        default: return TransportError(.noConnection, url: url, reason: String(describing: error))
        }
    }
#endif
