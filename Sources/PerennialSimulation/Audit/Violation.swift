import Perennial

/// A broken rule.
package struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    /// Rules that hold after every step.
    package enum Rule: String, Sendable, CaseIterable {
        /// Each period of a subscription has one charged transaction.
        case paidTwice
        /// Every paid day gives access.
        case paidWithoutAccess
        /// Access has a transaction in force.
        case accessWithoutReason
        /// A customer has at most one transaction in force in a group.
        case severalActive
        /// A renewal begins where the period before it ended.
        case gapInService
        /// Charges are the price, and go to accepted cards.
        case wrongCharge
        /// Only products that are on sale in the storefront are sold.
        case soldUnavailable
        /// The catalog is what the acknowledged edits made it, its prices have no gap, and its journal has every edit.
        case wrongCatalog
        /// Refunds are the named share, and never more than the payment.
        case wrongRefund
        /// A family has at most six members.
        case crowdedFamily
        /// A customer gets one introductory offer in a group.
        case offerAgain
        /// A sandbox subscription renews at most six times.
        case tooManyRenewals
        /// Postings sum to zero, by entry and in total.
        case unbalanced
        /// Journal positions have no gaps, and entries never change.
        case journalOrder
        /// Journal and tables agree.
        case journalAndTables
        /// Acknowledged changes stay.
        case lostAnswer
        /// Receipts list sales and refunds, newest first, and open the content that is paid for.
        case wrongReceipt
        /// The roll-ups for reports equal the journal.
        case wrongRollUp
        /// A closing of a fiscal month has the month's sales, adjustments and taxes, pays what it owes, and never changes.
        case wrongClosing
        /// A request is one purchase, however often it is sent.
        case soldTwice
        /// Due work is found, and done.
        case due
        /// Every step ends.
        case endlessWork
        /// A clock doesn't go backwards, and an advance moves it to where it was told.
        case clock
        /// Actions fail only by an injected fault or a refusal.
        case unexpectedError
    }

    package let rule: Rule
    package let what: String
    /// Customer of the violation; `nil` for one that concerns no single customer.
    package var person: Action.Person?

    init(_ rule: Rule, _ what: String, person: Action.Person? = nil) {
        self.rule = rule
        self.what = what
        self.person = person
    }

    package var description: String { "\(rule.rawValue): \(what)" }
}
