/// The turns of a thread that writes: first its bodies run, then it waits for their commit.
final class WriterTurn {
    private let queue: TaskQueue
    private var (isRunning, isInFlight) = (false, false)

    init(_ queue: TaskQueue) { self.queue = queue }

    /// Ends the turn and begins the next one with the tasks that it takes.
    ///
    /// - Returns: `nil` once the queue is closed and empty.
    func take(max: Int) -> [DatabaseTask]? {
        end()
        guard let tasks = queue.takeTurn(max: max) else { return nil }
        (isRunning, isInFlight) = (true, true)
        // It may wait for a lock for long: no other task waits for it.
        if tasks.first?.runsAlone == true { end() }
        return tasks
    }

    /// Lets the next group begin, because the bodies of this one have run.
    func endBodies() {
        guard isRunning else { return }
        isRunning = false
        queue.endBodies()
    }

    private func end() {
        if isInFlight { queue.endTurn() }
        isInFlight = false
        endBodies()
    }
}
