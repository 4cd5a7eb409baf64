import Perennial
import PerennialStorage
import Synchronization

/// The events of one environment, for all its watchers: one reader of the journal, which runs while there is a watcher.
final class LiveChannel: Sendable {
    /// The longest time until an event of another node is seen.
    private static let pollInterval = Duration.milliseconds(50)
    /// The time in which further commits are gathered for one read.
    private static let gatherInterval = Duration.milliseconds(20)
    /// The most entries of an app in one read. Older ones are skipped, unless a watcher wants all of them.
    static let pageSize = 100
    /// The most requests and attempts that wait for the next read.
    private static let maximumWaiting = 4096

    let environment: StoreEnvironment
    private let catalog: EnvironmentCatalog
    private let database: Database
    private let state = Mutex(State())
    /// True if the reader is going to read.
    private let isWoken = Atomic(false)

    private struct State {
        var ring = LiveRing()
        /// Requests and attempts since the last read. They are told after the commits that they followed.
        var waiting: [LiveEvent] = []
        var lost: Int64 = 0
        /// The positions that the reader has come to, by app.
        var cursor: [Int64: Int64] = [:]
        var watchers: [Int: (wake: @Sendable () -> Void, isComplete: Bool)] = [:]
        var nextWatcher = 0
        var reader: Reader?

        var wantsAll: Bool { watchers.values.contains(where: \.isComplete) }
    }

    private struct Reader {
        var number: Int
        var task: Task<Void, Never>
        var commits: Int
        /// Wakes it. Pending wake-ups coalesce.
        var wakeUps: AsyncStream<Void>.Continuation
    }

    init(_ environment: StoreEnvironment, catalog: EnvironmentCatalog, database: Database) {
        self.environment = environment
        self.catalog = catalog
        self.database = database
    }

    /// Wakes the reader. Called after each commit of the process.
    private func wake() {
        guard !isWoken.exchange(true, ordering: .acquiringAndReleasing) else { return }
        state.withLock { $0.reader?.wakeUps }?.yield()
    }

    func record(_ event: LiveEvent) {
        state.withLock { state in
            guard !state.watchers.isEmpty else { return }
            if state.waiting.count < Self.maximumWaiting {
                state.waiting.append(event)
            } else {
                state.lost += 1
            }
        }
        wake()
    }

