import Foundation
@testable import PerennialStorage
import TestSupport
import Testing

/// The settings that a server must have for a store, and those that it should have.
struct ServerFactsTests {
    private static func texts(_ change: (inout ServerFacts) -> Void) -> [DatabaseFinding] {
        var facts = ServerFacts()
        change(&facts)
        return facts.findings(connections: 18)
    }

    @Test func `a server with the usual settings is fine`() {
        #expect(Self.texts { _ in } == [])
        #expect(Self.texts { $0.pooler = .session } == [])
        // Acknowledged by the primary, which has no standby.
        #expect(Self.texts { $0.synchronousCommit = "local" } == [])
    }

    @Test(arguments: [
        ("postgres://one,two/store", 2), ("postgres://ann:a,b@one:5432,two:5433,three/store?sslmode=require", 3),
        ("postgres:///store?host=one,two", 2), ("postgresql:///store?host=one%2Ctwo", 2),
        ("postgres://ann:a,b@one/store,2", 1), ("postgres://one/store?options=-c%20a=b,c", 1),
        ("postgres:///store", 1),
    ])
    func `the hosts of a URL are counted, since the primary is wanted of several`(url: String, count: Int) {
        #expect(PostgreSQLAddress.hostCount(url) == count)
    }

    private struct Case: Sendable {
        var severity = DatabaseFinding.Severity.refusal
        /// Words of the cure.
        let cure: String
        let change: @Sendable (inout ServerFacts) -> Void
    }

    private static let cases: [Case] = [
        Case(cure: "pool_mode = session") { $0.pooler = .transaction },
        Case(cure: "target_session_attrs=read-write") { $0.isStandby = true },
        Case(cure: "GRANT CREATE ON SCHEMA public TO shop") { ($0.mayCreate, $0.role) = (false, "shop") },
        Case(cure: "OWNER TO perennial") { ($0.tableOwners, $0.mayUseTables) = ("postgres", false) },
        Case(severity: .warning, cure: "pg_restore --no-owner") { $0.tableOwners = "postgres" },
        Case(cure: "ENCODING 'UTF8'") { $0.encoding = "LATIN1" },
        Case(cure: "max_connections") { ($0.connectionsMax, $0.connectionsFree) = (17, 17) },
        Case(severity: .warning, cure: "max_connections") { $0.connectionsFree = 17 },
        Case(severity: .warning, cure: "synchronous_commit = 'on'") { $0.synchronousCommit = "off" },
        Case(severity: .warning, cure: "synchronous_commit = 'on'") {
            ($0.synchronousCommit, $0.synchronousStandbys) = ("local", "ANY 1 (*)")
        },
        Case(severity: .warning, cure: "default_transaction_read_only = 'off'") { $0.isReadOnly = true },
        Case(severity: .warning, cure: "set both to on") { $0.survivesCrash = false },
        Case(severity: .warning, cure: "default_transaction_isolation = 'read committed'") {
            $0.isolation = "serializable"
        },
    ]

    @Test(arguments: cases.indices)
    func `each bad setting is told with its cure`(index: Int) throws {
        let found = Self.texts(Self.cases[index].change)
        let finding = try #require(found.first)
        #expect(found.count == 1)
        #expect(finding.severity == Self.cases[index].severity)
        #expect(finding.text.contains(Self.cases[index].cure), "\(finding.text)")
    }

    @Test func `the settings of a real database are found`() throws {
        let server = try EphemeralPostgreSQL.shared()
        let url = try server.makeDatabase()
        let name = String(url.split(separator: "/").last ?? "")
        let good = try ServerInspection(url: url, place: "test").facts()
        #expect(good.pooler == .none && good.mayCreate && !good.isStandby)
        #expect(good.role == "perennial" && good.database == name && good.encoding == "UTF8")
        #expect(good.connectionsMax == 1500 && good.connectionsFree <= 1500)
        let settings = [
            "CONNECTION LIMIT 5", "SET default_transaction_isolation = 'serializable'",
            "SET synchronous_commit = 'off'", "SET default_transaction_read_only = 'on'",
        ]
        for setting in settings { try server.run("ALTER DATABASE \"\(name)\" \(setting)") }
        let bad = try ServerInspection(url: url, place: "test").facts()
        #expect(bad.connectionsMax == 5 && bad.connectionsFree <= 5)
        #expect(bad.isolation == "serializable" && bad.synchronousCommit == "off" && bad.isReadOnly)
        let location = try DatabaseLocation(url: url)
        #expect(try location.findings().contains { $0.severity == .refusal && $0.text.contains("a node needs") })
    }

