import CPostgreSQL
import Foundation
import Spawning

/// A PostgreSQL server for as long as this process runs, on a socket in a folder of its own, without a port: for a demo, for
/// tests. It goes when the process goes, however that ends: a shell that owns it waits for the end of its standard
/// input, which only this process holds open.
package final class ThrowawayPostgreSQL: Sendable {
    /// Why there is no server, and what to do about it.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The folder with the server's socket.
    private let folder: String
    /// Held, never written to: its end is the signal to stop.
    private let lifeline: FileHandle
    private let owner: SpawnedProgram

    /// Starts a server and waits until it answers.
    ///
    /// - Parameters:
    ///   - settings: As `postgres -c` takes them, such as `fsync=off`.
    ///   - prefersMemory: Whether its files go where the machine keeps files in memory, if there is room: making a database is
    ///     making some three hundred files.
    /// - Throws: ``Failure``.
    package init(settings: [String], prefersMemory: Bool = false) throws {
        let programs = try PostgreSQLPrograms.find()
        let (input, lifeline) = try StandardStreams.pipe()
        let (output, said) = try StandardStreams.pipe()
        let room = prefersMemory ? Self.memoryKibibytes : 0
        let shell = ["/bin/sh", "-c", Self.script, "throwaway", programs.folder, String(room)]
        let command = try PostgreSQLPrograms.asUnprivilegedUser(shell + settings.flatMap { ["-c", $0] })
        owner = try SpawnedProgram(
            command[0], Array(command.dropFirst()), in: "/",
            streams: StandardStreams(input: .file(input), output: .file(said), errors: .file(said)))
        self.lifeline = lifeline
        var report = ""
        while !(report.hasPrefix("ready ") && report.hasSuffix("\n")) {
            let bytes = output.availableData
            guard !bytes.isEmpty else { throw Failure(description: "PostgreSQL doesn't start: \(report)") }
            report += String(decoding: bytes, as: UTF8.self)
        }
        folder = report.dropFirst("ready ".count).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Makes an empty database.
    ///
    /// - Returns: Its connection URL.
    package func makeDatabase(_ name: String) throws -> String {
        try run("CREATE DATABASE \"\(name)\"")
        return "postgres://\(Self.user)@\(folder.replacing("/", with: "%2F"))/\(name)"
    }

    /// Runs a statement as the server's owner, outside of any transaction.
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

    /// Ends the server and leaves nothing of it behind, which takes a moment.
    package func stop() {
        try? lifeline.close()
        owner.wait()
    }

    private static let user = "perennial"

    /// Free space that its files in memory ask for.
    private static let memoryKibibytes = 8 << 20

    /// `$1` is the folder of PostgreSQL's programs, `$2` the kibibytes that have to be free in /dev/shm for its files to go there
    /// (0: never), the rest goes to the server. The socket's path must stay under 104 bytes, so it is in /tmp or there. Only initdb
    /// goes without syncing in any case: nobody needs an empty server after a power cut.
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
        "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= "$@" >"$folder/log" 2>&1 </dev/null &
        server=$!
        until "$programs/pg_isready" -q -h "$folder"; do
            kill -0 $server 2>/dev/null || { cat "$folder/log"; exit 1; }
            sleep 0.05
        done
        echo "ready $folder"
        cat >/dev/null
        """
}
