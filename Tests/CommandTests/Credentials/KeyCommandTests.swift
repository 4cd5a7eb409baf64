import ArgumentParser
import Foundation
import Perennial
import TestSupport
import Testing

@testable import PerennialCommand

/// Keys and shared secrets from the command line.
struct KeyCommandTests {
    @Test(arguments: [("server-api", "AuthKey"), ("connect-api", "AuthKey"), ("promotional-offer", "AuthKey")])
    func `a key is created, listed and revoked, and its private half is in one file`(kind: String, name: String)
        async throws
    {
        try await RunningStore.run { store in
            #expect(try await store.run("keys", "list").words.split(separator: "\n").count == 1)
            let file = "\(try TemporaryFolder.make())/\(name).p8"
            let made = try await store.run("keys", "create", "--kind", kind, "--output", file)
            let id = String(made.words.prefix { $0 != ":" })
            #expect(APIKey.isID(id))
            #expect(made.words.contains(file))
            #expect(!made.words.contains("PRIVATE KEY"))
            let pem = try String(contentsOfFile: file, encoding: .utf8)
            #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----"))
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)

            let listed = try await store.run("keys", "list")
            #expect(listed.words.contains(id))
            #expect(listed.words.contains(" \(kind) "), "as it is asked for")
            #expect(try #require(listed.text(asJSON: true)).contains("privateKey") == false)
            #expect(try await store.run("keys", "revoke", id).words.hasPrefix("\(id) is revoked"))
            let row = try #require(
                try await store.run("keys", "list").words.split(separator: "\n").last { $0.hasPrefix(id) })
            #expect(row.split(separator: " ").count == (kind == "connect-api" ? 6 : 5))
            #expect(try String(contentsOfFile: file, encoding: .utf8) == pem)
        }
    }

    @Test func `a key of the App Store Connect API has the roles that it is created with`() async throws {
        try await RunningStore.run { store in
            let file = "\(try TemporaryFolder.make())/finance.p8"
            let made = try await store.run(
                "keys", "create", "--kind", "connect", "--role", "finance", "--role", "app-manager", "--output", file)
            let id = String(made.words.prefix { $0 != ":" })
            let row = try #require(
                try await store.run("keys", "list").words.split(separator: "\n").last { $0.hasPrefix(id) })
            #expect(row.contains(" APP_MANAGER,FINANCE"))
            #expect(throws: (any Error).self) { try Words.parse(["keys", "create", "--role", "finance"]) }
            #expect(throws: (any Error).self) {
                try Words.parse(["keys", "create", "--kind", "connect", "--role", "owner"])
            }
        }
    }

    @Test func `the default kind in the help is one that the option takes`() throws {
        let help = PerennialCommand.helpMessage(for: KeysCommand.Create.self)
        #expect(help.contains("default: server-api)"), "\(help)")
        let parsed = try Words.parse(["keys", "create", "--kind", "server-api"])
        #expect((parsed as? KeysCommand.Create)?.kind == .serverAPI)
    }

    @Test func `an existing key file is kept, and an unknown app has no keys`() async throws {
        try await RunningStore.run { store in
            let file = "\(try TemporaryFolder.make())/key.p8"
            try Data("mine".utf8).write(to: URL(filePath: file))
            await #expect(throws: (any Error).self) {
                try await store.run("keys", "create", "--output", file)
            }
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
            #expect(try await store.error("keys", "list", "--app", "com.example.none").contains("(appNotFound)"))
            #expect(try await store.error("keys", "revoke", "ABCDEFGHJK").hasSuffix("(keyNotFound)"))
        }
    }

    @Test func `a shared secret is shown, replaced and revoked`() async throws {
        try await RunningStore.run { store in
            #expect(try await store.run("shared-secret", "show").words == TestCatalog.sharedSecret)
            let new = try await store.run("shared-secret", "create").words
            #expect(new != TestCatalog.sharedSecret && new.utf8.count == 32)
            #expect(try await store.run("shared-secret", "show").words == new)
            #expect(try await store.run("shared-secret", "revoke").words.contains("no shared secret"))
            #expect(try await store.run("shared-secret", "show").words.contains("it was revoked"))
        }
    }
}
