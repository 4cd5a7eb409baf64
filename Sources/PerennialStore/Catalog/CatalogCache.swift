import Foundation
import Logging
import Perennial
import PerennialStorage
import Synchronization

/// A cache of the decoded apps in the database.
///
/// Each transaction that uses it compares the catalog's revision first, so a change by another node is seen at once. Only the
/// rows that have changed since are decoded.
package final class CatalogCache: Sendable {
    /// Committed states of the catalog follow each other. A transaction that has changed the catalog itself has a state of its
    /// own, because it may be rolled back.
    private struct State {
        var committed = CachedCatalog()
        var uncommitted: (snapshot: SnapshotID, catalog: CachedCatalog)?
        /// The era of the committed states (`Database.era`): in another one a revision's number may stand for another catalog.
        private(set) var era: Int64 = 0
        /// The snapshots whose revisions were compared last: more than a node has connections.
        private var checked: [SnapshotID] = []
        private var next = 0

        private static let checkedMax = 32

        /// Forgets everything if a connection is of a later era.
        mutating func enter(_ era: Int64) {
            guard era > self.era else { return }
            self = State()
            self.era = era
        }

        func isChecked(_ snapshot: SnapshotID) -> Bool {
            checked.contains(snapshot) || uncommitted?.snapshot == snapshot
        }

        mutating func check(_ snapshot: SnapshotID) {
            guard checked.count == Self.checkedMax else { return checked.append(snapshot) }
            checked[next] = snapshot
            next = (next + 1) % Self.checkedMax
        }
    }

    private let state = Mutex(State())
    private let logger: Logger

    package init(logger: Logger = Logger(label: "perennial.catalog")) {
        self.logger = logger
    }

    package func entry(_ bundleID: App.BundleID, on connection: any Connection) throws -> Entry? {
        try withCatalog(on: connection) { $0.entries.byBundleID[bundleID] }
    }

    package func entry(number: Int64, on connection: any Connection) throws -> Entry? {
        try withCatalog(on: connection) { $0.entries.byNumber[number] }
    }

    /// Returns the number of an app as far as it is known without a look at the database, for announcements of reads.
    func lastKnownNumber(of bundleID: App.BundleID) -> Int64? {
        state.withLock { $0.committed.entries.byBundleID[bundleID]?.app.appleID }
    }

    package func all(on connection: any Connection) throws -> [Entry] {
        try withCatalog(on: connection) { $0.entries.sorted }
    }

    /// Returns the apps as an environment sells them: with its own prices, renewal rate and billing settings.
    package func entries(in environment: StoreEnvironment, on connection: any Connection) throws -> Entries {
        try withCatalog(on: connection) { $0.entries(in: environment) }
    }

    /// Runs a body on the catalog that the transaction reads.
    private func withCatalog<Value: Sendable>(
        on connection: any Connection, _ body: (inout CachedCatalog) -> Value
    ) throws -> Value {
        let snapshot = connection.snapshotID
        try refresh(snapshot, on: connection)
        return state.withLock { state in
            guard var own = state.uncommitted, own.snapshot == snapshot else { return body(&state.committed) }
            let value = body(&own.catalog)
            state.uncommitted = own
            return value
        }
    }

    private func refresh(_ snapshot: SnapshotID, on connection: any Connection) throws {
        let era = connection.era
        let isChecked = state.withLock { state in
            state.enter(era)
            return state.isChecked(snapshot)
        }
        guard !isChecked else { return }
        let revision = try CatalogHeadTable.revision(on: connection)
        let known = state.withLock { state in
            // An older snapshot is served with the newer catalog: it was committed, and sales are about to see it.
            if state.committed.revision >= revision, !connection.hasChangedCatalog {
                state.check(snapshot)
                return nil as (revision: Int64, apps: Set<Int64>)?
            }
            return (state.committed.revision, state.committed.apps)
        }
        guard let known else { return }
        let changes = try CatalogChanges(
            after: known.revision, upTo: revision, apps: known.apps, on: connection, logger)
        if connection.hasChangedCatalog {
            state.withLock { state in
                var catalog = state.committed
                catalog.apply(changes)
                state.uncommitted = (snapshot, catalog)
            }
        } else {
            state.withLock { state in
                // A catalog of an earlier era says nothing of this one.
                guard state.era <= era else { return }
                state.uncommitted = nil
                state.committed.apply(changes)
                state.check(snapshot)
            }
        }
    }
}
