import Foundation
import PerennialStorage
import Subprocesses

/// Two PostgreSQL servers, a primary and its streaming standby, and one URL that names both.
final class ReplicatedPostgreSQL: Sendable {
    let primary: EphemeralPostgreSQL
    let standby: RestoredPostgreSQL
    /// The URL of a database, with the hosts of both servers.
    let url: String
    /// The URL of the same database at the standby alone.
    var standbyURL: String { "postgres://perennial@/store?host=\(folder.replacing("/", with: "%2F"))" }
    /// A folder of the server's user: the standby's data and socket.
    private let folder: String
    private let programs: PostgreSQLPrograms

    /// Starts both, and waits until the standby follows.
    ///
    /// - Parameter isSynchronous: True if commits wait for the standby.
    init(isSynchronous: Bool) async throws {
        programs = try PostgreSQLPrograms.find()
        // Short, because the path of a socket has room for 104 bytes.
        folder = "/tmp/perennial-standby-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        primary = try EphemeralPostgreSQL(settings: [
            "fsync=off", "max_connections=60", "shared_buffers=32MB", "wal_level=replica", "max_wal_senders=4",
        ])
        let own = try primary.makeDatabase("store")
        let socket = own.split(separator: "@").last?.split(separator: "/").first ?? ""
        url = "postgres://perennial@/store?host=\(socket),\(folder.replacing("/", with: "%2F"))"
        try ArchivingPostgreSQL.runAsServer([
            "\(programs.folder)/pg_basebackup", "--pgdata=\(folder)/base", "--checkpoint=fast", "--write-recovery-conf",
            "--dbname=\(own)",
        ])
        standby = try RestoredPostgreSQL(
            folder: folder, programs: programs, isStandby: true, settings: ["fsync=off", "max_connections=60"])
        if isSynchronous {
            try primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
            try primary.run("SELECT pg_reload_conf()")
        }
        try await follow()
    }

    func remove() {
        primary.stop()
        standby.stop()
        _ = try? ArchivingPostgreSQL.runAsServer(["/bin/rm", "-rf", "\(folder)/base"])
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Waits until the standby has everything that is committed now.
    func follow() async throws {
        let own = try ask(primary.socketFolder, "SELECT pg_current_wal_lsn()")
        try await until("SELECT COALESCE(pg_last_wal_replay_lsn() >= '\(own)', false)", "the standby doesn't follow")
    }

    /// Cuts the standby off from the primary: what is committed from now on, it never gets.
    func detach() async throws {
        _ = try ask(folder, "ALTER SYSTEM SET primary_conninfo = ''")
        _ = try ask(folder, "SELECT pg_reload_conf()")
        try await until("SELECT count(*) = 0 FROM pg_stat_wal_receiver", "the standby still follows")
    }

    /// Ends the primary, and makes the standby one.
    func failOver() throws {
        primary.stop()
        _ = try ask(folder, "SELECT pg_promote()")
    }

    private func until(_ question: String, _ failure: String) async throws {
        for _ in 0..<10_000 {
            if try ask(folder, question) == "t" { return }
            await Task.yield()
        }
        throw PerennialProcess.Failure(description: failure)
    }

    private func ask(_ socket: String, _ statement: String) throws -> String {
        let words = ["-h", socket, "-U", "perennial", "-d", "postgres", "-Atc", statement]
        let (status, text) = try Subprocess.output(of: "\(programs.folder)/psql", words, in: "/")
        guard status == 0 else { throw PerennialProcess.Failure(description: "\(statement): \(text)") }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
