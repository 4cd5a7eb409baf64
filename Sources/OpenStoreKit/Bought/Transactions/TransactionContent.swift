import AppStoreFormats
import Foundation

/// The decoded payload of a signed transaction.
final class TransactionContent: Sendable {
    let signed: SignedText
    let payload: TransactionPayload
    let id: UInt64
    let originalID: UInt64
    /// Origin of the transaction, which also finishes it.
    let sync: WeakReference<TransactionSync>

    /// Decodes a payload.
    ///
    /// - Returns: `nil` if it isn't a transaction.
    convenience init?(_ signed: SignedText, sync: TransactionSync?) {
        guard let decoded = DecodedTransaction(signed) else { return nil }
        self.init(decoded, sync: sync)
    }

    /// Returns `nil` for IDs that are no numbers.
    init?(_ decoded: DecodedTransaction, sync: TransactionSync?) {
        guard let id = UInt64(decoded.payload.transactionId, radix: 10),
            let originalID = UInt64(decoded.payload.originalTransactionId, radix: 10)
        else { return nil }
        self.signed = decoded.signed
        self.payload = decoded.payload
        self.id = id
        self.originalID = originalID
        self.sync = WeakReference(object: sync)
    }

    /// Rarely used members of the payload, decoded at each use.
    var details: TransactionDetails {
        (try? JSONDecoder().decode(TransactionDetails.self, from: signed.payload)) ?? TransactionDetails()
    }
}

/// Members of the payload that few transactions have.
struct TransactionDetails: Decodable, Sendable {
    var additionalTransactionReason: String?
    var bundleOriginalTransactionId: String?
    var bundleProductId: String?
    var bundleSubscriptionGroupIdentifier: String?
    var bundleTransactionId: String?
    var advancedCommerceInfo: Transaction.AdvancedCommerceInfo.Message?
    var multiSeatInfo: Transaction.MultiSeatInfo.Message?
}

extension UUID {
    static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
