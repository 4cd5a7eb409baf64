import Foundation
import Perennial
import Synchronization

/// A content's way to this device.
struct ContentTransfer: Sendable {
    enum Phase: Sendable, Equatable {
        /// Waits for a free place.
        case waiting
        case running
        /// Waits for its next attempt.
        case delayed
        case failed
    }

    var phase: Phase
    /// Number of the run, by which a result of an earlier one is recognised.
    var run = 0
    /// Running download, or the delay before it.
    var task: Task<Void, Never>?
    var error: DeliveryError?
    /// Attempts without progress.
    var failures = 0
    let meter: TransferMeter
}

/// The progress of a transfer, which its task counts and others read.
final class TransferMeter: Sendable {
    struct Progress: Sendable {
        var received: Int64
        var timeRemaining: Double?
    }

    private struct State {
        var received: Int64 = 0
        var size: Int64 = 0
        var rate = TransferRate()
    }

    private let state: Mutex<State>

    init(received: Int64, size: Int64) {
        self.state = Mutex(State(received: received, size: size))
    }

    func update(received: Int64, size: Int64, at now: Instant) {
        state.withLock { state in
            state.rate.update(received: received, at: now)
            (state.received, state.size) = (received, size)
        }
    }

    var progress: Progress {
        state.withLock { state in
            Progress(
                received: state.received,
                timeRemaining: state.rate.timeRemaining(received: state.received, size: state.size))
        }
    }
}
