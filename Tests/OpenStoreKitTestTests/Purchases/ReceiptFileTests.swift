import AppStoreFormats
import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("The receipt file of a session")
struct ReceiptFileTests {
    /// Returns the products in the file that apps read, verified by the session's root as a server does it.
    private func products(_ session: SKTestSession) throws -> [String] {
        let verifier = try ReceiptVerifier(trustedRoots: [Array(session.receiptRootCertificate)])
        let receipt = try Data(contentsOf: session.connection.appStoreReceiptURL)
        return try verifier.verify(Array(receipt)).purchases.map(\.productID).sorted()
    }

    private func fileExists(_ session: SKTestSession) -> Bool {
        FileManager.default.fileExists(atPath: session.connection.appStoreReceiptURL.path)
    }

    @Test("A purchase of StoreKit 2 is in the receipt, without an observer of StoreKit 1")
    func purchase() async throws {
        try await Fixtures.withSession { session in
            #expect(!fileExists(session))
            let product = try #require(try await Product.products(for: [Fixtures.silver]).first)
            guard case .success = try await product.purchase() else { return #expect(Bool(false)) }
            #expect(try products(session) == [Fixtures.silver])
            try await session.buyProduct(identifier: Fixtures.weekly)
            #expect(try products(session) == [Fixtures.silver, Fixtures.weekly])
            try session.clock.advance(by: .seconds(8 * 86_400))
            _ = await Transaction.latest(for: Fixtures.weekly)
            #expect(try products(session) == [Fixtures.silver, Fixtures.weekly, Fixtures.weekly])
        }
    }

    @Test("A refund renews the receipt")
    func refund() async throws {
        try await Fixtures.withSession { session in
            let bought = try await session.buyProduct(identifier: Fixtures.silver)
            let before = try Data(contentsOf: session.connection.appStoreReceiptURL)
            try session.refundTransaction(identifier: UInt(bought.id))
            #expect(try await Transaction.latest(for: Fixtures.silver)?.payloadValue.revocationDate != nil)
            #expect(try Data(contentsOf: session.connection.appStoreReceiptURL) != before)
        }
    }

    @Test("After clearing no purchase is in the receipt")
    func clear() async throws {
        try await Fixtures.withSession { session in
            try await session.buyProduct(identifier: Fixtures.silver)
            #expect(try products(session) == [Fixtures.silver])
            session.clearTransactions()
            #expect(!fileExists(session))
            try await session.buyProduct(identifier: Fixtures.amber)
            #expect(try products(session) == [Fixtures.amber])
        }
    }

    @Test("A changed receipt, and one of another root, are refused")
    func forged() async throws {
        try await Fixtures.withSession { session in
            try await session.buyProduct(identifier: Fixtures.silver)
            let receipt = Array(try Data(contentsOf: session.connection.appStoreReceiptURL))
            let place = try #require(receipt.firstRange(of: Array(Fixtures.silver.utf8))?.lowerBound)
            var changed = receipt
            changed[place] ^= 1
            let verifier = try ReceiptVerifier(trustedRoots: [Array(session.receiptRootCertificate)])
            #expect(throws: (any Error).self) { try verifier.verify(changed) }
            let other = try ReceiptVerifier(trustedRoots: [Array(session.rootCertificate)])
            #expect(throws: (any Error).self) { try other.verify(receipt) }
        }
    }
}
