import Foundation
import TestSupport
import Testing

/// The demo is a test of its own: it must notice what comes out wrong, and say so with its exit code.
struct DemoTests {
    struct Slip: Sendable, CustomTestStringConvertible {
        /// A line of the example's catalog, and what stands there instead.
        let line: String
        let instead: String
        /// The output of the failing step, and the title of the step behind it.
        let failure: String
        let next: String

        var testDescription: String { instead }
    }

    @Test(arguments: [
        Slip(
            line: "clearedForSale: false", instead: "clearedForSale: true", failure: "the invalid product IDs",
            next: "Greta buys all five types"),
        Slip(
            line: "overlap: refuse", instead: "overlap: extend", failure: "the course of the payment",
            next: "Content comes"),
    ])
    func `a failing step ends the demo with an exit code`(slip: Slip) async throws {
        let examples = "\(try TemporaryFolder.make())/Examples"
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        try FileManager.default.copyItem(atPath: repository.appending(path: "Examples").path, toPath: examples)
        let catalog = URL(filePath: "\(examples)/Magazine/catalog.yaml")
        let text = try String(contentsOf: catalog, encoding: .utf8)
        try #require(text.contains(slip.line))
        try Data(text.replacing(slip.line, with: slip.instead).utf8).write(to: catalog)

        let ended = try await PerennialProcess(["demo", "--examples", examples]).ended()
        #expect(ended.status == 1)
        #expect(ended.output.contains("✗ \(slip.failure)"), "\(ended.output)\(ended.errors)")
        #expect(!ended.output.contains(slip.next))
    }
}
