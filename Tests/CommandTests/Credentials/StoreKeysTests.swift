import AppStoreFormats
import ArgumentParser
import Foundation
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialCommand

/// Keys and the database that they sign for belong together.
struct StoreKeysTests {
    /// Keys of two stores, made once: making RSA keys takes a moment.
    private static let made = Result {
        try ["one", "other"].map { name in
            let folder = URL(filePath: try TemporaryFolder.make()).appending(path: name)
            _ = try SigningIdentities.loadOrMake(in: folder)
            return folder
        }
    }

    private func copyOfKeys(_ index: Int = 0) throws -> URL {
        let copy = URL(filePath: try TemporaryFolder.make()).appending(path: "keys")
        try FileManager.default.copyItem(at: Self.made.get()[index], to: copy)
        return copy
    }

    private func open(_ keys: URL, _ database: Database) async throws -> [UInt8] {
        try await StoreKeys(directory: keys, database: database).open().identities.rootCertificate
    }

    /// Uses a database as a store does first.
    private func use(_ database: Database) async throws {
        try await database.write { connection in
            try connection.execute(
                """
                INSERT INTO environments (id, name, kind, clock, next_id, secret)
                VALUES (1, 'Production', 'Production', 'real', 1, $1)
                """, [.blob([7])])
        }
    }

    private func refusal(_ keys: URL, _ database: Database) async throws -> String {
        do {
            _ = try await open(keys, database)
            return "none"
        } catch { return "\(error)" }
    }

    @Test(arguments: Engine.allCases)
    func `keys and their database open again`(engine: Engine) async throws {
        let (keys, database) = (try copyOfKeys(), try engine.makeDatabase())
        let first = try await open(keys, database)
        try await use(database)
        #expect(try await open(keys, database) == first)
    }

    @Test func `keys that no database used yet open with an empty one`() async throws {
        // A first start that made its keys and then found no database.
        _ = try await open(try copyOfKeys(), try Engine.sqliteInMemory.makeDatabase())
    }

    @Test func `a used database without its keys is refused, and no keys are made`() async throws {
        let database = try Engine.sqliteInMemory.makeDatabase()
        _ = try await open(try copyOfKeys(), database)
        try await use(database)
        for exists in [false, true] {
            let keys = URL(filePath: try TemporaryFolder.make()).appending(path: "keys")
            if exists { try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: true) }
            let refusal = try await refusal(keys, database)
            #expect(refusal.contains("restore this folder from a backup"), "\(refusal)")
            #expect(!SigningFolder.holdsKeys(keys))
        }
    }

    @Test func `a database of an earlier version without its keys is refused`() async throws {
        let database = try Engine.sqliteInMemory.makeDatabase()
        try await use(database)
        let keys = URL(filePath: try TemporaryFolder.make()).appending(path: "keys")
        #expect(try await refusal(keys, database).contains("restore this folder from a backup"))
        // With its keys it opens, and knows them from then on.
        _ = try await open(try copyOfKeys(), database)
        #expect(try await refusal(try copyOfKeys(1), database).contains("other signing keys"))
    }

    @Test func `an empty database beside used keys is refused`() async throws {
        let keys = try copyOfKeys()
        _ = try await open(keys, try Engine.sqliteInMemory.makeDatabase())
        let refusal = try await refusal(keys, try Engine.sqliteInMemory.makeDatabase())
        #expect(refusal.contains("is empty") && refusal.contains("restore the database"), "\(refusal)")
    }

    @Test func `an empty database beside an earlier version's used keys is refused`() async throws {
        let keys = try copyOfKeys()
        let api = keys.appending(path: "api")
        try FileManager.default.createDirectory(at: api, withIntermediateDirectories: true)
        try Data().write(to: api.appending(path: "AuthKey_ABC.p8"))
        #expect(try await refusal(keys, try Engine.sqliteInMemory.makeDatabase()).contains("is empty"))
    }

    @Test func `keys of another store are refused`() async throws {
        let database = try Engine.sqliteInMemory.makeDatabase()
        _ = try await open(try copyOfKeys(), database)
        #expect(try await refusal(try copyOfKeys(1), database).contains("other signing keys"))
    }

    @Test(arguments: Engine.lasting)
    func `nodes that start at once on one folder agree`(engine: Engine) async throws {
        let (keys, database) = (try copyOfKeys(), try engine.makeDatabase())
        let other = try Database(database.location, options: .forTests)
        async let one = open(keys, database)
        async let two = open(keys, other)
        #expect(try await one == two)
    }

    @Test func `nodes that start at once on one folder have one control token`() async throws {
        for _ in 0..<20 {
            let options = try DataOptions.parse(["--data", try TemporaryFolder.make()])
            let keys = Task { try TestSigning.identities }
            let tokens = try await withThrowingTaskGroup(of: String.self) { nodes in
                for _ in 0..<4 { nodes.addTask { try DataDirectory(options, keys: keys).controlToken } }
                return try await nodes.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(tokens.count == 1)
        }
    }

    @Test func `an existing data folder and its secrets become their owner's only`() throws {
        let data = try TemporaryFolder.make()
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: data)
        try Data("token\n".utf8).write(to: URL(filePath: "\(data)/control-token"))
        try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(data)/control-token")
        let home = try DataDirectory(try DataOptions.parse(["--data", data]))
        #expect(home.controlToken == "token")
        for (path, mode) in [(data, 0o700), ("\(data)/control-token", 0o600)] {
            #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode, "\(path)")
        }
    }
}
