import Foundation
import Subprocesses

/// PostgreSQL's programs on this machine.
package struct PostgreSQLPrograms: Sendable {
    package let folder: String

    /// Finds the programs.
    /// - Throws: `EphemeralPostgreSQL.Failure`, with the package to install.
    package static func find() throws -> PostgreSQLPrograms {
        let asked = (try? Subprocess.output(of: "/usr/bin/env", ["pg_config", "--bindir"])).map {
            $0.status == 0 ? $0.text.trimmingCharacters(in: .whitespacesAndNewlines) : ""
        }
        let folder = ([asked ?? ""] + usualFolders).first {
            !$0.isEmpty && FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
        }
        guard let folder else {
            throw EphemeralPostgreSQL.Failure(
                description: """
                    There is no PostgreSQL server (initdb, postgres) on this machine: apt install postgresql, \
                    dnf install postgresql-server, or brew install postgresql@17.
                    """)
        }
        return PostgreSQLPrograms(folder: folder)
    }

    private static let usualFolders: [String] = {
        let versions = (13...20).reversed()
        return versions.map { "/usr/lib/postgresql/\($0)/bin" } + versions.map { "/usr/pgsql-\($0)/bin" }
            + versions.flatMap { ["/opt/homebrew/opt/postgresql@\($0)/bin", "/usr/local/opt/postgresql@\($0)/bin"] }
            + ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    }()

    /// Returns a command that drops root's privileges, because PostgreSQL refuses to run as root.
    package static func asUnprivilegedUser(_ command: [String]) throws -> [String] {
        guard getuid() == 0 else { return command }
        let setpriv = "/usr/bin/setpriv"
        guard FileManager.default.isExecutableFile(atPath: setpriv) else {
            throw EphemeralPostgreSQL.Failure(
                description: "PostgreSQL doesn't run as root, and \(setpriv) is missing: install util-linux.")
        }
        let group = try Subprocess.output(of: "/usr/bin/id", ["-g", "nobody"]).text.filter(\.isNumber)
        return [setpriv, "--reuid=nobody", "--regid=\(group)", "--clear-groups"] + command
    }
}
