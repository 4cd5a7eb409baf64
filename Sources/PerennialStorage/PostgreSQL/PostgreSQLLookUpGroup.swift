import Synchronization

/// Runs waiting look-ups on the answers to their announced statements, which are asked for in one round trip, each once.
///
/// Without groups a look-up costs PostgreSQL's server and this process a few switches between processes for each statement,
/// many times the work of finding a row.
///
/// The snapshot is taken after all its bodies were submitted, so each reads what was committed before it was asked for. A body that
/// asks for more runs again, as a read of its own: one that takes long holds up no others.
struct PostgreSQLLookUpGroup {
    let worker: PostgreSQLWorker
    let counters: PostgreSQLCounters
    /// Runs a task as a read of its own.
    let runAlone: (DatabaseTask) -> Void

    func run(_ tasks: [DatabaseTask]) {
        let tasks = tasks.filter { !worker.refuseIfLate($0) }
        guard !tasks.isEmpty else { return }
        guard let session = try? worker.connected(), ask(for: tasks, on: session) else {
            for task in tasks { runAlone(task) }
            return
        }
        for task in tasks {
            do {
                try session.run(task)()
            } catch {
                // The body may have caught the error of the statement and thrown its own.
                guard session.failure != nil else {
                    task.fail(error)
                    continue
                }
                session.forgetFailure()
                counters.missedLookUps.add(1, ordering: .relaxed)
                runAlone(task)
            }
        }
    }

    private func ask(for tasks: [DatabaseTask], on session: PostgreSQLSession) -> Bool {
        do {
            let deadline = RequestDeadline.earliest(tasks.lazy.map(\.deadline))
            try session.lookUp(tasks.lazy.flatMap(\.announced), until: deadline)
            return true
        } catch {
            worker.rollBack(session)
            return false
        }
    }
}
