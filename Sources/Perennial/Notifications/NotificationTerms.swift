/// The limits and choices for the address of an app's server notifications.
package enum NotificationTerms {
    package enum Version: Int64, Sendable, CaseIterable {
        case one = 1
        case two = 2
    }

    /// The retry schedules for notifications.
    package enum Retries: String, Sendable, CaseIterable {
        /// The App Store's: five retries in Production, none in Sandbox.
        case appStore = "app-store"
        /// The App Store's in Production, in every environment.
        case full
        case none
    }

    /// A limit of ours on URLs.
    package static let maximumURLLength = 2048
    /// Bounds of the timeout of one attempt, in milliseconds.
    package static let timeouts: ClosedRange<Int64> = 1 ... .minutes(5)
    /// The timeout of one attempt, in milliseconds. The App Store documents none; measurements found less than 30 seconds.
    package static let defaultTimeout: Int64 = .seconds(10)
    /// The rule of ``isURL(_:)`` in words.
    package static let urlRule = "a URL that begins with http:// or https:// and has at most \(maximumURLLength) bytes"

    /// Returns true for the form of a URL that notifications can be sent to.
    package static func isURL(_ text: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else {
            return false
        }
        return (scheme.utf8.count + 1...maximumURLLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
