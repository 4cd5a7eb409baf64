import Perennial
import Synchronization

/// The time of a session's environment: real time with an offset, or a stopped clock.
final class SessionTime: Sendable {
    enum Mode: Sendable {
        /// Milliseconds ahead of real time.
        case running(ahead: Int64)
        case stopped(Instant)
    }

    private let state = Mutex(Mode.running(ahead: 0))
    private let realNow: @Sendable () -> Instant

    init(realNow: @escaping @Sendable () -> Instant) {
        self.realNow = realNow
    }

    var now: Instant {
        state.withLock { mode in
            switch mode {
            case .running(let ahead): realNow() + ahead
            case .stopped(let instant): instant
            }
        }
    }

    /// The way the clock runs, and from where, to be set again after work at another time.
    var mode: Mode {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    var isStopped: Bool {
        state.withLock { mode in
            if case .stopped = mode { true } else { false }
        }
    }

    /// Moves the clock, which keeps running or stays stopped.
    func move(to instant: Instant) {
        state.withLock { mode in
            switch mode {
            case .running: mode = .running(ahead: instant - realNow())
            case .stopped: mode = .stopped(instant)
            }
        }
    }

    func stop() {
        state.withLock { mode in
            if case .running(let ahead) = mode { mode = .stopped(realNow() + ahead) }
        }
    }

    func resume() {
        state.withLock { mode in
            if case .stopped(let instant) = mode { mode = .running(ahead: instant - realNow()) }
        }
    }

    /// Goes back to real time.
    func reset() {
        state.withLock { $0 = .running(ahead: 0) }
    }
}
