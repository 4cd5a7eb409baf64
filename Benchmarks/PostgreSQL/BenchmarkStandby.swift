import Foundation
import PerennialStorage
import Subprocesses

/// A streaming standby of the benchmark's server, on the same machine and the same disk, for which commits wait while it is
/// synchronous.
final class BenchmarkStandby: Sendable {
    private let server: BenchmarkPostgreSQL
    private let location: DatabaseLocation
    private let folder: String
    private let process: Subprocess
    /// The shell's standard input, which ends with this process.
    private let lifeline: FileHandle

    /// Copies the server and follows it.
    ///
    /// - Parameters:
    ///   - location: A database of the server; psql reaches it.
    ///   - source: The same as the standby reaches it, perhaps over a ``DelayedLink``.
    private init(of server: BenchmarkPostgreSQL, at location: DatabaseLocation, from source: DatabaseLocation) throws {
        (self.server, self.location) = (server, location)
        let programs = try PostgreSQLPrograms.find()
        // Short, because the path of a socket has room for 104 bytes.
        folder = "/tmp/perennial-standby-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        let copying = try PostgreSQLPrograms.asUnprivilegedUser([
            "\(programs.folder)/pg_basebackup", "--pgdata=\(folder)/base", "--checkpoint=fast", "--write-recovery-conf",
            "--dbname=\(try BenchmarkPostgreSQL.url(source))",
        ])
        let (status, text) = try Subprocess.output(of: copying[0], Array(copying.dropFirst()), in: "/")
        guard status == 0 else { throw BenchmarkError("pg_basebackup: \(text)") }
        let (input, lifeline) = try StandardStreams.pipe()
        let (output, writing) = try StandardStreams.pipe()
        let command = try PostgreSQLPrograms.asUnprivilegedUser([
            "/bin/sh", "-c", Self.script, "standby", programs.folder, folder,
        ])
        process = try Subprocess(
            command[0], Array(command.dropFirst()), in: "/",
            streams: StandardStreams(input: .file(input), output: .file(writing), errors: .file(writing)))
        self.lifeline = lifeline
        var said = ""
        while !said.hasSuffix("ready\n") {
            let bytes = output.availableData
            guard !bytes.isEmpty else { throw BenchmarkError("the standby doesn't start: \(said)") }
            said += String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Runs a body beside a standby, which ends with it. Commits don't wait for it yet.
    static func run<Value>(
        of server: BenchmarkPostgreSQL, at location: DatabaseLocation, from source: DatabaseLocation,
        _ body: (BenchmarkStandby) async throws -> Value
    ) async throws -> Value {
        let standby = try BenchmarkStandby(of: server, at: location, from: source)
        defer { standby.stop() }
        let value = try await body(standby)
        try await standby.setSynchronous(false)
        return value
    }

    /// Lets commits wait for the standby, or for the server's own disk only, and returns when they do.
    func setSynchronous(_ isSynchronous: Bool) async throws {
        try server.psql(
            "ALTER SYSTEM SET synchronous_standby_names = '\(isSynchronous ? "*" : "")'", in: location)
        try server.psql("SELECT pg_reload_conf()", in: location)
        let wanted = isSynchronous ? "sync" : "async"
        for _ in 0..<200 {
            let state = try server.psql("SELECT string_agg(sync_state, ' ') FROM pg_stat_replication", in: location)
            if state == wanted { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw BenchmarkError("the standby doesn't become \(wanted)")
    }

    private func stop() {
        try? lifeline.close()
        process.wait()
        let removing = try? PostgreSQLPrograms.asUnprivilegedUser(["/bin/rm", "-rf", "\(folder)/base"])
        if let removing { _ = try? Subprocess.output(of: removing[0], Array(removing.dropFirst()), in: "/") }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// `$1` is the folder of PostgreSQL's programs, `$2` the one with the copy. The server's limit of connections must not be lower
    /// than that of the one it follows.
    private static let script = """
        trap 'test -z "$server" || { kill -QUIT $server; wait $server; }' EXIT
        trap '' HUP INT TERM
        "$1/postgres" -D "$2/base" -k "$2" -c listen_addresses= -c max_connections=300 -c fsync=on >"$2/log" 2>&1 </dev/null &
        server=$!
        until "$1/pg_isready" -q -h "$2"; do
            kill -0 $server 2>/dev/null || { cat "$2/log"; exit 1; }
            sleep 0.05
        done
        echo ready
        cat >/dev/null
        """
}
