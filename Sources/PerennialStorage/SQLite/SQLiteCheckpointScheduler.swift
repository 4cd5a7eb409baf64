import Dispatch
import Synchronization

/// Checkpoints the write-ahead log on a thread of its own, while the writer goes on.
///
/// SQLite's automatic checkpoints run on the writer's thread and block all writes until the disk has every changed page: about
/// a quarter of the time of a store that sells without pause. Here the writer waits only for the pages added during a
/// checkpoint, so that at some moment none is left and SQLite resets the log.
final class SQLiteCheckpointScheduler: Sendable {
    /// The multiple of the threshold at which the writer waits for the checkpoint, because the disk can't keep up.
    private static let delayMax = 8
    /// Copied pages below which a further pass isn't worth it.
    private static let pagesLeft = 500
    private static let passesMax = 8

    private enum State {
        case idle
        /// The thread copies, or is about to.
        case running
        /// The thread has copied most pages; the writer has to wait for the rest.
        case finishing
        /// The writer waits for the last pages.
        case awaited
        case closed
    }

    private let path: String
    /// Pages in the log at which a checkpoint starts.
    private let threshold: Int
    private let lockTimeoutMilliseconds: Int
    private let stop: WriteStop
    private let state = Mutex(State.idle)
    private let wakeUp = DispatchSemaphore(value: 0)
    private let finished = DispatchSemaphore(value: 0)

    init(path: String, _ options: DatabaseOptions, stop: WriteStop) {
        self.path = path
        self.stop = stop
        threshold = options.checkpointThreshold
        lockTimeoutMilliseconds = options.lockTimeoutMilliseconds
    }

    // MARK: The thread

    /// Runs checkpoints on demand until ``close()``.
    func run() {
        let checkpointer: SQLiteCheckpointer?
        do {
            checkpointer = try SQLiteCheckpointer(path: path, lockTimeoutMilliseconds: lockTimeoutMilliseconds)
        } catch {
            stopWrites(error)
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

    /// Copies the log in several passes: each copies the pages added during the pass before it, or held up by a reader.
    private func copyMost(_ checkpointer: SQLiteCheckpointer?) {
        var before = 0
        for _ in 0..<Self.passesMax {
            guard state.withLock({ $0 == .running }), let checkpointer, stop.reason == nil else { return }
            let progress = checkpoint(checkpointer)
            // A reader may need the pages' older versions.
            let isHeldUp = progress.map { $0.pages - $0.copied >= threshold } ?? true
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
            stopWrites(error)
            return nil
        }
    }

    private func stopWrites(_ error: any Error) {
        let failure = error as? StorageError ?? StorageError(.resources, path, "\(error)")
        stop.stop("A checkpoint", failedWith: failure)
    }

    // MARK: The writer

    /// Starts a checkpoint if the log is long enough; called by the writer after each commit.
    /// - Parameter pages: The length of the log.
    func committed(pages: Int) {
        guard pages >= threshold, stop.reason == nil else { return }
        let (wakes, waits) = state.withLock { state -> (Bool, Bool) in
            switch state {
            case .idle:
                state = .running
                return (true, false)
            case .running where pages < threshold * Self.delayMax: return (false, false)
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
        // Pages that readers still need are left, and copied when the log has grown.
        if waits { finished.wait() }
    }

    /// Copies the rest and ends the thread; called by the writer after its last commit.
    ///
    /// SQLite would do it itself when the last connection closes, and not report errors.
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
