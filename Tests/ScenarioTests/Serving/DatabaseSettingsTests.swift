import PerennialStorage
import TestSupport
import Testing

/// Databases that a store can't work with, or shouldn't: `perennial serve` says so with the cure.
struct DatabaseSettingsTests {
    private static func refusal(_ url: String, data: String? = nil) async throws -> PerennialProcess.Ended {
        let folder = try data ?? TemporaryFolder.make()
        return try await PerennialProcess(["serve", "--port", "0", "--data", folder, "--database", url]).ended()
    }

    private static func change(_ url: String, _ settings: [String]) throws {
        let name = url.split(separator: "/").last ?? ""
        for setting in settings { try EphemeralPostgreSQL.shared().run("ALTER DATABASE \"\(name)\" \(setting)") }
    }

    @Test func `a store warns of settings that can lose purchases, and sells`() async throws {
        let url = try EphemeralPostgreSQL.shared().makeDatabase()
        try Self.change(
            url,
            [
                "SET default_transaction_isolation = 'serializable'", "SET default_transaction_read_only = 'on'",
            ])
        let store = try await RunningStore.start(data: try TemporaryFolder.make(), ["--database", url])
        try await RunningStore.withClient { client in
            let token = try await RunningStore.signIn(client, store.sandbox, "ann")
            let sold = try await RunningStore.buy(client, store.sandbox, "film.roll", token: token, key: "k")
            #expect(sold.status == 200)
        }
        let ended = await store.stop()
        #expect(ended.status == 0)
        // The server of the tests doesn't sync.
        for cure in [
            "set both to on in postgresql.conf", "SET default_transaction_isolation = 'read committed'",
            "SET default_transaction_read_only = 'off'",
        ] { #expect(ended.errors.contains(cure), "\(ended.errors)") }
    }

    @Test func `a database with too few connections is refused`() async throws {
        let url = try EphemeralPostgreSQL.shared().makeDatabase()
        try Self.change(url, ["CONNECTION LIMIT 5"])
        let ended = try await Self.refusal(url)
        #expect(ended.status == 1)
        #expect(ended.errors.contains("a node needs") && ended.errors.contains("raise max_connections"))
    }

    @Test func `a standby is refused`() async throws {
        let archive = try ArchivingPostgreSQL()
        defer { archive.remove() }
        let url = try archive.server.makeDatabase("store")
        try archive.backUp(url)
        let standby = try archive.standby()
        defer { standby.stop() }
        let ended = try await Self.refusal(standby.url(for: url))
        #expect(ended.status == 1)
        #expect(ended.errors.contains("target_session_attrs=read-write"), "\(ended.errors)")
    }

    @Test func `a node with the keys of another store is refused`() async throws {
        let url = try EphemeralPostgreSQL.shared().makeDatabase()
        let store = try await RunningStore.start(data: try TemporaryFolder.make(), ["--database", url])
        let other = try TemporaryFolder.make()
        // Keys of its own, which a database in memory needs as well.
        let another = try await RunningStore.start(data: other)
        #expect(await another.stop().status == 0)
        let ended = try await Self.refusal(url, data: other)
        #expect(ended.status == 1)
        #expect(ended.errors.contains("other signing keys"), "\(ended.errors)")
        #expect(await store.stop().status == 0)
    }
}
