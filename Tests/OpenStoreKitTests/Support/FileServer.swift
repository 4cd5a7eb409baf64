import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// The file of a ``FileServer``, and its scripted interruptions.
final class ServedFile: Sendable {
    struct State {
        var bytes: [UInt8]
        var etag = "\"v1\""
        /// Numbers of body bytes after which to close the connection, one for each request.
        var cuts: [Int] = []
        /// True to leave a connection open after its cut: the rest never comes.
        var stalls = false
        /// Statuses of the next answers.
        var statuses: [Int] = []
        var takesRanges = true
        var digest: String?
        /// The `Range` of each request.
        var ranges: [String?] = []
        /// Replaces the file after the next answer.
        var next: (bytes: [UInt8], etag: String)?
    }

    struct Answer {
        var status: Int
        var headers: HTTPHeaders
        var body: [UInt8]
        var isCut: Bool
        var stalls = false
    }

    let state: Mutex<State>

    init(_ bytes: [UInt8]) {
        self.state = Mutex(State(bytes: bytes))
    }

    func set(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    var ranges: [String?] { state.withLock { $0.ranges } }

    func answer(_ head: HTTPRequestHead) -> Answer {
        state.withLock { state in
            let range = head.headers.first(name: "Range")
            state.ranges.append(range)
            guard state.statuses.isEmpty else {
                return Answer(status: state.statuses.removeFirst(), headers: [:], body: [], isCut: false)
            }
            guard head.headers.first(name: "Authorization") == "Bearer grant" else {
                return Answer(
                    status: 401, headers: [:],
                    body: Array(#"{"error": {"code": "unauthorized", "message": "no grant"}}"#.utf8), isCut: false)
            }
            defer {
                if let next = state.next { (state.bytes, state.etag, state.next) = (next.bytes, next.etag, nil) }
            }
            var answer = Self.whole(state)
            if let range, state.takesRanges, head.headers.first(name: "If-Range") == state.etag {
                answer = Self.part(state, from: Int(range.dropFirst(6).dropLast()) ?? 0)
            }
            if !state.cuts.isEmpty {
                let cut = state.cuts.removeFirst()
                answer.headers.replaceOrAdd(name: "Content-Length", value: "\(answer.body.count)")
                answer.isCut = cut < answer.body.count
                answer.stalls = state.stalls
                answer.body = Array(answer.body.prefix(cut))
            }
            return answer
        }
    }

    private static func whole(_ state: State) -> Answer {
        var headers: HTTPHeaders = ["ETag": state.etag, "Content-Length": "\(state.bytes.count)"]
        if let digest = state.digest { headers.add(name: "Repr-Digest", value: digest) }
        return Answer(status: 200, headers: headers, body: state.bytes, isCut: false)
    }

    private static func part(_ state: State, from start: Int) -> Answer {
        guard start < state.bytes.count else {
            return Answer(status: 416, headers: ["Content-Length": "0"], body: [], isCut: false)
        }
        let rest = Array(state.bytes[start...])
        return Answer(
            status: 206,
            headers: [
                "ETag": state.etag, "Content-Length": "\(rest.count)",
                "Content-Range": "bytes \(start)-\(state.bytes.count - 1)/\(state.bytes.count)",
            ], body: rest, isCut: false)
    }
}

/// A real HTTP server on a free port.
struct FileServer: Sendable {
    let file: ServedFile
    private let channel: any Channel

    init(_ file: ServedFile) async throws {
        self.file = file
        self.channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(FileHandler(file))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var url: URL? { channel.localAddress?.port.flatMap { URL(string: "http://127.0.0.1:\($0)/") } }

    func stop() async throws {
        try await channel.close()
    }
}

private final class FileHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let file: ServedFile
    private var head: HTTPRequestHead?

    init(_ file: ServedFile) {
        self.file = file
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head else { return }
            let answer = file.answer(head)
            var headers = answer.headers
            if !headers.contains(name: "Content-Length") {
                headers.add(name: "Content-Length", value: "\(answer.body.count)")
            }
            let responseHead = HTTPResponseHead(
                version: .http1_1, status: .init(statusCode: answer.status), headers: headers)
            context.write(wrapOutboundOut(.head(responseHead)), promise: nil)
            let body = context.channel.allocator.buffer(bytes: answer.body)
            if answer.isCut {
                let promise = context.eventLoop.makePromise(of: Void.self)
                let channel = context.channel
                if !answer.stalls { promise.futureResult.whenComplete { _ in channel.close(promise: nil) } }
                context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(body))), promise: promise)
            } else {
                context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
