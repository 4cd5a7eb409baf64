import AppStoreFormats
import PerennialStorage

/// The cache of verifyReceipt. Backends send the same receipt for as long as their customer has it, mostly to learn the
/// state of a subscription.
///
/// Its entries can't be out of date. A receipt's authenticity and contents never change; the state of the customer's
/// purchases is cached with the revisions that it depends on, which are read for each answer. All environments of a process
/// share it, so that its capacity is a limit for all together.
final class VerifyReceiptCache: Sendable {
    /// A receipt in an environment, so that environments don't share entries.
    struct Key: Hashable {
        /// The environment's secret.
        let secret: [UInt8]
        /// The receipt in base64, as in the request.
        let receiptData: String

        /// Hashes the end of the receipt: its signature, which no other receipt has. Equality compares the whole text, so
        /// that a receipt with another beginning differs.
        func hash(into hasher: inout Hasher) {
            hasher.combine(receiptData.utf8.count)
            var text = receiptData
            text.withUTF8 {
                hasher.combine(
                    bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0).suffix(Self.sampleCount)))
            }
        }

        private static let sampleCount = 64
    }

    /// The revisions that an answer about a customer's purchases depends on.
    struct Revision: Hashable {
        /// The revision of the customer's purchases.
        let purchases: Int64
        /// The revision of the catalog, for the offers' names.
        let catalog: Int64
        /// The era of the numbers (`Database.era`).
        let era: Int64
    }

    /// The state of a customer's purchases.
    struct Renewals: Sendable {
        let revision: Revision
        let encoded: EncodedRenewals
    }

    private struct RenewalsKey: Hashable {
        let receipt: Key
        let newestOnly: Bool
    }

    /// The capacity in bytes: some thousand receipts of usual size.
    private static let capacity = 64 << 20
    /// The size of an entry besides its bytes.
    private static let overhead = 1024

    private let receipts = TwoGenerationCache<Key, VerifiedReceipt>(capacity: capacity / 2)
    private let renewals = TwoGenerationCache<RenewalsKey, Renewals>(capacity: capacity / 2)

    func receipt(_ key: Key) -> VerifiedReceipt? { receipts.value(key) }

    func insert(_ receipt: VerifiedReceipt, for key: Key) {
        receipts.insert(
            receipt, size: receipt.encoded.count + key.receiptData.utf8.count + Self.overhead, for: key)
    }

    /// Returns the cached state if its revision is current.
    func renewals(of receipt: Key, newestOnly: Bool, revision: Revision) -> EncodedRenewals? {
        guard let found = renewals.value(RenewalsKey(receipt: receipt, newestOnly: newestOnly)),
            found.revision == revision
        else { return nil }
        return found.encoded
    }

    func insert(_ encoded: EncodedRenewals, revision: Revision, of receipt: Key, newestOnly: Bool) {
        renewals.insert(
            Renewals(revision: revision, encoded: encoded), size: encoded.count + Self.overhead,
            for: RenewalsKey(receipt: receipt, newestOnly: newestOnly))
    }
}

/// A verified app receipt, with the parts that answers need.
struct VerifiedReceipt: Sendable {
    /// The receipt without its purchases, which are in `encoded`.
    let receipt: AppReceipt
    let encoded: EncodedReceipt
    let hasAutoRenewables: Bool
    /// `nil` for a receipt of another environment.
    let owner: CustomerKey?

    /// - Parameter familyShared: The owner's transactions that a family member shares.
    init(_ receipt: AppReceipt, owner: CustomerKey?, familyShared: Set<String>) {
        encoded = EncodedReceipt(receipt, familyShared: familyShared)
        hasAutoRenewables = receipt.hasAutoRenewables
        self.owner = owner
        var receipt = receipt
        receipt.purchases = []
        self.receipt = receipt
    }
}
