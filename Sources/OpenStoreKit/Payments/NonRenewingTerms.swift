import Foundation
import Perennial

/// The terms of non-renewing subscriptions, whose products have none of their own: read from the product identifier,
/// as the seller's server does (`pass.1week`, `com.example.30days`, `access_P3M`), or configured.
///
/// Given to a queue, it refuses a purchase before anything is paid while an earlier one of the same product still
/// runs. The store does the same, with what it knows of the customer's other devices.
public struct NonRenewingTerms: Sendable {
    private let rules: TermRules

    /// - Parameters:
    ///   - configured: Terms by product identifier, as ISO 8601 durations such as `P1W`; they come before what an
    ///     identifier says. One `*` stands for any text: `pass.*`. A text that is no duration counts for nothing.
    ///   - readsIdentifiers: Whether an identifier counts for what it says; the seller's server must hold the same.
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

    /// The term of a product as an ISO 8601 duration; `nil` where nothing says one.
    public func term(of productIdentifier: String) -> String? {
        rules.term(of: Perennial.Product.ID(rawValue: productIdentifier))?.iso8601
    }

    /// When the last of these purchases of a product ends, where that is after `now`.
    ///
    /// - Parameter purchases: Instants at which the product was bought.
    func end(of productIdentifier: String, bought purchases: [Instant], runningAt now: Instant) -> Instant? {
        guard let term = rules.term(of: Perennial.Product.ID(rawValue: productIdentifier)) else { return nil }
        return purchases.map { term.end(after: $0) }.filter { $0 > now }.max()
    }
}
