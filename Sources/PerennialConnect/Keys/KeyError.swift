/// Why a key or a secret could not be made, listed or revoked.
package struct KeyError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable { case appNotFound, keyNotFound }

    package let code: Code
    /// The app or key it is about.
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
