/// Runs all queued writes in one transaction and commits them together: one sync makes them all durable.
///
/// A group first runs without savepoints, for which SQLite would copy every page that a body changes: most groups succeed
/// as a whole. If a body fails after it has written, the group starts again with each body in its own savepoint.
///
/// All results are delivered after the commit, failures too: a body may have failed because of an earlier body's writes.
///
/// A body that changes the catalog ends its group: the bodies after it then read a committed catalog, which is cached once
/// for all.
struct GroupCommit {
    let connection: SQLiteConnection
    let faults: (@Sendable (FaultPoint) throws -> Void)?
    /// `nil` for a database in memory, which has no disk.
    var stop: WriteStop?

    func run(_ group: [DatabaseTask]) {
        if let reason = stop?.reason {
            for task in group { task.fail(reason) }
        } else {
            var rest = group.filter { !$0.refuseIfOverdue() }
            while !rest.isEmpty { rest.removeFirst(run(rest, isolating: false)) }
        }
    }

    /// - Returns: The number of bodies that were run, from the first on.
    @discardableResult
    private func run(_ group: [DatabaseTask], isolating: Bool) -> Int {
        do {
            let results = try commit(group, isolating: isolating)
            for (task, result) in zip(group, results) {
                switch result {
                case .success(let complete): complete()
                case .failure(let error): task.fail(error)
                }
            }
            return results.count
        } catch is NeedsSavepoints {
            return run(group, isolating: true)
        } catch is OneBodyFailed where group.count > 1 {
            for task in group { run([task]) }
        } catch {
            let reason = (error as? OneBodyFailed)?.reason ?? error
            for task in group { task.fail(reason) }
        }
        return group.count
    }

    /// Signals that one body's writes must be undone without the others'.
    private struct NeedsSavepoints: Error {}

    /// Signals that a body ended the group's transaction or broke a deferred constraint: it has to fail alone.
    private struct OneBodyFailed: Error {
        let reason: any Error
    }

    /// Runs and commits a group.
    /// - Returns: The result of each body, up to one that changes the catalog.
    /// - Throws: If nothing was committed, or if `afterCommit` threw.
    private func commit(_ group: [DatabaseTask], isolating: Bool) throws -> [Result<DatabaseTask.Completion, any Error>]
    {
        do {
            try connection.perform(.beginWrite)
        } catch let error as StorageError where error.isOfMedium {
            throw stopped("The beginning of a transaction", error)
        }
        defer { connection.rollBack() }
        var results: [Result<DatabaseTask.Completion, any Error>] = []
        for task in group where !connection.hasChangedCatalog {
            let result = isolating ? try attemptInSavepoint(task) : try attempt(task)
            if !isolating, case .failure = result, connection.hasWritten, group.count > 1 { throw NeedsSavepoints() }
            results.append(result)
        }
        guard results.contains(where: { (try? $0.get()) != nil }) else { return results }
        try faults?(.beforeCommit)
        do {
            try connection.perform(.commit)
        } catch let error as StorageError {
            switch error.code {
            // A deferred constraint: SQLite doesn't report which body broke it.
            case .constraint: throw OneBodyFailed(reason: error)
            case .busy: throw error
            default: throw stopped("A commit", error)
            }
        }
        // A concurrent checkpoint whose sync of the log failed may have lost this commit: it isn't acknowledged.
        if let reason = stop?.reason { throw reason }
        try faults?(.afterCommit)
        return results
    }

    private func attemptInSavepoint(_ task: DatabaseTask) throws -> Result<DatabaseTask.Completion, any Error> {
        try connection.perform(.beginBody)
        let result = try attempt(task)
        if case .failure = result { try connection.perform(.undoBody) }
        try connection.perform(.endBody)
        return result
    }

    private func attempt(_ task: DatabaseTask) throws -> Result<DatabaseTask.Completion, any Error> {
        let result = Result { try connection.run(task) }
        // SQLite rolls back if pages that don't fit into memory can't be written to the log.
        if let failure = connection.failure, failure.isOfMedium,
            failure.code == .corrupt || !connection.isInTransaction
        {
            throw stopped("A write", failure)
        }
        guard connection.isInTransaction else {
            let over = StorageError(.statement, "transaction", "A statement ended the transaction.")
            guard case .failure(let error) = result else { throw OneBodyFailed(reason: over) }
            throw OneBodyFailed(reason: error)
        }
        return result
    }

    private func stopped(_ action: String, _ error: StorageError) -> StorageError {
        stop?.stop(action, failedWith: error) ?? error
    }
}

extension StorageError {
    /// True if the disk or the memory has failed, not the statement.
    fileprivate var isOfMedium: Bool { code == .resources || code == .corrupt }
}
