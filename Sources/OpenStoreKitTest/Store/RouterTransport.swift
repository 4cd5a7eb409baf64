import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOFoundationCompat
import OpenStoreKit
import PerennialHTTP
import Synchronization

/// Sends requests of a client to the routes of a store in the same process, without a socket.
final class RouterTransport: Transport {
    private let responder: any HTTPResponder<BasicConnectionContext>
    private let channels: InProcessChannels
    private let logger: Logger
    let inProcess: (any InProcessStore)?

    init(
        _ responder: any HTTPResponder<BasicConnectionContext>, _ channels: InProcessChannels, logger: Logger,
        inProcess: (any InProcessStore)? = nil
    ) {
        self.inProcess = inProcess
        self.responder = responder
        self.channels = channels
        self.logger = logger
    }

    func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
        let answer = try await respond(to: call)
        guard answer.body.readableBytes <= maximumBytes else {
            throw TransportError(.answerTooLarge, url: call.url, reason: "the answer is too large")
        }
        return HTTPAnswer(
            status: answer.status, headers: answer.headers, body: Data(buffer: answer.body))
    }

    func stream(_ call: HTTPCall) async throws -> StreamedAnswer {
        let answer = try await respond(to: call)
        let body = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data(buffer: answer.body))
            continuation.finish()
        }
        return StreamedAnswer(status: answer.status, headers: answer.headers, body: body)
    }

    private struct Answer {
        var status: Int
        var headers: HTTPFields
        var body: ByteBuffer
    }

    private func respond(to call: HTTPCall) async throws -> Answer {
        do {
            let channel = channels.take()
            defer { channels.put(channel) }
            let context = BasicConnectionContext(source: .init(channel: channel, logger: logger))
            let response = try await responder.respond(to: request(call), context: context)
            let body = CollectedBody()
            try await response.body.write(body)
            return Answer(status: Int(response.status.code), headers: response.headers, body: body.bytes)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw TransportError(.noConnection, url: call.url, reason: "\(error)")
        }
    }

    private func request(_ call: HTTPCall) -> Request {
        let parts = URLComponents(url: call.url, resolvingAgainstBaseURL: true)
        var path = parts?.percentEncodedPath ?? "/"
        if let query = parts?.percentEncodedQuery { path += "?\(query)" }
        var head = HTTPRequest(
            method: call.method, scheme: "http", authority: parts?.host ?? "session", path: path,
            headerFields: call.headers)
        if let body = call.body { head.headerFields[.contentLength] = String(body.count) }
        let buffer = call.body.map { ByteBuffer(data: $0) } ?? ByteBuffer()
        return Request(head: head, body: RequestBody(buffer: buffer))
    }
}

/// Channels for requests, one for each at a time.
final class InProcessChannels: Sendable {
    private let free = Mutex<[InProcessChannel]>([])

    func take() -> InProcessChannel {
        free.withLock { $0.popLast() }
            ?? InProcessChannel(eventLoop: EventLoopGroupProvider.singleton.eventLoopGroup.any())
    }

    func put(_ channel: InProcessChannel) {
        free.withLock { $0.append(channel) }
    }
}

/// Collects the body of a response.
private final class CollectedBody: ResponseBodyWriter {
    private(set) var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws {
        if bytes.readableBytes == 0 {
            bytes = buffer
        } else {
            bytes.writeImmutableBuffer(buffer)
        }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