    /// Adds a watcher, and starts the reader with the first.
    ///
    /// - Parameter heads: The journals' positions, read before.
    /// - Returns: The watcher's number, the next event in the ring, and the positions that the ring begins after.
    func add(
        heads: [Int64: Int64], isComplete: Bool, wake: @escaping @Sendable () -> Void
    ) -> (number: Int, next: Int64, cursor: [Int64: Int64]) {
        state.withLock { state in
            state.nextWatcher += 1
            state.watchers[state.nextWatcher] = (wake, isComplete)
            if state.reader == nil {
                state.cursor = heads
                let number = state.nextWatcher
                let commits = database.commits.add { [weak self] in self?.wake() }
                let (wakeUps, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
                // The request of its first watcher ends before it.
                let task = RequestDeadline.$current.withValue(nil) { Task { await self.run(number, wakeUps) } }
                state.reader = Reader(number: number, task: task, commits: commits, wakeUps: continuation)
            }
            return (state.nextWatcher, state.ring.end, state.cursor)
        }
    }

    /// Removes a watcher, and ends the reader with the last.
    func remove(_ number: Int) {
        let ended = state.withLock { state -> Reader? in
            state.watchers[number] = nil
            guard state.watchers.isEmpty else { return nil }
            state.ring.removeAll()
            state.waiting = []
            state.lost = 0
            defer { state.reader = nil }
            return state.reader
        }
        guard let ended else { return }
        database.commits.remove(ended.commits)
        ended.task.cancel()
    }

    /// Returns the events from a sequence number on, the number of those that are gone, the next sequence number, and the
    /// positions that the ring has come to.
    func events(
        from sequence: Int64
    ) -> (events: ArraySlice<LiveEvent>, lost: Int64, next: Int64, cursor: [Int64: Int64]) {
        state.withLock { state in
            let found = state.ring.events(from: sequence)
            return (found.events, found.lost, state.ring.end, state.cursor)
        }
    }

    /// Returns entries after a position, for a watcher that is behind the ring.
    func entries(after position: Int64, app: Int64) async throws -> [LiveEvent] {
        try await database.read { [self] connection in
            try JournalTable.namedEntries(
                after: position, limit: 5 * Self.pageSize, app: app, environment.id, on: connection
            ).map { try LiveEvent($0, app: app, catalog, on: connection) }
        }
    }

    // MARK: The reader

    private func run(_ number: Int, _ wakeUps: AsyncStream<Void>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                while (try? await Task.sleep(for: Self.pollInterval)) != nil { wake() }
            }
            while !Task.isCancelled {
                isWoken.store(false, ordering: .sequentiallyConsistent)
                if await read(number) {
                    try? await Task.sleep(for: Self.gatherInterval)
                } else {
                    for await _ in wakeUps { break }
                }
            }
            group.cancelAll()
        }
    }

    /// The result of one read.
    private struct Page: Sendable {
        var events: [LiveEvent] = []
        var cursor: [Int64: Int64] = [:]
    }

    /// Reads what was committed, and tells it to the watchers.
    ///
    /// - Returns: False if there was nothing. A database that doesn't answer is asked again.
    private func read(_ number: Int) async -> Bool {
        let (waiting, cursor, lost, wantsAll) = state.withLock { state in
            defer { (state.waiting, state.lost) = ([], 0) }
            return (state.waiting, state.cursor, state.lost, state.wantsAll)
        }
        let page = try? await database.read { [self] connection in
            try self.page(after: cursor, wantsAll: wantsAll, waiting, on: connection)
        }
        var events = page?.events ?? waiting
        if lost > 0 {
            events.append(LiveEvent(at: events.last?.at ?? .beginningOfTime, kind: .skipped, .skipped(lost)))
        }
        guard !events.isEmpty else { return false }
        let wakes = state.withLock { state -> [@Sendable () -> Void] in
            guard state.reader?.number == number else { return [] }
            for event in events { state.ring.append(event) }
            if let page { state.cursor = page.cursor }
            return state.watchers.values.map(\.wake)
        }
        for wake in wakes { wake() }
        return true
    }

    private func page(
        after cursor: [Int64: Int64], wantsAll: Bool, _ waiting: [LiveEvent], on connection: any Connection
    ) throws -> Page {
        var page = Page()
        let heads = try JournalTable.heads(environment.id, on: connection)
        var cursor = cursor
        if cursor.contains(where: { $0.value > heads[$0.key] ?? 0 }) {
            page.events.append(.emptied)
            cursor = [:]
        }
        page.cursor = cursor
        for (app, head) in heads.sorted(by: { $0.key < $1.key }) {
            var start = cursor[app] ?? 0
            guard head > start else { continue }
            if !wantsAll, head - start > Int64(Self.pageSize) {
                let skipped = head - start - Int64(Self.pageSize)
                page.events.append(LiveEvent(at: .beginningOfTime, kind: .skipped, .skipped(skipped)))
                start += skipped
            }
            let entries = try JournalTable.namedEntries(
                after: start, limit: 10 * Self.pageSize, app: app, environment.id, on: connection)
            for entry in entries { page.events.append(try LiveEvent(entry, app: app, catalog, on: connection)) }
            page.cursor[app] = entries.last?.position ?? start
        }
        page.events += try waiting.map { try named($0, on: connection) }
        return page
    }

    /// Adds the customer's name to an attempt to send a notification.
    private func named(_ event: LiveEvent, on connection: any Connection) throws -> LiveEvent {
        guard case .notification(var notification) = event.content, notification.accountID.rawValue != 0 else {
            return event
        }
        notification.account = try AccountsTable.account(notification.accountID, environment.id, on: connection)?.name
        var event = event
        event.content = .notification(notification)
        return event
    }
}
