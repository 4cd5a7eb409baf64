import Foundation
import HTTPTypes
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport over Foundation's `URLSession`, for clients that are built without the trait `AsyncHTTPClient`: no further library is
/// compiled for it. All connections of a process share one session.
package struct FoundationTransport: Transport {
    /// Time limits of answers.
    package struct Limits: Sendable {
        /// Limit for a whole exchange, or up to the head of a streamed answer.
        package var answer = Duration.seconds(30)
        /// Limit for silence within an answer, in seconds.
        package var silence = 30.0
        /// Limit for each ``leastProgress`` bytes of a streamed body.
        package var progress = Duration.seconds(60)
        /// Bytes that a streamed body has to make within ``progress``.
        package var leastProgress = 4_096
        /// Bytes of a body that wait for their reader before the exchange pauses.
        package var buffer = 1 << 20

        package init() {}
    }

    private static let exchanges = SessionExchanges()

    private let limits: Limits

    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    package var isRemote: Bool { true }

    package func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
        let exchange = Self.exchanges.begin(request(call), buffer: maximumBytes)
        return try await within(limits.answer, exchange, call.url) {
            let head = try await exchange.head()
            var body = Data()
            while let piece = try await exchange.next() {
                guard body.count + piece.count <= maximumBytes else {
                    exchange.cancel()
                    throw TransportError(.answerTooLarge, url: call.url, reason: "the answer is too large")
                }
                body.append(piece)
            }
            return HTTPAnswer(status: head.status, headers: head.headers, body: body)
        }
    }

    package func stream(_ call: HTTPCall) async throws -> StreamedAnswer {
        let exchange = Self.exchanges.begin(request(call), buffer: limits.buffer)
        let head = try await within(limits.answer, exchange, call.url) { try await exchange.head() }
        return StreamedAnswer(
            status: head.status, headers: head.headers,
            body: FoundationBody(reader: BodyReader(exchange), url: call.url, limits: limits))
    }

    private func request(_ call: HTTPCall) -> URLRequest {
        var request = URLRequest(url: call.url, cachePolicy: .reloadIgnoringLocalCacheData)
        request.timeoutInterval = limits.silence
        request.httpMethod = call.method.rawValue
        for field in call.headers { request.addValue(field.value, forHTTPHeaderField: field.name.rawName) }
        request.httpBody = call.body
        return request
    }

    /// Runs a part of an exchange, which is cancelled at the limit or with its task.
    private func within<Value: Sendable>(
        _ limit: Duration, _ exchange: SessionExchange, _ url: URL, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let isLate = Mutex(false)
        do {
            return try await withThrowingTaskGroup(of: Value?.self) { tasks in
                tasks.addTask {
                    try await withTaskCancellationHandler {
                        try await body()
                    } onCancel: {
                        exchange.cancel()
                    }
                }
                tasks.addTask {
                    try await Task.sleep(for: limit)
                    return nil
                }
                defer { tasks.cancelAll() }
                if let value = try await tasks.next() ?? nil { return value }
                isLate.withLock { $0 = true }
                exchange.cancel()
                throw CancellationError()
            }
        } catch {
            if isLate.withLock({ $0 }) { throw TransportError(.timedOut, url: url, reason: "no answer in time") }
            try Task.checkCancellation()
            throw FoundationBody.translated(error, url: url)
        }
    }
}

/// Ends an exchange whose body has no reader any more.
private final class BodyReader: Sendable {
    let exchange: SessionExchange

    init(_ exchange: SessionExchange) {
        self.exchange = exchange
    }

    deinit { exchange.cancel() }
}

/// A body that throws ``TransportError``, also if it is too slow.
private struct FoundationBody: AsyncSequence, Sendable {
    let reader: BodyReader
    let url: URL
    let limits: FoundationTransport.Limits

    struct AsyncIterator: AsyncIteratorProtocol {
        let reader: BodyReader
        let url: URL
        let limits: FoundationTransport.Limits
        /// Time waited since the last ``FoundationTransport/Limits/leastProgress`` bytes, without the reader's own time.
        private var waited = Duration.zero
        private var received = 0

        init(reader: BodyReader, url: URL, limits: FoundationTransport.Limits) {
            (self.reader, self.url, self.limits) = (reader, url, limits)
        }

        mutating func next() async throws -> Data? {
            let begun = ContinuousClock.now
            let exchange = reader.exchange
            do {
                let piece = try await withTaskCancellationHandler {
                    try await exchange.next()
                } onCancel: {
                    exchange.cancel()
                }
                guard let piece else { return nil }
                waited += begun.duration(to: .now)
                received += piece.count
                if received >= limits.leastProgress {
                    (waited, received) = (.zero, 0)
                } else if waited > limits.progress {
                    exchange.cancel()
                    throw TransportError(.timedOut, url: url, reason: "no answer in time")
                }
                return piece
            } catch {
                try Task.checkCancellation()
                throw FoundationBody.translated(error, url: url)
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader, url: url, limits: limits) }

    static func translated(_ error: any Error, url: URL) -> any Error {
        switch error {
        case is CancellationError, is TransportError: return error
        case let error as URLError where error.code == .timedOut:
            return TransportError(.timedOut, url: url, reason: "no answer in time")
        default: return TransportError(.noConnection, url: url, reason: String(describing: error))
        }
    }
}
