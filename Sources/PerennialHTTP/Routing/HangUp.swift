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
        // Not waited for: a connection that is gone takes no handler, and its task ends by itself.
        channel.eventLoop.execute {
            try? channel.pipeline.syncOperations.addHandler(HangUpHandler { task.cancel() }, position: .first)
        }
        defer {
            channel.eventLoop.execute {
                guard let handler = try? channel.pipeline.syncOperations.handler(type: HangUpHandler.self) else {
                    return
                }
                channel.pipeline.syncOperations.removeHandler(handler, promise: nil)
            }
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
                "the store stops, or nobody waits any more: what is done stays done",
                headers: [.retryAfter: "1"])
        }
    }
}

/// Calls a function when a connection's client closes it. A connection answers one request after the other, so it has one at
/// most.
private final class HangUpHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let hungUp: () -> Void

    init(_ hungUp: @escaping () -> Void) {
        self.hungUp = hungUp
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { hungUp() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        hungUp()
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
