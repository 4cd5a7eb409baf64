import Dispatch
import Synchronization

/// Runs waiting writes one after the other in one transaction: one commit makes them all durable, and one lock of an app's
/// journal numbers the entries of all.
///
/// A group has no savepoints. If a statement fails, or a body after it has written, the group is rolled back and each of its
/// bodies runs alone: so every error reaches the body that caused it. All results are delivered after the commit, failures too:
/// a body may have failed because of an earlier body's writes.
///
/// A body that changes the catalog ends its group: the bodies after it then read a committed catalog.
struct PostgreSQLGroup {
    let worker: PostgreSQLWorker
    let options: DatabaseOptions
    let counters: PostgreSQLCounters
    /// Puts tasks back, so that all threads share them: one that waits for a lock must not hold up the others.
    let runAlone: ([DatabaseTask]) -> Void

    /// Nothing was committed, and each body has to run alone.
    private struct Dissolved: Error {}

    private typealias BodyResult = Result<DatabaseTask.Completion, any Error>

    /// Runs a task, and those that `next` returns until it returns `nil`.
    ///
    /// - Parameter next: Takes a waiting task with the standard time limit.
    func run(_ first: DatabaseTask, next: () -> DatabaseTask?) {
        var tasks: [DatabaseTask] = []
        do {
            let results = try commit(first, next, &tasks)
            counters.committedBodies.add(results.count, ordering: .relaxed)
            for (task, result) in zip(tasks, results) {
                switch result {
                case .success(let complete): complete()
                case .failure(let error): task.fail(error)
                }
            }
        } catch is Dissolved {
            counters.dissolvedGroups.add(1, ordering: .relaxed)
            runAlone(
                tasks.map { task in
                    var task = task
                    task.runsAlone = true
                    return task
                })
        } catch {
            for task in tasks { task.fail(error) }
        }
    }

    /// Runs and commits a group.
    ///
    /// - Parameter tasks: Receives the tasks that ran.
    /// - Returns: The result of each.
    /// - Throws: ``Dissolved``, or the error of all of them.
    private func commit(
        _ first: DatabaseTask, _ next: () -> DatabaseTask?, _ tasks: inout [DatabaseTask]
    ) throws -> [BodyResult] {
        var following: DatabaseTask? = first
        var results: [BodyResult] = []
        let end = DispatchTime.now() + .milliseconds(options.serverGroupMilliseconds)
        var begun: PostgreSQLSession?
        while let task = following {
            if !worker.refuseIfLate(task) {
                tasks.append(task)
                guard let session = try? begun ?? worker.connected() else { throw Dissolved() }
                if begun == nil { session.begin(.init(access: .write, isGroup: true, deadline: first.deadline)) }
                begun = session
                results.append(try attempt(task, on: session))
                guard !session.hasChangedCatalog else { break }
            }
            following = tasks.count < options.serverGroupMax && DispatchTime.now() < end ? next() : nil
        }
        guard let begun else { return results }
        guard results.contains(where: \.isSuccess) else {
            worker.rollBack(begun)
            return results
        }
        do {
            try options.faults?(.beforeCommit)
        } catch {
            worker.rollBack(begun)
            throw error
        }
        do {
            try worker.commit(begun)
        } catch let error as StorageError where error.code != .commitUnknown {
            throw Dissolved()
        }
        try options.faults?(.afterCommit)
        return results
    }

    private func attempt(_ task: DatabaseTask, on session: PostgreSQLSession) throws -> BodyResult {
        let result = Result { try session.run(task) }
        guard session.failure != nil || !result.isSuccess && session.hasWritten else { return result }
        worker.rollBack(session)
        throw Dissolved()
    }
}

extension Result {
    fileprivate var isSuccess: Bool { (try? get()) != nil }
}
