/// Why something about server notifications could not be done.
package struct NotificationError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// The app has said nowhere to send notifications.
        case urlNotFound
        /// There is no such test, or none whose result is known yet.
        case testNotFound
        case notificationNotFound
        case malformedURL
        case malformedTimeout
        case malformedTrouble
        case malformedPage
    }

    package let code: Code
    /// What the error is about: an app, a URL, a number.
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
