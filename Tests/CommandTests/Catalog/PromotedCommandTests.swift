import TestSupport
import Testing

@testable import PerennialCommand

/// Promoted products from the command line.
struct PromotedCommandTests {
    @Test func `products are promoted, put in order and removed`() async throws {
        try await RunningStore.run { store in
            func promoted(_ words: String...) async throws -> [Substring] {
                let table = try await RunningStore.run(["promoted"] + words + store.access).words
                return table.split(separator: "\n").dropFirst().compactMap { $0.split(separator: " ").first }
            }
            let none = try await store.run("promoted").words
            #expect(none == "The app promotes no product")
            #expect(try await promoted("add", "film.roll") == ["film.roll"])
            #expect(try await promoted("add", "monthly", "--hidden") == ["film.roll", "monthly"])
            #expect(try await store.run("promoted", "list").words.contains("by the app"))
            #expect(try await promoted("order", "monthly", "film.roll") == ["monthly", "film.roll"])
            #expect(try await promoted("remove", "film.roll") == ["monthly"])
            for words in [["add", "monthly"], ["remove", "film.roll"], ["order", "film.roll"]] {
                await #expect(throws: StoreClientError.self) {
                    try await RunningStore.run(["promoted"] + words + store.access)
                }
            }
        }
    }
}
