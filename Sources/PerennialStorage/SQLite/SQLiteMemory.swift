import Dispatch

/// A SQLite database in memory: one connection on one thread, which reads and writes in the order of submission.
final class SQLiteMemory: DatabaseBackend {
    private let queue: TaskQueue
    private let threads = DispatchGroup()

    /// - Parameter image: The content to begin with.
    /// - Throws: ``StorageError`` with `cannotOpen`.
    init(options: DatabaseOptions, image: SQLiteImage? = nil) throws {
        queue = TaskQueue(waitingMax: options.waitingMax)
        let opened = BlockingResult<Void>()
        WorkerThread.start("sqlite-memory", in: threads) { [queue] in
            do {
                let handle = try SQLiteHandle(
                    path: ":memory:", .readWrite, lockTimeoutMilliseconds: options.lockTimeoutMilliseconds)
                // An image can only be copied to pages of its size.
                if let bytes = image?.pageBytes ?? options.memoryPageBytes {
                    try handle.run("PRAGMA page_size = \(bytes)")
                }
                try image?.restore(to: handle)
                opened.fulfil(.success(()))
                Self.serve(queue, on: SQLiteConnection(handle, options), options)
            } catch {
                opened.fulfil(.failure(error))
            }
        }
        try opened.wait()
    }

    func submit(_ task: DatabaseTask) {
        queue.put(task)
    }

    func stopAccepting() {
        queue.close()
    }

    func waitUntilFinished() {
        threads.wait()
    }

    private static func serve(_ queue: TaskQueue, on connection: SQLiteConnection, _ options: DatabaseOptions) {
        let commits = GroupCommit(connection: connection, faults: options.faults)
        while let tasks = queue.take(max: options.groupMax) {
            // Adjacent writes share a commit; a read sees every task submitted before it.
            for group in tasks.split(between: { $0.access != $1.access }) {
                if group.first?.access == .write { commits.run(group) } else { group.forEach(connection.read) }
            }
        }
    }
}

extension [DatabaseTask] {
    /// Splits the array between neighbours that differ.
    fileprivate func split(between differ: (DatabaseTask, DatabaseTask) -> Bool) -> [[DatabaseTask]] {
        var parts: [[DatabaseTask]] = []
        for task in self {
            if let last = parts.last?.last, !differ(last, task) {
                parts[parts.count - 1].append(task)
            } else {
                parts.append([task])
            }
        }
        return parts
    }
}
