import AsyncHTTPClient
import Dispatch
import Foundation
import NIOCore
import Synchronization

/// Asks the system for the addresses of a host.
package enum HostResolver {
    package struct UnknownHost: Error {
        let host: String
    }

    /// Answers that take long hold threads of this queue only.
    private static let queue = DispatchQueue(label: "perennial.resolver", attributes: .concurrent)

    /// - Throws: ``UnknownHost``; `HTTPClientError.deadlineExceeded`, since the system can't be asked to stop.
    @Sendable package static func addresses(
        of host: String, deadline: NIODeadline, on loop: any EventLoop
    ) async throws -> [SocketAddress] {
        try await addresses(of: host, deadline: deadline, on: loop, lookUp: lookUp)
    }

    /// - Parameter lookUp: Blocks until the system has answered.
    static func addresses(
        of host: String, deadline: NIODeadline, on loop: any EventLoop,
        lookUp: @escaping @Sendable (String) throws -> [SocketAddress]
    ) async throws -> [SocketAddress] {
        if let literal = try? SocketAddress(ipAddress: host, port: 0) { return [literal] }
        return try await withCheckedThrowingContinuation { continuation in
            let waiter = Waiter(continuation)
            let timer = loop.scheduleTask(deadline: deadline) {
                waiter.resume(with: .failure(HTTPClientError.deadlineExceeded))
            }
            queue.async {
                waiter.resume(with: Result { try lookUp(host) })
                timer.cancel()
            }
        }
    }

    private static func lookUp(_ host: String) throws -> [SocketAddress] {
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, nil, &first) == 0 else { throw UnknownHost(host: host) }
        defer { freeaddrinfo(first) }
        var found: [SocketAddress] = []
        var next = first
        while let info = next?.pointee {
            if let address = address(of: info, host) { found.append(address) }
            next = info.ai_next
        }
        guard !found.isEmpty else { throw UnknownHost(host: host) }
        return found
    }

    private static func address(of info: addrinfo, _ host: String) -> SocketAddress? {
        guard let raw = info.ai_addr else { return nil }
        switch info.ai_family {
        case AF_INET:
            return raw.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee, host: host) }
        case AF_INET6:
            return raw.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee, host: host) }
        default: return nil
        }
    }

    /// Resumes once, by whichever comes first.
    private final class Waiter: Sendable {
        private let continuation: Mutex<CheckedContinuation<[SocketAddress], any Error>?>

        init(_ continuation: CheckedContinuation<[SocketAddress], any Error>) {
            self.continuation = Mutex(continuation)
        }

        func resume(with result: Result<[SocketAddress], any Error>) {
            continuation.withLock { $0.take() }?.resume(with: result)
        }
    }
}
