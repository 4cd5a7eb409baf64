import Foundation
import Subprocesses
import Synchronization
import TestSupport

/// The built `perennial` executable, run as a user runs it.
final class PerennialProcess: Sendable {
    struct Ended: Sendable {
        let status: Int32
        /// The texts of standard output and standard error.
        let output: String
        let errors: String
    }

    private let program: Subprocess
    private let errorsPath: String
    private let said: Mutex<String>
    private let banner: AsyncStream<Bool>
    private let exit: Task<Int32, Never>

    /// - Parameters:
    ///   - program: The name of an executable of this package.
    ///   - environment: Variables besides our own.
    init(_ arguments: [String], program name: String = "perennial", environment: [String: String] = [:]) throws {
        let errorsPath = "\(try TemporaryFolder.make())/errors"
        try Data().write(to: URL(filePath: errorsPath))
        let errors = try FileHandle(forWritingTo: URL(filePath: errorsPath))
        let (reading, writing) = try StandardStreams.pipe()
        let program = try Subprocess(
            Self.executable(name).path, arguments,
            // State files of its own, so that no test and no person finds another test's store.
            environment: ProcessInfo.processInfo.environment.merging(
                ["PERENNIAL_RUNTIME_DIR": "\(try TemporaryFolder.make())/runtime"]
            ) { _, new in new }.merging(environment) { _, new in new },
            streams: StandardStreams(output: .file(writing), errors: .file(errors)))
        (self.program, self.errorsPath) = (program, errorsPath)
        let (exits, ended) = AsyncStream.makeStream(of: Int32.self)
        Thread.detachNewThread {
            ended.yield(program.wait())
            ended.finish()
        }
        exit = Task {
            for await status in exits { return status }
            return -1
        }
        said = Mutex("")
        let (banner, ready) = AsyncStream.makeStream(of: Bool.self)
        self.banner = banner
        Self.read(reading, into: { [weak self] in self?.append($0) ?? false }, ready)
    }

    /// Reads to the end on a thread of its own; the banner is the event that tests wait for.
    private static func read(
        _ handle: FileHandle, into append: @escaping @Sendable (String) -> Bool,
        _ ready: AsyncStream<Bool>.Continuation
    ) {
        Thread.detachNewThread {
            while case let bytes = handle.availableData, !bytes.isEmpty {
                if append(String(decoding: bytes, as: UTF8.self)) { ready.yield(true) }
            }
            ready.yield(false)
            ready.finish()
        }
    }

    /// - Returns: Whether the banner is complete.
    private func append(_ text: String) -> Bool {
        said.withLock { said in
            said += text
            return said.contains(" is ready.") && said.hasSuffix("\n")
        }
    }

    /// Waits for the banner.
    func untilReady() async throws {
        for await isReady in banner {
            if isReady { return }
            break
        }
        throw Failure(description: "perennial ended before it was ready: \(errors)")
    }

    /// Waits for the end.
    func ended() async -> Ended {
        let status = await exit.value
        // Its standard output closes with it.
        for await _ in banner {}
        return Ended(status: status, output: said.withLock { $0 }, errors: errors)
    }

    var identifier: pid_t { program.identifier }

    func signal(_ number: Int32) { program.signal(number) }

    private var errors: String { (try? String(contentsOfFile: errorsPath, encoding: .utf8)) ?? "" }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The program beside the bundle of tests, or above it where it is a folder.
    static func executable(_ name: String = "perennial") throws -> URL {
        let starts = [URL(filePath: CommandLine.arguments[0])] + Bundle.allBundles.map(\.bundleURL)
        for start in starts {
            var folder = start
            for _ in 0..<5 {
                folder.deleteLastPathComponent()
                let candidate = folder.appending(path: name)
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), !isFolder.boolValue {
                    return candidate
                }
            }
        }
        throw Failure(description: "there is no \(name) beside \(starts.map(\.path)): build it first")
    }
}
