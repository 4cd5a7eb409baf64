import Foundation
import PerennialStorage
import Subprocesses
import TestSupport

/// pgbouncer before a PostgreSQL server, on a socket in a temporary folder. It ends with this process.
final class RunningPooler: Sendable {
    enum Mode: String, Sendable {
        case session, transaction
    }

    /// pgbouncer's program; `nil` if it isn't installed (`scripts/packages pooler`).
    static let program = [
        "/usr/sbin/pgbouncer", "/usr/local/sbin/pgbouncer", "/usr/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer",
    ]
    .first(where: FileManager.default.isExecutableFile)

    private let folder: String
    private let server: String
    private let lifeline: FileHandle
    private let owner: Subprocess

    /// - Parameter url: A database of the server.
    init(_ mode: Mode, before url: String) throws {
        let folder = "/tmp/perennial-pooler-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        server = url.split(separator: "@").last?.split(separator: "/").first?.removingPercentEncoding ?? ""
        try Data(
            """
            [databases]
            * = host=\(server) user=perennial
            [pgbouncer]
            listen_addr =
            unix_socket_dir = \(folder)
            auth_type = any
            pool_mode = \(mode.rawValue)
            default_pool_size = 40
            """.utf8
        ).write(to: URL(filePath: "\(folder)/pgbouncer.ini"))
        self.folder = folder
        let (input, lifeline) = try StandardStreams.pipe()
        let (output, writing) = try StandardStreams.pipe()
        let command = try PostgreSQLPrograms.asUnprivilegedUser(
            ["/bin/sh", "-c", Self.script, "pooler", Self.program ?? "pgbouncer", folder])
        owner = try Subprocess(
            command[0], Array(command.dropFirst()), in: "/",
            streams: StandardStreams(input: .file(input), output: .file(writing), errors: .file(writing)))
        self.lifeline = lifeline
        var report = ""
        while !report.hasSuffix("ready\n") {
            let bytes = output.availableData
            guard !bytes.isEmpty else { throw PerennialProcess.Failure(description: "no pgbouncer: \(report)") }
            report += String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Returns the URL of a database through the pooler.
    func url(for direct: String) -> String {
        let name = direct.split(separator: "/").last ?? ""
        return "postgres://perennial@\(folder.replacing("/", with: "%2F")):6432/\(name)"
    }

    func stop() {
        try? lifeline.close()
        owner.wait()
        try? FileManager.default.removeItem(atPath: folder)
    }

    // A shell's background commands ignore SIGINT and SIGQUIT, and SIGTERM is ignored with the shell.
    private static let script = """
        program=$1; folder=$2
        trap 'test -z "$pooler" || { kill -KILL $pooler; wait $pooler; }' EXIT
        trap '' HUP INT TERM
        "$program" "$folder/pgbouncer.ini" >"$folder/log" 2>&1 </dev/null &
        pooler=$!
        until [ -S "$folder/.s.PGSQL.6432" ]; do
            kill -0 $pooler 2>/dev/null || { cat "$folder/log"; exit 1; }
            sleep 0.05
        done
        echo ready
        cat >/dev/null
        """
}
