import AppStoreFormats
import ArgumentParser
import Foundation
import Perennial
import PerennialConnect
import TestSupport
import Testing

@testable import PerennialCommand

/// Commands that work on files, without a store.
struct FileCommandTests {
    private static let example = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples/Magazine")

    private static func check(_ words: String...) throws -> CatalogCommand.Check {
        let parsed = try Words.parse(["catalog", "check"] + words)
        return try #require(parsed as? CatalogCommand.Check)
    }

    @Test func `the report of the example's catalog lists every product`() throws {
        let catalog = try Self.check(Self.example.appending(path: "catalog.yaml").path).load()
        let lines = CatalogReport(catalog).text.split(separator: "\n", omittingEmptySubsequences: false)
        let products = try #require(catalog.apps.first).products
        #expect(lines.first?.hasPrefix("com.example.photomag “") == true)
        #expect(lines.first?.contains(": \(products.count) products, ") == true)
        #expect(lines.count == products.count + 4)
        for (product, line) in zip(products, lines.dropFirst(2)) { #expect(line.hasPrefix(product.id.rawValue)) }
        #expect(lines.last == "No warnings.")
    }

    @Test func `warnings are listed, and are errors with --strict`() async throws {
        let file = "\(try TemporaryFolder.make())/shop.storekit"
        try Data(#"{"products": [{"productID": "a.b", "type": "Consumable", "displayPrice": "1", "new": 1}]}"#.utf8)
            .write(to: URL(filePath: file))
        let catalog = try Self.check(file).load()
        #expect(!catalog.warnings.isEmpty)
        let text = CatalogReport(catalog).text
        for warning in catalog.warnings { #expect(text.contains("  \(warning)")) }
        await #expect(throws: ExitCode(65)) { try await Self.check(file, "--strict").run() }
    }

    @Test(arguments: ["{", nil])
    func `a file that can't be used ends with exit code 65`(text: String?) async throws {
        let file = "\(try TemporaryFolder.make())/shop.storekit"
        if let text { try Data(text.utf8).write(to: URL(filePath: file)) }
        await #expect(throws: ExitCode(65)) { try await Self.check(file).run() }
    }

    @Test func `rotation replaces the leaves and keeps the root`() throws {
        let folder = try TemporaryFolder.make()
        let keys = URL(filePath: folder).appending(path: "keys")
        let before = try SigningIdentities.loadOrMake(in: keys)
        let command = try Words.parse(["certificates", "rotate", "--data", folder])
        let said = try #require(command as? CertificatesCommand.Rotate).rotate()
        let after = try SigningIdentities.load(from: keys)
        #expect(said.hasPrefix("\(folder)/keys has new signing keys"))
        #expect(after.rootCertificate == before.rootCertificate)
        #expect(after.transactionChain.leaf != before.transactionChain.leaf)
        #expect(after.receiptChain.leaf != before.receiptChain.leaf)
    }

    @Test func `a folder without keys is reported`() throws {
        let folder = "\(try TemporaryFolder.make())/none"
        let command = try Words.parse(["certificates", "rotate", "--data", folder])
        #expect {
            _ = try #require(command as? CertificatesCommand.Rotate).rotate()
        } throws: { error in
            "\(error)" == "\(folder) holds no keys: name the folder of perennial serve --data"
                && PerennialCommand.exitCode(for: error).rawValue == 1
        }
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
