import AsyncHTTPClient
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import Synchronization

/// Stands between two parties, hands everything on, and writes down what passed. On demand it is a bad network.
final class Middleman: Sendable {
    /// A request and what became of it.
    struct Passage: Sendable {
        var path: String
        /// The request's `Range`.
        var range: String?
        var httpStatus: Int
        /// verifyReceipt's own.
        var receiptStatus: Int?
        /// Bytes of a file that were handed on before the connection was cut.
        var cutAfter: Int?
    }

    /// What happens to the next content file.
    enum Mishap: Sendable {
        /// The connection breaks after so many bytes.
        case cut(afterBytes: Int)
        /// It isn't there.
        case notFound
    }

    private struct ConnectionCut: Error {}

    /// The largest message that is handed on as a whole: a receipt's, with room to spare.
    private static let maximumMessageBytes = 16 << 20
    private static let answerTimeout = TimeAmount.seconds(30)
    private static let lastPieceTime = Duration.milliseconds(100)

    private let target: String
    private let written = Mutex<[Passage]>([])
    private let mishap = Mutex<Mishap?>(nil)

    private init(target: String) {
        self.target = target
    }

    /// Starts on a free port.
    ///
    /// - Returns: The middleman and its URL.
    static func start(before target: String, _ leftovers: Leftovers) async throws -> (middleman: Middleman, url: String)
    {
        let middleman = Middleman(target: target)
        let (ports, announce) = AsyncStream<Int>.makeStream()
        var logger = Logger(label: "perennial.demo")
        logger.logLevel = .critical
        let application = Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in try await middleman.handOn(request) },
            configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { channel in announce.yield(channel.localAddress?.port ?? 0) }, logger: logger)
        let serving = Task {
            defer { announce.finish() }
            try await application.runService(gracefulShutdownSignals: [])
        }
        leftovers.add { serving.cancel() }
        for await port in ports { return (middleman, "http://127.0.0.1:\(port)") }
        throw CommandError("no port to listen on")
    }

    // MARK: The story's wishes

    /// How much has passed so far.
    var mark: Int { written.withLock { $0.count } }

    func passages(since mark: Int) -> [Passage] {
        written.withLock { Array($0.dropFirst(mark)) }
    }

    func next(_ mishap: Mishap) {
        self.mishap.withLock { $0 = mishap }
    }

    // MARK: Handing on

    private func handOn(_ request: Request) async throws -> Response {
        let path = request.uri.path
        let isContent = path.contains("/content/")
        var passage = Passage(path: path, range: request.headers[.range], httpStatus: 0)
        let mishap = isContent ? takeMishap() : nil
        if case .notFound = mishap {
            passage.httpStatus = 404
            note(passage)
            return Response(status: .notFound)
        }
        let answer = try await HTTPClient.shared.execute(outgoing(request), timeout: Self.answerTimeout)
        passage.httpStatus = Int(answer.status.code)
        guard isContent else {
            let body = try await answer.body.collect(upTo: Self.maximumMessageBytes)
            passage.receiptStatus = path.hasSuffix("verifyReceipt") ? ReceiptAnswer(body)?.status : nil
            note(passage)
            return Response(status: status(of: answer), headers: fields(of: answer), body: .init(byteBuffer: body))
        }
        var limit: Int?
        if case .cut(let bytes) = mishap { limit = bytes }
        passage.cutAfter = limit
        note(passage)
        let length = answer.headers.first(name: "Content-Length").flatMap { Int($0) }
        return Response(
            status: status(of: answer), headers: fields(of: answer),
            body: ResponseBody(contentLength: length) { [limit] writer in
                var passed = 0
                for try await piece in answer.body {
                    passed += piece.readableBytes
                    try await writer.write(piece)
                    guard let limit, passed >= limit else { continue }
                    // What was handed on arrives, as it does where a network breaks; then nothing more does.
                    try await Task.sleep(for: Self.lastPieceTime)
                    throw ConnectionCut()
                }
                try await writer.finish(nil)
            })
    }

    private func takeMishap() -> Mishap? {
        mishap.withLock { mishap in
            defer { mishap = nil }
            return mishap
        }
    }

    private func note(_ passage: Passage) {
        written.withLock { $0.append(passage) }
    }

    private func outgoing(_ request: Request) async throws -> HTTPClientRequest {
        var outgoing = HTTPClientRequest(url: target + request.uri.string)
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headers where ![.connection, .contentLength, .transferEncoding].contains(field.name) {
            outgoing.headers.add(name: field.name.canonicalName, value: field.value)
        }
        let body = try await request.body.collect(upTo: Self.maximumMessageBytes)
        if body.readableBytes > 0 { outgoing.body = .bytes(body) }
        return outgoing
    }

    private func status(of answer: HTTPClientResponse) -> HTTPResponse.Status {
        HTTPResponse.Status(code: Int(answer.status.code))
    }

    private func fields(of answer: HTTPClientResponse) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in answer.headers {
            guard let name = HTTPField.Name(name), ![.connection, .contentLength, .transferEncoding].contains(name)
            else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }
}
