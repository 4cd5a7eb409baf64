import AppStoreFormats
import Crypto
import Foundation
import Perennial

/// Signed transactions on one core, beside swift-crypto's bare signatures on P-256 of the same text. Root and intermediate
/// are on P-384, as the App Store's are; the chain is known, since all transactions of a store come with the same one.
enum JWSMeasure: Measure {
    static let name = "jws"
    /// Transactions that differ, each of which is verified in turn.
    private static let transactions = 500
    private static let verifications = 10_000
    private static let signatures = 20_000

    static func measure(_ bench: Bench) throws -> [Figure] {
        let signer = JWSSigner(identities: bench.identities)
        let payloads = (0..<transactions).map(payload)
        let signed = try payloads.map { try signer.sign(payload: $0.encoded()) }
        return [
            try verify(signed, payloads, bench), try sign(payloads, signer, bench),
        ]
    }

    private static func verify(_ signed: [String], _ payloads: [TransactionPayload], _ bench: Bench) throws -> Figure {
        let verifier = try JWSVerifier(trustedRoots: [bench.identities.rootCertificate])
        let texts = signed.map { Array($0.utf8.prefix($0.utf8.count - 87)) }
        let key = P256.Signing.PrivateKey()
        let bare = try texts.map { try key.signature(for: $0) }
        let count = bench.count(verifications)
        var (ours, limit, bytes): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<bench.rounds {
            var valid = 0
            limit.append(
                rate(count) { number in
                    let index = number % texts.count
                    if key.publicKey.isValidSignature(bare[index], for: texts[index]) { valid += 1 }
                })
            ours.append(
                try rate(count) { number in
                    let index = number % signed.count
                    let read = try verifier.verify(signed[index], as: TransactionPayload.self)
                    if read.transactionId == payloads[index].transactionId { valid += 1 }
                })
            bytes.append(
                try rate(count) { number in
                    if try !verifier.verify(signed[number % signed.count]).isEmpty { valid += 1 }
                })
            guard valid == 3 * count else { throw BenchmarkError("\(3 * count - valid) signatures are wrong") }
        }
        return Figure(
            "signed transactions verified, chain known", "1/s", ours: ours.median, limit: limit.median, .atLeast(0.6),
            notes: [
                "\(transactions) texts of \(signed.first?.utf8.count ?? 0) bytes, read into payloads; "
                    + String(format: "%.0f/s left as bytes", bytes.median),
                "limit: swift-crypto's P-256 verifications of what is signed, one core",
            ])
    }

    private static func sign(_ payloads: [TransactionPayload], _ signer: JWSSigner, _ bench: Bench) throws -> Figure {
        let key = P256.Signing.PrivateKey()
        let prepared = try payloads.map { payload in
            let signed = Array(try signer.sign(payload: payload.encoded()).utf8)
            return signed.prefix(upTo: signed.lastIndex(of: UInt8(ascii: ".")) ?? 0)
        }
        let count = bench.count(signatures)
        var (ours, limit): ([Double], [Double]) = ([], [])
        for _ in 0..<bench.rounds {
            var length = 0
            limit.append(
                try rate(count) { number in
                    length += try key.signature(for: prepared[number % prepared.count]).rawRepresentation.count
                })
            ours.append(
                try rate(count) { number in
                    length += try signer.sign(payload: payloads[number % payloads.count].encoded()).utf8.count
                })
            guard length > 0 else { throw BenchmarkError("nothing was signed") }
        }
        return Figure(
            "transactions signed", "1/s", ours: ours.median, limit: limit.median, .atLeast(0.5),
            notes: [
                "written as JSON, encoded and signed; limit: swift-crypto's P-256 signatures of the same text, one core"
            ])
    }

    /// The number a second, one after the other.
    private static func rate(_ count: Int, _ body: (Int) throws -> Void) rethrows -> Double {
        Double(count) / (try Stopwatch.seconds { for number in 0..<count { try body(number) } })
    }

    /// A renewal of a subscription, as a store has most.
    private static func payload(_ number: Int) -> TransactionPayload {
        let date = Instant(seconds: 1_767_225_600 + Int64(number)).date
        var payload = TransactionPayload(
            transactionId: "\(2_000_000_000_000_001 + number)", originalTransactionId: "2000000000000001",
            bundleId: BenchmarkCatalog.bundleID.rawValue, productId: BenchmarkCatalog.subscription.rawValue,
            type: .autoRenewableSubscription, purchaseDate: date, originalPurchaseDate: date, signedDate: date,
            environment: .sandbox)
        payload.webOrderLineItemId = "\(2_000_000_000_100_001 + number)"
        payload.subscriptionGroupIdentifier = "bench"
        payload.expiresDate = date + 300
        payload.appAccountToken = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))
        payload.transactionReason = .renewal
        payload.storefront = "USA"
        payload.storefrontId = "143441"
        payload.price = 1990
        payload.currency = "USD"
        payload.appTransactionId = "700000000000000001"
        return payload
    }
}
