import Dispatch
import GRDB

/// A SQLite database in memory: one connection on one thread, which reads and writes in the order of submission.
final class SQLiteMemory: Backend {
    private let queue: WorkQueue
    private let threads = DispatchGroup()

    init(options: DatabaseOptions) throws {
        queue = WorkQueue(waitingMax: options.waitingMax)
        let database: DatabaseQueue
        do {
            database = try DatabaseQueue(configuration: SQLiteConfiguration.make(options))
        } catch {
            throw StorageError(opening: ":memory:", error)
        }
        WorkerThread.start("sqlite-memory", in: threads) { [queue] in
            database.writeWithoutTransaction { Self.serve(queue, on: $0, options) }
        }
    }

    func submit(_ work: Work) {
        queue.put(work)
    }

    func refuseFurtherWork() {
        queue.close()
    }

    func waitUntilFinished() {
        threads.wait()
    }

    private static func serve(_ queue: WorkQueue, on connection: GRDB.Database, _ options: DatabaseOptions) {
        guard let handle = connection.sqliteConnection else { return }
        let connection = SQLiteConnection(handle, options)
        let commits = GroupCommit(connection: connection, faults: options.faults)
        let reads = SQLiteReads(connection: connection)
        while let works = queue.take(max: options.groupMax) {
            // Writes next to each other share a commit; a read sees all that was submitted before it.
            for group in works.split(between: { $0.access != $1.access }) {
                if group.first?.access == .read { group.forEach(reads.run) } else { commits.run(group) }
            }
        }
    }
}

extension [Work] {
    /// Parts the array wherever two neighbours differ.
    fileprivate func split(between differ: (Work, Work) -> Bool) -> [[Work]] {
        var parts: [[Work]] = []
        for work in self {
            if let last = parts.last?.last, !differ(last, work) {
                parts[parts.count - 1].append(work)
            } else {
                parts.append([work])
            }
        }
        return parts
    }
}
