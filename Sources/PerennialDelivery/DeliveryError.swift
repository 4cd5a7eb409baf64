/// An error of a request to the content server. Equality compares the code only.
package struct DeliveryError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case malformedRequest
        case appNotFound
        /// A missing, unknown or expired token, or a wrong password.
        case unauthorized
        /// The store refused the receipt.
        case receiptInvalid
        case receiptForAnotherApp
        case receiptForAnotherDevice
        /// The receipt is of the sandbox, and this server doesn't accept those.
        case sandboxReceiptRefused
        /// The store refused the app's shared secret (21004), which the seller has to correct.
        case sharedSecretWrong
        /// The store gave no usable answer.
        case storeUnavailable
        /// The grant doesn't open the content.
        case notGranted
        case contentNotFound
        /// A server notification is malformed or not signed by a trusted store.
        case notificationInvalid
        /// A trusted root for notifications isn't configured.
        case notificationsNotSetUp
    }

    package let code: Code
    /// The subject: a field of the request, a bundle ID or a content.
    package let subject: String
    /// The problem and its cure, for people.
    package let reason: String
    /// Status of verifyReceipt's answer; `nil` without one.
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
