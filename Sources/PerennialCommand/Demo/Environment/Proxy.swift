import AsyncHTTPClient
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Synchronization

/// Forwards requests between two parties and records each exchange; injects network faults on demand.
final class Proxy: Sendable {
    /// A request and its response.
    struct Exchange: Sendable {
        var path: String
        /// The request's `Range`.
        var range: String?
        var httpStatus: Int
        /// verifyReceipt's own.
        var receiptStatus: Int?
        /// The bytes of a file that were forwarded before the connection was cut.
        var cutAfter: Int?
    }

    /// A fault of the next content download.
    enum Fault: Sendable {
        /// The connection breaks after so many bytes.
        case cut(afterBytes: Int)
        /// The server answers 404.
        case notFound
    }

    private struct ConnectionCut: Error {}

    /// The largest message that is forwarded as a whole: a receipt, with room to spare.
    private static let maximumMessageBytes = 16 << 20
    private static let answerTimeout = TimeAmount.seconds(30)
    private static let lastPieceTime = Duration.milliseconds(100)

    private let target: String
    private let written = Mutex<[Exchange]>([])
    private let fault = Mutex<Fault?>(nil)

    private init(target: String) {
        self.target = target
    }

    /// Starts on a free port.
    ///
    /// - Returns: The proxy and its URL.
    static func start(before target: String, _ cleanup: Cleanup) async throws -> (proxy: Proxy, url: String) {
        let proxy = Proxy(target: target)
        let port = await BackgroundServer.start(at: "127.0.0.1", label: "perennial.demo", cleanup) {
            try await proxy.forward($0)
        }
        if let port { return (proxy, "http://127.0.0.1:\(port)") }
        throw CommandError("no port to listen on")
    }

    // MARK: Records and faults

    /// The number of exchanges so far.
    var mark: Int { written.withLock { $0.count } }

    func exchanges(since mark: Int) -> [Exchange] {
        written.withLock { Array($0.dropFirst(mark)) }
    }

    func next(_ fault: Fault) {
        self.fault.withLock { $0 = fault }
    }

    // MARK: Forwarding

    private func forward(_ request: Request) async throws -> Response {
        let path = request.uri.path
        let isContent = path.contains("/content/")
        var exchange = Exchange(path: path, range: request.headers[.range], httpStatus: 0)
        let fault = isContent ? takeFault() : nil
        if case .notFound = fault {
            exchange.httpStatus = 404
            record(exchange)
            return Response(status: .notFound)
        }
        let answer = try await HTTPClient.shared.execute(outgoing(request), timeout: Self.answerTimeout)
        exchange.httpStatus = Int(answer.status.code)
        guard isContent else {
            let body = try await answer.body.collect(upTo: Self.maximumMessageBytes)
            exchange.receiptStatus = path.hasSuffix("verifyReceipt") ? ReceiptAnswer(body)?.status : nil
            record(exchange)
            return Response(status: status(of: answer), headers: fields(of: answer), body: .init(byteBuffer: body))
        }
        var limit: Int?
        if case .cut(let bytes) = fault { limit = bytes }
        exchange.cutAfter = limit
        record(exchange)
        let length = answer.headers.first(name: "Content-Length").flatMap { Int($0) }
        return Response(
            status: status(of: answer), headers: fields(of: answer),
            body: ResponseBody(contentLength: length) { [limit] writer in
                var passed = 0
                for try await piece in answer.body {
                    passed += piece.readableBytes
                    try await writer.write(piece)
                    guard let limit, passed >= limit else { continue }
                    // The bytes so far arrive, as they do when a network breaks; nothing follows.
                    try await Task.sleep(for: Self.lastPieceTime)
                    throw ConnectionCut()
                }
                try await writer.finish(nil)
            })
    }

    private func takeFault() -> Fault? {
        fault.withLock { fault in
            defer { fault = nil }
            return fault
        }
    }

    private func record(_ exchange: Exchange) {
        written.withLock { $0.append(exchange) }
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
