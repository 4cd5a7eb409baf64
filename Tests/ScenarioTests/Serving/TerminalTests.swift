import Foundation
import Subprocesses
import TestSupport
import Testing

/// Commands as a person at a terminal runs them: with colours and questions.
struct TerminalTests {
    /// Starts a store with an environment, and runs a test with the options that lead to it.
    private static func withStore(_ test: ([String]) async throws -> Void) async throws {
        let store = try await RunningStore.start(data: "", ["--in-memory"])
        let access = ["--url", store.url, "--token", store.controlToken]
        let made = try await PerennialProcess(["environments", "create", "lab"] + access).ended()
        #expect(made.status == 0, "\(made.errors)")
        try await test(access)
        await store.stop()
    }

    @Test func `a terminal gets colours, unless NO_COLOR or a pipe takes them`() async throws {
        let words = ["accounts", "lst"]
        let coloured = try PseudoTerminal.run(words)
        #expect(coloured.output.contains("\u{1B}[31mError:\u{1B}[0m") && coloured.status == 64, "\(coloured)")
        let plain = try PseudoTerminal.run(words, environment: ["NO_COLOR": "1"])
        #expect(plain.output.contains("Error:") && !plain.output.contains("\u{1B}"), "\(plain)")
        let piped = try await PerennialProcess(words).ended()
        #expect(piped.errors.contains("Error:") && !piped.errors.contains("\u{1B}"), "\(piped.errors)")
    }

    @Test(arguments: [("n", false), ("", false), ("yes", true)])
    func `a destructive command asks, and changes nothing unless told yes`(
        answer: String, isDeleted: Bool
    ) async throws {
        try await Self.withStore { access in
            let told = try PseudoTerminal.run(["environments", "delete", "lab"] + access, typing: "\(answer)\n")
            #expect(told.output.contains("Delete the environment lab?") && told.output.contains("[y/N]"), "\(told)")
            #expect((told.status == 0) == isDeleted, "\(told)")
            #expect(told.output.contains("nothing was changed") == !isDeleted, "\(told)")
            let listed = try await PerennialProcess(["environments", "list"] + access).ended()
            #expect(listed.output.contains("lab") == !isDeleted, "\(listed.output)")
        }
    }

    @Test func `a destructive command doesn't ask without a terminal, or with --yes`() async throws {
        try await Self.withStore { access in
            let reset = try PseudoTerminal.run(["environments", "reset", "lab", "--yes"] + access)
            #expect(reset.status == 0 && !reset.output.contains("[y/N]"), "\(reset)")
            let deleted = try await PerennialProcess(["environments", "delete", "lab"] + access).ended()
            #expect(deleted.status == 0 && !deleted.errors.contains("[y/N]"), "\(deleted.errors)")
        }
    }

    @Test func `the banner has a link to the console, and a command follows the journal`() async throws {
        let store = try await RunningStore.start(data: "", ["--in-memory"])
        let access = ["--url", store.url, "--token", store.controlToken]
        let bought = try await PerennialProcess(["buy", "film.roll", "--account", "ann"] + access).ended()
        #expect(bought.status == 0, "\(bought.errors)")
        let events = try await PerennialProcess(["listen", "--after", "0", "--no-follow"] + access).ended()
        #expect(events.status == 0 && events.output.contains("film.roll"), "\(events.output)\(events.errors)")
        // A program goes on after the last position that it has read.
        _ = try await PerennialProcess(["buy", "film.roll", "--account", "ben"] + access).ended()
        func purchases(after position: String) async throws -> [JSONValue] {
            let words = ["listen", "--json", "--kind", "purchase", "--after", position, "--no-follow"] + access
            let lines = try await PerennialProcess(words).ended().output.split(separator: "\n")
            return try lines.map { try #require(try JSONValue(Array($0.utf8))["commerce"]) }
        }
        let all = try await purchases(after: "0")
        #expect(all.map { $0["account"] } == ["ann", "ben"])
        let position = try #require(all.first?["position"]?.number).formatted(.number.grouping(.never))
        #expect(try await purchases(after: position).map { $0["account"] } == ["ben"])
        let line = await store.stop().output.split(separator: "\n").first { $0.hasPrefix("  Console ") }
        let console = try #require(line)
        #expect(console.contains(" \(store.url)/"), "\(console)")
        #expect(console.contains("code=") && console.hasSuffix("  (signs in once)"), "\(console)")
    }
}

/// A terminal without a screen, which `script` of util-linux or BSD opens.
private enum PseudoTerminal {
    struct Ended {
        let status: Int32
        /// Text that was written to the terminal, with the echo of what was typed.
        let output: String
    }

    /// Runs a command on a terminal of its own, to its end.
    ///
    /// - Parameter text: The text that is typed at the start.
    static func run(
        _ arguments: [String], typing text: String = "", environment: [String: String] = [:]
    ) throws -> Ended {
        var variables = ProcessInfo.processInfo.environment
        variables["NO_COLOR"] = nil
        variables.merge([
            "TERM": "xterm", "COLUMNS": "200", "PERENNIAL_RUNTIME_DIR": "\(try TemporaryFolder.make())/runtime",
        ]) { $1 }
        let line = ([try PerennialProcess.executable().path] + arguments).map { "'\($0)'" }.joined(separator: " ")
        #if os(Linux)
            let words = ["--quiet", "--return", "--command", line, "/dev/null"]
        #else
            let words = ["-q", "/dev/null", "/bin/sh", "-c", line]
        #endif
        let (typed, keyboard) = try StandardStreams.pipe()
        let (screen, written) = try StandardStreams.pipe()
        let program = try Subprocess(
            "/usr/bin/script", words, environment: variables.merging(environment) { $1 },
            streams: StandardStreams(input: .file(typed), output: .file(written)))
        try keyboard.write(contentsOf: Data(text.utf8))
        try keyboard.close()
        let output = try screen.readToEnd() ?? Data()
        return Ended(status: program.wait(), output: String(decoding: output, as: UTF8.self))
    }
}
