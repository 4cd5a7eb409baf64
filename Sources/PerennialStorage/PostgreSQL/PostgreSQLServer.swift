import Dispatch
import Logging
import Synchronization

/// A PostgreSQL database: threads with a connection each. Reads, look-ups, scans, writes, urgent writes and long transactions have threads of
/// their own, which run them in the order of submission: none of them waits for another kind.
final class PostgreSQLServer: DatabaseBackend {
    private let reads: TaskQueue
    private let lookUps: TaskQueue
    private let scans: TaskQueue
    private let writes: TaskQueue
    private let urgent: TaskQueue
    private let longs: TaskQueue
    private let threads = DispatchGroup()
    private let counters = PostgreSQLCounters()
    private let found = DatabaseHistory()

    /// Milliseconds before a transaction runs a second time, doubled for each further run up to the maximum.
    private static let pauseMillisecondsMin = 20
    private static let pauseMillisecondsMax = 2_000

    /// Connects once, so that a wrong address is an error now and not at the first transaction.
    /// - Throws: ``StorageError`` with `cannotOpen`.
    init(url: String, options: DatabaseOptions, logger: Logger) throws {
        reads = TaskQueue(waitingMax: options.waitingMax)
        lookUps = TaskQueue(waitingMax: options.waitingMax)
        scans = TaskQueue(waitingMax: options.waitingMax)
        writes = TaskQueue(
            waitingMax: options.waitingMax,
            pace: TaskQueue.Pace(
                runningMax: 1, committingMax: max(1, options.serverCommitsMax),
                waitMilliseconds: options.serverGroupWaitMilliseconds,
                commitWaitMilliseconds: options.serverCommitWaitMilliseconds,
                aloneMax: max(1, options.connections - 1), aloneOfJournalMax: max(1, options.connections / 2)))
        urgent = TaskQueue(waitingMax: options.waitingMax)
        longs = TaskQueue(waitingMax: options.waitingMax)
        let place = DatabaseLocation.postgres(url: url).description
        let open: @Sendable () throws -> PostgreSQLSession = { [counters, found] in
            try PostgreSQLSession(url: url, place: place, options: options, counters: counters, history: found)
        }
        do {
            _ = try open()
        } catch let error as StorageError {
            throw StorageError(.cannotOpen, error.subject, error.reason)
        }
        let groups = options.serverGroupMax > 1
        let alone: @Sendable (DatabaseTask) -> Void = { [reads] in reads.put($0) }
        for (name, queue, count) in [
            ("reader", reads, options.readConnections), ("look-up", lookUps, options.lookUpConnections),
            ("scans", scans, options.scanConnections),
            ("writer", writes, options.connections), ("urgent", urgent, options.urgentConnections),
            ("long", longs, options.longConnections),
        ] {
            let count = max(1, count)
            for number in 1...count {
                WorkerThread.start("postgres-\(name)-\(number)", in: threads) { [counters] in
                    let turn = WriterTurn(queue)
                    let isWriter = groups && name == "writer"
                    let putBack: (([DatabaseTask]) -> Void)? = isWriter ? { queue.putBack($0) } : nil
                    let worker = PostgreSQLWorker(
                        options: options, logger: logger, counters: counters, isClosing: { queue.isClosed },
                        willCommit: turn.beginCommit, runAlone: putBack, open: open
                    ) { attempt in
                        // Threads that collided repeat at different times.
                        let base = min(Self.pauseMillisecondsMax, Self.pauseMillisecondsMin << min(attempt - 1, 10))
                        queue.pause(milliseconds: base + base * number / count)
                    }
                    switch name {
                    case "look-up":
                        let group = PostgreSQLLookUpGroup(worker: worker, counters: counters, runAlone: alone)
                        while let tasks = queue.take(max: options.lookUpsMax) { group.run(tasks) }
                    case "writer" where isWriter:
                        let group = PostgreSQLGroup(
                            worker: worker, options: options, counters: counters, runAlone: queue.putBack,
                            willCommit: turn.beginCommit)
                        while let tasks = turn.take(max: worker.groupMax) {
                            if tasks.count == 1, tasks[0].runsAlone || !queue.isContended {
                                worker.run(tasks[0], isBesideOthers: queue.isShared)
                            } else {
                                group.run(tasks, next: queue.takeWaiting)
                            }
                        }
                    default:
                        while let task = queue.take(max: 1)?.first { worker.run(task) }
                    }
                }
            }
        }
    }

    func submit(_ task: DatabaseTask) {
        switch task.access {
        case .read where task.announced.isEmpty: reads.put(task)
        case .read: lookUps.put(task)
        case .scan: scans.put(task)
        case .write where task.isUrgent: urgent.put(task)
        case .write where task.timeout == .long: longs.put(task)
        case .write: writes.put(task)
        }
    }

    var history: DatabaseHistory? { found }

    var statistics: PostgreSQLStatistics? {
        var statistics = counters.statistics
        statistics.waitingWrites = writes.waitingCount
        return statistics
    }

    func countEndedSessions(_ count: Int) { counters.endedSessions.add(count, ordering: .relaxed) }

    func stopAccepting() {
        for queue in [reads, lookUps, scans, writes, urgent, longs] { queue.close() }
    }

    func waitUntilFinished() {
        threads.wait()
    }
}
