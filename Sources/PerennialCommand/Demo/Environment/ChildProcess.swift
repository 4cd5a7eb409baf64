import Foundation
import Subprocesses

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Another process of this program, as a server.
final class ChildProcess: Sendable {
    /// The limit for a server to become ready, or to end.
    private static let timeout = Duration.seconds(20)
    private static let pollInterval = Duration.milliseconds(5)

    private let program: Subprocess
    private let name: String

    /// - Parameters:
    ///   - environment: Added to this process's.
    ///   - log: Where its warnings and errors go, at the end of what is there.
    init(_ arguments: [String], environment: [String: String] = [:], log: URL, _ cleanup: Cleanup) throws {
        guard let executable = Bundle.main.executableURL else {
            throw CommandError("this program doesn't know its own file")
        }
        if !FileManager.default.fileExists(atPath: log.path) {
            try Data().write(to: log)
        }
        let output = try FileHandle(forWritingTo: log)
        try output.seekToEnd()
        // The banner is lost: what it says is in the ready file.
        program = try Subprocess(
            executable.path, arguments,
            // Its state file is in the demo's folder: other commands don't find a store of the demo.
            environment: ProcessInfo.processInfo.environment
                .merging([RuntimeFolder.variable: log.path + ".runtime"]) { $1 }.merging(environment) { $1 },
            streams: StandardStreams(errors: .file(output)))
        name = arguments.first ?? "perennial"
        cleanup.add { [self] in end() }
    }

    var identifier: Int32 { program.identifier }

    var isRunning: Bool { program.isRunning }

    /// Waits for the file that a server writes once it is ready.
    ///
    /// - Throws: ``CommandError`` where the server ends instead.
    func ready<Announced: Decodable>(_ file: URL, as type: Announced.Type) async throws -> Announced {
        let clock = ContinuousClock()
        let deadline = clock.now + Self.timeout
        while clock.now < deadline {
            if let data = FileManager.default.contents(atPath: file.path) {
                return try JSONDecoder().decode(type, from: data)
            }
            guard isRunning else { throw CommandError("perennial \(name) ended before it was ready") }
            try await clock.sleep(for: Self.pollInterval)
        }
        throw CommandError("perennial \(name) was not ready within \(Self.timeout)")
    }

    /// Ends the process as a power cut would: SIGKILL, without a last word.
    func kill() async throws {
        program.signal(SIGKILL)
        let clock = ContinuousClock()
        let deadline = clock.now + Self.timeout
        while isRunning, clock.now < deadline { try await clock.sleep(for: Self.pollInterval) }
        try expect("perennial \(name) after SIGKILL", isRunning ? "running" : "gone", is: "gone")
    }

    /// Asks the process to end, and ends it where it takes too long.
    private func end() {
        guard program.signal(SIGTERM) else { return }
        for _ in 0..<100 where isRunning { usleep(10_000) }
        program.signal(SIGKILL)
    }
}
