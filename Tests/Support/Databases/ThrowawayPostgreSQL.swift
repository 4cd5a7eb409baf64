import Foundation
import PerennialStorage
import Synchronization

/// A PostgreSQL server for the tests of this process: started when it is first needed, on a socket in a folder of its
/// own, without a port. It goes when the process goes, however that ends: a shell that owns it waits for the end of
/// its standard input, which only this process holds open.
package final class ThrowawayPostgreSQL: Sendable {
    /// The folder with the server's socket.
    private let folder: String
    private let binaries: String
    /// Held, never written to: its end is the signal to stop.
    private let lifeline: Pipe
    private let made = Mutex(0)

    /// The server that all tests of this process share.
    /// - Throws: ``Failure``, the same one each time, when no server can be started.
    package static func shared() throws -> ThrowawayPostgreSQL {
        try server.get()
    }

    private static let server = Result { try ThrowawayPostgreSQL() }

    /// Why there is no server, and what to do about it.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Makes an empty database with a name of its own.
    /// - Returns: Its connection URL.
    package func makeDatabase() throws -> String {
        let name = "test\(made.withLock { $0 += 1; return $0 })"
        let said = try Self.output("\(binaries)/createdb", ["-h", folder, "-U", "perennial", name])
        guard said.status == 0 else { throw Failure(description: "createdb failed: \(said.text)") }
        return url(database: name)
    }

    /// Ends all connections to a database, as a server does that restarts, and waits until they are gone.
    package func disconnectAll(from url: String) throws {
        let name = url.split(separator: "/").last.map { $0.prefix { $0 != "?" } } ?? ""
        try run("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '\(name)'")
    }

    /// Runs a statement with psql as the server's owner.
    package func run(_ statement: String) throws {
        let said = try Self.output(
            "\(binaries)/psql", ["-X", "-q", "-h", folder, "-U", "perennial", "-d", "postgres", "-c", statement])
        guard said.status == 0 else { throw Failure(description: "psql failed: \(said.text)") }
    }

    private func url(database: String) -> String {
        let host = folder.replacing("/", with: "%2F")
        return "postgres://perennial@\(host)/\(database)"
    }

    private init() throws {
        binaries = try Self.findBinaries()
        lifeline = Pipe()
        let output = Pipe()
        let process = Process()
        let command = try Self.asUnprivilegedUser(["/bin/sh", "-c", Self.script, "throwaway", binaries])
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = URL(filePath: "/")
        process.standardInput = lifeline
        process.standardOutput = output
        process.standardError = output
        try process.run()
        var said = ""
        while !said.contains("\n") || !said.hasPrefix("ready ") {
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else { throw Failure(description: "PostgreSQL does not start: \(said)") }
            said += String(decoding: bytes, as: UTF8.self)
        }
        folder = String(said.dropFirst("ready ".count).prefix { $0 != "\n" })
    }

    /// `$1` is the folder of PostgreSQL's programs. The socket's path must stay under 104 bytes, so it is in /tmp.
    /// Everything that makes data outlive the machine is off.
    private static let script = """
        folder=$(mktemp -d /tmp/perennial-pg.XXXXXX) || exit 1
        trap 'rm -rf "$folder"' EXIT
        trap '' HUP INT TERM
        "$1/initdb" -D "$folder/data" -U perennial -A trust -E UTF8 --locale=C --no-sync >"$folder/log" 2>&1 &&
        "$1/pg_ctl" -D "$folder/data" -l "$folder/log" -w -t 60 start -o "-k $folder -c listen_addresses='' \\
            -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=1500 \\
            -c shared_buffers=64MB" >/dev/null </dev/null || { cat "$folder/log"; exit 1; }
        echo "ready $folder"
        cat >/dev/null
        "$1/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1
        """

    /// PostgreSQL refuses to run as root.
    private static func asUnprivilegedUser(_ command: [String]) throws -> [String] {
        guard getuid() == 0 else { return command }
        let setpriv = "/usr/bin/setpriv"
        guard FileManager.default.isExecutableFile(atPath: setpriv) else {
            throw Failure(description: "PostgreSQL doesn't run as root, and \(setpriv) is missing: install util-linux.")
        }
        let group = try output("/usr/bin/id", ["-g", "nobody"]).text.filter(\.isNumber)
        return [setpriv, "--reuid=nobody", "--regid=\(group)", "--clear-groups"] + command
    }

    private static func findBinaries() throws -> String {
        let asked = (try? output("/usr/bin/env", ["pg_config", "--bindir"])).map {
            $0.status == 0 ? $0.text.trimmingCharacters(in: .whitespacesAndNewlines) : ""
        }
        let versions = (13...20).reversed()
        let known =
            versions.map { "/usr/lib/postgresql/\($0)/bin" } + versions.map { "/usr/pgsql-\($0)/bin" }
            + versions.flatMap { ["/opt/homebrew/opt/postgresql@\($0)/bin", "/usr/local/opt/postgresql@\($0)/bin"] }
            + ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
        let folder = ([asked ?? ""] + known).first {
            !$0.isEmpty && FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
        }
        guard let folder else {
            throw Failure(
                description: """
                    The tests need PostgreSQL's server (initdb, pg_ctl, postgres): apt install postgresql, \
                    dnf install postgresql-server, or brew install postgresql@17.
                    """)
        }
        return folder
    }

    private static func output(_ program: String, _ arguments: [String]) throws -> (status: Int32, text: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }
}
