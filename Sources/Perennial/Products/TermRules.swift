/// The rules for the term of a non-renewing subscription, which the App Store doesn't know.
///
/// Products of this type have no duration; sellers write it into the ID. In this order:
/// 1. the term that the seller's configuration gives for exactly this ID;
/// 2. the term of the longest pattern in the configuration that the ID matches;
/// 3. the term in the ID (``Period/init(inProductID:)``), unless the seller has turned that off.
package struct TermRules: Hashable, Sendable {
    /// Terms by product ID, from the seller's configuration.
    package var configured: [Product.ID: Period]
    /// Terms by pattern of product IDs, from the seller's configuration.
    package var patterns: [Pattern: Period]
    /// True if terms in product IDs count.
    package var readsProductIDs: Bool

    package init(
        configured: [Product.ID: Period] = [:], patterns: [Pattern: Period] = [:], readsProductIDs: Bool = true
    ) {
        self.configured = configured
        self.patterns = patterns
        self.readsProductIDs = readsProductIDs
    }

    /// Returns the term of a product; `nil` if neither configuration nor ID gives one.
    package func term(of id: Product.ID) -> Period? {
        if let period = configured[id] { return period }
        let matching = patterns.filter { $0.key.matches(id) }
        if let nearest = matching.max(by: { $0.key < $1.key }) { return nearest.value }
        return readsProductIDs ? Period(inProductID: id) : nil
    }

    /// A product ID with one `*` for any text: `com.example.pass.*`. Product IDs never have that character.
    package struct Pattern: RawRepresentable, Hashable, Comparable, Sendable, Codable {
        package let rawValue: String

        /// Creates a pattern; `nil` without exactly one `*`, and for a `*` alone, which would match all products.
        package init?(rawValue: String) {
            guard rawValue.count(where: { $0 == "*" }) == 1, rawValue != "*" else { return nil }
            self.rawValue = rawValue
        }

        package func matches(_ id: Product.ID) -> Bool {
            let text = id.rawValue
            let parts = rawValue.split(separator: "*", omittingEmptySubsequences: false)
            return text.utf8.count >= rawValue.utf8.count - 1 && text.hasPrefix(parts[0]) && text.hasSuffix(parts[1])
        }

        /// Orders patterns by length. The longest matching pattern applies.
        package static func < (one: Pattern, other: Pattern) -> Bool {
            (one.rawValue.utf8.count, one.rawValue) < (other.rawValue.utf8.count, other.rawValue)
        }
    }
}

extension TermRules: Codable {
    private enum CodingKeys: CodingKey {
        case configured, patterns, readsProductIDs
    }

    /// Decodes the rules. Apps stored by older versions have neither patterns nor the switch.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        configured = try container.decode([Product.ID: Period].self, forKey: .configured)
        patterns = try container.decodeIfPresent([Pattern: Period].self, forKey: .patterns) ?? [:]
        readsProductIDs = try container.decodeIfPresent(Bool.self, forKey: .readsProductIDs) ?? true
    }
}
