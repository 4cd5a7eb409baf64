import TestSupport
import Testing

@testable import PerennialCommand

/// `--revision` of the commands that change the catalog.
struct CatalogRevisionCommandTests {
    /// Commands that change the subscription `monthly`, or what belongs to it.
    private static let changes: [[String]] = [
        ["products", "edit", "monthly", "--name", "Later"],
        ["prices", "set", "monthly", "5.99"],
        ["prices", "schedule", "monthly", "6.99", "--at", "2094-01-01"],
        ["prices", "cancel", "monthly", "--at", "2090-01-01"],
        ["offers", "create", "monthly", "introductory", "--mode", "free-trial", "--period", "P1W"],
        ["offers", "edit", "monthly", "code", "radio", "--end-codes"],
        ["offers", "delete", "monthly", "code", "radio"],
    ]

    /// The last row of `products show`, or the last column of `groups list`.
    private static func revision(_ store: RunningStore, _ words: String..., row: String) async throws -> String {
        let lines = try await RunningStore.run(words + store.access).words.split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix(row) })
        return String(try #require(line.split(separator: " ").last))
    }

    private static func expectTold(_ words: [String], _ store: RunningStore) async throws {
        let error = await #expect(throws: (any Error).self) { try await RunningStore.run(words + store.access) }
        #expect(error.map { "\($0)" }?.hasSuffix("(changedMeanwhile)") == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test(arguments: changes)
    func `a change of what was changed meanwhile is refused`(words: [String]) async throws {
        try await RunningStore.run { store in
            _ = try await store.run("prices", "schedule", "monthly", "7.99", "--at", "2090-01-01")
            _ = try await store.run(
                "offers", "create", "monthly", "code", "radio", "--mode", "free-trial", "--period", "P1W")
            let read = try await Self.revision(store, "products", "show", "monthly", row: "revision")
            _ = try await store.run("products", "edit", "monthly", "--review-note", "Meanwhile")
            try await Self.expectTold(words + ["--revision", read], store)
            let now = try await Self.revision(store, "products", "show", "monthly", row: "revision")
            #expect(now != read)
            _ = try await RunningStore.run(words + ["--revision", now] + store.access)
        }
    }

    @Test func `a deletion of what was changed meanwhile is refused`() async throws {
        try await RunningStore.run { store in
            _ = try await store.run("products", "create", "new.one", "--type", "consumable", "--name", "New")
            let read = try await Self.revision(store, "products", "show", "new.one", row: "revision")
            _ = try await store.run("products", "edit", "new.one", "--name", "Newer")
            try await Self.expectTold(["products", "delete", "new.one", "--revision", read], store)
            let now = try await Self.revision(store, "products", "show", "new.one", row: "revision")
            #expect(
                try await store.run("products", "delete", "new.one", "--revision", now).words == "new.one is deleted")
        }
    }

    @Test func `a group that was changed meanwhile is neither changed nor deleted`() async throws {
        try await RunningStore.run { store in
            let made = try await store.run("groups", "create", "Club").words
            let id = try #require(made.split(separator: " ").last).description
            let read = try await Self.revision(store, "groups", "list", row: id)
            _ = try await store.run("groups", "edit", "Club", "--display-name", "en-US=The club")
            for change in [["edit", "Club", "--name", "Circle"], ["delete", "Club"]] {
                try await Self.expectTold(["groups"] + change + ["--revision", read], store)
            }
            let now = try await Self.revision(store, "groups", "list", row: id)
            #expect(try await store.run("groups", "delete", "Club", "--revision", now).words == "Club is deleted")
        }
    }

    @Test(arguments: [
        ["prices", "set", "monthly", "5.99", "--only-here", "--revision", "1"],
        ["prices", "cancel", "monthly", "--at", "2094-01-01", "--only-here", "--revision", "1"],
        ["groups", "edit", "Club", "--revision=-1"],
    ])
    func `a revision that means nothing is refused`(words: [String]) {
        #expect(throws: (any Error).self) { try Words.parse(words) }
    }
}
