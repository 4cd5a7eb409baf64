/// The tags of `If-Match` or `If-None-Match` (RFC 9110, 13.1). Our tags are hexadecimal, so none contains a comma.
package struct EntityTags: Sendable {
    private let isAny: Bool
    private let tags: [Substring]

    /// Parses the value of a header.
    package init(_ header: String) {
        isAny = header.trimmed == "*"
        tags = header.split(separator: ",").map(\.trimmed)
    }

    /// Returns true if the header names a tag, or any, by strong comparison (RFC 9110, 8.8.3.2).
    package func match(strongly tag: String) -> Bool {
        isAny || tags.contains { $0 == tag }
    }

    /// Returns true if the header names a tag, or any, by weak comparison (RFC 9110, 8.8.3.2).
    package func match(weakly tag: String) -> Bool {
        isAny || tags.contains { $0 == tag || $0.dropFirst(2) == tag && $0.hasPrefix("W/") }
    }
}
