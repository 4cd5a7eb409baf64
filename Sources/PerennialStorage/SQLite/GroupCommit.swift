/// Runs the writes that wait together in one transaction and commits them at once: the disk is asked only once to make
/// them durable.
///
/// Most groups succeed as a whole, so a group runs without savepoints first, for which SQLite copies every page that a
/// body changes. Where a body fails after it has written, the group begins anew, each body in a savepoint of its own.
///
/// No caller hears anything before the commit, not even one whose body failed: it may have failed because of what
/// an earlier body of its group wrote.
struct GroupCommit {
    let connection: SQLiteConnection
    let faults: (@Sendable (FaultPoint) throws -> Void)?
    /// Nil for a database in memory, which has no disk that could fail.
    var stop: WriteStop?

    func run(_ group: [Work]) {
        if let reason = stop?.reason {
            for work in group { work.fail(reason) }
        } else {
            run(group, isolating: false)
        }
    }

    private func run(_ group: [Work], isolating: Bool) {
        do {
            let results = try commit(group, isolating: isolating)
            for (work, result) in zip(group, results) {
                switch result {
                case .success(let deliver): deliver()
                case .failure(let error): work.fail(error)
                }
            }
        } catch is NeedsSavepoints {
            run(group, isolating: true)
        } catch is OneBodyFailed where group.count > 1 {
            for work in group { run([work]) }
        } catch {
            let reason = (error as? OneBodyFailed)?.reason ?? error
            for work in group { work.fail(reason) }
        }
    }

    /// What a body has written must be undone without undoing what others have.
    private struct NeedsSavepoints: Error {}

    /// A body ended the group's transaction, or left something that can't be committed: it has to fail alone.
    private struct OneBodyFailed: Error {
        let reason: any Error
    }

    /// - Throws: When nothing at all was committed, or `afterCommit` threw.
    private func commit(_ group: [Work], isolating: Bool) throws -> [Result<Work.Delivery, any Error>] {
        do {
            try connection.perform(.beginWrite)
        } catch let error as StorageError where error.isOfMedium {
            throw stopped("The beginning of a transaction", error)
        }
        defer { connection.rollBack() }
        let results = try group.map { work in
            if isolating { return try attemptInSavepoint(work) }
            let result = try attempt(work)
            if case .failure = result, connection.hasWritten, group.count > 1 { throw NeedsSavepoints() }
            return result
        }
        guard results.contains(where: { (try? $0.get()) != nil }) else { return results }
        try faults?(.beforeCommit)
        do {
            try connection.perform(.commit)
        } catch let error as StorageError {
            switch error.code {
            // A constraint that is checked at the end: SQLite doesn't say whose it was.
            case .constraint: throw OneBodyFailed(reason: error)
            case .busy: throw error
            default: throw stopped("A commit", error)
            }
        }
        // A checkpoint whose sync of the log failed meanwhile may have lost what this commit wrote: it isn't acknowledged.
        if let reason = stop?.reason { throw reason }
        try faults?(.afterCommit)
        return results
    }

    private func attemptInSavepoint(_ work: Work) throws -> Result<Work.Delivery, any Error> {
        try connection.perform(.beginBody)
        let result = try attempt(work)
        if case .failure = result { try connection.perform(.undoBody) }
        try connection.perform(.endBody)
        return result
    }

    private func attempt(_ work: Work) throws -> Result<Work.Delivery, any Error> {
        let result = Result { try connection.run(work) }
        // SQLite gives the transaction up where pages that don't fit into memory can't be written to the log.
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
    /// Whether the disk or the memory has failed, not the statement.
    fileprivate var isOfMedium: Bool { code == .resources || code == .corrupt }
}
