import Perennial

/// A broken rule.
package struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    package typealias Rule = StoreRule

    package let rule: Rule
    package let what: String
    /// Customer of the violation; `nil` for one that concerns no single customer.
    package var person: Action.Person?

    init(_ rule: Rule, _ what: String, person: Action.Person? = nil) {
        self.rule = rule
        self.what = what
        self.person = person
    }

    package var description: String { "\(rule.rawValue): \(what)" }
}
