import Logging
import NIOCore
import NIOHTTP1

/// Keeps a connection to HTTP/1.1 and to its limits: answers bytes that are no request with 400 and requests that don't
/// arrive in time with 408, says `100 Continue`, and ends a connection whose client doesn't take its answer.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let limits: ConnectionLimits
    private let progress: RequestProgress
    private let connections: OpenConnections?
    private let logger: Logger

    private var channel: (any Channel)?
    private var timer: Scheduled<Void>?
    /// The numbers of requests that the application has got, and of answers that it has ended.
    private var requests = 0
    private var answers = 0
    private var answerHasBegun = false
    /// The application's last request: its method and its path.
    private var request = ""
    /// The refusal that ends the connection once so many answers have ended. Nothing more is read.
    private var refusal: (ConnectionRefusal, after: Int)?
    /// True if nothing more of the application's is written.
    private var isOver = false
    /// The number of answers before a `100 Continue` that is due.
    private var continueAfter: Int?
    private var isReadPending = false
    private var unwritableSince: NIODeadline?

    init(limits: ConnectionLimits, progress: RequestProgress, connections: OpenConnections?, logger: Logger) {
        self.logger = logger
        self.limits = limits
        self.progress = progress
        self.connections = connections
    }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
        channel = context.channel
        if context.channel.isActive { opened(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        opened(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        closed()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        closed()
        channel = nil
    }

    private func opened(_ context: ChannelHandlerContext) {
        guard timer == nil else { return }
        connections?.opened(self, on: context.eventLoop)
        scheduleTick(context)
    }

    private func closed() {
        timer?.cancel()
        connections?.closed(self)
    }

    func cut() { channel?.close(promise: nil) }

    /// The request or answer that is lost if the connection is cut, in words.
    var words: String {
        if requests > answers { return "\(request): \(answerHasBegun ? "its answer is incomplete" : progress.words)" }
        return progress.phase == .betweenRequests ? "a connection without a request" : "a request: \(progress.words)"
    }

    // MARK: Requests

    func read(context: ChannelHandlerContext) {
        isReadPending = true
        context.read()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReadPending = false
        context.fireChannelReadComplete()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard refusal == nil, !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            progress.headArrived(at: .now())
            if let problem = HostField.problem(in: head) {
                refuse(.host(problem), after: requests, context)
                return
            }
            requests += 1
            request = "\(head.method.rawValue) \(head.uri.prefix { $0 != "?" })"
            if head.expectsContinue { continueAfter = requests - 1 }
            context.fireChannelRead(data)
            sayContinue(context)
        case .body(let body):
            progress.bodyArrived(body.readableBytes)
            context.fireChannelRead(data)
        case .end:
            progress.ended()
            continueAfter = nil
            context.fireChannelRead(data)
        }
    }

    /// Passes the error on to the application as well: its reading of the body fails.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError { refuse(.malformed, context) }
        context.fireErrorCaught(error)
    }

    private func sayContinue(_ context: ChannelHandlerContext) {
        guard let before = continueAfter, answers >= before, !answerHasBegun else { return }
        continueAfter = nil
        context.writeAndFlush(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isOver else {
            // A failure would have the connection closed at once, before its client has read the refusal.
            promise?.succeed()
            return
        }
        switch unwrapOutboundIn(data) {
        case .head: answerHasBegun = true
        case .body: break
        case .end:
            answerHasBegun = false
            answers += 1
        }
        context.write(data, promise: promise)
        guard !answerHasBegun else { return }
        if refusal != nil { sendRefusal(context) } else { sayContinue(context) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        unwritableSince = context.channel.isWritable ? nil : .now()
        context.fireChannelWritabilityChanged()
    }

    // MARK: Refusing

    /// Refuses the request that is being read.
    private func refuse(_ why: ConnectionRefusal, _ context: ChannelHandlerContext) {
        refuse(why, after: progress.isInBody ? requests - 1 : requests, context)
    }

    /// Refuses the request after so many answers.
    private func refuse(_ why: ConnectionRefusal, after count: Int, _ context: ChannelHandlerContext) {
        guard refusal == nil, !isOver else { return }
        refusal = (why, after: count)
        sendRefusal(context)
    }

    private func sendRefusal(_ context: ChannelHandlerContext) {
        guard let (why, count) = refusal, answers >= count, !answerHasBegun else { return }
        isOver = true
        // The refused request may have been answered before it was complete: then there is nothing left to say.
        if answers == count {
            logger.info("\(why.line)")
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            let parts = why.parts
            for part in parts.dropLast() { context.write(wrapOutboundOut(part), promise: nil) }
            context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
                // The rest of the client's request is read meanwhile: a reset would take the answer from it.
                bound.value.close(mode: .output, promise: nil)
            }
        }
        let channel = context.channel
        context.eventLoop.scheduleTask(in: limits.lingering) { channel.close(promise: nil) }
    }

    // MARK: Time

    private func scheduleTick(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: limits.tick) {
            let (guarding, context) = bound.value
            guarding.tick(context)
        }
    }

    private func tick(_ context: ChannelHandlerContext) {
        guard !isOver else { return }
        let now = NIODeadline.now()
        if let unwritableSince, now >= unwritableSince + limits.answer {
            context.close(promise: nil)
            return
        }
        if !isReadPending {
            progress.postpone(by: limits.tick)
        } else if progress.isOverdue(at: now, limits) {
            refuse(.late, context)
        }
        scheduleTick(context)
    }
}

extension HTTPRequestHead {
    /// True if the client waits for `100 Continue` before it sends the body (RFC 9110, 10.1.1).
    fileprivate var expectsContinue: Bool {
        version.isAtLeast11
            && headers[canonicalForm: "Expect"].contains { $0.lowercased() == "100-continue" }
    }
}
