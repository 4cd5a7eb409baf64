import Foundation
import PerennialStorage
import Subprocesses

/// A PostgreSQL server with a WAL archive, from which it can be restored to an earlier time.
final class ArchivingPostgreSQL: Sendable {
    /// The server until it is lost.
    let server: EphemeralPostgreSQL
    /// A folder of the server's user: the archive, the base backup and the restored server's socket.
    private let folder: String
    private let programs: PostgreSQLPrograms

    init() throws {
        programs = try PostgreSQLPrograms.find()
        // Short, because the path of a socket has room for 104 bytes.
        folder = "/tmp/perennial-archive-\(UUID().uuidString.prefix(8))"
        for path in [folder, "\(folder)/archive"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
        }
        server = try EphemeralPostgreSQL(settings: [
            "fsync=off", "max_connections=100", "shared_buffers=32MB", "wal_level=replica", "max_wal_senders=4",
            "archive_mode=on", "archive_command=test ! -f \(folder)/archive/%f && cp %p \(folder)/archive/%f",
        ])
    }

    func remove() {
        server.stop()
        // The base backup belongs to the server's user.
        _ = try? Self.runAsServer(["/bin/rm", "-rf", "\(folder)/base", "\(folder)/archive"])
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Takes a base backup of the running server.
    func backUp(_ url: String) throws {
        try Self.runAsServer([
            "\(programs.folder)/pg_basebackup", "--pgdata=\(folder)/base", "--checkpoint=fast", "--dbname=\(url)",
        ])
    }

    /// Closes the WAL segment and waits until the archive has it.
    func archive(_ database: Database) async throws {
        let segment = try await database.write { connection in
            try connection.first("SELECT pg_walfile_name(pg_switch_wal())") { try $0.text(0) }
        }
        for _ in 0..<100_000 {
            let last = try await database.read { connection in
                try connection.first("SELECT last_archived_wal FROM pg_stat_archiver") { try $0.optionalText(0) }
            }
            if let segment, let archived = last ?? nil, archived >= segment { return }
            await Task.yield()
        }
        throw PerennialProcess.Failure(description: "The archive doesn't get \(segment ?? "the segment").")
    }

    /// Starts a server from the base backup and the archive, as the how-to page has it.
    ///
    /// - Parameter time: With its zone; what was committed later isn't restored.
    /// - Returns: The server, which ends with this process or when the value goes.
    func restore(to time: String) throws -> RestoredPostgreSQL {
        try Self.runAsServer(["/usr/bin/touch", "\(folder)/base/recovery.signal"])
        return try RestoredPostgreSQL(
            folder: folder, programs: programs,
            settings: [
                "restore_command=cp \(folder)/archive/%f %p", "recovery_target_time=\(time)",
                "recovery_target_action=promote", "archive_mode=off", "fsync=off",
            ])
    }

    /// Starts a standby from the base backup and the archive. It is read only, and stays so.
    func standby() throws -> RestoredPostgreSQL {
        try Self.runAsServer(["/usr/bin/touch", "\(folder)/base/standby.signal"])
        return try RestoredPostgreSQL(
            folder: folder, programs: programs, isStandby: true,
            settings: ["restore_command=cp \(folder)/archive/%f %p", "archive_mode=off", "fsync=off"])
    }

    /// Runs a program as the servers' user.
    static func runAsServer(_ command: [String]) throws {
        let command = try PostgreSQLPrograms.asUnprivilegedUser(command)
        let (status, text) = try Subprocess.output(of: command[0], Array(command.dropFirst()), in: "/")
        guard status == 0 else { throw PerennialProcess.Failure(description: "\(command): \(text)") }
    }
}

/// A server on a restored data folder. It ends when this process does, as ``EphemeralPostgreSQL`` does.
final class RestoredPostgreSQL: Sendable {
    private let folder: String
    private let lifeline: FileHandle
    private let owner: Subprocess

    init(
        folder: String, programs: PostgreSQLPrograms, isStandby: Bool = false, settings: [String]
    ) throws {
        self.folder = folder
        let (input, lifeline) = try StandardStreams.pipe()
        let (output, writing) = try StandardStreams.pipe()
        let shell = ["/bin/sh", "-c", Self.script, "restored", programs.folder, folder, isStandby ? "t" : "f"]
        let command = try PostgreSQLPrograms.asUnprivilegedUser(shell + settings.flatMap { ["-c", $0] })
        owner = try Subprocess(
            command[0], Array(command.dropFirst()), in: "/",
            streams: StandardStreams(input: .file(input), output: .file(writing), errors: .file(writing)))
        self.lifeline = lifeline
        var report = ""
        while !report.hasSuffix("ready\n") {
            let bytes = output.availableData
            guard !bytes.isEmpty else { throw PerennialProcess.Failure(description: "not restored: \(report)") }
            report += String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Returns the URL of a database that the lost server had at another.
    func url(for lost: String) -> String {
        let name = lost.split(separator: "/").last ?? ""
        return "postgres://perennial@\(folder.replacing("/", with: "%2F"))/\(name)"
    }

    func stop() {
        try? lifeline.close()
        owner.wait()
    }

    /// `$1` is the folder of PostgreSQL's programs, `$2` the one with the data, `$3` the answer of a ready server to the question
    /// whether it recovers, which a standby does without end; the rest are arguments of the server.
    private static let script = """
        programs=$1; folder=$2; recovers=$3; shift 3
        trap 'test -z "$server" || { kill -QUIT $server; wait $server; }' EXIT
        trap '' HUP INT TERM
        "$programs/postgres" -D "$folder/base" -k "$folder" -c listen_addresses= "$@" >"$folder/log" 2>&1 </dev/null &
        server=$!
        until [ "$("$programs/psql" -h "$folder" -U perennial -d postgres -Atc 'SELECT pg_is_in_recovery()' 2>&1)" = "$recovers" ]; do
            kill -0 $server 2>/dev/null || { cat "$folder/log"; exit 1; }
            sleep 0.05
        done
        echo ready
        cat >/dev/null
        """
}
