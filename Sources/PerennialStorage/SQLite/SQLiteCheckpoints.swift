import Dispatch
import GRDBSQLite
import Synchronization

/// Carries the write-ahead log over into the database beside the writer, which doesn't wait for it.
///
/// What SQLite does by itself, the writer does, and all writes wait until the disk has taken every page that changed:
/// about a quarter of the time of a store that sells without pause. Here a thread with a connection of its own carries
/// the log over while the writer goes on; only the rest that came meanwhile is left to the writer, so that for a moment
/// nothing is left in the log and it begins anew.
final class SQLiteCheckpoints: Sendable {
    /// How many times longer than due the log may become before the writer carries it over itself: the disk can't keep
    /// up with it.
    private static let delayMax = 8
    /// A pass that found fewer pages than these left little to do.
    private static let pagesLeft = 500
    private static let passesMax = 8

    private enum State {
        case idle
        /// The thread is to begin, or has begun.
        case running
        /// The thread is done: what is left is the writer's.
        case finishing
        case closed
    }

    private let path: String
    /// The length of the log at which it is time.
    private let pagesDue: Int
    private let lockTimeoutMilliseconds: Int
    private let state = Mutex(State.idle)
    private let wakeUp = DispatchSemaphore(value: 0)

    init(path: String, _ options: DatabaseOptions) {
        self.path = path
        pagesDue = options.logPagesDue
        lockTimeoutMilliseconds = options.lockTimeoutMilliseconds
    }

    /// Ends the thread.
    func close() {
        state.withLock { $0 = .closed }
        wakeUp.signal()
    }

    // MARK: The thread

    /// Waits for work until it is closed.
    func run() {
        var handle: OpaquePointer?
        var code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
        if code == SQLITE_OK {
            sqlite3_busy_timeout(handle, Int32(clamping: lockTimeoutMilliseconds))
            // Only a connection that has read once knows that there is a log: until then a checkpoint does nothing, and
            // says that all is well.
            code = sqlite3_exec(handle, "SELECT 1 FROM sqlite_schema", nil, nil, nil)
        }
        // Whatever failed: the writer then does it when the log has become too long.
        defer { sqlite3_close(handle) }
        while true {
            wakeUp.wait()
            guard state.withLock({ $0 == .running }) else { return }
            if code == SQLITE_OK { carryOver(handle) }
            state.withLock { if $0 == .running { $0 = .finishing } }
        }
    }

    /// Each pass carries over what came during the one before it, or what a reader held up.
    private func carryOver(_ handle: OpaquePointer?) {
        var before: Int32 = 0
        for _ in 0..<Self.passesMax {
            var (pages, done): (Int32, Int32) = (0, 0)
            let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &done)
            // By a reader that began before what is in the log.
            let isHeldUp = code == SQLITE_BUSY || pages - done >= pagesDue
            guard isHeldUp || (code == SQLITE_OK && done - before > Self.pagesLeft) else { return }
            if isHeldUp { WorkerThread.pause() }
            before = done
        }
    }

    // MARK: The writer

    /// Called by the writer after each commit.
    /// - Parameters:
    ///   - pages: The length of the log.
    ///   - handle: The writer's connection.
    func committed(pages: Int, on handle: OpaquePointer) {
        guard pages >= pagesDue else { return }
        let (begins, finishes) = state.withLock { state -> (Bool, Bool) in
            switch state {
            case .idle:
                state = .running
                return (true, false)
            case .running: return (false, pages >= pagesDue * Self.delayMax)
            case .finishing:
                state = .idle
                return (false, true)
            case .closed: return (false, true)
            }
        }
        if begins { wakeUp.signal() }
        // It fails where readers still need the log, and is tried again when it has grown.
        if finishes { sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil) }
    }
}

/// The length of the log, as SQLite tells it to the writer after each commit.
final class SQLiteLogLength {
    private(set) var pages = 0

    /// Listens to the commits of a connection, which must not outlive this.
    func observe(_ handle: OpaquePointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                Unmanaged<SQLiteLogLength>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
                return SQLITE_OK
            }, context)
    }

    /// Stops listening.
    func ignore(_ handle: OpaquePointer) {
        sqlite3_wal_hook(handle, nil, nil)
    }
}
