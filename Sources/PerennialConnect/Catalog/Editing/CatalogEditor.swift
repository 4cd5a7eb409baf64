import Perennial
import PerennialStorage

/// Reads and edits the catalog in the database: one for each process.
package struct CatalogEditor: Sendable {
    package let database: Database
    private let wallClock: @Sendable () -> Instant
    private let decoded = DecodedCatalog()

    /// - Parameter wallClock: Returns the real time, which the catalog's journal records.
    package init(database: Database, wallClock: @escaping @Sendable () -> Instant) {
        self.database = database
        self.wallClock = wallClock
    }

    /// Edits the catalog: all of it happens, or nothing.
    ///
    /// The draft collects the changes of the body. At its end the rows that differ are written with a new revision, and each
    /// changed resource gets an entry in the catalog's journal. Edits follow one another on all nodes.
    ///
    /// The body runs on a snapshot, beside sales, and its rows are written if the catalog has the same revision then. It
    /// runs again in the writing transaction if another edit came between, or if it reads or writes more than the catalog.
    /// So it must have no effect outside the draft.
    /// - Throws: The body's error, or ``StorageError``. Then nothing is changed.
    @discardableResult
    package func edit<Value: Sendable>(
        by actor: CatalogActor, _ body: @escaping @Sendable (CatalogDraft) throws -> Value
    ) async throws -> Value {
        let now = wallClock()
        let planned = try await database.read { try plan(by: actor, at: now, on: $0, body) }
        if let planned, planned.plan.isEmpty { return planned.value }
        let (value, isPlanned) = try await database.write { connection in
            if let planned, try planned.plan.write(on: connection) { return (planned.value, true) }
            return (try Self.edit(by: actor, at: now, on: connection, body), false)
        }
        if isPlanned, let plan = planned?.plan { decoded.apply(plan) }
        return value
    }

    /// Decides an edit on a snapshot.
    ///
    /// - Returns: `nil` if it must be decided in a transaction that writes.
    private func plan<Value>(
        by actor: CatalogActor, at now: Instant, on snapshot: any Connection, _ body: (CatalogDraft) throws -> Value
    ) throws -> (value: Value, plan: PlannedEdit)? {
        let draft = try CatalogDraft(planning: actor, at: now, on: snapshot, decoded: decoded)
        do {
            let value = try body(draft)
            return draft.needsTransaction ? nil : (value, try draft.plan())
        } catch {
            if draft.needsTransaction { return nil }
            throw error
        }
    }

    /// Edits the catalog in a transaction that has begun.
    /// - Parameter at: The real time.
    @discardableResult
    package static func edit<Value>(
        by actor: CatalogActor, at: Instant, on connection: any Connection, _ body: (CatalogDraft) throws -> Value
    ) throws -> Value {
        let draft = try CatalogDraft(actor: actor, at: at, on: connection)
        let value = try body(draft)
        try draft.finish()
        return value
    }

    /// Reads the catalog in one transaction. Products that were read before and haven't changed aren't decoded again.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (CatalogReader) throws -> Value
    ) async throws -> Value {
        try await database.read { try body(CatalogReader(on: $0, decoded: decoded)) }
    }

    /// Returns a reader for a transaction that has begun and has changed nothing.
    package func reader(on connection: any Connection) throws -> CatalogReader {
        try CatalogReader(on: connection, decoded: decoded)
    }
}
