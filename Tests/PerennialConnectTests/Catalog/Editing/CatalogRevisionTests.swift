import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// The catalog's revision, by which caches know a catalog.
struct CatalogRevisionTests {
    @Test(arguments: Engine.allCases)
    func `settings changed in an edit raise the revision for good`(engine: Engine) async throws {
        let catalog = try await EditedCatalog(engine)
        let before = try await Self.revision(catalog)
        // As the App Store Connect API sets the URL of an app's notifications.
        try await catalog.editor.edit(by: .control) { draft in
            try NotificationSettings(url: "https://example.com/hook").store(
                for: EditedCatalog.app, .production, realTime: TestStore.opening, on: draft.connection)
            try draft.note([CatalogChange.Field(name: "url", before: nil)], ofApp: EditedCatalog.app)
        }
        #expect(try await Self.revision(catalog) > before)
    }

    @Test func `edits and changes of settings on two nodes give each catalog a number of its own`() async throws {
        let location = try Engine.postgres.makeLocation()
        let nodes = try (0..<2).map { _ in try Database(location, options: .forTests) }
        try nodes[0].migrate()
        let catalog = try await EditedCatalog(nodes[0])
        let before = try await Self.revision(catalog)
        let count = 20
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask {
                for number in 0..<count { try await catalog.add("film.\(number)") }
            }
            group.addTask {
                for _ in 0..<count {
                    try await nodes[1].write { try AppsTable.touch(EditedCatalog.app, on: $0) }
                }
            }
        }
        #expect(try await Self.revision(catalog) == before + Int64(2 * count))
    }

    private static func revision(_ catalog: EditedCatalog) async throws -> Int64 {
        try await catalog.database.read { try CatalogHeadTable.revision(on: $0) }
    }
}
