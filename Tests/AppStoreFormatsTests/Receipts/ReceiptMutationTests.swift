import Foundation
import TestRandomness
import Testing

@testable import AppStoreFormats

/// Damaged receipts end in an error or, where the damage is to nothing that is read, in a receipt: never in a crash.
struct ReceiptMutationTests {
    /// Five million where there is time: `make test-long`.
    private static let count = ProcessInfo.processInfo.environment["PERENNIAL_LONG"] == nil ? 20_000 : 5_000_000

    @Test func `damaged receipts never crash the parser`() async throws {
        let seed: UInt64 = 20_261_121
        var generator = SeededGenerator(seed: seed)
        let receipt = SampleReceipts.receipt(purchases: 1)
        let original = try ReceiptSigner(identities: try TestIdentities.shared).sign(receipt)
        let payload = receipt.encodedPayload()
        let payloadStart = try #require(original.firstRange(of: payload)?.lowerBound)
        let target = payloadStart..<payloadStart + payload.count
        let verifier = try ReceiptVerifier(trustedRoots: [try TestIdentities.shared.receiptRootCertificate])
        var containers = 0
        var receipts = 0
        for number in 0..<Self.count {
            // Other tests wait for answers with a time limit, and there are few threads.
            if number.isMultiple(of: 1000) { await Task.yield() }
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let range = Bool.random(using: &generator) ? target : 0..<bytes.count
                Self.mutate(&bytes, in: range.clamped(to: 0..<bytes.count), &generator)
            }
            if let container = try? ParsedReceiptContainer(bytes) {
                containers += 1
                if (try? AppReceipt(payload: container.payload)) != nil { receipts += 1 }
            }
            // The whole way, with its cryptography, is slow in debug builds.
            if number.isMultiple(of: 100), bytes != original {
                #expect(throws: ReceiptError.self, "seed \(seed), number \(number)") { try verifier.verify(bytes) }
            }
        }
        #expect(containers > Self.count / 10, "the damage reaches behind the container")
        #expect(receipts > Self.count / 100, "the damage reaches behind the payload")
    }

    /// One of the ways in which bytes are damaged.
    private static func mutate(_ bytes: inout [UInt8], in range: Range<Int>, _ generator: inout SeededGenerator) {
        guard !range.isEmpty else { return }
        let index = Int.random(in: range, using: &generator)
        let length = min(Int.random(in: 1...8, using: &generator), bytes.count - index)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 5: bytes[index] = [0, 0x7F, 0x80, 0x84, 0xFF, 0x30, 0x31].randomElement(using: &generator) ?? 0
        case 6: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 7: bytes.removeSubrange(index..<index + length)
        case 8: bytes.insert(contentsOf: bytes[index..<index + length], at: index)
        default: bytes.removeSubrange(index...)
        }
    }
}
