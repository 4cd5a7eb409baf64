/// Why Delivery refuses a request. Equality looks at the code only.
package struct DeliveryError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case malformedRequest
        case appNotFound
        /// No token, an unknown or expired one, or a wrong password.
        case unauthorized
        /// The store said that it is no receipt, or not an authentic one.
        case receiptInvalid
        case receiptForAnotherApp
        case receiptForAnotherDevice
        /// The receipt is Sandbox's, where nobody pays, and this server gives nothing for those.
        case sandboxReceiptRefused
        /// The store refused the app's shared secret (21004): the seller's mistake, not the device's.
        case sharedSecretWrong
        /// The store gave no answer that can be relied on.
        case storeUnavailable
        /// The grant doesn't open this content.
        case notGranted
        case contentNotFound
        /// A server notification that nobody trusted has signed, or that says nothing sensible.
        case notificationInvalid
        /// This server doesn't know whose notifications to believe.
        case notificationsNotSetUp
    }

    package let code: Code
    /// What it is about: a field of the request, a bundle ID, a content.
    package let subject: String
    /// For a person: what was wrong, and what would be right.
    package let reason: String
    /// The status that verifyReceipt answered, where it did.
    package let receiptStatus: Int?

    package init(_ code: Code, _ subject: String, _ reason: String, receiptStatus: Int? = nil) {
        self.code = code
        self.subject = subject
        self.reason = reason
        self.receiptStatus = receiptStatus
    }

    package var description: String { "\(code.rawValue): \(subject): \(reason)" }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}
