import AppStoreFormats
import Hummingbird
import NIOCore
import PerennialStorage

extension RequestContext {
    /// Where the request comes from; `nil` where the context doesn't know its connection.
    var clientAddress: ClientAddress? {
        (self as? any ConnectionContext)?.channel.remoteAddress.map(ClientAddress.init)
    }

    /// Runs work that is cancelled when its client hangs up, or closes its side of the connection.
    ///
    /// - Throws: What the work throws, `CancellationError` as a rule where it was cancelled.
    func untilHangUp<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard let channel = (self as? any ConnectionContext)?.channel else { return try await work() }
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
}

/// Tells when a connection's client closes it. A connection answers one request after the other, so it has one at most.
private final class HangUpHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let hungUp: () -> Void

    init(_ hungUp: @escaping () -> Void) {
        self.hungUp = hungUp
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { hungUp() }
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
        guard let octets = address.ipAddress.flatMap(IPAddress.octets) else {
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
