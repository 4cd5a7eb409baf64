import Perennial
import PerennialConnect
import PerennialStorage
import TestSupport
import Testing

/// The catalog's journal.
struct CatalogJournalTests {
    @Test(arguments: Engine.allCases)
    func `each changed resource has an entry with its author`(engine: Engine) async throws {
        let catalog = try await EditedCatalog(engine)
        let number = try await catalog.add("coins", "gems")[0]
        let start = try await catalog.changes().last?.position ?? 0
        try await catalog.editor.edit(by: .user("ann@example.com")) { draft in
            try draft.update(number) { $0.product.referenceName = "one" }
            try draft.update(number) { $0.product.referenceName = "two" }
            try draft.update(app: EditedCatalog.app) { $0.name = "Renamed" }
            try draft.insert(SubscriptionGroup(id: "g", referenceName: "Group"), app: EditedCatalog.app)
        }
        try await catalog.editor.edit(by: .key("K")) { try $0.delete(number) }
        let changes = try await catalog.changes(after: start)
        #expect(changes.map(\.position) == Array(start + 1...start + 4))
        #expect(changes.map(\.subject) == [.app, .group, .product, .product])
        #expect(changes.map(\.kind) == [.changed, .created, .changed, .deleted])
        #expect(changes.map(\.actor) == Array(repeating: .user("ann@example.com"), count: 3) + [.key("K")])
        #expect(changes.map(\.name) == ["com.example.edited", "Group", "coins", "coins"])
        #expect(changes[0].fields == [CatalogChange.Field(name: "name", before: "Edited", after: "Renamed")])
        #expect(changes[2].fields == [CatalogChange.Field(name: "referenceName", before: "coins", after: "two")])
        #expect(changes.allSatisfy { $0.at == TestStore.opening && $0.app == EditedCatalog.app })
    }

    @Test func `the journal is read in pages, of one app or all`() async throws {
        let catalog = try await EditedCatalog()
        for count in 0..<5 { try await catalog.add("p\(count)") }
        let pages = try await catalog.editor.read { reader in
            let first = try reader.changes(after: 0, limit: 4, app: EditedCatalog.app)
            let second = try reader.changes(after: first.last?.position ?? 0, limit: 4, app: EditedCatalog.app)
            return [first.count, second.count, try reader.changes(after: 0, limit: 4, app: 5).count]
        }
        // The app itself was created first.
        #expect(pages == [4, 2, 0])
    }
}
