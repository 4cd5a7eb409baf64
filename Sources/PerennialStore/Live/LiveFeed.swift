import Perennial
import PerennialStorage
import Synchronization

/// The events of a process as they happen, by environment. While nothing watches, nothing is recorded and nothing read.
package final class LiveFeed: Sendable {
    private let database: Database
    private let channels = Mutex<[String: LiveChannel]>([:])
    private let watchers = Atomic(0)

    init(database: Database) {
        self.database = database
    }

    /// True if there is a watcher of any environment: whether to look at the time before a request.
    package var isWatched: Bool { watchers.load(ordering: .relaxed) > 0 }

    /// Tells the watchers of an environment of a request.
    ///
    /// - Parameter environment: Its name; an unknown one has no watchers.
    package func record(_ request: LiveRequest, of bundleID: App.BundleID?, in environment: String, at now: Instant) {
        guard isWatched, let channel = channels.withLock({ $0[environment] }) else { return }
        let kind: LiveKind = request.status >= 400 || request.code != nil ? .refusal : .request
        channel.record(LiveEvent(at: now, kind: kind, bundleID: bundleID, .request(request)))
    }

    /// Tells the watchers of an environment of an attempt to send a notification.
    func record(
        _ notification: LiveNotification, of bundleID: App.BundleID, in environment: StoreEnvironment, at now: Instant
    ) {
        guard isWatched, let channel = channels.withLock({ $0[environment.name] }) else { return }
        let kind: LiveKind = notification.advice == nil ? .notification : .failedNotification
        channel.record(LiveEvent(at: now, kind: kind, bundleID: bundleID, .notification(notification)))
    }

    /// Begins to watch an environment.
    func watch(
        _ environment: StoreEnvironment, catalog: EnvironmentCatalog, _ filter: LiveFilter,
        from position: LivePosition?,
        isComplete: Bool
    ) async throws -> LiveWatcher {
        let (heads, app) = try await database.read { connection in
            let app = try filter.bundleID.map { id in
                guard let entry = try catalog.entry(id, on: connection) else {
                    throw StoreError(.appNotFound, id.rawValue, "this store has no app with that bundle ID")
                }
                return entry.app.appleID
            }
            return (try JournalTable.heads(environment.id, on: connection), app)
        }
        let channel = channels.withLock { channels in
            // An environment of the same name may have been removed and made again.
            if let channel = channels[environment.name], channel.environment == environment { return channel }
            let channel = LiveChannel(environment, catalog: catalog, database: database)
            channels[environment.name] = channel
            return channel
        }
        watchers.add(1, ordering: .relaxed)
        return LiveWatcher(
            channel, filter, app: app, from: position, heads: heads, isComplete: isComplete,
            whenEnded: { [weak self] in self?.watchers.subtract(1, ordering: .relaxed) })
    }
}

/// Watching of an environment's events as they happen.
package struct Live: StoreChapter {
    let context: StoreContext

    /// Begins to watch: what is committed after this call is told.
    ///
    /// - Parameters:
    ///   - position: The place in the journal to go on from; from now on if omitted.
    ///   - isComplete: True for every event of commerce, however many there are. Otherwise a watcher is told at most
    ///     ``LiveWatcher/rowsPerSecond`` events, and how many more there were.
    /// - Throws: ``StoreError`` `.appNotFound`.
    package func watch(
        _ filter: LiveFilter = LiveFilter(), from position: LivePosition? = nil, isComplete: Bool = false
    ) async throws -> LiveWatcher {
        try await context.live.watch(
            environment, catalog: catalog, filter, from: position, isComplete: isComplete)
    }

    /// The positions of an app's journal that ``recent(_:limit:)`` looks at.
    private static let recentPositions: Int64 = 500

    /// Returns the newest events of commerce that a filter wants, newest first: a page that begins to watch shows them.
    ///
    /// - Returns: The events, and the place in the journal after them, to watch from.
    /// - Throws: ``StoreError`` `.appNotFound`.
    package func recent(
        _ filter: LiveFilter = LiveFilter(), limit: Int
    ) async throws -> (events: [LiveEvent], position: LivePosition) {
        try await database.read { [self] connection in
            let wanted = try filter.bundleID.map { try app($0, on: connection).app.appleID }
            let heads = try JournalTable.heads(environment.id, on: connection)
            var events: [LiveEvent] = []
            for (app, head) in heads where wanted == nil || app == wanted {
                let entries = try JournalTable.namedEntries(
                    after: head - Self.recentPositions, limit: Int(Self.recentPositions), app: app, environment.id,
                    on: connection)
                events += try entries.map { try LiveEvent($0, app: app, catalog, on: connection) }
                    .filter(filter.contains).suffix(limit)
            }
            events.sort { $0.at > $1.at }
            return (Array(events.prefix(limit)), LivePosition(positions: heads))
        }
    }
}
