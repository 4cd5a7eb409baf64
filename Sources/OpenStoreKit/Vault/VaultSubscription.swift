import AppStoreFormats
import Foundation
import Perennial

/// A subscription's status in the vault, as the store last said and signed it.
package struct VaultSubscription: Sendable, Identifiable, Equatable {
    /// Values of ``status``, as in the App Store Server API.
    package enum Status {
        package static let active = 1
        package static let expired = 2
        package static let inBillingRetry = 3
        package static let inGracePeriod = 4
        package static let revoked = 5
    }

    /// Original transaction ID.
    package internal(set) var id: UInt64
    package internal(set) var groupID: String
    /// 1 active, 2 expired, 3 in billing retry, 4 in the grace period, 5 revoked.
    package internal(set) var status: Int
    /// True if both signatures and their chains were verified before it was stored.
    package internal(set) var isVerified: Bool
    /// End of the grace period; only in one.
    package internal(set) var gracePeriodExpirationDate: Instant?
    /// Date of the next renewal, or of the one that is overdue.
    package internal(set) var renewalDate: Instant?
    /// The transaction in ``signedTransaction``.
    package internal(set) var transactionID: UInt64
    let transaction: SignedText
    let renewalInfo: SignedText

    package var originalID: UInt64 { id }
    /// The newest transaction (JWS in compact form).
    package var signedTransaction: String { transaction.text }
    /// The renewal information (JWS in compact form).
    package var signedRenewalInfo: String { renewalInfo.text }

    /// Original transaction ID in the renewal information; `nil` if that is malformed.
    var renewalOriginalID: UInt64? {
        let payload = try? JSONDecoder().decode(RenewalInfoPayload.self, from: renewalInfo.payload)
        return payload.flatMap { UInt64($0.originalTransactionId, radix: 10) }
    }

    /// Reads a status, without checking the signatures. Returns `nil` for malformed texts.
    ///
    /// - Parameter time: Time by the store's clock; `nil` if the store never told it.
    init?(_ status: VaultChanges.Subscription, at time: Instant? = nil) {
        guard let transaction = SignedText(status.signedTransaction),
            let renewalInfo = SignedText(status.signedRenewalInfo),
            let payload = try? JSONDecoder().decode(RenewalInfoPayload.self, from: renewalInfo.payload)
        else { return nil }
        guard let period = try? TransactionPayload.decode(Array(transaction.payload)),
            let newest = UInt64(period.transactionId, radix: 10)
        else { return nil }
        self.init(
            id: status.originalID, groupID: status.groupID,
            status: status.status ?? Status.told(by: period, payload, at: time), isVerified: status.isVerified,
            gracePeriodExpirationDate: payload.gracePeriodExpiresDate.map { Instant($0) },
            renewalDate: payload.renewalDate.map { Instant($0) }, transactionID: newest, transaction: transaction,
            renewalInfo: renewalInfo)
    }

    /// Makes a status from its stored facts.
    init(
        id: UInt64, groupID: String, status: Int, isVerified: Bool, gracePeriodExpirationDate: Instant?,
        renewalDate: Instant?, transactionID: UInt64, transaction: SignedText, renewalInfo: SignedText
    ) {
        self.id = id
        self.groupID = groupID
        self.status = status
        self.isVerified = isVerified
        self.gracePeriodExpirationDate = gracePeriodExpirationDate
        self.renewalDate = renewalDate
        self.transactionID = transactionID
        self.transaction = transaction
        self.renewalInfo = renewalInfo
    }
}

extension VaultTransaction {
    /// Reads the period of a status.
    fileprivate init?(_ signed: SignedText, of status: VaultSubscription) {
        self.init(
            VaultChanges.Transaction(signed: signed.text, isFinished: false, isVerified: status.isVerified))
    }
}

extension VaultSubscription.Status {
    /// Returns the status that signed data tells: of an answer about a purchase, which may arrive after the end of the period.
    ///
    /// - Parameter time: Time by the store's clock; `nil` if the store never told it.
    fileprivate static func told(
        by period: TransactionPayload, _ renewal: RenewalInfoPayload, at time: Instant?
    ) -> Int {
        let signed = Instant(renewal.signedDate)
        let now = max(time ?? signed, signed)
        guard period.revocationDate == nil else { return revoked }
        if renewal.isInBillingRetryPeriod == true {
            let hasGrace = renewal.gracePeriodExpiresDate.map { now < Instant($0) } ?? false
            return hasGrace ? inGracePeriod : inBillingRetry
        }
        return period.expiresDate.map { now < Instant($0) } ?? true ? active : expired
    }
}

extension VaultSubscription {
    /// Returns true if this was signed about an earlier period than the other one, or earlier about the same.
    func isOlder(than other: VaultSubscription) -> Bool {
        guard let mine = dates, let theirs = other.dates else { return false }
        return mine.purchase == theirs.purchase ? mine.signed < theirs.signed : mine.purchase < theirs.purchase
    }

    /// True if the renewal information, or another form of the same period, was signed before that of a known status, as far as that one's
    /// dates are proven.
    func isReplay(of known: VaultSubscription) -> Bool {
        guard known.isVerified || !isVerified, let mine = dates, let theirs = known.dates else { return false }
        guard mine.signed >= theirs.signed else { return true }
        guard transactionID == known.transactionID, let sold = VaultTransaction(transaction, of: self),
            let knownSold = VaultTransaction(known.transaction, of: known)
        else { return false }
        return sold.isReplay(of: knownSold) && !sold.hasSameFacts(as: knownSold)
    }

    /// Start of the period, and the date of signing; `nil` if one of the texts is malformed.
    private var dates: (purchase: Date, signed: Date)? {
        guard let period = try? TransactionPayload.decode(Array(transaction.payload)),
            let renewal = try? JSONDecoder().decode(RenewalInfoPayload.self, from: renewalInfo.payload)
        else { return nil }
        return (period.purchaseDate, renewal.signedDate)
    }
}

extension VaultSubscription {
    /// True if both say the same, also if they were signed at different times.
    func hasSameFacts(as other: VaultSubscription) -> Bool {
        guard status == other.status, isVerified == other.isVerified, transactionID == other.transactionID else {
            return false
        }
        let decoder = JSONDecoder()
        guard var mine = try? decoder.decode(RenewalInfoPayload.self, from: renewalInfo.payload),
            let theirs = try? decoder.decode(RenewalInfoPayload.self, from: other.renewalInfo.payload)
        else { return false }
        mine.signedDate = theirs.signedDate
        guard mine == theirs else { return false }
        guard var sold = try? TransactionPayload.decode(Array(transaction.payload)),
            let theirSold = try? TransactionPayload.decode(Array(other.transaction.payload))
        else { return false }
        sold.signedDate = theirSold.signedDate
        return sold == theirSold
    }
}
