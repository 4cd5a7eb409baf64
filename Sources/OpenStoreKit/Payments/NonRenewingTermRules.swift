import Foundation
import Perennial

/// The terms of non-renewing subscriptions, configured or read from product identifiers such as `pass.1week`,
/// `com.example.30days` and `access_P3M`, as the content server reads them.
///
/// A queue with these rules refuses to buy a product again during its term. The store does so as well, with the purchases of all
/// devices.
public struct NonRenewingTermRules: Sendable {
    private let rules: TermRules

    /// Makes rules.
    ///
    /// - Parameters:
    ///   - configured: Terms by product identifier, as ISO 8601 durations such as `P1W`. They override terms in identifiers. One
    ///     `*` matches any text: `pass.*`. Invalid durations are ignored.
    ///   - readsIdentifiers: True to read terms from identifiers. The content server must have the same setting.
    public init(configured: [String: String] = [:], readsIdentifiers: Bool = true) {
        var rules = TermRules(readsProductIDs: readsIdentifiers)
        for (identifier, text) in configured {
            guard let period = Period(iso8601: text) else { continue }
            if let pattern = TermRules.Pattern(rawValue: identifier) {
                rules.patterns[pattern] = period
            } else {
                rules.configured[Perennial.Product.ID(rawValue: identifier)] = period
            }
        }
        self.rules = rules
    }

    /// Returns the term of a product as an ISO 8601 duration, or `nil` without one.
    public func term(of productIdentifier: String) -> String? {
        rules.term(of: Perennial.Product.ID(rawValue: productIdentifier))?.iso8601
    }

    /// Returns the end of one purchase's term, or `nil` without a term.
    func end(of productIdentifier: String, boughtAt purchase: Instant) -> Instant? {
        rules.term(of: Perennial.Product.ID(rawValue: productIdentifier))?.end(after: purchase)
    }

    /// Returns the latest end of a product's purchases, or `nil` if all have ended.
    ///
    /// - Parameter purchases: Purchase dates of the product.
    func end(of productIdentifier: String, bought purchases: [Instant], runningAt now: Instant) -> Instant? {
        guard let term = rules.term(of: Perennial.Product.ID(rawValue: productIdentifier)) else { return nil }
        return purchases.map { term.end(after: $0) }.filter { $0 > now }.max()
    }
}
