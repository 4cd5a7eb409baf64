import Foundation
import Perennial
import TestSupport
import Testing

@testable import PerennialCommand

/// Keys and shared secrets from the command line.
struct KeyCommandTests {
    private static let app = "com.example.magazine"

    @Test(arguments: [("server-api", "AuthKey"), ("connect-api", "AuthKey"), ("promotional-offer", "AuthKey")])
    func `a key is made, listed and revoked, and its private half is in one file alone`(kind: String, name: String)
        async throws
    {
        try await RunningStore.run { store in
            #expect(try await store.run("keys", "list", Self.app).words.split(separator: "\n").count == 1)
            let file = "\(try TemporaryFolder.make())/\(name).p8"
            let made = try await store.run("keys", "create", Self.app, "--kind", kind, "--output", file)
            let id = String(made.words.prefix { $0 != ":" })
            #expect(APIKey.isID(id))
            #expect(made.words.contains(file))
            #expect(!made.words.contains("PRIVATE KEY"))
            let pem = try String(contentsOfFile: file, encoding: .utf8)
            #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----"))
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)

            let listed = try await store.run("keys", "list", Self.app)
            #expect(listed.words.contains(id))
            #expect(listed.words.contains(" \(kind) "), "as it is asked for")
            #expect(try #require(listed.text(asJSON: true)).contains("privateKey") == false)
            #expect(try await store.run("keys", "revoke", Self.app, id).words.hasPrefix("\(id) is revoked"))
            let row = try #require(
                try await store.run("keys", "list", Self.app).words.split(separator: "\n").last { $0.hasPrefix(id) })
            #expect(row.split(separator: " ").count == 5)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == pem)
        }
    }

    @Test func `a key's file is not written over, and who is not there has no keys`() async throws {
        try await RunningStore.run { store in
            let file = "\(try TemporaryFolder.make())/key.p8"
            try Data("mine".utf8).write(to: URL(filePath: file))
            await #expect(throws: (any Error).self) {
                try await store.run("keys", "create", Self.app, "--output", file)
            }
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
            #expect(try await store.error("keys", "list", "com.example.none").hasSuffix("(appNotFound)"))
            #expect(try await store.error("keys", "revoke", Self.app, "ABCDEFGHJK").hasSuffix("(keyNotFound)"))
        }
    }

    @Test func `a shared secret is shown, replaced and revoked`() async throws {
        try await RunningStore.run { store in
            #expect(try await store.run("shared-secret", "show", Self.app).words == TestCatalog.sharedSecret)
            let new = try await store.run("shared-secret", "create", Self.app).words
            #expect(new != TestCatalog.sharedSecret && new.utf8.count == 32)
            #expect(try await store.run("shared-secret", "show", Self.app).words == new)
            #expect(try await store.run("shared-secret", "revoke", Self.app).words.contains("no shared secret"))
            #expect(try await store.run("shared-secret", "show", Self.app).words.contains("it was revoked"))
        }
    }
}
