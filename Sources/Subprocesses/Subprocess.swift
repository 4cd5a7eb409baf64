import CPosixSpawn
import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A child process, started with posix_spawn.
///
/// Foundation's `Process` closes the parent's open files one by one in the child, and reads past the end of their list if there
/// are more than a thousand. A server, and a run of many tests, can have as many.
package final class Subprocess: Sendable {
    /// The error of a program that couldn't be started.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The state of the process. After its status is read, its number may belong to another process.
    private enum State {
        case running
        case ended(Int32)
    }

    package let identifier: pid_t
    private let state = Mutex(State.running)

    /// Starts a program.
    /// - Parameters:
    ///   - program: The path of its file.
    ///   - environment: All of its variables; this process's own if `nil`.
    ///   - folder: Its working directory; this process's own if `nil`.
    /// - Throws: ``Failure``.
    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil, in folder: String? = nil,
        streams: StandardStreams = StandardStreams()
    ) throws {
        let variables = environment ?? ProcessInfo.processInfo.environment
        identifier = try Self.spawn(
            program, [program] + arguments, variables.map { "\($0)=\($1)" }.sorted(), folder, streams)
        streams.closeHere()
    }

    package var isRunning: Bool { status(waiting: false) == nil }

    /// Blocks the thread until the process ends.
    ///
    /// - Returns: Its exit code, or the negative number of the signal that ended it.
    @discardableResult
    package func wait() -> Int32 {
        // Waits without reaping: until `status` reaps it under the lock, a concurrent `signal` can't hit another process.
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return status(waiting: true) ?? -1
    }

    /// Sends a signal.
    ///
    /// - Returns: True if the process was still running.
    @discardableResult
    package func signal(_ number: Int32) -> Bool {
        guard isRunning else { return false }
        return state.withLock { state in
            guard case .running = state else { return false }
            return kill(identifier, number) == 0
        }
    }

    private func status(waiting: Bool) -> Int32? {
        state.withLock { state in
            if case .ended(let status) = state { return status }
            var raw: Int32 = 0
            var answer = waitpid(identifier, &raw, waiting ? 0 : WNOHANG)
            while answer == -1, errno == EINTR { answer = waitpid(identifier, &raw, waiting ? 0 : WNOHANG) }
            guard answer != 0 else { return nil }
            let status = answer == -1 ? -1 : Self.exitStatus(raw)
            state = .ended(status)
            return status
        }
    }

    /// Decodes a status as the macros of `wait(2)` do.
    private static func exitStatus(_ raw: Int32) -> Int32 {
        let signal = raw & 0x7f
        return signal == 0 ? (raw >> 8) & 0xff : -signal
    }
}

extension Subprocess {
    #if canImport(Darwin)
        private typealias Actions = posix_spawn_file_actions_t?
        private typealias Attributes = posix_spawnattr_t?
    #else
        private typealias Actions = posix_spawn_file_actions_t
        private typealias Attributes = posix_spawnattr_t
    #endif

    private static func spawn(
        _ program: String, _ arguments: [String], _ variables: [String], _ folder: String?, _ streams: StandardStreams
    ) throws -> pid_t {
        #if canImport(Darwin)
            var (actions, attributes): (Actions, Attributes) = (nil, nil)
        #else
            var (actions, attributes) = (Actions(), Attributes())
        #endif
        try check(posix_spawn_file_actions_init(&actions), program)
        defer { posix_spawn_file_actions_destroy(&actions) }
        try check(posix_spawnattr_init(&attributes), program)
        defer { posix_spawnattr_destroy(&attributes) }
        for (number, stream) in zip(Int32(0)..., streams.all) {
            let code =
                switch stream {
                case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
                case .file(let handle): posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, number)
                }
            try check(code, program)
        }
        if let folder { try check(cposixspawn_add_folder(&actions, folder), program) }
        try setSignals(&attributes, program)
        // The child inherits none of our open files.
        try check(cposixspawn_add_close_from(&actions, 3), program)
        var strings = (arguments + [nil]).map { $0.flatMap { strdup($0) } }
        var environment = (variables + [nil]).map { $0.flatMap { strdup($0) } }
        defer { for string in strings + environment { free(string) } }
        var identifier: pid_t = 0
        try check(posix_spawn(&identifier, program, &actions, &attributes, &strings, &environment), program)
        return identifier
    }

    /// Resets the signals that a server ignores, so that they end the child, and unblocks all.
    private static func setSignals(_ attributes: inout Attributes, _ program: String) throws {
        var (ours, none) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&ours)
        for signal in [SIGHUP, SIGINT, SIGTERM, SIGPIPE] { sigaddset(&ours, signal) }
        try check(posix_spawnattr_setsigdefault(&attributes, &ours), program)
        try check(posix_spawnattr_setsigmask(&attributes, &none), program)
        var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        #if canImport(Darwin)
            flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #endif
        try check(posix_spawnattr_setflags(&attributes, Int16(flags)), program)
    }

    private static func check(_ code: Int32, _ program: String) throws {
        guard code == 0 else { throw Failure(description: "\(program): \(String(cString: strerror(code)))") }
    }
}
