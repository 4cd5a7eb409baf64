import Perennial

/// Something that must never be true, and was.
package struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    /// What must hold after every step.
    package enum Rule: String, Sendable, CaseIterable {
        /// One charged transaction for each subscription and period.
        case paidTwice
        /// No paid day without access.
        case paidWithoutAccess
        /// No access without a reason.
        case accessWithoutReason
        /// At most one transaction in force in a group and for a customer.
        case severalActive
        /// A renewal begins where the period before it ended.
        case gapInService
        /// What is charged is the price, and only to a card that pays.
        case wrongCharge
        /// What is given back is the share that was said, and never more than was paid.
        case wrongRefund
        /// A family has six people at most.
        case crowdedFamily
        /// An introductory offer is for once in a group.
        case offerAgain
        /// A sandbox subscription renews so many times.
        case tooManyRenewals
        /// Postings sum to zero, those of an entry and all of them.
        case unbalanced
        /// Positions follow each other without a gap, and what was written stays as it was.
        case journalOrder
        /// Each transaction has its sale in the journal, each entry its transaction, and they say the same.
        case journalAndTables
        /// What was acknowledged stays.
        case lostAnswer
        /// Receipts of both forms say what was sold and refunded, newest first, and open what is paid for.
        case wrongReceipt
        /// A request is one purchase, however often it is sent.
        case soldTwice
        /// What is due is found, and done.
        case due
        /// A clock doesn't go backwards.
        case clock
        /// Nothing fails but by an injected fault or a rule's refusal.
        case unexpectedError
    }

    package let rule: Rule
    package let what: String
    /// The customer it is about, where it is about one.
    package var person: Action.Person?

    init(_ rule: Rule, _ what: String, person: Action.Person? = nil) {
        self.rule = rule
        self.what = what
        self.person = person
    }

    package var description: String { "\(rule.rawValue): \(what)" }
}
