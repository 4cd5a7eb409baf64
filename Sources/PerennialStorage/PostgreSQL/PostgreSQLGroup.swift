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
    /// Called when all bodies have run, before the commit.
    let willCommit: () -> Void

    /// Reports that nothing was committed, and each body has to run alone.
    private struct Dissolved: Error {}

    private typealias BodyResult = Result<DatabaseTask.Completion, any Error>

    /// Runs tasks, and those that `next` returns until it returns none.
    ///
    /// - Parameter next: Takes waiting tasks with the standard time limit, at most so many, beside a group of so many. All
    ///   of those that it returns together have been announced, or there is one.
    func run(_ first: [DatabaseTask], next: (_ max: Int, _ groupCount: Int) -> [DatabaseTask]) {
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
            runAlone(tasks)
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
        _ first: [DatabaseTask], _ next: (Int, Int) -> [DatabaseTask], _ tasks: inout [DatabaseTask]
    ) throws -> [BodyResult] {
        var round = first
        var results: [BodyResult] = []
        let end = DispatchTime.now() + .milliseconds(options.serverGroupMilliseconds)
        var begun: PostgreSQLSession?
        while !round.isEmpty {
            round.removeAll { worker.refuseIfLate($0) }
            if !round.isEmpty {
                // The first announced statement locks. In one order no two groups wait for each other's customers.
                round.sort { first, second in
                    guard let first = first.announced.first, let second = second.announced.first else { return false }
                    return first.precedes(second)
                }
                tasks += round
                guard let session = try? begun ?? worker.connected() else { throw Dissolved() }
                let deadline = RequestDeadline.earliest(round.lazy.map(\.deadline))
                if begun == nil {
                    session.begin(
                        .init(
                            access: .write, isGroup: true, deadline: deadline,
                            minimumMilliseconds: PostgreSQLChannel.answerMilliseconds, limitsHead: true))
                } else {
                    session.heed(deadline)
                }
                begun = session
                for (result, journal) in try run(round, on: session) {
                    // If the group is dissolved.
                    tasks[results.count] = tasks[results.count].alone(journal)
                    results.append(result)
                }
                guard !session.hasChangedCatalog else { break }
            }
            let free = min(options.serverGroupMax - tasks.count, worker.groupMax)
            round = free > 0 && DispatchTime.now() < end ? next(free, tasks.count) : []
        }
        guard let begun else { return results }
        guard results.contains(where: \.isSuccess) else {
            worker.rollBack(begun)
            return results
        }
        willCommit()
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

    /// Runs bodies one after the other, behind the statements that they have announced.
    ///
    /// - Returns: The result of each body and the journal to which it has appended.
    private func run(
        _ round: [DatabaseTask], on session: PostgreSQLSession
    ) throws -> [(result: BodyResult, journal: AppKey?)] {
        let announced = Result { try session.announce(round.map(\.announced)) }
        guard case .success(let changes) = announced else { throw dissolve(session) }
        var results: [(result: BodyResult, journal: AppKey?)] = []
        for (task, hasWritten) in zip(round, changes) {
            // The bodies behind one that changes the catalog would read its change.
            guard !session.hasChangedCatalog else { throw dissolve(session) }
            let result = worker.timed { Result { try session.run(task, hasWritten: hasWritten) } }
            guard session.failure == nil, result.isSuccess || !session.hasWritten else { throw dissolve(session) }
            results.append((result, session.journal))
        }
        return results
    }

    private func dissolve(_ session: PostgreSQLSession) -> Dissolved {
        worker.rollBack(session)
        return Dissolved()
    }
}

extension Result {
    fileprivate var isSuccess: Bool { (try? get()) != nil }
}
