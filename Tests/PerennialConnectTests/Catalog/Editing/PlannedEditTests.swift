import Foundation
import Perennial
import PerennialConnect
import PerennialStorage
import Synchronization
import TestSupport
import Testing

/// Edits that are decided on a snapshot: written if nothing has changed since, otherwise decided again.
struct PlannedEditTests {
    /// Runs an edit, and others between its decision and its writing.
    private static func edit<Value: Sendable>(
        _ catalog: EditedCatalog, meanwhile: @escaping @Sendable (Database) throws -> Void,
        _ body: @escaping @Sendable (CatalogDraft) throws -> Value
    ) async throws -> (value: Value, runs: Int) {
        let runs = Mutex(0)
        let isDecided = DispatchSemaphore(value: 0)
        let mayWrite = DispatchSemaphore(value: 0)
        let (database, changes) = (catalog.database, meanwhile)
        // The thread of the snapshot waits, and the writer's is free.
        let other = Thread {
            isDecided.wait()
            do { try changes(database) } catch { Issue.record(error) }
            mayWrite.signal()
        }
        other.start()
        let value = try await catalog.editor.edit(by: .control) { draft in
            let value = try body(draft)
            if runs.withLock({
                $0 += 1; return $0
            }) == 1 {
                isDecided.signal()
                mayWrite.wait()
            }
            return value
        }
        return (value, runs.withLock { $0 })
    }

    private static func rename(
        _ number: Int64, _ name: String, expecting revision: Int64? = nil
    ) -> @Sendable (CatalogDraft) throws -> Void {
        { try $0.update(number, expecting: revision) { $0.product.referenceName += name } }
    }

    /// An edit of another node.
    private static func other(
        _ body: @escaping @Sendable (CatalogDraft) throws -> Void
    ) -> @Sendable (Database) throws -> Void {
        { database in
            try database.writeSync {
                try CatalogEditor.edit(by: .control, at: TestStore.opening, on: $0, body)
            }
        }
    }

    @Test(arguments: Engine.lasting)
    func `an edit is decided once, on a snapshot`(engine: Engine) async throws {
        let catalog = try await EditedCatalog(engine)
        let number = try await catalog.add("coins")[0]
        let (_, runs) = try await Self.edit(catalog, meanwhile: { _ in }, Self.rename(number, "!"))
        #expect(runs == 1)
        let cached = try #require(try await catalog.product(number))
        #expect(cached.product.referenceName == "coins!")
        // The editor keeps what it has written; another one reads it.
        let other = CatalogEditor(database: catalog.database) { TestStore.opening }
        #expect(try await other.read { try $0.product(number) } == cached)
        #expect(try await catalog.changes().map(\.position) == [1, 2, 3])
    }

    @Test(arguments: Engine.lasting)
    func `an edit between its decision and its writing is lost by neither`(engine: Engine) async throws {
        let catalog = try await EditedCatalog(engine)
        let number = try await catalog.add("coins")[0]
        let (_, runs) = try await Self.edit(
            catalog, meanwhile: Self.other(Self.rename(number, " two")), Self.rename(number, " one"))
        #expect(runs == 2)
        #expect(try await catalog.product(number)?.product.referenceName == "coins two one")
        let changes = try await catalog.changes()
        #expect(changes.map(\.position) == [1, 2, 3, 4])
        #expect(changes.last?.fields.first?.before == "coins two")
    }

    @Test(arguments: Engine.lasting)
    func `a writer who has read an older revision is told`(engine: Engine) async throws {
        let catalog = try await EditedCatalog(engine)
        let number = try await catalog.add("coins")[0]
        let read = try #require(try await catalog.product(number)).revision
        let error = await #expect(throws: CatalogEditError.self) {
            _ = try await Self.edit(
                catalog, meanwhile: Self.other(Self.rename(number, " two")),
                Self.rename(number, " one", expecting: read))
        }
        #expect(error?.code == .changedMeanwhile)
        #expect(try await catalog.product(number)?.product.referenceName == "coins two")
    }

    @Test(arguments: Engine.lasting)
    func `a clock that moves between is looked at again`(engine: Engine) async throws {
        let catalog = try await EditedCatalog(engine)
        let number = try await catalog.add("coins")[0]
        let (earliest, runs) = try await Self.edit(
            catalog,
            meanwhile: { database in
                let environment = StoreEnvironment(
                    id: StoreEnvironment.ID(rawValue: 9), name: "late", kind: .sandbox, clock: .manual)
                try database.writeSync {
                    try EnvironmentsTable.insert(
                        environment, now: Instant(milliseconds: 5), firstID: 1, secret: [], seed: nil, on: $0)
                }
            },
            { draft -> Instant? in
                try draft.update(number) { $0.product.referenceName = "Coins" }
                return try draft.consistent { try EnvironmentsTable.earliestManualNow(on: $0) }
            })
        #expect((earliest, runs) == (Instant(milliseconds: 5), 2))
    }

    @Test(arguments: Engine.allCases)
    func `an edit that reads or writes beside the catalog is decided in its transaction`(engine: Engine) async throws {
        let catalog = try await EditedCatalog(engine)
        let number = try await catalog.add("coins")[0]
        let runs = Mutex(0)
        try await catalog.editor.edit(by: .control) { draft in
            runs.withLock { $0 += 1 }
            // An error that is caught changes nothing about it.
            try? draft.setReviewMode(.manual)
            try draft.update(number) { $0.product.referenceName = "Coins" }
        }
        #expect(runs.withLock { $0 } == 2)
        let (mode, name) = try await catalog.editor.read {
            (try $0.reviewMode(), try $0.product(number)?.product.referenceName)
        }
        #expect((mode, name) == (.manual, "Coins"))
    }
}
