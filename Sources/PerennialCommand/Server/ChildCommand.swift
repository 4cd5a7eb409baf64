import Foundation
import ServiceLifecycle
import Subprocesses
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A command that runs beside the store: it starts when the store is ready, and the store ends with it.
///
/// It has this process's standard streams. If the store is asked to stop, so is the command.
final class ChildCommand: Service {
    /// The time for the command to end after SIGTERM.
    private static let terminationLimit = Duration.seconds(8)
    /// The exit code of a shell for a command that doesn't exist.
    private static let notFound: Int32 = 127
    /// Shells add it to the number of the signal that ended a command.
    private static let signalBase: Int32 = 128
    /// The exit code of a run that was stopped before its command began.
    static let prevented = signalBase + SIGTERM

    private struct State {
        var program: Subprocess?
        /// True once the store has been asked to stop.
        var isStopped = false
        var exitCode: Int32?
    }

    private let arguments: [String]
    private let started: AsyncStream<Void>
    private let starting: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    /// - Parameter arguments: The command with its arguments; at least one.
    init(_ arguments: [String]) {
        self.arguments = arguments
        (started, starting) = AsyncStream.makeStream()
    }

    /// The exit code in the way of shells; `nil` before the end, and of a command that a stop prevented.
    var exitCode: Int32? { state.withLock { $0.exitCode } }

    /// Starts the command with the variables that name the store, unless the store has been asked to stop.
    ///
    /// - Throws: ``CommandError`` if it can't be started.
    func start(url: String, token: String, readyFile: String?) throws {
        var variables = ProcessInfo.processInfo.environment
        variables[StoreEndpoint.urlVariable] = url
        variables[StoreEndpoint.tokenVariable] = token
        variables[StoreEndpoint.readyFileVariable] = readyFile
        let name = arguments.first ?? ""
        guard let file = Self.executable(name, variables["PATH"]) else {
            state.withLock { $0.exitCode = Self.notFound }
            throw CommandError("there is no command \(name)")
        }
        // Under the lock: a stop comes before the start and prevents it, or after it and finds the program.
        try state.withLock { state in
            guard !state.isStopped else { return }
            do {
                state.program = try Subprocess(
                    file, Array(arguments.dropFirst()), environment: variables,
                    streams: StandardStreams(
                        input: Self.inherited(STDIN_FILENO), output: Self.inherited(STDOUT_FILENO),
                        errors: Self.inherited(STDERR_FILENO)))
            } catch {
                throw CommandError("\(name) can't be started: \(error)")
            }
        }
        starting.finish()
    }

    /// Waits for the end of the command.
    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            for await _ in started {}
            // A stop ends the wait as well.
            let program = state.withLock { state in
                state.isStopped = Task.isCancelled
                return state.program
            }
            guard let program else { return }
            await withTaskCancellationHandler {
                let code = await Self.end(of: program)
                state.withLock { $0.exitCode = code < 0 ? Self.signalBase - code : code }
            } onCancel: {
                Self.terminate(program)
            }
        }
    }

    /// The status of the command; waits on a thread of its own.
    private static func end(of program: Subprocess) async -> Int32 {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: program.wait()) }
        }
    }

    private static func terminate(_ program: Subprocess) {
        program.signal(SIGTERM)
        Task.detached {
            try? await Task.sleep(for: terminationLimit)
            program.signal(SIGKILL)
        }
    }

    private static func inherited(_ descriptor: Int32) -> StandardStreams.Stream {
        let copy = dup(descriptor)
        return copy < 0 ? .nothing : .file(FileHandle(fileDescriptor: copy, closeOnDealloc: true))
    }

    /// Finds an executable as a shell does.
    private static func executable(_ name: String, _ path: String?) -> String? {
        let files = FileManager.default
        if name.contains("/") { return files.isExecutableFile(atPath: name) ? name : nil }
        let folders = (path ?? "/usr/bin:/bin").split(separator: ":", omittingEmptySubsequences: false)
        return folders.map { ($0.isEmpty ? "." : String($0)) + "/" + name }.first { candidate in
            var isFolder: ObjCBool = false
            return files.fileExists(atPath: candidate, isDirectory: &isFolder) && !isFolder.boolValue
                && files.isExecutableFile(atPath: candidate)
        }
    }
}
