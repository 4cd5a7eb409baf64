import Dispatch
import Logging

/// A PostgreSQL database: threads with a connection each, which run reads and writes in the order of submission.
final class PostgreSQLServer: Backend {
    private let queue: TaskQueue
    private let threads = DispatchGroup()

    /// Milliseconds before a transaction runs a second time, doubled for each further run up to the maximum.
    private static let pauseMillisecondsMin = 20
    private static let pauseMillisecondsMax = 2_000

    /// Connects once, so that a wrong address is an error now and not at the first transaction.
    /// - Throws: ``StorageError`` with `cannotOpen`.
    init(url: String, options: DatabaseOptions, logger: Logger) throws {
        queue = TaskQueue(waitingMax: options.waitingMax)
        let place = DatabaseLocation.postgres(url: url).description
        do {
            _ = try PostgreSQLSession(url: url, place: place, options: options)
        } catch let error as StorageError {
            throw StorageError(.cannotOpen, error.subject, error.reason)
        }
        let count = max(1, options.connections)
        for number in 1...count {
            WorkerThread.start("postgres-\(number)", in: threads) { [queue] in
                let worker = PostgreSQLWorker(options: options, logger: logger, isClosing: { queue.isClosed }) {
                    try PostgreSQLSession(url: url, place: place, options: options)
                } pause: { attempt in
                    // Threads that collided repeat at different times.
                    let base = min(Self.pauseMillisecondsMax, Self.pauseMillisecondsMin << min(attempt - 1, 10))
                    queue.pause(milliseconds: base + base * number / count)
                }
                while let works = queue.take(max: 1) { works.forEach(worker.run) }
            }
        }
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
}
