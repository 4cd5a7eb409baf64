import Foundation
import Perennial
import PerennialConnect
import TestSupport
import Testing

@testable import PerennialCommand

/// Snippets have the values of the store in them.
struct SnippetTests {
    private static let key = KeyFiles.Named(issuerId: "the-issuer", keyId: "KEY22", privateKey: "/data/two.p8")

    private static let info: StartupInfo = {
        var info = StartupInfo(
            url: "http://127.0.0.1:8080", controlToken: "the-token", rootCertificate: "/data/keys/root.cer",
            receiptRootCertificate: "/data/keys/receipt-root.cer", apps: [], keys: [:])
        info.apps = [
            .init(bundleId: "com.example.one", appAppleId: 11, sharedSecret: "s1"),
            .init(
                bundleId: "com.example.two", appAppleId: 22, sharedSecret: "s2", exampleProductId: "two.monthly",
                serverAPIKey: key, connectAPIKey: key),
        ]
        info.tls = .init(host: "127.0.0.1", port: 8443, trust: "/data/root-certificate.pem")
        return info
    }()

    private func print(_ words: String...) throws -> String {
        let file = try TemporaryFolder.make() + "/ready.json"
        try ReadyFile(path: file).write(Self.info)
        let command = try Words.parse(["snippets"] + words + ["--ready-file", file])
        return try #require(command as? SnippetsCommand).text()
    }

    @Test(arguments: SnippetLanguage.allCases.filter { $0 != .curl })
    func `a snippet has key, issuer, paths and app in it, and says what to prepare`(language: SnippetLanguage) throws {
        let text = try print(language.rawValue, "--app", "com.example.two")
        for part in ["KEY22", "the-issuer", "/data/two.p8", "com.example.two", "/data/root-certificate.pem", "8443"] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(text.contains("/data/keys/root.cer"))
        // go-iap and the usual library of tokens know nothing of the app's number.
        if language != .go { #expect(text.contains(" 22")) }
    }

    @Test func `curl needs nothing but the URL, the token, the secret and a product`() throws {
        let text = try print("curl", "--app", "com.example.two")
        for part in ["http://127.0.0.1:8080/sandbox/verifyReceipt", "Bearer the-token", "s2", "two.monthly"] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
    }

    @Test func `the first app is the default, and an unknown app is refused`() throws {
        #expect(try print("python").contains("com.example.one"))
        #expect(throws: StoreClientError.self) { try print("python", "--app", "com.example.none") }
    }

    @Test func `the banner has a line for each language, with key, issuer and path in it`() throws {
        var info = Self.info
        info.apps.removeFirst()
        let banner = info.banner(database: "memory", readyFile: "ready.json")
        let lines = banner.split(separator: "\n")
        for language in SnippetLanguage.allCases {
            let line = try #require(lines.first { $0.hasPrefix("    \(language.name) ") }, "\(banner)")
            let values = language == .curl ? ["the-token", "two.monthly"] : ["KEY22", "the-issuer", "/data/two.p8"]
            for part in values + ["com.example.two"] { #expect(line.contains(part), "\(part) in \(line)") }
        }
        #expect(banner.contains("perennial snippets LANGUAGE --ready-file ready.json"))
        #expect(banner.contains("https://127.0.0.1:8443") && !banner.contains("need --tls"))
        info.tls = nil
        #expect(info.banner(database: "memory").contains("need --tls"))
    }

    @Test func `the example product renews and is for sale`() {
        var app = TestCatalog.magazine()
        let catalog = Catalog(apps: [app])
        let example = catalog.exampleProducts[app.bundleID]
        #expect(app.products.first { $0.id == example }?.type == .autoRenewable)
        for index in app.products.indices { app.products[index].isClearedForSale = false }
        #expect(Catalog(apps: [app]).exampleProducts.isEmpty)
    }
}
