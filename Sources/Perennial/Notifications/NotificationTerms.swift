/// What may be said of where an app's server notifications go, wherever it is said.
package enum NotificationTerms {
    package enum Version: Int64, Sendable, CaseIterable {
        case one = 1
        case two = 2
    }

    /// How often a notification that did not arrive is sent again.
    package enum Retries: String, Sendable, CaseIterable {
        /// As the App Store does: five times in Production, never in Sandbox.
        case appStore = "app-store"
        /// As the App Store does in Production, whatever the environment.
        case full
        case none
    }

    /// A limit of ours on URLs.
    package static let maximumURLLength = 2048
    /// For one attempt, in milliseconds.
    package static let timeouts: ClosedRange<Int64> = 1 ... .minutes(5)
    /// What ``isURL(_:)`` asks for, in words.
    package static let urlRule = "a URL that begins with http:// or https:// and has at most \(maximumURLLength) bytes"

    /// Whether notifications can be sent there, as far as can be told without trying.
    package static func isURL(_ text: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else {
            return false
        }
        return (scheme.utf8.count + 1...maximumURLLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
