import Synchronization

/// Tells whoever delivers notifications that there may be some: at the commit of what they tell of, not when somebody next
/// looks.
package final class NotificationSignal: Sendable {
    /// Each element says: look. Those that nobody has seen yet are one.
    let looks: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let isDue = Atomic(false)

    init() {
        (looks, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// In a transaction: when it is committed there is something to send.
    func note() { isDue.store(true, ordering: .relaxed) }

    /// After a commit.
    func tell() {
        if isDue.exchange(false, ordering: .relaxed) { look() }
    }

    func look() { continuation.yield() }
    func finish() { continuation.finish() }
}
