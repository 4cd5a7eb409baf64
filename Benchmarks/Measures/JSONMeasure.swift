import AppStoreFormats
import BaseEncoding
import FastJSON
import Foundation
import Perennial
import SwiftASN1

/// Reading and writing the formats by hand, on one core, beside the general libraries: JSON beside JSONDecoder and
/// JSONEncoder, base64 beside Foundation's, receipts beside SwiftASN1. The ratios are the reason for the code
/// (docs/decisions/0012-one-json-and-base64.md).
enum JSONMeasure: Measure {
    static let name = "json"
    private static let count = 20_000

    static func measure(_ bench: Bench) throws -> [Figure] {
        let payload = Self.payload()
        let receipt = Self.receipt()
        let body = Array(#"{"receipt-data":"\#(Base64.encode(receipt))","password":"secret"}"#.utf8)
        return try scan(payload, body, bench) + write(payload, bench) + base64(receipt, bench) + der(receipt, bench)
    }

    private static func scan(_ payload: TransactionPayload, _ body: [UInt8], _ bench: Bench) throws -> [Figure] {
        struct Request: Decodable {
            var password: String
            var receiptData: String

            private enum CodingKeys: String, CodingKey {
                case password
                case receiptData = "receipt-data"
            }
        }
        let text = payload.encoded()
        let (textData, bodyData) = (Data(text), Data(body))
        func members(_ bytes: [UInt8]) throws -> Int {
            var scanner = JSONScanner(bytes)
            var members: [String: JSONScanner.Value] = [:]
            try scanner.scanObject { members[$0] = $1 }
            return members.count
        }
        return [
            try figure(
                "JSON object scanned", bench, note: "\(text.count) bytes of a transaction; limit: JSONDecoder",
                .atLeast(1.3), ours: { try members(text) },
                limit: { try JSONDecoder().decode(TransactionPayload.self, from: textData).productId.utf8.count }),
            try figure(
                "JSON with a long string scanned", bench,
                note: "\(body.count) bytes of verifyReceipt; limit: JSONDecoder",
                .atLeast(2), ours: { try members(body) },
                limit: { try JSONDecoder().decode(Request.self, from: bodyData).receiptData.utf8.count }),
        ]
    }

    private static func write(_ payload: TransactionPayload, _ bench: Bench) throws -> [Figure] {
        [
            try figure(
                "JSON object written", bench, note: "a transaction; limit: JSONEncoder", .atLeast(3),
                ours: { payload.encoded().count }, limit: { try JSONEncoder().encode(payload).count })
        ]
    }

    private static func base64(_ bytes: [UInt8], _ bench: Bench) throws -> [Figure] {
        let data = Data(bytes)
        let text = Base64.encode(bytes)
        return [
            try figure(
                "base64 encoded", bench, note: "\(bytes.count) bytes of a receipt; limit: Foundation's", .atLeast(0.7),
                ours: { Base64.encode(bytes).utf8.count }, limit: { data.base64EncodedString().utf8.count }),
            try figure(
                "base64 decoded", bench, note: "\(text.utf8.count) characters; limit: Foundation's", .atLeast(0.7),
                ours: { Base64.decode(text)?.count ?? 0 }, limit: { Data(base64Encoded: text)?.count ?? 0 }),
        ]
    }

    private static func der(_ receipt: [UInt8], _ bench: Bench) throws -> [Figure] {
        [
            try figure(
                "receipt payload read", bench,
                note: "\(receipt.count) bytes, 20 purchases, into values; limit: the attributes by SwiftASN1, as bytes",
                .atLeast(4), ours: { try AppReceipt(payload: receipt).purchases.count },
                limit: { try attributes(in: receipt[...]) })
        ]
    }

    /// Reads the attributes of a receipt and of its purchases with SwiftASN1, their values left as bytes.
    /// - Returns: The number of attributes.
    private static func attributes(in set: ArraySlice<UInt8>) throws -> Int {
        try DER.set(DER.parse(set), identifier: .set) { attributes in
            var count = 0
            while let attribute = attributes.next() {
                let (type, value) = try DER.sequence(attribute, identifier: .sequence) { fields in
                    let type = try Int64(derEncoded: &fields)
                    _ = try Int64(derEncoded: &fields)
                    return (type, try ASN1OctetString(derEncoded: &fields).bytes)
                }
                count += 1
                // A purchase is a set of its own.
                if type == 17 { count += try Self.attributes(in: value) }
            }
            return count
        }
    }

    private static func figure(
        _ name: String, _ bench: Bench, note: String, _ requirement: Figure.Requirement, ours: () throws -> Int,
        limit: () throws -> Int
    ) throws -> Figure {
        let count = bench.count(count)
        var (rates, limits): ([Double], [Double]) = ([], [])
        for _ in 0..<bench.rounds {
            limits.append(try rate(count, limit))
            rates.append(try rate(count, ours))
        }
        return Figure(name, "1/s", ours: rates.median, limit: limits.median, requirement, notes: ["\(name): \(note)"])
    }

    /// Calls a second. The sum keeps the optimiser from dropping the work.
    private static func rate(_ count: Int, _ body: () throws -> Int) throws -> Double {
        var sum = 0
        let seconds = try Stopwatch.seconds { for _ in 0..<count { sum &+= try body() } }
        guard sum > 0 else { throw BenchmarkError("nothing was read or written") }
        return Double(count) / seconds
    }

    private static func payload() -> TransactionPayload {
        let date = Instant(seconds: 1_767_225_600).date
        var payload = TransactionPayload(
            transactionId: "2000000000000002", originalTransactionId: "2000000000000001",
            bundleId: BenchmarkCatalog.bundleID.rawValue, productId: BenchmarkCatalog.subscription.rawValue,
            type: .autoRenewableSubscription, purchaseDate: date, originalPurchaseDate: date, signedDate: date,
            environment: .sandbox)
        payload.webOrderLineItemId = "2000000000100001"
        payload.subscriptionGroupIdentifier = "bench"
        payload.expiresDate = date + 300
        payload.appAccountToken = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))
        payload.transactionReason = .renewal
        payload.storefront = "USA"
        payload.storefrontId = "143441"
        payload.price = 1990
        payload.currency = "USD"
        return payload
    }

    /// The payload of a receipt with 20 periods of a subscription.
    private static func receipt() -> [UInt8] {
        let date = Instant(seconds: 1_767_225_600).date
        var receipt = AppReceipt(
            receiptType: .productionSandbox, bundleID: BenchmarkCatalog.bundleID.rawValue, applicationVersion: "1",
            opaqueValue: Array(0..<16), deviceHash: Array(0..<20), creationDate: date, originalPurchaseDate: date)
        receipt.purchases = (0..<20).map { number in
            var purchase = AppReceipt.Purchase(
                productID: BenchmarkCatalog.subscription.rawValue, transactionID: "\(2_000_000_000_000_001 + number)",
                originalTransactionID: "2000000000000001", purchaseDate: date, originalPurchaseDate: date,
                productType: .autoRenewableSubscription)
            purchase.expiresDate = date + 300
            return purchase
        }
        return receipt.encodedPayload()
    }
}
