import Foundation
import Perennial
import PerennialStorage
import Subprocesses
import TestSupport
import Testing

/// Data folders as earlier versions wrote them (Fixtures/DataFolders): each opens in this version, with all that it holds.
struct DataFolderTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/DataFolders")
    private static let archives =
        ((try? FileManager.default.contentsOfDirectory(atPath: fixtures.path)) ?? []).filter { $0.hasSuffix(".tgz") }
        .sorted()

    private func unpack(_ archive: String) throws -> String {
        let data = try TemporaryFolder.make()
        let program = try Subprocess(
            "/usr/bin/env", ["tar", "-xzf", Self.fixtures.appending(path: archive).path, "-C", data])
        try #require(program.wait() == 0)
        return data
    }

    @Test func `there is a data folder to open`() {
        #expect(!Self.archives.isEmpty)
    }

    @Test(arguments: archives)
    func `a data folder of an earlier version opens and goes on`(archive: String) async throws {
        let data = try unpack(archive)
        let root = try Data(contentsOf: URL(filePath: "\(data)/keys/root.cer"))
        let before = try await counts("\(data)/store.sqlite")
        let store = try await RunningStore.start(data: data)
        let control = "\(store.url)/environments/kept/control/v1"
        try await RunningStore.withClient { client in
            let clock = try await RunningStore.ask(client, "\(control)/clock", bearer: store.controlToken)
            #expect(clock["now"] == "2026-01-15T10:07:00Z")
            let advanced = try await RunningStore.ask(
                client, "\(control)/clock/advance", ["by": "PT10M"], bearer: store.controlToken)
            #expect(advanced.status == 200, "\(advanced)")
            let receipt = try await RunningStore.ask(
                client, "\(control)/receipt?bundleId=com.example.photomag&account=ann", bearer: store.controlToken)
            let bytes = try #require(receipt["appReceipt"]?.text)
            let verified = try await RunningStore.ask(
                client, "\(store.url)/environments/kept/verifyReceipt",
                ["receipt-data": .string(bytes), "password": .string(try secret(of: store))])
            #expect(verified["status"] == 0, "\(verified)")
        }
        #expect(await store.stop().status == 0)
        #expect(try Data(contentsOf: URL(filePath: "\(data)/keys/root.cer")) == root)
        let after = try await counts("\(data)/store.sqlite")
        // Advancing renewed what was to renew.
        #expect(after.transactions > before.transactions)
        #expect(after.subscriptions == before.subscriptions)
    }

    /// Migration 18 and those before posted amounts in thousandths of the currency's unit, not in whole coins.
    @Test func `old sales are refunded exactly, old subscriptions renewed in coins`() async throws {
        let data = try unpack("2026-11-22-migration-18.tgz")
        let sold = ["customer -3960", "proceeds 2329", "commission 998", "tax 633"]
        #expect(try await postings("purchased", of: 2_000_100_000_000_004, data) == sold)
        let store = try await RunningStore.start(data: data)
        let control = "\(store.url)/environments/kept/control/v1"
        try await RunningStore.withClient { client in
            let refunded = try await RunningStore.ask(
                client, "\(control)/transactions/2000100000000004/refund", .object([:]), bearer: store.controlToken)
            #expect(refunded.status == 200, "\(refunded)")
            let advanced = try await RunningStore.ask(
                client, "\(control)/clock/advance", ["by": "PT2M"], bearer: store.controlToken)
            #expect(advanced["events"] == 2, "\(advanced)")
        }
        #expect(await store.stop().status == 0)
        #expect(
            try await postings("refunded", of: 2_000_100_000_000_004, data)
                == ["customer 3960", "proceeds -2329", "commission -998", "tax -633"])
        #expect(
            try await postings("renewed", of: nil, data) == [
                "customer -3990", "proceeds 2350", "commission 1000", "tax 640",
            ])
    }

    /// Returns the postings of the newest entry of a kind.
    private func postings(_ kind: String, of transaction: Int64?, _ data: String) async throws -> [String] {
        let database = try Database(.sqlite(path: "\(data)/store.sqlite"), options: .forTests)
        defer { database.close() }
        return try await database.read { connection in
            try connection.query(
                """
                SELECT p.account || ' ' || p.amount FROM postings AS p JOIN journal AS j ON j.environment = p.environment
                AND j.app = p.app AND j.position = p.position WHERE j.position = (SELECT MAX(position) FROM journal
                WHERE kind = $1 AND (transaction_id = $2 OR $2 IS NULL)) ORDER BY p.line
                """, [.text(kind), SQLValue(transaction)]
            ) { try $0.text(0) }
        }
    }

    private func secret(of store: RunningStore) throws -> String {
        let app = store.ready["apps"]?.elements?.first { $0["bundleId"] == "com.example.photomag" }
        return try #require(app?["sharedSecret"]?.text)
    }

    /// A released migration never changes: what it made then is what it makes now.
    @Test(arguments: archives)
    func `the schema of an earlier version becomes the present one`(archive: String) async throws {
        let data = try unpack(archive)
        let upgraded = try Database(.sqlite(path: "\(data)/store.sqlite"), options: .forTests)
        defer { upgraded.close() }
        try upgraded.migrate()
        #expect(try await schema(upgraded) == schema(try Engine.sqlite.makeDatabase()))
    }

    private func schema(_ database: Database) async throws -> [String] {
        try await database.read { connection in
            try connection.query("SELECT name || ' ' || sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY 1") {
                try $0.text(0).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
        }
    }

    private func counts(_ path: String) async throws -> (transactions: Int, subscriptions: Int) {
        let database = try Database(.sqlite(path: path), options: .forTests)
        defer { database.close() }
        let documents = try await database.read { connection in
            try connection.query("SELECT document FROM subscriptions") { try $0.text(0) }
        }
        for document in documents { _ = try Subscription(document: document) }
        let transactions = try await database.read { connection in
            try connection.query("SELECT COUNT(*) FROM transactions") { Int(try $0.integer(0)) }
        }
        return (transactions[0], documents.count)
    }
}