    /// Creates a role that is no superuser, and returns the URL with which it connects.
    private static func makeRole(for url: String, on server: EphemeralPostgreSQL) throws -> (name: String, url: String)
    {
        let name = "role_" + (url.split(separator: "/").last ?? "").replacing("-", with: "_")
        try server.run("CREATE ROLE \"\(name)\" LOGIN")
        return (name, url.replacing("postgres://perennial@", with: "postgres://\(name)@"))
    }

    @Test func `connections that are reserved for others aren't counted`() throws {
        let server = try EphemeralPostgreSQL.shared()
        let (role, url) = try Self.makeRole(for: try server.makeDatabase(), on: server)
        let setting = "test.reserved_connections"
        func connections() throws -> Int {
            try ServerInspection(url: url, place: "test", reservedSetting: setting).facts().connectionsMax
        }
        let all = try connections()
        #expect(all == 1500 - 3)
        try server.run("ALTER ROLE \"\(role)\" SET \(setting) = '40'")
        #expect(try connections() == all - 40)
    }

    @Test func `tables of another owner are told with the cure`() async throws {
        let server = try EphemeralPostgreSQL.shared()
        let url = try server.makeDatabase()
        let (role, roleURL) = try Self.makeRole(for: url, on: server)
        let name = url.split(separator: "/").last ?? ""
        try server.run("GRANT CREATE ON DATABASE \"\(name)\" TO \"\(role)\"")
        let database = try Database(DatabaseLocation(url: url), options: .forTests)
        defer { database.close() }
        try database.migrate()
        try await database.write { try $0.execute(SQL("GRANT CREATE ON SCHEMA public TO \"\(role)\"")) }
        let location = try DatabaseLocation(url: roleURL)
        let refused = try location.findings().filter { $0.text.contains("the tables belong to perennial") }
        #expect(refused.map(\.severity) == [.refusal])
        try await database.write { try $0.execute(SQL("GRANT ALL ON ALL TABLES IN SCHEMA public TO \"\(role)\"")) }
        let warned = try location.findings().filter { $0.text.contains("the tables belong to perennial") }
        #expect(warned.map(\.severity) == [.warning])
        // The cure, as psql runs it.
        try await database.write { connection in
            let changes = try connection.query(
                """
                SELECT format('ALTER TABLE %I OWNER TO %I', tablename, CAST($1 AS TEXT)) FROM pg_tables
                WHERE schemaname = current_schema()
                """, [.text(role)]
            ) { try $0.text(0) }
            for change in changes { try connection.execute(SQL(change)) }
        }
        #expect(try !location.findings().contains { $0.text.contains("the tables belong") })
    }

    @Test(arguments: ["operate-on-postgresql", "size-a-store", "use-a-connection-pooler"])
    func `the how-to pages name the connections of a node`(page: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/how-to/\(page).md"), encoding: .utf8)
        let named = text.matches(of: /([0-9]+) (?:connections: |for each node|of them, however)/).compactMap {
            Int($0.1)
        }
        #expect(!named.isEmpty)
        #expect(named.allSatisfy { $0 == DatabaseOptions().connectionsMax }, "\(named)")
    }

    @Test func `a server that isn't there is no finding but an error`() {
        #expect(throws: StorageError(.cannotOpen, "", "")) {
            try DatabaseLocation(url: "postgres://perennial@127.0.0.1:1/nothing").findings()
        }
    }

    @Test(arguments: [Engine.sqlite, .sqliteInMemory])
    func `SQLite has no settings to look at`(engine: Engine) throws {
        #expect(try engine.makeLocation().findings() == [])
    }
}
