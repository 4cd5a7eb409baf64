import Crypto
import Foundation
import OpenStoreKit
import Perennial

/// The purchase vault: opening a file, reading entitlements, adding a purchase.
enum VaultMeasure: Measure {
    static let name = "vault"
    private static let transactions = 10_000
    private static let entitlements = 1000
    private static let purchases = 200
    /// Milliseconds that the vault may take to open.
    private static let openingLimit = 20.0
    /// Milliseconds that reading the entitlements may take.
    private static let readingLimit = 2.0

    static func measure(_ bench: Bench) throws -> [Figure] {
        let files = FolderStore(folder: URL(fileURLWithPath: bench.folder.path("vault")))
        try fill(files, bench)
        let bytes = try bench.checkedSize(of: files)
        return try opening(files, bytes, bench) + [entitlements(files, bench), purchase(files, bench)]
    }

    /// Writes the file as a device has it after its first synchronization: in pages of 200.
    private static func fill(_ files: FolderStore, _ bench: Bench) throws {
        let signed = try SignedPurchases.make(transactions, ownable: entitlements, bench.identities)
        let vault = vault(files)
        for first in stride(from: 0, to: signed.count, by: 200) {
            let last = min(first + 200, signed.count)
            _ = try vault.apply(
                VaultChanges(
                    transactions: Array(signed[first..<last]), revision: "\(last)", isComplete: first == 0,
                    hasMore: last < signed.count, confirmedAt: SignedPurchases.start))
        }
    }

    private static func vault(_ files: FolderStore) -> PurchaseVault {
        let dependencies = DeviceDependencies(
            now: { SignedPurchases.start + .days(1) }, sleep: { _ in }, randomBytes: BenchmarkStore.randomBytes)
        return PurchaseVault(owner: "bench", files: files, dependencies: dependencies)
    }

    private static func opening(_ files: FolderStore, _ bytes: Int, _ bench: Bench) throws -> [Figure] {
        var (ours, limit): ([Double], [Double]) = ([], [])
        // Sealed as one piece: what decrypting the same bytes costs at least.
        let frames = try VaultInspection.contents(of: files)
        let key = SymmetricKey(size: .bits256)
        let boxes = try frames.map { try AES.GCM.seal($0, using: key) }
        for _ in 0..<(bench.rounds * 3) {
            var read = 0
            limit.append(
                try Stopwatch.seconds {
                    for box in boxes { read += try VaultInspection.decode(AES.GCM.open(box, using: key)) }
                } * 1000)
            guard read == transactions else { throw BenchmarkError("\(read) transactions were decoded") }
            let vault = vault(files)
            ours.append(try Stopwatch.seconds { guard vault.load() else { throw BenchmarkError("not read") } } * 1000)
            guard vault.contents.transactions.count == transactions else {
                throw BenchmarkError("\(vault.contents.transactions.count) transactions, \(vault.condition)")
            }
        }
        let notes = [
            "\(transactions) transactions in \(bytes >> 10) KiB and \(frames.count) frames, read from the disk's cache",
            "limit: decrypting and decoding the same bytes in memory",
        ]
        return [
            Figure("opening a vault", "ms", ours: ours.median, limit: limit.median, .atMost(2), notes: notes),
            Figure(
                "opening a vault, against what is allowed", "ms", ours: ours.median, limit: openingLimit, .atMost(1)),
        ]
    }

    private static func entitlements(_ files: FolderStore, _ bench: Bench) throws -> Figure {
        let vault = vault(files)
        guard vault.load() else { throw BenchmarkError("not read") }
        var times: [Double] = []
        for _ in 0..<(bench.rounds * 10) {
            var count = 0
            times.append(Stopwatch.seconds { count = vault.entitlements.count } * 1000)
            guard count == entitlements else { throw BenchmarkError("\(count) entitlements") }
        }
        return Figure(
            "\(entitlements) entitlements read from a vault", "ms", ours: times.median, limit: readingLimit, .atMost(1),
            notes: ["of \(transactions) transactions; limit: what is allowed"])
    }

    private static func purchase(_ files: FolderStore, _ bench: Bench) throws -> Figure {
        let signed = try SignedPurchases.make(transactions + purchases, ownable: 0, bench.identities)
            .suffix(purchases)
        let vault = vault(files)
        let seconds = try Stopwatch.seconds {
            for transaction in signed { _ = try vault.apply(VaultChanges(transactions: [transaction])) }
        }
        return Figure(
            "a purchase added to a vault, durably", "ms", ours: seconds * 1000 / Double(purchases),
            notes: ["to \(transactions) transactions; a frame and its number, each durable"])
    }
}

extension Bench {
    /// Returns the size of the vault's file.
    fileprivate func checkedSize(of files: FolderStore) throws -> Int {
        guard let bytes = try files.read("vault") else { throw BenchmarkError("there is no vault") }
        return bytes.count
    }
}
