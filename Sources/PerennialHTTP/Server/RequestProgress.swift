import NIOCore

/// The progress of the request that a connection reads, and the check that its client doesn't take too long.
///
/// Confined to the connection's event loop.
final class RequestProgress {
    enum Phase: Equatable {
        case betweenRequests
        case head(since: NIODeadline)
        case body(since: NIODeadline, bytes: Int)
    }

    private(set) var phase = Phase.betweenRequests

    var isInBody: Bool {
        if case .body = phase { return true }
        return false
    }

    func bytesArrived(at now: NIODeadline) {
        if phase == .betweenRequests { phase = .head(since: now) }
    }

    func headArrived(at now: NIODeadline) { phase = .body(since: now, bytes: 0) }

    func bodyArrived(_ count: Int) {
        if case .body(let since, let bytes) = phase { phase = .body(since: since, bytes: bytes + count) }
    }

    func ended() { phase = .betweenRequests }

    /// Gives the client back the time in which the server didn't read.
    func postpone(by time: TimeAmount) {
        switch phase {
        case .betweenRequests: break
        case .head(let since): phase = .head(since: since + time)
        case .body(let since, let bytes): phase = .body(since: since + time, bytes: bytes)
        }
    }

    func isOverdue(at now: NIODeadline, _ limits: ConnectionLimits) -> Bool {
        switch phase {
        case .betweenRequests: false
        case .head(let since): now >= since + limits.head
        case .body(let since, let bytes):
            now >= since + min(limits.body + .seconds(Int64(bytes / limits.bodyRate)), limits.longestBody)
        }
    }

    /// The progress in words, for the log of a cut connection.
    var words: String {
        switch phase {
        case .betweenRequests: "no answer yet"
        case .head: "its head is incomplete"
        case .body(_, let bytes): "its body is incomplete, \(bytes) bytes came"
        }
    }
}
