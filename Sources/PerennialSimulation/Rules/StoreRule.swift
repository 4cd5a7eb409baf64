/// The rules that the store keeps: one list for the simulator, which sees the tables after each step, and for the checker
/// of histories, which sees only what clients asked and were told.
package enum StoreRule: String, Sendable, CaseIterable {
    case paidTwice
    case severalActive
    case paidWithoutAccess
    case accessWithoutReason
    case crowdedFamily
    case gapInService
    case wrongCharge
    case soldUnavailable
    case wrongCatalog
    case offerAgain
    case tooManyRenewals
    case wrongRefund
    case unbalanced
    case journalOrder
    case journalAndTables
    case lostAnswer
    case wrongRollUp
    case wrongClosing
    case soldTwice
    case due
    case stepLimitExceeded
    case clock
    case wrongReceipt
    case unexpectedError
    case unexplained
    case notificationOrder
    case lostNotification

    /// The rule in a sentence.
    package var promise: String {
        switch self {
        case .paidTwice: "Each period of a subscription has one charged transaction."
        case .severalActive: "A customer has at most one transaction in force in a group."
        case .paidWithoutAccess: "Every paid day gives access."
        case .accessWithoutReason: "Access has a transaction in force."
        case .crowdedFamily: "A family has at most six members."
        case .gapInService: "A renewal begins where the period before it ended."
        case .wrongCharge: "Charges are the price, and go to accepted cards."
        case .soldUnavailable: "Only products that are on sale in the storefront are sold."
        case .wrongCatalog:
            """
            The catalog is what the acknowledged edits made it, its prices have no gap, and its journal has \
            every edit.
            """
        case .offerAgain: "A customer gets one introductory offer in a group."
        case .tooManyRenewals: "A sandbox subscription renews at most six times."
        case .wrongRefund: "Refunds are the named share, and never more than the payment."
        case .unbalanced: "Postings sum to zero, by entry and in total."
        case .journalOrder: "Journal positions have no gaps, and entries never change."
        case .journalAndTables: "Journal and tables agree."
        case .lostAnswer: "Acknowledged changes stay."
        case .wrongRollUp: "The roll-ups for reports equal the journal."
        case .wrongClosing:
            """
            A closing of a fiscal month has the month's sales, adjustments and taxes, pays what it owes, and \
            never changes.
            """
        case .soldTwice: "A request is one purchase, however often it is sent."
        case .due: "Due work is found, and done."
        case .stepLimitExceeded: "Every step ends."
        case .clock: "A clock doesn't go backwards, and an advance moves it to where it was told."
        case .wrongReceipt:
            "Receipts list sales and refunds, newest first, and open the content that is paid for."
        case .unexpectedError: "Actions fail only by a fault or a refusal."
        case .unexplained: "A customer's requests have one order, which agrees with the time and explains every answer."
        case .notificationOrder: "First attempts of a subscription's notifications come in the journal's order."
        case .lostNotification: "Each event of commerce is notified at least once, with the same contents each time."
        }
    }
}
