import AppStoreFormats
import PerennialStorage

/// What verifyReceipt has found out and needn't find out again: backends send the same receipt for as long as their
/// customer has it, most often to hear what became of a subscription.
///
/// Nothing in it can be out of date. That a receipt is authentic, and what it says, stays true; what became of the
/// customer's purchases is kept with the revisions that it is true for, which are read anew for each answer.
/// It is shared by all environments of a process, so that its size is a bound for all of them together.
final class VerificationMemory: Sendable {
    /// A receipt in an environment: environments know nothing of each other's.
    struct Key: Hashable {
        /// What only this environment has.
        let secret: [UInt8]
        /// As it was sent: base64.
        let receiptData: String

        /// A receipt ends with its signature, which no other receipt has. Equality looks at the whole text, so that
        /// one with another beginning isn't taken for it.
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

    /// What an answer about a customer's purchases hangs on.
    struct Revision: Hashable {
        /// Of the customer's purchases.
        let purchases: Int64
        /// Of the catalog, which has the offers' names.
        let catalog: Int64
    }

    /// What became of a customer's purchases.
    struct Renewals: Sendable {
        let revision: Revision
        let encoded: EncodedRenewals
    }

    private struct RenewalsKey: Hashable {
        let receipt: Key
        let newestOnly: Bool
    }

    /// In bytes: some thousand receipts of usual size.
    private static let room = 64 << 20
    /// What a value takes besides its bytes.
    private static let overhead = 1024

    private let receipts = BoundedMemory<Key, VerifiedReceipt>(room: room / 2)
    private let renewals = BoundedMemory<RenewalsKey, Renewals>(room: room / 2)

    func receipt(_ key: Key) -> VerifiedReceipt? { receipts.find(key) }

    func keep(_ receipt: VerifiedReceipt, for key: Key) {
        receipts.keep(
            receipt, size: receipt.encoded.count + key.receiptData.utf8.count + Self.overhead, for: key)
    }

    /// What is known of the revision that stands.
    func renewals(of receipt: Key, newestOnly: Bool, revision: Revision) -> EncodedRenewals? {
        guard let found = renewals.find(RenewalsKey(receipt: receipt, newestOnly: newestOnly)),
            found.revision == revision
        else { return nil }
        return found.encoded
    }

    func keep(_ encoded: EncodedRenewals, revision: Revision, of receipt: Key, newestOnly: Bool) {
        renewals.keep(
            Renewals(revision: revision, encoded: encoded), size: encoded.count + Self.overhead,
            for: RenewalsKey(receipt: receipt, newestOnly: newestOnly))
    }
}

/// What is needed of an app receipt that was verified, to answer about it.
struct VerifiedReceipt: Sendable {
    /// Without its purchases, which are in `encoded`.
    let receipt: AppReceipt
    let encoded: EncodedReceipt
    let hasAutoRenewables: Bool
    /// `nil` for a receipt that this environment did not make.
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
