import Foundation
import Perennial
import PerennialConnect
import TestSupport
import Testing

@testable import PerennialCommand

struct CatalogChangesTests {
    @Test func `changes are printed with their authors and fields`() async throws {
        try await RunningStore.run { store in
            let editor = CatalogEditor(database: store.shop.database) { TestStore.opening }
            let start = try await editor.read {
                try $0.changes(after: 0, limit: 1000, app: nil).last?.position ?? 0
            }
            try await editor.edit(by: .commandLine("ann")) { draft in
                try draft.update(101) {
                    $0.product.referenceName = "Roll"
                    $0.product.prices[.usa] = Money(milliunits: 1290, .usd)
                }
            }
            try await editor.edit(by: .control) { try $0.delete(101) }
            let report = try await store.run("catalog", "changes", "list", "--after", "\(start)")
            let rows = report.words.split(separator: "\n").dropFirst().map { row in
                row.split(separator: "  ").map { String($0).trimmingCharacters(in: .whitespaces) }
            }
            #expect(
                rows == [
                    [
                        "\(start + 1)", "2026-01-01T00:00:00.789Z", "command-line:ann",
                        "changed product film.roll: prices.USA → USD 1.29; referenceName Reference film.roll → Roll",
                    ],
                    ["\(start + 2)", "2026-01-01T00:00:00.789Z", "control", "deleted product film.roll"],
                ])
            let page = try await store.run(
                "catalog", "changes", "list", "--after", "\(start)", "--limit", "1", "--app", "com.example.magazine")
            #expect(page.words.hasSuffix("More may follow: --after \(start + 1)"))
            let none = try await store.run("catalog", "changes", "list", "--after", "\(start + 2)")
            #expect(none.words == "The catalog has no changes")
            let file = "\(try TemporaryFolder.make())/catalog.yaml"
            _ = try await store.run("catalog", "export", "--app", "com.example.magazine", "--output", file)
            let text = try String(contentsOfFile: file, encoding: .utf8)
            try text.replacing("Reference filter.amber", with: "Amber").write(
                toFile: file, atomically: true, encoding: .utf8)
            _ = try await store.run("catalog", "import", file)
            let imported = try await store.run("catalog", "changes", "list", "--after", "\(start + 2)").words
            #expect(imported.contains("  command-line:"))
            #expect(imported.contains("changed product filter.amber from \(file): referenceName "))
            let unknown = try await store.error("catalog", "changes", "list", "--app", "com.example.magazin")
            #expect(unknown.contains("did you mean com.example.magazine?"), "\(unknown)")
        }
    }
}
