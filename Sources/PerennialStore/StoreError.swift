/// The reason that a use case failed. Refused purchases throw `PurchaseRefusal`.
package struct StoreError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case unauthorized
        case appNotFound
        case accountNotFound
        case accountExists
        case transactionNotFound
        case purchaseNotFound
        case approvalNotFound
        case subscriptionNotQuarantined
        case subscriptionUnreadable
        case familyNotFound
        case offerNotFound
        case offerCodeExists
        case storefrontUnknown
        case tooManyProducts
        case priceNotScheduled
        case clockRunsByItself
        case timeInThePast
        case environmentExists
        case environmentNotFound
        case environmentPermanent
        case malformed
    }

    package let code: Code
    /// A name, an ID or a field.
    package let subject: String
    package let reason: String

    package init(_ code: Code, _ subject: String, _ reason: String) {
        self.code = code
        self.subject = subject
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): \(subject): \(reason)" }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}
