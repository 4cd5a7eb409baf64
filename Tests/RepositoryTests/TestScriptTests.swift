import Foundation
import Subprocesses
import Testing

/// `scripts/tests` with the output of test runs, as Swift Testing and XCTest write it.
struct TestScriptTests {
    private struct Run {
        var status: Int32
        var lines: [String]
    }

    private static let swiftTesting = """
        ◇ Test "a purchase that failed after a minute" started.
        ✔ Test "a purchase that failed after a minute" passed after 0.010 seconds.
        ✔ Test run with 1 test in 1 suite passed after 0.011 seconds.
        """

    /// Runs the script with a command that writes `log` and ends with a status.
    private static func run(_ log: String, status: Int32) throws -> Run {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("test-script-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(log.utf8).write(to: folder.appendingPathComponent("log"))
        let script = SourceTree.project.root.appendingPathComponent("scripts/tests").path
        let ended = try Subprocess.output(
            of: "/bin/bash", [script, "/bin/sh", "-c", "cat log; exit \(status)"], in: folder.path)
        return Run(status: ended.status, lines: ended.text.split(separator: "\n").map(String.init))
    }

    @Test(arguments: [0, 1] as [Int32])
    func `a failure of XCTest alone fails the run and is shown`(status: Int32) throws {
        let failure = "/app/ShopXCTests.swift:57: error: ShopXCTests.testSale : XCTAssertTrue failed - not sold"
        let run = try Self.run(
            """
            Test Case 'ShopXCTests.testSale' started at 2026-11-28 15:00:00.000
            \(failure)
            Test Case 'ShopXCTests.testSale' failed (0.1 seconds)
            \t Executed 1 test, with 1 failure (0 unexpected) in 0.1 (0.1) seconds
            \(Self.swiftTesting)

            """, status: status)
        #expect(run.status == 1)
        #expect(run.lines.contains(failure))
        #expect(run.lines.contains("Test Case 'ShopXCTests.testSale' failed (0.1 seconds)"))
        #expect(run.lines.contains("XCTest: Executed 1 test, with 1 failure (0 unexpected) in 0.1 (0.1) seconds"))
    }

    @Test func `a run of both kinds without a failure succeeds`() throws {
        let run = try Self.run(
            """
            Test Case 'ShopXCTests.testSale' started at 2026-11-28 15:00:00.000
            Test Case 'ShopXCTests.testSale' passed (0.1 seconds)
            \t Executed 1 test, with 0 failures (0 unexpected) in 0.1 (0.1) seconds
            \(Self.swiftTesting)

            """, status: 0)
        #expect(run.status == 0)
        #expect(run.lines.last?.hasPrefix("XCTest: Executed 1 test") == true)
    }

    @Test func `an issue of Swift Testing is shown with its lines, and fails the run`() throws {
        let run = try Self.run(
            """
            ✘ Test "sale" recorded an issue at Shop.swift:3:1: Expectation failed
            ↳ not sold
            ✘ Test "sale" failed after 0.010 seconds with 1 issue.
            ✘ Test run with 1 test in 1 suite failed after 0.011 seconds with 1 issue.

            """, status: 1)
        #expect(run.status == 1)
        #expect(run.lines.contains("↳ not sold"))
        #expect(run.lines.contains("✘ Test \"sale\" failed after 0.010 seconds with 1 issue."))
    }
}
