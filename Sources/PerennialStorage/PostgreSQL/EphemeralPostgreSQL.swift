import CPostgreSQL
import Foundation
import Subprocesses

/// A PostgreSQL server for demos and tests, on a socket in a temporary folder, without a port.
///
/// It ends with this process, even after a kill: the shell that owns the server waits for the end of its standard input, whose
/// other end only this process has.
package final class EphemeralPostgreSQL: Sendable {
    /// The error of a server that can't be started, with the cure.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The folder with the server's socket.
    package var socketFolder: String { folder }
    private let folder: String
    /// The shell's standard input, which takes commands: closing it stops the server for good.
    private let lifeline: FileHandle
    /// The shell's answers.
    private let output: FileHandle
    private let owner: Subprocess

    /// Starts a server and waits until it answers.
    ///
    /// - Parameters:
    ///   - settings: Settings in the form of `postgres -c`, such as `fsync=off`.
    ///   - prefersMemory: True to put its files in memory (`/dev/shm`) if there is room: a database has some three hundred files.
    /// - Throws: ``Failure``.
    package init(settings: [String], prefersMemory: Bool = false) throws {
        let programs = try PostgreSQLPrograms.find()
        let (input, lifeline) = try StandardStreams.pipe()
        let (output, writing) = try StandardStreams.pipe()
        let room = prefersMemory ? Self.memoryKibibytes : 0
        let shell = ["/bin/sh", "-c", Self.script, "throwaway", programs.folder, String(room)]
        let command = try PostgreSQLPrograms.asUnprivilegedUser(shell + settings.flatMap { ["-c", $0] })
        owner = try Subprocess(
            command[0], Array(command.dropFirst()), in: "/",
            streams: StandardStreams(input: .file(input), output: .file(writing), errors: .file(writing)))
        self.lifeline = lifeline
        self.output = output
        var report = ""
        while !(report.hasPrefix("ready ") && report.hasSuffix("\n")) {
            let bytes = output.availableData
            guard !bytes.isEmpty else { throw Failure(description: "PostgreSQL doesn't start: \(report)") }
            report += String(decoding: bytes, as: UTF8.self)
        }
        folder = report.dropFirst("ready ".count).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Creates a database.
    ///
    /// - Parameter template: The name of a database without connections, of which it becomes a copy; `nil` for an empty one.
    /// - Returns: Its connection URL.
    package func makeDatabase(_ name: String, copying template: String? = nil) throws -> String {
        try run("CREATE DATABASE \"\(name)\"" + (template.map { " TEMPLATE \"\($0)\"" } ?? ""))
        return "postgres://\(Self.user)@\(folder.replacing("/", with: "%2F"))/\(name)"
    }

    /// Runs a statement as the server's owner, outside a transaction.
    package func run(_ statement: String) throws {
        let connection = PQconnectdb("host=\(folder) user=\(Self.user) dbname=postgres")
        defer { PQfinish(connection) }
        let result = PQexec(connection, statement)
        defer { PQclear(result) }
        let status = PQresultStatus(result)
        guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else {
            throw Failure(description: "\(statement): \(String(cString: PQerrorMessage(connection)))")
        }
    }

    /// Shuts the server down as an operator does, and keeps its files.
    ///
    /// - Throws: ``Failure``.
    package func stopServer() throws { try order("stop", until: "stopped") }

    /// Starts the server again after ``stopServer()``, and waits until it answers.
    ///
    /// - Throws: ``Failure``.
    package func startServer() throws { try order("start", until: "started") }

    private func order(_ command: String, until answer: String) throws {
        try lifeline.write(contentsOf: Data("\(command)\n".utf8))
        var report = ""
        while !report.hasSuffix("\(answer)\n") {
            let bytes = output.availableData
            guard !bytes.isEmpty else { throw Failure(description: "PostgreSQL doesn't \(command): \(report)") }
            report += String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Stops the server and deletes its files, which takes a moment.
    package func stop() {
        try? lifeline.close()
        owner.wait()
    }

    private static let user = "perennial"

    /// Free space that files in memory require.
    private static let memoryKibibytes = 8 << 20

    /// The script of the shell that owns the server.
    ///
    /// `$1` is the folder of PostgreSQL's programs, `$2` the kibibytes that must be free in /dev/shm to put the files there (0:
    /// never); the rest are arguments of the server. The socket's path must be shorter than 104 bytes, hence /tmp or /dev/shm.
    /// initdb never syncs: an empty server isn't worth it.
    private static let script = """
        base=/tmp
        if [ "$2" -gt 0 ] && [ -w /dev/shm ]; then
            free=$(df -Pk /dev/shm | awk 'NR == 2 { print $4 }')
            if [ "${free:-0}" -ge "$2" ]; then base=/dev/shm; fi
        fi
        folder=$(mktemp -d $base/perennial-pg.XXXXXX) || exit 1
        trap 'test -z "$server" || { kill -QUIT $server; wait $server; }; rm -rf "$folder"' EXIT
        trap '' HUP INT TERM
        programs=$1; shift 2
        "$programs/initdb" -D "$folder/data" -U \(user) -A trust -E UTF8 --locale=C --no-sync >"$folder/log" 2>&1 ||
            { cat "$folder/log"; exit 1; }
        launch() {
            "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= "$@" >"$folder/log" 2>&1 </dev/null &
            server=$!
            until "$programs/pg_isready" -q -h "$folder"; do
                kill -0 $server 2>/dev/null || { cat "$folder/log"; exit 1; }
                sleep 0.05
            done
        }
        launch "$@"
        echo "ready $folder"
        while read -r command; do
            case $command in
            stop) kill -INT $server; wait $server; server=; echo stopped ;;
            start) launch "$@"; echo started ;;
            esac
        done
        """
}
