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
