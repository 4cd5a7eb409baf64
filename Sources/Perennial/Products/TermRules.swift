/// The term of a non-renewing subscription, which the store doesn't know.
///
/// App Store products of this type carry no duration; sellers write it into the ID. In this order:
/// 1. a term that the seller's configuration gives for exactly this ID;
/// 2. the term of the longest pattern in the configuration that the ID matches;
/// 3. what the ID itself says (``Period/init(saidBy:)``), unless the seller has turned that off.
package struct TermRules: Hashable, Sendable {
    /// Terms by product ID, from the seller's configuration.
    package var configured: [Product.ID: Period]
    /// Terms of whole families of products, from the seller's configuration.
    package var patterns: [Pattern: Period]
    /// Whether a product ID counts for what it says.
    package var readsProductIDs: Bool

    package init(
        configured: [Product.ID: Period] = [:], patterns: [Pattern: Period] = [:], readsProductIDs: Bool = true
    ) {
        self.configured = configured
        self.patterns = patterns
        self.readsProductIDs = readsProductIDs
    }

    /// The term of a product, or `nil` where neither configuration nor ID says one.
    package func term(of id: Product.ID) -> Period? {
        if let period = configured[id] { return period }
        let matching = patterns.filter { $0.key.matches(id) }
        if let nearest = matching.max(by: { $0.key < $1.key }) { return nearest.value }
        return readsProductIDs ? Period(saidBy: id) : nil
    }

    /// A product ID with one `*`, which stands for any text: `com.example.pass.*`. No product ID has that character.
    package struct Pattern: RawRepresentable, Hashable, Comparable, Sendable, Codable {
        package let rawValue: String

        /// `nil` for text without exactly one `*`, and for a `*` alone: that would be a term for everything.
        package init?(rawValue: String) {
            guard rawValue.count(where: { $0 == "*" }) == 1, rawValue != "*" else { return nil }
            self.rawValue = rawValue
        }

        package func matches(_ id: Product.ID) -> Bool {
            let text = id.rawValue
            let parts = rawValue.split(separator: "*", omittingEmptySubsequences: false)
            return text.utf8.count >= rawValue.utf8.count - 1 && text.hasPrefix(parts[0]) && text.hasSuffix(parts[1])
        }

        /// By length: of two patterns that match, the longer says more.
        package static func < (one: Pattern, other: Pattern) -> Bool {
            (one.rawValue.utf8.count, one.rawValue) < (other.rawValue.utf8.count, other.rawValue)
        }
    }
}

extension TermRules: Codable {
    private enum CodingKeys: CodingKey {
        case configured, patterns, readsProductIDs
    }

    /// Apps that were kept before patterns and the switch were known have neither.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        configured = try container.decode([Product.ID: Period].self, forKey: .configured)
        patterns = try container.decodeIfPresent([Pattern: Period].self, forKey: .patterns) ?? [:]
        readsProductIDs = try container.decodeIfPresent(Bool.self, forKey: .readsProductIDs) ?? true
    }
}
