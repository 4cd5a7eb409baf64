import Dispatch

/// The turns of a thread that writes: first its bodies run, then it waits for their commit.
final class WriterTurn {
    private enum Phase {
        case none
        case running(since: Int)
        case committing(since: Int)
        case alone(DatabaseTask)
    }

    private let queue: TaskQueue
    private var phase = Phase.none

    init(_ queue: TaskQueue) { self.queue = queue }

    /// Ends the turn and begins the next one with the tasks that it takes.
    ///
    /// - Returns: `nil` once the queue is closed and empty.
    func take(max: Int) -> [DatabaseTask]? {
        switch phase {
        case .none: break
        case .running: queue.endRun()
        case .committing(let start): queue.endCommit(begun: start)
        case .alone(let task): queue.endAlone(task)
        }
        phase = .none
        guard let tasks = queue.takeTurn(max: max) else { return nil }
        if let task = tasks.first, task.runsAlone {
            phase = .alone(task)
        } else {
            phase = .running(since: Int(DispatchTime.now().uptimeNanoseconds))
        }
        return tasks
    }

    /// Lets the next group begin, because the bodies of this one have run.
    func beginCommit() {
        guard case .running(let start) = phase else { return }
        phase = .committing(since: queue.beginCommit(ranSince: start))
    }
}
