/// A refund of a transaction, which also revokes access.
package struct Refund: Hashable, Sendable {
    package enum Share: Hashable, Sendable {
        case full
        /// The unused share of a subscription period.
        case prorated
        /// A share in thousandths of a percent, as `revocationPercentage`: 50000 is half.
        case percentage(milliunits: Int64)
    }

    /// 100 % in `revocationPercentage`'s unit.
    package static let wholePercentage: Int64 = 100_000
    /// The time the seller has to answer a `CONSUMPTION_REQUEST`.
    package static let answerTime: Int64 = .hours(12)

    package var share: Share
    package var reason: Transaction.Revocation.Reason
    /// The amount that an upgrade refunded before. Both together never exceed the price. Required for a transaction
    /// that is marked as upgraded.
    package var refundedBefore: Money?

    package init(_ share: Share = .full, reason: Transaction.Revocation.Reason = .other, refundedBefore: Money? = nil) {
        self.share = share
        self.reason = reason
        self.refundedBefore = refundedBefore
    }
}

/// The date, reason and share of a revocation, in the App Store Server API's terms.
package struct RevocationTerms: Hashable, Sendable {
    /// `revocationType`.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case fullRefund = "REFUND_FULL"
        case proratedRefund = "REFUND_PRORATED"
        case familyRevoke = "FAMILY_REVOKE"
    }

    package let date: Instant
    package let reason: Transaction.Revocation.Reason
    package let kind: Kind
    /// `revocationPercentage`, in thousandths of a percent; `nil` if no money was refunded.
    package let percentage: Int64?

    package init(date: Instant, reason: Transaction.Revocation.Reason, kind: Kind, percentage: Int64?) {
        self.date = date
        self.reason = reason
        self.kind = kind
        self.percentage = percentage
    }
}

/// The reason why a refund is refused.
package struct RefundError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case alreadyRefunded
        /// The customer's request awaits its answer.
        case alreadyRequested = "refundAlreadyRequested"
        case notRefunded
        /// An open refund request to decline is missing.
        case notRequested
        case invalidPercentage
        /// Refused, since only a running period can be refunded in proportion.
        case nothingUnused
        /// A family member paid nothing, so only the purchaser's transaction can be refunded.
        case familyShared
        /// The ID names the subscription and its first period, and there are later periods.
        case periodNotSaid
    }

    package let code: Code
    package let transaction: TransactionID
    /// A message for people: the problem and its cure.
    package let reason: String

    package init(_ code: Code, _ transaction: TransactionID, _ reason: String) {
        self.code = code
        self.transaction = transaction
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): transaction \(transaction): \(reason)" }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension Refund {
    /// The result of refunding a transaction of any type.
    package struct Outcome: Hashable, Sendable {
        /// The transaction after its revocation.
        package let transaction: Transaction
        package let terms: RevocationTerms
        package let amount: Money
        /// The amount refunded before, in milliunits.
        let refundedBefore: Int64

        /// Returns the refund's postings.
        package func postings(ofSale sale: [Posting]) -> [Posting] {
            sale.refunding(amount, of: transaction.price, after: refundedBefore)
        }
    }

    /// Decides the refund of any transaction. A subscription's state machine calls this for its periods.
    package func outcome(for transaction: Transaction, at now: Instant) throws -> Outcome {
        guard transaction.revocation == nil else {
            throw RefundError(.alreadyRefunded, transaction.id, "the transaction was refunded or revoked before")
        }
        guard transaction.ownership == .purchased else {
            throw RefundError(.familyShared, transaction.id, "refund the purchaser's transaction")
        }
        guard !transaction.isUpgraded || refundedBefore != nil else {
            throw RefundError(.alreadyRefunded, transaction.id, "an upgrade gave back its unused time: say how much")
        }
        let date = now.wholeSeconds
        let (share, percentage) = try share(of: transaction, at: date)
        let rest = max(transaction.price.milliunits - (refundedBefore?.milliunits ?? 0), 0)
        let amount = Money(milliunits: min(share.milliunits, rest), share.currency)
        let kind: RevocationTerms.Kind = percentage == Self.wholePercentage ? .fullRefund : .proratedRefund
        let terms = RevocationTerms(date: date, reason: reason, kind: kind, percentage: percentage)
        return Outcome(
            transaction: transaction.applying(.revoked(transaction.id, terms)), terms: terms, amount: amount,
            refundedBefore: refundedBefore?.milliunits ?? 0)
    }

    private func share(of transaction: Transaction, at date: Instant) throws -> (Money, Int64) {
        switch share {
        case .full: return (transaction.price, Self.wholePercentage)
        case .percentage(let milliunits):
            guard (1...Self.wholePercentage).contains(milliunits) else {
                throw RefundError(
                    .invalidPercentage, transaction.id, "a percentage is 1 to 100000 thousandths of a percent")
            }
            return (transaction.price.share(of: milliunits, in: Self.wholePercentage), milliunits)
        case .prorated:
            guard let expires = transaction.expiresDate, date < expires, transaction.purchaseDate < expires else {
                throw RefundError(.nothingUnused, transaction.id, "no period is running that could be refunded in part")
            }
            let whole = expires - transaction.purchaseDate
            let unused = expires - max(date, transaction.purchaseDate)
            let percentage = Money.fraction(Self.wholePercentage, unused, whole)
            return (transaction.price.share(of: unused, in: whole), percentage)
        }
    }
}

extension Money {
    /// Returns the share `part / whole` of an amount, rounded down to the currency's smallest coin, so that a refund
    /// never exceeds the share. The whole stays the whole, also if the price is finer than a coin.
    package func share(of part: Int64, in whole: Int64) -> Money {
        guard whole > 0, part < whole else { return self }
        guard part > 0 else { return .zero(currency) }
        let exact = Self.fraction(milliunits, part, whole)
        let coin = currency.smallestAmount
        return Money(milliunits: exact / coin * coin, currency)
    }

    /// Returns `amount * part / whole` rounded towards zero, without overflow; zero if `whole` is zero. Requires `0
    /// <= part <= whole`.
    static func fraction(_ amount: Int64, _ part: Int64, _ whole: Int64) -> Int64 {
        guard whole > 0 else { return 0 }
        let product = amount.multipliedFullWidth(by: part)
        return whole.dividingFullWidth(product).quotient
    }
}
