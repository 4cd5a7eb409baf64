import BaseEncoding
import Crypto
import Foundation
import TestRandomness
import Testing

@testable import AppStoreFormats

/// Any text that is pasted gets an answer.
struct InspectionFuzzTests {
    /// Many more where there is time: `make test-long`.
    private static let count = ProcessInfo.processInfo.environment["PERENNIAL_LONG"] == nil ? 300 : 200_000

    private static func originals() throws -> [[UInt8]] {
        let samples = try InspectionSamples()
        let receipt = try samples.receipt()
        let transaction = try samples.transaction()
        let chain = samples.identities.transactionChain
        let texts = [
            receipt.base64, try samples.transactionReceipt(), transaction,
            try samples.notification(transaction: transaction),
            try samples.token(), samples.key.pemRepresentation, #"{"receipt-data":"\#(receipt.base64)"}"#,
            #"{"signedPayload":"\#(transaction)"}"#, "2000000000000002", "MK5S6T7V8WX",
            "-----BEGIN CERTIFICATE-----\n\(chain.leaf.base64)\n-----END CERTIFICATE-----",
            #"{"nonce":"a","signature":"AAAA","timestamp":1e999,"keyIdentifier":"2X9R4HXF34","bundleID":"a"}"#,
            "SKU\tUnits\r\nA\t1\r\n", "%7B%22a%22%3A1%7D",
        ]
        return texts.map { Array($0.utf8) } + [receipt, chain.leaf, chain.root, [0x1F, 0x8B, 8, 0]]
    }

    @Test func `damaged input never crashes, and always gets an answer`() async throws {
        let seed: UInt64 = 20_261_123
        var generator = SeededGenerator(seed: seed)
        let originals = try Self.originals()
        let inspector = Inspector(try InspectionSamples().context)
        for number in 0..<Self.count {
            if number.isMultiple(of: 50) { await Task.yield() }
            var bytes = originals[number % originals.count]
            for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
                Self.mutate(&bytes, originals, &generator)
            }
            let inspection = inspector.inspect(bytes)
            let isEmpty = inspection.checks.isEmpty && inspection.parts.isEmpty
            #expect(!isEmpty, "seed \(seed), number \(number)")
        }
    }

    private static func mutate(
        _ bytes: inout [UInt8], _ originals: [[UInt8]], _ generator: inout SeededGenerator
    ) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        let length = min(Int.random(in: 1...8, using: &generator), bytes.count - index)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<3: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 3:
            bytes[index] = Array("\0 \n\"\\{}[]%=.-+/0".utf8).randomElement(using: &generator) ?? 0
        case 4: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 5: bytes.removeSubrange(index..<index + length)
        case 6: bytes.insert(contentsOf: bytes[index..<index + length], at: index)
        case 7: bytes = Array(Base64.encode(bytes).utf8)
        case 8: bytes.insert(contentsOf: originals.randomElement(using: &generator) ?? [], at: index)
        default: bytes.removeSubrange(index...)
        }
    }
}
