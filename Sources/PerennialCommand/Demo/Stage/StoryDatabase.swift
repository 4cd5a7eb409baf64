import Foundation
import PerennialStorage
import Synchronization

/// Where the store and Delivery keep what they know, for one telling.
struct StoryDatabase: Sendable {
    enum Choice: Sendable, Equatable {
        /// Each server's own file.
        case sqlite
        /// A throwaway server's databases.
        case postgres
        /// A database that the caller has; both servers use it, with tables of their own.
        case url(String)

        /// - Throws: `StorageError` for a URL that is none.
        init(_ text: String) throws {
            switch text {
            case "sqlite": self = .sqlite
            case "postgres", "postgresql": self = .postgres
            default:
                _ = try DatabaseLocation(url: text)
                self = .url(text)
            }
        }

        var name: String {
            switch self {
            case .sqlite: "SQLite"
            case .postgres: "PostgreSQL"
            case .url(let url): (try? DatabaseLocation(url: url).description) ?? "a database"
            }
        }
    }

    /// As `--database` takes it; `nil` for a server's own file.
    var store: String?
    var delivery: String?

    static func start(_ choice: Choice, _ leftovers: Leftovers) throws -> StoryDatabase {
        switch choice {
        case .sqlite: return StoryDatabase()
        case .url(let url): return StoryDatabase(store: url, delivery: url)
        case .postgres:
            let server = try ThrowawayServer.start(databases: ["store", "delivery"], leftovers)
            return StoryDatabase(store: server.url(of: "store"), delivery: server.url(of: "delivery"))
        }
    }
}

/// A PostgreSQL server for one telling, on a socket in a folder of its own, without a port. It syncs what it commits, as
/// a real one does. It goes when the demo goes, however that ends: a shell that owns it waits for the end of its
/// standard input, which only the demo holds open.
private struct ThrowawayServer {
    private let folder: String

    static func start(databases: [String], _ leftovers: Leftovers) throws -> ThrowawayServer {
        let (input, output) = (Pipe(), Pipe())
        let process = Process()
        let command = try asUnprivilegedUser(["/bin/sh", "-c", script, "throwaway", try binaries()] + databases)
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = URL(filePath: "/")
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let lifeline = input.fileHandleForWriting
        let running = Mutex(process)
        leftovers.add {
            try? lifeline.close()
            for _ in 0..<300 where running.withLock({ $0.isRunning }) { usleep(10_000) }
        }
        var said = ""
        while !(said.hasPrefix("ready ") && said.hasSuffix("\n")) {
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else { throw CommandError("PostgreSQL doesn't start: \(said)") }
            said += String(decoding: bytes, as: UTF8.self)
        }
        return ThrowawayServer(folder: said.dropFirst("ready ".count).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    func url(of database: String) -> String {
        "postgres://perennial@\(folder.replacing("/", with: "%2F"))/\(database)"
    }

    /// `$1` is the folder of PostgreSQL's programs, the rest are databases to make. The socket's path must stay under 104
    /// bytes, so it is in /tmp. Only initdb goes without syncing: nobody needs an empty server after a power cut.
    private static let script = """
        folder=$(mktemp -d /tmp/perennial-pg.XXXXXX) || exit 1
        trap 'test -z "$server" || { kill -QUIT $server; wait $server; }; rm -rf "$folder"' EXIT
        trap '' HUP INT TERM
        programs=$1; shift
        "$programs/initdb" -D "$folder/data" -U perennial -A trust -E UTF8 --locale=C --no-sync >"$folder/log" 2>&1 ||
            { cat "$folder/log"; exit 1; }
        "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=on -c max_connections=200 \\
            >"$folder/log" 2>&1 </dev/null &
        server=$!
        until "$programs/pg_isready" -q -h "$folder"; do
            kill -0 $server 2>/dev/null || { cat "$folder/log"; exit 1; }
            sleep 0.05
        done
        for name in "$@"; do "$programs/createdb" -h "$folder" -U perennial "$name" || exit 1; done
        echo "ready $folder"
        cat >/dev/null
        """

    /// PostgreSQL refuses to run as root.
    private static func asUnprivilegedUser(_ command: [String]) throws -> [String] {
        guard getuid() == 0 else { return command }
        let setpriv = "/usr/bin/setpriv"
        guard FileManager.default.isExecutableFile(atPath: setpriv) else {
            throw CommandError("PostgreSQL doesn't run as root, and \(setpriv) is missing: install util-linux")
        }
        let group = try output(of: "/usr/bin/id", ["-g", "nobody"]).filter(\.isNumber)
        return [setpriv, "--reuid=nobody", "--regid=\(group)", "--clear-groups"] + command
    }

    private static func binaries() throws -> String {
        let asked = try? output(of: "/usr/bin/env", ["pg_config", "--bindir"])
        let versions = (13...20).reversed()
        let known =
            versions.map { "/usr/lib/postgresql/\($0)/bin" } + versions.map { "/usr/pgsql-\($0)/bin" }
            + versions.flatMap { ["/opt/homebrew/opt/postgresql@\($0)/bin", "/usr/local/opt/postgresql@\($0)/bin"] }
            + ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
        let folder = ([asked?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""] + known).first {
            !$0.isEmpty && FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
        }
        guard let folder else {
            throw CommandError(
                "there is no PostgreSQL server (initdb): apt install postgresql, or brew install postgresql@17")
        }
        return folder
    }

    private static func output(of program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }
}
