import AppStoreFormats
import Hummingbird
import NIOCore
import PerennialStorage
import ServiceLifecycle

extension ConnectionContext {
    /// The client's address.
    package var clientAddress: ClientAddress? { channel.remoteAddress.map(ClientAddress.init) }

    /// Runs work that is cancelled when its client hangs up, or closes its side of the connection.
    ///
    /// Hummingbird runs a handler to its end whatever becomes of the connection.
    /// - Throws: What the work throws, `CancellationError` as a rule where it was cancelled.
    package func untilHangUp<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let channel = channel
        let task = Task { try await work() }
        // Not waited for: both run on the connection's thread, in this order.
        channel.eventLoop.execute {
            do {
                try HangUpHandler.of(channel).whenHungUp { task.cancel() }
            } catch {
                // A connection that is gone takes no handler.
                task.cancel()
            }
        }
        defer {
            channel.eventLoop.execute { try? HangUpHandler.of(channel).forget() }
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Runs work that may take long, without a deadline, and cancels it when its client hangs up or the server is asked to stop.
    ///
    /// - Throws: ``APIError`` `unavailable` where the work was cancelled.
    package func untilHangUpOrShutdown<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        RequestDeadline.liftCurrent()
        do {
            return try await untilHangUp { try await cancelWhenGracefulShutdown(work) }
        } catch is CancellationError {
            throw APIError(
                .serviceUnavailable, "unavailable",
                "the store stops, or the client has disconnected: what is done stays done",
                headers: [.retryAfter: "1"])
        }
    }
}

/// Knows whether a connection's client has closed it, or its side of it, and tells the request that waits for that. A connection answers
/// one request after the other, so it has one at most.
///
/// It is there from the connection's beginning: a client may hang up before the request's work begins.
final class HangUpHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private var hasHungUp = false
    private var waiting: (() -> Void)?

    /// Returns a connection's handler, which a server without ``ConnectionLimits`` gets now. On the connection's thread.
    ///
    /// - Throws: `ChannelError` for a connection that is closed.
    static func of(_ channel: any Channel) throws -> HangUpHandler {
        let pipeline = channel.pipeline.syncOperations
        if let known = try? pipeline.handler(type: HangUpHandler.self) { return known }
        let handler = HangUpHandler()
        try pipeline.addHandler(handler, position: .first)
        return handler
    }

    /// Calls a function when the client hangs up; at once if it has.
    func whenHungUp(_ body: @escaping () -> Void) {
        if hasHungUp { body() } else { waiting = body }
    }

    func forget() { waiting = nil }

    private func hangUp() {
        hasHungUp = true
        waiting?()
        waiting = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { hangUp() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        hangUp()
        context.fireChannelInactive()
    }
}

extension ClientAddress {
    init(_ address: SocketAddress) {
        // A socket of the file system has no address: its programs are on this machine.
        guard let octets = address.addressBytes else {
            self.init(network: "", isLoopback: true)
            return
        }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        self.init(octets.starts(with: mapped) ? Array(octets.dropFirst(mapped.count)) : octets)
    }

    /// - Parameter bytes: 4 of an IPv4 address, 16 of an IPv6 address.
    private init(_ bytes: [UInt8]) {
        let isIPv4 = bytes.count == 4
        let isLoopback = isIPv4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
        self.init(
            network: (isIPv4 ? bytes : Array(bytes.prefix(8))).map { String($0) }.joined(separator: "."),
            isLoopback: isLoopback)
    }
}
