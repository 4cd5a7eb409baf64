import Dispatch
import GRDBSQLite
import Synchronization

/// Checkpoints the write-ahead log beside the writer, which doesn't wait for it.
///
/// What SQLite does by itself, the writer does, and all writes wait until the disk has taken every page that changed:
/// about a quarter of the time of a store that sells without pause. Here a thread with connections of its own copies the log
/// while the writer goes on; only for the rest that came meanwhile does the writer wait, so that for a moment nothing is left in
/// the log and it begins anew.
final class SQLiteCheckpoints: Sendable {
    /// How many times longer than due the log may become before the writer waits for the checkpoint: the disk can't keep up
    /// with it.
    private static let delayMax = 8
    /// A checkpoint that copied fewer pages than these left little to do.
    private static let pagesLeft = 500
    private static let passesMax = 8

    private enum State {
        case idle
        /// The thread is to begin, or has begun.
        case running
        /// The thread is done: for what is left the writer has to wait.
        case finishing
        /// The writer waits until nothing is left.
        case awaited
        case closed
    }

    private let path: String
    /// The length of the log at which it is time.
    private let pagesDue: Int
    private let lockTimeoutMilliseconds: Int
    private let stop: WriteStop
    private let state = Mutex(State.idle)
    private let wakeUp = DispatchSemaphore(value: 0)
    private let finished = DispatchSemaphore(value: 0)

    init(path: String, _ options: DatabaseOptions, stop: WriteStop) {
        self.path = path
        self.stop = stop
        pagesDue = options.logPagesDue
        lockTimeoutMilliseconds = options.lockTimeoutMilliseconds
    }

    // MARK: The thread

    /// Waits for work until it is closed.
    func run() {
        let checkpointer: SQLiteCheckpointer?
        do {
            checkpointer = try SQLiteCheckpointer(path: path, lockTimeoutMilliseconds: lockTimeoutMilliseconds)
        } catch {
            noteFailure(error)
            checkpointer = nil
        }
        while true {
            wakeUp.wait()
            switch state.withLock({ $0 }) {
            case .running:
                copyMost(checkpointer)
                let isAwaited = state.withLock { state in
                    if case .running = state { state = .finishing }
                    return state == .awaited
                }
                if isAwaited { finish(checkpointer) }
            case .awaited: finish(checkpointer)
            case .idle, .finishing: continue
            case .closed: return
            }
        }
    }

    /// Each checkpoint copies what came during the one before it, or what a reader held up.
    private func copyMost(_ checkpointer: SQLiteCheckpointer?) {
        var before = 0
        for _ in 0..<Self.passesMax {
            guard state.withLock({ $0 == .running }), let checkpointer, stop.reason == nil else { return }
            let progress = checkpoint(checkpointer)
            // By a reader that began before what is in the log.
            let isHeldUp = progress.map { $0.pages - $0.copied >= pagesDue } ?? true
            let copied = progress?.copied ?? before
            guard isHeldUp || copied - before > Self.pagesLeft else { return }
            if isHeldUp { WorkerThread.pause() }
            before = copied
        }
    }

    private func finish(_ checkpointer: SQLiteCheckpointer?) {
        if let checkpointer, stop.reason == nil { _ = checkpoint(checkpointer) }
        state.withLock { $0 = .idle }
        finished.signal()
    }

    private func checkpoint(_ checkpointer: SQLiteCheckpointer) -> SQLiteCheckpointer.Progress? {
        do {
            return try checkpointer.checkpoint()
        } catch {
            noteFailure(error)
            return nil
        }
    }

    private func noteFailure(_ error: any Error) {
        let failure = error as? StorageError ?? StorageError(.resources, path, "\(error)")
        stop.stop("A checkpoint", failedWith: failure)
    }

    // MARK: The writer

    /// Called by the writer after each commit.
    /// - Parameter pages: The length of the log.
    func committed(pages: Int) {
        guard pages >= pagesDue, stop.reason == nil else { return }
        let (wakes, waits) = state.withLock { state -> (Bool, Bool) in
            switch state {
            case .idle:
                state = .running
                return (true, false)
            case .running where pages < pagesDue * Self.delayMax: return (false, false)
            case .running:
                state = .awaited
                return (false, true)
            case .finishing:
                state = .awaited
                return (true, true)
            case .awaited, .closed: return (false, false)
            }
        }
        if wakes { wakeUp.signal() }
        // It leaves what readers still need, and is tried again when the log has grown.
        if waits { finished.wait() }
    }

    /// Copies what is left and ends the thread: called by the writer when it has nothing more to write.
    ///
    /// SQLite would do it itself when the last connection closes, and tell nobody how it went.
    func close() {
        let (wakes, waits) = state.withLock { state -> (Bool, Bool) in
            let isRunning = state == .running
            guard state != .closed else { return (false, false) }
            state = .awaited
            return (!isRunning, true)
        }
        if wakes { wakeUp.signal() }
        if waits { finished.wait() }
        state.withLock { $0 = .closed }
        wakeUp.signal()
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
